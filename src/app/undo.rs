//! Steps that can be undone, as data.

use std::collections::HashSet;
use std::sync::Arc;

use crate::domain::desk::Handle;
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::columns::Column;
use crate::domain::list::query::Direction;
use crate::domain::report::ReportId;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::clean;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::{NoteChange, Triage};

/// How many steps can be taken back.
const MOST_STEPS: usize = 100;

/// Something that can be put back, as it was before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum UndoStep {
    /// The marked reports.
    Selection(Arc<HashSet<ReportId>>),
    /// The text of the filter line.
    Filter(String),
    /// The column and direction of sorting.
    Sort(Column, Direction),
    /// The columns that were chosen.
    Columns(ColumnLayout),
    /// States and notes that were set together.
    Triage {
        /// The states of reports.
        states: Vec<FormerState>,
        /// The notes.
        notes: Vec<NoteChange>,
    },
    /// The line of the view of this name; `None` where it was deleted.
    View(String, Option<String>),
    /// The privacy of a report at the service.
    Privacy(ReportId, Privacy),
}

/// A report's state before a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FormerState {
    /// The report.
    pub(crate) report: ReportId,
    /// Its state; `None` for a new one.
    pub(crate) triage: Option<Triage>,
    /// Who held it on the desk.
    pub(crate) holder: Option<Handle>,
}

/// The steps that were taken, and those that were taken back.
#[derive(Debug, Default)]
pub(crate) struct Undo {
    pub(crate) done: Vec<UndoStep>,
    pub(crate) undone: Vec<UndoStep>,
}

impl UndoStep {
    /// What is so again once the step is put back, for notices. `name_of` names a report.
    pub(crate) fn restored(&self, name_of: impl Fn(&ReportId) -> String) -> String {
        match self {
            Self::Selection(ids) if ids.is_empty() => "nothing is marked".to_owned(),
            Self::Selection(ids) => format!("{} marked", grouped(ids.len() as u64)),
            Self::Filter(text) if text.is_empty() => "no filter".to_owned(),
            Self::Filter(text) => format!("filter {}", clean(text)),
            Self::Sort(column, direction) => {
                format!("sorted by {}, {}", column.sort_name(), column.order_text(*direction))
            }
            Self::Columns(_) => "columns".to_owned(),
            Self::View(name, Some(_)) => format!("view {} is saved", clean(name)),
            Self::View(name, None) => format!("view {} is deleted", clean(name)),
            Self::Triage { states, notes } => {
                let of_states = match states.as_slice() {
                    [] => None,
                    [FormerState { report, triage, .. }] => {
                        Some(format!("state of {}: {}", name_of(report), triage.as_ref().map_or("new", Triage::label)))
                    }
                    many => Some(format!("states of {}", counted(many.len() as u64, "report"))),
                };
                let of_notes = match notes.as_slice() {
                    [] => None,
                    [NoteChange { report, note: None, .. }] => {
                        Some(format!("the note about {} is deleted", name_of(report)))
                    }
                    [NoteChange { report, note: Some(note), .. }] => {
                        Some(format!("note about {}: {}", name_of(report), note.text))
                    }
                    many => Some(format!("notes about {}", counted(many.len() as u64, "report"))),
                };
                of_states.into_iter().chain(of_notes).collect::<Vec<_>>().join(" · ")
            }
            Self::Privacy(id, privacy) => format!("{} is made {}", name_of(id), privacy.word()),
        }
    }
}

impl Undo {
    /// Remembers how something was before it changed. What was undone cannot be redone any more.
    pub(crate) fn remember(&mut self, step: UndoStep) {
        self.undone.clear();
        if self.done.len() == MOST_STEPS {
            self.done.remove(0);
        }
        self.done.push(step);
    }
}
