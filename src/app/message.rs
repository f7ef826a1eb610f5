//! Events of the program, made by input, effects, the clock and the view. Only `update` reads them.

use std::collections::HashMap;

use secrecy::SecretString;

use crate::app::effect::RequestId;
use crate::app::frame_layout::FrameLayout;
use crate::domain::activity::Exchange;
use crate::domain::bulk::{InterruptedRun, ItemReply, RunNumber};
use crate::domain::draft::Draft;
use crate::domain::failure::{Failure, WriteFailure};
use crate::domain::list::cached_rows::{CachedRows, SavedView};
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::paging::Page;
use crate::domain::look::Accent;
use crate::domain::project::Project;
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::causes::filters::FoundCauses;
use crate::domain::triage::changes::comparison::ComparisonResult;
use crate::domain::triage::{Note, Triages};
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
    /// Nothing may be written there.
    pub read_only: bool,
    /// The colour of its name in the header.
    pub accent: Option<Accent>,
    /// The directory in which it keeps its data, as it may be shown; nothing where that is elsewhere.
    pub directory: Option<String>,
}

/// How an edit ended.
#[derive(Debug)]
pub enum Edited {
    /// The service said yes.
    Saved(Report),
    /// Somebody else changed the report meanwhile: nothing was sent, and this is how it is now.
    Changed(Report),
}

/// Something that happened.
#[derive(Debug)]
pub enum Message {
    /// The person did something.
    Input(Input),
    /// The layout of the last frame, where it differs from the one before.
    FrameLayout(FrameLayout),
    /// The time that `App::wake_at` named has come.
    Tick,
    /// The service is known, or could not be started.
    Connected(Result<Connected, Failure>),
    /// The first rows of a page that holds many: at most [`ROWS_AT_ONCE`]. The rest of the page follows.
    ReportRows {
        /// Who waits.
        request: RequestId,
        /// The rows.
        rows: Vec<Report>,
        /// How many rows of the page are still to come.
        following: usize,
    },
    /// A page of reports came; of a page that holds many, the last rows.
    Reports(RequestId, Result<Page<Report>, Failure>),
    /// Rows were arranged on another thread.
    Arranged(RequestId, Vec<u32>),
    /// The views that this machine keeps.
    Views(Vec<SavedView>),
    /// What bad reports share was found.
    Causes(RequestId, FoundCauses),
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
    /// A run is kept on this machine, or cannot be.
    RunStored(RequestId, Result<Option<RunNumber>, Failure>),
    /// A report of a run was answered.
    BulkItem(RequestId, ItemReply),
    /// The states and notes that this machine keeps.
    States(Triages, HashMap<ReportId, Note>),
    /// A list was compared with a former one.
    ComparisonResult(RequestId, Result<ComparisonResult, Failure>),
    /// A report came whose checks were asked for.
    Checks(RequestId, Result<Report, Failure>),
    /// The columns that were chosen here.
    Columns(ColumnLayout),
    /// The rows that were seen last were read, or there are none.
    CachedRows(Option<CachedRows>),
    /// Runs whose program ended before they had.
    InterruptedRuns(Vec<InterruptedRun>),
    /// A request was made and answered, or not.
    Exchange(Exchange),
    /// The drafts that were kept from earlier runs.
    Drafts(Vec<Draft>),
    /// A draft was kept or forgotten on disk, or could not be.
    JournalWritten(Result<(), Failure>),
    /// A password was made up.
    Password(SecretString),
    /// An effect with nothing to show for it ended: what to tell, or what failed.
    Notice(Result<String, Failure>),
    /// A task broke; whatever waited for it will not be answered.
    TaskFailed(String),
    /// The system asks the program to leave.
    Terminate,
}
