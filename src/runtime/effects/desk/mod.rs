//! The desk of the service in use: one task that reads it, follows its changes, and sends what is decided here.

mod follow;
mod join;
mod outbox;

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use crate::api::client::{Client, ClientOptions};
use crate::api::desk_entry::DeskClients;
use crate::app::message::{DeskMessage, Message};
use crate::domain::desk::{ChangeId, OutboxEntry, PresenceActivity};
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::journal::Journal;
use crate::runtime::effects::journal_thread::JournalSender;
use crate::runtime::effects::{Effects, locked};
use crate::runtime::launch::DeskAccess;

/// The running task of a desk. Dropping it ends the task; what was not sent stays in the outbox of the journal.
pub(super) struct DeskTask {
    orders: UnboundedSender<DeskOrder>,
    task: AbortHandle,
}

/// What the task is to do.
enum DeskOrder {
    /// Send a write.
    Send(OutboxEntry),
    /// Forget a write: the person keeps what is there.
    Forget(ChangeId),
    /// Tell where the person is.
    Presence(Option<ReportId>, PresenceActivity),
}

/// What the parts of the task share.
struct DeskContext {
    clients: DeskClients,
    access: DeskAccess,
    messages: UnboundedSender<Message>,
    journal: JournalSender,
    journal_name: String,
}

impl Drop for DeskTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Effects {
    /// Looks for the desk of the service in use, and follows it until another service is chosen.
    pub(super) fn join_desk(&mut self) {
        self.desk = None;
        let Some(access) = locked(&self.desk_access).clone() else { return };
        let sender = self.messages();
        let observer = Arc::new(move |exchange| drop(sender.send(Message::Exchange(exchange))));
        let options = ClientOptions { base: access.base.clone(), key: access.key.clone(), observer };
        let client = match Client::with_limits(options, self.access.limits) {
            Ok(client) => client,
            Err(failure) => return self.send(Message::Notice(Err(failure))),
        };
        let service = if access.is_own { None } else { self.client() };
        let journal_name = locked(&self.journal_name).clone();
        let (messages, journal) = (self.messages(), self.journal.sender());
        let clients = DeskClients { desk: client, service };
        let context = DeskContext { clients, access, messages, journal, journal_name };
        let (orders, taken) = unbounded_channel();
        // Not among the tasks that quitting waits for: it never ends by itself, and the outbox is in the journal.
        let task = tokio::spawn(Box::pin(join::run(context, taken))).abort_handle();
        self.desk = Some(DeskTask { orders, task });
    }

    /// Stores decisions in the outbox and sends them.
    pub(super) fn send_to_desk(&self, entries: Vec<OutboxEntry>) {
        for entry in entries {
            let stored = entry.clone();
            // In the journal first: what is decided survives the program.
            self.with_journal(move |journal, service| journal.store_outgoing(service, &stored));
            self.order(DeskOrder::Send(entry));
        }
    }

    /// Removes a decision from the outbox.
    pub(super) fn forget_decision(&self, change: ChangeId) {
        self.with_journal(move |journal, _| journal.delete_outgoing(change));
        self.order(DeskOrder::Forget(change));
    }

    /// Tells the desk where the person is.
    pub(super) fn tell_presence(&self, report: Option<ReportId>, doing: PresenceActivity) {
        self.order(DeskOrder::Presence(report, doing));
    }

    fn order(&self, order: DeskOrder) {
        if let Some(desk) = &self.desk {
            // The task has ended where the desk refuses; the decision is in the journal.
            drop(desk.orders.send(order));
        }
    }
}

impl DeskContext {
    fn tell(&self, message: DeskMessage) {
        drop(self.messages.send(Message::Desk(message)));
    }

    /// Runs work on the journal. A failure is told; `None` also where there is no journal.
    async fn with_journal<T: Send + 'static>(
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
fn random() -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

fn now() -> Timestamp {
    Timestamp::now()
}
