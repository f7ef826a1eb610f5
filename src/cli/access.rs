//! The way to the chosen service: a client, and the embedded service behind it where that is the choice.
//!
//! Must not know what is asked of the service.

use std::sync::Arc;
use std::time::Duration;

use super::embedded::{self, Embedded};
use super::problem::{Problem, say};
use super::setting::{Setting, Target};
use super::stop::Stop;
use crate::api::client::{Client, ClientOptions, Observer};
use crate::domain::failure::{Failure, FailureKind};

/// How often in a row a read waits because the service said so.
const MOST_WAITS: usize = 3;
/// Nobody waits longer at once; a service that asks for more is told about instead.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// What a command is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Nothing changes.
    Read,
    /// Something changes: refused where only reading is allowed.
    Write,
}

/// The chosen service, before anything is started or asked.
pub(super) struct Access(Target);

impl Access {
    /// Chooses the service; refuses what would change something where only reading is allowed.
    pub(super) fn choose(setting: &Setting<'_>, purpose: Purpose) -> Result<Self, Problem> {
        let target = setting.target()?;
        if purpose == Purpose::Write && setting.is_read_only(&target) {
            let advice = "Leave --read-only out, or use a profile without read_only";
            return Err(Problem::usage("this would change something, and only reading is allowed", advice));
        }
        Ok(Self(target))
    }

    /// Works with a client of the service; an embedded one is ended afterwards.
    pub(super) async fn with_client(
        self,
        work: impl AsyncFnOnce(&Client) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.with_observed_client(Arc::new(|_| {}), work).await
    }

    /// The same; somebody is told of every exchange.
    pub(super) async fn with_observed_client(
        self,
        observer: Observer,
        work: impl AsyncFnOnce(&Client) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let (base, key, service) = match self.0 {
            Target::Embedded(data) => {
                let Embedded { service, base, key } = embedded::start(data).await?;
                (base, key, Some(service))
            }
            Target::Elsewhere(base, elsewhere) => (base, elsewhere.key, None),
        };
        let client = Client::new(ClientOptions { base, key, observer })?;
        let ended = work(&client).await;
        drop(client);
        if let Some(service) = service {
            let mut stop = Stop::new()?;
            // Audits that nobody waits for any more are finished; who interrupts that leaves at once.
            tokio::select! {
                () = service.shut_down() => {}
                () = stop.wait() => {}
            }
        }
        ended
    }
}

/// A read that waits, and says so, where the service asks to.
pub(super) async fn patiently<T>(mut read: impl AsyncFnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    for _ in 0..MOST_WAITS {
        let failure = match read().await {
            Err(failure) if failure.kind == FailureKind::RateLimited => failure,
            ended => return ended,
        };
        match failure.retry_after.filter(|wait| *wait <= LONGEST_WAIT) {
            Some(wait) => {
                say(&format!("note: too many requests; going on in {} s, as the service asks", wait.as_secs().max(1)));
                tokio::time::sleep(wait).await;
            }
            None => return Err(failure),
        }
    }
    read().await
}
