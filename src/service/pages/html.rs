//! Report pages as HTML: templates, and the headers that forbid scripts, frames and other origins.

use std::sync::LazyLock;
use std::time::Duration;

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use super::findings::{self, FindingCategory, HistoryLine, PageFinding, PageFindings};
use crate::api::contract;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::{clean, fit};
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::rows::{HistoryRow, ReportRow};
use crate::service::store::values;

const STYLE: &str = include_str!("../../../assets/report_page/style.css");
const ICON: &str = include_str!("../../../assets/report_page/icon.svg");
/// The longest title, in characters.
const LONGEST_TITLE: usize = 60;

/// The Content-Security-Policy: this style, the icon, and forms to this origin; nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    )
});

/// An HTML response.
pub struct HtmlPage {
    status: StatusCode,
    html: String,
}

impl HtmlPage {
    /// The HTML.
    pub fn into_html(self) -> String {
        self.html
    }
}

impl IntoResponse for HtmlPage {
    fn into_response(self) -> Response {
        let headers: [(HeaderName, &str); 4] = [
            (header::CONTENT_SECURITY_POLICY, POLICY.as_str()),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::VARY, "Cookie"),
        ];
        (self.status, headers, Html(self.html)).into_response()
    }
}

#[derive(Template)]
#[template(path = "page.html", config = "assets/askama.toml")]
struct ReportPage<'a> {
    style: &'static str,
    id: i64,
    title: &'a str,
    description: &'a str,
    indexed: bool,
    /// The page's address, without its pass.
    address: &'a str,
    icon: &'a str,
    /// The audited page: as a heading, as it was requested, and as a link if it is http or https.
    page: &'a str,
    url: &'a str,
    link: Option<&'a str>,
    project: &'a str,
    result: &'static str,
    shape: &'static str,
    score: i64,
    judged: usize,
    audited_at: &'a str,
    audited: &'a str,
    categories: &'a [FindingCategory],
    failed: &'a [PageFinding],
    notes: &'a [PageFinding],
    passed: &'a [PageFinding],
    inapplicable: &'a [PageFinding],
    history: &'a [HistoryLine],
}

#[derive(Template)]
#[template(path = "password.html", config = "assets/askama.toml")]
struct PasswordPage<'a> {
    style: &'static str,
    id: i64,
    problem: &'a str,
}

#[derive(Template)]
#[template(path = "message.html", config = "assets/askama.toml")]
struct MessagePage<'a> {
    style: &'static str,
    title: &'a str,
    text: &'a str,
}

/// The page of a report. `origin` is the service's address, for absolute links.
pub fn report(row: &ReportRow, checks: &str, former: &[HistoryRow], origin: &str) -> Result<HtmlPage, ErrorResponse> {
    let findings = PageFindings::read(checks).map_err(|error| {
        tracing::error!(%error, report = row.id, "kept checks cannot be read");
        ErrorResponse::Internal
    })?;
    let (url, link) = (clean(&row.url), web_address(&row.url));
    let short = short(&url);
    let (title, result) = (format!("Report: {short}"), values::word(row.rank));
    let (audited_at, audited) = findings::moment(row.generated_at);
    let page = ReportPage {
        style: STYLE,
        id: row.id,
        title: &fit(&title, LONGEST_TITLE),
        description: &format!(
            "{short} is {result} with a score of {}: {} of {} checks failed on {audited}.",
            row.score,
            findings.failed.len(),
            findings.judged()
        ),
        indexed: row.privacy == Privacy::Public.code(),
        address: &format!("{origin}{}", contract::report_page_path(&row.id.to_string())),
        icon: &format!("{origin}{}", contract::ICON),
        page: short,
        url: &url,
        link: link.as_deref(),
        project: &clean(&row.project),
        result,
        shape: shape(result),
        score: row.score,
        judged: findings.judged(),
        audited_at: &audited_at,
        audited: &audited,
        categories: &findings.categories,
        failed: &findings.failed,
        notes: &findings.notes,
        passed: &findings.passed,
        inapplicable: &findings.inapplicable,
        history: &findings::former(row, former),
    };
    write(StatusCode::OK, &page)
}

/// The password form, with an error message or an empty one.
pub fn password(id: i64, problem: &str) -> HtmlPage {
    plain(StatusCode::OK, &PasswordPage { style: STYLE, id, problem })
}

/// The response after too many wrong passwords.
pub fn too_many_attempts(id: i64, wait: Duration) -> Response {
    let seconds = wait.as_secs().max(1);
    let problem = format!("Too many wrong passwords. Try again in {} minutes.", seconds.div_ceil(60));
    let HtmlPage { html, .. } = password(id, &problem);
    let paper = HtmlPage { status: StatusCode::TOO_MANY_REQUESTS, html };
    ([(header::RETRY_AFTER, HeaderValue::from(seconds))], paper).into_response()
}

/// The response when there is no page, or none that this visitor may learn of.
pub fn not_there() -> HtmlPage {
    let text = "Its address may be wrong, it may have been deleted, or it is private: a link to a private report opens \
                it for ten minutes. Whoever sent it can make a new one.";
    plain(StatusCode::NOT_FOUND, &MessagePage { style: STYLE, title: "There is no report here", text })
}

/// The page of an error.
pub fn failed(refusal: &ErrorResponse) -> HtmlPage {
    let text = refusal.message();
    plain(refusal.status(), &MessagePage { style: STYLE, title: "This did not work", text: &text })
}

/// `GET /icon.svg`
pub async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, "default-src 'none'")], ICON)
}

fn write(status: StatusCode, template: &impl Template) -> Result<HtmlPage, ErrorResponse> {
    let html = template.render().map_err(|error| {
        tracing::error!(%error, "a page could not be written");
        ErrorResponse::Internal
    })?;
    Ok(HtmlPage { status, html })
}

/// A page without external text. Rendering it cannot fail; if it did, the status would still be right.
fn plain(status: StatusCode, template: &impl Template) -> HtmlPage {
    write(status, template).unwrap_or(HtmlPage { status, html: String::new() })
}

/// The address without its scheme.
fn short(url: &str) -> &str {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
    rest.strip_suffix('/').filter(|rest| !rest.contains('/')).unwrap_or(rest)
}

/// Only http and https become a link; nothing else gets into an `href`.
fn web_address(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

fn shape(result: &str) -> &'static str {
    match result {
        "good" => "✓",
        "decent" => "~",
        _ => "✗",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(url: &str) -> ReportRow {
        ReportRow {
            id: 12,
            url: url.to_owned(),
            project: "shop.example\"><script>".into(),
            rank: 0,
            score: 31,
            generated_at: 0,
            created_at: 0,
            updated_at: 0,
            privacy: 0,
            has_password: false,
            fetch_error: None,
            failed: "title".to_owned(),
        }
    }

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let hostile = "'\"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u{202e}";
        let checks = json!({ "title": {"outcome": "failed", "importance": hostile, "category": hostile, "errors": [hostile]},
                              hostile: {"outcome": "passed", "errors": []} });
        let url = format!("https://shop.example/{hostile}");
        let paper = report(&row(&url), &checks.to_string(), &[], "http://127.0.0.1").unwrap();
        let tree = scraper::Html::parse_document(&paper.html);
        let found = |selector: &str| tree.select(&scraper::Selector::parse(selector).unwrap()).count();
        assert_eq!((found("script"), found("img"), found("[onerror]"), found("style")), (0, 0, 0, 1));
        assert!(!paper.html.contains('\u{202e}'));
        assert!(found("main h1") == 1 && found("title") == 1);
        let title = scraper::Selector::parse("title").unwrap();
        let title: String = tree.select(&title).flat_map(|title| title.text()).collect();
        assert!(title.starts_with("Report: shop.example/'") && title.chars().count() <= LONGEST_TITLE, "{title}");
    }

    #[test]
    fn only_web_addresses_become_links() {
        for (url, expected) in [("https://shop.example/", 1), ("javascript:alert(1)", 0), ("shop.example", 0)] {
            let paper = report(&row(url), "{}", &[], "").unwrap();
            assert_eq!(paper.html.matches("<a ").count(), expected, "{url}");
        }
    }

    #[test]
    fn the_style_of_a_page_is_the_one_its_policy_allows() {
        let html = password(1, "").html;
        let style = html.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
        let digest = BASE64_STANDARD.encode(Sha256::digest(style));
        assert!(POLICY.contains(&format!("'sha256-{digest}'")));
    }
}
