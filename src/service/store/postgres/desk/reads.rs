//! Reads of the desk's tables.

use tokio_postgres::{Error, Row};

use crate::domain::desk::Role;
use crate::service::store::desk::records::{
    DeskRecord, DeskTables, EventRecord, LogTail, NoteRecord, PersonRecord, ServiceRecord, ServiceRows, StateRecord,
};
use crate::service::store::postgres::parameters::{TypedParameter, parameters};
use crate::service::store::postgres::transactions::PgConnection;

/// The columns of an event, in the order of [`event`].
pub const EVENT: &str = "revision, change, service, report, cause, at, content";

pub async fn desk(connection: &PgConnection) -> Result<DeskRecord, Error> {
    let row = connection.query_typed_one("SELECT revision, service_id, pruned FROM desk", &[]).await?;
    Ok(DeskRecord { revision: row.try_get(0)?, service_id: row.try_get(1)?, pruned: row.try_get(2)? })
}

pub fn event(row: &Row) -> Result<EventRecord, Error> {
    Ok(EventRecord {
        revision: row.try_get(0)?,
        change: row.try_get(1)?,
        service: row.try_get(2)?,
        report: row.try_get(3)?,
        cause: row.try_get(4)?,
        at: row.try_get(5)?,
        content: row.try_get(6)?,
    })
}

pub fn state(row: &Row) -> Result<StateRecord, Error> {
    Ok(StateRecord {
        service: row.try_get(0)?,
        report: row.try_get(1)?,
        version: row.try_get(2)?,
        content: row.try_get(3)?,
    })
}

pub fn note(row: &Row) -> Result<NoteRecord, Error> {
    Ok(NoteRecord {
        id: row.try_get(0)?,
        service: row.try_get(1)?,
        report: row.try_get(2)?,
        withdrawn: row.try_get::<_, i64>(3)? != 0,
        content: row.try_get(4)?,
    })
}

pub fn service(row: &Row) -> Result<ServiceRecord, Error> {
    Ok(ServiceRecord {
        id: row.try_get(0)?,
        base: row.try_get(1)?,
        service_id: row.try_get(2)?,
        label: row.try_get(3)?,
        merged_into: row.try_get(4)?,
    })
}

pub fn person(row: &Row) -> Result<PersonRecord, Error> {
    Ok(PersonRecord { handle: row.try_get(0)?, name: row.try_get(1)?, left_at: row.try_get(2)? })
}

/// Returns all rows of a statement.
pub async fn all<T>(
    connection: &PgConnection,
    sql: &str,
    parameters: &[TypedParameter<'_>],
    read: impl FnMut(&Row) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    connection.query_typed(sql, parameters).await?.iter().map(read).collect()
}

pub async fn services(connection: &PgConnection) -> Result<Vec<ServiceRecord>, Error> {
    let sql = "SELECT id, base, service_id, label, merged_into FROM desk_services ORDER BY id";
    all(connection, sql, &[], service).await
}

/// Returns the change id of an event, if it is retained.
async fn change(connection: &PgConnection, revision: i64) -> Result<Option<String>, Error> {
    let sql = "SELECT change FROM desk_events WHERE revision = $1";
    let found = connection.query_typed_opt(sql, parameters![revision]).await?;
    found.map(|row| row.try_get(0)).transpose()
}

pub async fn tables(connection: &PgConnection) -> Result<DeskTables, Error> {
    let desk = desk(connection).await?;
    let sql = "SELECT handle, name, left_at FROM people ORDER BY handle";
    let people = all(connection, sql, &[], person).await?;
    let sql = "SELECT person, role FROM keys WHERE person IS NOT NULL AND revoked_at IS NULL \
               AND (expires_at IS NULL OR expires_at > extract(epoch FROM clock_timestamp()) * 1000)";
    let role = |row: &Row| Ok((row.try_get(0)?, Role::from_stored(row.try_get(1)?)));
    let roles = all(connection, sql, &[], role).await?;
    let last_change = change(connection, desk.revision).await?;
    Ok(DeskTables { people, roles, services: services(connection).await?, last_change, desk })
}

async fn rows_of<T>(connection: &PgConnection, service: i64, rows: Vec<T>) -> Result<ServiceRows<T>, Error> {
    let desk = desk(connection).await?;
    let last_change = change(connection, desk.revision).await?;
    Ok(ServiceRows { last_change, desk, is_service: is_service(connection, service).await?, rows })
}

/// Whether the service exists and was not merged into another.
async fn is_service(connection: &PgConnection, service: i64) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM desk_services WHERE id = $1 AND merged_into IS NULL)";
    connection.query_typed_one(sql, parameters![service]).await?.try_get(0)
}

pub async fn states(
    connection: &PgConnection,
    service: i64,
    after: &str,
    most: u16,
) -> Result<ServiceRows<StateRecord>, Error> {
    let sql = "SELECT service, report, version, content FROM desk_states WHERE service = $1 AND report > $2 \
               ORDER BY report LIMIT $3";
    let rows = all(connection, sql, parameters![service, after, i64::from(most)], state).await?;
    rows_of(connection, service, rows).await
}

pub async fn notes(
    connection: &PgConnection,
    service: i64,
    after: i64,
    most: u16,
) -> Result<ServiceRows<NoteRecord>, Error> {
    let sql = "SELECT id, service, report, withdrawn, content FROM desk_notes \
               WHERE service = $1 AND id > $2 AND withdrawn = 0 ORDER BY id LIMIT $3";
    let rows = all(connection, sql, parameters![service, after, i64::from(most)], note).await?;
    rows_of(connection, service, rows).await
}

pub async fn history(
    connection: &PgConnection,
    service: i64,
    report: &str,
    before: i64,
    most: u16,
) -> Result<ServiceRows<EventRecord>, Error> {
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE service = $1 AND report = $2 AND revision < $3 \
         ORDER BY revision DESC LIMIT $4"
    );
    let rows = all(connection, &sql, parameters![service, report, before, i64::from(most)], event).await?;
    rows_of(connection, service, rows).await
}

pub async fn tail(connection: &PgConnection, after: i64, service: Option<i64>, most: u16) -> Result<LogTail, Error> {
    let desk = desk(connection).await?;
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE revision > $1 AND ($2 IS NULL OR service IS NULL OR service = $2) \
         ORDER BY revision LIMIT $3"
    );
    let events = all(connection, &sql, parameters![after, service, i64::from(most)], event).await?;
    let (last_change, change_there) = (change(connection, desk.revision).await?, change(connection, after).await?);
    let is_service = match service {
        Some(service) => is_service(connection, service).await?,
        None => true,
    };
    Ok(LogTail { desk, last_change, change_there, is_service, events })
}
