//! Statements that sort what they find: for projects, of which there are few, and for searches that found little.
//!
//! Must not know which table is asked.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};

use super::found::{SHORTEST_INDEXED, phrase};
use super::lists::Window;

/// One statement in the making: conditions with the values they need.
#[derive(Default)]
pub struct Statement {
    conditions: Vec<String>,
    values: Vec<(&'static str, Value)>,
}

impl Statement {
    /// Only rows of which a condition with one value is true.
    pub fn only(&mut self, condition: &str, name: &'static str, value: impl Into<Value>) {
        self.conditions.push(condition.to_owned());
        self.values.push((name, value.into()));
    }

    /// Only rows whose `column` contains the text. `index` is the full-text table beside the rows.
    pub fn containing(&mut self, text: &str, column: &str, index: &str) {
        // A zero character would end the text early inside the full-text index.
        if text.chars().count() < SHORTEST_INDEXED || text.contains('\0') {
            let condition = format!("instr(lower(coalesce(search_text, {column})), :search) > 0");
            self.only(&condition, ":search", text.to_lowercase());
        } else {
            let condition = format!("id IN (SELECT rowid FROM {index} WHERE {index} MATCH :search)");
            self.only(&condition, ":search", phrase(text));
        }
    }

    pub fn condition(&self) -> String {
        if self.conditions.is_empty() { String::new() } else { format!("WHERE {}", self.conditions.join(" AND ")) }
    }

    pub fn count(&self, connection: &Connection, table: &str) -> rusqlite::Result<i64> {
        let sql = format!("SELECT count(*) FROM {table} {}", self.condition());
        connection.prepare_cached(&sql)?.query_one(&*self.parameters(), |row| row.get(0))
    }

    fn parameters(&self) -> Vec<(&str, &dyn ToSql)> {
        self.values.iter().map(|(name, value)| (*name, value as &dyn ToSql)).collect()
    }

    pub fn rows<T>(
        mut self,
        connection: &Connection,
        sql: &str,
        window: Window,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.values.push((":limit", window.limit.into()));
        self.values.push((":offset", window.offset.into()));
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map(&*self.parameters(), read)?;
        rows.collect()
    }
}
