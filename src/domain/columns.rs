//! The columns of the report table: one entry each with everything that is known about a column.
//!
//! To add a column, add a variant and its entry; the compiler asks for every field. Must not know how a cell is drawn.

use std::cmp::Ordering;

use crate::domain::age::relative;
use crate::domain::query::ReportSort;
use crate::domain::report::Report;
use crate::domain::text::Text;
use crate::domain::triage::Triage;
use crate::domain::work_order::{Surroundings, points};

/// A column of the report table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Column {
    /// Good, decent or bad, with the score where there is one.
    Result,
    /// The page.
    Url,
    /// The project.
    Project,
    /// When it was audited, relative.
    GeneratedAt,
    /// Who may see the report page.
    Privacy,
    /// The score alone.
    Score,
    /// How many checks failed.
    Failed,
    /// The report's id; sorting by it is sorting by date created.
    Id,
    /// How urgent it is: the sum of the work order.
    Work,
    /// The state that somebody gave it.
    State,
}

/// Everything that is known about a column.
pub struct ColumnEntry {
    /// Which one.
    pub column: Column,
    /// Its heading.
    pub title: &'static str,
    /// Its width in cells; the URL takes what is left.
    pub width: u16,
    /// Shown in this order of importance: higher numbers go first when the table is narrow.
    pub drop_rank: u8,
    /// What the service calls sorting by it, where it can.
    pub service_sort: Option<ReportSort>,
    /// The cell's text.
    pub text: fn(&Report, &Surroundings) -> String,
    /// Ascending order.
    pub compare: fn(&Report, &Report, &Surroundings) -> Ordering,
}

/// All columns, in the order in which they stand on the screen.
pub const COLUMNS: [ColumnEntry; 10] = [
    ColumnEntry {
        column: Column::Result,
        title: "RESULT",
        width: 12,
        drop_rank: 1,
        service_sort: Some(ReportSort::Result),
        text: |report, _| report.outcome.word().to_owned(),
        // By the word alone: services differ in whether scores decide among equals, and sorting is stable.
        compare: |a, b, _| a.outcome.cmp(&b.outcome),
    },
    ColumnEntry {
        column: Column::Url,
        title: "URL",
        width: 0,
        drop_rank: 0,
        service_sort: Some(ReportSort::Url),
        text: |report, _| report.short_url().to_owned(),
        compare: |a, b, _| a.url.raw().cmp(b.url.raw()),
    },
    ColumnEntry {
        column: Column::Project,
        title: "PROJECT",
        width: 16,
        drop_rank: 5,
        service_sort: None,
        text: |report, _| report.project.shown().to_owned(),
        compare: |a, b, _| a.project.raw().cmp(b.project.raw()),
    },
    ColumnEntry {
        column: Column::GeneratedAt,
        title: "GENERATED",
        width: 11,
        drop_rank: 3,
        service_sort: Some(ReportSort::GeneratedAt),
        text: |report, around| report.generated_at.map_or_else(|| "–".to_owned(), |then| relative(around.now, then)),
        compare: |a, b, _| a.generated_at.cmp(&b.generated_at),
    },
    ColumnEntry {
        column: Column::Privacy,
        title: "PRIVACY",
        width: 8,
        drop_rank: 4,
        service_sort: None,
        text: |report, _| report.privacy.map_or("–", crate::domain::privacy::Privacy::word).to_owned(),
        compare: |a, b, _| a.privacy.cmp(&b.privacy),
    },
    ColumnEntry {
        column: Column::Score,
        title: "SCORE",
        width: 5,
        drop_rank: 6,
        service_sort: None,
        text: |report, _| report.score.map_or_else(|| "–".to_owned(), |score| score.to_string()),
        compare: |a, b, _| a.score.cmp(&b.score),
    },
    ColumnEntry {
        column: Column::Failed,
        title: "FAILED",
        width: 6,
        drop_rank: 7,
        service_sort: None,
        text: |report, _| if report.failed.is_empty() { String::new() } else { report.failed.len().to_string() },
        compare: |a, b, _| a.failed.len().cmp(&b.failed.len()),
    },
    ColumnEntry {
        column: Column::Id,
        title: "ID",
        width: 8,
        drop_rank: 8,
        service_sort: Some(ReportSort::Id),
        text: |report, _| report.id.shown().to_owned(),
        compare: |a, b, _| compare_ids(a, b),
    },
    ColumnEntry {
        column: Column::Work,
        title: "WORK",
        width: 5,
        drop_rank: 2,
        service_sort: None,
        text: |report, around| points(report, around).to_string(),
        compare: |a, b, around| points(a, around).cmp(&points(b, around)),
    },
    ColumnEntry {
        column: Column::State,
        title: "STATE",
        width: 9,
        drop_rank: 9,
        service_sort: None,
        text: |report, around| around.triages.get(&report.id).map_or("", Triage::label).to_owned(),
        compare: |a, b, around| around.triages.kind(&a.id).cmp(&around.triages.kind(&b.id)),
    },
];

impl Column {
    /// The column's entry.
    pub fn entry(self) -> &'static ColumnEntry {
        // The test below holds the table complete and in the enum's order.
        &COLUMNS[self as usize]
    }

    /// The name in filters, configuration and messages: `generated_at`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Ids that are numbers are compared as numbers: `9` before `10`. Others say nothing about their order.
fn compare_ids(a: &Report, b: &Report) -> Ordering {
    let number = |text: &str| text.parse::<u64>().ok();
    match (number(a.id.raw()), number(b.id.raw())) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) | (None, Some(_) | None) => Ordering::Equal,
    }
}

/// The text a person would copy out of a cell: the raw URL, the project's name.
pub fn cell_value(report: &Report, column: Column, around: &Surroundings) -> Text {
    match column {
        Column::Url => report.url.clone(),
        Column::Project => (*report.project).clone(),
        Column::Result
        | Column::GeneratedAt
        | Column::Privacy
        | Column::Score
        | Column::Failed
        | Column::Id
        | Column::Work
        | Column::State => Text::from_outside((column.entry().text)(report, around)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn the_table_has_every_column_at_its_place() {
        for column in Column::iter() {
            assert_eq!(column.entry().column, column);
        }
    }
}
