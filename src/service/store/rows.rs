//! Rows of reports, projects and earlier results, as plain values that both engines read and write.

use serde::{Deserialize, Serialize};

use crate::domain::list::query::ResultFilter;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::privacy::Privacy;

/// The most earlier results kept per report, so that an hourly re-run does not fill the disk.
pub const MOST_FORMER: u16 = 100;

/// The most earlier results in the response with a report. `/history` returns all of them.
pub const SHOWN_FORMER: u16 = 10;

/// A project's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRow {
    /// The internal id; the API identifies projects by name.
    pub id: i64,
    /// The project's name.
    pub name: String,
    /// When its first report was created, in Unix milliseconds.
    pub created_at: i64,
    /// The numbers of its reports.
    pub counts: ReportCounts,
}

/// Numbers of reports by result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportCounts {
    /// All reports.
    pub reports: i64,
    /// The good ones.
    pub good: i64,
    /// The decent ones.
    pub decent: i64,
    /// The bad ones.
    pub bad: i64,
}

impl ReportCounts {
    /// Returns the number of one result, or of all.
    pub fn of(self, result: Option<ResultFilter>) -> i64 {
        match result {
            None => self.reports,
            Some(ResultFilter::Good) => self.good,
            Some(ResultFilter::Decent) => self.decent,
            Some(ResultFilter::Bad) => self.bad,
        }
    }
}

/// The numbers of reports and of projects in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreTotals {
    /// The reports, by result.
    pub counts: ReportCounts,
    /// The projects.
    pub projects: i64,
}

/// A report's row. Times are in Unix milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportRow {
    /// The report's id.
    pub id: i64,
    /// The requested URL, normalised.
    pub url: String,
    /// The project's name.
    pub project: String,
    /// The result's rank: 0 bad, 1 decent, 2 good.
    pub rank: i64,
    /// 0 to 100.
    pub score: i64,
    /// When the page was last audited.
    pub generated_at: i64,
    /// When the report was created.
    pub created_at: i64,
    /// When the report was last changed.
    pub updated_at: i64,
    /// 0, 1 or 2.
    pub privacy: u8,
    /// Whether a page password is set.
    pub has_password: bool,
    /// The ids of failed checks, one per line.
    pub failed: String,
    /// Why the page could not be fetched: the name of the failure class.
    pub fetch_error: Option<String>,
}

/// An earlier result of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryRow {
    /// The result's rank: 0 bad, 1 decent, 2 good.
    pub rank: i64,
    /// 0 to 100.
    pub score: i64,
    /// The time of the audit, in Unix milliseconds.
    pub generated_at: i64,
    /// The ids of the checks that failed at that time, one per line.
    pub failed: String,
}

/// How many of a project's latest reports are searched for duplicates, so that the page of a project with a million
/// reports is as quick as any.
pub const DUPLICATES_AMONG: u16 = 200;

/// How many other public reports of the project, of other URLs, share the report's title or description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DuplicateCounts {
    /// Reports with the same title.
    pub titles: i64,
    /// Reports with the same meta description.
    pub descriptions: i64,
}

/// A report's row, its checks as JSON, and its latest earlier results.
pub type StoredReport = (ReportRow, String, Vec<HistoryRow>);

/// The result of an audit in its stored form.
#[derive(Debug, Clone)]
pub struct AuditRecord {
    /// The project the page belongs to.
    pub project: String,
    /// The result's rank.
    pub rank: i64,
    /// 0 to 100.
    pub score: u8,
    /// The ids of failed checks, one per line.
    pub failed: String,
    /// Why the page could not be fetched.
    pub fetch_failure: Option<FetchFailure>,
    /// JSON object: check id to findings.
    pub checks: String,
}

/// A report to insert.
#[derive(Debug, Clone)]
pub struct NewReportRow {
    /// The page's URL.
    pub url: String,
    /// The audit's result.
    pub findings: AuditRecord,
    /// 0, 1 or 2.
    pub privacy: u8,
    /// The hash of the page's password.
    pub password_hash: Option<String>,
}

/// An update; `None` leaves a column as it is.
#[derive(Debug, Clone, Default)]
pub struct RowUpdate {
    /// 0, 1 or 2.
    pub privacy: Option<u8>,
    /// The hash of a new password.
    pub password_hash: Option<String>,
    /// The result of a new audit.
    pub findings: Option<AuditRecord>,
}

impl RowUpdate {
    /// Returns the privacy after updating a row; `None` if the row would lack its required password.
    pub fn privacy_after(&self, before: &ReportRow) -> Option<u8> {
        let privacy = self.privacy.unwrap_or(before.privacy);
        let has_password = before.has_password || self.password_hash.is_some();
        (privacy != Privacy::Password.code() || has_password).then_some(privacy)
    }
}

/// The write that stores an audit's result.
#[derive(Debug, Clone)]
pub enum ResultWrite {
    /// A new report.
    Create(NewReportRow),
    /// An update of the report with this id.
    Change(i64, RowUpdate),
}

/// The outcome of an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeOutcome {
    /// The report as this update left it.
    Changed(Box<StoredReport>),
    /// The report does not exist.
    Gone,
    /// The report would lack its required password; nothing was changed.
    WithoutPassword,
}
