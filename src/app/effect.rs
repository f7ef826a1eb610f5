//! Work outside the state. Returned by `update`, performed by `runtime::effects`, answered by at most one message each,
//! long lists aside.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use secrecy::SecretString;
use url::Url;

use crate::domain::bulk::{BulkItem, BulkOperation, ItemState, RunNumber};
use crate::domain::desk::{ChangeId, OutboxEntry, PresenceActivity};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::event_log::LogEntry;
use crate::domain::export::FileFormat;
use crate::domain::export::request::ExportRequest;
use crate::domain::list::arrange::Arrangement;
use crate::domain::list::cached_rows::{CachedRowsPart, SavedView};
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::domain::list::rows::Rows;
use crate::domain::message::{CustomerMessage, MessageTarget};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::triage::changes::comparison::ComparisonRequest;
use crate::domain::triage::priority::RowContext;
use crate::domain::triage::{NoteChange, Triage};

/// Identifies a reply: only the state that waits for its id takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// The report as a form was opened with it: what an edit is based on.
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

/// Work outside the state.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Connect to the service of this profile, or to the one of the command line.
    Connect(Option<String>),
    /// Request a page of reports. `background` pages wait when the rate budget is nearly spent.
    ListReports {
        /// The id of the request.
        request: RequestId,
        /// The query.
        query: ReportQuery,
        /// The page.
        token: PageToken,
        /// Yields the rate budget to interactive requests.
        background: bool,
    },
    /// Request a page of projects.
    ListProjects(RequestId, ProjectQuery, PageToken),
    /// Request one report with all details.
    ShowReport(RequestId, ReportId),
    /// Filter and sort many rows on another thread.
    Arrange(RequestId, Arc<Rows>, Arrangement),
    /// Find on another thread what the bad reports among these rows share.
    FindCauses(RequestId, Arc<Rows>, Vec<u32>),
    /// Collect the values that a filter can be completed with, with further names of projects.
    CollectFilterValues(RequestId, Arc<Rows>, Vec<String>),
    /// Remember that all changes up to this time were seen.
    StoreSeen(Timestamp),
    /// Count what the overview shows of these rows.
    CountOverview(RequestId, Arc<Rows>, RowContext),
    /// Store a list that was read to its end, and compare it with an earlier one.
    Compare(RequestId, Box<ComparisonRequest>),
    /// Request one report for its checks, after interactive requests.
    ShowChecks(RequestId, ReportId),
    /// Cancel a read whose reply is not needed any more. Writes are never cancelled.
    Cancel(RequestId),
    /// Create a report.
    Create(RequestId, NewReport),
    /// Change a report.
    Update(RequestId, ReportId, ReportChange),
    /// Change a report unless it differs from this base.
    Edit(RequestId, ReportId, ReportChange, EditBase),
    /// Delete a report.
    DeleteReport(RequestId, ReportId),
    /// Delete a project by its raw name.
    DeleteProject(RequestId, String),
    /// Use another API key for the rest of this run.
    UseKey(SecretString),
    /// Take the mouse, or leave it to the terminal.
    CaptureMouse(bool),
    /// Suspend the process until the shell continues it.
    Stop,
    /// Put a text on the clipboard.
    Copy(String),
    /// Put a password on the clipboard. It is never written to a file.
    CopyPassword(SecretString),
    /// Ask for the address of a report's page and put it on the clipboard.
    CopyReportPage(ReportId),
    /// Open a web page in the browser.
    OpenWebPage(Url),
    /// Ask for the address of a report's page and open it in the browser.
    OpenReportPage(ReportId),
    /// Export rows to a file.
    Export(FileFormat, Arc<ExportRequest>),
    /// Write a message to the customer, at this time.
    WriteMessage(MessageTarget, Box<CustomerMessage>, Timestamp),
    /// Give the terminal to the editor with this file.
    EditFile(PathBuf),
    /// Read the cached rows of the last run.
    ReadCachedRows(Option<CachedRowsPart>),
    /// Cache the rows of a complete list, read at this time.
    StoreRows(Arc<Rows>, Timestamp),
    /// Read the journal of this service: drafts, states, views, interrupted runs.
    ReadJournal,
    /// Read states and notes again: another instance changed them.
    ReadStates,
    /// Look for the desk of the service, and follow it.
    JoinDesk,
    /// Store decisions in the outbox and send them to the desk.
    SendToDesk(Vec<OutboxEntry>),
    /// Remove a decision from the outbox: what is on the desk stays.
    ForgetDecision(ChangeId),
    /// Tell the desk at which report the person is, and what is done there.
    TellPresence(Option<ReportId>, PresenceActivity),
    /// Store states that the person set.
    StoreStates(Vec<(ReportId, Triage)>),
    /// Store states that an audit changed: the report, when its former state was set, and the new state. The entries are
    /// appended to the log for the reports whose state was stored.
    UpdateStates(Vec<(ReportId, Timestamp, Triage)>, Vec<LogEntry>),
    /// Append entries to the log.
    Log(Vec<LogEntry>),
    /// Read the latest lines of the log.
    ReadLog(RequestId),
    /// Read the entries of the log about a report.
    ReadTimeline(RequestId, ReportId),
    /// Store the columns.
    StoreColumns(ColumnLayout),
    /// Store a view in place of one of the same name.
    SaveView(SavedView),
    /// Delete the view of this name.
    DeleteView(String),
    /// Add, replace and delete notes.
    StoreNotes(Vec<NoteChange>),
    /// Store a bulk run before its first request.
    StoreRun(RequestId, BulkOperation, Vec<BulkItem>),
    /// Send the operation of a bulk run for one report. A stored run records that first.
    SendItem {
        /// The id of the request.
        request: RequestId,
        /// The stored run and the item's index.
        stored: Option<(RunNumber, usize)>,
        /// The report.
        id: ReportId,
        /// The operation.
        operation: BulkOperation,
    },
    /// Read a report of a run whose reply was lost.
    ReadItem(RequestId, ReportId),
    /// Store the state of an item of a run.
    StoreItem(RunNumber, usize, ItemState),
    /// Delete a stored run.
    DeleteRun(RunNumber),
    /// Generate a password.
    GeneratePassword,
    /// Store a draft.
    StoreDraft(Draft),
    /// Delete a draft.
    DeleteDraft(DraftKey),
    /// Quit.
    Quit,
}
