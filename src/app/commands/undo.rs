//! Undo and redo. Selections, filters and sort orders are restored exactly. A privacy setting is restored by another
//! request if the earlier setting is known, those of a bulk run by another run; a replaced password cannot be restored.

use crate::app::App;
use crate::app::overlays::dialog::Question;
use crate::app::undo::{FormerHolder, FormerNote, FormerPrivacy, FormerState, RequestedStep, UndoDirection, UndoStep};
use crate::domain::desk::DeskActor;
use crate::domain::report::ReportId;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::numbers::counted;
use crate::domain::triage::NoteChange;
use crate::input::{Action, Context};

impl App {
    /// Undoes the last step, or tells that there is none.
    pub(crate) fn undo(&mut self) {
        if self.undo_deletion() || self.undo_run() {
            return;
        }
        if self.hides_step(UndoDirection::Undo) {
            return self.ctx.notify("Only a deletion that was not sent can be undone here");
        }
        self.take_step(UndoDirection::Undo, None);
    }

    /// Redoes the last undone step.
    pub(crate) fn redo(&mut self) {
        if self.hides_step(UndoDirection::Redo) {
            return self.ctx.notify("Nothing can be redone here");
        }
        self.take_step(UndoDirection::Redo, None);
    }

    /// Whether the screen shows nothing of what the next step would change. One that restores many reports shows a plan.
    fn hides_step(&self, direction: UndoDirection) -> bool {
        matches!(self.context(), Context::Run | Context::Menu | Context::Activity)
            && self.ctx.undo.planned_run(direction).is_none()
    }

    /// Undoes or redoes the next step. One that makes a report public is asked about first; `confirmed` is the URL in
    /// that question.
    pub(crate) fn take_step(&mut self, direction: UndoDirection, confirmed: Option<&str>) {
        self.ctx.undo.forget_deleted(|id| self.reports.deleted.contains(id));
        // A step about marks changes nothing if all of its reports were deleted or their marks were used up.
        let (steps, marked) = (self.ctx.undo.steps(direction), &self.reports.selection.ids);
        while steps.pop_if(|step| matches!(step, UndoStep::Selection(ids) if ids == marked)).is_some() {}
        let Some(step) = steps.last().cloned() else {
            return self.ctx.notify(match direction {
                UndoDirection::Undo => "Nothing to undo",
                UndoDirection::Redo => "Nothing to redo",
            });
        };
        if let UndoStep::PrivacyOfMany { items, privacy, .. } = step {
            return self.plan_restoring(items, privacy, direction);
        }
        if let Some(reason) = self.outdated_reason(&step) {
            // It would hide the steps below it.
            self.ctx.undo.steps(direction).pop();
            return self.ctx.notify(format!("{}: {reason}", direction.not_done()));
        }
        if let Some(reason) = self.undo_disabled_reason(&step) {
            return self.ctx.notify(reason);
        }
        let made_public = self.made_public_by(&step);
        if confirmed.is_some() && confirmed != made_public.as_deref() {
            // The reply to another change has arrived while the question was open.
            return self.ctx.notify(format!("{}: another change was saved meanwhile", direction.not_done()));
        }
        match made_public.filter(|_| confirmed.is_none()) {
            Some(url) => self.ask(Question::MakePublic { url, direction }),
            None => self.apply_undo_step(direction),
        }
    }

    fn apply_undo_step(&mut self, direction: UndoDirection) {
        let Some(mut step) = self.ctx.undo.steps(direction).pop() else { return };
        let changed_since = self.without_changes_of_others(&mut step);
        if step.is_empty() {
            return self.ctx.notify(format!("{}: {}", direction.not_done(), changed_since.unwrap_or_default()));
        }
        let restored = step.restored(&|id| self.name_of(id));
        let is_undone = direction == UndoDirection::Undo;
        let redoes = is_undone.then(|| format!("{} redoes", self.ctx.key(Action::Redo)));
        let parts: Vec<String> = [restored].into_iter().chain(changed_since).chain(redoes).collect();
        let notice = format!("{}: {}", if is_undone { "Undone" } else { "Redone" }, parts.join(" · "));
        if let UndoStep::Privacy(step) = step {
            return self.restore_privacy(RequestedStep { step, direction, notice });
        }
        self.ctx.notify(notice);
        if let UndoStep::Triage { states, .. } = &step
            && let [former] = states.as_slice()
            && is_undone
        {
            self.return_in_queue(&former.report);
        }
        let inverse = self.put_back(step);
        self.ctx.undo.steps(direction.reversed()).push(inverse);
    }

    /// Removes reports from a step whose state, note or holder was changed since by colleagues on the desk, or by another
    /// dashboard or a command on this machine, and describes those.
    fn without_changes_of_others(&self, step: &mut UndoStep) -> Option<String> {
        let desk = self.desk.as_ref();
        let mut changed_notes = Vec::new();
        let changed: Vec<ReportId> = match step {
            UndoStep::Triage { states, notes } => {
                changed_notes.extend(notes.extract_if(.., |former| self.is_note_changed_since(former)));
                let changed = states.extract_if(.., |former| self.is_changed_since(former));
                changed.map(|former| former.report).collect()
            }
            UndoStep::Holders(holders) => {
                let holder = |former: &FormerHolder| desk.and_then(|desk| desk.holder(&former.report));
                let changed = holders.extract_if(.., |former| holder(former) != former.replaced_by.as_ref());
                changed.map(|former| former.report).collect()
            }
            UndoStep::Selection(_)
            | UndoStep::Filter(_)
            | UndoStep::Project(_)
            | UndoStep::Sort(..)
            | UndoStep::Columns(_)
            | UndoStep::Together(_)
            | UndoStep::View(..)
            | UndoStep::Seen { .. }
            | UndoStep::Privacy(_)
            | UndoStep::PrivacyOfMany { .. } => return None,
        };
        let of_notes = match changed_notes.as_slice() {
            [] => None,
            [former] => Some(format!("the note about {} was changed since", self.name_of(&former.change.report))),
            many => Some(format!("the notes about {} were changed since", counted(many.len() as u64, "report"))),
        };
        let others = match (changed.as_slice(), desk) {
            ([], _) => None,
            ([id], Some(desk)) => {
                let actor = desk.changed_by_another(id).map_or("someone".into(), DeskActor::shown);
                Some(format!("{actor} changed {} since", self.name_of(id)))
            }
            ([id], None) => Some(format!("the state of {} was changed since", self.name_of(id))),
            (many, Some(_)) => Some(format!("colleagues changed {} since", counted(many.len() as u64, "report"))),
            (many, None) => Some(format!("the states of {} were changed since", counted(many.len() as u64, "report"))),
        };
        let parts: Vec<String> = others.into_iter().chain(of_notes).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// Whether a note was edited or deleted elsewhere since a step.
    fn is_note_changed_since(&self, former: &FormerNote) -> bool {
        let NoteChange { report, written_at, .. } = &former.change;
        let notes = self.triage.states.notes.of(report);
        let now = notes.iter().find(|note| note.written_at == *written_at);
        now.map(|note| &note.text) != former.replaced_by.as_ref().map(|note| &note.text)
    }

    /// Whether a report's state or holder was set since a step by someone else, even if undoing a later step has brought
    /// that state back. What an audit changed belongs to the step.
    fn is_changed_since(&self, former: &FormerState) -> bool {
        let triages = &self.triage.states.triages;
        let is_by_program = triages.get(&former.report).is_some_and(|triage| triage.reason.is_some());
        let is_another = triages.kind(&former.report) != former.replaced_by && !is_by_program;
        is_another || self.desk.as_ref().is_some_and(|desk| desk.changed_by_another(&former.report).is_some())
    }

    /// Returns the report that a step would make public. This is confirmed first, because the page may be read before
    /// it is undone.
    fn made_public_by(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(FormerPrivacy { report, privacy: Privacy::Public, .. }) = step else { return None };
        Some(self.reports.listing.row(report)?.short_url().to_owned())
    }

    /// Returns why a step that needs the service or the desk cannot be taken now; steps on this screen always can.
    fn undo_disabled_reason(&self, step: &UndoStep) -> Option<String> {
        if matches!(step, UndoStep::Triage { .. } | UndoStep::Holders(_)) {
            return self.triage_disabled_reason();
        }
        let UndoStep::Privacy(FormerPrivacy { report, .. }) = step else { return None };
        if self.reports.listing.row(report).is_none() {
            return Some(format!("Report {} is not loaded; its privacy cannot be restored now", report.shown()));
        }
        let busy = self.is_writing(report).then(|| "This report is already being updated".to_owned());
        self.write_disabled_reason().or(busy)
    }

    /// Returns why a privacy setting can never be restored: someone else has changed it, or the report is gone.
    fn outdated_reason(&self, step: &UndoStep) -> Option<String> {
        let UndoStep::Privacy(FormerPrivacy { report, replaced_by, .. }) = step else { return None };
        if let Some(reason) = self.reports.gone_reason(report) {
            return Some(format!("report {} {reason}", report.shown()));
        }
        let row = self.reports.listing.row(report)?;
        let is_changed = !self.is_writing(report) && row.privacy.is_some_and(|privacy| privacy != *replaced_by);
        is_changed.then(|| format!("the privacy of {} was changed since", row.brief_url()))
    }

    /// Restores a step that takes no request, and returns its inverse.
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
            UndoStep::Sort(sort) => {
                let former = std::mem::replace(&mut self.reports.sort, sort);
                self.load_if_needed();
                UndoStep::Sort(former)
            }
            UndoStep::Columns(columns) => UndoStep::Columns(self.reports.swap_columns(columns, &mut self.ctx)),
            UndoStep::Together(steps) => {
                UndoStep::Together(steps.into_iter().map(|step| self.put_back(step)).collect())
            }
            UndoStep::View(former) => UndoStep::View(self.reports.restore_view(former, &mut self.ctx)),
            UndoStep::Seen { until, replaced } => {
                self.see_until(until);
                UndoStep::Seen { until: replaced, replaced: until }
            }
            UndoStep::Triage { states, notes } => {
                let states = if states.is_empty() { states } else { self.swap_states(states) };
                let notes = if notes.is_empty() {
                    notes
                } else {
                    self.swap_notes(notes.into_iter().map(|former| former.change).collect())
                };
                UndoStep::Triage { states, notes }
            }
            UndoStep::Holders(holders) => {
                let former = holders.into_iter().map(|former| (former.report, former.holder)).collect();
                UndoStep::Holders(self.swap_holders(former))
            }
            // These take requests.
            step @ (UndoStep::Privacy(_) | UndoStep::PrivacyOfMany { .. }) => step,
        }
    }
}
