//! The endpoints of a desk, one function each. Every write carries a change id, so that it may be resent.

use std::time::Duration;

use reqwest::header::{IF_MATCH, IF_NONE_MATCH};
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use url::Url;

use super::answer::Answer;
use super::client::Client;
use super::contract::{self, parameter};
use super::decode::bounded;
use super::error::{self, Operation};
use super::send::{OutgoingRequest, RequestBody};
use crate::domain::desk::{
    ChangeId, DeskChanges, DeskNote, DeskOverview, DeskRow, DeskService, EventsPage, LogPosition, NoteWrite, NotesPage,
    PresenceActivity, RowPrecondition, RowWrite, RowsPage, ServiceLookup, error_text,
};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::domain::text::{clean, fit};

/// The longest error text of an undecodable response, in cells.
const LONGEST_REASON: usize = 240;

/// Why a row was not written.
#[derive(Debug, Clone, PartialEq)]
pub enum RowWriteFailure {
    /// The row has changed, or does not exist: 412. Nothing was written.
    Conflict(Option<Box<DeskRow>>),
    /// Any other failure. Depending on its kind it may be retried: the change id prevents a second application.
    Failed(Failure),
}

/// A long poll for changes, with the user's presence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangesRequest {
    /// Restricts the events to this service, plus those of people and services.
    pub service: Option<i64>,
    /// The position after which events are requested.
    pub after: LogPosition,
    /// How long to wait for an event. Services wait at most 55 s.
    pub wait: Duration,
    /// The report that the user is at, and the activity there. `None` reports no presence.
    pub presence: Option<(Option<ReportId>, PresenceActivity)>,
}

/// The envelope of a single result.
#[derive(Deserialize)]
struct DeskAnswer<T> {
    data: T,
}

impl Client {
    /// `GET /desk`; `None` if the service has no desk.
    pub async fn desk(&self) -> Result<Option<DeskOverview>, Failure> {
        match self.read_desk(contract::DESK, &[]).await {
            Ok(overview) => Ok(Some(overview)),
            Err(failure) if matches!(failure.status, Some(404 | 405)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// `POST /desk/services`: finds a service by base URL or id, or creates it.
    pub async fn desk_service(&self, lookup: &ServiceLookup) -> Result<DeskService, Failure> {
        self.post_to_desk(contract::DESK_SERVICES, lookup).await
    }

    /// `POST /desk/services/{service}/merge`: moves the rows and notes of a service to another one that is the same
    /// under another address. Requires the role admin.
    pub async fn merge_desk_services(&self, from: i64, into: i64, change: ChangeId) -> Result<(), Failure> {
        let path = contract::DESK_MERGE.replace("{service}", &from.to_string());
        let body = serde_json::json!({ "change": change, "into": into });
        self.post_to_desk::<serde_json::Value>(&path, &body).await.map(drop)
    }

    /// `GET /desk/states`: a page of the rows of a service, after the given report.
    pub async fn desk_rows(&self, service: i64, after: Option<&ReportId>) -> Result<RowsPage, Failure> {
        Ok(self.desk_page(contract::DESK_STATES, service, after.map(ReportId::raw)).await?.0)
    }

    /// `GET /desk/notes`: a page of the notes of a service, after the given id.
    pub async fn desk_notes(&self, service: i64, after: Option<i64>) -> Result<NotesPage, Failure> {
        Ok(self.desk_page(contract::DESK_NOTES, service, after).await?.0)
    }

    /// Reads a page of the rows or notes of a service, and returns it with the size of the response in bytes.
    pub(super) async fn desk_page<T: DeserializeOwned>(
        &self,
        path: &str,
        service: i64,
        after: Option<impl ToString>,
    ) -> Result<(T, usize), Failure> {
        let mut parameters = vec![(parameter::SERVICE, service.to_string())];
        parameters.extend(after.map(|after| (parameter::AFTER, after.to_string())));
        self.read_sized(path, &parameters).await
    }

    /// `PUT /desk/states/{service}/{report}`: writes a row and returns it.
    pub async fn write_desk_row(
        &self,
        service: i64,
        report: &ReportId,
        expected: RowPrecondition,
        write: &RowWrite,
    ) -> Result<DeskRow, RowWriteFailure> {
        let condition = match expected {
            RowPrecondition::Absent => (IF_NONE_MATCH, "*".to_owned()),
            RowPrecondition::Version(version) => (IF_MATCH, format!("\"{version}\"")),
        };
        let path = contract::desk_state_path(service, report.raw());
        let sent = self.send_desk(Method::PUT, &path, &[], Some(write), Some(condition)).await;
        let (answer, url) = sent.map_err(RowWriteFailure::Failed)?;
        if answer.status == StatusCode::PRECONDITION_FAILED {
            let present = decoded(Operation::WriteDesk, &answer, &url).map_err(RowWriteFailure::Failed)?;
            return Err(RowWriteFailure::Conflict(present));
        }
        decoded(Operation::WriteDesk, &answer, &url).map_err(RowWriteFailure::Failed)
    }

    /// `POST /desk/states/{service}/{report}/notes`: adds a note.
    pub async fn write_desk_note(
        &self,
        service: i64,
        report: &ReportId,
        write: &NoteWrite,
    ) -> Result<DeskNote, Failure> {
        let path = format!("{}/notes", contract::desk_state_path(service, report.raw()));
        self.post_to_desk(&path, write).await
    }

    /// `DELETE /desk/states/{service}/{report}/notes/{id}`: withdraws an own note; as admin, any note.
    pub async fn withdraw_desk_note(
        &self,
        service: i64,
        report: &ReportId,
        id: i64,
        change: ChangeId,
    ) -> Result<DeskNote, Failure> {
        let path = format!("{}/notes/{id}", contract::desk_state_path(service, report.raw()));
        let parameters = [(parameter::CHANGE, change.to_string())];
        let (answer, url) = self.send_desk::<()>(Method::DELETE, &path, &parameters, None, None).await?;
        decoded(Operation::WriteDesk, &answer, &url)
    }

    /// `GET /desk/states/{service}/{report}/events`: a page of the history of a report, latest first, before a
    /// revision.
    pub async fn desk_events(
        &self,
        service: i64,
        report: &ReportId,
        before: Option<i64>,
    ) -> Result<EventsPage, Failure> {
        let path = format!("{}/events", contract::desk_state_path(service, report.raw()));
        let before: Vec<_> = before.map(|revision| (parameter::BEFORE, revision.to_string())).into_iter().collect();
        self.read_desk(&path, &before).await
    }

    /// `GET /desk/changes`: waits for events. A response without events after the wait is normal.
    pub async fn desk_changes(&self, request: &ChangesRequest) -> Result<DeskChanges, Failure> {
        let operation = Operation::FollowDesk;
        let ChangesRequest { service, after, wait, presence } = request;
        let mut parameters =
            vec![(parameter::AFTER, after.revision.to_string()), (parameter::WAIT, wait.as_secs().to_string())];
        parameters.extend(service.map(|service| (parameter::SERVICE, service.to_string())));
        parameters.extend(after.change.map(|change| (parameter::CHANGE, change.to_string())));
        if let Some((report, doing)) = presence {
            parameters.push((parameter::DOING, doing.name().to_owned()));
            parameters.extend(report.as_ref().map(|report| (parameter::AT, report.raw().to_owned())));
        }
        let mut url = self.endpoint(operation, contract::DESK_CHANGES)?;
        url.query_pairs_mut().extend_pairs(parameters);
        let request = OutgoingRequest { waits: *wait, ..OutgoingRequest::read(&url) };
        let answer = self.sender.repeat(operation, &request).await?;
        decoded(operation, &answer, &url)
    }

    /// `GET /desk/changes` without waiting: a service's events after a position, or from the oldest retained one.
    /// The second value is the size of the response in bytes.
    pub async fn desk_log(&self, service: i64, after: Option<LogPosition>) -> Result<(DeskChanges, usize), Failure> {
        let mut parameters = vec![(parameter::SERVICE, service.to_string())];
        if let Some(LogPosition { revision, change }) = after {
            parameters.push((parameter::AFTER, revision.to_string()));
            parameters.extend(change.map(|change| (parameter::CHANGE, change.to_string())));
        }
        self.read_sized(contract::DESK_CHANGES, &parameters).await
    }

    async fn read_desk<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&'static str, String)],
    ) -> Result<T, Failure> {
        Ok(self.read_sized(path, parameters).await?.0)
    }

    async fn read_sized<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &[(&'static str, String)],
    ) -> Result<(T, usize), Failure> {
        let operation = Operation::ReadDesk;
        let mut url = self.endpoint(operation, path)?;
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        let answer = self.sender.repeat(operation, &OutgoingRequest::read(&url)).await?;
        Ok((decoded(operation, &answer, &url)?, answer.body.len()))
    }

    async fn post_to_desk<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Failure> {
        let (answer, url) = self.send_desk(Method::POST, path, &[], Some(body), None).await?;
        decoded(Operation::WriteDesk, &answer, &url)
    }

    async fn send_desk<B: Serialize>(
        &self,
        method: Method,
        path: &str,
        parameters: &[(&'static str, String)],
        body: Option<&B>,
        condition: Option<(reqwest::header::HeaderName, String)>,
    ) -> Result<(Answer, Url), Failure> {
        let operation = Operation::WriteDesk;
        let mut url = self.endpoint(operation, path)?;
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        let json = body.map(serde_json::to_string).transpose().map_err(|error| {
            Failure::new(FailureKind::Local, format!("The change cannot be written as JSON ({error})"), "")
        })?;
        let body = json.as_deref().map_or(RequestBody::None, RequestBody::Json);
        let request = OutgoingRequest { method, body, condition, ..OutgoingRequest::read(&url) };
        let answer = self.sender.repeat(operation, &request).await?;
        Ok((answer, url))
    }
}

/// Decodes the `data` of a response.
fn decoded<T: DeserializeOwned>(operation: Operation, answer: &Answer, url: &Url) -> Result<T, Failure> {
    let unreadable = |why: &str| error::of_body(operation, answer, why, url.path());
    let text = answer.text().map_err(|why| unreadable(&why))?;
    let read = bounded::read(&text).and_then(|json| serde_json::from_value(json.value));
    let read: DeskAnswer<T> = read.map_err(|error| {
        // The message may quote the response.
        unreadable(&fit(&clean(&error_text(&error)), LONGEST_REASON))
    })?;
    Ok(read.data)
}
