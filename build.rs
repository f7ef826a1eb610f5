//! Tells the program its version with the commit it was built from. Must not fail: a source archive has no commit.
//!
//! The commit is `REPORTDECK_COMMIT`, or else what git says about this very directory. Only builds that are handed out
//! ask git: in daily work a commit must not compile everything anew.

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

/// The commit, where this directory is a checkout and not merely somewhere inside another one.
fn of_git() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // The log of HEAD grows with every commit and checkout; a path that is not there would mean building each time.
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
