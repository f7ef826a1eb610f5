//! Work outside the state. Returned by `update`, performed by `runtime::effects`, answered by at most one message each,
//! long lists aside.

use std::sync::Arc;

use jiff::Timestamp;
use secrecy::SecretString;
use url::Url;

use crate::domain::bulk::{BulkItem, BulkOperation, ItemState, RunNumber};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::export::FileFormat;
use crate::domain::export::request::ExportRequest;
use crate::domain::list::arrange::Arrangement;
use crate::domain::list::cached_rows::{CachedRowsPart, SavedView};
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::domain::list::rows::Rows;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::triage::changes::comparison::ComparisonRequest;
use crate::domain::triage::{Note, Triage};

/// Tells answers apart: an answer is taken only by what waits for its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// What a form was opened with: what an edit is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditBase {
    /// Who might see the report page.
    pub privacy: Option<Privacy>,
    /// Whether a password was set.
    pub has_password: Option<bool>,
}

impl EditBase {
    /// What is known of a report.
    pub fn of(report: &Report) -> Self {
        Self { privacy: report.privacy, has_password: report.has_password }
    }

    /// Whether a report has changed since. What a list leaves out and an opened report says is no change.
    pub fn is_outdated_by(&self, report: &Report) -> bool {
        let differ = |before: bool, now: bool, same: bool| before && now && !same;
        differ(self.privacy.is_some(), report.privacy.is_some(), self.privacy == report.privacy)
            || differ(
                self.has_password.is_some(),
                report.has_password.is_some(),
                self.has_password == report.has_password,
            )
    }
}

/// Something to do outside.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Find or start the service of this profile, or the one that was asked for.
    Connect(Option<String>),
    /// Ask for a page of reports. `background` pages wait when the service's budget is nearly spent.
    ListReports {
        /// Who waits.
        request: RequestId,
        /// What to ask for.
        query: ReportQuery,
        /// Which page.
        token: PageToken,
        /// Loaded ahead, nobody waits for it.
        background: bool,
    },
    /// Ask for a page of projects.
    ListProjects(RequestId, ProjectQuery, PageToken),
    /// Ask for one report with everything.
    ShowReport(RequestId, ReportId),
    /// Filter and sort many rows on another thread.
    Arrange(RequestId, Arc<Rows>, Arrangement),
    /// Find on another thread what the bad ones of these rows share.
    FindCauses(RequestId, Arc<Rows>, Vec<u32>),
    /// Keep a list that came to its end, and compare it with a former one.
    Compare(RequestId, Box<ComparisonRequest>),
    /// Ask for one report because of its checks, behind what somebody waits for.
    ShowChecks(RequestId, ReportId),
    /// Stop a read that nobody waits for any more. Writes are never cancelled.
    Cancel(RequestId),
    /// Make a report.
    Create(RequestId, NewReport),
    /// Change a report.
    Update(RequestId, ReportId, ReportChange),
    /// Change a report unless it has changed since this was known of it.
    Edit(RequestId, ReportId, ReportChange, EditBase),
    /// Delete a report.
    DeleteReport(RequestId, ReportId),
    /// Delete a project by its raw name.
    DeleteProject(RequestId, String),
    /// Use another API key for the rest of this run.
    UseKey(SecretString),
    /// Take the mouse, or leave it to the terminal.
    CaptureMouse(bool),
    /// Stop like any program of a shell, until it is continued.
    Stop,
    /// Put a text on the clipboard.
    Copy(String),
    /// Ask for the address of a report's page and put it on the clipboard.
    CopyReportPage(ReportId),
    /// Open a web page in the browser.
    OpenWebPage(Url),
    /// Ask for the address of a report's page and open it in the browser.
    OpenReportPage(ReportId),
    /// Write a file to hand over.
    Export(FileFormat, Arc<ExportRequest>),
    /// Read the rows that were seen last, before the service is asked.
    ReadCachedRows(Option<CachedRowsPart>),
    /// Keep the rows of a whole list, which came at this time, for the next start.
    StoreRows(Arc<Rows>, Timestamp),
    /// Read what was kept for this service: drafts, and runs that were broken off.
    ReadJournal,
    /// Read states and notes again: another window decided otherwise.
    ReadStates,
    /// Keep the states that a person gave.
    StoreStates(Vec<(ReportId, Triage)>),
    /// Keep states that an audit changed: which report, when its former state was given, and the new one.
    UpdateStates(Vec<(ReportId, Timestamp, Triage)>),
    /// Keep the choice of columns.
    StoreColumns(ColumnLayout),
    /// Keep a view in place of one of the same name.
    SaveView(SavedView),
    /// Keep the note of a report, or forget it.
    StoreNote(ReportId, Option<Note>),
    /// Keep a run that begins.
    StoreRun(RequestId, BulkOperation, Vec<BulkItem>),
    /// Send the operation of a bulk run for one report. The journal notes it before, where it stores the run.
    SendItem {
        /// Who waits.
        request: RequestId,
        /// The run and the place in it.
        kept: Option<(RunNumber, usize)>,
        /// Which report.
        id: ReportId,
        /// What is done with it.
        operation: BulkOperation,
    },
    /// Look at a report of a run whose answer was lost.
    ReadItem(RequestId, ReportId),
    /// Note how it stands with a report of a run.
    StoreItem(RunNumber, usize, ItemState),
    /// Forget a run.
    DeleteRun(RunNumber),
    /// Make up a password.
    GeneratePassword,
    /// Keep a draft on disk.
    StoreDraft(Draft),
    /// Forget a draft.
    DeleteDraft(DraftKey),
    /// Leave.
    Quit,
}
