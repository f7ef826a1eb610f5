//! Undo and redo of what only concerns this screen: marks, filters, sorts. What they put back is exactly what was.
//!
//! Must not know what the service holds: a change there is another request, not a step back.

use crate::app::App;
use crate::app::marks::Marked;
use crate::domain::columns::Column;
use crate::domain::query::Direction;

/// How many steps can be taken back.
const MOST: usize = 100;

/// Something that can be put back, as it was before.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// The marked reports.
    Marks(Marked),
    /// The text of the filter line.
    Filter(String),
    /// The column and direction of sorting.
    Sort(Column, Direction),
}

/// The steps that were taken, and those that were taken back.
#[derive(Debug, Default)]
pub(super) struct Undo {
    done: Vec<Step>,
    undone: Vec<Step>,
}

impl App {
    /// Takes note of how something was before it changed.
    pub(super) fn remember_step(&mut self, step: Step) {
        self.undo.undone.clear();
        if self.undo.done.len() == MOST {
            self.undo.done.remove(0);
        }
        self.undo.done.push(step);
    }

    /// Puts the last step back, or says that there is none.
    pub(super) fn undo(&mut self) {
        match self.undo.done.pop() {
            Some(step) => {
                let what = name(&step);
                let step = self.put_back(step);
                self.undo.undone.push(step);
                self.tell(format!("{what}: as before (U: again as it was)"));
            }
            None => self.tell("Nothing to take back".to_owned()),
        }
    }

    /// Does again what was taken back.
    pub(super) fn redo(&mut self) {
        match self.undo.undone.pop() {
            Some(step) => {
                let what = name(&step);
                let step = self.put_back(step);
                self.undo.done.push(step);
                self.tell(format!("{what}: done again"));
            }
            None => self.tell("Nothing was taken back".to_owned()),
        }
    }

    /// Swaps a step with what is there now, which it gives back.
    fn put_back(&mut self, step: Step) -> Step {
        match step {
            Step::Marks(marked) => Step::Marks(self.swap_marks(marked)),
            Step::Filter(text) => {
                let now = self.reports.filter_line.value().to_owned();
                self.put_filter(&text);
                Step::Filter(now)
            }
            Step::Sort(column, direction) => {
                let (old, was) = std::mem::replace(&mut self.reports.sort, (column, direction));
                self.load_if_needed();
                Step::Sort(old, was)
            }
        }
    }
}

fn name(step: &Step) -> &'static str {
    match step {
        Step::Marks(_) => "Marks",
        Step::Filter(_) => "Filter",
        Step::Sort(..) => "Order",
    }
}
