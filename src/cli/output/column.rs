//! The columns of every table: names, and how each shrinks on a narrow terminal.

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name, as CSV and Markdown print it.
    pub name: &'static str,
    /// On a narrow terminal the column with the highest rank is dropped first; rank 0 stays.
    pub rank: u8,
    pub fit: Fit,
}

/// How a value is fitted into a narrower column. Numbers are minimum widths in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Shown whole, or the column is dropped.
    Whole,
    /// The end is cut.
    End(usize),
    /// The middle is cut, for URLs and paths.
    Middle(usize),
    /// Broken into lines at spaces.
    Wrap(usize),
    /// No column on a terminal: printed below its row, broken into lines at spaces.
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
    column("generated_at", 4, Fit::Whole),
    column("privacy", 6, Fit::Whole),
    column("has_password", 7, Fit::Whole),
];

/// All that `reports list --columns` can print: those of [`REPORT`] first.
pub const ALL_OF_REPORT: [TableColumn; 9] = {
    let mut columns = [column("failed", 8, Fit::End(16)); 9];
    let mut at = 0;
    while at < REPORT.len() {
        columns[at] = REPORT[at];
        at += 1;
    }
    columns
};

/// Former results of a report.
pub const HISTORY: &[TableColumn] = &[
    column("generated_at", 0, Fit::Whole),
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
    column("set_at", 2, Fit::Whole),
    column("until", 3, Fit::Whole),
    column("reason", 4, Fit::End(16)),
];

/// Notes.
pub const NOTE: &[TableColumn] = &[
    column("id", 0, Fit::Whole),
    column("written_at", 2, Fit::Whole),
    column("author", 3, Fit::End(8)),
    column("text", 1, Fit::Wrap(24)),
];

/// The services of a desk.
pub const DESK_SERVICE: &[TableColumn] =
    &[column("id", 0, Fit::Whole), column("label", 1, Fit::End(16)), column("base_url", 2, Fit::Middle(16))];

/// What happened on a desk.
pub const DESK_EVENT: &[TableColumn] = &[
    column("at", 2, Fit::Whole),
    column("person", 1, Fit::End(8)),
    column("kind", 0, Fit::Whole),
    column("id", 3, Fit::Whole),
    column("before", 5, Fit::Whole),
    column("after", 4, Fit::End(16)),
];

/// What the next shift has to know.
pub const HANDOVER: &[TableColumn] = &[
    column("part", 0, Fit::Whole),
    column("id", 5, Fit::Whole),
    column("url", 1, Fit::Middle(16)),
    column("state", 2, Fit::Whole),
    column("person", 3, Fit::End(8)),
    column("since", 4, Fit::Whole),
    column("note", 6, Fit::End(16)),
];

/// What happened to reports.
pub const CHANGE: &[TableColumn] = &[
    column("at", 2, Fit::Whole),
    column("author", 7, Fit::End(8)),
    column("kind", 0, Fit::Whole),
    column("id", 6, Fit::Whole),
    column("name", 1, Fit::Middle(16)),
    column("before", 4, Fit::Whole),
    column("after", 3, Fit::Whole),
    column("detail", 5, Fit::End(16)),
];

/// Projects.
pub const PROJECT: &[TableColumn] = &[
    column("project", 0, Fit::Middle(16)),
    column("reports", 1, Fit::Whole),
    column("good", 4, Fit::Whole),
    column("decent", 3, Fit::Whole),
    column("bad", 2, Fit::Whole),
    column("created_at", 5, Fit::Whole),
];

/// Deletions.
pub const DELETED: &[TableColumn] = &[column("id", 0, Fit::Whole), column("deleted", 1, Fit::Whole)];

/// Findings of `doctor` and `login`.
pub const FINDING: &[TableColumn] = &[
    column("check", 0, Fit::Whole),
    column("state", 1, Fit::Whole),
    column("found", 2, Fit::Wrap(24)),
    column("advice", 3, Fit::Below),
];

/// What `config show` prints.
pub const SETTING: &[TableColumn] =
    &[column("setting", 0, Fit::Middle(16)), column("value", 1, Fit::Wrap(16)), column("from", 2, Fit::Middle(16))];

/// What `config check` finds.
pub const MISTAKE: &[TableColumn] = &[
    column("level", 0, Fit::Whole),
    column("file", 3, Fit::Middle(16)),
    column("line", 1, Fit::Whole),
    column("message", 2, Fit::Wrap(24)),
    column("advice", 4, Fit::Below),
];

/// A backup that was written.
pub const BACKED_UP: &[TableColumn] = &[
    column("file", 0, Fit::Middle(16)),
    column("reports", 1, Fit::Whole),
    column("projects", 2, Fit::Whole),
    column("former_results", 4, Fit::Whole),
    column("keys", 3, Fit::Whole),
];

/// A backup that was restored.
pub const RESTORED: &[TableColumn] = &[
    column("data", 0, Fit::Middle(16)),
    column("reports", 1, Fit::Whole),
    column("projects", 3, Fit::Whole),
    column("former_results", 5, Fit::Whole),
    column("keys", 4, Fit::Whole),
    column("before", 2, Fit::Below),
];

/// Reports that were imported.
pub const IMPORTED: &[TableColumn] =
    &[column("reports", 0, Fit::Whole), column("former_results", 2, Fit::Whole), column("skipped", 1, Fit::Whole)];

/// A table that was copied.
pub const COPIED_TABLE: &[TableColumn] =
    &[column("table", 0, Fit::Whole), column("rows", 1, Fit::Whole), column("digest", 2, Fit::End(16))];

/// A key that was created, the only time it is shown.
pub const CREATED_KEY: &[TableColumn] = &[column("name", 1, Fit::Whole), column("key", 0, Fit::Whole)];

/// Keys.
pub const LISTED_KEY: &[TableColumn] = &[
    column("name", 0, Fit::End(12)),
    column("number", 3, Fit::Whole),
    column("role", 2, Fit::Whole),
    column("person", 7, Fit::Whole),
    column("created_at", 6, Fit::Whole),
    column("last_used_at", 4, Fit::Whole),
    column("expires_at", 5, Fit::Whole),
    column("revoked_at", 1, Fit::Whole),
];

/// People of a desk.
pub const LISTED_PERSON: &[TableColumn] = &[
    column("handle", 0, Fit::Whole),
    column("name", 2, Fit::End(12)),
    column("role", 1, Fit::Whole),
    column("left_at", 3, Fit::Whole),
];

/// A key that was revoked.
pub const REVOKED_KEY: &[TableColumn] = &[column("name", 0, Fit::Whole), column("revoked", 1, Fit::Whole)];
