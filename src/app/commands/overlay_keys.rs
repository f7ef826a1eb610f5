//! Keys inside overlays and the filter line: confirm, choose, type, go back.

use secrecy::SecretString;
use tui_input::InputRequest;

use crate::app::App;
use crate::app::commands::paste::{self, PasteResult};
use crate::app::effect::Effect;
use crate::app::frame_layout::Pane;
use crate::app::list_window::CursorMove;
use crate::app::overlays::dialog::Question;
use crate::app::overlays::form::secret_input::PasswordCopy;
use crate::app::overlays::form::{Form, FormField};
use crate::app::overlays::note::StateNote;
use crate::app::overlays::{MenuChoice, Overlay};
use crate::app::panes::reports::Reports;
use crate::app::panes::reports::listing::LoadState;
use crate::domain::list::view_line;
use crate::domain::report::WriteRequest;
use crate::input::{Action, Context};

impl App {
    /// Whether keys act on the list of reports: no overlay or text field is open, and the list has the focus.
    pub fn list_has_keys(&self) -> bool {
        self.context() == Context::Panes && self.screen.focus == Pane::Reports
    }

    /// Whether going one step back would clear the filter.
    pub fn back_clears_filter(&self) -> bool {
        self.overlays.is_empty()
            && self.screen.focus != Pane::Report
            && self.checks_text().is_none()
            && !self.is_sending_pages()
            && !matches!(self.reports.loading().load, LoadState::Asked(..) | LoadState::Waiting(..))
            && self.reports.selection.anchor_at.is_none()
            && self.reports.selection.is_empty()
            && !self.reports.filter_line.value().is_empty()
    }

    /// Goes one step back: closes an overlay or text field, leaves the report, stops loading, or clears the range, the
    /// marks or the filter. Never quits.
    pub(crate) fn back(&mut self) {
        match self.overlays.last() {
            None => self.back_in_panes(),
            Some(Overlay::Form(form)) => {
                // While it is being sent, the status line says so.
                if self.draft_to_store(form).is_some() && form.saving.is_none() {
                    self.ctx.notify("Draft saved");
                }
                self.store_form_draft();
                self.close_form();
            }
            Some(Overlay::Queue(_)) => self.close_queue(),
            Some(_) => match self.overlays.pop() {
                Some(Overlay::Note(note) | Overlay::StateNote(StateNote { note, .. })) => {
                    if self.store_note_drafts(&note) {
                        let again = self.ctx.key(Action::WriteNote);
                        self.ctx.notify(format!("Draft saved: {again} continues it"));
                    }
                }
                Some(Overlay::Search(search)) => self.go(CursorMove::To(search.from)),
                // The run may have taken rows out of the filter; they stayed while its list was open.
                Some(Overlay::Run(_)) => self.arrange(),
                Some(_) | None => {}
            },
        }
    }

    fn back_in_panes(&mut self) {
        if self.reports.typing {
            self.accept_filter();
        } else if self.screen.focus == Pane::Report {
            // Before what Esc does in the list, which goes on behind the report.
            if !std::mem::take(&mut self.screen.whole_screen) {
                self.screen.focus = Pane::Reports;
            }
        } else if self.stop_checks() {
            self.ctx.notify("Stopped fetching checks");
        } else if self.is_sending_pages() {
            self.stop_creation();
        } else if self.reports.stop_loading(&mut self.ctx) {
            self.ctx.notify("Stopped loading");
        } else if self.reports.drop_range() {
            self.ctx.notify("Range cancelled");
        } else if !self.reports.selection.is_empty() {
            self.reports.unmark_all(&mut self.ctx);
            self.ctx.notify(format!("Unmarked all · {} undoes", self.ctx.key(Action::Undo)));
        } else if !self.reports.filter_line.value().is_empty() {
            self.change_view(|reports, ctx| reports.set_filter("", ctx));
        } else {
            // Moving on to the projects pane would change the meaning of the next key.
            self.screen.whole_screen = false;
        }
    }

    /// Edits the text field that has the focus.
    pub(crate) fn edit_text(&mut self, request: InputRequest) {
        if request == InputRequest::GoToNextChar && self.take_completion() {
            return;
        }
        let Some((field, kind)) = self.text_field() else { return };
        if matches!(request, InputRequest::InsertChar(_)) && paste::is_full(field, kind) {
            return self.notify_paste(PasteResult::Refused, kind);
        }
        field.edit(request);
        // A moved cursor is no edit: a generated password can still be copied, and a list keeps its row.
        if self.overlays.is_empty() || !moves_cursor(request) {
            self.text_edited();
        }
    }

    /// Selects the next or previous completion of the term at the cursor.
    pub(crate) fn complete_filter(&mut self, forward: bool) {
        if self.reports.step_completion(forward) {
            self.filter_changed();
        }
    }

    /// Accepts the completion if the cursor is at the end of the filter line. Returns false otherwise.
    pub(crate) fn take_completion(&mut self) -> bool {
        let line = &self.reports.filter_line;
        let is_at_end = line.cursor() == line.value().chars().count();
        let is_taken = self.reports.typing && self.overlays.is_empty() && is_at_end && self.reports.take_completion();
        if is_taken {
            self.filter_changed();
        }
        is_taken
    }

    /// Applies the filter line.
    fn filter_changed(&mut self) {
        self.reports.filter_changed(&self.ctx);
        self.arrange();
    }

    /// Updates everything that depends on the edited text.
    pub(crate) fn text_edited(&mut self) {
        match self.overlays.last_mut() {
            Some(Overlay::Search(search)) => {
                let from = search.from;
                return self.go_to_match(from, true);
            }
            Some(overlay) => return overlay.text_edited(),
            None => {}
        }
        self.reports.assist.cycle = None;
        self.filter_changed();
    }

    pub(crate) fn with_form(&mut self, change: impl FnOnce(&mut Form)) {
        if let Some(Overlay::Form(form)) = self.overlays.last_mut() {
            change(form);
        }
    }

    pub(crate) fn choose_in_form(&mut self, forward: bool) {
        self.with_form(|form| {
            if form.saving.is_none() {
                form.choose(forward);
            }
        });
    }

    pub(crate) fn generate_password(&mut self) {
        let wanted = self.form().is_some_and(|form| form.focus == FormField::Password && form.saving.is_none());
        if wanted {
            self.ctx.effects.push(Effect::GeneratePassword);
        }
    }

    /// Copies a generated password, once, and hides it.
    pub(crate) fn copy_password(&mut self) {
        let generates = |what| self.ctx.form_hint(": ", Action::GeneratePassword, what);
        let (one, another) = (generates(" generates one"), generates(" generates another"));
        let Some(form) = self.form_mut() else { return };
        let notice = match form.password_copy {
            PasswordCopy::Typed => format!("Only a generated password can be copied{one}"),
            PasswordCopy::Copied => format!("Already copied{another}"),
            PasswordCopy::Generated => {
                form.password_copy = PasswordCopy::Copied;
                form.revealed = false;
                let password = SecretString::from(form.password.value());
                return self.ctx.effects.push(Effect::CopyPassword(password));
            }
        };
        self.ctx.notify(notice);
    }

    /// Activates the focused field or button.
    pub(crate) fn press(&mut self) {
        match self.overlays.last() {
            Some(Overlay::Form(form)) => match form.focus {
                FormField::Save => self.send_form(false),
                FormField::Cancel => self.back(),
                // Enter moves on; choices are changed with Space and the arrows.
                FormField::Url | FormField::Password | FormField::Privacy | FormField::Rerun => {
                    self.with_form(|form| form.step(true));
                }
            },
            Some(Overlay::Dialog(dialog)) if dialog.is_confirm_focused => self.confirm(),
            // Closing the dialog would look as if the deletion were confirmed.
            Some(Overlay::Dialog(dialog)) if !dialog.can_confirm() && !dialog.typed.value().is_empty() => {
                let back = self.ctx.key(Action::Back);
                self.ctx.notify(format!("The typed text differs from the one above: correct it, or {back} cancels"));
            }
            Some(Overlay::Dialog(_)) => self.back(),
            Some(Overlay::Key(_)) => self.use_typed_key(),
            Some(Overlay::Note(_)) => self.save_note(),
            Some(Overlay::StateNote(_)) => self.save_state_note(),
            Some(Overlay::ViewName(_)) => self.use_typed_view(),
            Some(Overlay::Search(_)) => drop(self.overlays.pop()),
            // Rows of lists are handled by `pick`.
            Some(_) | None => {}
        }
    }

    /// Saves the current view under the typed name, or shows a pasted view. A name that is too long and a view that cannot be
    /// read stay in the field.
    fn use_typed_view(&mut self) {
        let Some(Overlay::ViewName(field)) = self.overlays.last() else { return };
        let typed = field.value().trim().to_owned();
        let pasted = match view_line::is_view_line(&typed).then(|| view_line::read(&typed)).transpose() {
            Ok(pasted) => pasted,
            Err(why) => return self.ctx.notify(format!("! This view cannot be read: {why}")),
        };
        if pasted.is_none() && !typed.is_empty() && !self.reports.save_view(&typed, &mut self.ctx) {
            return;
        }
        self.overlays.pop();
        if let Some(view) = pasted {
            self.change_view(|reports, ctx| reports.show_pasted_view(&view, ctx));
        }
    }

    fn use_typed_key(&mut self) {
        let Some(Overlay::Key(field)) = self.overlays.pop() else { return };
        let key = field.value().trim();
        if key.is_empty() {
            return;
        }
        self.ctx.effects.push(Effect::UseKey(SecretString::from(key)));
        self.ctx.key_refusal = None;
        // Reports missing for one key may exist for another, and late replies to the old key no longer matter.
        self.reports.deleted.clear();
        self.ctx.notify("This key is used until you quit or switch the profile");
        self.refresh_all();
    }

    pub(crate) fn other_button(&mut self) {
        if let Some(Overlay::Dialog(dialog)) = self.overlays.last_mut() {
            dialog.is_confirm_focused = !dialog.is_confirm_focused && dialog.can_confirm();
        }
    }

    /// Confirms the dialog on top.
    pub(crate) fn confirm(&mut self) {
        let Some(Overlay::Dialog(dialog)) = self.overlays.last() else { return };
        if !dialog.can_confirm() {
            return;
        }
        let question = dialog.question.clone();
        self.overlays.pop();
        match question {
            Question::DeleteReport { id, .. } => {
                let name = self.name_of(&id);
                self.delete_later(WriteRequest::DeleteReport(id), name);
            }
            Question::DeleteProject { name, .. } => {
                let shown = name.shown().to_owned();
                self.delete_later(WriteRequest::DeleteProject(name), shown);
            }
            Question::SendPending(_) => self.send_pending_and_leave(),
            Question::RepeatWrite { write, .. } => self.write(write),
            Question::SecondReport(_) => self.send_form(true),
            Question::MakePublic { url, direction } => self.take_step(direction, Some(&url)),
            Question::Bulk { plan, direction, .. } => self.begin_run(*plan, direction),
            Question::ResumeRun(run) => self.resume_run(*run),
            Question::DiscardDraft => {
                if let Some(key) = self.form().map(Form::draft_key) {
                    self.delete_draft(&key);
                    self.close_form();
                    self.ctx.notify("Draft discarded");
                }
            }
        }
    }

    /// Runs or chooses the row under the cursor.
    pub(crate) fn pick(&mut self) {
        match self.overlays.last() {
            Some(Overlay::Changes(_)) => return self.open_changed(),
            Some(Overlay::Overview(_)) => return self.open_overview_line(),
            Some(Overlay::Causes(_)) => return self.open_cause(),
            Some(Overlay::History(_)) => return self.open_history_line(),
            Some(Overlay::Run(_)) => return self.open_run_item(),
            Some(Overlay::Help(_)) => return self.pick_help_entry(),
            Some(Overlay::Palette(_)) => return self.pick_command(),
            Some(_) | None => {}
        }
        self.change_columns(Reports::toggle_column);
        let picked = self.overlays.pop_if(|overlay| matches!(overlay, Overlay::Menu(_)));
        if let Some(Overlay::Menu(mut menu)) = picked
            && menu.cursor.at < menu.rows.len()
        {
            self.choose(menu.rows.swap_remove(menu.cursor.at).1);
        }
    }

    /// Performs the choice of a menu row.
    fn choose(&mut self, choice: MenuChoice) {
        match choice {
            MenuChoice::Sort(column) => self.sort_by(column),
            MenuChoice::Term(term) => self.add_term(&term),
            MenuChoice::Do(action) => self.act(action),
            MenuChoice::Bulk(operation, targets) => self.plan(operation, &targets),
            MenuChoice::Profile(profile) => self.switch_to(profile),
            MenuChoice::Nothing => {}
            MenuChoice::Assign(ids, holder) => self.assign(&ids, holder.as_ref()),
            MenuChoice::HandOver(ids, holder) => self.hand_over(ids, holder.as_ref()),
            MenuChoice::Resolve(changes, use_mine) => self.resolve_conflicts(&changes, use_mine),
            MenuChoice::Postpone(change) => self.postpone_conflict(change),
            MenuChoice::BulkPassword(targets) => self.open_password_form(targets),
            MenuChoice::Export(format, request) => self.export(format, request),
            MenuChoice::Message(request) => self.offer_message(&request),
            MenuChoice::SendMessage(target, request) => self.write_message(target, &request),
            MenuChoice::Copy(kind, request) => self.copy(kind, &request),
            MenuChoice::ShowRun => self.open_run(),
        }
    }
}

fn moves_cursor(request: InputRequest) -> bool {
    matches!(
        request,
        InputRequest::SetCursor(_)
            | InputRequest::GoToPrevChar
            | InputRequest::GoToNextChar
            | InputRequest::GoToPrevWord
            | InputRequest::GoToNextWord
            | InputRequest::GoToStart
            | InputRequest::GoToEnd
    )
}
