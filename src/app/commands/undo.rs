//! Undo and redo. Selections, filters and sort orders are restored exactly. A privacy setting is restored by another
//! request if the earlier setting is known; a replaced password cannot be restored.

use crate::app::App;
use crate::app::overlays::dialog::Question;
use crate::app::undo::UndoStep;
use crate::domain::report::ReportChange;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::write_request::WriteRequest;
use crate::input::Action;

impl App {
    /// Undoes the last step, or tells that there is none.
    pub(crate) fn undo(&mut self) {
        if self.undo_deletion() || self.undo_run() {
            return;
        }
        self.take_step(false);
    }

    /// Redoes the last undone step.
    pub(crate) fn redo(&mut self) {
        self.take_step(true);
    }

    fn take_step(&mut self, redo: bool) {
        let undo = &self.ctx.undo;
        let Some(step) = (if redo { undo.undone.last() } else { undo.done.last() }) else {
            return self.ctx.notify(if redo { "Nothing to redo" } else { "Nothing to undo" });
        };
        if let Some(reason) = self.undo_disabled_reason(step) {
            return self.ctx.notify(reason);
        }
        match self.made_public_by(step) {
            Some(url) => self.ask(Question::MakePublic { url, redo }),
            None => self.apply_undo_step(redo),
        }
    }

    /// Undoes or redoes the next step. One that makes a report public must have been confirmed.
    pub(crate) fn apply_undo_step(&mut self, redo: bool) {
        let undo = &mut self.ctx.undo;
        let Some(step) = (if redo { undo.undone.pop() } else { undo.done.pop() }) else { return };
        let restored = step.restored(|id| self.name_of(id));
        self.ctx.notify(if redo {
            format!("Redone: {restored}")
        } else {
            format!("Undone: {restored} · {} redoes", self.ctx.key(Action::Redo))
        });
        let inverse = self.put_back(step);
        let undo = &mut self.ctx.undo;
        if redo { &mut undo.done } else { &mut undo.undone }.push(inverse);
    }

    /// Returns the report that a step would make public. This is confirmed first, because the page may be read before
    /// it is undone.
    fn made_public_by(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(id, Privacy::Public) = step else { return None };
        Some(self.reports.listing.row(id)?.short_url().to_owned())
    }

    /// Returns why a step that needs the service or the desk cannot be taken now; steps on this screen always can.
    fn undo_disabled_reason(&self, step: &UndoStep) -> Option<String> {
        if matches!(step, UndoStep::Triage { .. } | UndoStep::Holders(_)) {
            return self.triage_disabled_reason();
        }
        let UndoStep::Privacy(id, _) = step else { return None };
        if self.reports.listing.row(id).is_none() {
            return Some(if self.reports.deleted.contains(id) {
                format!("Report {} is deleted; its privacy cannot be restored", id.shown())
            } else {
                format!("Report {} is not loaded; its privacy cannot be restored now", id.shown())
            });
        }
        let busy = self.is_writing(id).then(|| "This report is already being updated".to_owned());
        self.write_disabled_reason().or(busy)
    }

    /// Restores a step and returns its inverse.
    fn put_back(&mut self, step: UndoStep) -> UndoStep {
        match step {
            UndoStep::Selection(marked) => UndoStep::Selection(self.reports.swap_selection(marked)),
            UndoStep::Filter(text) => {
                let former = self.reports.swap_filter(&text);
                self.load_if_needed();
                UndoStep::Filter(former)
            }
            UndoStep::Project(mut project) => {
                self.change_view(|reports, _| std::mem::swap(&mut reports.scope, &mut project));
                UndoStep::Project(project)
            }
            UndoStep::Sort(column, direction) => {
                let (old, was) = std::mem::replace(&mut self.reports.sort, (column, direction));
                self.load_if_needed();
                UndoStep::Sort(old, was)
            }
            UndoStep::Columns(columns) => UndoStep::Columns(self.reports.swap_columns(columns, &mut self.ctx)),
            UndoStep::View(name, line) => {
                let former = self.reports.swap_view(name.clone(), line, &mut self.ctx);
                UndoStep::View(name, former)
            }
            UndoStep::Triage { states, notes } => {
                let states = if states.is_empty() { states } else { self.swap_states(states) };
                let notes = if notes.is_empty() { notes } else { self.swap_notes(notes) };
                UndoStep::Triage { states, notes }
            }
            UndoStep::Holders(holders) => UndoStep::Holders(self.swap_holders(holders)),
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
