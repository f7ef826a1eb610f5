//! How long a service may take and how much it may say. Tests of failing services use smaller ones.

use std::time::Duration;

/// The limits of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Making a connection.
    pub connect: Duration,
    /// The longest silence: before the head of a read's answer, and between two pieces of any body.
    pub idle: Duration,
    /// One try of a read in all.
    pub read: Duration,
    /// A write in all; create and re-run answer when their audit is done.
    pub write: Duration,
    /// Decoded bytes of one answer; a page of 100 whole reports is far below, a bomb far above.
    pub body: usize,
    /// The pause before the second try of a read; later ones grow from it.
    pub first_pause: Duration,
    /// A read with all its tries; without it each try has a limit of its own.
    pub whole_read: Option<Duration>,
}

impl Limits {
    /// Every request ends within this time, a read with all its tries.
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
