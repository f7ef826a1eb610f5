//! Session state: the service in use, and the schedule of connection retries.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::domain::failure::{Failure, FailureKind};

/// Seconds before each retry of an unreachable service; the last one repeats.
const RETRY_PAUSES: [u64; 5] = [5, 10, 20, 40, 60];

/// A service that the session can switch to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChoice {
    /// Its name in the configuration; `None` for the default service without configuration.
    pub name: Option<String>,
    /// Its name and address, in display form.
    pub text: String,
}

/// The state of the session.
#[derive(Debug, Default)]
pub struct SessionState {
    /// The services that the session can switch to.
    pub profiles: Vec<ProfileChoice>,
    /// The name of the current profile.
    pub profile: Option<String>,
    /// The view that the program was started with, until the views are loaded.
    pub first_view: Option<String>,
    /// How long a claim on a report lasts.
    pub claim: SignedDuration,
    /// How many minutes after it was read the list is read again; 0 means never.
    pub refresh_minutes: u16,
    /// When the list is read again.
    pub(crate) refresh_at: Option<Timestamp>,
    /// The user wants to quit, and a running write is awaited.
    pub quitting: bool,
    /// The failure that called quitting off.
    pub unread_failure: Option<Failure>,
    /// The schedule of connection retries.
    pub(crate) retry: RetrySchedule,
    /// Whether the session is switching to another service.
    pub(crate) switching: bool,
}

/// The number of attempts, and the time of the next one.
#[derive(Debug, Default)]
pub(crate) struct RetrySchedule {
    attempts: usize,
    pub(crate) at: Option<Timestamp>,
}

impl RetrySchedule {
    /// Schedules the next attempt after a failure: when the service asks for it, within the longest pause.
    pub(crate) fn schedule(&mut self, failure: &Failure, now: Timestamp) {
        let longest = RETRY_PAUSES.len() - 1;
        let pause = RETRY_PAUSES[self.attempts.min(longest)];
        let asked = failure.retry_after.map_or(0, |wait| wait.as_secs());
        self.attempts += 1;
        self.at = now.saturating_add(Duration::from_secs(asked.clamp(pause, RETRY_PAUSES[longest]))).ok();
    }
}

/// Whether a failure may be temporary: unreachable, timed out, an error of the service, as of a proxy while it restarts.
pub(crate) fn is_transient(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Unreachable | FailureKind::TimedOut | FailureKind::Service)
}
