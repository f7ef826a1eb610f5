//! Reads and SQL statements behind desk writes.

use super::reads;
use super::records::{
    DeskQuery, DeskSituation, DeskStatement, EventRecord, NoteRecord, PersonRecord, ServiceRecord, StateRecord,
};
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, SqlValue, bind};
use crate::service::store::tables::keys;

/// The channel on which PostgreSQL notifies other instances of writes.
pub const CHANNEL: &str = "desk";

/// Reads what a write needs to know. Writers take turns, so nothing changes until the transaction ends. NULL in a
/// condition matches no row.
pub async fn read_situation(transaction: &impl SqlTransaction, query: &DeskQuery) -> Result<DeskSituation, StoreError> {
    let sql = format!("SELECT {} FROM desk_events WHERE change = ?1", reads::EVENT);
    let change = query.change.map(|change| change.to_string());
    let repeated = transaction.row(&sql, bind![change], reads::event).await?;
    let sql = "SELECT service, report, version, content FROM desk_states WHERE service = ?1 AND report = ?2";
    let (service, report) = query.report.clone().unzip();
    let state = transaction.row(sql, bind![service, report], reads::state).await?;
    let sql = "SELECT 1 FROM desk_events WHERE service = ?1 AND report = ?2 AND cause = ?3";
    let is_cause_known = transaction.row(sql, bind![service, report, query.cause], |_| Ok(())).await?.is_some();
    let sql = "SELECT id, service, report, withdrawn, content FROM desk_notes WHERE id = ?1";
    let note = transaction.row(sql, bind![query.note], reads::note).await?;
    let sql = "SELECT handle, name, left_at FROM people WHERE handle = ?1";
    let person = transaction.row(sql, bind![query.person], reads::person).await?;
    let sql =
        "SELECT role FROM keys WHERE person = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)";
    let roles = transaction.rows(sql, bind![query.person, transaction.now()], |row| keys::role(row, 0)).await?;
    let sql = "SELECT role, person FROM keys WHERE name = ?1 AND revoked_at IS NULL";
    let key = transaction.row(sql, bind![query.key], |row| Ok((keys::role(row, 0)?, row.get(1)?))).await?;
    let conflicts = match query.merge {
        Some(services) => conflicts(transaction, services).await?,
        None => Vec::new(),
    };
    let (desk, services) = (reads::desk(transaction).await?, reads::services(transaction).await?);
    Ok(DeskSituation { desk, repeated, services, state, is_cause_known, note, person, roles, key, conflicts })
}

async fn conflicts(
    transaction: &impl SqlTransaction,
    (from, into): (i64, i64),
) -> Result<Vec<(StateRecord, StateRecord)>, StoreError> {
    let sql = "SELECT one.service, one.report, one.version, one.content, \
               other.service, other.report, other.version, other.content \
               FROM desk_states one JOIN desk_states other ON other.report = one.report AND other.service = ?2 \
               WHERE one.service = ?1 ORDER BY one.report";
    let read = |row: &SqlRow<'_>| {
        let at = |first: usize| -> Result<StateRecord, StoreError> {
            let (service, report) = (row.get(first)?, row.get(first + 1)?);
            Ok(StateRecord { service, report, version: row.get(first + 2)?, content: row.get(first + 3)? })
        };
        Ok((at(0)?, at(4)?))
    };
    transaction.rows(sql, bind![from, into], read).await
}

/// Executes a statement of a write.
pub async fn apply<S: SqlTransaction>(transaction: &S, statement: &DeskStatement) -> Result<(), StoreError> {
    match statement {
        DeskStatement::PutState(record) => put_state(transaction, record).await,
        DeskStatement::DeleteState(service, report) => {
            let sql = "DELETE FROM desk_states WHERE service = ?1 AND report = ?2";
            run(transaction, sql, bind![service, report]).await
        }
        DeskStatement::PutNote(record) => put_note(transaction, record).await,
        DeskStatement::PutService(record) => put_service(transaction, record).await,
        DeskStatement::Merge(from, into) => merge(transaction, *from, *into).await,
        DeskStatement::PutPerson(record) => put_person(transaction, record).await,
        DeskStatement::AddPerson(PersonRecord { handle, name, left_at }) => {
            let sql = "INSERT INTO people (handle, name, left_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
            run(transaction, sql, bind![handle, name, left_at]).await
        }
        DeskStatement::InsertKey(key, digest) => keys::insert(transaction, key, digest).await.map(drop),
        DeskStatement::RevokeKey(name) => keys::revoke(transaction, name).await.map(drop),
        DeskStatement::RevokeKeysOf(person) => {
            let sql = "UPDATE keys SET revoked_at = ?2 WHERE person = ?1 AND revoked_at IS NULL";
            run(transaction, sql, bind![person, transaction.now()]).await
        }
        DeskStatement::Append(record) => {
            let revision = record.revision;
            run(transaction, "UPDATE desk SET revision = ?1", bind![revision]).await?;
            put_event(transaction, record).await?;
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

async fn put_state(transaction: &impl SqlTransaction, record: &StateRecord) -> Result<(), StoreError> {
    let StateRecord { service, report, version, content } = record;
    let sql = "INSERT INTO desk_states (service, report, version, content) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (service, report) DO UPDATE SET version = excluded.version, content = excluded.content";
    run(transaction, sql, bind![service, report, version, content]).await
}

async fn put_note(transaction: &impl SqlTransaction, record: &NoteRecord) -> Result<(), StoreError> {
    let NoteRecord { id, service, report, withdrawn, content } = record;
    let sql = "INSERT INTO desk_notes (id, service, report, withdrawn, content) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET withdrawn = excluded.withdrawn, content = excluded.content";
    let withdrawn = i64::from(*withdrawn);
    run(transaction, sql, bind![id, service, report, withdrawn, content]).await
}

async fn put_service(transaction: &impl SqlTransaction, record: &ServiceRecord) -> Result<(), StoreError> {
    let ServiceRecord { id, base, service_id, label, merged_into } = record;
    let sql = "INSERT INTO desk_services (id, base, service_id, label, merged_into) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT (id) DO UPDATE SET base = excluded.base, service_id = excluded.service_id, \
               label = excluded.label, merged_into = excluded.merged_into";
    run(transaction, sql, bind![id, base, service_id, label, merged_into]).await
}

async fn put_person(transaction: &impl SqlTransaction, record: &PersonRecord) -> Result<(), StoreError> {
    let PersonRecord { handle, name, left_at } = record;
    let sql = "INSERT INTO people (handle, name, left_at) VALUES (?1, ?2, ?3) \
               ON CONFLICT (handle) DO UPDATE SET name = excluded.name, left_at = excluded.left_at";
    run(transaction, sql, bind![handle, name, left_at]).await
}

async fn put_event(transaction: &impl SqlTransaction, record: &EventRecord) -> Result<(), StoreError> {
    let EventRecord { revision, change, service, report, cause, at, content } = record;
    let sql = "INSERT INTO desk_events (revision, change, service, report, cause, at, content) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    run(transaction, sql, bind![revision, change, service, report, cause, at, content]).await
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
