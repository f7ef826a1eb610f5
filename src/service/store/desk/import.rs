//! Imports another store's desk: its people, and the states and notes of imported reports, as events of this log.

use serde::de::DeserializeOwned;

use super::decide::DeskWriter;
use super::{reads, writes};
use crate::domain::desk::{ChangeId, DeskNote, DeskRow, EventDetail, OWN_SERVICE, Person};
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::service::store::error::StoreError;
use crate::service::store::sql::SqlTransaction;
use crate::service::store::transfer::TransferRow;
use crate::service::store::values;

/// An import in progress.
pub struct DeskImport {
    writer: DeskWriter,
    events: u32,
}

impl DeskImport {
    /// Starts an import. The first event has the id `change`, and those of the others derive from it.
    pub fn new(change: ChangeId) -> Self {
        Self { writer: DeskWriter::operator(change), events: 0 }
    }

    /// Inserts what a row of the other store becomes. `new_id` maps the old id of an imported report to its new one. Rows
    /// of other reports, services and tables, and malformed rows are skipped.
    pub async fn take(
        &mut self,
        transaction: &impl SqlTransaction,
        row: &TransferRow,
        new_id: impl Fn(i64) -> Option<i64>,
    ) -> Result<(), StoreError> {
        if let Some(person) = person(row) {
            return self.add_person(transaction, person).await;
        }
        let Some((report, content)) = report_and_content(row, new_id) else { return Ok(()) };
        let detail = match row.table.name {
            "desk_states" => {
                let Some(state) = read(content) else { return Ok(()) };
                let after = Box::new(DeskRow { report: report.clone(), version: 1, ..state });
                writes::put_state(transaction, OWN_SERVICE, &after).await?;
                EventDetail::State { before: None, after }
            }
            "desk_notes" => {
                let Some(note) = read(content) else { return Ok(()) };
                let id = reads::desk(transaction).await?.revision + 1;
                let after = Box::new(DeskNote { id, report: report.clone(), ..note });
                writes::put_note(transaction, OWN_SERVICE, &after).await?;
                EventDetail::Note { before: None, after }
            }
            _ => return Ok(()),
        };
        self.events += 1;
        self.writer.append(transaction, self.events, Some((OWN_SERVICE, report.raw())), detail, None).await
    }

    /// Adds a person whose handle is new.
    async fn add_person(&mut self, transaction: &impl SqlTransaction, person: Person) -> Result<(), StoreError> {
        if reads::person_of(transaction, &person.handle).await?.is_some() {
            return Ok(());
        }
        writes::put_person(transaction, &person).await?;
        self.events += 1;
        let detail = EventDetail::Person { before: None, after: Box::new(person) };
        self.writer.append(transaction, self.events, None, detail, None).await
    }
}

/// Returns a row of the other store's people.
fn person(row: &TransferRow) -> Option<Person> {
    let (handle, name) = (row.text("handle")?.parse().ok()?, Text::from_outside(row.text("name")?));
    Some(Person { handle, name, role: None, left_at: row.integer("left_at").map(values::time) })
}

/// Returns the new id of the report that a row is about, and the row's content; `None` if the report is not imported.
fn report_and_content(row: &TransferRow, new_id: impl Fn(i64) -> Option<i64>) -> Option<(ReportId, &str)> {
    row.integer("service").filter(|service| *service == OWN_SERVICE)?;
    let report = new_id(row.text("report")?.parse().ok()?)?;
    Some((ReportId::new(&report.to_string()), row.text("content")?))
}

/// Reads the content of a row; one that cannot be read is logged.
fn read<T: DeserializeOwned>(content: &str) -> Option<T> {
    let warn = |error: &serde_json::Error| tracing::warn!(%error, "a row of the other desk cannot be read");
    serde_json::from_str(content).inspect_err(warn).ok()
}
