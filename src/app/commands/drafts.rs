//! Drafts: what is typed into a form and not sent, kept here and on this machine until the service has said yes.
//!
//! Passwords are never part of one. Must not know how a form is sent.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::form::Form;
use crate::domain::draft::Draft;

impl App {
    /// Keeps what is typed into the open form.
    pub(crate) fn keep_draft(&mut self) {
        let note = |overlay: &Overlay| if let Overlay::Note(note) = overlay { Some(note.clone()) } else { None };
        if let Some(note) = self.overlays.iter().find_map(note) {
            self.keep_note_draft(&note);
        }
        let Some(form) = self.form() else { return };
        let (name, draft) = (form.draft_name(), form.draft());
        match draft {
            Some(draft) => self.put_draft(draft),
            None => self.forget_draft(name),
        }
    }

    /// Keeps a draft, here and on disk, in the place of an older one.
    pub(crate) fn put_draft(&mut self, draft: Draft) {
        self.drafts.retain(|kept| kept.form != draft.form);
        self.drafts.push(draft.clone());
        self.ctx.effects.push(Effect::KeepDraft(draft));
    }

    /// Forgets the draft of a form, here and on disk.
    pub(crate) fn forget_draft(&mut self, name: String) {
        if self.drafts.iter().any(|kept| kept.form == name) {
            self.drafts.retain(|kept| kept.form != name);
            self.ctx.effects.push(Effect::ForgetDraft(name));
        }
    }

    /// Opens the form for a new report, with the draft that was kept.
    pub(crate) fn open_new_form(&mut self) {
        let draft = self.drafts.iter().find(|draft| draft.form == "new");
        let form = Form::new_report(draft);
        self.overlays.push(Overlay::Form(Box::new(form)));
    }

    /// Opens the form for a change of the current report.
    pub(crate) fn open_edit_form(&mut self) {
        let Some(report) = self.current_report() else { return };
        let mut form = Form::edit(report, None);
        if let Some(draft) = self.drafts.iter().find(|draft| draft.form == form.draft_name()) {
            form = Form::edit(report, Some(draft));
        }
        self.overlays.push(Overlay::Form(Box::new(form)));
    }
}
