//! The report page audited by our own checks from a second process, and rendered in a real browser if one is installed
//! (`chromium`, or the program named by `CHROMIUM`). Without a browser, that part prints a note and passes.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use assert_cmd::cargo::cargo_bin;
use reportdeck::audit::{Auditor, Policy, Reach};
use reportdeck::service::sample::{self, SampleSite};
use reportdeck::service::{self, AuditTimes, Options, Service};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;

const KEY: &str = "rdk_for_pages";
/// Checks that a report page fails by design, with the reason.
const DOES_NOT_APPLY: [(&str, &str); 5] = [
    ("sitemap", "reports are not listed for search engines"),
    ("social", "the page belongs to nobody's profile"),
    ("content_length", "of a page without faults there is little to say"),
    ("ttfb", "it measures the load of this machine"),
    ("load_time", "it measures the load of this machine"),
];

/// A service with real audits of the sample site.
struct Running {
    service: Service,
    _site: SampleSite,
    _data: TempDir,
}

async fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Starts the service and audits pages of the site: a bad one, a good one, and one with unusual characters.
async fn running() -> Running {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let site = sample::start(listener().await.0);
    let (listener, address) = listener().await;
    let policy = Policy { own_listener: Some(address), ..Policy::new(Reach::LocalUser) };
    let audits = Arc::new(Auditor::new(policy));
    let data = tempfile::tempdir().unwrap();
    let options = Options {
        audits,
        store: data.path().into(),
        max_audits: service::DEFAULT_MAX_AUDITS,
        audit_times: AuditTimes::default(),
        requests_per_minute: None,
        desk_keep_days: 0,
        proxies: reportdeck::service::Proxies::default(),
        run_key: Some(KEY.into()),
    };
    let service = service::start(listener, options).await.unwrap();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    for path in ["/guestbook.html", "/", "/weird-words"] {
        let url = sample::PAGES.iter().map(|page| site.url(page)).find(|url| url.ends_with(path)).unwrap();
        let request = client.post(format!("{}/api/v1/reports", service.base_url())).bearer_auth(KEY);
        assert_eq!(request.form(&[("url", url)]).send().await.unwrap().status(), 201);
    }
    // The second audit gives it a history to show.
    let request = client.put(format!("{}/api/v1/reports/1", service.base_url())).bearer_auth(KEY);
    assert_eq!(request.form(&[("results", "1")]).send().await.unwrap().status(), 200);
    Running { service, _site: site, _data: data }
}

async fn output(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_page_passes_every_check_that_applies_to_it() {
    let running = running().await;
    for id in 1..=3 {
        let mut command = Command::new(cargo_bin!("reportdeck"));
        command.args(["audit", &format!("{}/reports/{id}", running.service.base_url()), "--format", "json"]);
        let output = output(command).await;
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let failed = report["checks"].as_array().unwrap().iter().filter(|check| check["outcome"] == "failed");
        let unexpected: Vec<_> = failed
            .filter(|check| !DOES_NOT_APPLY.iter().any(|(id, _)| check["id"] == *id))
            .map(|check| format!("{}: {}", check["id"], check["errors"]))
            .collect();
        assert!(unexpected.is_empty(), "report {id}: {unexpected:#?}");
        assert_eq!(report["result"], "good");
    }
}

/// Finds the browser.
fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let installed = || std::env::split_paths(&paths).map(|path| path.join("chromium")).find(|path| path.is_file());
    named.or_else(installed)
}

/// Opens a page in the browser at this width, in dark or light mode.
fn visit(browser: &Path, profile: &Path, width: u32, dark: bool) -> Command {
    let mut command = Command::new(browser);
    // The page connects only to its own service.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--hide-scrollbars"]);
    command.args(["--enable-logging=stderr", "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=127.0.0.1"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("--window-size={width},2000"));
    command.arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)));
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_browser_renders_the_page_in_light_and_dark_at_two_widths() {
    let Some(browser) = browser() else {
        eprintln!("not run: Chromium is not installed, so the report page was not opened in a browser");
        return;
    };
    let running = running().await;
    let folder = tempfile::tempdir().unwrap();
    let url = format!("{}/reports/1", running.service.base_url());
    let mut drawings = Vec::new();
    for (width, dark) in [(1280, false), (1280, true), (390, false), (390, true)] {
        let picture = folder.path().join(format!("{width}-{dark}.png"));
        let mut command = visit(&browser, folder.path(), width, dark);
        command.arg(format!("--screenshot={}", picture.display())).arg(&url);
        let browser_output = output(command).await;
        let browser_output = String::from_utf8_lossy(&browser_output.stderr);
        assert!(!browser_output.contains("CONSOLE"), "the browser reports errors: {browser_output}");
        let picture = std::fs::read(&picture).unwrap_or_else(|error| panic!("no picture ({error}): {browser_output}"));
        assert_eq!(picture[16..20], width.to_be_bytes(), "the screenshot has the requested width");
        drawings.push(picture);
    }
    for (one, other) in [(0, 1), (2, 3)] {
        assert_ne!(drawings[one], drawings[other], "light and dark differ");
    }
    let mut command = visit(&browser, folder.path(), 390, false);
    command.arg("--dump-dom").arg(&url);
    let seen = String::from_utf8(output(command).await.stdout).unwrap();
    for text in ["guestbook.html", "Fix first", "Earlier audits", "same checks failed", "Passes when"] {
        assert!(seen.contains(text), "{text}: {seen}");
    }
}
