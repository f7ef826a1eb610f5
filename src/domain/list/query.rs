//! Queries for lists, in the interface's terms.

/// The page sizes of the interface.
pub const PAGE_SIZES: [u16; 4] = [10, 25, 50, 100];
/// The default page size: the largest, which is the interface's default too.
pub const DEFAULT_PAGE_SIZE: u16 = 100;

/// Ascending or descending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Largest first, the interface's default.
    #[default]
    Descending,
}

impl Direction {
    /// The other one.
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

    /// The word of the interface.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ascending => "asc",
            Self::Descending => "desc",
        }
    }
}

/// What a service can sort reports by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter)]
pub enum ReportSort {
    /// Date created, the interface's default.
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
    /// The word of the interface.
    pub fn word(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::GeneratedAt => "generated_at",
            Self::Url => "url",
            Self::Result => "result",
        }
    }
}

/// What a service can sort projects by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::EnumIter)]
pub enum ProjectSort {
    /// Date created, the interface's default.
    #[default]
    CreatedAt,
    /// The name.
    Name,
}

impl ReportSort {
    /// Whether a report keeps its place in this order for as long as it exists: a re-run changes its time and its result.
    pub fn is_fixed(self) -> bool {
        match self {
            Self::Id | Self::Url => true,
            Self::GeneratedAt | Self::Result => false,
        }
    }
}

impl ProjectSort {
    /// The word of the interface.
    pub fn word(self) -> &'static str {
        match self {
            Self::CreatedAt => "created_at",
            Self::Name => "project",
        }
    }
}

/// One of the three results a service can filter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum ResultFilter {
    /// `good`
    Good,
    /// `decent`
    Decent,
    /// `bad`
    Bad,
}

impl ResultFilter {
    /// The word of the interface.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Decent => "decent",
            Self::Bad => "bad",
        }
    }
}

/// A list of reports as the interface can ask for it. `None` leaves the parameter out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ReportQuery {
    /// A substring of the URL.
    pub search: Option<String>,
    /// Exactly this project.
    pub project: Option<String>,
    /// Only this result.
    pub result: Option<ResultFilter>,
    /// Sort key and direction; left out, the service sorts by id, newest first.
    pub sort: Option<(ReportSort, Direction)>,
    /// Rows per page, one of [`PAGE_SIZES`].
    pub per_page: Option<u16>,
}

/// A list of projects as the interface can ask for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ProjectQuery {
    /// A substring of the name.
    pub search: Option<String>,
    /// Sort key and direction; left out, the service sorts by date created, newest first.
    pub sort: Option<(ProjectSort, Direction)>,
    /// Rows per page, one of [`PAGE_SIZES`].
    pub per_page: Option<u16>,
}
