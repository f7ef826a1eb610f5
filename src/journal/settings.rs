//! What a person set up on the screen, as it is kept: a value per name and service.
//!
//! Must not know what a value means, but for the names of columns.

use rusqlite::{OptionalExtension as _, params};
use strum::IntoEnumIterator as _;

use super::{Journal, told};
use crate::domain::columns::Column;
use crate::domain::failure::Failure;

const COLUMNS: &str = "columns";

impl Journal {
    /// The columns that were chosen; `None` for the usual ones. A name that this version does not know is left out.
    pub fn columns(&self, service: &str) -> Result<Option<Vec<Column>>, Failure> {
        let sql = "SELECT value FROM settings WHERE service = ?1 AND name = ?2";
        let found = self.connection.query_row(sql, [service, COLUMNS], |row| row.get::<_, String>(0)).optional();
        let value = found.map_err(|error| told("read the columns", &error))?;
        let column = |name: &str| Column::iter().find(|column| column.name() == name);
        let columns: Option<Vec<Column>> = value.map(|value| value.split(',').filter_map(column).collect());
        Ok(columns.filter(|columns| columns.contains(&Column::Url)))
    }

    /// Keeps a choice of columns, or forgets it.
    pub fn keep_columns(&self, service: &str, columns: Option<&[Column]>) -> Result<(), Failure> {
        let done = if let Some(columns) = columns {
            let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
            let sql = "INSERT OR REPLACE INTO settings (service, name, value) VALUES (?1, ?2, ?3)";
            self.connection.execute(sql, params![service, COLUMNS, names.join(",")])
        } else {
            let sql = "DELETE FROM settings WHERE service = ?1 AND name = ?2";
            self.connection.execute(sql, [service, COLUMNS])
        };
        done.map(drop).map_err(|error| told("keep the columns", &error))
    }
}
