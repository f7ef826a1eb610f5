//! Settings made in the dashboard, one value per service and name: columns, their widths, and when changes were seen.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _};

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
            Some((name.parse().ok()?, width.parse().ok()?))
        };
        let value = self.setting(service, WIDTHS)?;
        Ok(value.iter().flat_map(|value| value.split(',')).filter_map(read).collect())
    }

    /// Returns the chosen columns; `None` for the defaults. Unknown names are skipped.
    pub fn load_columns(&self, service: &str) -> Result<Option<Vec<Column>>, Failure> {
        let value = self.setting(service, COLUMNS)?;
        let columns: Option<Vec<Column>> =
            value.map(|value| value.split(',').filter_map(|name| name.parse().ok()).collect());
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
        read(&self.connection, service, name).map_err(|error| self.failure("read a setting", error))
    }

    fn set(&self, service: &str, name: &str, value: Option<String>) -> Result<(), Failure> {
        self.write("store a setting", |transaction| {
            if let Some(value) = value {
                write(transaction, service, name, &value)?;
            } else {
                let sql = "DELETE FROM settings WHERE service = ?1 AND name = ?2";
                transaction.execute(sql, [service, name])?;
            }
            Ok(())
        })
    }
}

/// Reads a setting.
pub(super) fn read(connection: &Connection, service: &str, name: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT value FROM settings WHERE service = ?1 AND name = ?2";
    connection.prepare_cached(sql)?.query_row([service, name], |row| row.get(0)).optional()
}

/// Stores a setting, replacing its value.
pub(super) fn write(connection: &Connection, service: &str, name: &str, value: &str) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO settings (service, name, value) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute([service, name, value]).map(drop)
}
