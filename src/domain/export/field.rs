//! The fields of an export: full values where the screen shortens them. A column that shows two values on screen is
//! exported as two fields.

use std::borrow::Cow;

use super::formats::{minute, time_text};
use super::request::ExportRequest;
use crate::domain::list::columns::Column;
use crate::domain::report::Report;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::clean;
use crate::domain::triage::Note;
use crate::domain::triage::urgency::{ResultBefore, RowContext};

/// A field of the exported rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum ExportField {
    Result,
    Score,
    Url,
    Project,
    GeneratedAt,
    Privacy,
    Failed,
    FailedChecks,
    Id,
    /// Not renamed with the column, so that scripts keep working.
    #[strum(serialize = "work")]
    Urgency,
    State,
    FetchError,
    Notes,
    /// The result before the last change.
    ResultBefore,
    /// The score before the last change.
    ScoreBefore,
    /// Result and score before the last change, for people.
    Before,
}

impl ExportField {
    /// The fields of these columns, without duplicates.
    pub(super) fn of(columns: &[Column]) -> Vec<Self> {
        let mut fields = Vec::new();
        for column in columns {
            let more: &[Self] = match column {
                // The screen shows the score beside the word.
                Column::Result if columns.contains(&Column::Score) => &[Self::Result],
                Column::Result => &[Self::Result, Self::Score],
                Column::Score => &[Self::Score],
                Column::Url => &[Self::Url],
                Column::Project => &[Self::Project],
                Column::GeneratedAt => &[Self::GeneratedAt],
                Column::Privacy => &[Self::Privacy],
                // People who repair the page need the ids, not only their number.
                Column::Failed => &[Self::Failed, Self::FailedChecks],
                Column::Id => &[Self::Id],
                Column::Urgency => &[Self::Urgency],
                Column::State => &[Self::State],
            };
            for field in more {
                if !fields.contains(field) {
                    fields.push(*field);
                }
            }
        }
        fields
    }

    /// The fields of these columns for machine-readable formats: adds the fetch error beside the result, then state,
    /// notes and the previous result regardless of the columns. They come last, so that the other fields keep their
    /// positions.
    pub(super) fn for_programs(columns: &[Column]) -> Vec<Self> {
        let mut fields = Self::of(columns);
        fields.extend(columns.contains(&Column::Result).then_some(Self::FetchError));
        fields.extend((!columns.contains(&Column::State)).then_some(Self::State));
        fields.extend([Self::Notes, Self::ResultBefore, Self::ScoreBefore]);
        fields
    }

    /// The fields of a request for human-readable formats: adds state, notes and the previous result only if some
    /// row has one.
    pub(super) fn for_people_in(request: &ExportRequest) -> Vec<Self> {
        let mut fields = Self::of(&request.columns);
        for field in [Self::State, Self::Notes, Self::Before] {
            if !fields.contains(&field) && request.reports().any(|row| !field.text(row, &request.around).is_empty()) {
                fields.push(field);
            }
        }
        fields
    }

    /// The name in machine-readable formats, as on the command line.
    pub(super) fn name(self) -> &'static str {
        self.into()
    }

    /// The heading in human-readable formats.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Result => "Result",
            Self::Score => "Score",
            Self::Url => "URL",
            Self::Project => "Project",
            Self::GeneratedAt => "Generated",
            Self::Privacy => "Privacy",
            Self::Failed => "Failed",
            Self::FailedChecks => "Failed checks",
            Self::Id => "ID",
            Self::Urgency => "Urgency",
            Self::State => "State",
            Self::FetchError => "Fetch error",
            Self::Notes => "Notes",
            Self::ResultBefore => "Result before",
            Self::ScoreBefore => "Score before",
            Self::Before => "Before",
        }
    }

    /// Whether values are right-aligned numbers.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Score | Self::Failed | Self::Urgency | Self::ScoreBefore)
    }

    /// The value, sanitised; empty if there is none. Times are machine-readable.
    pub(super) fn text<'r>(self, report: &'r Report, around: &RowContext) -> Cow<'r, str> {
        match self {
            Self::Result => report.outcome.name().into(),
            Self::Score => report.score.map(|score| score.to_string()).unwrap_or_default().into(),
            Self::Url => clean(report.url.raw()),
            Self::Project => report.project.shown().into(),
            Self::GeneratedAt => report.generated_at.map(time_text).unwrap_or_default().into(),
            Self::Privacy => report.privacy.map_or("", Privacy::name).into(),
            Self::Failed => report.failing().map(|ids| ids.len().to_string()).unwrap_or_default().into(),
            Self::FailedChecks => {
                let ids = report.failing().unwrap_or_default();
                clean(&ids.join(" ")).into_owned().into()
            }
            Self::Id => report.id.shown().into(),
            Self::Urgency => (Column::Urgency.entry().text)(report, around).into(),
            Self::State => (Column::State.entry().text)(report, around).into(),
            Self::FetchError => report.fetch_failure.map_or("", FetchFailure::name).into(),
            Self::Notes => notes_text(report, around).into(),
            Self::ResultBefore => before(report, around).map_or("", |before| before.result.as_str()).to_owned().into(),
            Self::ScoreBefore => score_text(before(report, around)).into(),
            Self::Before => before(report, around).map(ResultBefore::verdict).unwrap_or_default().into(),
        }
    }

    /// The value in human-readable form.
    pub(super) fn for_people<'r>(self, report: &'r Report, around: &RowContext) -> Cow<'r, str> {
        match (self, report.fetch_failure) {
            (Self::GeneratedAt, _) => report.generated_at.map(minute).unwrap_or_default().into(),
            (Self::Result, Some(failure)) => format!("{} ({})", report.outcome.name(), failure.sentence()).into(),
            (field, _) => field.text(report, around),
        }
    }
}

fn before<'a>(report: &Report, around: &'a RowContext) -> Option<&'a ResultBefore> {
    around.results_before.get(&report.id)
}

fn score_text(before: Option<&ResultBefore>) -> String {
    before.and_then(|before| before.score).map(|score| score.to_string()).unwrap_or_default()
}

/// All notes of a report, latest first: `2026-01-02 told the shop · 2026-01-01 ana: asked`.
fn notes_text(report: &Report, around: &RowContext) -> String {
    let text = |note: &Note| {
        let author = if note.author.is_empty() { String::new() } else { format!(" {}:", note.author) };
        format!("{}{author} {}", note.written_at.strftime("%Y-%m-%d"), note.text)
    };
    around.notes.of(&report.id).iter().rev().map(text).collect::<Vec<_>>().join(" · ")
}
