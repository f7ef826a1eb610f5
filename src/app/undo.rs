//! Steps that can be undone, as data.

use std::collections::HashSet;
use std::sync::Arc;

use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::columns::Column;
use crate::domain::list::query::Direction;
use crate::domain::report::ReportId;
use crate::domain::report::privacy::Privacy;
use crate::domain::triage::Triage;

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
    /// The states of reports; nothing for what had none.
    States(Vec<(ReportId, Option<Triage>)>),
    /// The privacy of a report at the service.
    Privacy(ReportId, Privacy),
}

/// The steps that were taken, and those that were taken back.
#[derive(Debug, Default)]
pub(crate) struct Undo {
    pub(crate) done: Vec<UndoStep>,
    pub(crate) undone: Vec<UndoStep>,
}

impl UndoStep {
    /// The name of what changed, for notices.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Selection(_) => "Marks",
            Self::Filter(_) => "Filter",
            Self::Sort(..) => "Order",
            Self::Columns(_) => "Columns",
            Self::States(_) => "State",
            Self::Privacy(..) => "Privacy",
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
