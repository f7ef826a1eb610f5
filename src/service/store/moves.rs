//! The latest changes of where reports stand in lists, as the schema's triggers write them down.
//!
//! Must not know who remembers which places.

use rusqlite::{Connection, Transaction};

/// More than the schema keeps: a version that is so far ahead cannot be reached by what is kept.
const FAR: i64 = 10_000;

/// A report that came to a place or went from it. One that moves does both.
#[derive(Debug, Clone)]
pub(super) struct Move {
    /// 1 it came, -1 it went, 0 nothing moved.
    pub(super) step: i64,
    pub(super) report: i64,
    pub(super) project: i64,
    pub(super) url: String,
    pub(super) result: i64,
    pub(super) generated_at: i64,
}

/// The version of all orders in the connection's present view of the database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT coalesce(max(id), 0) FROM moves")?.query_one([], |row| row.get(0))
}

/// What moved after a version, up to the present one; `None` when that was not kept.
pub(super) fn since(connection: &Connection, seen: i64, present: i64) -> rusqlite::Result<Option<Vec<Move>>> {
    let mut statement = connection.prepare_cached(
        "SELECT step, report_id, project_id, url, result, generated_at FROM moves WHERE id > ?1 ORDER BY id",
    )?;
    let moves = statement.query_map([seen], |row| {
        Ok(Move {
            step: row.get(0)?,
            report: row.get(1)?,
            project: row.get(2)?,
            url: row.get(3)?,
            result: row.get(4)?,
            generated_at: row.get(5)?,
        })
    })?;
    let moves: Vec<Move> = moves.collect::<Result<_, _>>()?;
    Ok((i64::try_from(moves.len()) == Ok(present - seen)).then_some(moves))
}

/// Says that more has moved than is written down: whatever is remembered must be learnt anew.
pub(super) fn forget(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute("INSERT INTO moves VALUES (?1, 0, 0, 0, '', 0, 0)", [version(transaction)? + FAR])?;
    Ok(())
}
