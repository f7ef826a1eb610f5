//! Desk functions of the SQLite store.

use super::{reads, writes};
use crate::service::store::desk::decide::{Decision, DeskRefusal};
use crate::service::store::desk::records::{
    DeskQuery, DeskSituation, DeskTables, EventRecord, LogTail, NoteRecord, ServiceRows, StateRecord,
};
use crate::service::store::error::StoreError;
use crate::service::store::sqlite::engine::SqliteStore;
use crate::service::store::values;

impl SqliteStore {
    pub async fn desk_tables(&self) -> Result<DeskTables, StoreError> {
        self.0.read(reads::tables).await
    }

    pub async fn desk_revision(&self) -> Result<i64, StoreError> {
        self.0.read(|connection| Ok(reads::desk(connection)?.revision)).await
    }

    pub async fn desk_states(
        &self,
        service: i64,
        after: String,
        most: u16,
    ) -> Result<ServiceRows<StateRecord>, StoreError> {
        self.0.read(move |connection| reads::states(connection, service, &after, most)).await
    }

    pub async fn desk_notes(&self, service: i64, after: i64, most: u16) -> Result<ServiceRows<NoteRecord>, StoreError> {
        self.0.read(move |connection| reads::notes(connection, service, after, most)).await
    }

    pub async fn desk_history(
        &self,
        service: i64,
        report: String,
        before: i64,
        most: u16,
    ) -> Result<ServiceRows<EventRecord>, StoreError> {
        self.0.read(move |connection| reads::history(connection, service, &report, before, most)).await
    }

    pub async fn desk_tail(&self, after: i64, service: Option<i64>, most: u16) -> Result<LogTail, StoreError> {
        self.0.read(move |connection| reads::tail(connection, after, service, most)).await
    }

    pub async fn desk_write<T: Send + 'static>(
        &self,
        query: DeskQuery,
        decide: impl FnOnce(&DeskSituation, i64) -> Decision<T> + Send + 'static,
    ) -> Result<Result<T, DeskRefusal>, StoreError> {
        let write = move |transaction: &rusqlite::Transaction<'_>| {
            let situation = writes::read_situation(transaction, &query)?;
            let (answer, statements) = match decide(&situation, values::now()) {
                Ok(decided) => decided,
                Err(refusal) => return Ok(Err(refusal)),
            };
            for statement in &statements {
                writes::apply(transaction, statement)?;
            }
            Ok(Ok(answer))
        };
        self.0.write(write).await
    }

    pub async fn prune_desk_events(&self, keep: i64) -> Result<u64, StoreError> {
        let before = values::now().saturating_sub(keep);
        self.0.write_deletion(move |transaction| writes::prune(transaction, before)).await
    }
}
