//! Imports of another store's reports: which rows are inserted, and under which ids.

use std::collections::HashMap;

use super::desk::import::DeskImport;
use super::error::{CopyRefusal, StoreError};
use super::sql::{Engine, SqlTransaction, bind};
use super::tables::{any_row, projects};
use super::transfer::{ColumnValue, ImportCounts, RowReceiver, TransferRow};
use crate::domain::desk::ChangeId;

/// An import in progress.
struct ReportImport {
    /// Names and creation times of the other store's projects, by id.
    projects: HashMap<i64, (String, i64)>,
    /// New ids of imported reports, by their old ids.
    new_ids: HashMap<i64, i64>,
    desk: DeskImport,
    /// The last report's id before the import.
    last: i64,
    counts: ImportCounts,
}

/// Inserts the reports of another store with new ids, their earlier results, and the desk's data about them. Skips
/// reports whose project had their URL before the import. `change` is the id of the first event this creates.
pub async fn receive(
    transaction: &impl SqlTransaction,
    mut receiver: RowReceiver,
    change: ChangeId,
) -> Result<ImportCounts, StoreError> {
    let last = transaction.one("SELECT coalesce(max(id), 0) FROM reports", bind![], |row| row.get(0)).await?;
    let (projects, new_ids, desk) = (HashMap::new(), HashMap::new(), DeskImport::new(change));
    let mut import = ReportImport { projects, new_ids, desk, last, counts: ImportCounts::default() };
    loop {
        match receiver.recv().await {
            Some(Some(row)) => import.take(transaction, row).await?,
            Some(None) => return Ok(import.counts),
            None => return Err(CopyRefusal::CutOff.into()),
        }
    }
}

impl ReportImport {
    /// Inserts what a row of the other store becomes; fails if it refers to a missing one.
    async fn take(&mut self, transaction: &impl SqlTransaction, mut row: TransferRow) -> Result<(), StoreError> {
        match row.table.name {
            "projects" => {
                let project = row.integer("id").zip(row.text("name")).zip(row.integer("created_at"));
                let Some(((id, name), created_at)) = project else { return Err(CopyRefusal::CutOff.into()) };
                self.projects.insert(id, (name.to_owned(), created_at));
            }
            "reports" => {
                let project = row.integer("project_id").and_then(|project| self.projects.get(&project));
                let Some((name, created_at)) = project else { return Err(CopyRefusal::CutOff.into()) };
                let project = projects::number(transaction, name, *created_at).await?;
                row.set("project_id", ColumnValue::Integer(project));
                self.insert_report(transaction, row, project).await?;
            }
            "results" | "history" => {
                let Some(report) = row.integer("report_id") else { return Err(CopyRefusal::CutOff.into()) };
                // Otherwise its report was skipped.
                if let Some(report) = self.new_ids.get(&report) {
                    row.set("report_id", ColumnValue::Integer(*report));
                    self.counts.former += u64::from(row.table.name == "history");
                    any_row::insert_new(transaction, row).await?;
                }
            }
            "people" | "desk_states" | "desk_notes" => {
                self.desk.take(transaction, &row, |id| self.new_ids.get(&id).copied()).await?;
            }
            // Keys and secrets of the other store must not grant access here.
            _ => {}
        }
        Ok(())
    }

    /// Inserts a report, unless its project had its URL before the import.
    async fn insert_report<S: SqlTransaction>(
        &mut self,
        transaction: &S,
        row: TransferRow,
        project: i64,
    ) -> Result<(), StoreError> {
        let is_same = match S::ENGINE {
            Engine::Sqlite => "url = ?2",
            // The index covers the beginning of the URL.
            Engine::Postgres => "left(url, 600) = left(?2, 600) AND url = ?2",
        };
        let sql = format!("SELECT EXISTS (SELECT 1 FROM reports WHERE project_id = ?1 AND {is_same} AND id <= ?3)");
        if transaction.one(&sql, bind![project, row.text("url"), self.last], |row| row.get(0)).await? {
            self.counts.skipped += 1;
            return Ok(());
        }
        let (old, rank) = (row.integer("id").unwrap_or_default(), row.integer("result").unwrap_or_default());
        let new = any_row::insert_new(transaction, row).await?.unwrap_or_default();
        self.new_ids.insert(old, new);
        self.counts.reports += 1;
        projects::recount(transaction, None, Some((project, rank))).await
    }
}
