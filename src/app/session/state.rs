//! Which service the session works with, and when a failed connection is tried again.

use jiff::{SignedDuration, Timestamp};

use crate::domain::desk::CLAIM;
use crate::domain::failure::{Failure, FailureKind};

/// Seconds until a service that could not be reached is tried again, longer each time.
const RETRY_PAUSES: [i64; 5] = [5, 10, 20, 40, 60];

/// A service that the session can switch to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChoice {
    /// Its name in the configuration; `None` for the service that is used where nothing is configured.
    pub name: Option<String>,
    /// Its name and address, as they may be shown.
    pub text: String,
}

/// The state of the session.
#[derive(Debug)]
pub struct SessionState {
    /// The services that the session can switch to.
    pub profiles: Vec<ProfileChoice>,
    /// The name of the one in use.
    pub profile: Option<String>,
    /// The view that the program was started with, until views are known.
    pub first_view: Option<String>,
    /// How long a claim on a report stands.
    pub claim: SignedDuration,
    /// The person wants to quit; a running write is waited for.
    pub quitting: bool,
    /// When a failed connection is tried again.
    pub(crate) retry: RetrySchedule,
    /// The session is switching to another service.
    pub(crate) switching: bool,
    /// Reads of cached rows that are not answered yet; one when the program starts.
    pub(crate) cached_reads: usize,
}

impl Default for SessionState {
    fn default() -> Self {
        Self {
            profiles: Vec::new(),
            profile: None,
            first_view: None,
            claim: CLAIM,
            quitting: false,
            retry: RetrySchedule::default(),
            switching: false,
            cached_reads: 1,
        }
    }
}

/// Attempts so far, and the time of the next one.
#[derive(Debug, Default)]
pub(crate) struct RetrySchedule {
    attempts: usize,
    pub(crate) at: Option<Timestamp>,
}

impl RetrySchedule {
    /// Schedules the next attempt.
    pub(crate) fn schedule(&mut self, now: Timestamp) {
        let pause = RETRY_PAUSES[self.attempts.min(RETRY_PAUSES.len() - 1)];
        self.attempts += 1;
        self.at = now.saturating_add(SignedDuration::from_secs(pause)).ok();
    }

    /// Whether the time of the next attempt has come.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.at.is_some_and(|at| at <= now)
    }
}

/// True for failures that may pass: unreachable, timed out.
pub(crate) fn is_transient(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Unreachable | FailureKind::TimedOut)
}
