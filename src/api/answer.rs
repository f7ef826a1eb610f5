//! Reads a response within the [`Limits`] of size and time.

use std::borrow::Cow;

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, LINK};
use reqwest::{Response, StatusCode};
use rustls::{CertificateError, InvalidMessage};

use super::decode::bounded::{self, BoundedJson};
use super::decode::readable;
use super::limits::{LONGEST_SERVICE_TEXT, Limits};
use super::redact;
use crate::domain::text::{clean, fit};

/// The initial capacity of a body; pages of lists are rarely larger.
const INITIAL_CAPACITY: usize = 128 * 1024;

/// A transport failure, before any decoding. Its `Display` is for the log of requests.
#[derive(Debug, thiserror::Error)]
pub(super) enum TransportError {
    /// The URL is longer than services accept: nothing was sent.
    #[error("the request is too long")]
    RequestTooLong,
    /// The key contains characters that are invalid in a header: nothing was sent.
    #[error("the key cannot be sent")]
    KeyUnsendable,
    /// The connection failed: nothing was sent.
    #[error("{0}")]
    NotConnected(String),
    /// The service's certificate is untrusted: nothing was sent.
    #[error("{0}")]
    CertificateRefused(String),
    /// The service's certificate is of another host or another time: nothing was sent.
    #[error("{0}")]
    CertificateUnfit(String),
    /// The connection broke after data may have been sent.
    #[error("{0}")]
    Broken(String),
    /// What arrived is not a response in HTTP: it may come from another program, or the service expects TLS.
    #[error("{0}")]
    NotHttp(String),
    /// No response, or no further part of it, in time.
    #[error("no response in time")]
    TimedOut,
    /// The decoded body exceeds this many bytes.
    #[error("response too large")]
    TooLarge(usize),
}

impl TransportError {
    /// Classifies an error of the HTTP library. URLs are removed from its text, and the key: over HTTP/2 a service may
    /// give a reason for closing the connection.
    pub(super) fn from_error(error: reqwest::Error, key: &str) -> Self {
        let error = error.without_url();
        // URL and form are always valid; only the key is used as given.
        if error.is_builder() {
            return Self::KeyUnsendable;
        }
        let connecting = error.is_connect();
        if error.is_timeout() && !connecting {
            return Self::TimedOut;
        }
        let text = if error.is_timeout() { "no response".to_owned() } else { root_cause(&error, key) };
        match cause::<rustls::Error>(&error) {
            _ if !connecting && cause(&error).is_some_and(hyper::Error::is_parse) => Self::NotHttp(text),
            _ if !connecting => Self::Broken(text),
            Some(rustls::Error::InvalidCertificate(
                CertificateError::Expired
                | CertificateError::ExpiredContext { .. }
                | CertificateError::NotValidYet
                | CertificateError::NotValidYetContext { .. }
                | CertificateError::NotValidForName
                | CertificateError::NotValidForNameContext { .. },
            )) => Self::CertificateUnfit(text),
            Some(rustls::Error::InvalidCertificate(_)) => Self::CertificateRefused(text),
            // The first bytes of a response in plain HTTP.
            Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType)) => {
                Self::NotConnected("it does not use TLS: its address may begin with http://".to_owned())
            }
            Some(_) | None => Self::NotConnected(text),
        }
    }
}

/// Returns the error of a type, such as those of TLS, that caused another one.
fn cause<'a, E: std::error::Error + 'static>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a E> {
    if let Some(cause) = error.downcast_ref() {
        return Some(cause);
    }
    // `source` of an I/O error skips the wrapped error and returns that one's source.
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(wrapped) => cause(wrapped),
        None => cause(error.source()?),
    }
}

/// Returns the root cause, such as "connection refused" instead of "error sending request", without the key. It may
/// contain texts of the service.
pub(super) fn root_cause(error: &dyn std::error::Error, key: &str) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let text = redact::text_without_secret(cause.to_string(), key);
    fit(&clean(&text), LONGEST_SERVICE_TEXT).into_owned()
}

/// Decodes UTF-8, with a replacement character for invalid bytes. Valid text takes the fast path: the lossy conversion
/// is many times slower even for valid text.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Strips a byte order mark and surrounding white space.
fn trim_json(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// Whether the declared encoding is Latin-1, or Windows-1252, which has the same letters.
fn is_latin1(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    ["8859-1", "latin1", "windows-1252"].iter().any(|name| kind.contains(name))
}

/// A response with its body.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Reads the body to its end, and removes the key from it.
    pub(super) async fn read(mut response: Response, limits: &Limits, key: &str) -> Result<Self, TransportError> {
        let (status, headers) = (response.status(), response.headers().clone());
        // `Content-Length` is not trusted: at most the usual capacity is reserved, and more only for bytes that
        // arrived.
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        let mut body = Vec::with_capacity(announced.min(INITIAL_CAPACITY));
        loop {
            let piece =
                tokio::time::timeout(limits.idle, response.chunk()).await.map_err(|_| TransportError::TimedOut)?;
            let Some(piece) = piece.map_err(|error| TransportError::from_error(error, key))? else { break };
            if body.len() + piece.len() > limits.body {
                return Err(TransportError::TooLarge(limits.body));
            }
            body.extend_from_slice(&piece);
        }
        if is_latin1(&headers) && std::str::from_utf8(&body).is_err() {
            body = body.iter().copied().map(char::from).collect::<String>().into_bytes();
        }
        Ok(Self { status, headers, body: redact::without_secret(body, key) })
    }

    /// Returns a header as text.
    pub(super) fn header(&self, name: impl reqwest::header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Joins all `Link` headers.
    pub(super) fn link(&self) -> Option<String> {
        let links: Vec<&str> = self.headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).collect();
        (!links.is_empty()).then(|| links.join(", "))
    }

    /// Returns the body as text that may be JSON, or a short description of what it is instead.
    pub(super) fn text(&self) -> Result<Cow<'_, str>, String> {
        let text = match text_of(&self.body) {
            Cow::Borrowed(text) => Cow::Borrowed(trim_json(text)),
            Cow::Owned(text) => Cow::Owned(trim_json(&text).to_owned()),
        };
        if text.is_empty() {
            return Err("it is empty".into());
        }
        self.html_title().map_or(Ok(text), Err)
    }

    /// Parses the body as JSON, or returns a short description of what it is instead.
    pub(super) fn json(&self) -> Result<BoundedJson, String> {
        let text = self.text()?;
        let again = |_| bounded::read(&readable(&text));
        bounded::read(&text).or_else(again).map_err(|error: serde_json::Error| {
            // The HTTP library removes the header of an encoding that it decodes.
            if let Some(encoding) = self.header(CONTENT_ENCODING) {
                format!("it is encoded as {}, which was not requested", fit(&clean(encoding), 60))
            } else if error.is_eof() {
                format!("it is cut off after {} bytes", self.body.len())
            } else {
                error.to_string()
            }
        })
    }

    /// Returns `HTML titled “…”` if the body is a web page. JSON is none, nor is an empty body: some frameworks call
    /// everything HTML that has no other type.
    pub(super) fn html_title(&self) -> Option<String> {
        let says_html = self.header(CONTENT_TYPE).is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
        let text = text_of(&self.body[..self.body.len().min(16_384)]);
        let start = trim_json(&text);
        let may_be_html = says_html && !start.is_empty() && !start.starts_with(['{', '[']);
        if !may_be_html && !start.starts_with('<') {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let start = lower.find("<title").and_then(|at| Some(at + lower[at..].find('>')? + 1));
        let title = start.and_then(|start| Some(text[start..start + lower[start..].find('<')?].trim().to_owned()));
        Some(title.filter(|title| !title.is_empty()).map_or_else(
            || "it is HTML".to_owned(),
            |title| format!("it is HTML titled “{}”", fit(&clean(&title), 60)),
        ))
    }

    /// Returns the first line of a body that is plain text.
    pub(super) fn first_line(&self) -> Option<String> {
        let is_plain = self.header(CONTENT_TYPE)?.trim_start().to_ascii_lowercase().starts_with("text/plain");
        let text = text_of(&self.body[..self.body.len().min(16_384)]);
        text.lines().map(str::trim).find(|line| is_plain && !line.is_empty()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    const KEY: &str = "rdk_ab/cd+efgh12";

    #[tokio::test]
    async fn the_reason_for_a_closed_connection_is_short_and_without_the_key() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let reason = format!("no key {KEY} {}", "x".repeat(1_000));
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            // Frames of HTTP/2: empty SETTINGS, and GOAWAY with the last stream, the error code 11 and the reason.
            let [high, low] = u16::try_from(8 + reason.len()).unwrap().to_be_bytes();
            let frames = [&[0, 0, 0, 4, 0, 0, 0, 0, 0, 0, high, low, 7, 0, 0, 0, 0, 0], &[0; 7][..], &[11]].concat();
            stream.write_all(&[&frames, reason.as_bytes()].concat()).await.unwrap();
            while stream.read(&mut [0; 1024]).await.is_ok_and(|read| read > 0) {}
        });
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().unwrap();
        let text = TransportError::from_error(client.get(url).send().await.unwrap_err(), KEY).to_string();
        assert!(text.contains("no key") && !text.contains(KEY) && text.chars().count() <= 240, "{text}");
    }
}
