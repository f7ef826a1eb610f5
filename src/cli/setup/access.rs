//! Access to the chosen service: a client, and the embedded service if it is chosen.

use std::sync::Arc;
use std::time::Duration;

use super::embedded::{self, Embedded};
use super::interrupt::Interrupt;
use crate::api::client::{Client, Observer};
use crate::api::limits::Limits;
use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::{CommandError, print_note};
use crate::domain::failure::{Failure, FailureKind};
use crate::service::Service;

/// The most consecutive waits for `Retry-After`.
pub const MOST_WAITS: usize = 3;
/// The longest wait. A longer `Retry-After` is an error.
pub const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Whether a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Changes nothing.
    Read,
    /// Changes something; refused if read-only.
    Write,
}

impl Purpose {
    /// Refuses writes if read-only.
    pub fn check(self, is_read_only: bool) -> Result<(), CommandError> {
        if self == Self::Write && is_read_only {
            let advice = "Leave --read-only out, or use a profile without read_only";
            return Err(CommandError::usage("this would change something, but only reading is allowed", advice));
        }
        Ok(())
    }
}

/// The chosen service, before it is started or contacted.
pub struct Access {
    target: Target,
    limits: Limits,
}

impl Access {
    /// Chooses the service. Refuses writes if read-only.
    pub fn choose(context: &CommandContext<'_>, purpose: Purpose) -> Result<Self, CommandError> {
        let target = context.target()?;
        purpose.check(context.is_read_only(&target))?;
        Ok(Self { target, limits: context.limits() })
    }

    /// Whether the embedded service is chosen.
    pub fn is_embedded(&self) -> bool {
        matches!(self.target, Target::Embedded(_))
    }

    /// Refuses the embedded service, for results that must outlive the command, such as an address of a report page.
    pub fn require_remote(self) -> Result<Self, CommandError> {
        if self.is_embedded() {
            let advice = "Open the page in the dashboard, or run `reportdeck serve` and use it with --base-url";
            return Err(CommandError::usage("the embedded service and its pages end with this command", advice));
        }
        Ok(self)
    }

    /// Runs `work` with a client of the service. An embedded one is started before and shut down afterwards.
    pub async fn with_client(
        self,
        work: impl AsyncFnOnce(&Client) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        self.with_observed_client(Arc::new(|_| {}), work).await
    }

    /// Like [`Self::with_client`], with an observer of every exchange.
    pub async fn with_observed_client(
        self,
        observer: Observer,
        work: impl AsyncFnOnce(&Client) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let (client, service) = self.open(observer).await?;
        let ended = work(&client).await;
        drop(client);
        if let Some(service) = service {
            // Running audits finish, unless interrupted.
            Interrupt::new()?.unless_interrupted(service.shut_down()).await;
        }
        ended
    }

    /// Makes the client, and starts the embedded service if it is chosen.
    async fn open(self, observer: Observer) -> Result<(Client, Option<Service>), CommandError> {
        let (base, key, service) = match self.target {
            Target::Embedded(data) => {
                let Embedded { service, base, key } = embedded::start(data).await?;
                (base, key, Some(service))
            }
            Target::Elsewhere(base, elsewhere) => (base, elsewhere.key, None),
        };
        Ok((Client::new(base, key, observer, self.limits)?, service))
    }
}

/// Performs a request that may be repeated, waiting for `Retry-After` with a note.
pub async fn with_rate_limit_waits<T>(mut request: impl AsyncFnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    let mut waits = 0;
    loop {
        match request().await {
            Err(failure) if waits < MOST_WAITS && wait_retry_after(&failure).await => waits += 1,
            ended => return ended,
        }
    }
}

/// Why and in how many seconds a request is sent again; `None` if it is not.
pub fn wait_note(failure: &Failure, seconds: u128) -> Option<String> {
    let is_limited = failure.kind == FailureKind::RateLimited;
    if !is_limited && failure.kind != FailureKind::Service {
        return None;
    }
    let why = if is_limited { "too many requests" } else { "the service is busy" };
    let as_asked = if failure.is_wait_guessed { "" } else { ", as the service requests" };
    Some(format!("{why}; continuing in {seconds} s{as_asked}"))
}

/// Waits for `Retry-After`; false if there is none, or it is too long.
async fn wait_retry_after(failure: &Failure) -> bool {
    let Some(wait) = failure.retry_after.filter(|wait| *wait <= LONGEST_WAIT) else { return false };
    let Some(note) = wait_note(failure, u128::from(wait.as_secs().max(1))) else { return false };
    print_note(&format!("note: {note}"));
    tokio::time::sleep(wait).await;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wait_that_the_service_asked_for_is_said_to_be_requested() {
        let mut failure = Failure::new(FailureKind::RateLimited, "", "");
        let note = "too many requests; continuing in 50 s, as the service requests";
        assert_eq!(wait_note(&failure, 50).as_deref(), Some(note));
        failure.is_wait_guessed = true;
        assert_eq!(wait_note(&failure, 50).as_deref(), Some("too many requests; continuing in 50 s"));
    }
}
