//! What a run over many reports needs of the world: its journal, and one request after the other.
//!
//! That a request is sent is noted before it leaves: after a crash it is looked at, never simply sent again. Must not
//! decide what is sent when.

use crate::api::client::Client;
use crate::app::effect::RequestId;
use crate::app::message::Message;
use crate::domain::bulk::{Answer, Deed, Item, ItemState, RunNumber};
use crate::domain::failure::WriteFailure;
use crate::domain::report::ReportId;
use crate::runtime::effects::{Effects, locked, no_service};

impl Effects {
    /// Keeps a run before anything of it is sent.
    pub(super) fn begin_run(&self, request: RequestId, deed: Deed, items: Vec<Item>) {
        let (shared, service) = self.journal_of_service();
        self.spawn_blocking(move || {
            let begun = locked(&shared).as_ref().map(|journal| journal.begin_run(&locked(&service), &deed, &items));
            Message::RunBegun(request, begun.transpose())
        });
    }

    /// Does the deed with one report.
    pub(super) fn send_item(&self, request: RequestId, kept: Option<(RunNumber, usize)>, id: ReportId, deed: Deed) {
        let Some(client) = self.client() else {
            let refused = Err(WriteFailure::Refused(no_service()));
            return self.send(Message::Item(request, Answer::Updated(refused)));
        };
        let (shared, _) = self.journal_of_service();
        drop(self.spawn(async move {
            if let Some((run, at)) = kept {
                let noted = tokio::task::spawn_blocking(move || {
                    locked(&shared).as_ref().map_or(Ok(()), |journal| journal.note_item(run, at, &ItemState::Sent))
                });
                if let Ok(Err(failure)) = noted.await {
                    // What is not noted is not sent: a crash could not tell it from what never left.
                    return Message::Item(request, Answer::Updated(Err(WriteFailure::Refused(failure))));
                }
            }
            Message::Item(request, perform(&client, &id, &deed).await)
        }));
    }

    /// Reads a report whose answer was lost.
    pub(super) fn look_at_item(&self, request: RequestId, id: ReportId) {
        let Some(client) = self.client() else {
            return self.send(Message::Item(request, Answer::Looked(Err(no_service()))));
        };
        drop(self.spawn(async move { Message::Item(request, Answer::Looked(client.show_report(&id).await)) }));
    }
}

async fn perform(client: &Client, id: &ReportId, deed: &Deed) -> Answer {
    match deed.change() {
        Some(change) => Answer::Updated(client.update_report(id, &change).await),
        None => Answer::Deleted(client.delete_report(id).await),
    }
}
