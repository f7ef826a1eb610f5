//! SQL statements of desk writes.

use jiff::Timestamp;
use serde::Serialize;

use super::reads::ServiceRecord;
use crate::domain::desk::{DeskEvent, DeskNote, DeskRow, DeskService, Person};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Engine, SqlTransaction, SqlValue, bind};

/// The channel on which PostgreSQL notifies other instances of writes.
pub const CHANNEL: &str = "desk";

async fn run(transaction: &impl SqlTransaction, sql: &str, values: &[&dyn SqlValue]) -> Result<(), StoreError> {
    transaction.execute(sql, values).await.map(drop)
}

fn encode(content: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(content).map_err(|error| StoreError::Database(error.into()))
}

/// Inserts or replaces a row of a service.
pub async fn put_state(transaction: &impl SqlTransaction, service: i64, row: &DeskRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO desk_states (service, report, version, content) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (service, report) DO UPDATE SET version = excluded.version, content = excluded.content";
    run(transaction, sql, bind![service, row.report.raw(), row.version, encode(row)?]).await
}

/// Deletes a row of a service that is being merged.
pub async fn delete_state(
    transaction: &impl SqlTransaction,
    service: i64,
    report: &ReportId,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM desk_states WHERE service = ?1 AND report = ?2";
    run(transaction, sql, bind![service, report.raw()]).await
}

/// Inserts or replaces a note of a service.
pub async fn put_note(transaction: &impl SqlTransaction, service: i64, note: &DeskNote) -> Result<(), StoreError> {
    let sql = "INSERT INTO desk_notes (id, service, report, withdrawn, content) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET withdrawn = excluded.withdrawn, content = excluded.content";
    let withdrawn = i64::from(note.withdrawn);
    run(transaction, sql, bind![note.id, service, note.report.raw(), withdrawn, encode(note)?]).await
}

/// Inserts or replaces a service.
pub async fn put_service(transaction: &impl SqlTransaction, record: &ServiceRecord) -> Result<(), StoreError> {
    let ServiceRecord { service: DeskService { id, base, service_id, label }, merged_into } = record;
    let sql = "INSERT INTO desk_services (id, base, service_id, label, merged_into) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET base = excluded.base, service_id = excluded.service_id, \
               label = excluded.label, merged_into = excluded.merged_into";
    let (base, service_id) = (base.as_ref().map(Text::raw), service_id.as_ref().map(Text::raw));
    run(transaction, sql, bind![id, base, service_id, label.raw(), merged_into]).await
}

/// Inserts or replaces a person.
pub async fn put_person(transaction: &impl SqlTransaction, person: &Person) -> Result<(), StoreError> {
    let sql = "INSERT INTO people (handle, name, left_at) VALUES (?1, ?2, ?3) \
               ON CONFLICT (handle) DO UPDATE SET name = excluded.name, left_at = excluded.left_at";
    let left_at = person.left_at.map(Timestamp::as_millisecond);
    run(transaction, sql, bind![person.handle.as_str(), person.name.raw(), left_at]).await
}

/// Appends an event, and sets the desk's revision to its own.
pub async fn append<S: SqlTransaction>(transaction: &S, event: &DeskEvent) -> Result<(), StoreError> {
    run(transaction, "UPDATE desk SET revision = ?1", bind![event.revision]).await?;
    let sql = "INSERT INTO desk_events (revision, change, service, report, cause, at, content) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let (report, cause) = (event.report.as_ref().map(ReportId::raw), event.cause.as_ref().map(Text::raw));
    let (change, at) = (event.change.to_string(), event.at.as_millisecond());
    let values = bind![event.revision, change, event.service, report, cause, at, encode(event)?];
    run(transaction, sql, values).await?;
    if S::ENGINE == Engine::Postgres {
        // Delivered to all instances on commit.
        run(transaction, "SELECT pg_notify(?1, ?2)", bind![CHANNEL, event.revision.to_string()]).await?;
    }
    Ok(())
}

/// Moves all rows of a service to another one. If both have a report's cause, the target's event keeps it.
pub async fn merge(transaction: &impl SqlTransaction, from: i64, into: i64) -> Result<(), StoreError> {
    for sql in [
        "UPDATE desk_states SET service = ?2 WHERE service = ?1",
        "UPDATE desk_notes SET service = ?2 WHERE service = ?1",
        "UPDATE desk_events SET cause = NULL WHERE service = ?1 AND EXISTS (SELECT 1 FROM desk_events other \
         WHERE other.service = ?2 AND other.report = desk_events.report AND other.cause = desk_events.cause)",
        "UPDATE desk_events SET service = ?2 WHERE service = ?1",
        "UPDATE desk_services SET merged_into = ?2 WHERE id = ?1 OR merged_into = ?1",
    ] {
        run(transaction, sql, bind![from, into]).await?;
    }
    Ok(())
}

/// Deletes events before a time, except the last event, and returns their number.
pub async fn prune(transaction: &impl SqlTransaction, before: i64) -> Result<u64, StoreError> {
    let last = "SELECT max(revision) FROM desk_events WHERE at < ?1 AND revision < (SELECT revision FROM desk)";
    let last = transaction.one(last, bind![before], |row| row.get::<Option<i64>>(0)).await?;
    let Some(last) = last else { return Ok(0) };
    // Up to the last of them, so that the retained log has no gaps even if a clock was set back.
    let deleted = transaction.execute("DELETE FROM desk_events WHERE revision <= ?1", bind![last]).await?;
    run(transaction, "UPDATE desk SET pruned = ?1 WHERE pruned < ?1", bind![last]).await?;
    Ok(deleted)
}
