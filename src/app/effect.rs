//! Effects: work outside the state, returned by `update` and performed by `runtime::effects`. Each is answered by at
//! most one message, except long lists.

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
use crate::domain::list::cached_rows::{CachedRowsPart, FormerView, SavedView};
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::domain::list::rows::Rows;
use crate::domain::message::{CustomerMessage, MessageTarget};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::changes::comparison::ComparisonRequest;
use crate::domain::triage::urgency::RowContext;
use crate::domain::triage::{NoteChange, Triage};

/// Identifies a reply; only the part of the state that waits for this id handles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// The report that a change is based on: as it was when its edit form was opened, or after the change that is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditBase {
    /// The privacy setting.
    pub privacy: Option<Privacy>,
    /// Whether a password was set.
    pub has_password: Option<bool>,
}

impl EditBase {
    /// Takes the base values from a report.
    pub fn of(report: &Report) -> Self {
        Self { privacy: report.privacy, has_password: report.has_password }
    }

    /// Whether a report has changed since. A value that is missing on either side, as in list rows, is no change.
    pub fn is_outdated_by(&self, report: &Report) -> bool {
        self.privacy.zip(report.privacy).is_some_and(|(before, now)| before != now)
            || self.has_password.zip(report.has_password).is_some_and(|(before, now)| before != now)
    }
}

/// The operation of a bulk run for one report.
#[derive(Debug, Clone)]
pub struct ItemWrite {
    /// The stored run and the item's index.
    pub stored: Option<(RunNumber, usize)>,
    /// The report.
    pub id: ReportId,
    /// The operation.
    pub operation: BulkOperation,
    /// The privacy setting that the operation changes; a report with another one is left as it is.
    pub planned: Option<Privacy>,
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
    /// Find common causes of the bad reports among these rows, on another thread.
    FindCauses(RequestId, Arc<Rows>, Vec<u32>),
    /// Collect the values for filter completion, with further project names.
    CollectFilterValues(RequestId, Arc<Rows>, Vec<String>),
    /// Record that all changes up to this time were seen.
    StoreSeen(Timestamp),
    /// Compute the overview of these rows, or of those of one project.
    CountOverview(RequestId, Arc<Rows>, Option<Text>, RowContext),
    /// Store a complete list, and compare it with an earlier one.
    Compare(RequestId, Box<ComparisonRequest>),
    /// Request a report for its checks, yielding to interactive requests.
    ShowChecks(RequestId, ReportId),
    /// Cancel a read whose reply is no longer needed. Writes are never cancelled.
    Cancel(RequestId),
    /// Create a report.
    Create(RequestId, NewReport),
    /// Change a report, unless it differs from the base.
    Update(RequestId, ReportId, ReportChange, Option<EditBase>),
    /// Delete a report.
    DeleteReport(RequestId, ReportId),
    /// Delete a project by its raw name.
    DeleteProject(RequestId, String),
    /// Use another API key until the program ends.
    UseKey(SecretString),
    /// Capture the mouse, or release it to the terminal.
    CaptureMouse(bool),
    /// Suspend the process until the shell continues it.
    Stop,
    /// Copy a text to the clipboard.
    Copy(String),
    /// Copy a password to the clipboard. It is never written to a file.
    CopyPassword(SecretString),
    /// Request the URL of a report page and copy it to the clipboard.
    CopyReportPage(ReportId),
    /// Open a web page in the browser.
    OpenWebPage(Url),
    /// Request the URL of a report page and open it in the browser.
    OpenReportPage(ReportId),
    /// Export rows to a file.
    Export(FileFormat, Arc<ExportRequest>),
    /// Write a message to the customer, dated at this time.
    WriteMessage(MessageTarget, Box<CustomerMessage>, Timestamp),
    /// Open this file in the editor, which gets the terminal meanwhile.
    EditFile(PathBuf),
    /// Read the cached rows of the last run, or a further part of them.
    ReadCachedRows(Option<CachedRowsPart>),
    /// Cache the rows of a complete list, fetched at this time.
    StoreRows(Arc<Rows>, Timestamp),
    /// Read the journal of this service: drafts, states, views, interrupted runs.
    ReadJournal,
    /// Read states and notes again.
    ReadStates,
    /// Read the saved views again.
    ReadViews,
    /// Look for the service's desk, and follow it.
    JoinDesk,
    /// Store decisions in the outbox, and send them to the desk.
    SendToDesk(Vec<OutboxEntry>),
    /// Remove a decision from the outbox; the desk's row stays.
    ForgetDecision(ChangeId),
    /// Report to the desk at which report the user is, and the activity there.
    SendPresence(Option<ReportId>, PresenceActivity),
    /// Store states set by the user, and their log entries.
    StoreStates(Vec<(ReportId, Triage)>, Vec<LogEntry>),
    /// Store states changed by an audit: the report, when its previous state was set, and the new state. The log
    /// entries are appended for those reports whose state was stored.
    UpdateStates(Vec<(ReportId, Timestamp, Triage)>, Vec<LogEntry>),
    /// Append entries to the log.
    Log(Vec<LogEntry>),
    /// Read the latest lines of the log.
    ReadLog(RequestId),
    /// Read the entries of the log about a report.
    ReadTimeline(RequestId, ReportId),
    /// Store the column layout.
    StoreColumns(ColumnLayout),
    /// Store a view, replacing one of the same name.
    SaveView(SavedView),
    /// Delete the view of this name.
    DeleteView(String),
    /// Restore a view, unless another dashboard has changed it since.
    RestoreView(FormerView),
    /// Add, replace and delete notes.
    StoreNotes(Vec<NoteChange>),
    /// Store a bulk run before its first request.
    StoreRun(RequestId, BulkOperation, Vec<BulkItem>),
    /// Send the operation of a bulk run for one report, after recording it if the run is stored.
    SendItem(RequestId, ItemWrite),
    /// Read a report of a run whose reply was lost.
    ReadItem(RequestId, ReportId),
    /// Store the state of an item of a run, and log what was done, both or neither.
    StoreItem(RunNumber, usize, ItemState, Vec<LogEntry>),
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
