//! Confirmation dialogs: before destructive actions, and after a write whose outcome is unknown.
//!
//! A destructive dialog starts on Cancel, and the key that opened it does not confirm it.

use std::time::Duration;

use tui_input::Input as TextField;

use crate::app::list_window::{CursorMove, ListWindow};
use crate::app::undo::UndoDirection;
use crate::domain::bulk::{InterruptedRun, Plan};
use crate::domain::report::{ReportId, WriteRequest};
use crate::domain::text::{Text, width};

/// The most reports that can be deleted without typing their number.
const FEW: usize = 5;

/// The most cells of a project's name that must be typed: two lines at 40×12, where a longer one is cut.
const LONGEST_TYPED_NAME: usize = 72;

/// The question of a dialog.
#[derive(Debug, Clone)]
pub enum Question {
    /// Delete this report?
    DeleteReport {
        /// The report.
        id: ReportId,
        /// Its URL in display form.
        url: String,
    },
    /// Delete this project with all its reports? Its name must be typed.
    DeleteProject {
        /// The project.
        name: Text,
        /// The number of its reports, if known.
        reports: Option<u64>,
    },
    /// Send these pending deletions before quitting?
    SendPending(Vec<String>),
    /// Make this report public by undoing or redoing a change?
    MakePublic {
        /// Its URL in display form.
        url: String,
        /// Whether the change is undone or redone.
        direction: UndoDirection,
    },
    /// Create a second report for a page? The text names the first.
    SecondReport(String),
    /// Discard the form's draft?
    DiscardDraft,
    /// Perform an operation on all these reports?
    Bulk {
        /// The plan.
        plan: Box<Plan>,
        /// The estimated duration.
        takes: Duration,
        /// What it is about: the project with the number of its loaded reports, or the undone step.
        about: Option<String>,
        /// Whether it undoes or redoes an earlier run; `None` for neither.
        direction: Option<UndoDirection>,
    },
    /// Resume an interrupted run?
    ResumeRun(Box<InterruptedRun>),
    /// Retry a write whose reply was lost?
    RepeatWrite {
        /// The write.
        write: WriteRequest,
        /// What went wrong, and the state found afterwards.
        text: String,
    },
}

/// An open dialog.
#[derive(Debug)]
pub struct Dialog {
    /// The question.
    pub question: Question,
    /// The typed text, if something must be typed.
    pub typed: TextField,
    /// Whether the confirming button has the focus; at first the other one has it.
    pub is_confirm_focused: bool,
    /// The visible rows of a plan.
    pub window: ListWindow,
}

impl Dialog {
    /// Creates a dialog that starts on Cancel.
    pub fn new(question: Question) -> Self {
        Self { question, typed: TextField::default(), is_confirm_focused: false, window: ListWindow::default() }
    }

    /// The text that must be typed before confirming: a project's name, or a fixed word if the name cannot be read whole
    /// or typed.
    pub fn must_type(&self) -> Option<String> {
        if let Question::DeleteProject { name, .. } = &self.question {
            let shown = name.shown();
            let is_typeable =
                !shown.contains('\u{fffd}') && shown.trim() == shown && width(shown) <= LONGEST_TYPED_NAME;
            return Some(if is_typeable { shown } else { "delete" }.to_owned());
        }
        let Question::Bulk { plan, .. } = &self.question else { return None };
        // Guards against deleting many reports by accident.
        (plan.operation.destroys() && plan.changes() > FEW).then(|| plan.changes().to_string())
    }

    /// Whether confirming is allowed.
    pub fn can_confirm(&self) -> bool {
        self.must_type().is_none_or(|wanted| self.typed.value() == wanted)
    }

    /// The number of rows of a plan.
    pub fn row_count(&self) -> usize {
        if let Question::Bulk { plan, .. } = &self.question { plan.items.len() } else { 0 }
    }

    /// Scrolls the rows of a plan.
    pub fn scroll(&mut self, movement: CursorMove, fit: usize) {
        self.window.scroll(movement, self.row_count(), fit);
    }

    /// The title, and the label of the confirming button.
    fn labels(&self) -> (&'static str, &'static str) {
        match &self.question {
            Question::Bulk { plan, .. } => ("Plan", plan.operation.label()),
            Question::ResumeRun(_) => ("Interrupted run", "Resume"),
            Question::SecondReport(_) => ("Second report", "Create"),
            Question::DeleteReport { .. } => ("Delete report", "Delete"),
            Question::DeleteProject { .. } => ("Delete project", "Delete"),
            Question::DiscardDraft => ("Discard draft", "Discard"),
            Question::SendPending(_) => ("Deletions not sent yet", "Delete and quit"),
            Question::RepeatWrite { .. } => ("Outcome unknown", "Try again"),
            Question::MakePublic { .. } => ("Make public", "Make public"),
        }
    }

    /// The title.
    pub fn title(&self) -> &'static str {
        self.labels().0
    }

    /// The label of the confirming button.
    pub fn verb(&self) -> &'static str {
        self.labels().1
    }
}
