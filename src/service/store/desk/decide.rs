//! Decides writes to the desk from what the engine read; shared by both engines.

use jiff::Timestamp;

use super::records::{DeskQuery, DeskSituation, DeskStatement, ServiceRecord};
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

impl DeskWriter {
    /// Returns the writer of a command on the service's own machine.
    pub fn operator(change: ChangeId) -> Self {
        Self { actor: DeskActor::Operator, role: Role::Admin, change, decided_at: None }
    }

    /// Returns the statement that appends an event, as number `place` of this write, counted from 1.
    pub fn append(
        &self,
        situation: &DeskSituation,
        place: u32,
        about: Option<(i64, &str)>,
        detail: EventDetail,
        cause: Option<&Text>,
    ) -> DeskStatement {
        DeskStatement::Append(DeskEvent {
            revision: situation.desk.revision + i64::from(place),
            change: if place == 1 { self.change } else { self.change.numbered(place) },
            service: about.map(|(service, _)| service),
            report: about.map(|(_, report)| ReportId::new(report)),
            person: self.actor.clone(),
            detail,
            cause: cause.cloned(),
            at: values::time(situation.now),
            decided_at: self.decided_at.map(to_the_millisecond),
        })
    }

    /// Returns the earlier write with the same id. Fails if it was another person's or about another report.
    fn earlier(
        &self,
        situation: &DeskSituation,
        about: Option<(i64, &str)>,
    ) -> Result<Option<EventDetail>, DeskRefusal> {
        let Some(event) = &situation.repeated else { return Ok(None) };
        let is_same =
            event.person == self.actor && event.service.zip(event.report.as_ref().map(ReportId::raw)) == about;
        if is_same { Ok(Some(event.detail.clone())) } else { Err(DeskRefusal::ChangeReused) }
    }
}

fn require_service(situation: &DeskSituation, id: i64) -> Result<&DeskService, DeskRefusal> {
    let found = situation.services.iter().find(|record| record.service.id == id && record.merged_into.is_none());
    found.map(|record| &record.service).ok_or(DeskRefusal::UnknownService)
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
            person: self.write.holder.clone(),
            ..DeskQuery::default()
        }
    }

    /// Decides the write and returns the new row. A repeated id gets the first result; a known cause gets the current
    /// row.
    pub fn decide(self, situation: &DeskSituation) -> Decision<DeskRow> {
        let Self { writer, service, report, expected, write } = self;
        let about = Some((service, report.as_str()));
        match writer.earlier(situation, about)? {
            Some(EventDetail::State { after, .. }) => return Ok((*after, Vec::new())),
            Some(_) => return Err(DeskRefusal::ChangeReused),
            None => {}
        }
        require_service(situation, service)?;
        let present = situation.state.as_ref();
        if let Some(row) = present.filter(|_| situation.is_cause_known) {
            return Ok((row.clone(), Vec::new()));
        }
        let version = present.map(|row| row.version);
        let holds = match expected {
            RowPrecondition::Absent => version.is_none(),
            RowPrecondition::Version(expected) => version == Some(expected),
        };
        if !holds {
            return Err(DeskRefusal::Conflict(present.cloned().map(Box::new)));
        }
        let held = present.and_then(|row| row.holder.as_ref());
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
            set_at: values::time(situation.now),
        };
        let detail = EventDetail::State { before: present.cloned().map(Box::new), after: Box::new(row.clone()) };
        let event = writer.append(situation, 1, about, detail, write.cause.as_ref());
        Ok((row.clone(), vec![DeskStatement::PutState(service, row), event]))
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
    pub fn decide(self, situation: &DeskSituation) -> Decision<DeskNote> {
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
            at: values::time(situation.now),
            withdrawn: false,
        };
        let detail = EventDetail::Note { before: None, after: Box::new(note.clone()) };
        let event = writer.append(situation, 1, about, detail, None);
        Ok((note.clone(), vec![DeskStatement::PutNote(service, note), event]))
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
        let report = Some((self.service, self.report.clone()));
        DeskQuery { change: Some(self.writer.change), report, note: Some(self.note), ..DeskQuery::default() }
    }

    /// Decides the withdrawal and returns the note without its text. An already withdrawn note is returned unchanged.
    pub fn decide(self, situation: &DeskSituation) -> Decision<DeskNote> {
        let Self { writer, service, report, note } = self;
        let about = Some((service, report.as_str()));
        match writer.earlier(situation, about)? {
            Some(EventDetail::Note { before: Some(_), after }) if after.id == note => return Ok((*after, Vec::new())),
            Some(_) => return Err(DeskRefusal::ChangeReused),
            None => {}
        }
        require_service(situation, service)?;
        let before = situation.note.clone().ok_or(DeskRefusal::UnknownNote)?;
        if before.author != writer.actor && writer.role < Role::Admin {
            return Err(DeskRefusal::NotYours);
        }
        if before.withdrawn {
            return Ok((before, Vec::new()));
        }
        let after = DeskNote { text: Text::default(), withdrawn: true, ..before.clone() };
        let detail = EventDetail::Note { before: Some(Box::new(before)), after: Box::new(after.clone()) };
        let event = writer.append(situation, 1, about, detail, None);
        Ok((after.clone(), vec![DeskStatement::PutNote(service, after), event]))
    }
}

/// Finds a service by id or base URL, or creates it. The id takes precedence: a service may have many addresses, and an
/// address may have passed to another service.
pub fn find_service(writer: &DeskWriter, lookup: &ServiceLookup, situation: &DeskSituation) -> Decision<DeskService> {
    let ServiceLookup { base, service_id: own_id, label, .. } = lookup;
    let by_id = |record: &&ServiceRecord| own_id.is_some() && record.service.service_id == *own_id;
    let by_base = |ServiceRecord { service, .. }: &&ServiceRecord| {
        let is_other = own_id.is_some() && service.service_id.is_some();
        service.base.as_ref() == Some(base) && !is_other
    };
    let found = situation.services.iter().find(by_id).or_else(|| situation.services.iter().rev().find(by_base));
    let followed = |record: &ServiceRecord| record.merged_into.unwrap_or(record.service.id);
    let present = found.map(|record| require_service(situation, followed(record))).transpose()?;
    let service = match present {
        Some(present) if present.service_id.is_some() || own_id.is_none() => return Ok((present.clone(), Vec::new())),
        Some(present) => DeskService { service_id: own_id.clone(), ..present.clone() },
        None if situation.services.iter().filter(|known| known.merged_into.is_none()).count() >= MOST_SERVICES => {
            return Err(DeskRefusal::TooManyServices);
        }
        None => DeskService {
            id: situation.services.last().map_or(0, |last| last.service.id) + 1,
            base: Some(base.clone()),
            service_id: own_id.clone(),
            label: label.clone(),
        },
    };
    if situation.repeated.is_some() {
        return Err(DeskRefusal::ChangeReused);
    }
    let before = present.cloned().map(Box::new);
    let detail = EventDetail::Service { before, after: Box::new(service.clone()) };
    let event = writer.append(situation, 1, None, detail, None);
    let record = ServiceRecord { service: service.clone(), merged_into: None };
    Ok((service, vec![DeskStatement::PutService(record), event]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::desk::records::DeskRecord;

    #[test]
    fn merged_services_do_not_count_towards_the_limit() {
        let service = |id: i64| {
            let base = Some(Text::from_outside(format!("https://{id}.example")));
            let service = DeskService { id, base, service_id: None, label: Text::default() };
            ServiceRecord { service, merged_into: None }
        };
        let mut situation = DeskSituation {
            now: 0,
            desk: DeskRecord { revision: 1_000, service_id: "own".to_owned(), pruned: 0 },
            repeated: None,
            services: (1..=1_000).map(service).collect(),
            state: None,
            is_cause_known: false,
            note: None,
            person: None,
            key: None,
            conflicts: Vec::new(),
        };
        let change = ChangeId::from_random([7; 16]);
        let lookup =
            ServiceLookup { change, base: "https://new.example".into(), service_id: None, label: "new".into() };
        let writer =
            DeskWriter { actor: DeskActor::Key("nightly".into()), role: Role::Admin, change, decided_at: None };
        let full = find_service(&writer, &lookup, &situation);
        assert!(matches!(full, Err(DeskRefusal::TooManyServices)));
        situation.services[7].merged_into = Some(1);
        let (created, _) = find_service(&writer, &lookup, &situation).unwrap();
        assert_eq!(created.id, 1_001);
    }
}
