//! An HTTP response: status, headers, decoded body, and the duration of each phase.

use std::time::Duration;

use hyper::header::{self, HeaderMap};
use percent_encoding::{CONTROLS, percent_encode};

use crate::audit::fetch::tls::Certificate;

/// The duration of each phase of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phases {
    /// Name resolution.
    pub resolve: Duration,
    /// TCP connection.
    pub connect: Duration,
    /// TLS handshake.
    pub tls: Duration,
    /// From the request to the first byte of the response.
    pub first_byte: Duration,
    /// From the first byte to the last.
    pub body: Duration,
}

impl Phases {
    /// Returns the time from name resolution to the last byte.
    pub fn total(&self) -> Duration {
        self.until_first_byte() + self.body
    }

    /// Returns the time from name resolution to the first byte, as browsers measure it (Navigation Timing).
    pub fn until_first_byte(&self) -> Duration {
        self.resolve + self.connect + self.tls + self.first_byte
    }
}

/// An HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// Whether the response came over HTTP/2.
    pub http2: bool,
    /// All headers.
    pub headers: HeaderMap,
    /// The decoded body, up to the limit.
    pub body: Vec<u8>,
    /// Bytes of the body as transferred.
    pub wire_bytes: usize,
    /// Whether the body was cut at the limit.
    pub cut: bool,
    /// The duration of each phase.
    pub phases: Phases,
    /// The certificate, on an encrypted connection.
    pub certificate: Option<Certificate>,
}

impl HttpResponse {
    /// Creates a successful HTTP/1.1 response with this body, for benches and tests.
    pub(in crate::audit) fn of_body(content_type: &str, body: &[u8]) -> Self {
        let content_type = header::HeaderValue::from_str(content_type);
        // An invalid header value is left out.
        let headers = HeaderMap::from_iter(content_type.ok().map(|value| (header::CONTENT_TYPE, value)));
        Self {
            status: 200,
            http2: false,
            headers,
            body: body.to_vec(),
            wire_bytes: body.len(),
            cut: false,
            phases: Phases::default(),
            certificate: None,
        }
    }

    /// Returns a header as text; `None` when it is absent or not UTF-8.
    pub fn header(&self, name: &str) -> Option<&str> {
        // URLs in headers are often UTF-8, although RFC 9110 allows ASCII only.
        std::str::from_utf8(self.headers.get(name)?.as_bytes()).ok()
    }

    /// Whether the body is an HTML page, which many servers send for any path.
    pub fn is_html_page(&self) -> bool {
        let start = self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body).trim_ascii_start();
        let is_start = |tag: &[u8]| start.get(..tag.len()).is_some_and(|first| first.eq_ignore_ascii_case(tag));
        is_start(b"<!doctype html") || is_start(b"<html")
    }

    /// Returns the Location of a redirect. Bytes beyond ASCII are escaped, whatever their encoding, as browsers do.
    pub fn redirect(&self) -> Option<String> {
        let location = self.headers.get(header::LOCATION)?.as_bytes();
        matches!(self.status, 301 | 302 | 303 | 307 | 308).then(|| percent_encode(location, CONTROLS).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    #[test]
    fn the_location_of_a_redirect_may_be_in_any_encoding() {
        let url = Url::parse("https://shop.example/").unwrap();
        let mut response = HttpResponse::of_body("text/html", b"");
        for (location, expected) in [
            (&b"/tee-gr\xfcn"[..], "https://shop.example/tee-gr%FCn"),
            (b"/tee-gr\xc3\xbcn?x=\xc3\xbc", "https://shop.example/tee-gr%C3%BCn?x=%C3%BC"),
            (b"https://gr\xc3\xbcn.example/", "https://xn--grn-ioa.example/"),
            (b"/tee-gr%C3%BCn", "https://shop.example/tee-gr%C3%BCn"),
        ] {
            response.headers.insert(header::LOCATION, header::HeaderValue::from_bytes(location).unwrap());
            response.status = 302;
            let target = response.redirect().map(|location| url.join(&location).unwrap().to_string());
            assert_eq!(target.as_deref(), Some(expected));
            response.status = 200;
            assert_eq!(response.redirect(), None);
        }
    }
}
