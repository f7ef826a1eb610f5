//! Shared context of the desk task's parts.

use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use crate::api::desk_entry::DeskClients;
use crate::app::message::{DeskMessage, Message};
use crate::domain::desk::{ChangeId, OutboxEntry, PresenceActivity, Role};
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::journal::Journal;
use crate::runtime::effects::journal_thread::JournalSender;
use crate::runtime::launch::DeskAccess;
use crate::runtime::replies::ReplySender;

/// The first and the longest pause after a failure, also if the desk asks for a longer one: it may be back earlier.
pub(super) const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// A change of the outbox.
pub(in crate::runtime::effects) enum OutboxOrder {
    /// Send a write.
    Send(Box<OutboxEntry>),
    /// Drop a write: the user keeps the desk's row.
    Forget(ChangeId),
}

/// The user's presence.
pub(in crate::runtime::effects) type UserPresence = (Option<ReportId>, PresenceActivity);

/// What the dashboard tells the desk task.
pub(in crate::runtime::effects) struct DeskOrders {
    /// Changes of the outbox, in order.
    pub(super) outbox: UnboundedReceiver<OutboxOrder>,
    /// The user's presence; only the latest matters.
    pub(super) presence: watch::Receiver<UserPresence>,
}

/// Shared context of the desk task's parts.
pub(in crate::runtime::effects) struct DeskContext {
    pub(in crate::runtime::effects) clients: DeskClients,
    pub(in crate::runtime::effects) access: DeskAccess,
    /// Whether the service is used read-only. It is then not added to the desk, and unsent decisions wait.
    pub(in crate::runtime::effects) read_only: bool,
    pub(in crate::runtime::effects) messages: ReplySender,
    pub(in crate::runtime::effects) journal: JournalSender,
    pub(in crate::runtime::effects) journal_name: String,
}

impl DeskContext {
    pub(super) fn send(&self, message: DeskMessage) {
        self.messages.send(Message::Desk(vec![message]));
    }

    /// Whether the desk says that the user's key may still write.
    pub(super) async fn may_write(&self) -> bool {
        let desk = self.clients.desk.desk().await;
        desk.is_ok_and(|desk| desk.is_some_and(|desk| desk.me.role >= Role::Triage))
    }

    /// Runs work on the journal, and reports a failure. Returns `None` on failure or without a journal.
    pub(super) async fn with_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal, &str) -> Result<T, Failure> + Send + 'static,
    ) -> Option<T> {
        let name = self.journal_name.clone();
        match self.journal.ask(move |journal| work(journal, &name)).await {
            Ok(Ok(done)) => done,
            Ok(Err(failure)) => {
                self.messages.send(Message::Notice(Err(failure)));
                None
            }
            // The program is ending.
            Err(_) => None,
        }
    }
}

/// Returns 16 random bytes for change ids; `None` if the system provides none.
pub(super) fn random() -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}
