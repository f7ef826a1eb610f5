//! Writes for tests and samples: rows without audits, and audits shifted into the past.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Transaction;

use super::bulk;
use super::database::connection;
use super::database::error::store_error;
use super::transaction::{SqliteTransaction, complete};
use crate::service::store::rows::NewReportRow;
use crate::service::store::tables::reports;

/// The page cache during a bulk insertion, in KiB.
const CACHE_KIB: i64 = 512 * 1024;

/// Shifts the times of all audits since `since` into the past by `by`, plus up to an hour each so that they differ. A
/// service may be running on the directory. Blocks.
pub fn shift_audits(data: &Path, since: Timestamp, by: SignedDuration) -> anyhow::Result<()> {
    let mut connection = connection::open(data)?;
    let mut shift = || {
        let transaction = connection.transaction()?;
        shift_times(&transaction, since.as_millisecond(), by.as_secs() * 1_000)?;
        transaction.commit()
    };
    Ok(shift().map_err(|error| store_error(&error, data))?)
}

fn shift_times(transaction: &Transaction<'_>, since: i64, by: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE reports SET generated_at = generated_at - ?2 - id * 7 % 60 * 60000, \
               updated_at = updated_at - ?2 - id * 7 % 60 * 60000, \
               created_at = CASE WHEN created_at >= ?1 THEN created_at - ?2 - id * 7 % 60 * 60000 ELSE created_at END \
               WHERE generated_at >= ?1";
    transaction.execute(sql, (since, by))?;
    transaction.execute("UPDATE projects SET created_at = created_at - ?2 WHERE created_at >= ?1", (since, by))?;
    Ok(())
}

/// Inserts reports with their times in one transaction, and returns their number. Blocks.
pub fn insert_all(data: &Path, rows: impl Iterator<Item = (i64, NewReportRow)>) -> anyhow::Result<usize> {
    let mut connection = connection::open(data)?;
    let failed = |error: rusqlite::Error| store_error(&error, data);
    connection.pragma_update(None, "cache_size", -CACHE_KIB).map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    let definitions = bulk::drop_indexes(&transaction).map_err(failed)?;
    let mut kept = 0;
    for (time, row) in rows {
        complete(reports::insert_row(&SqliteTransaction::on(&transaction, data), &row, time))?;
        kept += 1;
    }
    bulk::complete(&transaction, &definitions).map_err(failed)?;
    transaction.commit().map_err(failed)?;
    Ok(kept)
}
