//! Reads and SQL statements behind desk writes.

use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use super::reads;
use crate::domain::desk::Role;
use crate::service::store::desk::records::{
    DeskQuery, DeskSituation, DeskStatement, EventRecord, NoteRecord, PersonRecord, ServiceRecord, StateRecord,
};
use crate::service::store::sqlite::tables::keys;
use crate::service::store::values;

/// Reads what a write needs to know. The transaction is a write, so nothing changes until it ends.
pub fn read_situation(connection: &Connection, query: &DeskQuery) -> rusqlite::Result<DeskSituation> {
    let sql = format!("SELECT {} FROM desk_events WHERE change = ?1", reads::EVENT);
    let change = query.change.map(|change| change.to_string());
    let repeated = one(connection, &sql, change.as_ref().map(|change| (change,)), reads::event)?;
    let sql = "SELECT service, report, version, content FROM desk_states WHERE service = ?1 AND report = ?2";
    let about = query.report.as_ref().map(|(service, report)| (*service, report));
    let state = one(connection, sql, about, reads::state)?;
    let sql = "SELECT 1 FROM desk_events WHERE service = ?1 AND report = ?2 AND cause = ?3";
    let cause = about.zip(query.cause.as_ref()).map(|((service, report), cause)| (service, report, cause));
    let is_cause_known = one(connection, sql, cause, |_| Ok(()))?.is_some();
    let sql = "SELECT id, service, report, withdrawn, content FROM desk_notes WHERE id = ?1";
    let note = one(connection, sql, query.note.map(|id| (id,)), reads::note)?;
    let sql = "SELECT handle, name, left_at FROM people WHERE handle = ?1";
    let handle = query.person.as_ref().map(|handle| (handle,));
    let person = one(connection, sql, handle, reads::person)?;
    let sql =
        "SELECT role FROM keys WHERE person = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)";
    let mut roles = connection.prepare_cached(sql)?;
    let roles = roles.query_map(params![query.person, values::now()], |row| row.get::<_, Role>(0))?;
    let roles = roles.collect::<Result<_, _>>()?;
    let sql = "SELECT role, person FROM keys WHERE name = ?1 AND revoked_at IS NULL";
    let key = one(connection, sql, query.key.as_ref().map(|name| (name,)), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(DeskSituation {
        desk: reads::desk(connection)?,
        repeated,
        services: reads::services(connection)?,
        state,
        is_cause_known,
        note,
        person,
        roles,
        key,
        conflicts: query.merge.map_or_else(|| Ok(Vec::new()), |services| conflicts(connection, services))?,
    })
}

/// Returns a statement's row, if any; `None` without parameters.
fn one<T>(
    connection: &Connection,
    sql: &str,
    parameters: Option<impl Params>,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    let Some(parameters) = parameters else { return Ok(None) };
    connection.prepare_cached(sql)?.query_one(parameters, read).optional()
}

fn conflicts(connection: &Connection, (from, into): (i64, i64)) -> rusqlite::Result<Vec<(StateRecord, StateRecord)>> {
    let sql = "SELECT one.service, one.report, one.version, one.content, \
               other.service, other.report, other.version, other.content \
               FROM desk_states one JOIN desk_states other ON other.report = one.report AND other.service = ?2 \
               WHERE one.service = ?1 ORDER BY one.report";
    let read = |row: &Row<'_>| {
        let at = |first: usize| -> rusqlite::Result<StateRecord> {
            let (service, report) = (row.get(first)?, row.get(first + 1)?);
            Ok(StateRecord { service, report, version: row.get(first + 2)?, content: row.get(first + 3)? })
        };
        Ok((at(0)?, at(4)?))
    };
    connection.prepare_cached(sql)?.query_map((from, into), read)?.collect()
}

/// Executes a statement of a write.
pub fn apply(connection: &Connection, statement: &DeskStatement) -> rusqlite::Result<()> {
    match statement {
        DeskStatement::PutState(record) => put_state(connection, record),
        DeskStatement::DeleteState(service, report) => {
            run(connection, "DELETE FROM desk_states WHERE service = ?1 AND report = ?2", (service, report))
        }
        DeskStatement::PutNote(record) => put_note(connection, record),
        DeskStatement::PutService(record) => put_service(connection, record),
        DeskStatement::Merge(from, into) => merge(connection, *from, *into),
        DeskStatement::PutPerson(record) => put_person(connection, record),
        DeskStatement::AddPerson(PersonRecord { handle, name, left_at }) => {
            let sql = "INSERT INTO people (handle, name, left_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
            run(connection, sql, params![handle, name, left_at])
        }
        DeskStatement::InsertKey(key, digest) => keys::insert(connection, key, digest).map(drop),
        DeskStatement::RevokeKey(name) => keys::revoke(connection, name).map(drop),
        DeskStatement::RevokeKeysOf(person) => {
            let sql = "UPDATE keys SET revoked_at = ?2 WHERE person = ?1 AND revoked_at IS NULL";
            run(connection, sql, (person, values::now()))
        }
        DeskStatement::Append(record) => {
            run(connection, "UPDATE desk SET revision = ?1", [record.revision])?;
            put_event(connection, record)
        }
    }
}

fn run(connection: &Connection, sql: &str, parameters: impl Params) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute(parameters).map(drop)
}

fn put_state(connection: &Connection, record: &StateRecord) -> rusqlite::Result<()> {
    let StateRecord { service, report, version, content } = record;
    let sql = "INSERT OR REPLACE INTO desk_states (service, report, version, content) VALUES (?1, ?2, ?3, ?4)";
    run(connection, sql, params![service, report, version, content])
}

fn put_note(connection: &Connection, record: &NoteRecord) -> rusqlite::Result<()> {
    let NoteRecord { id, service, report, withdrawn, content } = record;
    let sql = "INSERT OR REPLACE INTO desk_notes (id, service, report, withdrawn, content) VALUES (?1, ?2, ?3, ?4, ?5)";
    run(connection, sql, params![id, service, report, withdrawn, content])
}

fn put_service(connection: &Connection, record: &ServiceRecord) -> rusqlite::Result<()> {
    let ServiceRecord { id, base, service_id, label, merged_into } = record;
    let sql = "INSERT INTO desk_services (id, base, service_id, label, merged_into) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET base = excluded.base, service_id = excluded.service_id, \
               label = excluded.label, merged_into = excluded.merged_into";
    run(connection, sql, params![id, base, service_id, label, merged_into])
}

fn put_person(connection: &Connection, record: &PersonRecord) -> rusqlite::Result<()> {
    let PersonRecord { handle, name, left_at } = record;
    let sql = "INSERT INTO people (handle, name, left_at) VALUES (?1, ?2, ?3) \
               ON CONFLICT (handle) DO UPDATE SET name = excluded.name, left_at = excluded.left_at";
    run(connection, sql, params![handle, name, left_at])
}

fn put_event(connection: &Connection, record: &EventRecord) -> rusqlite::Result<()> {
    let EventRecord { revision, change, service, report, cause, at, content } = record;
    let sql = "INSERT INTO desk_events (revision, change, service, report, cause, at, content) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    run(connection, sql, params![revision, change, service, report, cause, at, content])
}

/// Moves all rows of a service to another one. If both have a report's cause, the target's event keeps it.
fn merge(connection: &Connection, from: i64, into: i64) -> rusqlite::Result<()> {
    for sql in [
        "UPDATE desk_states SET service = ?2 WHERE service = ?1",
        "UPDATE desk_notes SET service = ?2 WHERE service = ?1",
        "UPDATE desk_events SET cause = NULL WHERE service = ?1 AND EXISTS (SELECT 1 FROM desk_events other \
         WHERE other.service = ?2 AND other.report = desk_events.report AND other.cause = desk_events.cause)",
        "UPDATE desk_events SET service = ?2 WHERE service = ?1",
        "UPDATE desk_services SET merged_into = ?2 WHERE id = ?1 OR merged_into = ?1",
    ] {
        run(connection, sql, (from, into))?;
    }
    Ok(())
}

/// Deletes events before a time, except the last event, and returns their number.
pub fn prune(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    let last = "SELECT max(revision) FROM desk_events WHERE at < ?1 AND revision < (SELECT revision FROM desk)";
    let Some(last) = connection.query_one(last, [before], |row| row.get::<_, Option<i64>>(0))? else { return Ok(0) };
    // Up to the last of them, so that the retained log has no gaps even if a clock was set back.
    let deleted = connection.execute("DELETE FROM desk_events WHERE revision <= ?1", [last])?;
    connection.execute("UPDATE desk SET pruned = max(pruned, ?1)", [last])?;
    Ok(u64::try_from(deleted).unwrap_or_default())
}
