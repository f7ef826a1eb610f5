//! One answer of a server: status, headers, decoded body, and how long each phase took.

use std::net::SocketAddr;
use std::time::Duration;

use hyper::header::{self, HeaderMap};
use url::Url;

use crate::audit::fetch::tls::Certificate;

/// How long each part of an answer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phases {
    /// From the name to its addresses.
    pub resolve: Duration,
    /// The connection.
    pub connect: Duration,
    /// The handshake of an encrypted connection.
    pub tls: Duration,
    /// From the request to the first byte of its answer.
    pub first_byte: Duration,
    /// From the first byte to the last.
    pub body: Duration,
}

impl Phases {
    /// From the name to the last byte.
    pub fn total(&self) -> Duration {
        self.until_first_byte() + self.body
    }

    /// From the name to the first byte, as a browser counts it.
    pub fn until_first_byte(&self) -> Duration {
        self.resolve + self.connect + self.tls + self.first_byte
    }
}

/// One answer of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// What was asked for.
    pub url: Url,
    /// The address that was judged and dialled.
    pub address: SocketAddr,
    /// The status code.
    pub status: u16,
    /// True when it came over HTTP/2.
    pub http2: bool,
    /// All headers.
    pub headers: HeaderMap,
    /// The decoded body, as far as the limits go.
    pub body: Vec<u8>,
    /// Bytes of the body as they came.
    pub wire_bytes: usize,
    /// True when the body was longer than we read.
    pub cut: bool,
    /// How long each part took.
    pub phases: Phases,
    /// The certificate, on an encrypted connection.
    pub certificate: Option<Certificate>,
}

impl HttpResponse {
    /// An answer without any trouble, as if it had come over an old-fashioned connection.
    pub(in crate::audit) fn of_body(url: &Url, content_type: &str, body: &[u8]) -> Self {
        let content_type = header::HeaderValue::from_str(content_type);
        // A type that no header can hold is none.
        let headers = HeaderMap::from_iter(content_type.ok().map(|value| (header::CONTENT_TYPE, value)));
        Self {
            url: url.clone(),
            address: SocketAddr::from(([0, 0, 0, 0], 0)),
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

    /// A header as text; `None` when it is absent or not readable.
    pub fn header(&self, name: &str) -> Option<&str> {
        // Addresses in headers are often plain UTF-8, against the letter of the standard.
        std::str::from_utf8(self.headers.get(name)?.as_bytes()).ok()
    }

    /// Where a redirect wants us to go.
    pub fn redirect(&self) -> Option<&str> {
        matches!(self.status, 301 | 302 | 303 | 307 | 308).then(|| self.header("location")).flatten()
    }
}
