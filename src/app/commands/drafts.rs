//! Drafts: typed text, stored until the service has accepted it. Never contains a password.

use jiff::SignedDuration;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::form::{Form, FormKind};
use crate::domain::draft::{Draft, DraftKey};

/// How long after a key the text of a form or note is stored, in case the program or the machine is killed.
const DRAFT_DELAY: SignedDuration = SignedDuration::from_secs(2);

impl App {
    /// Schedules storing the text that is being typed.
    pub(crate) fn schedule_draft(&mut self) {
        if !self.overlays.is_empty() && self.draft_due.is_none() {
            self.draft_due = self.ctx.now.saturating_add(DRAFT_DELAY).ok();
        }
    }

    /// Stores the draft of the open form or note.
    pub(crate) fn store_form_draft(&mut self) {
        if let Some(note) = self.overlays.iter().find_map(Overlay::note).cloned() {
            self.store_note_drafts(&note);
        }
        let Some(form) = self.form() else { return };
        let (key, draft) = (form.draft_key(), self.draft_to_store(form));
        match draft {
            Some(draft) => self.store_draft(draft),
            None => self.delete_draft(&key),
        }
    }

    /// Returns what was typed into a form; `None` also if it is about a deleted report, whose form never opens again.
    pub(crate) fn draft_to_store(&self, form: &Form) -> Option<Draft> {
        let is_deleted = matches!(&form.kind, FormKind::Edit { id, .. } if self.reports.deleted.contains(id));
        form.draft().filter(|_| !is_deleted)
    }

    /// Stores a draft in the state and the journal, replacing an earlier one.
    pub(crate) fn store_draft(&mut self, draft: Draft) {
        self.drafts.retain(|kept| kept.key != draft.key);
        self.drafts.push(draft.clone());
        self.ctx.effects.push(Effect::StoreDraft(draft));
    }

    /// Deletes the draft of a form from the state and the journal.
    pub(crate) fn delete_draft(&mut self, key: &DraftKey) {
        if self.drafts.iter().any(|kept| kept.key == *key) {
            self.drafts.retain(|kept| kept.key != *key);
            self.ctx.effects.push(Effect::DeleteDraft(key.clone()));
        }
    }

    /// Returns the stored draft of a form.
    pub(crate) fn draft(&self, key: &DraftKey) -> Option<&Draft> {
        self.drafts.iter().find(|draft| draft.key == *key)
    }

    /// Opens the form for a new report, prefilled from its draft.
    pub(crate) fn open_new_form(&mut self) {
        let form = Form::new_report(self.draft(&DraftKey::NewReport));
        self.overlays.push(Overlay::Form(Box::new(form)));
    }

    /// Opens the form that edits the current report, prefilled from its draft.
    pub(crate) fn open_edit_form(&mut self) {
        let Some(report) = self.current_report() else { return };
        let key = DraftKey::EditReport(report.id.raw().to_owned());
        let form = Form::edit(report, self.draft(&key));
        self.overlays.push(Overlay::Form(Box::new(form)));
    }
}
