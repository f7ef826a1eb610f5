//! The SQL statement that reads one page of a list.

use crate::domain::list::query::Direction;
use crate::service::store::error::StoreError;
use crate::service::store::order::ListOrder;
use crate::service::store::page::{PageStart, PageWindow, PositionKey, RowPosition};
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, SqlValue};

/// The prefix of a URL that PostgreSQL indexes, as in its migrations.
const URL_BEGINNING: &str = "left(url, 600)";

/// A statement builder: a table, and conditions with their values.
pub struct PageStatement {
    engine: Engine,
    table: &'static str,
    /// `NOT INDEXED` for SQLite, or nothing.
    hint: &'static str,
    conditions: Vec<String>,
    values: Vec<Box<dyn SqlValue + Send>>,
}

impl PageStatement {
    /// Starts with all rows of a table.
    pub fn of(engine: Engine, table: &'static str) -> Self {
        Self { engine, table, hint: "", conditions: Vec::new(), values: Vec::new() }
    }

    /// Keeps rows with this number in a column.
    pub fn filter_by(&mut self, column: &str, value: i64) {
        let place = self.bind(value);
        self.add(format!("{column} = {place}"));
    }

    /// Adds a condition.
    pub fn add(&mut self, condition: String) {
        self.conditions.push(condition);
    }

    /// Binds a value, and returns its placeholder.
    pub fn bind(&mut self, value: impl SqlValue + Send + 'static) -> String {
        self.values.push(Box::new(value));
        format!("?{}", self.values.len())
    }

    /// Restricts the rows to a few ids, which SQLite looks up and sorts instead of scanning an index.
    pub fn only_ids(&mut self, ids: &[i64]) {
        self.hint = " NOT INDEXED";
        let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
        let place = self.bind(format!("[{}]", ids.join(",")));
        self.add(format!("id IN (SELECT value FROM json_each({place}))"));
    }

    /// Counts the rows.
    pub async fn count(&self, transaction: &impl SqlTransaction) -> Result<i64, StoreError> {
        transaction.one(&self.sql("count(*)"), &self.values(), |row| row.get(0)).await
    }

    /// Returns one page of the rows, and the position of its last row if more follow.
    pub async fn page<T>(
        mut self,
        transaction: &impl SqlTransaction,
        (columns, order): (&str, ListOrder),
        window: &PageWindow,
        read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
        position: impl Fn(&T) -> RowPosition,
    ) -> Result<(Vec<T>, Option<RowPosition>), StoreError> {
        let sql = self.page_sql(columns, order, window);
        let mut rows = transaction.rows(&sql, &self.values(), read).await?;
        let limit = usize::from(window.limit);
        let goes_on = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| goes_on).map(position);
        Ok((rows, next))
    }

    /// Returns the SQL of a page, and binds the values of its window.
    pub(in crate::service::store) fn page_sql(
        &mut self,
        columns: &str,
        order: ListOrder,
        window: &PageWindow,
    ) -> String {
        let offset = match &window.start {
            PageStart::Offset(offset) => format!(" OFFSET {}", self.bind(*offset)),
            PageStart::After(position) => {
                self.after(order, position);
                String::new()
            }
        };
        // One row more than the page tells whether the list continues.
        let limit = self.bind(i64::from(window.limit) + 1);
        let (table, by) = (self.table, self.order_by(order));
        match self.engine {
            Engine::Sqlite => format!("{} ORDER BY {by} LIMIT {limit}{offset}", self.sql(columns)),
            // Nested, because columns from subqueries would otherwise be computed for the rows before an offset too.
            Engine::Postgres => {
                let rows = self.sql("*");
                format!("SELECT {columns} FROM ({rows} ORDER BY {by} LIMIT {limit}{offset}) AS {table} ORDER BY {by}")
            }
        }
    }

    /// Keeps rows after a position.
    fn after(&mut self, order: ListOrder, RowPosition { key, id }: &RowPosition) {
        let sign = match order.direction {
            Direction::Ascending => '>',
            Direction::Descending => '<',
        };
        if order.column == "id" {
            let id = self.bind(*id);
            return self.add(format!("id {sign} {id}"));
        }
        let (key, id) = match (key, self.engine) {
            (PositionKey::Number(number), _) => (self.bind(*number), *id),
            (PositionKey::Text(text), Engine::Sqlite) => (self.bind(text.clone()), *id),
            (PositionKey::Text(text), Engine::Postgres) => match text.split_once('\0') {
                // The server rejects NUL, and no row contains it: this text sorts after all rows equal to the part
                // before it, and before all greater rows.
                Some((beginning, _)) => (self.bind(beginning.to_owned()), i64::MAX),
                None => (self.bind(text.clone()), *id),
            },
        };
        let id = self.bind(id);
        match self.engine {
            // SQLite compares the id within the index only if its collation is named; otherwise row by row.
            Engine::Sqlite => self.add(format!("({}, id) {sign} ({key}, {id} COLLATE BINARY)", order.column)),
            Engine::Postgres => {
                self.add(format!("({}, id) {sign} ({key}, {id})", order.column));
                if order.column == "url" {
                    self.add(format!("{URL_BEGINNING} {sign}= left({key}, 600)"));
                }
            }
        }
    }

    fn order_by(&self, order: ListOrder) -> String {
        let (column, direction) = (order.column, order.direction.name());
        match (column, self.engine) {
            ("id", _) => format!("id {direction}"),
            ("url", Engine::Postgres) => format!("{URL_BEGINNING} {direction}, url {direction}, id {direction}"),
            (_, Engine::Sqlite | Engine::Postgres) => format!("{column} {direction}, id {direction}"),
        }
    }

    fn sql(&self, columns: &str) -> String {
        let Self { table, hint, conditions, .. } = self;
        let condition =
            if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
        format!("SELECT {columns} FROM {table}{hint}{condition}")
    }

    fn values(&self) -> Vec<&dyn SqlValue> {
        self.values.iter().map(|value| &**value as &dyn SqlValue).collect()
    }
}
