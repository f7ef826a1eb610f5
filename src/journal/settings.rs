//! Settings made in the dashboard, one value per service and name: columns, their widths, and when changes were seen.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::params;

use super::database::Journal;
use crate::domain::failure::Failure;
use crate::domain::list::columns::Column;

const COLUMNS: &str = "columns";
const WIDTHS: &str = "widths";
/// When all changes were marked as seen, in Unix milliseconds.
pub(super) const SEEN_AT: &str = "seen_at";

impl Journal {
    /// Returns column widths that differ from their defaults, in cells.
    pub fn load_widths(&self, service: &str) -> Result<BTreeMap<Column, u16>, Failure> {
        let read = |part: &str| {
            let (name, width) = part.split_once('=')?;
            Some((Column::of_name(name)?, width.parse().ok()?))
        };
        let value = self.setting(service, WIDTHS)?;
        Ok(value.iter().flat_map(|value| value.split(',')).filter_map(read).collect())
    }

    /// Returns the chosen columns; `None` for the defaults. Unknown names are skipped.
    pub fn load_columns(&self, service: &str) -> Result<Option<Vec<Column>>, Failure> {
        let value = self.setting(service, COLUMNS)?;
        let columns: Option<Vec<Column>> = value.map(|value| value.split(',').filter_map(Column::of_name).collect());
        Ok(columns.filter(|columns| columns.contains(&Column::Url)))
    }

    /// Stores the columns and widths; a default deletes the setting.
    pub fn store_columns(
        &self,
        service: &str,
        columns: Option<&[Column]>,
        widths: &BTreeMap<Column, u16>,
    ) -> Result<(), Failure> {
        let names = columns.map(|columns| columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(","));
        let widths = widths.iter().map(|(column, width)| format!("{}={width}", column.name())).collect::<Vec<_>>();
        self.set(service, COLUMNS, names)?;
        self.set(service, WIDTHS, Some(widths.join(",")).filter(|widths| !widths.is_empty()))
    }

    /// Returns when all changes were last marked as seen.
    pub fn load_seen_at(&self, service: &str) -> Result<Option<Timestamp>, Failure> {
        let value = self.setting(service, SEEN_AT)?;
        Ok(value.and_then(|value| Timestamp::from_millisecond(value.parse().ok()?).ok()))
    }

    /// Marks all changes up to this time as seen.
    pub fn store_seen_at(&self, service: &str, at: Timestamp) -> Result<(), Failure> {
        self.set(service, SEEN_AT, Some(at.as_millisecond().to_string()))
    }

    fn setting(&self, service: &str, name: &str) -> Result<Option<String>, Failure> {
        let sql = "SELECT value FROM settings WHERE service = ?1 AND name = ?2";
        Ok(self.rows("read a setting", sql, [service, name], |row| row.get(0))?.pop())
    }

    fn set(&self, service: &str, name: &str, value: Option<String>) -> Result<(), Failure> {
        let what = "store a setting";
        let done = if let Some(value) = value {
            let sql = "INSERT OR REPLACE INTO settings (service, name, value) VALUES (?1, ?2, ?3)";
            self.execute(what, sql, params![service, name, value])
        } else {
            self.execute(what, "DELETE FROM settings WHERE service = ?1 AND name = ?2", [service, name])
        };
        done.map(drop)
    }
}
