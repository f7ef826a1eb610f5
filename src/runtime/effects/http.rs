//! Requests to the service: one task each, which sends one message with the response.
//!
//! Reads can be cancelled, writes cannot.

use crate::api::client::{Client, Priority};
use crate::api::decode::RowDetail;
use crate::app::effect::{EditBase, RequestId};
use crate::app::message::{Message, ROWS_AT_ONCE, UpdateOutcome};
use crate::domain::failure::{Failure, FailureKind, WriteFailure};
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::domain::report::{NewReport, ReportChange, ReportId};
use crate::runtime::effects::{Effects, no_service};

/// Wraps a response in a message.
type ToMessage<T, E> = fn(RequestId, Result<T, E>) -> Message;

impl Effects {
    pub(super) fn list_reports(&mut self, request: RequestId, query: ReportQuery, token: PageToken, background: bool) {
        let priority = if background { Priority::Background } else { Priority::Person };
        let messages = self.sender.clone();
        self.read(request, Message::Reports, move |client| async move {
            let mut page = client.list_reports(&query, &token, RowDetail::Row, priority).await?;
            let mut rows = page.rows.into_iter();
            while rows.len() > ROWS_AT_ONCE {
                let first = rows.by_ref().take(ROWS_AT_ONCE).collect();
                messages.send(Message::ReportRows(request, first));
            }
            page.rows = rows.collect();
            Ok(page)
        });
    }

    pub(super) fn list_projects(&mut self, request: RequestId, query: ProjectQuery, token: PageToken) {
        self.read(request, Message::Projects, move |client| async move { client.list_projects(&query, &token).await });
    }

    pub(super) fn show_report(&mut self, request: RequestId, id: ReportId) {
        self.read(request, Message::Report, move |client| async move { client.show_report(&id).await });
    }

    pub(super) fn show_checks(&mut self, request: RequestId, id: ReportId) {
        self.read(request, Message::Checks, move |client| async move { client.show_report_behind(&id).await });
    }

    pub(super) fn create_report(&self, request: RequestId, new: NewReport) {
        self.write(request, Message::Created, move |client| async move { client.create_report(&new).await });
    }

    pub(super) fn update_report(&self, request: RequestId, id: ReportId, change: ReportChange, base: Option<EditBase>) {
        self.write(request, Message::Updated, move |client| update(client, id, change, base));
    }

    pub(super) fn delete_report(&self, request: RequestId, id: ReportId) {
        self.write(request, Message::Deleted, move |client| async move { client.delete_report(&id).await });
    }

    pub(super) fn delete_project(&self, request: RequestId, name: String) {
        self.write(request, Message::Deleted, move |client| async move { client.delete_project(&name).await });
    }

    /// Spawns a read, which can be cancelled.
    fn read<T, F>(&mut self, request: RequestId, kind: ToMessage<T, Failure>, ask: impl FnOnce(Client) -> F)
    where
        T: 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        self.reads.retain(|_, read| !read.is_finished());
        let Some(client) = self.client() else { return self.send(kind(request, Err(no_service()))) };
        let asking = ask(client);
        let handle = self.spawn(async move { kind(request, asking.await) });
        self.reads.insert(request, handle);
    }

    /// Spawns a write, which cannot be cancelled.
    fn write<T, F>(&self, request: RequestId, kind: ToMessage<T, WriteFailure>, ask: impl FnOnce(Client) -> F)
    where
        T: 'static,
        F: Future<Output = Result<T, WriteFailure>> + Send + 'static,
    {
        let Some(client) = self.client() else {
            return self.send(kind(request, Err(WriteFailure::Refused(no_service()))));
        };
        let asking = ask(client);
        drop(self.spawn(async move { kind(request, asking.await) }));
    }
}

/// Changes a report, unless it differs from the base that the user decided on.
pub(super) async fn update(
    client: Client,
    id: ReportId,
    change: ReportChange,
    base: Option<EditBase>,
) -> Result<UpdateOutcome, WriteFailure> {
    if let Some(base) = base {
        match client.show_report(&id).await {
            Ok(now) if base.is_outdated_by(&now) => return Ok(UpdateOutcome::Changed(now)),
            // A service that fails to show a report may still change it.
            Err(failure) if !matches!(failure.kind, FailureKind::Unreadable | FailureKind::Service) => {
                return Err(WriteFailure::Refused(failure));
            }
            Ok(_) | Err(_) => {}
        }
    }
    client.update_report(&id, &change).await.map(UpdateOutcome::Saved)
}
