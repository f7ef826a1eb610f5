//! Reads and SQL statements behind desk writes.

use jiff::Timestamp;
use serde::Serialize;

use super::reads;
use super::records::{DeskQuery, DeskSituation, DeskStatement, ServiceRecord};
use crate::domain::desk::{DeskEvent, DeskNote, DeskRow, DeskService, Handle, Person};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, SqlValue, bind};
use crate::service::store::tables::keys;

/// The channel on which PostgreSQL notifies other instances of writes.
pub const CHANNEL: &str = "desk";

/// Reads what a write needs to know. Writers take turns, so nothing changes until the transaction ends. NULL in a
/// condition matches no row.
pub async fn read_situation(transaction: &impl SqlTransaction, query: &DeskQuery) -> Result<DeskSituation, StoreError> {
    let now = transaction.now();
    let sql = format!("SELECT {} FROM desk_events WHERE change = ?1", reads::EVENT);
    let change = query.change.map(|change| change.to_string());
    let repeated = transaction.row(&sql, bind![change], reads::event).await?;
    let sql = "SELECT content FROM desk_states WHERE service = ?1 AND report = ?2";
    let (service, report) = query.report.clone().unzip();
    let state = transaction.row(sql, bind![service, report], |row| reads::json(row, 0)).await?;
    let sql = "SELECT 1 FROM desk_events WHERE service = ?1 AND report = ?2 AND cause = ?3";
    let is_cause_known = transaction.row(sql, bind![service, report, query.cause], |_| Ok(())).await?.is_some();
    let sql = "SELECT content FROM desk_notes WHERE id = ?1 AND service = ?2 AND report = ?3";
    let note = transaction.row(sql, bind![query.note, service, report], |row| reads::json(row, 0)).await?;
    let handle = query.person.as_ref().map(Handle::as_str);
    let sql = format!("SELECT {} FROM people WHERE handle = ?1", reads::PERSON);
    let person = transaction.row(&sql, bind![handle], reads::person).await?;
    let sql =
        "SELECT role FROM keys WHERE person = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)";
    let role = transaction.rows(sql, bind![handle, now], |row| keys::role(row, 0)).await?.into_iter().max();
    let person = person.map(|person| Person { role, ..person });
    let sql = "SELECT role, person FROM keys WHERE name = ?1 AND revoked_at IS NULL";
    let key = transaction.row(sql, bind![query.key], |row| Ok((keys::role(row, 0)?, keys::person(row, 1)?))).await?;
    let sql = "SELECT one.content, other.content \
               FROM desk_states one JOIN desk_states other ON other.report = one.report AND other.service = ?2 \
               WHERE one.service = ?1 ORDER BY one.report";
    let (from, into) = query.merge.unzip();
    let both = |row: &SqlRow<'_>| Ok((reads::json(row, 0)?, reads::json(row, 1)?));
    let conflicts = transaction.rows(sql, bind![from, into], both).await?;
    let (desk, services) = (reads::desk(transaction).await?, reads::services(transaction).await?);
    Ok(DeskSituation { now, desk, repeated, services, state, is_cause_known, note, person, key, conflicts })
}

/// Executes a statement of a write.
pub async fn apply<S: SqlTransaction>(transaction: &S, statement: &DeskStatement) -> Result<(), StoreError> {
    match statement {
        DeskStatement::PutState(service, row) => put_state(transaction, *service, row).await,
        DeskStatement::DeleteState(service, report) => {
            let sql = "DELETE FROM desk_states WHERE service = ?1 AND report = ?2";
            run(transaction, sql, bind![service, report.raw()]).await
        }
        DeskStatement::PutNote(service, note) => put_note(transaction, *service, note).await,
        DeskStatement::PutService(record) => put_service(transaction, record).await,
        DeskStatement::Merge(from, into) => merge(transaction, *from, *into).await,
        DeskStatement::PutPerson(person) => {
            let known = "(handle) DO UPDATE SET name = excluded.name, left_at = excluded.left_at";
            put_person(transaction, person, known).await
        }
        DeskStatement::AddPerson(person) => put_person(transaction, person, "DO NOTHING").await,
        DeskStatement::InsertKey(key, digest) => keys::insert(transaction, key, digest).await,
        DeskStatement::RevokeKey(name) => keys::revoke(transaction, name).await,
        DeskStatement::RevokeKeysOf(person) => {
            let sql = "UPDATE keys SET revoked_at = ?2 WHERE person = ?1 AND revoked_at IS NULL";
            run(transaction, sql, bind![person.as_str(), transaction.now()]).await
        }
        DeskStatement::Append(event) => {
            let revision = event.revision;
            run(transaction, "UPDATE desk SET revision = ?1", bind![revision]).await?;
            put_event(transaction, event).await?;
            if S::ENGINE == Engine::Postgres {
                // Delivered to all instances on commit.
                run(transaction, "SELECT pg_notify(?1, ?2)", bind![CHANNEL, revision.to_string()]).await?;
            }
            Ok(())
        }
    }
}

async fn run(transaction: &impl SqlTransaction, sql: &str, values: &[&dyn SqlValue]) -> Result<(), StoreError> {
    transaction.execute(sql, values).await.map(drop)
}

fn encode(content: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(content).map_err(|error| StoreError::Database(error.into()))
}

async fn put_state(transaction: &impl SqlTransaction, service: i64, row: &DeskRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO desk_states (service, report, version, content) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (service, report) DO UPDATE SET version = excluded.version, content = excluded.content";
    run(transaction, sql, bind![service, row.report.raw(), row.version, encode(row)?]).await
}

async fn put_note(transaction: &impl SqlTransaction, service: i64, note: &DeskNote) -> Result<(), StoreError> {
    let sql = "INSERT INTO desk_notes (id, service, report, withdrawn, content) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET withdrawn = excluded.withdrawn, content = excluded.content";
    let withdrawn = i64::from(note.withdrawn);
    run(transaction, sql, bind![note.id, service, note.report.raw(), withdrawn, encode(note)?]).await
}

async fn put_service(transaction: &impl SqlTransaction, record: &ServiceRecord) -> Result<(), StoreError> {
    let ServiceRecord { service: DeskService { id, base, service_id, label }, merged_into } = record;
    let sql = "INSERT INTO desk_services (id, base, service_id, label, merged_into) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET base = excluded.base, service_id = excluded.service_id, \
               label = excluded.label, merged_into = excluded.merged_into";
    let (base, service_id) = (base.as_ref().map(Text::raw), service_id.as_ref().map(Text::raw));
    run(transaction, sql, bind![id, base, service_id, label.raw(), merged_into]).await
}

/// Inserts a person; `known` is what happens if the handle exists.
async fn put_person(transaction: &impl SqlTransaction, person: &Person, known: &str) -> Result<(), StoreError> {
    let sql = format!("INSERT INTO people (handle, name, left_at) VALUES (?1, ?2, ?3) ON CONFLICT {known}");
    let left_at = person.left_at.map(Timestamp::as_millisecond);
    run(transaction, &sql, bind![person.handle.as_str(), person.name.raw(), left_at]).await
}

async fn put_event(transaction: &impl SqlTransaction, event: &DeskEvent) -> Result<(), StoreError> {
    let sql = "INSERT INTO desk_events (revision, change, service, report, cause, at, content) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let (report, cause) = (event.report.as_ref().map(ReportId::raw), event.cause.as_ref().map(Text::raw));
    let (change, at) = (event.change.to_string(), event.at.as_millisecond());
    run(transaction, sql, bind![event.revision, change, event.service, report, cause, at, encode(event)?]).await
}

/// Moves all rows of a service to another one. If both have a report's cause, the target's event keeps it.
async fn merge(transaction: &impl SqlTransaction, from: i64, into: i64) -> Result<(), StoreError> {
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
