//! Reads of the desk's tables.

use serde::de::DeserializeOwned;

use crate::domain::desk::{
    ChangeId, DeskChanges, DeskEvent, DeskMe, DeskNote, DeskOverview, DeskRow, DeskService, EventsPage, Handle,
    LogPosition, NotesPage, Person, Role, RowsPage,
};
use crate::domain::text::Text;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{SqlRow, SqlTransaction, bind};
use crate::service::store::tables::keys;
use crate::service::store::values;

/// The most rows, notes or events per page.
const PAGE: u16 = 500;
/// One more than a page, to know whether there are more.
const LIMIT: i64 = PAGE as i64 + 1;

/// The columns of an event, in the order of [`event`].
const EVENT: &str = "service, content";

/// The desk itself; a single row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskRecord {
    /// The revision of the last event.
    pub revision: i64,
    /// The `service_id` of this service.
    pub service_id: String,
    /// The revision of the last event that was pruned; 0 if none was.
    pub pruned: i64,
}

/// A service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceRecord {
    pub service: DeskService,
    /// The service that its rows moved to.
    pub merged_into: Option<i64>,
}

fn unreadable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Database(format!("the content of the desk cannot be read: {error}").into())
}

/// Reads a column of JSON.
fn json<T: DeserializeOwned>(row: &SqlRow<'_>, place: usize) -> Result<T, StoreError> {
    serde_json::from_str(&row.get::<String>(place)?).map_err(unreadable)
}

/// Reads an event. Its service is a column of its own, so that a merge can change it.
fn event(row: &SqlRow<'_>) -> Result<DeskEvent, StoreError> {
    Ok(DeskEvent { service: row.get(0)?, ..json(row, 1)? })
}

/// Reads a person without a role.
fn person(row: &SqlRow<'_>) -> Result<Person, StoreError> {
    let handle = row.get::<String>(0)?.parse::<Handle>().map_err(unreadable)?;
    let (name, left_at) = (Text::from_outside(row.get::<String>(1)?), row.get::<Option<i64>>(2)?.map(values::time));
    Ok(Person { handle, name, role: None, left_at })
}

pub async fn desk(transaction: &impl SqlTransaction) -> Result<DeskRecord, StoreError> {
    let read =
        |row: &SqlRow<'_>| Ok(DeskRecord { revision: row.get(0)?, service_id: row.get(1)?, pruned: row.get(2)? });
    transaction.one("SELECT revision, service_id, pruned FROM desk", bind![], read).await
}

/// Returns all services by id, including merged ones.
pub async fn services(transaction: &impl SqlTransaction) -> Result<Vec<ServiceRecord>, StoreError> {
    let read = |row: &SqlRow<'_>| {
        let text = |place| -> Result<_, StoreError> { Ok(row.get::<Option<String>>(place)?.map(Text::from_outside)) };
        let label = Text::from_outside(row.get::<String>(3)?);
        let service = DeskService { id: row.get(0)?, base: text(1)?, service_id: text(2)?, label };
        Ok(ServiceRecord { service, merged_into: row.get(4)? })
    };
    let sql = "SELECT id, base, service_id, label, merged_into FROM desk_services ORDER BY id";
    transaction.rows(sql, bind![], read).await
}

/// Returns the change id of an event, if it is retained.
async fn change(transaction: &impl SqlTransaction, revision: i64) -> Result<Option<ChangeId>, StoreError> {
    let sql = "SELECT change FROM desk_events WHERE revision = ?1";
    let change = transaction.row(sql, bind![revision], |row| row.get::<String>(0)).await?;
    Ok(change.and_then(|change| change.parse().ok()))
}

/// Returns the end of the log.
async fn end(transaction: &impl SqlTransaction, desk: &DeskRecord) -> Result<LogPosition, StoreError> {
    Ok(LogPosition { revision: desk.revision, change: change(transaction, desk.revision).await? })
}

/// Whether the service exists and was not merged into another.
pub async fn is_service(transaction: &impl SqlTransaction, service: i64) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM desk_services WHERE id = ?1 AND merged_into IS NULL)";
    transaction.one(sql, bind![service], |row| row.get(0)).await
}

/// Returns the event with this change id.
pub async fn event_of(transaction: &impl SqlTransaction, change: ChangeId) -> Result<Option<DeskEvent>, StoreError> {
    let sql = format!("SELECT {EVENT} FROM desk_events WHERE change = ?1");
    transaction.row(&sql, bind![change.to_string()], event).await
}

/// Returns a report's row.
pub async fn state(
    transaction: &impl SqlTransaction,
    (service, report): (i64, &str),
) -> Result<Option<DeskRow>, StoreError> {
    let sql = "SELECT content FROM desk_states WHERE service = ?1 AND report = ?2";
    transaction.row(sql, bind![service, report], |row| json(row, 0)).await
}

/// Whether an event of the report already has this cause.
pub async fn is_cause_known(
    transaction: &impl SqlTransaction,
    (service, report): (i64, &str),
    cause: &Text,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM desk_events WHERE service = ?1 AND report = ?2 AND cause = ?3)";
    transaction.one(sql, bind![service, report, cause.raw()], |row| row.get(0)).await
}

/// Returns a note of a report.
pub async fn note(
    transaction: &impl SqlTransaction,
    (service, report): (i64, &str),
    id: i64,
) -> Result<Option<DeskNote>, StoreError> {
    let sql = "SELECT content FROM desk_notes WHERE id = ?1 AND service = ?2 AND report = ?3";
    transaction.row(sql, bind![id, service, report], |row| json(row, 0)).await
}

/// Returns the rows of reports that both services have, those of the first service first.
pub async fn conflicts(
    transaction: &impl SqlTransaction,
    from: i64,
    into: i64,
) -> Result<Vec<(DeskRow, DeskRow)>, StoreError> {
    let sql = "SELECT one.content, other.content \
               FROM desk_states one JOIN desk_states other ON other.report = one.report AND other.service = ?2 \
               WHERE one.service = ?1 ORDER BY one.report";
    transaction.rows(sql, bind![from, into], |row| Ok((json(row, 0)?, json(row, 1)?))).await
}

/// Returns a person with the highest role of the active keys.
pub async fn person_of(transaction: &impl SqlTransaction, handle: &Handle) -> Result<Option<Person>, StoreError> {
    Ok(people(transaction).await?.into_iter().find(|person| person.handle == *handle))
}

/// Returns all people by handle, with the highest roles of their active keys.
pub async fn people(transaction: &impl SqlTransaction) -> Result<Vec<Person>, StoreError> {
    let sql = "SELECT handle, name, left_at FROM people ORDER BY handle";
    let mut people = transaction.rows(sql, bind![], person).await?;
    let sql = "SELECT person, role FROM keys WHERE person IS NOT NULL AND revoked_at IS NULL \
               AND (expires_at IS NULL OR expires_at > ?1)";
    let role = |row: &SqlRow<'_>| Ok((row.get(0)?, keys::role(row, 1)?));
    let roles: Vec<(String, Role)> = transaction.rows(sql, bind![transaction.now()], role).await?;
    for person in &mut people {
        person.role = roles.iter().filter(|(handle, _)| handle == person.handle.as_str()).map(|(_, role)| *role).max();
    }
    Ok(people)
}

/// Returns the overview of the desk for the holder of a key.
pub async fn overview(transaction: &impl SqlTransaction, me: DeskMe) -> Result<DeskOverview, StoreError> {
    let desk = desk(transaction).await?;
    let services = services(transaction).await?.into_iter().filter(|service| service.merged_into.is_none());
    Ok(DeskOverview {
        position: end(transaction, &desk).await?,
        service_id: Text::from_outside(desk.service_id),
        me,
        people: people(transaction).await?,
        services: services.map(|record| record.service).collect(),
        time: values::time(transaction.now()),
    })
}

/// Truncates the rows to one page, and returns whether there are more.
fn page<T>(mut rows: Vec<T>) -> (Vec<T>, bool) {
    let more = rows.len() > PAGE.into();
    rows.truncate(PAGE.into());
    (rows, more)
}

/// Returns one page of a service's rows, after a report; `None` if the service does not exist.
pub async fn states(
    transaction: &impl SqlTransaction,
    service: i64,
    after: &str,
) -> Result<Option<RowsPage>, StoreError> {
    let sql = "SELECT content FROM desk_states WHERE service = ?1 AND report > ?2 ORDER BY report LIMIT ?3";
    let rows = transaction.rows(sql, bind![service, after, LIMIT], |row| json::<DeskRow>(row, 0)).await?;
    let position = end(transaction, &desk(transaction).await?).await?;
    let (rows, more) = page(rows);
    Ok(is_service(transaction, service).await?.then_some(RowsPage { position, rows, more }))
}

/// Returns one page of a service's notes, after an id; `None` if the service does not exist.
pub async fn notes(
    transaction: &impl SqlTransaction,
    service: i64,
    after: i64,
) -> Result<Option<NotesPage>, StoreError> {
    let sql = "SELECT content FROM desk_notes WHERE service = ?1 AND id > ?2 AND withdrawn = 0 ORDER BY id LIMIT ?3";
    let (notes, more) = page(transaction.rows(sql, bind![service, after, LIMIT], |row| json(row, 0)).await?);
    let position = end(transaction, &desk(transaction).await?).await?;
    Ok(is_service(transaction, service).await?.then_some(NotesPage { position, notes, more }))
}

/// Returns a report's events before a revision, latest first; `None` if the service does not exist.
pub async fn history(
    transaction: &impl SqlTransaction,
    service: i64,
    report: &str,
    before: i64,
) -> Result<Option<EventsPage>, StoreError> {
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE service = ?1 AND report = ?2 AND revision < ?3 \
         ORDER BY revision DESC LIMIT ?4"
    );
    let (events, more) = page(transaction.rows(&sql, bind![service, report, before, LIMIT], event).await?);
    Ok(is_service(transaction, service).await?.then_some(EventsPage { events, more }))
}

/// Returns the events after a position, or from the oldest retained one; with a service, only its events and those of
/// no service. `None` if the service does not exist.
pub async fn changes(
    transaction: &impl SqlTransaction,
    after: Option<LogPosition>,
    service: Option<i64>,
) -> Result<Option<DeskChanges>, StoreError> {
    let desk = desk(transaction).await?;
    let position = end(transaction, &desk).await?;
    let none = DeskChanges { position, reset: false, events: Vec::new(), present: Vec::new(), more: false, pause: 0 };
    if let Some(after) = after
        && !continues_from(transaction, &desk, after).await?
    {
        return Ok(Some(DeskChanges { reset: true, ..none }));
    }
    if let Some(service) = service
        && !is_service(transaction, service).await?
    {
        return Ok(None);
    }
    let sql = format!(
        "SELECT {EVENT} FROM desk_events WHERE revision > ?1 AND (?2 IS NULL OR service IS NULL OR service = ?2) \
         ORDER BY revision LIMIT ?3"
    );
    let revision = after.map_or(0, |after| after.revision);
    let (events, more) = page(transaction.rows(&sql, bind![revision, service, LIMIT], event).await?);
    let last = events.last().filter(|_| more);
    let position = last.map_or(position, |last| LogPosition { revision: last.revision, change: Some(last.change) });
    Ok(Some(DeskChanges { position, events, more, ..none }))
}

/// Whether the log continues from a position: it is retained from there on, and the position belongs to this log.
async fn continues_from(
    transaction: &impl SqlTransaction,
    desk: &DeskRecord,
    after: LogPosition,
) -> Result<bool, StoreError> {
    let is_kept = (desk.pruned..=desk.revision).contains(&after.revision);
    let expected = after.change.zip(change(transaction, after.revision).await?);
    Ok(is_kept && expected.is_none_or(|(expected, found)| expected == found))
}
