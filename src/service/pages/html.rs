//! Report pages as HTML: templates, and the headers that forbid scripts, frames and other origins.

use std::sync::LazyLock;
use std::time::Duration;

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use super::language::{AccessTexts, PageLanguage, fill};
use crate::api::contract;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::server::rate_limit_status::whole_seconds;

const STYLE: &str = include_str!("../../../assets/report_page/style.css");
const ICON: &str = include_str!("../../../assets/report_page/icon.svg");
const ROBOTS: &str = "User-agent: *\nDisallow: /api/\nDisallow: /metrics\nAllow: /\n";
/// The preview images of shared links.
const IMAGES: [(&str, &[u8]); 3] = [
    (contract::GOOD_IMAGE, include_bytes!("../../../assets/report_page/good.png")),
    (contract::DECENT_IMAGE, include_bytes!("../../../assets/report_page/decent.png")),
    (contract::BAD_IMAGE, include_bytes!("../../../assets/report_page/bad.png")),
];

/// The Content-Security-Policy: this style, the images, and forms to this origin; nothing else. The page has no script,
/// but tools that judge it fetch robots.txt from within, which `connect-src` allows.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    )
});

/// An HTML response.
pub struct HtmlPage {
    status: StatusCode,
    html: String,
    language: &'static str,
}

impl HtmlPage {
    /// Returns the HTML.
    pub fn into_html(self) -> String {
        self.html
    }
}

impl IntoResponse for HtmlPage {
    fn into_response(self) -> Response {
        let headers: [(HeaderName, &str); 5] = [
            (header::CONTENT_SECURITY_POLICY, POLICY.as_str()),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::VARY, "Accept-Language, Cookie"),
            (header::CONTENT_LANGUAGE, self.language),
        ];
        (self.status, headers, Html(self.html)).into_response()
    }
}

/// The parts around the content of every page.
pub struct Frame {
    pub style: &'static str,
    pub language: &'static str,
    pub made_by: &'static str,
}

impl Frame {
    /// Creates the frame in this language.
    pub fn new(language: &'static PageLanguage) -> Self {
        Self { style: STYLE, language: language.tag, made_by: &language.page.made_by }
    }
}

#[derive(Template)]
#[template(path = "password.html", config = "assets/askama.toml")]
struct PasswordPage<'a> {
    frame: Frame,
    t: &'a AccessTexts,
    id: i64,
    title: String,
    problem: &'a str,
}

#[derive(Template)]
#[template(path = "message.html", config = "assets/askama.toml")]
struct MessagePage<'a> {
    frame: Frame,
    title: &'a str,
    text: &'a str,
    /// Whether the text is an error message of the API, which is English.
    is_english: bool,
}

/// The message on the password form.
#[derive(Debug, Clone, Copy)]
pub enum PasswordProblem {
    /// None: the form is shown for the first time.
    None,
    /// The password was wrong.
    Wrong,
    /// Too many were wrong; the next attempt is allowed after this time.
    TooMany(Duration),
}

/// Returns the password form.
pub fn password(id: i64, problem: PasswordProblem, language: &'static PageLanguage) -> HtmlPage {
    let t = &language.access;
    let (status, problem) = match problem {
        PasswordProblem::None => (StatusCode::OK, String::new()),
        PasswordProblem::Wrong => (StatusCode::FORBIDDEN, t.wrong_password.clone()),
        PasswordProblem::TooMany(wait) => {
            let minutes = whole_seconds(wait).div_ceil(60);
            (StatusCode::TOO_MANY_REQUESTS, fill(&t.too_many, &[("minutes", &minutes)]))
        }
    };
    let title = fill(&t.protected, &[("id", &id)]);
    plain(status, language, &PasswordPage { frame: Frame::new(language), t, id, title, problem: &problem })
}

/// Returns the response after too many wrong passwords, with `Retry-After`.
pub fn too_many_attempts(id: i64, wait: Duration, language: &'static PageLanguage) -> Response {
    let page = password(id, PasswordProblem::TooMany(wait), language);
    ([(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))], page).into_response()
}

/// Returns the 404 page: the report does not exist, or its existence must not be revealed.
pub fn not_there(language: &'static PageLanguage) -> HtmlPage {
    let AccessTexts { not_there: title, not_there_text: text, .. } = &language.access;
    let page = MessagePage { frame: Frame::new(language), title, text, is_english: false };
    plain(StatusCode::NOT_FOUND, language, &page)
}

/// Returns the page of an error.
pub fn failed(refusal: &ErrorResponse, language: &'static PageLanguage) -> HtmlPage {
    let (title, text) = (&language.access.error, refusal.to_string());
    let page = MessagePage { frame: Frame::new(language), title, text: &text, is_english: true };
    plain(refusal.status(), language, &page)
}

/// `GET /icon.svg`
pub async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, "default-src 'none'")], ICON)
}

/// `GET /good.png` and its neighbours: the preview image of a public report, by its result.
pub async fn image(uri: Uri) -> Response {
    let found = IMAGES.iter().find(|(path, _)| *path == uri.path());
    found.map_or_else(
        || StatusCode::NOT_FOUND.into_response(),
        |(_, image)| ([(header::CONTENT_TYPE, "image/png")], *image).into_response(),
    )
}

/// `GET /robots.txt`: keeps search engines off the API. A page that is not public says noindex itself.
pub async fn robots() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], ROBOTS)
}

/// Renders a template.
pub fn write(
    status: StatusCode,
    language: &'static PageLanguage,
    template: &impl Template,
) -> Result<HtmlPage, ErrorResponse> {
    let html = template.render().map_err(|error| {
        tracing::error!(%error, "a page could not be written");
        ErrorResponse::Internal
    })?;
    Ok(HtmlPage { status, html, language: language.tag })
}

/// Renders a page without external text. This cannot fail; if it did, the status would still be right.
fn plain(status: StatusCode, language: &'static PageLanguage, template: &impl Template) -> HtmlPage {
    let nothing = HtmlPage { status, html: String::new(), language: language.tag };
    write(status, language, template).unwrap_or(nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_of_a_page_is_the_one_its_policy_allows() {
        let html = password(1, PasswordProblem::None, PageLanguage::english()).html;
        let style = html.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
        let digest = BASE64_STANDARD.encode(Sha256::digest(style));
        assert!(POLICY.contains(&format!("'sha256-{digest}'")));
    }

    #[test]
    fn a_visitor_who_waits_as_long_as_the_page_says_is_not_refused_again() {
        for (milliseconds, seconds, minutes) in
            [(1_500, "2", "in 1 min"), (60_000, "60", "in 1 min"), (60_001, "61", "in 2 min")]
        {
            let wait = Duration::from_millis(milliseconds);
            let response = too_many_attempts(1, wait, PageLanguage::english());
            assert_eq!(response.headers()[header::RETRY_AFTER], seconds);
            let html = password(1, PasswordProblem::TooMany(wait), PageLanguage::english()).html;
            assert!(html.contains(minutes), "{html}");
        }
    }
}
