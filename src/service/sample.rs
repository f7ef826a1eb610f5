//! The sample site: a small tea house on loopback with good and bad pages, so that a dashboard without an account
//! has real pages to audit. Its pages are files in `assets/sample`; this table says how each is served.
//!
//! Requests from other machines are refused.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use super::server::proxies;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Which headers a page comes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    /// Compressed, with every header that a careful owner sends.
    Careful,
    /// Neither compressed nor protected.
    Careless,
    /// Careless, and its headers name all the software behind it.
    Talkative,
}

/// One page of the site, and what an audit of it should come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplePage {
    /// The path, with its query where the audit should ask for one.
    pub path: &'static str,
    /// good, decent or bad: the tests audit every page and compare.
    pub expected: &'static str,
    /// What the page demonstrates.
    pub shows: &'static str,
}

const fn page(path: &'static str, expected: &'static str, shows: &'static str) -> SamplePage {
    SamplePage { path, expected, shows }
}

/// The pages to audit.
pub const PAGES: &[SamplePage] = &[
    page("/", "good", "everything as it should be"),
    page("/green-tea", "good", "a product page with structured data"),
    page("/black-tea", "good", "a product page"),
    page("/tea-ceremony", "good", "a careful page without the extras"),
    page("/old-green-tea", "good", "three redirects before the page"),
    page("/slow-brew", "good", "an answer that takes more than a second"),
    page("/members", "decent", "noindex on a page that is fine otherwise"),
    page("/secret/recipes", "decent", "disallowed by robots.txt"),
    page("/catalogue", "decent", "images and scripts without care"),
    page("/special_offers?week=12&sort=price", "decent", "a long title, an unreadable URL, no zoom"),
    page("/weird-words", "decent", "escape sequences, turned, wide and combining characters"),
    page("/new_page_1?session=4711&ref=home", "bad", "no title, no doctype, no language"),
    page("/guestbook.html", "bad", "a page of 1998"),
    page("/broken-kettle", "bad", "status 500"),
    page("/sold-out", "bad", "status 404"),
];

/// A file of the site and how it is served.
struct File {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
    status: u16,
    care: Care,
    delay: Duration,
}

const HTML: &str = "text/html; charset=utf-8";
const AT_ONCE: Duration = Duration::ZERO;
/// Long enough for the response time check to notice.
const SLOW: Duration = Duration::from_millis(1_200);

const fn html(path: &'static str, text: &'static str, care: Care) -> File {
    File { path, kind: HTML, text, status: 200, care, delay: AT_ONCE }
}

const fn other(path: &'static str, kind: &'static str, text: &'static str) -> File {
    File { path, kind, text, status: 200, care: Care::Careful, delay: AT_ONCE }
}

const FILES: &[File] = &[
    html("/", include_str!("../../assets/sample/index.html"), Care::Careful),
    html("/green-tea", include_str!("../../assets/sample/green-tea.html"), Care::Careful),
    html("/black-tea", include_str!("../../assets/sample/black-tea.html"), Care::Careful),
    html("/tea-ceremony", include_str!("../../assets/sample/tea-ceremony.html"), Care::Careful),
    html("/members", include_str!("../../assets/sample/members.html"), Care::Careful),
    html("/secret/recipes", include_str!("../../assets/sample/recipes.html"), Care::Careful),
    html("/catalogue", include_str!("../../assets/sample/catalogue.html"), Care::Careless),
    html("/special_offers", include_str!("../../assets/sample/special_offers.html"), Care::Careless),
    html("/weird-words", include_str!("../../assets/sample/weird-words.html"), Care::Careless),
    html("/new_page_1", include_str!("../../assets/sample/untitled.html"), Care::Talkative),
    html("/guestbook.html", include_str!("../../assets/sample/guestbook.html"), Care::Talkative),
    File { delay: SLOW, ..html("/slow-brew", include_str!("../../assets/sample/slow-brew.html"), Care::Careful) },
    File { status: 500, ..html("/broken-kettle", include_str!("../../assets/sample/error.html"), Care::Careless) },
    other("/robots.txt", "text/plain; charset=utf-8", include_str!("../../assets/sample/robots.txt")),
    other("/sitemap.xml", "application/xml", include_str!("../../assets/sample/sitemap.xml")),
    other("/icon.svg", "image/svg+xml", include_str!("../../assets/sample/icon.svg")),
    other("/style.css", "text/css; charset=utf-8", include_str!("../../assets/sample/style.css")),
];

/// Replaced by the site's address in its files.
const ORIGIN: &str = "{origin}";

/// The page of all other paths, with status 404.
const NOT_FOUND: &str = include_str!("../../assets/sample/not-found.html");

/// Redirects: from, to.
const REDIRECTS: [(&str, &str); 3] =
    [("/old-green-tea", "/teas/green"), ("/teas/green", "/greentea"), ("/greentea", "/green-tea")];

const CAREFUL_HEADERS: [(&str, &str); 6] = [
    ("cache-control", "public, max-age=600"),
    ("content-security-policy", "default-src 'self'; object-src 'none'; frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("vary", "Accept-Encoding"),
];
const TALKATIVE_HEADERS: [(&str, &str); 3] =
    [("server", "Apache/1.3.4 (Unix)"), ("x-powered-by", "PHP/3.0"), ("set-cookie", "session=1; path=/")];

/// The running site. Dropping it ends it.
#[derive(Debug)]
pub struct SampleSite {
    address: Option<SocketAddr>,
    task: JoinHandle<()>,
}

impl SampleSite {
    /// The URL of a path of the site, as an audit takes it.
    pub fn url(&self, path: &str) -> String {
        match self.address {
            Some(address) => format!("http://{address}{path}"),
            None => path.to_owned(),
        }
    }

    /// The URLs of all pages to audit.
    pub fn urls(&self) -> Vec<String> {
        PAGES.iter().map(|page| self.url(page.path)).collect()
    }
}

impl Drop for SampleSite {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Compressed copies of the careful pages, made once.
type Compressed = Arc<BTreeMap<&'static str, Vec<u8>>>;

/// Serves the site on the listener until the value that comes back is dropped.
pub async fn start(listener: TcpListener) -> SampleSite {
    let address = listener.local_addr().ok();
    // Compressing is work for a thread that may be busy; without its copies the pages go out as they are.
    let compressed: Compressed = Arc::new(tokio::task::spawn_blocking(compress).await.unwrap_or_default());
    let router = Router::new().fallback(answer).with_state(compressed);
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    // The site goes with its value; an error of the listener ends it too, and audits then say so.
    let task = tokio::spawn(async move { drop(axum::serve(listener, service).await) });
    SampleSite { address, task }
}

fn compress() -> BTreeMap<&'static str, Vec<u8>> {
    let careful = FILES.iter().filter(|file| file.care == Care::Careful);
    careful.filter_map(|file| Some((file.path, gzip(file.text)?))).collect()
}

fn gzip(text: &str) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).ok()?;
    encoder.finish().ok()
}

async fn answer(
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    State(compressed): State<Compressed>,
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
    let Some(file) = FILES.iter().find(|file| file.path == path) else {
        return (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], NOT_FOUND).into_response();
    };
    tokio::time::sleep(file.delay).await;
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // A sitemap is named by its whole address, and the site's port is another one each time: such a text is not the one
    // that was compressed.
    let is_as_written = !file.text.contains(ORIGIN);
    let compressed = compressed.get(path).filter(|_| is_as_written && accepts.contains("gzip"));
    let mut response = if let Some(bytes) = compressed {
        Response::new(Body::from(bytes.clone()))
    } else {
        let origin = proxies::host(&headers, &uri).map(|host| format!("http://{host}")).unwrap_or_default();
        Response::new(Body::from(file.text.replace(ORIGIN, &origin)))
    };
    *response.status_mut() = StatusCode::from_u16(file.status).unwrap_or_default();
    let kind = [("content-type", file.kind)];
    let encoding = compressed.map(|_| ("content-encoding", "gzip"));
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
    async fn every_sample_page_has_its_expected_result() {
        let site = start(TcpListener::bind("127.0.0.1:0").await.unwrap()).await;
        let auditor = Auditor::new(Policy::new(Reach::LocalUser)).unwrap();
        let urls = site.urls();
        let audits = futures_util::future::join_all(urls.iter().map(|url| auditor.audit(url))).await;
        let mut told = Vec::new();
        let mut wrong = Vec::new();
        for (page, audit) in PAGES.iter().zip(audits) {
            let audit = audit.unwrap();
            let failed = audit.checks.iter().filter(|check| check.outcome.word() == "failed");
            let failed: Vec<&str> = failed.map(|check| check.id.raw()).collect();
            told.push(format!("{:3} {} {}: {}", audit.score, audit.outcome.word(), page.path, failed.join(" ")));
            for crawling in ["robots_txt_valid", "sitemap_valid"] {
                assert!(!failed.contains(&crawling), "{crawling} fails on {}", page.path);
            }
            if audit.outcome.word() != page.expected || audit.failure.is_some() {
                wrong.push(page.path);
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}\n{}", told.join("\n"));
    }
}
