//! Undo and redo. Selections, filters and sort orders are restored exactly. A privacy setting is restored by another
//! request, where the former setting is known; a replaced password is gone.

use crate::app::App;
use crate::app::overlays::dialog::Question;
use crate::app::undo::UndoStep;
use crate::domain::report::ReportChange;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::write_request::WriteRequest;
use crate::input::Action;

impl App {
    /// Puts the last step back, or says that there is none.
    pub(crate) fn undo(&mut self) {
        if self.undo_deletion() || self.undo_run() {
            return;
        }
        let Some(step) = self.ctx.undo.done.last() else { return self.ctx.tell("Nothing to take back".to_owned()) };
        if let Some(reason) = self.undo_disabled_reason(step) {
            return self.ctx.tell(reason);
        }
        match self.made_public_by(step) {
            Some(url) => self.ask(Question::MakePublic { url, redo: false }),
            None => self.undo_now(),
        }
    }

    fn undo_now(&mut self) {
        let Some(step) = self.ctx.undo.done.pop() else { return };
        self.ctx.tell(format!("{}: as before ({}: again as it was)", step.name(), self.ctx.key(Action::Redo)));
        let step = self.put_back(step);
        self.ctx.undo.undone.push(step);
    }

    /// Redoes the last undone step.
    pub(crate) fn redo(&mut self) {
        let Some(step) = self.ctx.undo.undone.last() else { return self.ctx.tell("Nothing was taken back".to_owned()) };
        if let Some(reason) = self.undo_disabled_reason(step) {
            return self.ctx.tell(reason);
        }
        match self.made_public_by(step) {
            Some(url) => self.ask(Question::MakePublic { url, redo: true }),
            None => self.redo_now(),
        }
    }

    fn redo_now(&mut self) {
        let Some(step) = self.ctx.undo.undone.pop() else { return };
        self.ctx.tell(format!("{}: done again", step.name()));
        let step = self.put_back(step);
        self.ctx.undo.done.push(step);
    }

    /// Undoes or redoes a step that makes a report public, after confirmation.
    pub(crate) fn make_public_again(&mut self, redo: bool) {
        if redo { self.redo_now() } else { self.undo_now() }
    }

    /// The report that a step would make public. That is confirmed first: once public, its page may have been read.
    fn made_public_by(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(id, Privacy::Public) = step else { return None };
        Some(self.reports.listing.row(id)?.short_url().to_owned())
    }

    /// Why a step at the service cannot be taken now; those on this screen always can.
    fn undo_disabled_reason(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(id, _) = step else { return None };
        if self.reports.listing.row(id).is_none() {
            return Some(format!("Report {} is not loaded: its privacy stays", id.shown()));
        }
        let busy = self.is_writing(id).then(|| "This report is being written already".to_owned());
        self.write_disabled_reason().or(busy)
    }

    /// Restores a step. Returns the inverse step.
    fn put_back(&mut self, step: UndoStep) -> UndoStep {
        match step {
            UndoStep::Selection(marked) => UndoStep::Selection(self.reports.swap_selection(marked)),
            UndoStep::Filter(text) => {
                let former = self.reports.swap_filter(&text);
                self.load_if_needed();
                UndoStep::Filter(former)
            }
            UndoStep::Sort(column, direction) => {
                let (old, was) = std::mem::replace(&mut self.reports.sort, (column, direction));
                self.load_if_needed();
                UndoStep::Sort(old, was)
            }
            UndoStep::Columns(columns) => UndoStep::Columns(self.reports.swap_columns(columns, &mut self.ctx)),
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
