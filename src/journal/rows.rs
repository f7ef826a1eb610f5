//! The rows of the last list, shown at the next start, and saved views.
//!
//! Rows are stored and read in parts of [`ROWS_OF_A_PART`], each a self-contained blob, so that the first part is shown
//! before the last is read, and no part takes much memory. A newer list replaces the older one.

use rusqlite::params;

use super::codec::{decode_rows, encode_rows};
use super::database::{Journal, time};
use super::snapshots::{scope_from_text, scope_to_text};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::cached_rows::{CachedRows, CachedRowsPart, FormerView, SavedView};
use crate::domain::list::paging::MOST_ROWS;
use crate::domain::text::clean;

/// Rows per part, about 70 kB.
pub const ROWS_OF_A_PART: usize = 1_000;

impl Journal {
    /// Stores the rows of a list in one transaction, replacing those of the previous list. Ignores `last.next`.
    pub fn store_rows(&self, service: &str, last: &CachedRows) -> Result<(), Failure> {
        self.write("store the rows of the list", |transaction| {
            let total = last.total.map(|total| i64::try_from(total).unwrap_or(i64::MAX));
            // Also deletes the parts of the previous list (ON DELETE CASCADE).
            transaction.execute("DELETE FROM last_rows WHERE service = ?1", [service])?;
            transaction.execute(
                "INSERT INTO last_rows (service, scope, taken_at, total) VALUES (?1, ?2, ?3, ?4)",
                params![service, scope_to_text(&last.scope), last.taken_at.as_millisecond(), total],
            )?;
            let mut insert =
                transaction.prepare_cached("INSERT INTO row_parts (service, part, content) VALUES (?1, ?2, ?3)")?;
            let mut rows = last.rows.iter().take(MOST_ROWS).peekable();
            for part in 0_u32.. {
                insert.execute(params![service, part, encode_rows(rows.by_ref().take(ROWS_OF_A_PART))])?;
                if rows.peek().is_none() {
                    break;
                }
            }
            Ok(())
        })?;
        self.checkpoint_and_shrink();
        Ok(())
    }

    /// Returns one part of the last list's rows; without `part`, the first. `None` if there is none that this version
    /// can decode, or if another list has replaced that of the part.
    pub fn load_rows(&self, service: &str, part: Option<CachedRowsPart>) -> Result<Option<CachedRows>, Failure> {
        let sql = "SELECT scope, taken_at, total, content,
                       EXISTS (SELECT 1 FROM row_parts WHERE service = ?1 AND part = ?2 + 1)
                   FROM last_rows JOIN row_parts USING (service)
                   WHERE service = ?1 AND part = ?2 AND taken_at = coalesce(?3, taken_at)";
        let number = part.map_or(0, |part| part.number);
        let read = |row: &rusqlite::Row<'_>| {
            let (scope, total, has_more): (String, Option<i64>, bool) = (row.get(0)?, row.get(2)?, row.get(4)?);
            let taken_at = time(row.get(1)?);
            let rows = decode_rows(row.get_ref(3)?.as_blob()?);
            let total = total.and_then(|total| u64::try_from(total).ok());
            let next = has_more.then(|| CachedRowsPart { taken_at, number: number.saturating_add(1) });
            let found = scope_from_text(&scope).zip(rows);
            Ok(found.map(|(scope, rows)| CachedRows { rows, scope, taken_at, total, next }))
        };
        let values = params![service, number, part.map(|part| part.taken_at.as_millisecond())];
        Ok(self.rows("read the rows of the last list", sql, values, read)?.pop().flatten())
    }

    /// Returns the saved views of one service, by name.
    pub fn load_views(&self, service: &str) -> Result<Vec<SavedView>, Failure> {
        let sql = "SELECT name, line FROM views WHERE service = ?1 ORDER BY name";
        self.rows("read the views", sql, [service], |row| Ok(SavedView { name: row.get(0)?, line: row.get(1)? }))
    }

    /// Stores a view, replacing one of the same name.
    pub fn upsert_view(&self, service: &str, view: &SavedView) -> Result<(), Failure> {
        let sql = "INSERT OR REPLACE INTO views (service, name, line) VALUES (?1, ?2, ?3)";
        self.execute("save the view", sql, params![service, view.name, view.line]).map(drop)
    }

    /// Restores a view, or deletes it, unless it was changed since.
    ///
    /// # Errors
    ///
    /// Fails if it was changed since: then it stays as it is.
    pub fn restore_view(&self, service: &str, former: &FormerView) -> Result<(), Failure> {
        let FormerView { name, line, replaced_by } = former;
        let sql = match (line, replaced_by) {
            (Some(_), Some(_)) => "UPDATE views SET line = ?3 WHERE service = ?1 AND name = ?2 AND line = ?4",
            (Some(_), None) => "INSERT OR IGNORE INTO views (service, name, line) SELECT ?1, ?2, ?3 WHERE ?4 IS NULL",
            (None, _) => "DELETE FROM views WHERE service = ?1 AND name = ?2 AND line = ?4 AND ?3 IS NULL",
        };
        if self.execute("restore the view", sql, params![service, name, line, replaced_by])? == 0 {
            let why = format!("The view {} was not restored: another dashboard has changed it since", clean(name));
            return Err(Failure::new(FailureKind::Local, why, ""));
        }
        Ok(())
    }

    /// Deletes the view with that name.
    pub fn delete_view(&self, service: &str, name: &str) -> Result<(), Failure> {
        let sql = "DELETE FROM views WHERE service = ?1 AND name = ?2";
        self.execute("delete the view", sql, params![service, name]).map(drop)
    }
}
