//! What the parts of the desk's task share.

use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use crate::api::desk_entry::DeskClients;
use crate::app::message::{DeskMessage, Message};
use crate::domain::desk::{ChangeId, OutboxEntry, PresenceActivity};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::journal::Journal;
use crate::runtime::effects::journal_thread::JournalSender;
use crate::runtime::launch::DeskAccess;

/// The first pause after a failure, and the longest.
pub(super) const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// What the task is to do.
pub(in crate::runtime::effects) enum DeskOrder {
    /// Send a write.
    Send(Box<OutboxEntry>),
    /// Forget a write: the person keeps what is there.
    Forget(ChangeId),
    /// Tell where the person is.
    Presence(Option<ReportId>, PresenceActivity),
}

/// What the parts of the task share.
pub(in crate::runtime::effects) struct DeskContext {
    pub(in crate::runtime::effects) clients: DeskClients,
    pub(in crate::runtime::effects) access: DeskAccess,
    pub(in crate::runtime::effects) messages: UnboundedSender<Message>,
    pub(in crate::runtime::effects) journal: JournalSender,
    pub(in crate::runtime::effects) journal_name: String,
}

impl DeskContext {
    pub(super) fn tell(&self, message: DeskMessage) {
        drop(self.messages.send(Message::Desk(message)));
    }

    /// Runs work on the journal. A failure is told; `None` also where there is no journal.
    pub(super) async fn with_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal, &str) -> Result<T, Failure> + Send + 'static,
    ) -> Option<T> {
        let name = self.journal_name.clone();
        match self.ask(move |journal| work(journal, &name)).await {
            Ok(Ok(done)) => done,
            Ok(Err(failure)) => {
                drop(self.messages.send(Message::Notice(Err(failure))));
                None
            }
            // The program ends.
            Err(_) => None,
        }
    }

    fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        self.journal.ask(work)
    }
}

/// 16 random bytes, for the ids of writes; `None` where the system has none.
pub(super) fn random() -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

pub(super) fn now() -> Timestamp {
    Timestamp::now()
}

/// Whether asking again would get the same answer.
pub(super) fn has_refused(failure: &Failure) -> bool {
    match failure.kind {
        FailureKind::Unauthorised
        | FailureKind::Forbidden
        | FailureKind::WrongAddress
        | FailureKind::NotFound
        | FailureKind::Invalid
        | FailureKind::Unreadable
        | FailureKind::TooLarge
        | FailureKind::Local => true,
        FailureKind::Unreachable | FailureKind::TimedOut | FailureKind::Service | FailureKind::RateLimited => false,
    }
}
