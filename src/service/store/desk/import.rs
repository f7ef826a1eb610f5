//! Converts another store's desk on import: its people, and the states and notes of imported reports, as events of this
//! log.

use super::administer::operator;
use super::decide::{DeskRefusal, OWN_SERVICE, decode, encode};
use super::records::{DeskStatement, DeskTableRow, EventRecord, NoteRecord, StateRecord};
use crate::domain::desk::{ChangeId, DeskEvent, DeskNote, DeskRow, EventDetail};
use crate::domain::report::ReportId;
use crate::service::store::values;

/// An import in progress.
pub struct DeskImport {
    change: ChangeId,
    revision: i64,
    now: i64,
    made: u32,
}

impl DeskImport {
    /// Starts an import into a log with this last revision. Ids of its events derive from `change`.
    pub fn new(change: ChangeId, revision: i64, now: i64) -> Self {
        Self { change, revision, now, made: 0 }
    }

    /// Returns the statements for a row of the other store. `new_id` maps the old id of an imported report to its new
    /// one. Rows of other reports and services, the other log, and malformed rows are skipped.
    pub fn take(&mut self, row: DeskTableRow, new_id: impl Fn(i64) -> Option<i64>) -> Vec<DeskStatement> {
        let new_report = |service: i64, report: &str| {
            let id = report.parse().ok().filter(|_| service == OWN_SERVICE).and_then(new_id)?;
            Some(id.to_string())
        };
        let statements = match row {
            DeskTableRow::Person(person) => return vec![DeskStatement::AddPerson(person)],
            DeskTableRow::State(record) => {
                new_report(record.service, &record.report).map(|report| self.state(&record, report))
            }
            DeskTableRow::Note(record) => {
                new_report(record.service, &record.report).map(|report| self.note(&record, report))
            }
            DeskTableRow::Desk(_) | DeskTableRow::Service(_) | DeskTableRow::Event(_) => None,
        };
        match statements {
            Some(Ok(statements)) => statements.into(),
            Some(Err(refusal)) => {
                tracing::warn!(?refusal, "a row of the other desk cannot be read");
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn state(&mut self, record: &StateRecord, report: String) -> Result<[DeskStatement; 2], DeskRefusal> {
        let earlier: DeskRow = decode(&record.content)?;
        let row = DeskRow { report: ReportId::new(&report), version: 1, ..earlier };
        let content = encode(&row)?;
        let detail = EventDetail::State { before: None, after: Box::new(row) };
        let event = self.event(&report, detail)?;
        Ok([DeskStatement::PutState(StateRecord { service: OWN_SERVICE, report, version: 1, content }), event])
    }

    fn note(&mut self, record: &NoteRecord, report: String) -> Result<[DeskStatement; 2], DeskRefusal> {
        let earlier: DeskNote = decode(&record.content)?;
        let (id, withdrawn) = (self.revision + 1, record.withdrawn);
        let note = DeskNote { id, report: ReportId::new(&report), ..earlier };
        let content = encode(&note)?;
        let detail = EventDetail::Note { before: None, after: Box::new(note) };
        let event = self.event(&report, detail)?;
        Ok([DeskStatement::PutNote(NoteRecord { id, service: OWN_SERVICE, report, withdrawn, content }), event])
    }

    fn event(&mut self, report: &str, detail: EventDetail) -> Result<DeskStatement, DeskRefusal> {
        let change = self.change.numbered(self.made);
        let event = DeskEvent {
            revision: self.revision + 1,
            change,
            service: Some(OWN_SERVICE),
            report: Some(ReportId::new(report)),
            person: operator(change).actor,
            detail,
            cause: None,
            at: values::time(self.now),
            decided_at: None,
        };
        let content = encode(&event)?;
        self.revision += 1;
        self.made += 1;
        Ok(DeskStatement::Append(EventRecord {
            revision: self.revision,
            change: change.to_string(),
            service: event.service,
            report: Some(report.to_owned()),
            cause: None,
            at: self.now,
            content,
        }))
    }
}
