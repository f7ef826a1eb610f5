//! The way to the chosen service: a client, and the embedded service behind it where that is the choice.
//!
//! Must not know what is asked of the service.

use std::sync::Arc;
use std::time::Duration;

use super::embedded::{self, Embedded};
use super::interrupt::Interrupt;
use crate::api::client::{Client, ClientOptions, Observer};
use crate::api::limits::Limits;
use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::{CommandError, say};
use crate::domain::failure::{Failure, FailureKind, WriteFailure};

/// How often in a row a request waits because the service said so.
const MOST_WAITS: usize = 3;
/// Nobody waits longer at once; a service that asks for more is told about instead.
pub const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// What a command is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Nothing changes.
    Read,
    /// Something changes: refused where only reading is allowed.
    Write,
}

/// The chosen service, before anything is started or asked.
pub struct Access {
    target: Target,
    timeout: Option<Duration>,
}

impl Access {
    /// Chooses the service; refuses what would change something where only reading is allowed.
    pub fn choose(context: &CommandContext<'_>, purpose: Purpose) -> Result<Self, CommandError> {
        let target = context.target()?;
        if purpose == Purpose::Write && context.is_read_only(&target) {
            let advice = "Leave --read-only out, or use a profile without read_only";
            return Err(CommandError::usage("this would change something, and only reading is allowed", advice));
        }
        Ok(Self { target, timeout: context.options.timeout })
    }

    /// Works with a client of the service; an embedded one is ended afterwards.
    pub async fn with_client(
        self,
        work: impl AsyncFnOnce(&Client) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        self.with_observed_client(Arc::new(|_| {}), work).await
    }

    /// The same; somebody is told of every exchange.
    pub async fn with_observed_client(
        self,
        observer: Observer,
        work: impl AsyncFnOnce(&Client) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let (base, key, service) = match self.target {
            Target::Embedded(data) => {
                let Embedded { service, base, key } = embedded::start(data).await?;
                (base, key, Some(service))
            }
            Target::Elsewhere(base, elsewhere) => (base, elsewhere.key, None),
        };
        let client = Client::with_limits(ClientOptions { base, key, observer }, limits(self.timeout))?;
        let ended = work(&client).await;
        drop(client);
        if let Some(service) = service {
            let mut stop = Interrupt::new()?;
            // Audits that nobody waits for any more are finished; who interrupts that leaves at once.
            tokio::select! {
                () = service.shut_down() => {}
                () = stop.wait() => {}
            }
        }
        ended
    }
}

/// The client's limits, with `--timeout` where it is given.
pub fn limits(timeout: Option<Duration>) -> Limits {
    timeout.map(Limits::within).unwrap_or_default()
}

/// A read that waits, and says so, where the service asks to.
pub async fn patiently<T>(mut read: impl AsyncFnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    for _ in 0..MOST_WAITS {
        match read().await {
            Err(failure) if wait_as_asked(&failure).await => {}
            ended => return ended,
        }
    }
    read().await
}

/// A write that is sent again only where the service refused it for now, so that it was certainly not done.
pub async fn write_patiently<T>(mut write: impl AsyncFnMut() -> Result<T, WriteFailure>) -> Result<T, WriteFailure> {
    for _ in 0..MOST_WAITS {
        match write().await {
            Err(WriteFailure::Refused(failure))
                if failure.kind == FailureKind::RateLimited && wait_as_asked(&failure).await => {}
            ended => return ended,
        }
    }
    write().await
}

/// Waits as long as the service asks; false where it does not ask, or for too long.
async fn wait_as_asked(failure: &Failure) -> bool {
    let why = match failure.kind {
        FailureKind::RateLimited => "too many requests",
        FailureKind::Service => "the service is busy",
        FailureKind::Unauthorised
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::WrongAddress
        | FailureKind::Invalid
        | FailureKind::Unreadable
        | FailureKind::TooLarge
        | FailureKind::Unreachable
        | FailureKind::TimedOut
        | FailureKind::Local => return false,
    };
    let Some(wait) = failure.retry_after.filter(|wait| *wait <= LONGEST_WAIT) else { return false };
    say(&format!("note: {why}; going on in {} s, as the service asks", wait.as_secs().max(1)));
    tokio::time::sleep(wait).await;
    true
}
