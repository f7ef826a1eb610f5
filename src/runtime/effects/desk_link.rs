//! Effects that concern the desk of the current service.

use std::sync::Arc;

use crate::api::client::Client;
use crate::api::desk_entry::DeskClients;
use crate::app::message::Message;
use crate::domain::desk::{ChangeId, OutboxEntry, PresenceActivity};
use crate::domain::report::ReportId;
use crate::runtime::effects::desk::{DeskContext, DeskTask, OutboxOrder};
use crate::runtime::effects::{Effects, locked};

impl Effects {
    /// Looks for the desk of the current service, and follows it until another service is connected.
    pub(super) fn join_desk(&mut self) {
        self.desk = None;
        let Some((access, read_only)) = locked(&self.current).desk.clone() else { return };
        let sender = self.sender.clone();
        let observer = Arc::new(move |exchange| sender.send(Message::Exchange(exchange)));
        let client = match Client::new(access.base.clone(), access.key.clone(), observer, self.limits) {
            Ok(client) => client,
            Err(failure) => return self.send(Message::Notice(Err(failure))),
        };
        let service = if access.is_own { None } else { self.client() };
        let journal_name = locked(&self.current).journal_name.clone();
        let (messages, journal) = (self.sender.clone(), self.journal.jobs.clone());
        let clients = DeskClients { desk: client, service };
        let context = DeskContext { clients, access, read_only, messages, journal, journal_name };
        self.desk = Some(DeskTask::start(context));
    }

    /// Stores decisions in the outbox and sends them.
    pub(super) fn send_to_desk(&self, entries: Vec<OutboxEntry>) {
        let stored = entries.clone();
        // Stored in the journal first, so that decisions survive the program.
        self.store(move |journal, service| journal.store_outgoing(service, &stored));
        for entry in entries {
            self.order(OutboxOrder::Send(Box::new(entry)));
        }
    }

    /// Removes a decision from the outbox.
    pub(super) fn forget_decision(&self, change: ChangeId) {
        self.with_journal(move |journal, _| journal.delete_outgoing(change));
        self.order(OutboxOrder::Forget(change));
    }

    /// Reports the user's presence to the desk.
    pub(super) fn publish_presence(&self, report: Option<ReportId>, doing: PresenceActivity) {
        if let Some(desk) = &self.desk {
            desk.show_presence((report, doing));
        }
    }

    fn order(&self, order: OutboxOrder) {
        if let Some(desk) = &self.desk {
            desk.order(order);
        }
    }
}
