//! Undo and redo. Marks, filters and sorts are put back exactly; a privacy setting by another request, which is sent
//! where the former setting can be: a password that was replaced is gone.

use crate::app::App;
use crate::app::overlays::dialog::{Question, WriteRequest};
use crate::app::panes::reports::columns::ColumnLayout;
use crate::app::panes::reports::selection::SelectedIds;
use crate::domain::list::columns::Column;
use crate::domain::list::query::Direction;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{ReportChange, ReportId};
use crate::domain::triage::Triage;
use crate::input::Action;

/// How many steps can be taken back.
const MOST: usize = 100;

/// Something that can be put back, as it was before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum UndoStep {
    /// The marked reports.
    Selection(SelectedIds),
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
    done: Vec<UndoStep>,
    undone: Vec<UndoStep>,
}

impl App {
    /// Takes note of how something was before it changed.
    pub(crate) fn remember_step(&mut self, step: UndoStep) {
        self.undo.undone.clear();
        if self.undo.done.len() == MOST {
            self.undo.done.remove(0);
        }
        self.undo.done.push(step);
    }

    /// Puts the last step back, or says that there is none.
    pub(crate) fn undo(&mut self) {
        if self.take_back_deletion() || self.take_back_run() {
            return;
        }
        let Some(step) = self.undo.done.last() else { return self.tell("Nothing to take back".to_owned()) };
        if let Some(reason) = self.why_not_put_back(step) {
            return self.tell(reason);
        }
        match self.made_public_by(step) {
            Some(url) => self.ask(Question::MakePublic { url, redo: false }),
            None => self.undo_now(),
        }
    }

    fn undo_now(&mut self) {
        let Some(step) = self.undo.done.pop() else { return };
        self.tell(format!("{}: as before ({}: again as it was)", name(&step), self.key(Action::Redo)));
        let step = self.put_back(step);
        self.undo.undone.push(step);
    }

    /// Does again what was taken back.
    pub(crate) fn redo(&mut self) {
        let Some(step) = self.undo.undone.last() else { return self.tell("Nothing was taken back".to_owned()) };
        if let Some(reason) = self.why_not_put_back(step) {
            return self.tell(reason);
        }
        match self.made_public_by(step) {
            Some(url) => self.ask(Question::MakePublic { url, redo: true }),
            None => self.redo_now(),
        }
    }

    fn redo_now(&mut self) {
        let Some(step) = self.undo.undone.pop() else { return };
        self.tell(format!("{}: done again", name(&step)));
        let step = self.put_back(step);
        self.undo.done.push(step);
    }

    /// The person confirmed that a report becomes public by what is taken back, or done again.
    pub(crate) fn make_public_again(&mut self, redo: bool) {
        if redo { self.redo_now() } else { self.undo_now() }
    }

    /// The report that a step would make public: that is asked about, whoever can see it cannot be taken back.
    fn made_public_by(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(id, Privacy::Public) = step else { return None };
        Some(self.reports.listing.row(id)?.short_url().to_owned())
    }

    /// Why a step at the service cannot be taken now; those on this screen always can.
    fn why_not_put_back(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(id, _) = step else { return None };
        if self.reports.listing.row(id).is_none() {
            return Some(format!("Report {} is not loaded: its privacy stays", id.shown()));
        }
        let busy = self.is_writing(id).then(|| "This report is being written already".to_owned());
        self.why_not_write().or(busy)
    }

    /// Swaps a step with what is there now, which it gives back.
    fn put_back(&mut self, step: UndoStep) -> UndoStep {
        match step {
            UndoStep::Selection(marked) => UndoStep::Selection(self.swap_marks(marked)),
            UndoStep::Filter(text) => {
                let now = self.reports.filter_line.value().to_owned();
                self.put_filter(&text);
                UndoStep::Filter(now)
            }
            UndoStep::Sort(column, direction) => {
                let (old, was) = std::mem::replace(&mut self.reports.sort, (column, direction));
                self.load_if_needed();
                UndoStep::Sort(old, was)
            }
            UndoStep::Columns(columns) => UndoStep::Columns(self.swap_columns(columns)),
            UndoStep::States(states) => UndoStep::States(self.swap_states(states)),
            UndoStep::Privacy(id, privacy) => {
                let row = self.reports.listing.row(&id);
                let now = row.and_then(|row| row.privacy).unwrap_or(privacy);
                let change = ReportChange { privacy: Some(privacy), ..ReportChange::default() };
                self.write_back(WriteRequest::Update(id.clone(), change));
                UndoStep::Privacy(id, now)
            }
        }
    }
}

fn name(step: &UndoStep) -> &'static str {
    match step {
        UndoStep::Selection(_) => "Marks",
        UndoStep::Filter(_) => "Filter",
        UndoStep::Sort(..) => "Order",
        UndoStep::Columns(_) => "Columns",
        UndoStep::States(_) => "State",
        UndoStep::Privacy(..) => "Privacy",
    }
}
