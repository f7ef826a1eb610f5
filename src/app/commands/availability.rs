//! Why an action is currently unavailable, for help, footer and key handling.

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::desk::state::DeskAbsence;
use crate::app::frame_layout::Pane;
use crate::app::jobs::state::BulkJob;
use crate::app::overlays::Overlay;
use crate::app::overlays::form::{Form, FormField};
use crate::domain::desk::Role;
use crate::input::Action;

impl App {
    /// Returns why an action is currently unavailable; `None` if it is available.
    pub fn disabled_reason(&self, action: Action) -> Option<String> {
        // Help and palette concern the panes or overlay below them.
        let about_panes = |overlay: &Overlay| matches!(overlay, Overlay::Help(_) | Overlay::Palette(_));
        let below = self.overlays.iter().rev().find(|overlay| !about_panes(overlay));
        let of_several = || {
            let reason = self.write_action_reason(action).or_else(|| self.cached_rows_reason());
            reason.filter(|_| action.writes())
        };
        if matches!(below, Some(Overlay::Causes(_))) && matches!(action, Action::RerunReport | Action::ToggleMark) {
            // These act on the reports of a line.
            return of_several();
        }
        let on_a_project = self.is_on_a_project();
        let in_projects = on_a_project && below.is_none();
        if in_projects && matches!(action, Action::EditReport | Action::RerunReport | Action::ToggleMark) {
            // Does not check whether its reports are loaded: that is linear in the number of rows.
            return if self.projects.current().is_none() { Some(no_project()) } else { of_several() };
        }
        if in_projects && action.is_about_a_report() {
            // The report under the cursor of the other pane is not what the user is looking at.
            return Some(format!("This needs a report: {} goes to the list", self.ctx.key(Action::FocusReports)));
        }
        let needs_a_report = action.is_about_a_report() || (is_of_either(action) && !on_a_project);
        if needs_a_report && self.subject().is_none() {
            return Some("No report under the cursor".to_owned());
        }
        if action.marks()
            && self.reports.shown.is_empty()
            && !on_a_project
            && !matches!(below, Some(Overlay::Changes(_)))
        {
            return Some("No report to mark".to_owned());
        }
        self.nothing_to_act_on(action, on_a_project).or_else(|| self.request_reason(action, needs_a_report))
    }

    /// Returns why there is nothing that an action could act on, apart from a missing report.
    fn nothing_to_act_on(&self, action: Action, on_a_project: bool) -> Option<String> {
        if action.marks() && on_a_project {
            return Some(format!("Only reports can be marked: {} goes there", self.ctx.key(Action::FocusReports)));
        }
        if action == Action::UnmarkAll && self.reports.selection.is_empty() {
            return Some("Nothing is marked".to_owned());
        }
        if matches!(action, Action::Assign | Action::Handover | Action::DeskCollisions) && self.desk.is_none() {
            return Some(match self.desk_absence {
                DeskAbsence::None => {
                    "No shared desk: set `desk` in the profile, or connect to the team's `reportdeck serve`".to_owned()
                }
                DeskAbsence::Unusable => {
                    format!("The desk is not in use: {} tries again", self.ctx.key(Action::RefreshAll))
                }
                DeskAbsence::Unannounced | DeskAbsence::Announced => {
                    "No desk has responded: it is asked again soon".to_owned()
                }
            });
        }
        if action == Action::PreviousInQueue && self.queue().is_some_and(|queue| queue.at == 0) {
            return Some("This is the first report of the queue".to_owned());
        }
        if action == Action::RetryFailed && self.jobs.bulk.as_ref().is_some_and(BulkJob::is_active) {
            return Some("The run is not finished: what failed can be retried then".to_owned());
        }
        if matches!(action, Action::PauseRun | Action::CancelRun) && self.jobs.active_run().is_none() {
            return Some("The run has ended".to_owned());
        }
        if action == Action::DiscardDraft && self.form().is_some_and(Form::is_untouched) {
            return Some("Nothing was typed into this form".to_owned());
        }
        if action == Action::Open && self.screen.focus == Pane::Report && self.overlays.is_empty() {
            let text = if self.subject().is_some() { "The report is open" } else { "No report under the cursor" };
            return Some(text.to_owned());
        }
        let needs_password = matches!(action, Action::GeneratePassword | Action::RevealPassword);
        if needs_password && self.form().is_some_and(|form| form.focus != FormField::Password) {
            return Some("This needs the password field".to_owned());
        }
        if action == Action::Export && self.reports.shown.is_empty() {
            return Some("No report is shown: nothing to export".to_owned());
        }
        if is_of_either(action) && on_a_project && self.projects.current().is_none() {
            return Some(no_project());
        }
        if action == Action::NewReport && self.jobs.create.is_some() {
            // Their lines are the draft of the form until they are reports.
            return Some("The pages of another form are still being audited".to_owned());
        }
        let is_embedded = matches!(&self.ctx.connection, Connection::Ready(service) if service.directory.is_some());
        if action == Action::EnterKey && is_embedded {
            return Some("The embedded service needs no key".to_owned());
        }
        if action == Action::SwitchProfile { self.switch_disabled_reason() } else { None }
    }

    /// Returns why the request or decision of an action cannot be sent now.
    fn request_reason(&self, action: Action, needs_a_report: bool) -> Option<String> {
        // A service that failed to start can be retried.
        let starts_again = matches!(self.ctx.connection, Connection::Failed(_)) && action != Action::OpenReportPage;
        if action.asks() && !starts_again {
            return self.ctx.unreachable_reason();
        }
        if action.decides() {
            return self.triage_disabled_reason();
        }
        if !action.writes() {
            return None;
        }
        let cached = || self.cached_rows_reason().filter(|_| needs_a_report);
        if let Some(reason) = self.write_action_reason(action).or_else(cached) {
            return Some(reason);
        }
        // The plan for marked reports skips those that are being updated.
        let is_about_marked = self.queue().is_none() && self.reports.has_visible_marks();
        let report = self.subject().filter(|_| needs_a_report && !is_about_marked)?;
        if self.pending_ids().any(|id| *id == report.id) {
            let key = self.ctx.key(Action::Undo);
            return Some(format!("This report is about to be deleted: {key} undoes it"));
        }
        self.is_writing(&report.id).then(|| "This report is already being updated".to_owned())
    }

    /// Returns why an action that writes is disabled, apart from what it is about.
    fn write_action_reason(&self, action: Action) -> Option<String> {
        let needed = if action == Action::RerunReport { Role::Triage } else { Role::Admin };
        self.role_reason(needed).or_else(|| self.write_disabled_reason())
    }

    /// Returns why the key may not write to the service, if it is one of ours. Other services do not tell.
    pub(crate) fn role_reason(&self, needed: Role) -> Option<String> {
        self.desk.as_ref().filter(|desk| desk.is_own)?.role_reason(needed)
    }

    /// Returns why writes are currently disabled.
    pub(crate) fn write_disabled_reason(&self) -> Option<String> {
        if self.ctx.read_only {
            return Some("This session is read-only".to_owned());
        }
        let offline = || {
            let failure = self.reports.failure.as_ref().filter(|_| self.reports.listing.is_cached)?;
            Some(format!("Cached rows are read-only: {failure}"))
        };
        self.ctx.unreachable_reason().or_else(offline)
    }
}

/// Whether an action applies to a project in the projects pane, and to a report elsewhere.
fn is_of_either(action: Action) -> bool {
    matches!(action, Action::Delete | Action::FilterToValue | Action::ExcludeValue)
}

fn no_project() -> String {
    "`All` is not a project: select one".to_owned()
}
