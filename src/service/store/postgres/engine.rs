//! The store in PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

use super::address::PostgresAddress;
use super::instances::audit_events::AuditEvents;
use super::instances::audit_jobs::AuditJobs;
use super::instances::cleaning;
use super::instances::limits::SharedLimits;
use super::transactions::{LONG_LIMIT, Transactions};
use super::{keys, lists, migrations, projects, reports, transfer};
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

/// The timeout of a copy of all rows from or to another store.
const TRANSFER_LIMIT: Duration = Duration::from_hours(6);

/// The store in a PostgreSQL database. Clones share its connections.
#[derive(Clone)]
pub struct PostgresStore(pub(super) Transactions, pub(super) Arc<PostgresAddress>);

impl PostgresStore {
    /// Connects to a database and migrates it if needed.
    pub async fn open(url: &SecretString) -> Result<Self, OpenError> {
        let address = PostgresAddress::parse(url)?;
        let transactions = Transactions::connect_to(&address)?;
        migrations::migrate(&transactions, &address.place).await?;
        Ok(Self(transactions, Arc::new(address)))
    }

    /// Returns the audit queue that instances share.
    pub fn audit_jobs(&self, lease: Duration) -> AuditJobs {
        AuditJobs::new(self.0.clone(), lease)
    }

    /// Returns the counters that instances share.
    pub fn limits(&self) -> SharedLimits {
        SharedLimits::new(self.0.clone())
    }

    /// Deletes obsolete shared rows.
    pub async fn clean(&self) -> Result<(), StoreError> {
        cleaning::clean(&self.0).await
    }

    /// Returns the notifications of ended audits.
    pub fn audit_events(&self) -> AuditEvents {
        AuditEvents::new(self.0.clone(), Arc::clone(&self.1))
    }

    pub async fn check_health(&self) -> Result<(), StoreError> {
        let check = |connection| async move {
            projects::totals(&connection).await?;
            reports::read_newest(&connection).await
        };
        self.0.read(check).await
    }

    pub async fn totals(&self) -> Result<StoreTotals, StoreError> {
        self.0.read(|connection| async move { projects::totals(&connection).await }).await
    }

    pub async fn reports_page(
        &self,
        query: ReportQuery,
        window: PageWindow,
    ) -> Result<ListPage<ReportRow>, StoreError> {
        self.0.read(|connection| async move { lists::reports(&connection, &query, &window).await }).await
    }

    pub async fn projects_page(
        &self,
        query: ProjectQuery,
        window: PageWindow,
    ) -> Result<ListPage<ProjectRow>, StoreError> {
        self.0.read(|connection| async move { lists::projects(&connection, &query, &window).await }).await
    }

    pub async fn report(&self, id: i64) -> Result<Option<ReportRow>, StoreError> {
        self.0.read(move |connection| async move { reports::row(&connection, id).await }).await
    }

    pub async fn opened(&self, id: i64, most: u16) -> Result<Option<StoredReport>, StoreError> {
        self.0.read(move |connection| async move { reports::opened(&connection, id, most).await }).await
    }

    pub async fn duplicates(&self, id: i64, title: String, description: String) -> Result<DuplicateCounts, StoreError> {
        let read = move |connection| async move { reports::duplicates(&connection, id, &title, &description).await };
        self.0.read(read).await
    }

    pub async fn former(&self, id: i64) -> Result<Option<Vec<HistoryRow>>, StoreError> {
        let read = move |connection| async move {
            match reports::row(&connection, id).await? {
                Some(_) => reports::former(&connection, id, MOST_FORMER).await.map(Some),
                None => Ok(None),
            }
        };
        self.0.read(read).await
    }

    pub async fn protected(&self, id: i64) -> Result<Option<(ReportRow, Option<String>)>, StoreError> {
        self.0.read(move |connection| async move { reports::protected(&connection, id).await }).await
    }

    pub async fn change(&self, id: i64, update: RowUpdate, most: u16) -> Result<ChangeOutcome, StoreError> {
        let change = move |connection, now| async move { reports::change(&connection, id, &update, most, now).await };
        self.0.write(change).await
    }

    pub async fn delete_report(&self, id: i64) -> Result<bool, StoreError> {
        self.0.write(move |connection, _| async move { reports::delete(&connection, id).await }).await
    }

    pub async fn delete_project(&self, name: String) -> Result<bool, StoreError> {
        let delete = |connection, _| async move { projects::delete(&connection, &name).await };
        self.0.write_within(LONG_LIMIT, delete).await
    }

    pub async fn active_key(&self, digest: KeyDigest) -> Result<Option<ActiveKey>, StoreError> {
        self.0.read(move |connection| async move { keys::active(&connection, &digest).await }).await
    }

    pub async fn record_key_use(&self, id: i64) -> Result<(), StoreError> {
        self.0.write_beside(move |connection, now| async move { keys::touch(&connection, id, now).await }).await
    }

    pub async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.0.read(|connection| async move { keys::list(&connection).await }).await
    }

    /// Inserts reports with their times in one transaction, and returns their number; for tests and benches.
    pub async fn insert_all(&self, rows: Vec<(i64, NewReportRow)>) -> Result<usize, StoreError> {
        let insert = |connection, _| async move {
            for (time, row) in &rows {
                reports::insert_row(&connection, row, *time).await?;
            }
            Ok(rows.len())
        };
        self.0.write_within(LONG_LIMIT, insert).await
    }

    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        // As a writer, so that nothing else is written while rows are sent.
        let send = |connection, _| async move { transfer::send(&connection, &sender).await };
        self.0.write_within(TRANSFER_LIMIT, send).await
    }

    pub async fn receive_copy(&self, receiver: RowReceiver) -> Received<Vec<TableDigest>> {
        self.0.write_within(TRANSFER_LIMIT, |connection, _| transfer::receive_copy(connection, receiver)).await
    }

    pub async fn receive_import(&self, receiver: RowReceiver, change: ChangeId) -> Received<ImportCounts> {
        let import = move |connection, now| transfer::receive_import(connection, receiver, (change, now));
        self.0.write_within(TRANSFER_LIMIT, import).await
    }

    pub async fn signing_secret(&self, name: &'static str, fresh: SigningSecret) -> Result<SigningSecret, StoreError> {
        if let Some(kept) = self.0.read(move |connection| async move { keys::secret(&connection, name).await }).await? {
            return Ok(kept);
        }
        self.0.write(move |connection, _| async move { keys::keep_secret(&connection, name, fresh).await }).await
    }
}
