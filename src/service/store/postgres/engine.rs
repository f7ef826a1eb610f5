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
use super::{desk_events, migrations, transfer};
use crate::domain::desk::ChangeId;
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::import;
use crate::service::store::rows::NewReportRow;
use crate::service::store::tables::reports;
use crate::service::store::transfer::{ImportCounts, RowReceiver, RowSender, TableDigest};

/// The store in a PostgreSQL database. Clones share its connections.
#[derive(Clone)]
pub struct PostgresStore(pub(in crate::service::store) Transactions, pub(super) Arc<PostgresAddress>);

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

    /// Calls `wake` on every write of the desk, and `seen` with each heartbeat. Never ends.
    pub async fn listen_desk(&self, wake: impl Fn(), seen: impl Fn(&str)) {
        desk_events::listen(&self.1, wake, seen).await;
    }

    /// Sends a heartbeat to the other instances; nothing is stored.
    pub async fn publish_presence(&self, sign: String) -> Result<(), StoreError> {
        desk_events::publish_presence(&self.0, sign).await
    }

    /// Inserts reports with their times in one transaction, and returns their number; for tests and benches.
    pub async fn insert_all(&self, rows: Vec<(i64, NewReportRow)>) -> Result<usize, StoreError> {
        let insert = |connection| async move {
            for (time, row) in &rows {
                reports::insert_row(&connection, row, *time).await?;
            }
            Ok(rows.len())
        };
        self.0.write_within(LONG_LIMIT, insert).await
    }

    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        // As a writer, so that nothing else is written while rows are sent.
        self.0.write_transfer(|transaction| async move { transfer::send(&transaction, &sender).await }).await
    }

    pub async fn receive_copy(&self, receiver: RowReceiver) -> Result<Vec<TableDigest>, StoreError> {
        self.0.write_transfer(|transaction| async move { transfer::receive_copy(&transaction, receiver).await }).await
    }

    pub async fn receive_import(&self, receiver: RowReceiver, change: ChangeId) -> Result<ImportCounts, StoreError> {
        let import = move |transaction| async move { import::receive(&transaction, receiver, change).await };
        self.0.write_transfer(import).await
    }
}
