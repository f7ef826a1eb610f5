//! The sample sites: a small tea house and its shop on loopback, with good and bad pages, so that a dashboard without
//! an account has real pages to audit. Earlier versions of some pages give it a history.
//!
//! The pages are files in `assets/sample`. Requests from other machines are refused.

mod files;
mod pages;

pub use crate::service::store::sqlite::shift_audits;
pub use pages::{HISTORY, HistoryStep, PAGES, PRESENT, SamplePage};

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::service::server::connections::{self, ConnectionLimits};
use crate::service::server::proxies;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use files::{CAREFUL_HEADERS, Care, HTML, NOT_FOUND, ORIGIN, REDIRECTS, TALKATIVE_HEADERS};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::FutureExt as _;
use prometheus_client::metrics::counter::Counter;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The running sites; dropping the value stops them.
#[derive(Debug)]
pub struct SampleSite {
    address: Option<SocketAddr>,
    version: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl SampleSite {
    /// Returns the URL of a page for an audit. Names below `localhost` resolve to this machine without DNS.
    pub fn url(&self, page: &SamplePage) -> String {
        let port = self.address.map(|address| format!(":{}", address.port())).unwrap_or_default();
        format!("http://{}.localhost{port}{}", page.host, page.path)
    }

    /// Serves this version of the pages from now on; [`PRESENT`] is the last one.
    pub fn serve_version(&self, version: usize) {
        self.version.store(version, Ordering::Relaxed);
    }
}

impl Drop for SampleSite {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves the current version of the sites on the listener until the returned value is dropped.
pub fn start(listener: TcpListener) -> SampleSite {
    let address = listener.local_addr().ok();
    let version = Arc::new(AtomicUsize::new(PRESENT));
    let router = Router::new().fallback(answer).with_state(Arc::clone(&version));
    let limits = ConnectionLimits::of_process();
    let serve = connections::serve(listener, router, CancellationToken::new(), limits, Counter::default());
    // The site goes with its value.
    let task = tokio::spawn(serve.boxed());
    SampleSite { address, version, task }
}

fn gzip(text: &str) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).ok()?;
    encoder.finish().ok()
}

async fn answer(
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    State(version): State<Arc<AtomicUsize>>,
    uri: Uri,
    headers: header::HeaderMap,
) -> Response {
    if !peer.ip().to_canonical().is_loopback() {
        return StatusCode::FORBIDDEN.into_response();
    }
    let path = uri.path();
    if let Some((_, to)) = REDIRECTS.iter().find(|(from, _)| *from == path) {
        return (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, *to)]).into_response();
    }
    let host = proxies::host(&headers, &uri).map(|host| host.to_string()).unwrap_or_default();
    let Some(file) = files::find(&host, path, version.load(Ordering::Relaxed)) else {
        return (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], NOT_FOUND).into_response();
    };
    tokio::time::sleep(file.delay).await;
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let text = file.text.replace(ORIGIN, &format!("http://{host}"));
    let is_compressed = file.care == Care::Careful && accepts.contains("gzip");
    let compressed = if is_compressed { gzip(&text) } else { None };
    let kind = [("content-type", file.kind)];
    let encoding = compressed.is_some().then_some(("content-encoding", "gzip"));
    let mut response = Response::new(compressed.map_or_else(|| Body::from(text), Body::from));
    *response.status_mut() = StatusCode::from_u16(file.status).unwrap_or_default();
    let by_care: &[(&str, &str)] = match file.care {
        Care::Careful => &CAREFUL_HEADERS,
        Care::Careless => &[],
        Care::Talkative => &TALKATIVE_HEADERS,
    };
    for (name, value) in kind.into_iter().chain(encoding).chain(by_care.iter().copied()) {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Auditor, Policy, Reach};

    #[tokio::test]
    async fn every_sample_page_has_its_expected_result_in_each_version() {
        let site = start(TcpListener::bind("127.0.0.1:0").await.unwrap());
        let auditor = Auditor::new(Policy::new(Reach::LocalUser));
        let urls: Vec<String> = PAGES.iter().map(|page| site.url(page)).collect();
        let mut audited = Vec::new();
        let mut wrong = Vec::new();
        for version in 0..=PRESENT {
            site.serve_version(version);
            let audits = futures_util::future::join_all(urls.iter().map(|url| auditor.audit(url))).await;
            for (page, audit) in PAGES.iter().zip(audits) {
                let audit = audit.unwrap();
                assert_eq!(audit.project, format!("{}.localhost", page.host));
                let failed = audit.checks.iter().filter(|check| check.outcome.name() == "failed");
                let failed: Vec<&str> = failed.map(|check| check.id.raw()).collect();
                let word = audit.outcome.name().to_owned();
                audited.push(format!("{version} {:3} {word} {}: {}", audit.score, page.path, failed.join(" ")));
                for crawling in ["robots_txt_valid", "sitemap_valid"] {
                    assert!(!failed.contains(&crawling), "{crawling} fails on {}", page.path);
                }
                if word != page.expected[version] || audit.failure.is_some() {
                    wrong.push((version, page.path, word));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}\n{}", audited.join("\n"));
    }
}
