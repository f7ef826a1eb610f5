//! Imports of another store's reports: which rows are inserted, and under which ids. Both engines insert them.

use std::collections::HashMap;

use super::desk::import::DeskImport;
use super::desk::records::DeskStatement;
use super::transfer::{ColumnValue, CopyRefusal, ImportCounts, TransferRow};

/// An import in progress.
pub struct ReportImport {
    /// Names and creation times of the other store's projects, by id.
    projects: HashMap<i64, (String, i64)>,
    /// New ids of imported reports, by their old ids.
    new_ids: HashMap<i64, i64>,
    desk: DeskImport,
    counts: ImportCounts,
}

/// What to do with a row of the other store.
pub enum ImportStep {
    /// Nothing.
    Skip,
    /// Insert a report with a new id, unless its project has its URL already.
    Report {
        row: TransferRow,
        /// The name and the creation time of its project.
        project: (String, i64),
    },
    /// Insert a result, current or earlier, with a new id.
    Result(TransferRow),
    /// Execute these statements.
    Desk(Vec<DeskStatement>),
}

impl ReportImport {
    /// Starts an import.
    pub fn new(desk: DeskImport) -> Self {
        Self { projects: HashMap::new(), new_ids: HashMap::new(), desk, counts: ImportCounts::default() }
    }

    /// Returns what to do with a row; fails if it refers to a missing one.
    pub fn take(&mut self, row: TransferRow) -> Result<ImportStep, CopyRefusal> {
        self.step(row).ok_or(CopyRefusal::CutOff)
    }

    fn step(&mut self, mut row: TransferRow) -> Option<ImportStep> {
        match row.table.name {
            "projects" => {
                let project = (row.text("name")?.to_owned(), row.integer("created_at")?);
                self.projects.insert(row.integer("id")?, project);
                Some(ImportStep::Skip)
            }
            "reports" => {
                let project = self.projects.get(&row.integer("project_id")?)?.clone();
                Some(ImportStep::Report { row, project })
            }
            "results" | "history" => {
                let Some(report) = self.new_ids.get(&row.integer("report_id")?) else { return Some(ImportStep::Skip) };
                row.set("report_id", ColumnValue::Integer(*report));
                self.counts.former += u64::from(row.table.name == "history");
                Some(ImportStep::Result(row))
            }
            "people" | "desk_states" | "desk_notes" => {
                Some(ImportStep::Desk(self.desk.take(&row, |id| self.new_ids.get(&id).copied())))
            }
            // Keys and secrets of the other store must not grant access here.
            _ => Some(ImportStep::Skip),
        }
    }

    /// Notes the new id of an inserted report.
    pub fn inserted(&mut self, old: i64, new: i64) {
        self.new_ids.insert(old, new);
        self.counts.reports += 1;
    }

    /// Counts a report whose project has its URL already.
    pub fn skipped(&mut self) {
        self.counts.skipped += 1;
    }

    /// Ends the import.
    pub fn counts(self) -> ImportCounts {
        self.counts
    }
}
