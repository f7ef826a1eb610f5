//! Writes to the desk: what each requires, and what it changes. Writers take turns, so nothing changes between a
//! write's reads and its end; a refused write has changed nothing.

use jiff::Timestamp;

use super::reads::{self, ServiceRecord};
use super::writes;
use crate::domain::desk::{
    ChangeId, DeskActor, DeskEvent, DeskNote, DeskRow, DeskService, EventDetail, Role, RowPrecondition, RowWrite,
    ServiceLookup,
};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::to_the_millisecond;
use crate::service::store::error::{DeskRefusal, StoreError};
use crate::service::store::sql::SqlTransaction;
use crate::service::store::values;

/// The most services of a desk, except merged ones, so that keys with write access cannot fill the disk with them.
const MOST_SERVICES: usize = 1_000;

/// Who writes, and the id of the write.
#[derive(Debug, Clone)]
pub struct DeskWriter {
    pub actor: DeskActor,
    pub role: Role,
    pub change: ChangeId,
    pub decided_at: Option<Timestamp>,
}

impl DeskWriter {
    /// Returns the writer of a command on the service's own machine.
    pub fn operator(change: ChangeId) -> Self {
        Self { actor: DeskActor::Operator, role: Role::Admin, change, decided_at: None }
    }

    /// Appends an event, as number `place` of this write, counted from 1.
    pub async fn append(
        &self,
        transaction: &impl SqlTransaction,
        place: u32,
        about: Option<(i64, &str)>,
        detail: EventDetail,
        cause: Option<&Text>,
    ) -> Result<(), StoreError> {
        let event = DeskEvent {
            revision: reads::desk(transaction).await?.revision + 1,
            change: if place == 1 { self.change } else { self.change.numbered(place) },
            service: about.map(|(service, _)| service),
            report: about.map(|(_, report)| ReportId::new(report)),
            person: self.actor.clone(),
            detail,
            cause: cause.cloned(),
            at: values::time(transaction.now()),
            decided_at: self.decided_at.map(to_the_millisecond),
        };
        writes::append(transaction, &event).await
    }

    /// Returns the earlier write with the same id. Fails if it was another person's or about another report.
    async fn earlier(
        &self,
        transaction: &impl SqlTransaction,
        about: (i64, &str),
    ) -> Result<Option<EventDetail>, StoreError> {
        let Some(event) = reads::event_of(transaction, self.change).await? else { return Ok(None) };
        let is_same =
            event.person == self.actor && event.service.zip(event.report.as_ref().map(ReportId::raw)) == Some(about);
        if is_same { Ok(Some(event.detail)) } else { Err(DeskRefusal::ChangeReused.into()) }
    }

    /// Fails if another write had the same id.
    pub async fn require_new(&self, transaction: &impl SqlTransaction) -> Result<(), StoreError> {
        match reads::event_of(transaction, self.change).await? {
            Some(_) => Err(DeskRefusal::ChangeReused.into()),
            None => Ok(()),
        }
    }
}

/// Fails if the service does not exist. Checked before the id of a write, whose event a merge moves to another service.
async fn require_service(transaction: &impl SqlTransaction, id: i64) -> Result<(), StoreError> {
    if reads::is_service(transaction, id).await? { Ok(()) } else { Err(DeskRefusal::UnknownService.into()) }
}

/// Writes a report's state and holder, and returns the new row. A repeated id gets the first result; a known cause gets
/// the current row.
pub async fn write_row(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    about: (i64, &str),
    expected: RowPrecondition,
    write: RowWrite,
) -> Result<DeskRow, StoreError> {
    let (service, report) = about;
    require_service(transaction, service).await?;
    match writer.earlier(transaction, about).await? {
        Some(EventDetail::State { after, .. }) if is_set_by(&after, &write) => return Ok(*after),
        Some(_) => return Err(DeskRefusal::ChangeReused.into()),
        None => {}
    }
    let present = reads::state(transaction, about).await?;
    if let (Some(row), Some(cause)) = (&present, &write.cause)
        && reads::is_cause_known(transaction, about, cause).await?
    {
        return Ok(row.clone());
    }
    let version = present.as_ref().map(|row| row.version);
    let holds = match expected {
        RowPrecondition::Absent => version.is_none(),
        RowPrecondition::Version(expected) => version == Some(expected),
    };
    if !holds {
        return Err(DeskRefusal::Conflict(present.map(Box::new)).into());
    }
    let held = present.as_ref().and_then(|row| row.holder.as_ref());
    if let Some(holder) = write.holder.as_ref().filter(|holder| Some(*holder) != held)
        && reads::person_of(transaction, holder).await?.is_none_or(|person| person.left_at.is_some())
    {
        return Err(DeskRefusal::UnknownPerson.into());
    }
    let row = DeskRow {
        report: ReportId::new(report),
        state: write.state,
        holder: write.holder,
        baseline: write.baseline,
        reason: write.reason,
        version: version.unwrap_or_default() + 1,
        set_by: writer.actor.clone(),
        set_at: values::time(transaction.now()),
    };
    let detail = EventDetail::State { before: present.map(Box::new), after: Box::new(row.clone()) };
    writes::put_state(transaction, service, &row).await?;
    writer.append(transaction, 1, Some(about), detail, write.cause.as_ref()).await?;
    Ok(row)
}

/// Whether a write sets what this row has. When it was decided may differ: a repeated write is dated.
fn is_set_by(row: &DeskRow, write: &RowWrite) -> bool {
    // Names every field, so that the compiler asks about a new one.
    let RowWrite { change: _, state, holder, baseline, reason, cause: _, decided_at: _ } = write;
    (row.state, &row.holder, &row.reason, &row.baseline) == (*state, holder, reason, baseline)
}

/// Adds the note. A repeated id gets the first result.
pub async fn write_note(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    about: (i64, &str),
    text: Text,
) -> Result<DeskNote, StoreError> {
    let (service, report) = about;
    require_service(transaction, service).await?;
    match writer.earlier(transaction, about).await? {
        Some(EventDetail::Note { before: None, after }) if after.text == text => return Ok(*after),
        Some(_) => return Err(DeskRefusal::ChangeReused.into()),
        None => {}
    }
    let note = DeskNote {
        id: reads::desk(transaction).await?.revision + 1,
        report: ReportId::new(report),
        author: writer.actor.clone(),
        text,
        at: values::time(transaction.now()),
        withdrawn: false,
    };
    let detail = EventDetail::Note { before: None, after: Box::new(note.clone()) };
    writes::put_note(transaction, service, &note).await?;
    writer.append(transaction, 1, Some(about), detail, None).await?;
    Ok(note)
}

/// Withdraws the note and returns it without its text. An already withdrawn note is returned unchanged.
pub async fn withdraw_note(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    about: (i64, &str),
    note: i64,
) -> Result<DeskNote, StoreError> {
    let (service, _) = about;
    require_service(transaction, service).await?;
    match writer.earlier(transaction, about).await? {
        Some(EventDetail::Note { before: Some(_), after }) if after.id == note => return Ok(*after),
        Some(_) => return Err(DeskRefusal::ChangeReused.into()),
        None => {}
    }
    let before = reads::note(transaction, about, note).await?.ok_or(DeskRefusal::UnknownNote)?;
    if before.author != writer.actor && writer.role < Role::Admin {
        return Err(DeskRefusal::NotYours.into());
    }
    if before.withdrawn {
        return Ok(before);
    }
    let after = DeskNote { text: Text::default(), withdrawn: true, ..before.clone() };
    let detail = EventDetail::Note { before: Some(Box::new(before)), after: Box::new(after.clone()) };
    writes::put_note(transaction, service, &after).await?;
    writer.append(transaction, 1, Some(about), detail, None).await?;
    Ok(after)
}

/// Finds a service by id or base URL, or creates it. The id takes precedence: a service may have many addresses, and an
/// address may have passed to another service.
pub async fn find_service(
    transaction: &impl SqlTransaction,
    writer: &DeskWriter,
    lookup: &ServiceLookup,
) -> Result<DeskService, StoreError> {
    let services = reads::services(transaction).await?;
    let ServiceLookup { base, service_id: own_id, label, .. } = lookup;
    let target = |record: &ServiceRecord| record.merged_into.unwrap_or(record.service.id);
    // A service has the ids of all that were merged into it.
    let has_id =
        |service: i64| services.iter().any(|record| target(record) == service && record.service.service_id.is_some());
    let by_id = |record: &&ServiceRecord| own_id.is_some() && record.service.service_id == *own_id;
    let by_base = |record: &&ServiceRecord| {
        let is_other = own_id.is_some() && has_id(target(record));
        record.service.base.as_ref() == Some(base) && !is_other
    };
    let found = services.iter().find(by_id).or_else(|| services.iter().rev().find(by_base));
    let active = || services.iter().filter(|record| record.merged_into.is_none());
    let followed = |record: &ServiceRecord| {
        active().find(|other| other.service.id == target(record)).ok_or(DeskRefusal::UnknownService)
    };
    let present = found.map(followed).transpose()?.map(|record| &record.service);
    let service = match present {
        Some(present) if own_id.is_none() || has_id(present.id) => return Ok(present.clone()),
        Some(present) => DeskService { service_id: own_id.clone(), ..present.clone() },
        None if active().count() >= MOST_SERVICES => return Err(DeskRefusal::TooManyServices.into()),
        None => DeskService {
            id: services.last().map_or(0, |last| last.service.id) + 1,
            base: Some(base.clone()),
            service_id: own_id.clone(),
            label: label.clone(),
        },
    };
    writer.require_new(transaction).await?;
    let before = present.cloned().map(Box::new);
    let detail = EventDetail::Service { before, after: Box::new(service.clone()) };
    let record = ServiceRecord { service, merged_into: None };
    writes::put_service(transaction, &record).await?;
    writer.append(transaction, 1, None, detail, None).await?;
    Ok(record.service)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::sqlite::{SqliteStore, SqliteTransaction};

    #[tokio::test]
    async fn merged_services_do_not_count_towards_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(directory.path()).unwrap();
        let service = |id: i64, merged_into: Option<i64>| {
            let base = Some(Text::from_outside(format!("https://{id}.example")));
            ServiceRecord { service: DeskService { id, base, service_id: None, label: Text::default() }, merged_into }
        };
        let work = async move |transaction: &SqliteTransaction<'_>| {
            for id in 2..=1_000 {
                writes::put_service(transaction, &service(id, None)).await?;
            }
            let change = ChangeId::from_random([7; 16]);
            let base = "https://new.example".into();
            let lookup = ServiceLookup { change, base, service_id: None, label: "new".into() };
            let writer =
                DeskWriter { actor: DeskActor::Key("nightly".into()), role: Role::Admin, change, decided_at: None };
            let full = find_service(transaction, &writer, &lookup).await;
            assert!(matches!(full, Err(StoreError::Desk(DeskRefusal::TooManyServices))));
            writes::put_service(transaction, &service(8, Some(1))).await?;
            assert_eq!(find_service(transaction, &writer, &lookup).await.unwrap().id, 1_001);
            Ok(())
        };
        store.write(work).await.unwrap();
    }
}
