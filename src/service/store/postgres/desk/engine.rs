//! Desk functions of the PostgreSQL store.

use super::{listen, reads, writes};
use crate::service::store::desk::decide::{Decision, DeskRefusal};
use crate::service::store::desk::records::{
    DeskQuery, DeskSituation, DeskTables, EventRecord, LogTail, NoteRecord, ServiceRows, StateRecord,
};
use crate::service::store::error::StoreError;
use crate::service::store::postgres::engine::PostgresStore;
use crate::service::store::postgres::transactions::LONG_LIMIT;

impl PostgresStore {
    pub async fn desk_tables(&self) -> Result<DeskTables, StoreError> {
        self.0.read(|connection| async move { reads::tables(&connection).await }).await
    }

    pub async fn desk_revision(&self) -> Result<i64, StoreError> {
        self.0.read(|connection| async move { Ok(reads::desk(&connection).await?.revision) }).await
    }

    pub async fn desk_states(
        &self,
        service: i64,
        after: String,
        most: u16,
    ) -> Result<ServiceRows<StateRecord>, StoreError> {
        let read = move |connection| async move { reads::states(&connection, service, &after, most).await };
        self.0.read(read).await
    }

    pub async fn desk_notes(&self, service: i64, after: i64, most: u16) -> Result<ServiceRows<NoteRecord>, StoreError> {
        self.0.read(move |connection| async move { reads::notes(&connection, service, after, most).await }).await
    }

    pub async fn desk_history(
        &self,
        service: i64,
        report: String,
        before: i64,
        most: u16,
    ) -> Result<ServiceRows<EventRecord>, StoreError> {
        let read = move |connection| async move { reads::history(&connection, service, &report, before, most).await };
        self.0.read(read).await
    }

    pub async fn desk_tail(&self, after: i64, service: Option<i64>, most: u16) -> Result<LogTail, StoreError> {
        self.0.read(move |connection| async move { reads::tail(&connection, after, service, most).await }).await
    }

    pub async fn desk_write<T: Send + 'static>(
        &self,
        query: DeskQuery,
        decide: impl FnOnce(&DeskSituation, i64) -> Decision<T> + Send + 'static,
    ) -> Result<Result<T, DeskRefusal>, StoreError> {
        let write = move |connection, now| async move {
            let situation = writes::read_situation(&connection, &query, now).await?;
            let (answer, statements) = match decide(&situation, now) {
                Ok(decided) => decided,
                Err(refusal) => return Ok(Err(refusal)),
            };
            for statement in &statements {
                writes::apply(&connection, statement, now).await?;
            }
            Ok(Ok(answer))
        };
        self.0.write(write).await
    }

    pub async fn listen_desk(&self, wake: impl Fn(), seen: impl Fn(&str)) {
        listen::listen(&self.1, wake, seen).await;
    }

    pub async fn publish_presence(&self, sign: String) -> Result<(), StoreError> {
        listen::publish_presence(&self.0, sign).await
    }

    pub async fn prune_desk_events(&self, keep: i64) -> Result<u64, StoreError> {
        let prune =
            move |connection, now: i64| async move { writes::prune(&connection, now.saturating_sub(keep)).await };
        self.0.write_within(LONG_LIMIT, prune).await
    }
}
