//! Time and size limits of requests. Tests use smaller ones.

use std::time::Duration;

/// The longest text of a service in a message, in cells.
pub(super) const LONGEST_SERVICE_TEXT: usize = 240;

/// The limits of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The timeout for connecting.
    pub connect: Duration,
    /// The idle timeout: for the head of a response to a read, and between two parts of any body.
    pub idle: Duration,
    /// The timeout of one attempt of a read.
    pub read: Duration,
    /// The timeout of a write. Creating and re-running respond only after the audit.
    pub write: Duration,
    /// The largest decoded body, in bytes.
    pub body: usize,
    /// The most bytes of all pages of the rows of a desk, of its notes, and of its log: a million short ones, in about
    /// three times as much memory.
    pub desk: usize,
    /// The delay before the second attempt of a read; later ones grow exponentially.
    pub first_pause: Duration,
    /// The timeout of a read, or of a write that may be repeated, with all its attempts, if any.
    pub whole_read: Option<Duration>,
}

impl Limits {
    /// Limits every request to this time, including all its attempts.
    pub fn within(limit: Duration) -> Self {
        let usual = Self::default();
        Self {
            connect: usual.connect.min(limit),
            idle: limit,
            read: limit,
            write: limit,
            whole_read: Some(limit),
            ..usual
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            idle: Duration::from_secs(15),
            read: Duration::from_secs(30),
            write: Duration::from_mins(2),
            body: 64 * 1024 * 1024,
            desk: 256 * 1024 * 1024,
            first_pause: Duration::from_millis(250),
            whole_read: None,
        }
    }
}
