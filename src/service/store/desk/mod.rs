//! The store's desk functions.

pub mod administer;
pub mod decide;
pub mod import;
pub mod reads;
pub mod writes;

use std::time::Duration;

use crate::domain::desk::{
    ChangeId, DeskChanges, DeskMe, DeskNote, DeskOverview, DeskRow, DeskService, EventsPage, Handle, LogPosition,
    NotesPage, Person, RowPrecondition, RowWrite, RowsPage, ServiceLookup,
};
use crate::domain::text::Text;
use crate::service::store::Store;
use crate::service::store::error::StoreError;
use crate::service::store::key_rows::{KeyDigest, NewKey};
use crate::service::store::sql::SqlTransaction as _;
use administer::PersonChange;
use decide::DeskWriter;

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
    pub async fn publish_presence(&self, heartbeat: impl FnOnce() -> String) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(_) => {
                drop(heartbeat);
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.publish_presence(heartbeat()).await,
        }
    }

    /// Writes a report's state and holder.
    pub async fn write_desk_row(
        &self,
        writer: DeskWriter,
        (service, report): (i64, String),
        expected: RowPrecondition,
        write: RowWrite,
    ) -> Result<DeskRow, StoreError> {
        in_transaction!(self.write, |transaction| {
            decide::write_row(transaction, &writer, (service, &report), expected, write).await
        })
    }

    /// Adds a note.
    pub async fn write_desk_note(
        &self,
        writer: DeskWriter,
        (service, report): (i64, String),
        text: Text,
    ) -> Result<DeskNote, StoreError> {
        in_transaction!(self.write, |transaction| {
            decide::write_note(transaction, &writer, (service, &report), text).await
        })
    }

    /// Withdraws a note.
    pub async fn withdraw_desk_note(
        &self,
        writer: DeskWriter,
        (service, report): (i64, String),
        note: i64,
    ) -> Result<DeskNote, StoreError> {
        in_transaction!(self.write, |transaction| {
            decide::withdraw_note(transaction, &writer, (service, &report), note).await
        })
    }

    /// Finds or creates a service.
    pub async fn desk_service(&self, writer: DeskWriter, lookup: ServiceLookup) -> Result<DeskService, StoreError> {
        in_transaction!(self.write, |transaction| decide::find_service(transaction, &writer, &lookup).await)
    }

    /// Merges the first service into the second one.
    pub async fn merge_desk_services(
        &self,
        writer: DeskWriter,
        services: (i64, i64),
    ) -> Result<DeskService, StoreError> {
        in_transaction!(self.write, |transaction| administer::merge(transaction, &writer, services).await)
    }

    /// Creates a key, and its person if new.
    pub async fn insert_key(&self, key: NewKey, digest: KeyDigest, change: ChangeId) -> Result<(), StoreError> {
        let writer = DeskWriter::operator(change);
        in_transaction!(self.write, |transaction| administer::insert_key(transaction, &writer, &key, &digest).await)
    }

    /// Revokes the active key with this name, also on a full disk.
    pub async fn revoke_key(&self, name: String, change: ChangeId) -> Result<(), StoreError> {
        let writer = DeskWriter::operator(change);
        in_transaction!(self.write_deletion, |transaction| {
            administer::revoke_key(transaction, &writer, &name).await
        })
    }

    /// Changes a person, also on a full disk: a person who leaves loses the keys.
    pub async fn change_person(
        &self,
        handle: Handle,
        change: PersonChange,
        id: ChangeId,
    ) -> Result<Person, StoreError> {
        let writer = DeskWriter::operator(id);
        in_transaction!(self.write_deletion, |transaction| {
            administer::change_person(transaction, &writer, &handle, change).await
        })
    }

    /// Deletes events older than `keep`, by the clock that also gave them their times, and returns their number. The
    /// last event, rows and notes stay.
    pub async fn prune_desk_events(&self, keep: Duration) -> Result<u64, StoreError> {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        in_transaction!(self.write_deletion, |transaction| {
            writes::prune(transaction, transaction.now().saturating_sub(keep)).await
        })
    }
}
