//! The store in PostgreSQL.

use std::sync::Arc;

use secrecy::SecretString;

use super::address::PostgresAddress;
use super::migrations;
use super::transactions::{LONG_LIMIT, Transactions};
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::rows::NewReportRow;
use crate::service::store::tables::reports;

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
}
