//! The columns of every table: their names, and how each shrinks on a narrow terminal.

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    /// The name in CSV and Markdown headers.
    pub name: &'static str,
    /// On a narrow terminal the column with the highest rank is dropped first; rank 0 stays.
    pub rank: u8,
    pub fit: Fit,
}

/// How a value is fitted into a narrower column. Numbers are minimum widths in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Shown in full, or the column is dropped.
    Whole,
    /// A time: as [`Self::Whole`], and relative on a terminal.
    Time,
    /// Truncated at the end.
    End(usize),
    /// Truncated in the middle, for URLs and paths.
    Middle(usize),
    /// Wrapped at spaces.
    Wrap(usize),
    /// Not a column on a terminal: printed below its row, wrapped at spaces.
    Below,
}

const fn column(name: &'static str, rank: u8, fit: Fit) -> TableColumn {
    TableColumn { name, rank, fit }
}

/// Reports.
pub const REPORT: &[TableColumn] = &[
    column("id", 2, Fit::Whole),
    column("url", 0, Fit::Middle(32)),
    column("project", 5, Fit::End(10)),
    column("result", 1, Fit::Whole),
    column("score", 3, Fit::Whole),
    column("generated_at", 4, Fit::Time),
    column("privacy", 6, Fit::Whole),
    column("has_password", 7, Fit::Whole),
];

/// Returns all columns that `reports list --columns` can print, those of [`REPORT`] first.
pub fn all_of_report() -> impl Iterator<Item = TableColumn> {
    REPORT.iter().copied().chain([column("failed", 8, Fit::End(16))])
}

/// Earlier results of a report.
pub const HISTORY: &[TableColumn] = &[
    column("generated_at", 0, Fit::Time),
    column("result", 1, Fit::Whole),
    column("score", 2, Fit::Whole),
    column("failed", 3, Fit::End(16)),
];

/// The address of a page.
pub const LINK: &[TableColumn] = &[column("url", 0, Fit::Middle(32))];

/// Triage states.
pub const STATE: &[TableColumn] = &[
    column("id", 0, Fit::Whole),
    column("state", 1, Fit::Whole),
    column("holder", 2, Fit::End(8)),
    column("set_at", 3, Fit::Time),
    column("until", 4, Fit::Time),
    column("reason", 5, Fit::End(16)),
];

/// Notes.
pub const NOTE: &[TableColumn] = &[
    column("id", 0, Fit::Whole),
    column("written_at", 2, Fit::Time),
    column("author", 3, Fit::End(8)),
    column("text", 1, Fit::Wrap(24)),
];

/// The services of a desk.
pub const DESK_SERVICE: &[TableColumn] =
    &[column("id", 0, Fit::Whole), column("label", 1, Fit::End(16)), column("base_url", 2, Fit::Middle(16))];

/// Events of a desk.
pub const DESK_EVENT: &[TableColumn] = &[
    column("at", 4, Fit::Time),
    column("person", 3, Fit::End(8)),
    column("kind", 0, Fit::Whole),
    column("id", 2, Fit::Whole),
    column("before", 5, Fit::Whole),
    column("after", 1, Fit::End(16)),
];

/// Lines of a handover.
pub const HANDOVER: &[TableColumn] = &[
    column("part", 0, Fit::Whole),
    column("id", 5, Fit::Whole),
    column("url", 1, Fit::Middle(16)),
    column("state", 2, Fit::Whole),
    column("person", 3, Fit::End(8)),
    column("at", 4, Fit::Time),
    column("note", 6, Fit::End(16)),
];

/// Events of reports.
pub const CHANGE: &[TableColumn] = &[
    column("at", 2, Fit::Time),
    column("author", 4, Fit::End(8)),
    column("kind", 0, Fit::Whole),
    column("id", 5, Fit::Whole),
    column("name", 1, Fit::Middle(16)),
    column("before", 6, Fit::Whole),
    column("after", 3, Fit::Whole),
    column("detail", 7, Fit::End(16)),
];

/// Projects.
pub const PROJECT: &[TableColumn] = &[
    column("project", 0, Fit::Middle(16)),
    column("reports", 1, Fit::Whole),
    column("good", 4, Fit::Whole),
    column("decent", 3, Fit::Whole),
    column("bad", 2, Fit::Whole),
    column("created_at", 5, Fit::Time),
];

/// Deletions.
pub const DELETED: &[TableColumn] = &[column("id", 0, Fit::Whole), column("deleted", 1, Fit::Whole)];

/// Findings of `doctor` and `login`.
pub const FINDING: &[TableColumn] = &[
    column("check", 0, Fit::Whole),
    column("state", 1, Fit::Whole),
    column("found", 2, Fit::Wrap(16)),
    column("advice", 3, Fit::Below),
];

/// Settings of `config show`.
pub const SETTING: &[TableColumn] =
    &[column("setting", 0, Fit::Middle(16)), column("value", 1, Fit::Wrap(16)), column("from", 2, Fit::Middle(16))];

/// Mistakes found by `config check`.
pub const MISTAKE: &[TableColumn] = &[
    column("level", 0, Fit::Whole),
    column("file", 3, Fit::Middle(16)),
    column("line", 1, Fit::Whole),
    column("message", 2, Fit::Wrap(24)),
    column("advice", 4, Fit::Below),
];

/// The result of a backup.
pub const BACKED_UP: &[TableColumn] = &[
    column("file", 0, Fit::Middle(16)),
    column("reports", 1, Fit::Whole),
    column("projects", 2, Fit::Whole),
    column("former_results", 4, Fit::Whole),
    column("keys", 3, Fit::Whole),
];

/// The result of a restore.
pub const RESTORED: &[TableColumn] = &[
    column("data", 0, Fit::Middle(16)),
    column("reports", 1, Fit::Whole),
    column("projects", 3, Fit::Whole),
    column("former_results", 5, Fit::Whole),
    column("keys", 4, Fit::Whole),
    column("before", 2, Fit::Below),
];

/// The result of an import.
pub const IMPORTED: &[TableColumn] =
    &[column("reports", 0, Fit::Whole), column("former_results", 2, Fit::Whole), column("skipped", 1, Fit::Whole)];

/// A copied table.
pub const COPIED_TABLE: &[TableColumn] =
    &[column("table", 0, Fit::Whole), column("rows", 1, Fit::Whole), column("digest", 2, Fit::End(16))];

/// A created key; the only time it is shown.
pub const CREATED_KEY: &[TableColumn] = &[column("name", 1, Fit::Whole), column("key", 0, Fit::Whole)];

/// Keys.
pub const LISTED_KEY: &[TableColumn] = &[
    column("name", 0, Fit::End(12)),
    column("number", 3, Fit::Whole),
    column("role", 2, Fit::Whole),
    column("person", 4, Fit::Whole),
    column("created_at", 7, Fit::Time),
    column("last_used_at", 5, Fit::Time),
    column("expires_at", 6, Fit::Time),
    column("revoked_at", 1, Fit::Time),
];

/// People of a desk.
pub const LISTED_PERSON: &[TableColumn] = &[
    column("handle", 0, Fit::Whole),
    column("name", 2, Fit::End(12)),
    column("role", 1, Fit::Whole),
    column("left_at", 3, Fit::Time),
];

/// A revoked key.
pub const REVOKED_KEY: &[TableColumn] = &[column("name", 0, Fit::Whole), column("revoked", 1, Fit::Whole)];
