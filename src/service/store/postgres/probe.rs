//! Probes the database at a URL without changing it.

use std::sync::Arc;

use secrecy::SecretString;

use super::address::PostgresAddress;
use super::engine::PostgresStore;
use super::migrations;
use super::transaction::PgTransaction;
use super::transactions::Transactions;
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::probe::DatabaseProbe;

/// Connects, and reads the versions of the server and the schema.
pub async fn probe(url: &SecretString) -> Result<DatabaseProbe, OpenError> {
    let (store, server, format) = connect(url).await?;
    let (place, known) = (store.1.place.clone(), migrations::newest());
    let in_use = store.0.read(has_listeners).await;
    let in_use = in_use.map_err(|error| OpenError::Server { place: place.clone(), error: error.into() })?;
    Ok(DatabaseProbe { place, server, format, known, in_use, notifies: store.receives_notifications().await })
}

/// Whether the database has the tables of a store.
pub async fn has_tables(url: &SecretString) -> Result<bool, OpenError> {
    Ok(connect(url).await?.2.is_some())
}

async fn connect(url: &SecretString) -> Result<(PostgresStore, String, Option<i64>), OpenError> {
    let address = Arc::new(PostgresAddress::parse(url)?);
    let (place, transactions) = (address.place.clone(), Transactions::connect_to(&address)?);
    let own_place = place.clone();
    let found = transactions.read(|transaction| async move { versions(transaction, &own_place).await }).await;
    let (server, format) = found.map_err(|error| OpenError::Server { place, error: error.into() })??;
    Ok((PostgresStore(transactions, address), server, format))
}

/// Whether other processes of this program listen for notifications, as every instance and worker does.
async fn has_listeners(transaction: PgTransaction) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
               AND application_name = current_setting('application_name') AND query LIKE 'LISTEN %')";
    Ok(transaction.query_typed_one(sql, &[]).await?.try_get(0)?)
}

/// Returns the version of the server and the format of the schema, if there is one; or why the store would not open.
async fn versions(
    transaction: PgTransaction,
    place: &str,
) -> Result<Result<(String, Option<i64>), OpenError>, StoreError> {
    if let Err(refusal) = migrations::examine(&transaction, place).await? {
        return Ok(Err(refusal));
    }
    let sql = "SELECT current_setting('server_version'), to_regclass('store_format') IS NOT NULL";
    let row = transaction.query_typed_one(sql, &[]).await?;
    let format = if row.try_get(1)? { Some(migrations::format(&transaction).await?.0) } else { None };
    Ok(Ok((row.try_get(0)?, format)))
}
