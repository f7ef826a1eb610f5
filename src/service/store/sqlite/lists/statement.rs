//! The SQL statement that reads one page of a list.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};

use crate::domain::list::query::Direction;
use crate::service::store::order::ListOrder;
use crate::service::store::page::{PageStart, PageWindow, PositionKey, RowPosition};

/// Returns the `ORDER BY` terms of an order.
fn order_by(order: ListOrder) -> String {
    let (column, direction) = (order.column, order.direction.name());
    if column == "id" { format!("id {direction}") } else { format!("{column} {direction}, id {direction}") }
}

/// Returns the condition for rows after `:key` and `:id`.
fn after(order: ListOrder) -> String {
    let comparison = match order.direction {
        Direction::Ascending => '>',
        Direction::Descending => '<',
    };
    if order.column == "id" {
        format!("id {comparison} :id")
    } else {
        // SQLite compares the id within the index only if its collation is named; otherwise row by row.
        format!("({}, id) {comparison} (:key, :id COLLATE BINARY)", order.column)
    }
}

/// A statement builder: a table, and conditions with their values.
pub struct ListStatement {
    table: &'static str,
    /// `NOT INDEXED`, or nothing.
    hint: &'static str,
    conditions: Vec<String>,
    values: Vec<(&'static str, Value)>,
}

impl ListStatement {
    /// Starts with all rows of a table.
    pub fn of(table: &'static str) -> Self {
        Self { table, hint: "", conditions: Vec::new(), values: Vec::new() }
    }

    /// Adds a condition with one named value.
    pub fn filter_by(&mut self, condition: &str, name: &'static str, value: impl Into<Value>) {
        self.conditions.push(condition.to_owned());
        self.values.push((name, value.into()));
    }

    /// Restricts the rows to a few ids, which are looked up and sorted instead of scanning an index.
    pub fn only_ids(&mut self, ids: &[i64]) {
        self.hint = "NOT INDEXED";
        let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
        self.filter_by("id IN (SELECT value FROM json_each(:ids))", ":ids", format!("[{}]", ids.join(",")));
    }

    /// Counts the rows.
    pub fn count(&self, connection: &Connection) -> rusqlite::Result<i64> {
        connection.prepare_cached(&self.sql("count(*)"))?.query_one(&*self.parameters(), |row| row.get(0))
    }

    /// Returns one page of the rows, and the position of its last row if more follow.
    pub fn page<T>(
        mut self,
        connection: &Connection,
        (columns, order): (&str, ListOrder),
        window: &PageWindow,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
        position: impl Fn(&T) -> RowPosition,
    ) -> rusqlite::Result<(Vec<T>, Option<RowPosition>)> {
        let sql = self.page_sql(columns, order, &window.start);
        let limit = usize::from(window.limit);
        // One row more than the page tells whether the list continues.
        self.values.push((":limit", (i64::from(window.limit) + 1).into()));
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(&*self.parameters(), read)?;
        let mut rows = rows.collect::<rusqlite::Result<Vec<T>>>()?;
        let goes_on = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| goes_on).map(position);
        Ok((rows, next))
    }

    /// Returns the SQL of a page, and binds the values of its start.
    pub(super) fn page_sql(&mut self, columns: &str, order: ListOrder, start: &PageStart) -> String {
        let offset = match start {
            PageStart::Offset(offset) => {
                self.values.push((":offset", (*offset).into()));
                " OFFSET :offset"
            }
            PageStart::After(RowPosition { key, id }) => {
                self.filter_by(&after(order), ":id", *id);
                if order.column != "id" {
                    let key = match key {
                        PositionKey::Number(number) => Value::from(*number),
                        PositionKey::Text(text) => Value::from(text.clone()),
                    };
                    self.values.push((":key", key));
                }
                ""
            }
        };
        format!("{} ORDER BY {} LIMIT :limit{offset}", self.sql(columns), order_by(order))
    }

    fn sql(&self, columns: &str) -> String {
        let Self { table, hint, conditions, .. } = self;
        let condition =
            if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
        format!("SELECT {columns} FROM {table} {hint}{condition}")
    }

    fn parameters(&self) -> Vec<(&str, &dyn ToSql)> {
        self.values.iter().map(|(name, value)| (*name, value as &dyn ToSql)).collect()
    }
}
