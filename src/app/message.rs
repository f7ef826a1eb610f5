//! Events of the program, made by input, effects, the clock and the view. Only `update` reads them.

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

/// Rows of one message. A page that holds more comes in several messages, and between them the screen is drawn and keys
/// are taken: two such messages take the loop less than a frame.
pub const ROWS_AT_ONCE: usize = 2_500;

/// Which service was connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// The name of the profile, or what the service is: `work`, `this machine`.
    pub name: String,
    /// Host and port.
    pub host: String,
    /// The service is read-only.
    pub read_only: bool,
    /// The colour of its name in the header.
    pub accent: Option<Accent>,
    /// The data directory of an embedded service, for display; `None` for a remote one.
    pub directory: Option<String>,
}

/// The outcome of an edit.
#[derive(Debug)]
pub enum Edited {
    /// The service accepted it.
    Saved(Report),
    /// The report had changed meanwhile: nothing was sent. Holds the report as it is now.
    Changed(Report),
}

/// An event.
#[derive(Debug)]
pub enum Message {
    /// A key, a paste, the mouse, or a resize.
    Input(Input),
    /// The layout of the last frame, where it differs from the one before.
    FrameLayout(FrameLayout),
    /// The time that `App::wake_at` named has come.
    Tick,
    /// The service is connected, or could not be started.
    Connected(Result<Connected, Failure>),
    /// The first rows of a page that holds many: at most [`ROWS_AT_ONCE`]. The rest of the page follows.
    ReportRows {
        /// The id of the request.
        request: RequestId,
        /// The rows.
        rows: Vec<Report>,
        /// The number of rows of the page that follow.
        following: usize,
    },
    /// A page of reports came; of a page that holds many, the last rows.
    Reports(RequestId, Result<Page<Report>, Failure>),
    /// Rows were arranged on another thread.
    Arranged(RequestId, Vec<u32>),
    /// The saved views.
    Views(Vec<SavedView>),
    /// The causes that bad reports share.
    Causes(RequestId, Box<FoundCauses>),
    /// The values that a filter can be completed with.
    FilterValues(RequestId, Box<KnownValues>),
    /// The counts of the overview.
    Overview(RequestId, Box<Overview>),
    /// The lines of the log, the latest first; `None` where there is no journal.
    Log(RequestId, Option<Vec<LogLine>>),
    /// The entries of the log about a report, the oldest first; `None` where there is no journal.
    Timeline(RequestId, Option<Vec<LogEntry>>),
    /// A page of projects came.
    Projects(RequestId, Result<Page<Project>, Failure>),
    /// An opened report came.
    Report(RequestId, Result<Report, Failure>),
    /// A create was answered.
    Created(RequestId, Result<Report, WriteFailure>),
    /// An update or re-run was answered.
    Updated(RequestId, Result<Report, WriteFailure>),
    /// An edit was answered, or the report had changed meanwhile and nothing was sent.
    Edited(RequestId, Result<Edited, WriteFailure>),
    /// A delete was answered.
    Deleted(RequestId, Result<(), WriteFailure>),
    /// A bulk run was stored, or could not be.
    RunStored(RequestId, Result<Option<RunNumber>, Failure>),
    /// The reply for an item of a bulk run.
    BulkItem(RequestId, ItemReply),
    /// The desk has something to say.
    Desk(DeskMessage),
    /// The stored states and notes.
    States(Triages, Notes),
    /// A list was compared with a former one.
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
    /// A draft was stored or deleted, or could not be.
    JournalWritten(Result<(), Failure>),
    /// A generated password.
    Password(SecretString),
    /// A file was written that the person wants to edit.
    FileToEdit(PathBuf),
    /// An effect ended with a notice or a failure.
    Notice(Result<String, Failure>),
    /// A task panicked; its reply will never come.
    TaskFailed(String),
    /// The system asks the program to quit.
    Terminate,
}

/// A desk with its rows and notes, as it was last read.
#[derive(Debug)]
pub struct DeskJoined {
    /// The person at this machine.
    pub me: DeskMe,
    /// All people.
    pub people: Vec<Person>,
    /// Rows and notes.
    pub content: DeskContent,
    /// What was decided here and is not on the desk yet.
    pub outbox: Vec<OutboxEntry>,
    /// 16 random bytes, from which the ids of writes are made.
    pub seed: [u8; 16],
    /// When the desk was last heard of.
    pub read_at: Timestamp,
    /// Whether it has answered in this run.
    pub is_reached: bool,
}

/// What the desk says.
#[derive(Debug)]
pub enum DeskMessage {
    /// There is a desk. Its copy on this machine comes first, where there is one.
    Joined(Box<DeskJoined>),
    /// There is none for this person; why, where one was configured.
    Absent(Option<String>),
    /// Everything was read again.
    Read(Box<DeskContent>, Vec<Person>),
    /// It has answered: what was changed since the last answer, and who else is where.
    Changes {
        /// The changes.
        events: Vec<DeskEvent>,
        /// The others.
        present: Vec<Presence>,
        /// The position behind them.
        position: LogPosition,
    },
    /// A decision is on the desk: the row is this one.
    Written(ChangeId, Box<DeskRow>),
    /// A note is on the desk, or withdrawn.
    Noted(ChangeId, Box<DeskNote>),
    /// The row has changed meanwhile: nothing was written, and the person chooses.
    Collided(ChangeId, Option<Box<DeskRow>>),
    /// The desk refuses a decision for good.
    Refused(ChangeId, Failure),
    /// It cannot be reached. It is tried again.
    Unreachable(Failure),
    /// It refuses the person. Nothing is tried again.
    Ended(Failure),
}

/// What became true of a report or project. Every reply that changes one becomes a fact once, and each part of the state
/// applies it.
#[derive(Debug, Clone)]
pub(crate) enum Fact {
    /// A report was created.
    ReportCreated(Report),
    /// A report was changed or re-run by this program.
    ReportUpdated(Report),
    /// A report was read: this is how it is now.
    ReportRead(Report),
    /// A report does not exist any more.
    ReportDeleted(ReportId),
    /// A project and its reports do not exist any more.
    ProjectDeleted(Text),
}
