//! List queries in the API's terms.

use serde::{Deserialize, Serialize};

use crate::domain::report::Report;
use crate::domain::text::search_text;

/// The page sizes that the API allows.
pub const PAGE_SIZES: [u16; 4] = [10, 25, 50, 100];
/// The default page size: the largest, also the API's default.
pub const DEFAULT_PAGE_SIZE: u16 = 100;

/// Ascending or descending.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
pub enum Direction {
    /// Largest first, the API's default.
    #[default]
    #[strum(serialize = "desc")]
    Descending,
    /// Smallest first.
    #[strum(serialize = "asc")]
    Ascending,
}

impl Direction {
    /// The opposite direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }

    /// The arrow beside a sorted column.
    pub fn arrow(self) -> &'static str {
        match self {
            Self::Ascending => "↑",
            Self::Descending => "↓",
        }
    }

    /// The API's name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A sort key of reports that the service supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ReportSort {
    /// Date created, the API's default.
    #[default]
    Id,
    /// Date generated.
    GeneratedAt,
    /// The URL.
    Url,
    /// The result.
    Result,
}

impl ReportSort {
    /// The API's name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether a report never moves in this order: a re-run changes its time and its result.
    pub fn is_fixed(self) -> bool {
        match self {
            Self::Id | Self::Url => true,
            Self::GeneratedAt | Self::Result => false,
        }
    }
}

/// A sort key of projects that the service supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ProjectSort {
    /// Date created, the API's default.
    #[default]
    CreatedAt,
    /// The name.
    #[strum(serialize = "project")]
    Name,
}

impl ProjectSort {
    /// The API's name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A result that a service can filter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ResultFilter {
    /// `good`
    Good,
    /// `decent`
    Decent,
    /// `bad`
    Bad,
}

impl ResultFilter {
    /// The API's name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A query for reports. `None` omits the parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ReportQuery {
    /// A substring of the URL.
    pub search: Option<String>,
    /// Exactly this project.
    pub project: Option<String>,
    /// Only this result.
    pub result: Option<ResultFilter>,
    /// Sort key and direction; if omitted, the service sorts by id, newest first.
    pub sort: Option<(ReportSort, Direction)>,
    /// Rows per page, one of [`PAGE_SIZES`].
    pub per_page: Option<u16>,
}

impl ReportQuery {
    /// Whether its list contains a report.
    pub fn includes(&self, report: &Report) -> bool {
        let of_project = self.project.as_ref().is_none_or(|name| report.project.raw() == name);
        let with_result = self.result.is_none_or(|result| report.outcome.name() == result.name());
        of_project
            && with_result
            && self.search.as_ref().is_none_or(|text| search_text::always(report.url.raw()).contains(text.as_str()))
    }
}

/// A query for projects. `None` omits the parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ProjectQuery {
    /// A substring of the name.
    pub search: Option<String>,
    /// Sort key and direction; if omitted, the service sorts by date created, newest first.
    pub sort: Option<(ProjectSort, Direction)>,
    /// Rows per page, one of [`PAGE_SIZES`].
    pub per_page: Option<u16>,
}
