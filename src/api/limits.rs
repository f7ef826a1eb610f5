//! Limits of time and size for responses. Tests use smaller ones.

use std::time::Duration;

/// The limits of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The timeout to connect.
    pub connect: Duration,
    /// The read timeout: until the head of a response to a read, and between two parts of any body.
    pub idle: Duration,
    /// The timeout of one try of a read.
    pub read: Duration,
    /// The timeout of a write. Create and re-run respond when their audit is done.
    pub write: Duration,
    /// The largest decoded body, in bytes.
    pub body: usize,
    /// The backoff before the second try of a read; it grows from there.
    pub first_pause: Duration,
    /// The timeout of a read with all its tries, if set.
    pub whole_read: Option<Duration>,
}

impl Limits {
    /// Limits every request, a read with all its tries, to this time.
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
            first_pause: Duration::from_millis(250),
            whole_read: None,
        }
    }
}
