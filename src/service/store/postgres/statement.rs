//! The SQL statement that reads one page of a list.

use tokio_postgres::{Error, Row};

use super::parameters::{TypedParameter, typed};
use super::transactions::PgConnection;
use crate::domain::list::query::Direction;
use crate::domain::text::search_text;
use crate::service::store::order::ListOrder;
use crate::service::store::page::{PageStart, PageWindow, PositionKey, RowPosition};

/// The indexed prefix of a URL, as in the migrations.
const URL_BEGINNING: &str = "left(url, 600)";

/// The value of a parameter.
enum Parameter {
    Number(i64),
    Text(String),
}

impl Parameter {
    fn typed(&self) -> TypedParameter<'_> {
        match self {
            Self::Number(number) => typed(number),
            Self::Text(text) => typed(text),
        }
    }
}

/// A statement builder: a table, and conditions with their values.
pub struct PageStatement {
    table: &'static str,
    conditions: Vec<String>,
    values: Vec<Parameter>,
}

impl PageStatement {
    /// Starts with all rows of a table.
    pub fn of(table: &'static str) -> Self {
        Self { table, conditions: Vec::new(), values: Vec::new() }
    }

    /// Keeps rows with this number in a column.
    pub fn filter_by(&mut self, column: &str, value: i64) {
        let place = self.bind(Parameter::Number(value));
        self.conditions.push(format!("{column} = {place}"));
    }

    /// Keeps rows whose text contains another text, ignoring case.
    pub fn search(&mut self, wanted: &str) {
        let pattern = format!("%{}%", escaped(&search_text::normalize_query(wanted)));
        let place = self.bind(Parameter::Text(pattern));
        self.conditions.push(format!("search_text LIKE {place}"));
    }

    /// Counts the rows.
    pub async fn count(&self, connection: &PgConnection) -> Result<i64, Error> {
        connection.query_typed_one(&self.sql("count(*)"), &self.parameters()).await?.try_get(0)
    }

    /// Returns one page of the rows, and the position of its last row if more follow.
    pub async fn page<T>(
        mut self,
        connection: &PgConnection,
        (columns, order): (&str, ListOrder),
        window: &PageWindow,
        read: impl Fn(&Row) -> Result<T, Error>,
        position: impl Fn(&T) -> RowPosition,
    ) -> Result<(Vec<T>, Option<RowPosition>), Error> {
        let offset = match &window.start {
            PageStart::Offset(offset) => format!(" OFFSET {}", self.bind(Parameter::Number(*offset))),
            PageStart::After(position) => {
                self.after(order, position);
                String::new()
            }
        };
        let limit = usize::from(window.limit);
        // One row more than the page tells whether the list continues.
        let (rows, table, order) = (self.sql("*"), self.table, order_by(order));
        // Nested, because columns from subqueries would otherwise be computed for the rows before an offset too.
        let sql = format!(
            "SELECT {columns} FROM ({rows} ORDER BY {order} LIMIT {}{offset}) AS {table} ORDER BY {order}",
            limit + 1
        );
        let rows = connection.query_typed(&sql, &self.parameters()).await?;
        let mut rows = rows.iter().map(read).collect::<Result<Vec<T>, Error>>()?;
        let goes_on = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| goes_on).map(position);
        Ok((rows, next))
    }

    /// Keeps rows after a position.
    fn after(&mut self, order: ListOrder, position: &RowPosition) {
        let (sign, id) = (comparison(order.direction), position.id);
        let (key, id) = match &position.key {
            _ if order.column == "id" => {
                let id = self.bind(Parameter::Number(id));
                return self.conditions.push(format!("id {sign} {id}"));
            }
            PositionKey::Number(number) => (Parameter::Number(*number), id),
            PositionKey::Text(text) => match text.split_once('\0') {
                // The server rejects NUL, and no row contains it: this text sorts after all rows equal to the part
                // before it, and before all greater rows.
                Some((beginning, _)) => (Parameter::Text(beginning.to_owned()), i64::MAX),
                None => (Parameter::Text(text.clone()), id),
            },
        };
        let (key, id) = (self.bind(key), self.bind(Parameter::Number(id)));
        self.conditions.push(format!("({}, id) {sign} ({key}, {id})", order.column));
        if order.column == "url" {
            self.conditions.push(format!("{URL_BEGINNING} {sign}= left({key}, 600)"));
        }
    }

    fn bind(&mut self, value: Parameter) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    fn sql(&self, columns: &str) -> String {
        let Self { table, conditions, .. } = self;
        let condition =
            if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
        format!("SELECT {columns} FROM {table}{condition}")
    }

    fn parameters(&self) -> Vec<TypedParameter<'_>> {
        self.values.iter().map(Parameter::typed).collect()
    }
}

fn comparison(direction: Direction) -> char {
    match direction {
        Direction::Ascending => '>',
        Direction::Descending => '<',
    }
}

fn order_by(order: ListOrder) -> String {
    let (column, direction) = (order.column, order.direction.name());
    match column {
        "id" => format!("id {direction}"),
        "url" => format!("{URL_BEGINNING} {direction}, url {direction}, id {direction}"),
        _ => format!("{column} {direction}, id {direction}"),
    }
}

/// Escapes a text for a `LIKE` pattern.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
