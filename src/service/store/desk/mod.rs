//! The store's desk functions: reads, and writes that are decided here and executed by the engine.

pub mod administer;
pub mod decide;
pub mod import;
pub mod reads;
pub mod records;
pub mod writes;

use std::time::Duration;

use crate::domain::desk::{
    ChangeId, DeskEvent, DeskNote, DeskRow, DeskService, EventsPage, LogPosition, NotesPage, Person, RowsPage,
    ServiceLookup,
};
use crate::domain::text::Text;
use crate::service::store::Store;
use crate::service::store::error::StoreError;
use crate::service::store::key_rows::{KeyDigest, NewKey};
use crate::service::store::sql::SqlTransaction as _;
use administer::{KeyRequest, MergeRequest, PersonChange};
use decide::{Decision, DeskRefusal, DeskWriter, NoteRequest, RowRequest, WithdrawRequest};
use records::{DeskQuery, DeskRecord, DeskSituation, EventRecord, LogTail};

/// The most rows, notes or events per page.
const PAGE: u16 = 500;

/// The desk's overview, without the requesting person.
pub struct DeskState {
    pub service_id: Text,
    pub position: LogPosition,
    pub people: Vec<Person>,
    pub services: Vec<DeskService>,
}

/// Events after a position, and where to continue.
pub struct LogPart {
    pub position: LogPosition,
    pub reset: bool,
    pub events: Vec<DeskEvent>,
    pub more: bool,
}

/// The outcome of a write.
pub type DeskOutcome<T> = Result<Result<T, DeskRefusal>, StoreError>;

/// Turns a refusal about stored data into a store error.
fn stored<T>(read: Result<T, DeskRefusal>) -> Result<T, StoreError> {
    read.map_err(|refusal| {
        let text = match refusal {
            DeskRefusal::Unreadable(text) => text,
            other => format!("{other:?}"),
        };
        StoreError::Database(format!("the content of the desk cannot be read: {text}").into())
    })
}

fn position(desk: &DeskRecord, last_change: Option<&str>) -> LogPosition {
    LogPosition { revision: desk.revision, change: last_change.and_then(|change| change.parse().ok()) }
}

/// Truncates the rows to one page, and returns whether there are more.
fn page<T>(mut rows: Vec<T>) -> (Vec<T>, bool) {
    let more = rows.len() > usize::from(PAGE);
    rows.truncate(PAGE.into());
    (rows, more)
}

impl Store {
    /// Returns the overview of the desk.
    pub async fn desk(&self) -> Result<DeskState, StoreError> {
        let tables = in_transaction!(self.read, |transaction| reads::tables(transaction).await)?;
        let people = tables.people.iter().map(|person| {
            let roles = tables.roles.iter().filter(|(handle, _)| *handle == person.handle).map(|(_, role)| *role);
            administer::shown_person(person, roles)
        });
        let services = tables.services.iter().filter(|service| service.merged_into.is_none());
        Ok(DeskState {
            service_id: Text::from_outside(tables.desk.service_id.as_str()),
            position: position(&tables.desk, tables.last_change.as_deref()),
            people: stored(people.collect())?,
            services: services.map(decide::shown_service).collect(),
        })
    }

    /// Returns the revision of the last event.
    pub async fn desk_revision(&self) -> Result<i64, StoreError> {
        in_transaction!(self.read, |transaction| Ok(reads::desk(transaction).await?.revision))
    }

    /// Returns one page of a service's rows, after a report; `None` if the service does not exist.
    pub async fn desk_rows(&self, service: i64, after: String) -> Result<Option<RowsPage>, StoreError> {
        let read =
            in_transaction!(self.read, |transaction| reads::states(transaction, service, &after, PAGE + 1).await)?;
        let position = position(&read.desk, read.last_change.as_deref());
        let (rows, more) = page(read.rows);
        let rows = stored(rows.iter().map(|record| decide::decode(&record.content)).collect())?;
        Ok(read.is_service.then_some(RowsPage { position, rows, more }))
    }

    /// Returns one page of a service's notes, after an id; `None` if the service does not exist.
    pub async fn desk_notes(&self, service: i64, after: i64) -> Result<Option<NotesPage>, StoreError> {
        let read = in_transaction!(self.read, |transaction| reads::notes(transaction, service, after, PAGE + 1).await)?;
        let position = position(&read.desk, read.last_change.as_deref());
        let (notes, more) = page(read.rows);
        let notes = stored(notes.iter().map(|record| decide::decode(&record.content)).collect())?;
        Ok(read.is_service.then_some(NotesPage { position, notes, more }))
    }

    /// Returns a report's events before a revision, latest first; `None` if the service does not exist.
    pub async fn desk_history(
        &self,
        service: i64,
        report: String,
        before: i64,
    ) -> Result<Option<EventsPage>, StoreError> {
        let read = in_transaction!(self.read, |transaction| {
            reads::history(transaction, service, &report, before, PAGE + 1).await
        })?;
        let (events, more) = page(read.rows);
        let events = stored(events.iter().map(decide::event_of).collect())?;
        Ok(read.is_service.then_some(EventsPage { events, more }))
    }

    /// Returns the events after a position, or from the oldest retained one; with a service, only its events and those
    /// of no service. `None` if the service does not exist.
    pub async fn desk_changes(
        &self,
        after: Option<LogPosition>,
        service: Option<i64>,
    ) -> Result<Option<LogPart>, StoreError> {
        let revision = after.map_or(0, |after| after.revision);
        let tail =
            in_transaction!(self.read, |transaction| reads::tail(transaction, revision, service, PAGE + 1).await)?;
        let end = position(&tail.desk, tail.last_change.as_deref());
        if after.is_some_and(|after| !continues_from(&tail, after)) {
            return Ok(Some(LogPart { position: end, reset: true, events: Vec::new(), more: false }));
        }
        if !tail.is_service {
            return Ok(None);
        }
        let (events, more) = page(tail.events);
        let last = |events: &[EventRecord]| {
            let last = events.last()?;
            Some(LogPosition { revision: last.revision, change: last.change.parse().ok() })
        };
        let position = if more { last(&events).unwrap_or(end) } else { end };
        let events = stored(events.iter().map(decide::event_of).collect())?;
        Ok(Some(LogPart { position, reset: false, events, more }))
    }

    /// Calls `wake` on every write by any process on the database, and `seen` with each heartbeat passed to
    /// [`Self::publish_presence`], including this process's own. Never ends; only PostgreSQL notifies.
    pub async fn listen_desk(&self, wake: impl Fn(), seen: impl Fn(&str)) {
        match self {
            Self::Sqlite(_) => {
                drop((wake, seen));
                std::future::pending::<()>().await;
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.listen_desk(wake, seen).await,
        }
    }

    /// Sends a heartbeat to other processes on the database; nothing is stored. No-op for SQLite, which has no other
    /// process.
    pub async fn publish_presence(&self, sign: impl FnOnce() -> String) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(_) => {
                drop(sign);
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.publish_presence(sign()).await,
        }
    }

    /// Writes a report's state and holder.
    pub async fn write_desk_row(&self, request: RowRequest) -> DeskOutcome<DeskRow> {
        self.desk_write(request.query(), |situation, now| request.decide(situation, now)).await
    }

    /// Adds a note.
    pub async fn write_desk_note(&self, request: NoteRequest) -> DeskOutcome<DeskNote> {
        self.desk_write(request.query(), |situation, now| request.decide(situation, now)).await
    }

    /// Withdraws a note.
    pub async fn withdraw_desk_note(&self, request: WithdrawRequest) -> DeskOutcome<DeskNote> {
        self.desk_write(request.query(), |situation, now| request.decide(situation, now)).await
    }

    /// Finds or creates a service.
    pub async fn desk_service(&self, writer: DeskWriter, lookup: ServiceLookup) -> DeskOutcome<DeskService> {
        let query = DeskQuery { change: Some(writer.change), ..DeskQuery::default() };
        self.desk_write(query, move |situation, now| decide::find_service(&writer, &lookup, situation, now)).await
    }

    /// Merges a service into another one.
    pub async fn merge_desk_services(&self, request: MergeRequest) -> DeskOutcome<DeskService> {
        self.desk_write(request.query(), |situation, now| request.decide(situation, now)).await
    }

    /// Creates a key, and its person if new.
    pub async fn insert_key(&self, key: NewKey, digest: KeyDigest, change: ChangeId) -> DeskOutcome<()> {
        let request = KeyRequest { writer: administer::operator(change), key, digest };
        self.desk_write(request.query(), |situation, now| request.decide(situation, now)).await
    }

    /// Revokes the active key with this name.
    pub async fn revoke_key(&self, name: String, change: ChangeId) -> DeskOutcome<()> {
        let query = DeskQuery { key: Some(name.clone()), ..DeskQuery::default() };
        let writer = administer::operator(change);
        self.desk_write(query, move |situation, now| administer::revoke_key(&writer, name, situation, now)).await
    }

    /// Changes a person.
    pub async fn change_person(&self, handle: String, change: PersonChange, id: ChangeId) -> DeskOutcome<Person> {
        let query = DeskQuery { person: Some(handle), ..DeskQuery::default() };
        let writer = administer::operator(id);
        self.desk_write(query, move |situation, now| administer::change_person(&writer, &change, situation, now)).await
    }

    /// Deletes events older than `keep`, by the clock that also gave them their times, and returns their number. The
    /// last event, rows and notes stay.
    pub async fn prune_desk_events(&self, keep: Duration) -> Result<u64, StoreError> {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        in_transaction!(self.write_deletion, |transaction| {
            writes::prune(transaction, transaction.now().saturating_sub(keep)).await
        })
    }

    async fn desk_write<T: Send + 'static>(
        &self,
        query: DeskQuery,
        decide: impl FnOnce(&DeskSituation, i64) -> Decision<T> + Send + 'static,
    ) -> DeskOutcome<T> {
        let written = in_transaction!(self.write, |transaction| {
            let situation = writes::read_situation(transaction, &query).await?;
            let (answer, statements) = match decide(&situation, transaction.now()) {
                Ok(decided) => decided,
                Err(refusal) => return Ok(Err(refusal)),
            };
            for statement in &statements {
                writes::apply(transaction, statement).await?;
            }
            Ok(Ok(answer))
        });
        match written? {
            Err(refusal @ DeskRefusal::Unreadable(_)) => stored(Err(refusal)),
            decided => Ok(decided),
        }
    }
}

/// Whether the log continues from a position: it is retained from there on, and the position belongs to this log.
fn continues_from(tail: &LogTail, after: LogPosition) -> bool {
    let is_kept = (tail.desk.pruned..=tail.desk.revision).contains(&after.revision);
    let is_other = |(expected, found): (ChangeId, &str)| found != expected.to_string();
    is_kept && !after.change.zip(tail.change_there.as_deref()).is_some_and(is_other)
}
