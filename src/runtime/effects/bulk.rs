//! The effects of bulk runs: their requests, and their progress in the journal.
//!
//! The journal records each request before it is sent. After a crash such a report is read again, never written again.

use crate::api::client::Client;
use crate::app::effect::{EditBase, ItemWrite, RequestId};
use crate::app::message::{Message, UpdateOutcome};
use crate::domain::bulk::{BulkItem, BulkOperation, ItemReply, ItemState};
use crate::domain::failure::WriteFailure;
use crate::domain::report::ReportId;
use crate::journal::Journal;
use crate::runtime::effects::http::update;
use crate::runtime::effects::{Effects, NO_JOURNAL, no_service};

impl Effects {
    /// Stores a run before its first request.
    pub(super) fn store_run(&self, request: RequestId, operation: BulkOperation, items: Vec<BulkItem>) {
        let work = move |journal: &Journal, service: &str| journal.insert_run(service, &operation, &items);
        self.ask_and_reply(work, move |begun| Message::RunStored(request, begun));
    }

    /// Sends the request for one report.
    pub(super) fn send_item(&self, request: RequestId, write: ItemWrite) {
        let Some(client) = self.client() else {
            let refused = Err(WriteFailure::Refused(no_service()));
            return self.send(Message::BulkItem(request, ItemReply::Updated(refused)));
        };
        let noted = write.stored.map(|(run, at)| {
            self.ask_journal(move |journal, service| journal.record_item(run, at, &ItemState::Sent, service, &[]))
        });
        drop(self.spawn(async move {
            if let Some(noted) = noted {
                match noted.await {
                    Ok(Ok(_)) => {}
                    // Without the record a crash would leave no trace of the request.
                    Ok(Err(failure)) => {
                        return Message::BulkItem(request, ItemReply::Updated(Err(WriteFailure::Refused(failure))));
                    }
                    Err(_) => return Message::TaskFailed(NO_JOURNAL.to_owned()),
                }
            }
            Message::BulkItem(request, perform(client, write).await)
        }));
    }

    /// Reads a report whose response was lost.
    pub(super) fn read_item(&self, request: RequestId, id: ReportId) {
        let Some(client) = self.client() else {
            return self.send(Message::BulkItem(request, ItemReply::Looked(Err(no_service()))));
        };
        drop(self.spawn(async move { Message::BulkItem(request, ItemReply::Looked(client.show_report(&id).await)) }));
    }
}

/// Performs the operation on one report, unless its privacy is no longer the planned one.
async fn perform(client: Client, write: ItemWrite) -> ItemReply {
    let ItemWrite { id, operation, planned, .. } = write;
    let Some(change) = operation.change() else { return ItemReply::Deleted(client.delete_report(&id).await) };
    let base = planned.map(|privacy| EditBase { privacy: Some(privacy), has_password: None });
    match update(client, id, change, base).await {
        Ok(UpdateOutcome::Saved(report)) => ItemReply::Updated(Ok(report)),
        Ok(UpdateOutcome::Changed(report)) => ItemReply::Changed(report),
        Err(failure) => ItemReply::Updated(Err(failure)),
    }
}
