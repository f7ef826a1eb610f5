//! How much of everything one audit may use. Fields, not constants, so that tests can be quick.

use std::time::Duration;

/// The limits of one audit (AUDIT.md, "Fetching what a stranger names").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLimits {
    /// For one connection, address by address.
    pub connect: Duration,
    /// For one hop, from the name to the last byte.
    pub hop: Duration,
    /// For everything on the network, without the time in which the page is parsed or judged.
    pub network: Duration,
    /// For waiting until a processor is free for parsing, and again for judging; the work then starts all the same.
    pub processor_wait: Duration,
    /// Processor time for building the tree of the page.
    pub parse: Duration,
    /// Processor time for all checks.
    pub checks: Duration,
    /// Decoded bytes of the page, counted while inflating; also the most that is read from the wire.
    pub decoded: usize,
    /// Decoded bytes of a probe whose body matters (robots.txt has its own 500 KiB in its check).
    pub probe_body: usize,
    /// Bytes of all headers of one answer.
    pub headers: usize,
    /// Redirects on the way to the page.
    pub redirects: usize,
    /// Redirects on the way of a probe.
    pub probe_redirects: usize,
    /// Nodes of the parsed page; the rest is left out.
    pub nodes: usize,
    /// Depth of the parsed page; the parser needs quadratic time on towers of open elements.
    pub depth: usize,
}

impl Default for AuditLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            hop: Duration::from_secs(10),
            network: Duration::from_secs(15),
            processor_wait: Duration::from_millis(500),
            // Enough for the largest real page in the slowest case: a dense page of 5 MB takes under 3 s in a debug build, and
            // a fraction of that in a release build.
            parse: Duration::from_secs(5),
            checks: Duration::from_secs(5),
            decoded: 5 * 1024 * 1024,
            probe_body: 5 * 1024 * 1024,
            headers: 64 * 1024,
            redirects: 10,
            probe_redirects: 3,
            nodes: 200_000,
            depth: 512,
        }
    }
}
