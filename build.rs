//! Sets `REPORTDECK_VERSION`: the version and the commit. Never fails, because a source archive has no commit.
//!
//! The commit is `REPORTDECK_COMMIT`, otherwise the one that git reports for this directory. Debug builds do not ask git, so that a
//! commit does not rebuild everything.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=REPORTDECK_COMMIT");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let named = std::env::var("REPORTDECK_COMMIT").ok().filter(|commit| !commit.trim().is_empty());
    let optimised = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = named.or_else(|| if optimised { of_git() } else { None });
    let commit = commit.map(|commit| format!(" ({})", commit.trim())).unwrap_or_default();
    println!("cargo:rustc-env=REPORTDECK_VERSION={version}{commit}");
}

/// Returns the commit if this directory is the root of a checkout.
fn of_git() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // The log of HEAD changes with every commit and checkout. Cargo rebuilds each time if a watched path is missing.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    Some(commit)
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
