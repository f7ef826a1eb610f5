//! The rows of the last list, and views with a name, as they are kept.
//!
//! Rows are one blob per service: read at every start, so reading has to be quick; 100,000 take a few megabytes and some
//! tens of milliseconds. A newer list replaces an older one. Must not know what is done with them.

use rusqlite::{OptionalExtension as _, params};

use super::coded::{rows_from_bytes, rows_to_bytes};
use super::snapshots::{scope_from_text, scope_to_text};
use super::triage::time;
use super::{Journal, told};
use crate::domain::failure::Failure;
use crate::domain::remembered::{LastRows, SavedView};

/// Rows of a list that are kept at most: the first ones. Bounds the file at some 25 MB per service.
pub const MOST_ROWS: usize = 250_000;

impl Journal {
    /// Keeps the rows of a list in place of the ones before, in one transaction.
    pub fn keep_rows(&self, service: &str, last: &LastRows) -> Result<(), Failure> {
        let content = rows_to_bytes(last.rows.iter().take(MOST_ROWS));
        let total = last.total.map(|total| i64::try_from(total).unwrap_or(i64::MAX));
        let sql = "INSERT OR REPLACE INTO last_rows (service, scope, taken_at, total, content) \
                   VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![service, scope_to_text(&last.scope), last.taken_at.as_millisecond(), total, content];
        self.connection.execute(sql, values).map_err(|error| told("keep the rows of the list", &error))?;
        self.tidy();
        Ok(())
    }

    /// The rows of the last list; `None` when there are none that this version can read.
    pub fn last_rows(&self, service: &str) -> Result<Option<LastRows>, Failure> {
        let sql = "SELECT scope, taken_at, total, content FROM last_rows WHERE service = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            let (scope, total): (String, Option<i64>) = (row.get(0)?, row.get(2)?);
            let taken_at = time(row.get(1)?);
            let content = row.get_ref(3)?.as_blob()?;
            let total = total.and_then(|total| u64::try_from(total).ok());
            let found = scope_from_text(&scope).zip(rows_from_bytes(content));
            Ok(found.map(|(scope, rows)| LastRows { rows, scope, taken_at, total }))
        };
        let found = self.connection.query_row(sql, [service], read).optional();
        found.map(Option::flatten).map_err(|error| told("read the rows of the last list", &error))
    }

    /// The saved views of one service, by name.
    pub fn views(&self, service: &str) -> Result<Vec<SavedView>, Failure> {
        let read = || -> rusqlite::Result<Vec<SavedView>> {
            let sql = "SELECT name, line FROM views WHERE service = ?1 ORDER BY name";
            let mut statement = self.connection.prepare_cached(sql)?;
            let view = |row: &rusqlite::Row<'_>| Ok(SavedView { name: row.get(0)?, line: row.get(1)? });
            statement.query_map([service], view)?.collect()
        };
        read().map_err(|error| told("read the views", &error))
    }

    /// Keeps a view in place of one of the same name.
    pub fn save_view(&self, service: &str, view: &SavedView) -> Result<(), Failure> {
        let sql = "INSERT OR REPLACE INTO views (service, name, line) VALUES (?1, ?2, ?3)";
        let saved = self.connection.execute(sql, params![service, view.name, view.line]);
        saved.map(drop).map_err(|error| told("save the view", &error))
    }

    /// Forgets the view of that name.
    pub fn forget_view(&self, service: &str, name: &str) -> Result<(), Failure> {
        let forgotten = self.connection.execute("DELETE FROM views WHERE service = ?1 AND name = ?2", [service, name]);
        forgotten.map(drop).map_err(|error| told("forget the view", &error))
    }
}
