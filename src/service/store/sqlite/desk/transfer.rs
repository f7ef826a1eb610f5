//! Copies the desk's tables to and from another store.

use rusqlite::{Connection, Row, params};

use super::{reads, writes};
use crate::service::store::desk::records::{DeskRecord, DeskTableRow};

type ReadRow = fn(&Row<'_>) -> rusqlite::Result<DeskTableRow>;

/// The tables, each after those it refers to. Merged services refer to others, so they come last.
const TABLES: [(&str, ReadRow); 5] = [
    ("SELECT handle, name, left_at FROM people ORDER BY handle", |row| reads::person(row).map(DeskTableRow::Person)),
    (
        "SELECT id, base, service_id, label, merged_into FROM desk_services ORDER BY merged_into IS NOT NULL, id",
        |row| reads::service(row).map(DeskTableRow::Service),
    ),
    ("SELECT service, report, version, content FROM desk_states ORDER BY service, report", |row| {
        reads::state(row).map(DeskTableRow::State)
    }),
    ("SELECT id, service, report, withdrawn, content FROM desk_notes ORDER BY id", |row| {
        reads::note(row).map(DeskTableRow::Note)
    }),
    ("SELECT revision, change, service, report, cause, at, content FROM desk_events ORDER BY revision", |row| {
        reads::event(row).map(DeskTableRow::Event)
    }),
];

/// Passes every row to `take` until it returns false.
pub fn each_row(connection: &Connection, take: &mut dyn FnMut(DeskTableRow) -> bool) -> rusqlite::Result<bool> {
    if !take(DeskTableRow::Desk(reads::desk(connection)?)) {
        return Ok(false);
    }
    for (sql, read) in TABLES {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if !take(read(row)?) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Inserts a row of another store.
pub fn insert(connection: &Connection, row: &DeskTableRow) -> rusqlite::Result<()> {
    match row {
        DeskTableRow::Desk(DeskRecord { revision, service_id, pruned }) => {
            let sql = "UPDATE desk SET revision = ?1, service_id = ?2, pruned = ?3";
            connection.execute(sql, params![revision, service_id, pruned]).map(drop)
        }
        DeskTableRow::Person(record) => writes::put_person(connection, record),
        DeskTableRow::Service(record) => writes::put_service(connection, record),
        DeskTableRow::State(record) => writes::put_state(connection, record),
        DeskTableRow::Note(record) => writes::put_note(connection, record),
        DeskTableRow::Event(record) => writes::put_event(connection, record),
    }
}
