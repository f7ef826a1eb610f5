//! Converts another store's desk on import: its people, and the states and notes of imported reports, as events of this
//! log.

use super::administer::operator;
use super::decide::{DeskRefusal, OWN_SERVICE, decode, encode};
use super::records::{DeskStatement, EventRecord, NoteRecord, PersonRecord, StateRecord};
use crate::domain::desk::{ChangeId, DeskEvent, DeskNote, DeskRow, EventDetail};
use crate::domain::report::ReportId;
use crate::service::store::transfer::TransferRow;
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
    /// one. Rows of other reports, services and tables, and malformed rows are skipped.
    pub fn take(&mut self, row: &TransferRow, new_id: impl Fn(i64) -> Option<i64>) -> Vec<DeskStatement> {
        let read = match row.table.name {
            "people" => return person(row).map(DeskStatement::AddPerson).into_iter().collect(),
            "desk_states" => report_and_content(row, new_id).map(|(report, content)| self.state(content, report)),
            "desk_notes" => report_and_content(row, new_id).map(|(report, content)| {
                let withdrawn = row.integer("withdrawn") == Some(1);
                self.note(content, withdrawn, report)
            }),
            _ => None,
        };
        match read {
            Some(Ok(statements)) => statements.into(),
            Some(Err(refusal)) => {
                tracing::warn!(?refusal, "a row of the other desk cannot be read");
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn state(&mut self, content: &str, report: String) -> Result<[DeskStatement; 2], DeskRefusal> {
        let earlier: DeskRow = decode(content)?;
        let row = DeskRow { report: ReportId::new(&report), version: 1, ..earlier };
        let content = encode(&row)?;
        let detail = EventDetail::State { before: None, after: Box::new(row) };
        let event = self.event(&report, detail)?;
        Ok([DeskStatement::PutState(StateRecord { service: OWN_SERVICE, report, version: 1, content }), event])
    }

    fn note(&mut self, content: &str, withdrawn: bool, report: String) -> Result<[DeskStatement; 2], DeskRefusal> {
        let earlier: DeskNote = decode(content)?;
        let id = self.revision + 1;
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

fn person(row: &TransferRow) -> Option<PersonRecord> {
    let (handle, name) = (row.text("handle")?.to_owned(), row.text("name")?.to_owned());
    Some(PersonRecord { handle, name, left_at: row.integer("left_at") })
}

/// Returns the new id of the report that a row is about, and the row's content; `None` if the report is not imported.
fn report_and_content(row: &TransferRow, new_id: impl Fn(i64) -> Option<i64>) -> Option<(String, &str)> {
    row.integer("service").filter(|service| *service == OWN_SERVICE)?;
    let report = new_id(row.text("report")?.parse().ok()?)?;
    Some((report.to_string(), row.text("content")?))
}
