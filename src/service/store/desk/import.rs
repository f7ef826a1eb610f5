//! Converts another store's desk on import: its people, and the states and notes of imported reports, as events of this
//! log.

use super::decide::OWN_SERVICE;
use super::records::DeskStatement;
use crate::domain::desk::{ChangeId, DeskActor, DeskEvent, DeskNote, DeskRow, EventDetail, Handle, Person};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
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
            Some(Err(error)) => {
                tracing::warn!(%error, "a row of the other desk cannot be read");
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn state(&mut self, content: &str, report: ReportId) -> serde_json::Result<[DeskStatement; 2]> {
        let row = DeskRow { report: report.clone(), version: 1, ..serde_json::from_str(content)? };
        let event = self.event(report, EventDetail::State { before: None, after: Box::new(row.clone()) });
        Ok([DeskStatement::PutState(OWN_SERVICE, row), event])
    }

    fn note(&mut self, content: &str, withdrawn: bool, report: ReportId) -> serde_json::Result<[DeskStatement; 2]> {
        let id = self.revision + 1;
        let note = DeskNote { id, report: report.clone(), withdrawn, ..serde_json::from_str(content)? };
        let event = self.event(report, EventDetail::Note { before: None, after: Box::new(note.clone()) });
        Ok([DeskStatement::PutNote(OWN_SERVICE, note), event])
    }

    fn event(&mut self, report: ReportId, detail: EventDetail) -> DeskStatement {
        let change = self.change.numbered(self.made);
        self.revision += 1;
        self.made += 1;
        DeskStatement::Append(DeskEvent {
            revision: self.revision,
            change,
            service: Some(OWN_SERVICE),
            report: Some(report),
            person: DeskActor::Operator,
            detail,
            cause: None,
            at: values::time(self.now),
            decided_at: None,
        })
    }
}

fn person(row: &TransferRow) -> Option<Person> {
    let (handle, name) = (Handle::from_stored(row.text("handle"))?, Text::from_outside(row.text("name")?));
    Some(Person { handle, name, role: None, left_at: row.integer("left_at").map(values::time) })
}

/// Returns the new id of the report that a row is about, and the row's content; `None` if the report is not imported.
fn report_and_content(row: &TransferRow, new_id: impl Fn(i64) -> Option<i64>) -> Option<(ReportId, &str)> {
    row.integer("service").filter(|service| *service == OWN_SERVICE)?;
    let report = new_id(row.text("report")?.parse().ok()?)?;
    Some((ReportId::new(&report.to_string()), row.text("content")?))
}
