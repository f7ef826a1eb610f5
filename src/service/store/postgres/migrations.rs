//! Schema migrations, with the same numbers as SQLite's.
//!
//! They only add, so that older programs keep working, back to the format in `compatible_from`.

use super::transaction::PgTransaction;
use super::transactions::{LONG_LIMIT, Transactions};
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::sql::{SqlTransaction as _, bind};

/// The migrations by number, each for the format before it. The first creates everything.
const MIGRATIONS: &[(i64, &str)] = &[
    (7, include_str!("../../../../assets/migrations/postgres/0007_reports_projects_keys.sql")),
    (8, include_str!("../../../../assets/migrations/postgres/0008_audit_queue.sql")),
    (9, include_str!("../../../../assets/migrations/postgres/0009_desk.sql")),
];
/// The oldest format whose programs work with the newest.
const COMPATIBLE_FROM: i64 = 7;
/// The oldest tested server, as a `server_version_num`.
const OLDEST_SERVER: i64 = 140_000;

/// Returns the newest format that this program knows.
pub fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |(number, _)| *number)
}

/// Migrates to the newest format, and creates the search indexes if the server allows it. Only reads if nothing is to
/// do, so that it does not wait behind writers.
pub async fn migrate(transactions: &Transactions, place: &str) -> Result<(), OpenError> {
    let refused = |error: StoreError| match error {
        StoreError::Busy => OpenError::Locked(place.to_owned()),
        error => OpenError::Server { place: place.to_owned(), error: error.into() },
    };
    let own_place = place.to_owned();
    let read = transactions.read(|transaction| async move { examine(&transaction, &own_place).await });
    if read.await.map_err(refused)?? < newest() {
        let own_place = place.to_owned();
        let apply = |transaction| async move { apply(transaction, &own_place).await };
        transactions.write_within(LONG_LIMIT, apply).await.map_err(refused)??;
    }
    let has_indexes = |transaction: PgTransaction| async move {
        let sql =
            "SELECT to_regclass('reports_by_trigrams') IS NOT NULL AND to_regclass('projects_by_trigrams') IS NOT NULL";
        transaction.one(sql, bind![], |row| row.get::<bool>(0)).await
    };
    // In its own transaction: a server that does not allow it is used without.
    if !transactions.read(has_indexes).await.map_err(refused)?
        && let Err(error) = transactions.write_within(LONG_LIMIT, index_searches).await
    {
        tracing::warn!(%error, "searches have no index: the extension pg_trgm could not be added");
    }
    Ok(())
}

/// Returns the format of the database at a place, at most the newest known one; 0 for an empty database. The inner error
/// is why it cannot be used.
pub async fn examine(transaction: &PgTransaction, place: &str) -> Result<Result<i64, OpenError>, StoreError> {
    let unsuitable = |reason| Ok(Err(OpenError::Unsuitable { place: place.to_owned(), reason }));
    let server = "SELECT current_setting('server_version_num')::bigint, \
                  (SELECT pg_encoding_to_char(encoding)::text FROM pg_database WHERE datname = current_database())";
    let server = transaction.query_typed_one(server, &[]).await?;
    if server.try_get::<_, i64>(0)? < OLDEST_SERVER {
        return unsuitable("its server is older than PostgreSQL 14. Update the server");
    }
    if server.try_get::<_, &str>(1)? != "UTF8" {
        return unsuitable(
            "its encoding is not UTF8. Create it with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
        );
    }
    let known = "SELECT to_regclass('store_format') IS NOT NULL, to_regclass('reports') IS NOT NULL \
                 OR to_regclass('projects') IS NOT NULL OR to_regclass('keys') IS NOT NULL";
    let known = transaction.query_typed_one(known, &[]).await?;
    let (has_format, has_tables): (bool, bool) = (known.try_get(0)?, known.try_get(1)?);
    if !has_format && has_tables {
        return unsuitable(
            "it contains tables of another program with the same names. Create a separate database for reportdeck",
        );
    }
    let (version, compatible_from) = if has_format { format(transaction).await? } else { (0, 0) };
    Ok(if compatible_from <= newest() {
        Ok(version.min(newest()))
    } else {
        Err(OpenError::Newer { place: place.to_owned(), found: version, known: newest() })
    })
}

async fn apply(transaction: PgTransaction, place: &str) -> Result<Result<(), OpenError>, StoreError> {
    let version = match examine(&transaction, place).await? {
        Ok(version) => version,
        Err(refusal) => return Ok(Err(refusal)),
    };
    for (_, migration) in MIGRATIONS.iter().filter(|(number, _)| *number > version) {
        transaction.batch_execute(migration).await?;
    }
    if version < newest() {
        let values = format!("(1, {}, {COMPATIBLE_FROM})", newest());
        let store = format!(
            "INSERT INTO store_format (id, version, compatible_from) VALUES {values} ON CONFLICT (id) \
             DO UPDATE SET version = excluded.version, compatible_from = excluded.compatible_from"
        );
        transaction.batch_execute(&store).await?;
    }
    Ok(Ok(()))
}

/// Returns the format of the database, and the oldest whose programs work with it.
pub async fn format(transaction: &PgTransaction) -> Result<(i64, i64), StoreError> {
    let found =
        transaction.query_typed_opt("SELECT version, compatible_from FROM store_format WHERE id = 1", &[]).await?;
    found.map_or(Ok((0, 0)), |row| Ok((row.try_get(0)?, row.try_get(1)?)))
}

/// Creates the trigram indexes unless they exist.
async fn index_searches(transaction: PgTransaction) -> Result<(), StoreError> {
    let create = "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
         CREATE INDEX IF NOT EXISTS reports_by_trigrams ON reports USING gin (search_text gin_trgm_ops); \
         CREATE INDEX IF NOT EXISTS projects_by_trigrams ON projects USING gin (search_text gin_trgm_ops)";
    Ok(transaction.batch_execute(create).await?)
}
