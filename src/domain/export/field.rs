//! The fields of an export: whole values where the screen shortens them. A column that shows two values on the screen
//! is two fields.

use std::borrow::Cow;

use super::info::{minute, time_text};
use crate::domain::list::columns::Column;
use crate::domain::report::Report;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::clean;
use crate::domain::triage::priority::RowContext;

/// One value of each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    Work,
    State,
    FetchError,
}

impl ExportField {
    /// The fields of these columns, each once.
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
                // A number says little to those who repair the page: the ids are written.
                Column::Failed => &[Self::Failed, Self::FailedChecks],
                Column::Id => &[Self::Id],
                Column::Work => &[Self::Work],
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

    /// The same for programs: with the result also why there is none of the page itself. It stands last, so that the others
    /// keep their places.
    pub(super) fn for_programs(columns: &[Column]) -> Vec<Self> {
        let mut fields = Self::of(columns);
        fields.extend(columns.contains(&Column::Result).then_some(Self::FetchError));
        fields
    }

    /// Its name for programs, as the command line calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Score => "score",
            Self::Url => "url",
            Self::Project => "project",
            Self::GeneratedAt => "generated_at",
            Self::Privacy => "privacy",
            Self::Failed => "failed",
            Self::FailedChecks => "failed_checks",
            Self::Id => "id",
            Self::Work => "work",
            Self::State => "state",
            Self::FetchError => "fetch_error",
        }
    }

    /// Its heading for people.
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
            Self::Work => "Work",
            Self::State => "State",
            Self::FetchError => "Fetch error",
        }
    }

    /// True for what is compared digit under digit.
    pub(super) fn is_number(self) -> bool {
        match self {
            Self::Score | Self::Failed | Self::Work => true,
            Self::Result
            | Self::Url
            | Self::Project
            | Self::GeneratedAt
            | Self::Privacy
            | Self::FailedChecks
            | Self::Id
            | Self::State
            | Self::FetchError => false,
        }
    }

    /// The value, cleaned; empty where there is none. A time as programs read it.
    pub(super) fn text<'r>(self, report: &'r Report, around: &RowContext) -> Cow<'r, str> {
        match self {
            Self::Result => report.outcome.word().into(),
            Self::Score => report.score.map(|score| score.to_string()).unwrap_or_default().into(),
            Self::Url => report.url.shown().into(),
            Self::Project => report.project.shown().into(),
            Self::GeneratedAt => report.generated_at.map(time_text).unwrap_or_default().into(),
            Self::Privacy => report.privacy.map_or("", Privacy::word).into(),
            Self::Failed => report.failing().map(|ids| ids.len().to_string()).unwrap_or_default().into(),
            Self::FailedChecks => {
                let ids = report.failing().unwrap_or_default();
                clean(&ids.join(" ")).into_owned().into()
            }
            Self::Id => report.id.shown().into(),
            Self::Work => (Column::Work.entry().text)(report, around).into(),
            Self::State => (Column::State.entry().text)(report, around).into(),
            Self::FetchError => report.fetch_failure.map_or("", FetchFailure::word).into(),
        }
    }

    /// The value as people read it.
    pub(super) fn for_people<'r>(self, report: &'r Report, around: &RowContext) -> Cow<'r, str> {
        match self {
            Self::GeneratedAt => report.generated_at.map(minute).unwrap_or_default().into(),
            Self::Result => match report.fetch_failure {
                Some(failure) => format!("{} ({})", report.outcome.word(), failure.sentence()).into(),
                None => self.text(report, around),
            },
            Self::Score
            | Self::Url
            | Self::Project
            | Self::Privacy
            | Self::Failed
            | Self::FailedChecks
            | Self::Id
            | Self::Work
            | Self::State
            | Self::FetchError => self.text(report, around),
        }
    }
}
