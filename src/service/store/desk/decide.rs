//! Decides writes to the desk from what the engine read; shared by both engines.

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::records::{DeskQuery, DeskSituation, DeskStatement, EventRecord, NoteRecord, ServiceRecord, StateRecord};
use crate::domain::desk::{
    ChangeId, DeskActor, DeskEvent, DeskNote, DeskRow, DeskService, EventDetail, NoteWrite, Role, RowPrecondition,
    RowWrite, ServiceLookup,
};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::to_the_millisecond;
use crate::service::store::values;

/// The id of the desk's own service.
pub const OWN_SERVICE: i64 = 1;
/// The most services of a desk, except merged ones, so that keys with write access cannot fill the disk with them.
const MOST_SERVICES: usize = 1_000;

/// Why a write changed nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum DeskRefusal {
    /// The service does not exist, or was merged into another.
    UnknownService,
    /// The note does not exist.
    UnknownNote,
    /// The person does not exist or has left.
    UnknownPerson,
    /// The note belongs to another person.
    NotYours,
    /// The precondition does not hold; the current row.
    Conflict(Option<Box<DeskRow>>),
    /// Another write had the same id.
    ChangeReused,
    /// A service cannot be merged into itself, nor the desk's own service into another.
    Unmergeable,
    /// The desk has the most services allowed.
    TooManyServices,
    /// An active key already has this name.
    KeyTaken,
    /// No active key has this name.
    UnknownKey,
    /// A stored record is malformed.
    Unreadable(String),
}

/// The result of a write, and its statements.
pub type Decision<T> = Result<(T, Vec<DeskStatement>), DeskRefusal>;

/// Who writes, and the id of the write.
#[derive(Debug, Clone)]
pub struct DeskWriter {
    pub actor: DeskActor,
    pub role: Role,
    pub change: ChangeId,
    pub decided_at: Option<Timestamp>,
}

/// Parses stored JSON.
pub fn decode<T: DeserializeOwned>(content: &str) -> Result<T, DeskRefusal> {
    serde_json::from_str(content).map_err(|error| DeskRefusal::Unreadable(error.to_string()))
}

/// Serialises to stored JSON.
pub fn encode(content: &impl Serialize) -> Result<String, DeskRefusal> {
    serde_json::to_string(content).map_err(|error| DeskRefusal::Unreadable(error.to_string()))
}

/// Decodes the event of a record.
pub fn event_of(record: &EventRecord) -> Result<DeskEvent, DeskRefusal> {
    Ok(DeskEvent { service: record.service, ..decode(&record.content)? })
}

impl DeskWriter {
    /// Returns the statement that appends an event, as number `place` of this write, counted from 1.
    pub fn append(
        &self,
        (situation, now): (&DeskSituation, i64),
        (place, change): (i64, ChangeId),
        about: Option<(i64, &str)>,
        detail: EventDetail,
        cause: Option<&Text>,
    ) -> Result<DeskStatement, DeskRefusal> {
        let event = DeskEvent {
            revision: situation.desk.revision + place,
            change,
            service: about.map(|(service, _)| service),
            report: about.map(|(_, report)| ReportId::new(report)),
            person: self.actor.clone(),
            detail,
            cause: cause.cloned(),
            at: values::time(now),
            decided_at: self.decided_at.map(to_the_millisecond),
        };
        Ok(DeskStatement::Append(EventRecord {
            revision: event.revision,
            change: change.to_string(),
            service: event.service,
            report: about.map(|(_, report)| report.to_owned()),
            cause: cause.map(|cause| cause.raw().to_owned()),
            at: now,
            content: encode(&event)?,
        }))
    }

    /// Returns the earlier write with the same id. Fails if it was another person's or about another report.
    fn earlier(
        &self,
        situation: &DeskSituation,
        about: Option<(i64, &str)>,
    ) -> Result<Option<EventDetail>, DeskRefusal> {
        let Some(record) = &situation.repeated else { return Ok(None) };
        let event = event_of(record)?;
        let is_same = event.person == self.actor
            && record.service == about.map(|(service, _)| service)
            && record.report.as_deref() == about.map(|(_, report)| report);
        if is_same { Ok(Some(event.detail)) } else { Err(DeskRefusal::ChangeReused) }
    }
}

fn require_service(situation: &DeskSituation, id: i64) -> Result<&ServiceRecord, DeskRefusal> {
    let found = situation.services.iter().find(|service| service.id == id && service.merged_into.is_none());
    found.ok_or(DeskRefusal::UnknownService)
}

/// A write of a report's state and holder.
pub struct RowRequest {
    pub writer: DeskWriter,
    pub service: i64,
    pub report: String,
    pub expected: RowPrecondition,
    pub write: RowWrite,
}

impl RowRequest {
    /// Returns what the decision needs to read.
    pub fn query(&self) -> DeskQuery {
        DeskQuery {
            change: Some(self.writer.change),
            report: Some((self.service, self.report.clone())),
            cause: self.write.cause.as_ref().map(|cause| cause.raw().to_owned()),
            person: self.write.holder.as_ref().map(|holder| holder.as_str().to_owned()),
            ..DeskQuery::default()
        }
    }

    /// Decides the write and returns the new row. A repeated id gets the first result; a known cause gets the current
    /// row.
    pub fn decide(self, situation: &DeskSituation, now: i64) -> Decision<DeskRow> {
        let Self { writer, service, report, expected, write } = self;
        let about = Some((service, report.as_str()));
        match writer.earlier(situation, about)? {
            Some(EventDetail::State { after, .. }) => return Ok((*after, Vec::new())),
            Some(_) => return Err(DeskRefusal::ChangeReused),
            None => {}
        }
        require_service(situation, service)?;
        let present: Option<DeskRow> = situation.state.as_ref().map(|record| decode(&record.content)).transpose()?;
        match &present {
            Some(row) if situation.is_cause_known => return Ok((row.clone(), Vec::new())),
            _ => {}
        }
        let version = present.as_ref().map(|row| row.version);
        let holds = match expected {
            RowPrecondition::Absent => version.is_none(),
            RowPrecondition::Version(expected) => version == Some(expected),
        };
        if !holds {
            return Err(DeskRefusal::Conflict(present.map(Box::new)));
        }
        let held = present.as_ref().and_then(|row| row.holder.as_ref());
        let is_here = situation.person.as_ref().is_some_and(|person| person.left_at.is_none());
        if write.holder.is_some() && write.holder.as_ref() != held && !is_here {
            return Err(DeskRefusal::UnknownPerson);
        }
        let row = DeskRow {
            report: ReportId::new(&report),
            state: write.state,
            holder: write.holder,
            baseline: write.baseline,
            reason: write.reason,
            version: version.unwrap_or_default() + 1,
            set_by: writer.actor.clone(),
            set_at: values::time(now),
        };
        let record = StateRecord { service, report: report.clone(), version: row.version, content: encode(&row)? };
        let detail = EventDetail::State { before: present.map(Box::new), after: Box::new(row.clone()) };
        let event = writer.append((situation, now), (1, writer.change), about, detail, write.cause.as_ref())?;
        Ok((row, vec![DeskStatement::PutState(record), event]))
    }
}

/// A note to add.
pub struct NoteRequest {
    pub writer: DeskWriter,
    pub service: i64,
    pub report: String,
    pub write: NoteWrite,
}

impl NoteRequest {
    /// Returns what the decision needs to read.
    pub fn query(&self) -> DeskQuery {
        DeskQuery { change: Some(self.writer.change), ..DeskQuery::default() }
    }

    /// Decides the note. A repeated id gets the first result.
    pub fn decide(self, situation: &DeskSituation, now: i64) -> Decision<DeskNote> {
        let Self { writer, service, report, write } = self;
        let about = Some((service, report.as_str()));
        match writer.earlier(situation, about)? {
            Some(EventDetail::Note { before: None, after }) => return Ok((*after, Vec::new())),
            Some(_) => return Err(DeskRefusal::ChangeReused),
            None => {}
        }
        require_service(situation, service)?;
        let note = DeskNote {
            id: situation.desk.revision + 1,
            report: ReportId::new(&report),
            author: writer.actor.clone(),
            text: write.text,
            at: values::time(now),
            withdrawn: false,
        };
        let put = put_note(service, &report, &note)?;
        let detail = EventDetail::Note { before: None, after: Box::new(note.clone()) };
        let event = writer.append((situation, now), (1, writer.change), about, detail, None)?;
        Ok((note, vec![put, event]))
    }
}

/// A note to withdraw.
pub struct WithdrawRequest {
    pub writer: DeskWriter,
    pub service: i64,
    pub report: String,
    pub note: i64,
}

impl WithdrawRequest {
    /// Returns what the decision needs to read.
    pub fn query(&self) -> DeskQuery {
        DeskQuery { change: Some(self.writer.change), note: Some(self.note), ..DeskQuery::default() }
    }

    /// Decides the withdrawal and returns the note without its text. An already withdrawn note is returned unchanged.
    pub fn decide(self, situation: &DeskSituation, now: i64) -> Decision<DeskNote> {
        let Self { writer, service, report, note } = self;
        let about = Some((service, report.as_str()));
        match writer.earlier(situation, about)? {
            Some(EventDetail::Note { before: Some(_), after }) if after.id == note => return Ok((*after, Vec::new())),
            Some(_) => return Err(DeskRefusal::ChangeReused),
            None => {}
        }
        require_service(situation, service)?;
        let found = situation.note.as_ref().filter(|found| found.service == service && found.report == report);
        let before: DeskNote = decode(&found.ok_or(DeskRefusal::UnknownNote)?.content)?;
        if before.author != writer.actor && writer.role < Role::Admin {
            return Err(DeskRefusal::NotYours);
        }
        if before.withdrawn {
            return Ok((before, Vec::new()));
        }
        let after = DeskNote { text: Text::default(), withdrawn: true, ..before.clone() };
        let put = put_note(service, &report, &after)?;
        let detail = EventDetail::Note { before: Some(Box::new(before)), after: Box::new(after.clone()) };
        let event = writer.append((situation, now), (1, writer.change), about, detail, None)?;
        Ok((after, vec![put, event]))
    }
}

fn put_note(service: i64, report: &str, note: &DeskNote) -> Result<DeskStatement, DeskRefusal> {
    let content = encode(note)?;
    let (report, withdrawn) = (report.to_owned(), note.withdrawn);
    Ok(DeskStatement::PutNote(NoteRecord { id: note.id, service, report, withdrawn, content }))
}

/// Converts a service's record for the API.
pub fn shown_service(record: &ServiceRecord) -> DeskService {
    DeskService {
        id: record.id,
        base: record.base.as_deref().map(Text::from_outside),
        service_id: record.service_id.as_deref().map(Text::from_outside),
        label: Text::from_outside(record.label.as_str()),
    }
}

/// Finds a service by id or base URL, or creates it. The id takes precedence: a service may have many addresses, and an
/// address may have passed to another service.
pub fn find_service(
    writer: &DeskWriter,
    lookup: &ServiceLookup,
    situation: &DeskSituation,
    now: i64,
) -> Decision<DeskService> {
    let (base, own_id) = (lookup.base.raw(), lookup.service_id.as_ref().map(Text::raw));
    let by_id = |service: &&ServiceRecord| own_id.is_some() && service.service_id.as_deref() == own_id;
    let by_base = |service: &&ServiceRecord| {
        let is_other = own_id.is_some() && service.service_id.is_some();
        service.base.as_deref() == Some(base) && !is_other
    };
    let found = situation.services.iter().find(by_id).or_else(|| situation.services.iter().rev().find(by_base));
    let followed = |service: &ServiceRecord| service.merged_into.unwrap_or(service.id);
    let present = found.map(|service| require_service(situation, followed(service))).transpose()?;
    let record = match present {
        Some(present) if present.service_id.is_some() || own_id.is_none() => {
            return Ok((shown_service(present), Vec::new()));
        }
        Some(present) => ServiceRecord { service_id: own_id.map(str::to_owned), ..present.clone() },
        None if situation.services.iter().filter(|known| known.merged_into.is_none()).count() >= MOST_SERVICES => {
            return Err(DeskRefusal::TooManyServices);
        }
        None => ServiceRecord {
            id: situation.services.last().map_or(0, |last| last.id) + 1,
            base: Some(base.to_owned()),
            service_id: own_id.map(str::to_owned),
            label: lookup.label.raw().to_owned(),
            merged_into: None,
        },
    };
    if situation.repeated.is_some() {
        return Err(DeskRefusal::ChangeReused);
    }
    let after = shown_service(&record);
    let before = present.map(shown_service).map(Box::new);
    let detail = EventDetail::Service { before, after: Box::new(after.clone()) };
    let event = writer.append((situation, now), (1, writer.change), None, detail, None)?;
    Ok((after, vec![DeskStatement::PutService(record), event]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::desk::records::DeskRecord;

    #[test]
    fn merged_services_do_not_count_towards_the_limit() {
        let service = |id: i64| ServiceRecord {
            id,
            base: Some(format!("https://{id}.example")),
            service_id: None,
            label: String::new(),
            merged_into: None,
        };
        let mut situation = DeskSituation {
            desk: DeskRecord { revision: 1_000, service_id: "own".to_owned(), pruned: 0 },
            repeated: None,
            services: (1..=1_000).map(service).collect(),
            state: None,
            is_cause_known: false,
            note: None,
            person: None,
            roles: Vec::new(),
            key: None,
            conflicts: Vec::new(),
        };
        let change = ChangeId::from_random([7; 16]);
        let lookup =
            ServiceLookup { change, base: "https://new.example".into(), service_id: None, label: "new".into() };
        let writer =
            DeskWriter { actor: DeskActor::Key("nightly".into()), role: Role::Admin, change, decided_at: None };
        let full = find_service(&writer, &lookup, &situation, 0);
        assert!(matches!(full, Err(DeskRefusal::TooManyServices)));
        situation.services[7].merged_into = Some(1);
        let (created, _) = find_service(&writer, &lookup, &situation, 0).unwrap();
        assert_eq!(created.id, 1_001);
    }
}
