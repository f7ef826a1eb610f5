//! Walking a list: from a cut, up or down one index, so many rows.
//!
//! Must not know how the cut was found.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};

use crate::domain::list::query::{Direction, ReportSort};

use super::cuts::{Cuts, Key, Place};
use super::found::Ids;
use super::lists::Window;
use super::moves::Move;
use super::names::Names;
use super::tables::reports::{self, Each};

/// After so many rows a walk takes note of where it is. Few in tests, so that small lists have many cuts.
pub const STRIDE: i64 = if cfg!(test) { 3 } else { 1_000 };

/// SQLite takes a limit below zero for none.
pub const EVERYTHING: Window = Window { offset: 0, limit: -1 };

/// A list of reports: which rows, and what they are sorted by. Its direction is only the way it is walked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    pub project: Option<i64>,
    pub result: Option<i64>,
    pub search: Option<String>,
    sort: ReportSort,
}

/// Where a walk begins and which way it goes. Without a place it begins at the list's end.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    pub place: Option<&'a Place>,
    pub direction: Direction,
}

impl List {
    pub fn new(project: Option<i64>, result: Option<i64>, search: Option<String>, sort: ReportSort) -> Self {
        // Where all have the same result, what is left to sort by is the id.
        let by_id = result.is_some() && sort == ReportSort::Result;
        Self { project, result, search, sort: if by_id { ReportSort::Id } else { sort } }
    }

    /// Where a move took place, when it was in this list. A search is not looked at here.
    pub fn place_of(&self, moved: &Move) -> Option<Place> {
        let inside = self.project.is_none_or(|project| project == moved.project)
            && self.result.is_none_or(|result| result == moved.result);
        let key = match self.sort {
            ReportSort::Id => Key::Number(0),
            ReportSort::GeneratedAt => Key::Number(moved.generated_at),
            ReportSort::Url => Key::Text(moved.url.clone()),
            ReportSort::Result => Key::Number(moved.result),
        };
        inside.then_some(Place { key, id: moved.report })
    }

    fn key(&self) -> &'static str {
        match self.sort {
            ReportSort::Id => "0",
            ReportSort::GeneratedAt => "generated_at",
            ReportSort::Url => "url",
            ReportSort::Result => "result",
        }
    }

    fn order(&self, direction: Direction) -> String {
        let direction = direction.word();
        match self.sort {
            ReportSort::Id => format!("id {direction}"),
            ReportSort::GeneratedAt | ReportSort::Url | ReportSort::Result => {
                format!("{} {direction}, id {direction}", self.key())
            }
        }
    }

    /// The same order for a statement that must sort: no index is offered for it.
    pub fn sorted(&self, direction: Direction) -> String {
        let direction = direction.word();
        match self.sort {
            ReportSort::Id => format!("+id {direction}"),
            ReportSort::GeneratedAt | ReportSort::Url | ReportSort::Result => {
                format!("+{} {direction}, +id {direction}", self.key())
            }
        }
    }

    /// Upwards a walk takes the row at its place along, downwards it leaves it: the cut is just before it.
    fn entry(&self, direction: Direction) -> String {
        let comparison = match direction {
            Direction::Ascending => ">=",
            Direction::Descending => "<",
        };
        match self.sort {
            ReportSort::Id => format!("id {comparison} :id"),
            // Only with the collation named is the id, too, looked up in the index and not compared row by row.
            ReportSort::GeneratedAt | ReportSort::Url | ReportSort::Result => {
                format!("({}, id) {comparison} (:key, :id COLLATE BINARY)", self.key())
            }
        }
    }

    /// The statement of a walk.
    pub fn sql(&self, columns: &str, start: Start<'_>) -> String {
        let project = self.project.map(|_| "project_id = :project".to_owned());
        let result = self.result.map(|_| "result = :result".to_owned());
        let entry = start.place.map(|_| self.entry(start.direction));
        let conditions: Vec<String> = [project, result, entry].into_iter().flatten().collect();
        let condition =
            if conditions.is_empty() { String::new() } else { format!("WHERE {}", conditions.join(" AND ")) };
        let order = self.order(start.direction);
        format!("SELECT {columns} FROM reports {condition} ORDER BY {order} LIMIT :limit OFFSET :offset")
    }

    fn values(&self, start: Start<'_>, window: Window) -> Vec<(&'static str, Value)> {
        let mut values = vec![(":limit", window.limit.into()), (":offset", window.offset.into())];
        values.extend(self.project.map(|project| (":project", project.into())));
        values.extend(self.result.map(|result| (":result", result.into())));
        if let Some(place) = start.place {
            values.push((":id", place.id.into()));
            match (&place.key, self.sort) {
                (_, ReportSort::Id) => {}
                (Key::Number(number), _) => values.push((":key", (*number).into())),
                (Key::Text(text), _) => values.push((":key", text.clone().into())),
            }
        }
        values
    }

    fn walk(
        &self,
        connection: &Connection,
        (columns, start, window): (&str, Start<'_>, Window),
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<()> {
        let values = self.values(start, window);
        let values: Vec<(&str, &dyn ToSql)> = values.iter().map(|(name, value)| (*name, value as &dyn ToSql)).collect();
        let mut statement = connection.prepare_cached(&self.sql(columns, start))?;
        let mut rows = statement.query(&*values)?;
        while let Some(row) = rows.next()? {
            if !each(row)? {
                break;
            }
        }
        Ok(())
    }

    /// Shows the rows from a start on, of those that a search found, if there is one.
    pub fn rows(
        &self,
        (connection, names): (&Connection, &Names),
        (start, window): (Start<'_>, Window),
        found: Option<&Ids>,
        each: &mut Each<'_>,
    ) -> rusqlite::Result<()> {
        let Some(found) = found else {
            return self.walk(connection, (reports::COLUMNS_OF_MANY, start, window), |row| {
                each(&reports::lent((connection, names), row)?);
                Ok(true)
            });
        };
        let (mut seen, end) = (0, window.offset + window.limit);
        self.walk(connection, ("id", start, EVERYTHING), |row| {
            let id = row.get(0)?;
            if found.contains(id) {
                seen += 1;
                if seen > window.offset {
                    reports::show((connection, names), id, each)?;
                }
            }
            Ok(seen < end)
        })
    }

    /// The place of the row that stands so many rows behind a start.
    pub fn place(&self, connection: &Connection, start: Start<'_>, offset: i64) -> rusqlite::Result<Option<Place>> {
        let columns = format!("{}, id", self.key());
        let mut place = None;
        self.walk(connection, (&columns, start, Window { offset, limit: 1 }), |row| {
            place = Some(self.read_place(row)?);
            Ok(false)
        })?;
        Ok(place)
    }

    /// Walks the whole list, counts what a search found in it, and takes note of cuts on the way.
    pub fn survey(&self, connection: &Connection, found: &Ids, version: i64) -> rusqlite::Result<Cuts> {
        let mut cuts = Cuts::new(version, 0);
        let (mut passed, columns) = (0, format!("{}, id", self.key()));
        let start = Start { place: None, direction: Direction::Ascending };
        self.walk(connection, (&columns, start, EVERYTHING), |row| {
            if passed % STRIDE == STRIDE - 1 {
                cuts.insert(cuts.total, self.read_place(row)?);
            }
            passed += 1;
            cuts.total += i64::from(found.contains(row.get(1)?));
            Ok(true)
        })?;
        Ok(cuts)
    }

    fn read_place(&self, row: &Row<'_>) -> rusqlite::Result<Place> {
        let key = match self.sort {
            ReportSort::Id | ReportSort::GeneratedAt | ReportSort::Result => Key::Number(row.get(0)?),
            ReportSort::Url => Key::Text(row.get(0)?),
        };
        Ok(Place { key, id: row.get(1)? })
    }
}
