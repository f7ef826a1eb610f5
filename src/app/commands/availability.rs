//! Why an action is currently unavailable, for help, footer and key handling.

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::overlays::Overlay;
use crate::domain::desk::Role;
use crate::input::Action;

impl App {
    /// Returns why an action is currently unavailable; `None` if it is available.
    pub fn disabled_reason(&self, action: Action) -> Option<String> {
        let on_a_project = self.is_on_a_project();
        // Help and palette concern the panes or overlay below them.
        let about_panes = |overlay: &Overlay| matches!(overlay, Overlay::Help(_) | Overlay::Palette(_));
        let below = self.overlays.iter().rev().find(|overlay| !about_panes(overlay));
        let no_project = || "`All` is not a project: select one".to_owned();
        let write_reason = || self.write_action_reason(action).or_else(|| self.cached_rows_reason());
        let of_several = || write_reason().filter(|_| action.writes());
        if matches!(below, Some(Overlay::Causes(_))) && matches!(action, Action::RerunReport | Action::ToggleMark) {
            // These act on the reports of a line.
            return of_several();
        }
        let in_projects = on_a_project && self.overlays.iter().all(about_panes);
        let of_project = matches!(action, Action::EditReport | Action::RerunReport | Action::ToggleMark);
        if in_projects && of_project {
            // Does not check whether its reports are loaded: that is linear in the number of rows.
            return if self.projects.current().is_none() { Some(no_project()) } else { of_several() };
        }
        if in_projects && action.is_about_a_report() {
            // The report under the cursor of the other pane is not what the user is looking at.
            return Some(format!("This needs a report: {} goes to the list", self.ctx.key(Action::FocusReports)));
        }
        let of_either = matches!(action, Action::Delete | Action::FilterToValue | Action::ExcludeValue);
        let needs_a_report = action.is_about_a_report() || (of_either && !on_a_project);
        if needs_a_report && self.subject().is_none() {
            return Some("No report under the cursor".to_owned());
        }
        if action.marks() && on_a_project {
            return Some(format!("Only reports can be marked: {} goes there", self.ctx.key(Action::FocusReports)));
        }
        if action == Action::UnmarkAll && self.reports.selection.is_empty() {
            return Some("Nothing is marked".to_owned());
        }
        if action.marks() && self.reports.shown.is_empty() && !matches!(below, Some(Overlay::Changes(_))) {
            return Some("No report to mark".to_owned());
        }
        if matches!(action, Action::Assign | Action::Handover | Action::DeskCollisions) && self.desk.is_none() {
            return Some(
                "No shared desk: set `desk` in the profile, or connect to the team's `reportdeck serve`".to_owned(),
            );
        }
        if action == Action::Export && self.reports.shown.is_empty() {
            return Some("No report is shown: nothing to export".to_owned());
        }
        if of_either && on_a_project && self.projects.current().is_none() {
            return Some(no_project());
        }
        if action == Action::NewReport && self.jobs.create.is_some() {
            // Their lines are the draft of the form until they are reports.
            return Some("The pages of another form are still being audited".to_owned());
        }
        if action == Action::SwitchProfile
            && let Some(reason) = self.switch_disabled_reason()
        {
            return Some(reason);
        }
        // A service that failed to start can be retried.
        let starts_again = matches!(self.ctx.connection, Connection::Failed(_)) && action != Action::OpenReportPage;
        if action.asks()
            && !starts_again
            && let Some(reason) = self.ctx.unreachable_reason()
        {
            return Some(reason);
        }
        if action.writes() {
            let remembered = || self.cached_rows_reason().filter(|_| needs_a_report);
            if let Some(reason) = self.write_action_reason(action).or_else(remembered) {
                return Some(reason);
            }
            // The plan for marked reports skips those that are being updated.
            let is_about_marked = self.queue().is_none() && self.reports.has_visible_marks();
            if let Some(report) = self.subject().filter(|_| needs_a_report && !is_about_marked) {
                if self.pending_ids().any(|id| *id == report.id) {
                    let key = self.ctx.key(Action::Undo);
                    return Some(format!("This report is about to be deleted: {key} undoes it"));
                }
                if self.is_writing(&report.id) {
                    return Some("This report is already being updated".to_owned());
                }
            }
        }
        None
    }

    /// Returns why an action that writes is disabled, apart from what it is about.
    fn write_action_reason(&self, action: Action) -> Option<String> {
        let needed = if action == Action::RerunReport { Role::Triage } else { Role::Admin };
        self.role_reason(needed).or_else(|| self.write_disabled_reason())
    }

    /// Returns why the key may not write to the service, if it is one of ours. Other services do not tell.
    pub(crate) fn role_reason(&self, needed: Role) -> Option<String> {
        let role = self.desk.as_ref().filter(|desk| desk.is_own)?.role;
        let (own, needed_name) = (role.name(), needed.name());
        (role < needed).then(|| format!("This needs a key with the role {needed_name}; yours has the role {own}"))
    }

    /// Returns why writes are currently disabled.
    pub(crate) fn write_disabled_reason(&self) -> Option<String> {
        if self.ctx.read_only {
            return Some("This session is read-only".to_owned());
        }
        let offline = || {
            let failure = self.reports.failure.as_ref().filter(|_| self.reports.listing.from_memory)?;
            Some(format!("Cached rows are read-only: {failure}"))
        };
        self.ctx.unreachable_reason().or_else(offline)
    }
}
