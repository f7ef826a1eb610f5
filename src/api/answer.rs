//! A response, read within the [`Limits`] of size and time.

use std::borrow::Cow;

use reqwest::header::{CONTENT_TYPE, HeaderMap, LINK};
use reqwest::{Response, StatusCode};

use super::decode::bounded::{self, BoundedJson};
use super::decode::readable;
use super::limits::Limits;

/// The initial capacity of a body: pages of lists are rarely longer.
const USUAL: usize = 128 * 1024;

/// A failure of transport, before any decoding.
#[derive(Debug)]
pub(super) enum TransportError {
    /// The URL is longer than services accept: nothing was sent.
    RequestTooLong,
    /// The key cannot stand in a header: nothing was sent.
    KeyUnsendable,
    /// The connection was never made: nothing was sent.
    NotConnected(String),
    /// The service's certificate is not trusted or not valid: nothing was sent.
    CertificateRefused(String),
    /// The connection broke after something may have been sent.
    Broken(String),
    /// No response, or no further part of it, in time.
    TimedOut,
    /// More decoded bytes than this.
    TooLarge(usize),
}

impl TransportError {
    /// Classifies an error of the HTTP library. URLs are removed from its text.
    pub(super) fn from_error(error: reqwest::Error) -> Self {
        let error = error.without_url();
        // URL and form are valid; only the key is used as it was given.
        if error.is_builder() {
            return Self::KeyUnsendable;
        }
        let connecting = error.is_connect();
        if error.is_timeout() && !connecting {
            return Self::TimedOut;
        }
        let text = innermost(&error);
        match (connecting, is_about_certificate(&error)) {
            (true, true) => Self::CertificateRefused(text),
            (true, false) => Self::NotConnected(text),
            (false, _) => Self::Broken(text),
        }
    }
}

/// Whether an error was caused by the certificate of the other side.
fn is_about_certificate(error: &(dyn std::error::Error + 'static)) -> bool {
    if let Some(rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
        return true;
    }
    // `source` of an I/O error is not the error that it wraps, but the source of that one.
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(wrapped) => is_about_certificate(wrapped),
        None => error.source().is_some_and(is_about_certificate),
    }
}

/// The root cause, which says "connection refused" where the outer errors say "error sending request".
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    crate::domain::text::clean(&cause.to_string()).into_owned()
}

/// Bytes as text, with a mark in place of what is none. The standard library's reading for bytes that are no text takes
/// many times as long also for those that are.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// A text without the byte order mark and blanks around JSON.
fn bare(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// A response with its body.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Reads the body to its end.
    pub(super) async fn read(mut response: Response, limits: &Limits) -> Result<Self, TransportError> {
        let (status, headers) = (response.status(), response.headers().clone());
        // `Content-Length` is not trusted: capacity for a usual page, and more only for bytes that arrived.
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        let mut body = Vec::with_capacity(announced.min(USUAL));
        loop {
            let piece =
                tokio::time::timeout(limits.idle, response.chunk()).await.map_err(|_| TransportError::TimedOut)?;
            let Some(piece) = piece.map_err(TransportError::from_error)? else { break };
            if body.len() + piece.len() > limits.body {
                return Err(TransportError::TooLarge(limits.body));
            }
            body.extend_from_slice(&piece);
        }
        Ok(Self { status, headers, body })
    }

    /// A header's text.
    pub(super) fn header(&self, name: impl reqwest::header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// All Link headers as one.
    pub(super) fn link(&self) -> Option<String> {
        let links: Vec<&str> = self.headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).collect();
        (!links.is_empty()).then(|| links.join(", "))
    }

    /// The body as text that may be JSON, or a short description of what it is instead.
    pub(super) fn text(&self) -> Result<Cow<'_, str>, String> {
        let text = match text_of(&self.body) {
            Cow::Borrowed(text) => Cow::Borrowed(bare(text)),
            Cow::Owned(text) => Cow::Owned(bare(&text).to_owned()),
        };
        if text.is_empty() {
            return Err("it is empty".into());
        }
        self.html_title().map_or(Ok(text), Err)
    }

    /// The body as JSON, or a short description of what it is instead.
    pub(super) fn json(&self) -> Result<BoundedJson, String> {
        let text = self.text()?;
        let again = |_| bounded::read(&readable(&text));
        bounded::read(&text).or_else(again).map_err(|error: serde_json::Error| {
            if error.is_eof() { format!("it is cut off after {} bytes", self.body.len()) } else { error.to_string() }
        })
    }

    /// `HTML titled “…”` when the body is a page for people.
    pub(super) fn html_title(&self) -> Option<String> {
        let says_html = self.header(CONTENT_TYPE).is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
        let text = text_of(&self.body[..self.body.len().min(16_384)]);
        if !says_html && !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let start = lower.find("<title").and_then(|at| Some(at + lower[at..].find('>')? + 1));
        let title = start.and_then(|start| Some(text[start..start + lower[start..].find('<')?].trim().to_owned()));
        Some(title.filter(|title| !title.is_empty()).map_or_else(
            || "it is HTML".to_owned(),
            |title| {
                format!("it is HTML titled “{}”", crate::domain::text::fit(&crate::domain::text::clean(&title), 60))
            },
        ))
    }
}
