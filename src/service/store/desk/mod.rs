//! The store's desk functions: reads, and writes that are decided here and executed by the engine.

pub mod administer;
pub mod decide;
pub mod import;
pub mod reads;
pub mod records;
pub mod writes;

use std::time::Duration;

use crate::domain::desk::{
    ChangeId, DeskChanges, DeskMe, DeskNote, DeskOverview, DeskRow, DeskService, EventsPage, Handle, LogPosition,
    NotesPage, Person, RowsPage, ServiceLookup,
};
use crate::service::store::Store;
use crate::service::store::error::StoreError;
use crate::service::store::key_rows::{KeyDigest, NewKey};
use crate::service::store::sql::SqlTransaction as _;
use administer::{MergeRequest, PersonChange};
use decide::{Decision, DeskRefusal, DeskWriter, NoteRequest, RowRequest, WithdrawRequest};
use records::{DeskQuery, DeskSituation};

/// The outcome of a write.
pub type DeskOutcome<T> = Result<Result<T, DeskRefusal>, StoreError>;

impl Store {
    /// Returns the overview of the desk for the holder of a key. Its time is that of the clock that sets the rows' times.
    pub async fn desk(&self, me: DeskMe) -> Result<DeskOverview, StoreError> {
        in_transaction!(self.read, |transaction| reads::overview(transaction, me).await)
    }

    /// Returns all people by handle, with the highest roles of their active keys.
    pub async fn people(&self) -> Result<Vec<Person>, StoreError> {
        in_transaction!(self.read, |transaction| reads::people(transaction).await)
    }

    /// Returns the revision of the last event.
    pub async fn desk_revision(&self) -> Result<i64, StoreError> {
        in_transaction!(self.read, |transaction| Ok(reads::desk(transaction).await?.revision))
    }

    /// Returns one page of a service's rows, after a report; `None` if the service does not exist.
    pub async fn desk_rows(&self, service: i64, after: String) -> Result<Option<RowsPage>, StoreError> {
        in_transaction!(self.read, |transaction| reads::states(transaction, service, &after).await)
    }

    /// Returns one page of a service's notes, after an id; `None` if the service does not exist.
    pub async fn desk_notes(&self, service: i64, after: i64) -> Result<Option<NotesPage>, StoreError> {
        in_transaction!(self.read, |transaction| reads::notes(transaction, service, after).await)
    }

    /// Returns a report's events before a revision, latest first; `None` if the service does not exist.
    pub async fn desk_history(
        &self,
        service: i64,
        report: String,
        before: i64,
    ) -> Result<Option<EventsPage>, StoreError> {
        in_transaction!(self.read, |transaction| reads::history(transaction, service, &report, before).await)
    }

    /// Returns the events after a position, or from the oldest retained one; with a service, only its events and those
    /// of no service. `None` if the service does not exist.
    pub async fn desk_changes(
        &self,
        after: Option<LogPosition>,
        service: Option<i64>,
    ) -> Result<Option<DeskChanges>, StoreError> {
        in_transaction!(self.read, |transaction| reads::changes(transaction, after, service).await)
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
        self.desk_write(request.query(), |situation| request.decide(situation)).await
    }

    /// Adds a note.
    pub async fn write_desk_note(&self, request: NoteRequest) -> DeskOutcome<DeskNote> {
        self.desk_write(request.query(), |situation| request.decide(situation)).await
    }

    /// Withdraws a note.
    pub async fn withdraw_desk_note(&self, request: WithdrawRequest) -> DeskOutcome<DeskNote> {
        self.desk_write(request.query(), |situation| request.decide(situation)).await
    }

    /// Finds or creates a service.
    pub async fn desk_service(&self, writer: DeskWriter, lookup: ServiceLookup) -> DeskOutcome<DeskService> {
        let query = DeskQuery { change: Some(writer.change), ..DeskQuery::default() };
        self.desk_write(query, move |situation| decide::find_service(&writer, &lookup, situation)).await
    }

    /// Merges a service into another one.
    pub async fn merge_desk_services(&self, request: MergeRequest) -> DeskOutcome<DeskService> {
        self.desk_write(request.query(), |situation| request.decide(situation)).await
    }

    /// Creates a key, and its person if new.
    pub async fn insert_key(&self, key: NewKey, digest: KeyDigest, change: ChangeId) -> DeskOutcome<()> {
        let query = DeskQuery { key: Some(key.name.clone()), person: key.person.clone(), ..DeskQuery::default() };
        let writer = DeskWriter::operator(change);
        self.desk_write(query, move |situation| administer::insert_key(&writer, key, digest, situation)).await
    }

    /// Revokes the active key with this name.
    pub async fn revoke_key(&self, name: String, change: ChangeId) -> DeskOutcome<()> {
        let query = DeskQuery { key: Some(name.clone()), ..DeskQuery::default() };
        let writer = DeskWriter::operator(change);
        self.desk_write(query, move |situation| administer::revoke_key(&writer, name, situation)).await
    }

    /// Changes a person.
    pub async fn change_person(&self, handle: Handle, change: PersonChange, id: ChangeId) -> DeskOutcome<Person> {
        let query = DeskQuery { person: Some(handle), ..DeskQuery::default() };
        let writer = DeskWriter::operator(id);
        self.desk_write(query, move |situation| administer::change_person(&writer, change, situation)).await
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
        decide: impl FnOnce(&DeskSituation) -> Decision<T> + Send + 'static,
    ) -> DeskOutcome<T> {
        in_transaction!(self.write, |transaction| {
            let (answer, statements) = match decide(&writes::read_situation(transaction, &query).await?) {
                Ok(decided) => decided,
                Err(refusal) => return Ok(Err(refusal)),
            };
            for statement in &statements {
                writes::apply(transaction, statement).await?;
            }
            Ok(Ok(answer))
        })
    }
}
