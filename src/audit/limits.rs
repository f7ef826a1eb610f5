//! Limits of one audit. Fields rather than constants, so that tests can set small ones.

use std::time::Duration;

/// The resources that one audit of an untrusted page may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLimits {
    /// Time for one connection, per address.
    pub connect: Duration,
    /// Time for one hop, from name resolution to the last byte.
    pub hop: Duration,
    /// Time for all requests together, without parsing and checking.
    pub network: Duration,
    /// Time to wait for a processor before parsing, and again before checking; after it the work starts anyway.
    pub processor_wait: Duration,
    /// Processor time for parsing the page.
    pub parse: Duration,
    /// Processor time for all checks.
    pub checks: Duration,
    /// Decoded bytes of the page, of robots.txt or of the sitemap; also the limit of bytes read from the connection. The
    /// check of robots.txt has its own limit of 500 KiB (RFC 9309, 2.5).
    pub decoded: usize,
    /// Bytes of all headers of one response.
    pub headers: usize,
    /// Redirects before the page.
    pub redirects: usize,
    /// Redirects of one probe.
    pub probe_redirects: usize,
    /// Nodes of the parsed page; further ones are dropped.
    pub nodes: usize,
    /// Depth of the parsed page; html5ever needs quadratic time for deeply nested open elements.
    pub depth: usize,
}

impl Default for AuditLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            hop: Duration::from_secs(10),
            network: Duration::from_secs(15),
            processor_wait: Duration::from_millis(500),
            // The slowest realistic page, a dense one of 5 MB, takes under 3 s in a debug build and a fraction of that
            // in a release build.
            parse: Duration::from_secs(5),
            checks: Duration::from_secs(5),
            decoded: 5 * 1024 * 1024,
            headers: 64 * 1024,
            redirects: 10,
            probe_redirects: 3,
            nodes: 200_000,
            depth: 512,
        }
    }
}
