//! Bulk insertion: indexes, counts and the search index are built after the rows, which is faster than row by row.

use rusqlite::Connection;

use crate::service::store::tables::projects;

/// Rebuilds, from the counts of the projects, what triggers maintain row by row.
const REBUILD: &str = "
    UPDATE totals SET (reports, good, decent, bad) = (
        SELECT total(reports), total(good), total(decent), total(bad) FROM projects
    );
    INSERT INTO report_search (report_search) VALUES ('rebuild');";

/// Recreates the dropped indexes and triggers, recounts reports, and rebuilds the search index.
pub fn complete(connection: &Connection, definitions: &[String]) -> rusqlite::Result<()> {
    for definition in definitions {
        connection.execute_batch(definition)?;
    }
    connection.execute_batch(projects::RECOUNT)?;
    connection.execute_batch(REBUILD)
}

/// Drops the indexes and triggers of reports, and returns the statements that recreate them.
pub fn drop_indexes(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(
        "SELECT sql, format('DROP %s %s', type, name) FROM sqlite_schema \
         WHERE tbl_name = 'reports' AND type IN ('index', 'trigger') AND sql IS NOT NULL",
    )?;
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(String, String)> = found.collect::<Result<_, _>>()?;
    for (_, drop) in &found {
        connection.execute_batch(drop)?;
    }
    Ok(found.into_iter().map(|(definition, _)| definition).collect())
}
