//! Messages: input, results of effects, clock ticks and layout feedback. Consumed by `update` only.

use std::path::PathBuf;

use jiff::Timestamp;
use secrecy::SecretString;

use crate::app::effect::RequestId;
use crate::app::frame_layout::FrameLayout;
use crate::domain::activity::Exchange;
use crate::domain::bulk::{InterruptedRun, ItemReply, RunNumber};
use crate::domain::desk::{
    ChangeId, DeskContent, DeskEvent, DeskMe, DeskNote, DeskRow, LogPosition, OutboxEntry, Person, Presence,
};
use crate::domain::draft::Draft;
use crate::domain::event_log::LogEntry;
use crate::domain::event_log::line::LogLine;
use crate::domain::failure::{Failure, WriteFailure};
use crate::domain::list::cached_rows::{CachedRows, SavedView};
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::filter::known_values::KnownValues;
use crate::domain::list::paging::Page;
use crate::domain::look::Accent;
use crate::domain::overview::Overview;
use crate::domain::project::Project;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::causes::lines::FoundCauses;
use crate::domain::triage::changes::comparison::ComparisonResult;
use crate::domain::triage::{Notes, Triages};
use crate::input::Input;

/// The maximum number of rows per message. A larger page is split into several messages, so that drawing and input can
/// run in between; each takes less than a frame.
pub const ROWS_AT_ONCE: usize = 2_500;

/// The connected service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// The profile's name, or a description of the service: `work`, `this machine`.
    pub name: String,
    /// Host and port.
    pub host: String,
    /// Whether the service is read-only.
    pub read_only: bool,
    /// The colour of the name in the header.
    pub accent: Option<Accent>,
    /// The data directory of an embedded service, for display; `None` for a remote one.
    pub directory: Option<String>,
}

/// The outcome of an update.
#[derive(Debug)]
pub enum UpdateOutcome {
    /// The service accepted it.
    Saved(Report),
    /// The report had changed meanwhile, so nothing was sent. Holds the current report.
    Changed(Report),
}

/// An input to the state machine.
#[derive(Debug)]
pub enum Message {
    /// A key, a paste, the mouse, or a resize.
    Input(Input),
    /// The layout of the last frame, if it changed.
    FrameLayout(FrameLayout),
    /// The time returned by `App::wake_at` has come.
    Tick,
    /// The service is connected, or failed to start.
    Connected(Result<Connected, Failure>),
    /// The first rows of a large page, at most [`ROWS_AT_ONCE`]. The rest of the page follows.
    ReportRows(RequestId, Vec<Report>),
    /// A page of reports arrived, or the last rows of a large one.
    Reports(RequestId, Result<Page<Report>, Failure>),
    /// Rows were arranged on another thread.
    Arranged(RequestId, Vec<u32>),
    /// The saved views.
    Views(Vec<SavedView>),
    /// The common causes of bad reports.
    Causes(RequestId, Box<FoundCauses>),
    /// The values for filter completion.
    FilterValues(RequestId, Box<KnownValues>),
    /// The counts of the overview.
    Overview(RequestId, Box<Overview>),
    /// The lines of the log, latest first; `None` without a journal.
    Log(RequestId, Option<Vec<LogLine>>),
    /// The entries of the log about a report, oldest first; `None` without a journal.
    Timeline(RequestId, Option<Vec<LogEntry>>),
    /// A page of projects arrived.
    Projects(RequestId, Result<Page<Project>, Failure>),
    /// A requested report arrived.
    Report(RequestId, Result<Report, Failure>),
    /// The response to a create.
    Created(RequestId, Result<Report, WriteFailure>),
    /// The response to an update or re-run.
    Updated(RequestId, Result<UpdateOutcome, WriteFailure>),
    /// The response to a delete.
    Deleted(RequestId, Result<(), WriteFailure>),
    /// A bulk run was stored, or storing failed.
    RunStored(RequestId, Result<Option<RunNumber>, Failure>),
    /// The reply for an item of a bulk run.
    BulkItem(RequestId, ItemReply),
    /// Messages from the desk, in order.
    Desk(Vec<DeskMessage>),
    /// The stored states and notes.
    States(Triages, Notes),
    /// A list was compared with an earlier one.
    ComparisonResult(RequestId, Result<Box<ComparisonResult>, Failure>),
    /// A report that was requested for its checks.
    Checks(RequestId, Result<Report, Failure>),
    /// The stored columns.
    Columns(ColumnLayout),
    /// The cached rows of the last run, if there are any.
    CachedRows(Option<CachedRows>),
    /// Interrupted bulk runs.
    InterruptedRuns(Vec<InterruptedRun>),
    /// A request and its reply, for the activity list.
    Exchange(Exchange),
    /// The stored drafts.
    Drafts(Vec<Draft>),
    /// A write to the journal finished.
    JournalWritten(Result<(), Failure>),
    /// The journal could not be read.
    JournalUnreadable(Failure),
    /// A generated password.
    Password(SecretString),
    /// A file was written for editing.
    FileToEdit(PathBuf),
    /// An effect ended with a notice or a failure.
    Notice(Result<String, Failure>),
    /// The program has the terminal again, after it was suspended or while an editor ran.
    Resumed,
    /// A task panicked; its reply will never arrive.
    TaskFailed(String),
    /// The system requests termination.
    Terminate,
}

/// A desk with its rows and notes, as last read.
#[derive(Debug)]
pub struct DeskJoined {
    /// The holder of the key.
    pub me: DeskMe,
    /// All people.
    pub people: Vec<Person>,
    /// Rows and notes.
    pub content: DeskContent,
    /// Decisions not confirmed by the desk yet.
    pub outbox: Vec<OutboxEntry>,
    /// 16 random bytes, from which change ids are derived.
    pub seed: [u8; 16],
    /// When the desk last responded.
    pub read_at: Timestamp,
    /// Whether it has responded in this run.
    pub is_reached: bool,
    /// Whether it belongs to the service of the reports, whose key is then the same.
    pub is_own: bool,
}

/// A message from the desk.
#[derive(Debug)]
pub enum DeskMessage {
    /// A desk is available. Its cached copy comes first, if there is one.
    Joined(Box<DeskJoined>),
    /// No desk is available to this person; with the reason, if one was configured.
    Absent(Option<String>),
    /// Everything was read again.
    Read(Box<DeskContent>, Vec<Person>),
    /// The desk responded with changes since the last response, and the presence of others.
    Changes {
        /// The changes.
        events: Vec<DeskEvent>,
        /// The presence of others.
        present: Vec<Presence>,
        /// The position after these events.
        position: LogPosition,
    },
    /// A decision was applied; this is the row.
    Written(ChangeId, Box<DeskRow>),
    /// A note was added or withdrawn.
    Noted(ChangeId, Box<DeskNote>),
    /// The row had changed meanwhile: nothing was written, and the user chooses.
    Conflict(ChangeId, Option<Box<DeskRow>>),
    /// The response to a decision could not be read, however often it was sent: the user chooses.
    SetAside(ChangeId, Failure),
    /// The desk rejected a decision permanently.
    Refused(ChangeId, Failure),
    /// The desk is unreachable, after it was read at this time, if it was. Retries continue.
    Unreachable(Failure, Option<Timestamp>),
    /// The desk rejects the user. No retries.
    Ended(Failure),
}

/// A change of a report or project. Every reply that changes one becomes a fact once, and each part of the state
/// applies it.
#[derive(Debug, Clone)]
pub(crate) enum Fact {
    /// A report was created.
    ReportCreated(Report),
    /// A report was changed or re-run by this program.
    ReportUpdated(Report),
    /// A report was read; this is its current state.
    ReportRead(Report),
    /// A report no longer exists.
    ReportDeleted(ReportId),
    /// A project and its reports no longer exist.
    ProjectDeleted(Text),
}
