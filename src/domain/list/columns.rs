//! The columns of the report table, one entry each. To add one, add a variant and its entry; the compiler requires
//! every field.

use jiff::Timestamp;
use strum::{EnumIter, EnumString, IntoStaticStr};

use crate::domain::list::query::{Direction, ReportSort};
use crate::domain::report::Report;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::age::relative;
use crate::domain::triage::Triage;
use crate::domain::triage::urgency::{RowContext, points};

/// A column of the report table. The default is the one by which a list is sorted at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Column {
    /// Good, decent or bad, with the score where there is one.
    Result,
    /// The page.
    Url,
    /// The project.
    Project,
    /// When it was audited, relative.
    #[default]
    GeneratedAt,
    /// Who may see the report page.
    Privacy,
    /// The score alone.
    Score,
    /// How many checks failed.
    Failed,
    /// The report's id; sorting by it is sorting by date created.
    Id,
    /// How urgent it is: the sum of points. Its former name was `work`.
    #[strum(to_string = "urgency", serialize = "work")]
    Urgency,
    /// The triage state.
    State,
}

/// The properties of a column.
pub struct ColumnEntry {
    /// The column.
    pub column: Column,
    /// Its heading.
    pub title: &'static str,
    /// Its width in cells, enough for the heading with an arrow; the URL takes what is left.
    pub width: u16,
    /// Columns with higher numbers are dropped first when the table is narrow.
    pub drop_rank: u8,
    /// The service's sort key for this column, if it has one.
    pub service_sort: Option<ReportSort>,
    /// The cell's text.
    pub text: fn(&Report, &RowContext) -> String,
    /// The sort key for ascending order. Computed once per row and sort, not per comparison.
    pub key: for<'a> fn(&'a Report, &RowContext) -> SortKey<'a>,
}

/// The sort key of a row. Keys of different kinds compare in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKey<'a> {
    /// Unknown and not comparable; ignored when checking a service's sort order.
    NoEvidence,
    /// A number, or the rank of an ordered word.
    Number(u64),
    /// A time, if any.
    Time(Option<Timestamp>),
    /// A text, compared by bytes.
    Text(&'a str),
    /// After all others.
    Last,
    /// Unknown: the last in both directions.
    Unknown,
}

/// All columns, in screen order.
pub const COLUMNS: [ColumnEntry; 10] = [
    ColumnEntry {
        column: Column::Result,
        title: "RESULT",
        width: 12,
        drop_rank: 1,
        service_sort: Some(ReportSort::Result),
        text: |report, _| report.outcome.name().to_owned(),
        // By the word alone: services differ in whether scores break ties, and equal rows keep their order.
        key: |report, _| outcome_key(&report.outcome),
    },
    ColumnEntry {
        column: Column::Url,
        title: "URL",
        width: 0,
        drop_rank: 0,
        service_sort: Some(ReportSort::Url),
        text: |report, _| report.short_url().to_owned(),
        key: |report, _| SortKey::Text(report.url.raw()),
    },
    ColumnEntry {
        column: Column::Project,
        title: "PROJECT",
        width: 16,
        // The URL nearly always begins with the project's name.
        drop_rank: 7,
        service_sort: None,
        text: |report, _| report.project.shown().to_owned(),
        key: |report, _| SortKey::Text(report.project.raw()),
    },
    ColumnEntry {
        column: Column::GeneratedAt,
        title: "GENERATED",
        width: 11,
        drop_rank: 3,
        service_sort: Some(ReportSort::GeneratedAt),
        text: |report, around| report.generated_at.map_or_else(|| "–".to_owned(), |then| relative(around.now, then)),
        key: |report, _| SortKey::Time(report.generated_at),
    },
    ColumnEntry {
        column: Column::Privacy,
        title: "PRIVACY",
        width: 8,
        drop_rank: 4,
        service_sort: None,
        text: |report, _| report.privacy.map_or("–", Privacy::name).to_owned(),
        key: |report, _| number(report.privacy.map(Privacy::code)),
    },
    ColumnEntry {
        column: Column::Score,
        title: "SCORE",
        width: 6,
        drop_rank: 6,
        service_sort: None,
        text: |report, _| report.score.map_or_else(|| "–".to_owned(), |score| score.to_string()),
        key: |report, _| number(report.score),
    },
    ColumnEntry {
        column: Column::Failed,
        title: "FAILED",
        width: 7,
        drop_rank: 5,
        service_sort: None,
        text: |report, _| match report.failed.known() {
            Some([]) => String::new(),
            Some(ids) => ids.len().to_string(),
            None => "–".to_owned(),
        },
        key: |report, _| report.failed.known().map_or(SortKey::Unknown, |ids| SortKey::Number(ids.len() as u64)),
    },
    ColumnEntry {
        column: Column::Id,
        title: "ID",
        width: 8,
        drop_rank: 8,
        service_sort: Some(ReportSort::Id),
        text: |report, _| report.id.shown().to_owned(),
        // Numeric ids compare as numbers: `9` before `10`. Others are equal, and less than any number.
        key: |report, _| report.id.raw().parse().map_or(SortKey::NoEvidence, SortKey::Number),
    },
    ColumnEntry {
        column: Column::Urgency,
        title: "URGENCY",
        width: 8,
        drop_rank: 2,
        service_sort: None,
        text: |report, around| points(report, around).to_string(),
        key: |report, around| SortKey::Number(points(report, around).into()),
    },
    ColumnEntry {
        column: Column::State,
        title: "STATE",
        width: 11,
        drop_rank: 2,
        service_sort: None,
        text: |report, around| around.triages.get(&report.id).map_or("", Triage::label).to_owned(),
        key: |report, around| SortKey::Number(around.triages.kind(&report.id) as u64),
    },
];

impl Column {
    /// Whether cells are numbers, and so right-aligned.
    pub fn is_number(self) -> bool {
        match self {
            Self::Score | Self::Failed | Self::Id | Self::Urgency => true,
            Self::Result | Self::Url | Self::Project | Self::GeneratedAt | Self::Privacy | Self::State => false,
        }
    }

    /// The column's entry.
    pub fn entry(self) -> &'static ColumnEntry {
        // A test ensures that the table is complete and in the enum's order.
        &COLUMNS[self as usize]
    }

    /// The name in filters, configuration and messages: `generated_at`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The name of the sort key as shown on screen.
    pub fn sort_name(self) -> &'static str {
        match self {
            Self::GeneratedAt => "audited",
            Self::Failed => "failing checks",
            Self::Id
            | Self::Url
            | Self::Project
            | Self::Result
            | Self::Privacy
            | Self::Score
            | Self::Urgency
            | Self::State => self.name(),
        }
    }

    /// Describes which end comes first in this order.
    pub fn order_text(self, direction: Direction) -> &'static str {
        let texts = match self {
            Self::GeneratedAt => ("oldest first", "newest first"),
            Self::Urgency => ("least urgent first", "most urgent first"),
            Self::Result => ("bad first", "good first"),
            Self::Id | Self::Score => ("lowest first", "highest first"),
            Self::Failed => ("fewest first", "most first"),
            Self::Privacy => ("public first", "password first"),
            Self::State => ("new first", "done first"),
            Self::Url | Self::Project => ("A to Z", "Z to A"),
        };
        match direction {
            Direction::Ascending => texts.0,
            Direction::Descending => texts.1,
        }
    }
}

/// Orders the known results, then foreign words, then missing ones, like `Outcome`'s `Ord`.
fn outcome_key(outcome: &Outcome) -> SortKey<'_> {
    match outcome {
        Outcome::Bad => SortKey::Number(0),
        Outcome::Decent => SortKey::Number(1),
        Outcome::Good => SortKey::Number(2),
        Outcome::Other(word) => SortKey::Text(word.raw()),
        Outcome::Missing => SortKey::Last,
    }
}

fn number(known: Option<u8>) -> SortKey<'static> {
    known.map_or(SortKey::Unknown, |known| SortKey::Number(known.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::tests::row;
    use strum::IntoEnumIterator as _;

    #[test]
    fn the_table_has_every_column_in_order() {
        for column in Column::iter() {
            assert_eq!(column.entry().column, column);
        }
    }

    #[test]
    fn every_column_has_room_for_its_heading_with_the_arrow_of_the_sort_order() {
        for entry in COLUMNS.iter().filter(|entry| entry.column != Column::Url) {
            assert!(usize::from(entry.width) > entry.title.len(), "{}", entry.title);
        }
    }

    #[test]
    fn columns_are_found_by_name_and_urgency_by_its_former_name_too() {
        for column in Column::iter() {
            assert_eq!(column.name().parse(), Ok(column));
        }
        assert_eq!("work".parse(), Ok(Column::Urgency));
        assert!("size".parse::<Column>().is_err());
    }

    #[test]
    fn the_order_of_words_that_are_not_sorted_by_letter_names_both_ends() {
        let ends = |column: Column| [Direction::Ascending, Direction::Descending].map(|way| column.order_text(way));
        let report = |code| Report { privacy: Privacy::from_code(code), ..row("1", "a", Outcome::Good) };
        let key = |code| number(report(code).privacy.map(Privacy::code));
        assert!(key(0) < key(1) && key(1) < key(2));
        assert_eq!(ends(Column::Privacy), ["public first", "password first"]);
        assert_eq!(ends(Column::State), ["new first", "done first"]);
    }

    #[test]
    fn results_are_sorted_as_they_compare() {
        let words = ["bad", "decent", "good", "excellent", "awful", ""].map(Outcome::from_name);
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            assert_eq!(outcome_key(a).cmp(&outcome_key(b)), a.cmp(b), "{a:?} {b:?}");
        }
    }
}
