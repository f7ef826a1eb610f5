//! Reads and SQL statements behind desk writes.

use tokio_postgres::{Error, Row};

use super::listen::WRITES;
use super::reads;
use crate::domain::desk::Role;
use crate::service::store::desk::records::{
    DeskQuery, DeskSituation, DeskStatement, EventRecord, NoteRecord, PersonRecord, ServiceRecord, StateRecord,
};
use crate::service::store::postgres::keys;
use crate::service::store::postgres::parameters::{TypedParameter, parameters};
use crate::service::store::postgres::transactions::PgConnection;

/// Reads what a write needs to know. Locks the desk's row, so nothing changes until the transaction ends.
pub async fn read_situation(connection: &PgConnection, query: &DeskQuery, now: i64) -> Result<DeskSituation, Error> {
    connection.query_typed("SELECT 1 FROM desk FOR UPDATE", &[]).await?;
    let sql = format!("SELECT {} FROM desk_events WHERE change = $1", reads::EVENT);
    let change = query.change.map(|change| change.to_string());
    let repeated = one(connection, &sql, parameters![change], reads::event).await?;
    let sql = "SELECT service, report, version, content FROM desk_states WHERE service = $1 AND report = $2";
    let (service, report) = query.report.clone().unzip();
    let state = one(connection, sql, parameters![service, report], reads::state).await?;
    let sql = "SELECT 1 FROM desk_events WHERE service = $1 AND report = $2 AND cause = $3";
    let is_cause_known = one(connection, sql, parameters![service, report, query.cause], |_| Ok(())).await?.is_some();
    let sql = "SELECT id, service, report, withdrawn, content FROM desk_notes WHERE id = $1";
    let note = one(connection, sql, parameters![query.note], reads::note).await?;
    let sql = "SELECT handle, name, left_at FROM people WHERE handle = $1";
    let person = one(connection, sql, parameters![query.person], reads::person).await?;
    let sql =
        "SELECT role FROM keys WHERE person = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    let role = |row: &Row| Ok(Role::from_stored(row.try_get(0)?));
    let roles = reads::all(connection, sql, parameters![query.person, now], role).await?;
    let sql = "SELECT role, person FROM keys WHERE name = $1 AND revoked_at IS NULL";
    let key = |row: &Row| Ok((Role::from_stored(row.try_get(0)?), row.try_get(1)?));
    let key = one(connection, sql, parameters![query.key], key).await?;
    let conflicts = match query.merge {
        Some(services) => conflicts(connection, services).await?,
        None => Vec::new(),
    };
    let (desk, services) = (reads::desk(connection).await?, reads::services(connection).await?);
    Ok(DeskSituation { desk, repeated, services, state, is_cause_known, note, person, roles, key, conflicts })
}

/// Returns a statement's row, if any; NULL in its condition matches none.
async fn one<T>(
    connection: &PgConnection,
    sql: &str,
    parameters: &[TypedParameter<'_>],
    read: impl FnOnce(&Row) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    connection.query_typed_opt(sql, parameters).await?.as_ref().map(read).transpose()
}

async fn conflicts(
    connection: &PgConnection,
    (from, into): (i64, i64),
) -> Result<Vec<(StateRecord, StateRecord)>, Error> {
    let sql = "SELECT one.service, one.report, one.version, one.content, \
               other.service, other.report, other.version, other.content \
               FROM desk_states one JOIN desk_states other ON other.report = one.report AND other.service = $2 \
               WHERE one.service = $1 ORDER BY one.report";
    let read = |row: &Row| {
        let at = |first: usize| -> Result<StateRecord, Error> {
            let (service, report) = (row.try_get(first)?, row.try_get(first + 1)?);
            Ok(StateRecord { service, report, version: row.try_get(first + 2)?, content: row.try_get(first + 3)? })
        };
        Ok((at(0)?, at(4)?))
    };
    reads::all(connection, sql, parameters![from, into], read).await
}

/// Executes a statement of a write.
pub async fn apply(connection: &PgConnection, statement: &DeskStatement, now: i64) -> Result<(), Error> {
    match statement {
        DeskStatement::PutState(record) => put_state(connection, record).await,
        DeskStatement::DeleteState(service, report) => {
            let sql = "DELETE FROM desk_states WHERE service = $1 AND report = $2";
            run(connection, sql, parameters![service, report]).await
        }
        DeskStatement::PutNote(record) => put_note(connection, record).await,
        DeskStatement::PutService(record) => put_service(connection, record).await,
        DeskStatement::Merge(from, into) => merge(connection, *from, *into).await,
        DeskStatement::PutPerson(record) => put_person(connection, record).await,
        DeskStatement::AddPerson(PersonRecord { handle, name, left_at }) => {
            let sql = "INSERT INTO people (handle, name, left_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            run(connection, sql, parameters![handle, name, left_at]).await
        }
        DeskStatement::InsertKey(key, digest) => keys::insert(connection, key, digest, now).await.map(drop),
        DeskStatement::RevokeKey(name) => keys::revoke(connection, name, now).await.map(drop),
        DeskStatement::RevokeKeysOf(person) => {
            let sql = "UPDATE keys SET revoked_at = $2 WHERE person = $1 AND revoked_at IS NULL";
            run(connection, sql, parameters![person, now]).await
        }
        DeskStatement::Append(record) => {
            let revision = record.revision;
            run(connection, "UPDATE desk SET revision = $1", parameters![revision]).await?;
            put_event(connection, record).await?;
            // Delivered to all instances on commit.
            connection.query_typed("SELECT pg_notify($1, $2::text)", parameters![WRITES, revision]).await.map(drop)
        }
    }
}

async fn run(connection: &PgConnection, sql: &str, parameters: &[TypedParameter<'_>]) -> Result<(), Error> {
    connection.execute_typed(sql, parameters).await.map(drop)
}

async fn put_state(connection: &PgConnection, record: &StateRecord) -> Result<(), Error> {
    let StateRecord { service, report, version, content } = record;
    let sql = "INSERT INTO desk_states (service, report, version, content) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (service, report) DO UPDATE SET version = excluded.version, content = excluded.content";
    run(connection, sql, parameters![service, report, version, content]).await
}

async fn put_note(connection: &PgConnection, record: &NoteRecord) -> Result<(), Error> {
    let NoteRecord { id, service, report, withdrawn, content } = record;
    let sql = "INSERT INTO desk_notes (id, service, report, withdrawn, content) VALUES ($1, $2, $3, $4, $5) \
               ON CONFLICT (id) DO UPDATE SET withdrawn = excluded.withdrawn, content = excluded.content";
    let withdrawn = i64::from(*withdrawn);
    run(connection, sql, parameters![id, service, report, withdrawn, content]).await
}

async fn put_service(connection: &PgConnection, record: &ServiceRecord) -> Result<(), Error> {
    let ServiceRecord { id, base, service_id, label, merged_into } = record;
    let sql = "INSERT INTO desk_services (id, base, service_id, label, merged_into) VALUES ($1, $2, $3, $4, $5) \
               ON CONFLICT (id) DO UPDATE SET base = excluded.base, service_id = excluded.service_id, \
               label = excluded.label, merged_into = excluded.merged_into";
    run(connection, sql, parameters![id, base, service_id, label, merged_into]).await
}

async fn put_person(connection: &PgConnection, record: &PersonRecord) -> Result<(), Error> {
    let PersonRecord { handle, name, left_at } = record;
    let sql = "INSERT INTO people (handle, name, left_at) VALUES ($1, $2, $3) \
               ON CONFLICT (handle) DO UPDATE SET name = excluded.name, left_at = excluded.left_at";
    run(connection, sql, parameters![handle, name, left_at]).await
}

async fn put_event(connection: &PgConnection, record: &EventRecord) -> Result<(), Error> {
    let EventRecord { revision, change, service, report, cause, at, content } = record;
    let sql = "INSERT INTO desk_events (revision, change, service, report, cause, at, content) \
               VALUES ($1, $2, $3, $4, $5, $6, $7)";
    run(connection, sql, parameters![revision, change, service, report, cause, at, content]).await
}

/// Moves all rows of a service to another one. If both have a report's cause, the target's event keeps it.
async fn merge(connection: &PgConnection, from: i64, into: i64) -> Result<(), Error> {
    for sql in [
        "UPDATE desk_states SET service = $2 WHERE service = $1",
        "UPDATE desk_notes SET service = $2 WHERE service = $1",
        "UPDATE desk_events SET cause = NULL WHERE service = $1 AND EXISTS (SELECT 1 FROM desk_events other \
         WHERE other.service = $2 AND other.report = desk_events.report AND other.cause = desk_events.cause)",
        "UPDATE desk_events SET service = $2 WHERE service = $1",
        "UPDATE desk_services SET merged_into = $2 WHERE id = $1 OR merged_into = $1",
    ] {
        run(connection, sql, parameters![from, into]).await?;
    }
    Ok(())
}

/// Deletes events before a time, except the last event, and returns their number.
pub async fn prune(connection: &PgConnection, before: i64) -> Result<u64, Error> {
    connection.query_typed("SELECT 1 FROM desk FOR UPDATE", &[]).await?;
    let last = "SELECT max(revision) FROM desk_events WHERE at < $1 AND revision < (SELECT revision FROM desk)";
    let last: Option<i64> = connection.query_typed_one(last, parameters![before]).await?.try_get(0)?;
    let Some(last) = last else { return Ok(0) };
    // Up to the last of them, so that the retained log has no gaps even if a clock was set back.
    let last = parameters![last];
    let deleted = connection.execute_typed("DELETE FROM desk_events WHERE revision <= $1", last).await?;
    run(connection, "UPDATE desk SET pruned = greatest(pruned, $1)", last).await?;
    Ok(deleted)
}
