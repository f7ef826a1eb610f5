//! The store in SQLite.

use std::path::Path;

use super::database::connection::SqliteConnections;
use super::lists;
use super::tables::{history, keys, projects, reports, secrets};
use super::transfer;
use crate::domain::desk::ChangeId;
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::key_rows::{ActiveKey, KeyDigest, KeyRow, SigningSecret};
use crate::service::store::page::{ListPage, PageWindow};
use crate::service::store::rows::{
    ChangeOutcome, DuplicateCounts, HistoryRow, MOST_FORMER, NewReportRow, ProjectRow, ReportRow, RowUpdate,
    StoreTotals, StoredReport,
};
use crate::service::store::transfer::{ImportCounts, Received, RowReceiver, RowSender, TableDigest};

/// The store in a data directory. Clones share its connections.
#[derive(Clone)]
pub struct SqliteStore(pub(super) SqliteConnections);

impl SqliteStore {
    /// Opens the database of a data directory, creating both if missing. Blocks.
    pub fn open(data: &Path) -> Result<Self, OpenError> {
        SqliteConnections::open(data).map(Self)
    }

    /// Prepares for a running service: reserves disk space for deletions.
    pub async fn prepare_to_serve(&self) {
        self.0.allocate_reserve().await;
    }

    pub async fn check_health(&self) -> Result<(), StoreError> {
        let check = |connection: &rusqlite::Connection| {
            projects::totals(connection)?;
            reports::newest(connection).map(drop)
        };
        self.0.read(check).await?;
        if self.0.is_damaged() { Err(StoreError::Damaged("its file was found to be damaged".into())) } else { Ok(()) }
    }

    pub async fn totals(&self) -> Result<StoreTotals, StoreError> {
        let read = |connection: &rusqlite::Connection| {
            let (counts, projects) = (projects::totals(connection)?, projects::how_many(connection)?);
            Ok(StoreTotals { counts, projects })
        };
        self.0.read(read).await
    }

    pub async fn reports_page(
        &self,
        query: ReportQuery,
        window: PageWindow,
    ) -> Result<ListPage<ReportRow>, StoreError> {
        self.0.read(move |connection| lists::reports::page(connection, &query, &window)).await
    }

    pub async fn projects_page(
        &self,
        query: ProjectQuery,
        window: PageWindow,
    ) -> Result<ListPage<ProjectRow>, StoreError> {
        self.0.read(move |connection| lists::projects::page(connection, &query, &window)).await
    }

    pub async fn report(&self, id: i64) -> Result<Option<ReportRow>, StoreError> {
        self.0.read(move |connection| reports::row(connection, id)).await
    }

    pub async fn opened(&self, id: i64, most: u16) -> Result<Option<StoredReport>, StoreError> {
        self.0.read(move |connection| reports::opened(connection, id, most)).await
    }

    pub async fn duplicates(&self, id: i64, title: String, description: String) -> Result<DuplicateCounts, StoreError> {
        self.0.read(move |connection| reports::duplicates(connection, id, &title, &description)).await
    }

    pub async fn former(&self, id: i64) -> Result<Option<Vec<HistoryRow>>, StoreError> {
        let read = move |connection: &rusqlite::Connection| {
            let row = reports::row(connection, id)?;
            row.map(|_| history::former(connection, id, MOST_FORMER)).transpose()
        };
        self.0.read(read).await
    }

    pub async fn protected(&self, id: i64) -> Result<Option<(ReportRow, Option<String>)>, StoreError> {
        self.0.read(move |connection| reports::protected(connection, id)).await
    }

    pub async fn create(&self, new: NewReportRow, most: u16) -> Result<Option<StoredReport>, StoreError> {
        let insert = move |transaction: &rusqlite::Transaction<'_>| {
            let id = reports::insert(transaction, &new)?;
            reports::opened(transaction, id, most)
        };
        self.0.write(insert).await
    }

    pub async fn change(&self, id: i64, update: RowUpdate, most: u16) -> Result<ChangeOutcome, StoreError> {
        self.0.write(move |transaction| reports::change(transaction, id, &update, most)).await
    }

    pub async fn delete_report(&self, id: i64) -> Result<bool, StoreError> {
        self.0.write_deletion(move |transaction| reports::delete(transaction, id)).await
    }

    pub async fn delete_project(&self, name: String) -> Result<bool, StoreError> {
        self.0.write_deletion(move |transaction| projects::delete(transaction, &name)).await
    }

    pub async fn active_key(&self, digest: KeyDigest) -> Result<Option<ActiveKey>, StoreError> {
        self.0.read(move |connection| keys::active(connection, &digest)).await
    }

    pub async fn record_key_use(&self, id: i64) -> Result<(), StoreError> {
        self.0.write(move |transaction| keys::touch(transaction, id)).await
    }

    pub async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.0.read(keys::list).await
    }

    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        self.0.read(move |connection| transfer::send(connection, &sender)).await
    }

    pub async fn receive_copy(&self, mut receiver: RowReceiver) -> Received<Vec<TableDigest>> {
        self.0.write(move |transaction| transfer::receive_copy(transaction, &mut receiver)).await
    }

    pub async fn receive_import(&self, mut receiver: RowReceiver, change: ChangeId) -> Received<ImportCounts> {
        self.0.write(move |transaction| transfer::receive_import(transaction, &mut receiver, change)).await
    }

    pub async fn signing_secret(&self, name: &'static str, fresh: SigningSecret) -> Result<SigningSecret, StoreError> {
        // Read first, so that a service can start on a read-only database.
        if let Some(kept) = self.0.read(move |connection| secrets::find(connection, name)).await? {
            return Ok(kept);
        }
        self.0.write(move |transaction| secrets::keep(transaction, name, &fresh)).await
    }
}
