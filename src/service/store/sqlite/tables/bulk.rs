//! Bulk insertion: indexes, counts and the search index are built after the rows, which is faster than row by row.

use rusqlite::{Connection, Transaction};

use super::reports::insert_row;
use crate::service::store::rows::NewReportRow;

/// The page cache during the insertion, in KiB.
const CACHE_KIB: i64 = 512 * 1024;

/// Rebuilds what triggers maintain row by row.
const RECOUNT: &str = "
    UPDATE projects SET (reports, good, decent, bad) = (
        SELECT count(*), total(result = 2), total(result = 1), total(result = 0)
        FROM reports WHERE project_id = projects.id
    );
    UPDATE totals SET (reports, good, decent, bad) = (
        SELECT total(reports), total(good), total(decent), total(bad) FROM projects
    );
    INSERT INTO report_search (report_search) VALUES ('rebuild');";

/// Inserts reports with their times in one transaction, and returns their number.
pub fn insert(connection: &mut Connection, rows: impl Iterator<Item = (i64, NewReportRow)>) -> rusqlite::Result<usize> {
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    let transaction = connection.transaction()?;
    let definitions = drop_indexes(&transaction)?;
    let mut kept = 0;
    for (time, row) in rows {
        insert_row(&transaction, &row, time)?;
        kept += 1;
    }
    complete(&transaction, &definitions)?;
    transaction.commit()?;
    Ok(kept)
}

/// Recreates the dropped indexes and triggers, recounts reports, and rebuilds the search index.
pub fn complete(transaction: &Transaction<'_>, definitions: &[String]) -> rusqlite::Result<()> {
    for definition in definitions {
        transaction.execute_batch(definition)?;
    }
    transaction.execute_batch(RECOUNT)
}

/// Drops the indexes and triggers of reports, and returns the statements that recreate them.
pub fn drop_indexes(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    let mut statement = transaction.prepare(
        "SELECT sql, format('DROP %s %s', type, name) FROM sqlite_schema \
         WHERE tbl_name = 'reports' AND type IN ('index', 'trigger') AND sql IS NOT NULL",
    )?;
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(String, String)> = found.collect::<Result<_, _>>()?;
    for (_, drop) in &found {
        transaction.execute_batch(drop)?;
    }
    Ok(found.into_iter().map(|(definition, _)| definition).collect())
}
