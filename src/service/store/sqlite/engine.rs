//! The store in SQLite.

use std::path::Path;

use super::database::connection::SqliteConnections;
use super::transfer;
use crate::domain::desk::ChangeId;
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::import;
use crate::service::store::transfer::{ImportCounts, RowReceiver, RowSender, TableDigest};

/// The store in a data directory. Clones share its connections.
#[derive(Clone)]
pub struct SqliteStore(pub(in crate::service::store) SqliteConnections);

impl SqliteStore {
    /// Opens the database of a data directory, creating both if missing. Blocks.
    pub fn open(data: &Path) -> Result<Self, OpenError> {
        SqliteConnections::open(data).map(Self)
    }

    /// Prepares for a running service: reserves disk space for deletions.
    pub async fn prepare_to_serve(&self) {
        self.0.allocate_reserve().await;
    }

    /// Fails if the database's file was found to be damaged.
    pub fn check_undamaged(&self) -> Result<(), StoreError> {
        if self.0.is_damaged() { Err(StoreError::Damaged("its file was found to be damaged".into())) } else { Ok(()) }
    }

    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        self.0.read(async move |transaction| transfer::send(transaction, &sender).await).await
    }

    pub async fn receive_copy(&self, receiver: RowReceiver) -> Result<Vec<TableDigest>, StoreError> {
        self.0.write(async move |transaction| transfer::receive_copy(transaction, receiver).await).await
    }

    pub async fn receive_import(&self, receiver: RowReceiver, change: ChangeId) -> Result<ImportCounts, StoreError> {
        self.0.write(async move |transaction| import::receive(transaction, receiver, change).await).await
    }
}
