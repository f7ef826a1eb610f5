//! The latest changes of where reports stand in lists, as the schema's triggers write them down.
//!
//! Must not know who remembers which places.

use rusqlite::{Connection, Transaction};

/// More than the schema keeps: a version that is so far ahead cannot be reached by what is kept.
const FAR: i64 = 10_000;

/// A report that came to a place or went from it. One that moves does both.
#[derive(Debug, Clone)]
pub struct Move {
    /// 1 it came, -1 it went, 0 nothing moved.
    pub step: i64,
    pub report: i64,
    pub project: i64,
    pub url: String,
    pub result: i64,
    pub generated_at: i64,
}

/// The version of all orders in the connection's present view of the database.
pub fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT coalesce(max(id), 0) FROM moves")?.query_one([], |row| row.get(0))
}

/// What moved after a version, up to the present one; `None` when that was not kept.
pub fn since(connection: &Connection, seen: i64, present: i64) -> rusqlite::Result<Option<Vec<Move>>> {
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
pub fn forget(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute("INSERT INTO moves VALUES (?1, 0, 0, 0, '', 0, 0)", [version(transaction)? + FAR])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_moves_are_kept_and_what_is_older_is_said_to_be_unknown() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = crate::service::store::database::connection::open(directory.path()).unwrap();
        let transaction = connection.transaction().unwrap();
        transaction.execute("INSERT INTO projects (name, created_at) VALUES ('shop.example', 1)", []).unwrap();
        let begun = version(&transaction).unwrap();
        let create = "INSERT INTO reports \
             (project_id, url, result, score, generated_at, created_at, updated_at, privacy, failed) \
             VALUES (1, 'https://shop.example/', 0, 31, 1, 1, 1, 0, '')";
        for _ in 0..1_000 {
            transaction.execute(create, []).unwrap();
        }
        let full = version(&transaction).unwrap();
        assert_eq!(since(&transaction, begun, full).unwrap().unwrap().len(), 1_000);
        // Moves when its result changes, and not when anything else does.
        transaction.execute("UPDATE reports SET privacy = 1 WHERE id = 1", []).unwrap();
        transaction.execute("UPDATE reports SET result = 2 WHERE id = 1", []).unwrap();
        let present = version(&transaction).unwrap();
        let steps = since(&transaction, full, present).unwrap().unwrap();
        assert_eq!(steps.iter().map(|moved| (moved.step, moved.result)).collect::<Vec<_>>(), [(-1, 0), (1, 2)]);
        assert!(since(&transaction, begun, present).unwrap().is_none());
        forget(&transaction).unwrap();
        assert!(since(&transaction, present, version(&transaction).unwrap()).unwrap().is_none());
        let kept: i64 = transaction.query_one("SELECT count(*) FROM moves", [], |row| row.get(0)).unwrap();
        assert!(kept <= 1_000, "{kept}");
    }
}
