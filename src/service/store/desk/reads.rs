//! Reads of the desk's tables.

use super::records::{
    DeskRecord, DeskTables, EventRecord, LogTail, NoteRecord, PersonRecord, ServiceRecord, ServiceRows, StateRecord,
};
use crate::service::store::error::StoreError;
use crate::service::store::sql::{SqlRow, SqlTransaction, bind};
use crate::service::store::tables::keys;

/// The columns of an event, in the order of [`event`].
pub const EVENT: &str = "revision, change, service, report, cause, at, content";

pub async fn desk(transaction: &impl SqlTransaction) -> Result<DeskRecord, StoreError> {
    let read =
        |row: &SqlRow<'_>| Ok(DeskRecord { revision: row.get(0)?, service_id: row.get(1)?, pruned: row.get(2)? });
    transaction.one("SELECT revision, service_id, pruned FROM desk", bind![], read).await
}

pub fn event(row: &SqlRow<'_>) -> Result<EventRecord, StoreError> {
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

pub fn state(row: &SqlRow<'_>) -> Result<StateRecord, StoreError> {
    Ok(StateRecord { service: row.get(0)?, report: row.get(1)?, version: row.get(2)?, content: row.get(3)? })
}

pub fn note(row: &SqlRow<'_>) -> Result<NoteRecord, StoreError> {
    Ok(NoteRecord {
        id: row.get(0)?,
        service: row.get(1)?,
        report: row.get(2)?,
        withdrawn: row.get::<i64>(3)? != 0,
        content: row.get(4)?,
    })
}

pub fn service(row: &SqlRow<'_>) -> Result<ServiceRecord, StoreError> {
    Ok(ServiceRecord {
        id: row.get(0)?,
        base: row.get(1)?,
        service_id: row.get(2)?,
        label: row.get(3)?,
        merged_into: row.get(4)?,
    })
}

pub fn person(row: &SqlRow<'_>) -> Result<PersonRecord, StoreError> {
    Ok(PersonRecord { handle: row.get(0)?, name: row.get(1)?, left_at: row.get(2)? })
}

pub async fn services(transaction: &impl SqlTransaction) -> Result<Vec<ServiceRecord>, StoreError> {
    let sql = "SELECT id, base, service_id, label, merged_into FROM desk_services ORDER BY id";
    transaction.rows(sql, bind![], service).await
}

/// Returns the change id of an event, if it is retained.
async fn change(transaction: &impl SqlTransaction, revision: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT change FROM desk_events WHERE revision = ?1";
    transaction.row(sql, bind![revision], |row| row.get(0)).await
}

pub async fn tables(transaction: &impl SqlTransaction) -> Result<DeskTables, StoreError> {
    let desk = desk(transaction).await?;
    let sql = "SELECT handle, name, left_at FROM people ORDER BY handle";
    let people = transaction.rows(sql, bind![], person).await?;
    let sql = "SELECT person, role FROM keys WHERE person IS NOT NULL AND revoked_at IS NULL \
               AND (expires_at IS NULL OR expires_at > ?1)";
    let role = |row: &SqlRow<'_>| Ok((row.get(0)?, keys::role(row, 1)?));
    let roles = transaction.rows(sql, bind![transaction.now()], role).await?;
    let last_change = change(transaction, desk.revision).await?;
    Ok(DeskTables { people, roles, services: services(transaction).await?, last_change, desk })
}

async fn rows_of<T>(
    transaction: &impl SqlTransaction,
    service: i64,
    rows: Vec<T>,
) -> Result<ServiceRows<T>, StoreError> {
    let desk = desk(transaction).await?;
    let last_change = change(transaction, desk.revision).await?;
    Ok(ServiceRows { last_change, desk, is_service: is_service(transaction, service).await?, rows })
}

/// Whether the service exists and was not merged into another.
async fn is_service(transaction: &impl SqlTransaction, service: i64) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM desk_services WHERE id = ?1 AND merged_into IS NULL)";
    transaction.one(sql, bind![service], |row| row.get(0)).await
}

pub async fn states(
    transaction: &impl SqlTransaction,
    service: i64,
    after: &str,
    most: u16,
) -> Result<ServiceRows<StateRecord>, StoreError> {
    let sql = "SELECT service, report, version, content FROM desk_states WHERE service = ?1 AND report > ?2 \
               ORDER BY report LIMIT ?3";
    let rows = transaction.rows(sql, bind![service, after, i64::from(most)], state).await?;
    rows_of(transaction, service, rows).await
}

pub async fn notes(
    transaction: &impl SqlTransaction,
    service: i64,
    after: i64,
    most: u16,
) -> Result<ServiceRows<NoteRecord>, StoreError> {
    let sql = "SELECT id, service, report, withdrawn, content FROM desk_notes \
               WHERE service = ?1 AND id > ?2 AND withdrawn = 0 ORDER BY id LIMIT ?3";
    let rows = transaction.rows(sql, bind![service, after, i64::from(most)], note).await?;
    rows_of(transaction, service, rows).await
}

pub async fn history(
    transaction: &impl SqlTransaction,
    service: i64,
    report: &str,
    before: i64,
    most: u16,
) -> Result<ServiceRows<EventRecord>, StoreError> {
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE service = ?1 AND report = ?2 AND revision < ?3 \
         ORDER BY revision DESC LIMIT ?4"
    );
    let rows = transaction.rows(&sql, bind![service, report, before, i64::from(most)], event).await?;
    rows_of(transaction, service, rows).await
}

pub async fn tail(
    transaction: &impl SqlTransaction,
    after: i64,
    service: Option<i64>,
    most: u16,
) -> Result<LogTail, StoreError> {
    let desk = desk(transaction).await?;
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE revision > ?1 AND (?2 IS NULL OR service IS NULL OR service = ?2) \
         ORDER BY revision LIMIT ?3"
    );
    let events = transaction.rows(&sql, bind![after, service, i64::from(most)], event).await?;
    let (last_change, change_there) = (change(transaction, desk.revision).await?, change(transaction, after).await?);
    let is_service = match service {
        Some(service) => is_service(transaction, service).await?,
        None => true,
    };
    Ok(LogTail { desk, last_change, change_there, is_service, events })
}
