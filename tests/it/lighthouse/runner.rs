//! Runs Lighthouse on the pages with several Chromes, and reads its verdicts.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::lighthouse::nginx_site::{Page, Site};

/// Number of concurrent Chromes; each mostly waits for its first frame.
const SIDE_BY_SIDE: usize = 4;
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/lighthouse/lighthouse.mjs");

/// Lighthouse's verdicts on each page, by name.
pub type Theirs = BTreeMap<String, Value>;

/// Runs Lighthouse on every page of the site.
pub fn verdicts(site: &Site) -> Theirs {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lighthouse.json");
    let mut known: BTreeMap<String, Value> = match std::env::var_os("LIGHTHOUSE_REUSE") {
        Some(_) => std::fs::read(&kept).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default(),
        None => BTreeMap::new(),
    };
    let asked: Vec<&Page> = site.pages.iter().filter(|page| !known.contains_key(&key(page))).collect();
    println!("Lighthouse judges {} pages, {} verdicts are reused", asked.len(), site.pages.len() - asked.len());
    if !asked.is_empty() {
        let lighthouse = find_lighthouse();
        let chromium = find_chromium();
        let shares: Vec<Vec<&Page>> =
            (0..SIDE_BY_SIDE).map(|share| asked.iter().copied().skip(share).step_by(SIDE_BY_SIDE).collect()).collect();
        std::thread::scope(|scope| {
            let running: Vec<_> =
                shares.iter().map(|share| scope.spawn(|| ask(&lighthouse, &chromium, share))).collect();
            for one in running {
                known.extend(one.join().unwrap());
            }
        });
        std::fs::write(&kept, serde_json::to_vec(&known).unwrap()).unwrap();
    }
    site.pages.iter().map(|page| (page.name.clone(), known[&key(page)].clone())).collect()
}

fn key(page: &Page) -> String {
    format!("{} {:016x}", page.name, page.mark)
}

fn ask(lighthouse: &Path, chromium: &Path, pages: &[&Page]) -> Vec<(String, Value)> {
    let urls: Vec<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    let mut command = Command::new("node");
    command.arg(SCRIPT).arg(lighthouse).env("CHROME_PATH", chromium).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().expect("node is missing; Lighthouse needs it");
    running.stdin.take().unwrap().write_all(&serde_json::to_vec(&urls).unwrap()).unwrap();
    let output = running.wait_with_output().unwrap();
    let lines: Vec<Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines.len(), pages.len(), "Lighthouse gave up: {}", output.status);
    pages.iter().zip(lines).map(|(page, line)| (key(page), line)).collect()
}

/// Finds the folder of the lighthouse package: LIGHTHOUSE, the command on the PATH, or npm's global folder.
fn find_lighthouse() -> PathBuf {
    let named = std::env::var_os("LIGHTHOUSE").map(PathBuf::from);
    let on_path = on_path("lighthouse");
    let by_npm = [vec!["root"], vec!["root", "--global"]].into_iter().filter_map(|arguments| {
        let output = Command::new("npm").args(arguments).output().ok()?;
        Some(Path::new(String::from_utf8(output.stdout).ok()?.trim()).join("lighthouse"))
    });
    let candidates = named.into_iter().chain(on_path).chain(by_npm);
    let found = candidates
        .filter_map(|place| place.canonicalize().ok())
        .find_map(|place| place.ancestors().find(|folder| folder.join("core/index.js").exists()).map(Path::to_owned));
    found.expect("Lighthouse is missing: npm install --global lighthouse@12, or LIGHTHOUSE=<folder of the package>")
}

fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn find_chromium() -> PathBuf {
    let named = std::env::var_os("CHROME_PATH").map(PathBuf::from);
    let found = named.or_else(|| ["chromium", "google-chrome"].into_iter().find_map(on_path));
    found.expect("Chromium is missing: apt install chromium, or CHROME_PATH=<the browser>")
}
