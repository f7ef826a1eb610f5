//! The event log: what was done to reports, by whom and when. Entries are only appended; `snapshots` deletes those
//! older than a year. Notes have a table of their own; entries about notes, as earlier versions wrote them, are skipped.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::database::{Journal, time};
use crate::domain::event_log::LogEntry;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::text::clean;
use crate::domain::triage::urgency::ResultBefore;

const COLUMNS: &str = "at, begun_at, author, report, name, project, kind, before, after, detail, audited_at";
/// Whether an entry is an audit requested here that a later list showed again. The entry of the request says more, and
/// the list may have been compared with an older result.
const SEEN_AGAIN: &str = "kind = 'audited' AND EXISTS ( \
                          SELECT 1 FROM events AS made WHERE made.service = events.service AND made.report = events.report \
                          AND made.kind IN ('rerun', 'created') AND made.audited_at = events.audited_at)";

impl Journal {
    /// Appends entries in one transaction. Audits that are already in the log are not added again.
    pub fn append_events(&self, service: &str, entries: &[LogEntry]) -> Result<(), Failure> {
        if entries.is_empty() {
            return Ok(());
        }
        self.write("store events", |transaction| append(transaction, service, entries))
    }

    /// Returns the latest entries of a service, oldest first, except for audits seen in lists.
    pub fn load_events(&self, service: &str, most: usize) -> Result<Vec<LogEntry>, Failure> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.entries("kind <> 'audited' ORDER BY at DESC, id DESC LIMIT ?2", params![service, most])
    }

    /// Returns all entries of a service from this time on, oldest first.
    pub fn load_events_since(&self, service: &str, since: Timestamp) -> Result<Vec<LogEntry>, Failure> {
        self.entries("at >= ?2 ORDER BY at DESC, id DESC", params![service, since.as_millisecond()])
    }

    /// Returns the latest entries about a report, oldest first.
    pub fn load_events_of(&self, service: &str, id: &ReportId, most: usize) -> Result<Vec<LogEntry>, Failure> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.entries("report = ?2 ORDER BY at DESC, id DESC LIMIT ?3", params![service, id.raw(), most])
    }

    /// Returns, for each report, the result before its latest logged audit that changed the result.
    pub fn load_results_before(&self, service: &str) -> Result<HashMap<ReportId, ResultBefore>, Failure> {
        // SQLite documents that bare columns come from the row with the maximum.
        let sql = format!(
            "SELECT report, before, max(at) FROM events WHERE service = ?1 AND report IS NOT NULL \
             AND kind IN ('rerun', 'audited') AND before NOT IN ('', after) AND NOT ({SEEN_AGAIN}) GROUP BY report"
        );
        let before = |row: &Row<'_>| {
            let (id, before): (String, String) = (row.get(0)?, row.get(1)?);
            Ok(ResultBefore::from_verdict(&clean(&before)).map(|before| (ReportId::new(&id), before)))
        };
        Ok(self.rows("read earlier results", &sql, [service], before)?.into_iter().flatten().collect())
    }

    /// Returns the entries of the service `?1` that are wanted, latest first, in reverse order. Unknown kinds are skipped,
    /// and audits that are in the log twice are returned once.
    fn entries(&self, wanted: &str, values: &[&dyn rusqlite::ToSql]) -> Result<Vec<LogEntry>, Failure> {
        let sql = format!(
            "SELECT {COLUMNS} FROM events WHERE service = ?1 AND kind <> 'note' AND NOT ({SEEN_AGAIN}) AND {wanted}"
        );
        Ok(self.rows("read events", &sql, values, entry)?.into_iter().rev().flatten().collect())
    }
}

/// Appends entries in an open transaction.
pub(super) fn append(connection: &Connection, service: &str, entries: &[LogEntry]) -> anyhow::Result<()> {
    let sql = format!(
        "INSERT OR IGNORE INTO events (service, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
    );
    let mut insert = connection.prepare_cached(&sql)?;
    for entry in entries {
        insert.execute(params![
            service,
            entry.at.as_millisecond(),
            entry.begun_at.as_millisecond(),
            entry.author,
            entry.report.as_ref().map(ReportId::raw),
            entry.name,
            entry.project,
            entry.kind.name(),
            entry.before,
            entry.after,
            entry.detail,
            entry.audited_at.map(|at| at.to_string()),
        ])?;
    }
    Ok(())
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Option<LogEntry>> {
    // Another program may have written to the file, so every text is cleaned.
    let text = |index: usize| -> rusqlite::Result<String> { Ok(clean(row.get_ref(index)?.as_str()?).into_owned()) };
    let Ok(kind) = text(6)?.parse() else { return Ok(None) };
    let audited_at: Option<String> = row.get(10)?;
    Ok(Some(LogEntry {
        at: time(row.get(0)?),
        begun_at: time(row.get(1)?),
        author: text(2)?,
        report: row.get::<_, Option<String>>(3)?.map(|id| ReportId::new(&id)),
        name: text(4)?,
        project: text(5)?,
        kind,
        before: text(7)?,
        after: text(8)?,
        detail: text(9)?,
        audited_at: audited_at.and_then(|at| at.parse::<Timestamp>().ok()),
    }))
}
