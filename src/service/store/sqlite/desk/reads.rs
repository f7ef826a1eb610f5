//! Reads of the desk's tables.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::domain::desk::Role;
use crate::service::store::desk::records::{
    DeskRecord, DeskTables, EventRecord, LogTail, NoteRecord, PersonRecord, ServiceRecord, ServiceRows, StateRecord,
};
use crate::service::store::values::now;

/// The columns of an event, in the order of [`event`].
pub const EVENT: &str = "revision, change, service, report, cause, at, content";

pub fn desk(connection: &Connection) -> rusqlite::Result<DeskRecord> {
    connection
        .prepare_cached("SELECT revision, service_id, pruned FROM desk")?
        .query_one([], |row| Ok(DeskRecord { revision: row.get(0)?, service_id: row.get(1)?, pruned: row.get(2)? }))
}

pub fn event(row: &Row<'_>) -> rusqlite::Result<EventRecord> {
    Ok(EventRecord {
        revision: row.get(0)?,
        change: row.get(1)?,
        service: row.get(2)?,
        report: row.get(3)?,
        cause: row.get(4)?,
        at: row.get(5)?,
        content: row.get(6)?,
    })
}

pub fn state(row: &Row<'_>) -> rusqlite::Result<StateRecord> {
    Ok(StateRecord { service: row.get(0)?, report: row.get(1)?, version: row.get(2)?, content: row.get(3)? })
}

pub fn note(row: &Row<'_>) -> rusqlite::Result<NoteRecord> {
    Ok(NoteRecord {
        id: row.get(0)?,
        service: row.get(1)?,
        report: row.get(2)?,
        withdrawn: row.get(3)?,
        content: row.get(4)?,
    })
}

pub fn service(row: &Row<'_>) -> rusqlite::Result<ServiceRecord> {
    Ok(ServiceRecord {
        id: row.get(0)?,
        base: row.get(1)?,
        service_id: row.get(2)?,
        label: row.get(3)?,
        merged_into: row.get(4)?,
    })
}

pub fn person(row: &Row<'_>) -> rusqlite::Result<PersonRecord> {
    Ok(PersonRecord { handle: row.get(0)?, name: row.get(1)?, left_at: row.get(2)? })
}

pub fn services(connection: &Connection) -> rusqlite::Result<Vec<ServiceRecord>> {
    let sql = "SELECT id, base, service_id, label, merged_into FROM desk_services ORDER BY id";
    connection.prepare_cached(sql)?.query_map([], service)?.collect()
}

/// Returns the change id of an event, if it is retained.
fn change(connection: &Connection, revision: i64) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare_cached("SELECT change FROM desk_events WHERE revision = ?1")?;
    statement.query_one([revision], |row| row.get(0)).optional()
}

pub fn tables(connection: &Connection) -> rusqlite::Result<DeskTables> {
    let desk = desk(connection)?;
    let people = connection.prepare_cached("SELECT handle, name, left_at FROM people ORDER BY handle")?;
    let people = { people }.query_map([], person)?.collect::<Result<_, _>>()?;
    let sql = "SELECT person, role FROM keys WHERE person IS NOT NULL AND revoked_at IS NULL \
               AND (expires_at IS NULL OR expires_at > ?1)";
    let mut roles = connection.prepare_cached(sql)?;
    let roles = roles.query_map([now()], |row| Ok((row.get(0)?, row.get::<_, Role>(1)?)))?;
    let roles = roles.collect::<Result<_, _>>()?;
    let last_change = change(connection, desk.revision)?;
    Ok(DeskTables { people, roles, services: services(connection)?, last_change, desk })
}

fn rows_of<T>(connection: &Connection, service: i64, rows: Vec<T>) -> rusqlite::Result<ServiceRows<T>> {
    let desk = desk(connection)?;
    let (last_change, is_service) = (change(connection, desk.revision)?, is_service(connection, service)?);
    Ok(ServiceRows { desk, last_change, is_service, rows })
}

/// Whether the service exists and was not merged into another.
fn is_service(connection: &Connection, service: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM desk_services WHERE id = ?1 AND merged_into IS NULL)";
    connection.prepare_cached(sql)?.query_one([service], |row| row.get(0))
}

pub fn states(
    connection: &Connection,
    service: i64,
    after: &str,
    most: u16,
) -> rusqlite::Result<ServiceRows<StateRecord>> {
    let sql = "SELECT service, report, version, content FROM desk_states WHERE service = ?1 AND report > ?2 \
               ORDER BY report LIMIT ?3";
    let rows =
        connection.prepare_cached(sql)?.query_map(params![service, after, most], state)?.collect::<Result<_, _>>();
    rows_of(connection, service, rows?)
}

pub fn notes(
    connection: &Connection,
    service: i64,
    after: i64,
    most: u16,
) -> rusqlite::Result<ServiceRows<NoteRecord>> {
    let sql = "SELECT id, service, report, withdrawn, content FROM desk_notes \
               WHERE service = ?1 AND id > ?2 AND withdrawn = 0 ORDER BY id LIMIT ?3";
    let rows =
        connection.prepare_cached(sql)?.query_map(params![service, after, most], note)?.collect::<Result<_, _>>();
    rows_of(connection, service, rows?)
}

pub fn history(
    connection: &Connection,
    service: i64,
    report: &str,
    before: i64,
    most: u16,
) -> rusqlite::Result<ServiceRows<EventRecord>> {
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE service = ?1 AND report = ?2 AND revision < ?3 \
         ORDER BY revision DESC LIMIT ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![service, report, before, most], event)?.collect::<Result<_, _>>()?;
    rows_of(connection, service, rows)
}

pub fn tail(connection: &Connection, after: i64, service: Option<i64>, most: u16) -> rusqlite::Result<LogTail> {
    let desk = desk(connection)?;
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE revision > ?1 AND (?2 IS NULL OR service IS NULL OR service = ?2) \
         ORDER BY revision LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let events = statement.query_map(params![after, service, most], event)?.collect::<Result<_, _>>()?;
    let (last_change, change_there) = (change(connection, desk.revision)?, change(connection, after)?);
    let is_service = service.map_or(Ok(true), |service| is_service(connection, service))?;
    Ok(LogTail { desk, last_change, change_there, is_service, events })
}
