//! Confirmation dialogs: before something is destroyed, and after a write whose outcome is unknown.
//!
//! A dialog that destroys starts on Cancel, and the key that opened it does not confirm it.

use crate::domain::report::write_request::WriteRequest;
use std::time::Duration;

use tui_input::Input as TextField;

use crate::app::list_window::{CursorMove, ListWindow};
use crate::domain::bulk::{InterruptedRun, Plan};
use crate::domain::report::ReportId;
use crate::domain::text::Text;

/// The most reports that are deleted without typing their number.
const FEW: usize = 5;

/// What a dialog asks.
#[derive(Debug, Clone)]
pub enum Question {
    /// Delete this report?
    DeleteReport {
        /// Which.
        id: ReportId,
        /// Its URL, as it may be shown.
        url: String,
    },
    /// Delete this project with all its reports? Its name must be typed.
    DeleteProject {
        /// Which.
        name: Text,
        /// How many reports go with it, where known.
        reports: Option<u64>,
    },
    /// Send these deletions, which still wait, before the program is left?
    SendPending(Vec<String>),
    /// Make this report public by undoing or redoing a change?
    MakePublic {
        /// Its URL, as it may be shown.
        url: String,
        /// The change is redone, not undone.
        redo: bool,
    },
    /// Create a second report for a page that has one? The text says which.
    SecondReport(String),
    /// Discard the form's draft?
    DiscardDraft,
    /// Do this with all these reports?
    Bulk {
        /// What would be done.
        plan: Box<Plan>,
        /// About how long it takes.
        takes: Duration,
        /// The project that it is about, and how many of its reports are loaded.
        project: Option<String>,
    },
    /// Resume an interrupted run?
    GoOn(Box<InterruptedRun>),
    /// Send a write again whose reply was lost?
    TryAgain {
        /// The write.
        write: WriteRequest,
        /// What went wrong and what was found.
        text: String,
    },
}

/// An open dialog.
#[derive(Debug)]
pub struct Dialog {
    /// What it asks.
    pub question: Question,
    /// What was typed, where something must be typed.
    pub typed: TextField,
    /// The button that acts has the focus; it starts on the other one.
    pub acting: bool,
    /// The rows of a plan on the screen.
    pub window: ListWindow,
    wanted: Option<String>,
}

impl Dialog {
    /// A dialog that starts on Cancel.
    pub fn new(question: Question) -> Self {
        let wanted = wanted_text(&question);
        Self { question, typed: TextField::default(), acting: false, window: ListWindow::default(), wanted }
    }

    /// What must be typed before the acting button can be pressed.
    pub fn must_type(&self) -> Option<&str> {
        self.wanted.as_deref()
    }

    /// True when nothing is left to be typed.
    pub fn may_act(&self) -> bool {
        self.must_type().is_none_or(|wanted| self.typed.value() == wanted)
    }

    /// After an edit of the typed text: a whole name moves the focus to the button that acts, any other moves it back.
    pub fn typed_changed(&mut self) {
        self.acting = self.may_act();
    }

    /// Scrolls through the rows of a plan.
    pub fn scroll(&mut self, movement: CursorMove, fit: usize) {
        if let Question::Bulk { plan, .. } = &self.question {
            self.window.scroll(movement, plan.rows.len(), fit);
        }
    }

    /// The word on the button that acts.
    pub fn verb(&self) -> &'static str {
        match &self.question {
            Question::Bulk { plan, .. } => plan.operation.verb(),
            Question::GoOn(_) => "Go on",
            Question::SecondReport(_) => "Create",
            Question::DeleteReport { .. } | Question::DeleteProject { .. } => "Delete",
            Question::DiscardDraft => "Discard",
            Question::SendPending(_) => "Delete and leave",
            Question::TryAgain { .. } => "Try again",
            Question::MakePublic { .. } => "Make public",
        }
    }
}

/// A project's name, or where it holds what no keyboard has, a word that cannot be typed by accident either.
fn wanted_text(question: &Question) -> Option<String> {
    if let Question::DeleteProject { name, .. } = question {
        let is_typeable = !name.shown().contains('\u{fffd}');
        return Some(if is_typeable { name.shown() } else { "delete" }.to_owned());
    }
    let Question::Bulk { plan, .. } = question else { return None };
    // Many reports are not deleted by a slip.
    (plan.operation.destroys() && plan.calls() > FEW).then(|| plan.calls().to_string())
}
