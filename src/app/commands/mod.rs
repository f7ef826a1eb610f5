//! Commands: whether an action is available, and what it does.

mod availability;
mod drafts;
mod help_and_palette;
mod mouse;
mod overlay_keys;
mod overlay_stack;
mod paste;
mod perform;
mod search;
mod undo;

use std::sync::Arc;

use crate::app::App;
use crate::app::ctx::{Connection, Ctx};
use crate::app::effect::Effect;
use crate::app::frame_layout::{HitTarget, Pane};
use crate::app::list_window::CursorMove;
use crate::app::overlays::dialog::{Dialog, Question};
use crate::app::overlays::{ListCursor, MenuChoice, Overlay};
use crate::app::panes::reports::Reports;
use crate::domain::bulk::{BulkOperation, BulkTargets};
use crate::domain::list::cached_rows::SavedView;
use crate::domain::list::columns::{COLUMNS, Column, ColumnEntry};
use crate::domain::list::filter;
use crate::domain::look::Times;
use crate::domain::report::{ReportChange, WriteRequest, short_url};
use crate::domain::text::numbers::counted;
use crate::domain::text::width;
use crate::input::{Action, Context};

/// Cells per step when a wide URL is scrolled sideways.
const SIDEWAYS: usize = 8;

impl App {
    /// Performs an action, or shows a notice why it is unavailable.
    pub(crate) fn act(&mut self, action: Action) {
        if action == Action::Quit {
            self.ctx.notice = None;
        } else if action == Action::ToggleMouse {
            // A notice may contain the text to be selected.
            self.session.quitting = false;
            self.ctx.renew_notice();
        } else {
            self.begin_command();
        }
        if let Some(reason) = self.disabled_reason(action) {
            return self.ctx.notify(reason);
        }
        self.perform(action);
    }

    /// Every command but quitting ends the wait for a second one, and the last notice.
    fn begin_command(&mut self) {
        self.ctx.notice = None;
        self.session.quitting = false;
    }

    pub(crate) fn go(&mut self, movement: CursorMove) {
        let fit = self.ctx.layout.overlay;
        if let (CursorMove::By(rows), Some(Overlay::Search(_))) = (movement, self.overlays.last()) {
            return self.step_match(rows > 0);
        }
        if let Some((cursor, count)) = self.list_on_top() {
            return cursor.go(movement, count, fit);
        }
        let pane = match self.overlays.last_mut() {
            None => self.screen.focus,
            Some(Overlay::Queue(_)) => Pane::Report,
            Some(Overlay::Dialog(dialog)) => return dialog.scroll(movement, fit),
            Some(_) => return,
        };
        let layout = &self.ctx.layout;
        match pane {
            Pane::Projects => self.projects.go(movement, layout.projects),
            Pane::Reports => self.reports.go(movement, layout.reports),
            Pane::Report => self.report.window.scroll(movement, layout.report_lines, layout.report),
        }
    }

    /// In the table, wide URLs are scrolled first; at their left end, the focus moves to the pane on the left.
    pub(crate) fn go_sideways(&mut self, right: bool) {
        let in_reports = self.screen.focus == Pane::Reports;
        if in_reports && !right && self.reports.sideways > 0 {
            self.reports.sideways = self.reports.sideways.saturating_sub(SIDEWAYS);
            return;
        }
        if in_reports && right && self.widest_url_is_cut() {
            self.reports.sideways += SIDEWAYS;
            return;
        }
        let panes = [Pane::Projects, Pane::Reports, Pane::Report];
        let at = panes.iter().position(|pane| *pane == self.screen.focus).unwrap_or(0);
        let next = if right { at + 1 } else { at.wrapping_sub(1) };
        if let Some(pane) = panes.get(next) {
            self.screen.focus_on(*pane);
        }
    }

    /// Whether a visible URL is cut, so that scrolling sideways would show more of it.
    fn widest_url_is_cut(&self) -> bool {
        let url = HitTarget::Heading(Column::Url);
        let heading = self.ctx.layout.hit_targets.iter().find(|(_, spot)| *spot == url);
        let Some(room) = heading.map(|(area, _)| usize::from(area.width)).filter(|room| *room > 0) else {
            return false;
        };
        let top = self.reports.window.top;
        (top..top + self.ctx.layout.reports)
            .filter_map(|at| self.reports.shown_row(at))
            .any(|row| width(self.reports.shown_url(row)) > room + self.reports.sideways)
    }

    /// The notice says what a narrow window does not show.
    pub(crate) fn toggle_report_pane(&mut self) {
        self.screen.toggle_report_pane();
        let state = if self.screen.report_pane { "on, in windows wide enough for three panes" } else { "off" };
        self.ctx.notify(format!("Report pane {state}"));
    }

    pub(crate) fn toggle_times(&mut self) {
        let (times, notice) = match self.screen.times {
            Times::Exact => (Times::Relative, "Relative times"),
            Times::Relative => (Times::Exact, "Exact times"),
        };
        self.screen.times = times;
        self.ctx.notify(notice);
    }

    pub(crate) fn start_filter(&mut self) {
        self.screen.focus = Pane::Reports;
        self.reports.start_filter();
    }

    /// Ends editing the filter line, in the rows: the wheel may have focused another pane.
    pub(crate) fn accept_filter(&mut self) {
        self.screen.focus = Pane::Reports;
        self.change_view(Reports::accept_filter);
    }

    pub(crate) fn add_term(&mut self, term: &str) {
        self.change_view(|reports, ctx| reports.add_term(term, ctx));
    }

    pub(crate) fn sort_by(&mut self, column: Column) {
        self.change_view(|reports, ctx| reports.sort_by(column, ctx));
    }

    pub(crate) fn show_view(&mut self, view: &SavedView) {
        self.change_view(|reports, ctx| reports.show_view(view, ctx));
    }

    /// Replaces the filter and shows the list.
    pub(crate) fn show_filtered(&mut self, text: &str) {
        self.screen.focus_on(Pane::Reports);
        self.change_view(|reports, ctx| reports.set_filter(text, ctx));
    }

    /// Changes project, filter, order or view, and loads the rows needed; the projects pane follows another project.
    pub(crate) fn change_view(&mut self, change: impl FnOnce(&mut Reports, &mut Ctx)) {
        let before = self.reports.scope.clone();
        let earlier = std::mem::take(&mut self.ctx.undo.done);
        change(&mut self.reports, &mut self.ctx);
        self.ctx.undo.join(earlier);
        if self.reports.scope != before {
            self.projects.select(self.reports.scope.as_ref(), self.ctx.layout.projects);
        }
        self.load_if_needed();
    }

    /// Restricts the list to the project under the cursor, or to none.
    pub(crate) fn open_project(&mut self) {
        self.reports.scope.clone_from(&self.projects.cursor);
        self.load_if_needed();
    }

    /// Changes the columns according to the row under the cursor of their overlay.
    pub(crate) fn change_columns(&mut self, change: impl FnOnce(&mut Reports, &mut ListCursor, &mut Ctx)) {
        if let Some(Overlay::Columns(cursor)) = self.overlays.last_mut() {
            change(&mut self.reports, cursor, &mut self.ctx);
        }
    }

    pub(crate) fn open(&mut self) {
        match self.screen.focus {
            Pane::Projects => {
                self.open_project();
                self.screen.focus_on(Pane::Reports);
            }
            Pane::Reports => self.open_report(),
            Pane::Report => {}
        }
    }

    pub(crate) fn open_report(&mut self) {
        self.screen.focus_on(Pane::Report);
        self.reports.is_chosen = true;
        self.follow_cursor();
        self.report.is_opened = true;
        if self.report.fetch_at.is_some() || self.report.whole.failure.is_some() {
            self.report.fetch(&mut self.ctx);
        }
    }

    pub(crate) fn refresh_focused(&mut self) {
        if matches!(self.ctx.connection, Connection::Failed(_)) {
            return self.connect_again();
        }
        self.read_stored();
        if !self.overlays.is_empty() {
            return self.reports.refresh(&self.projects, &mut self.ctx);
        }
        // The error of the projects is shown whatever the pane.
        if self.screen.focus == Pane::Projects || self.projects.list.failure.is_some() {
            self.projects.load(&mut self.ctx);
        }
        match self.screen.focus {
            Pane::Projects => {}
            Pane::Reports => self.reports.refresh(&self.projects, &mut self.ctx),
            Pane::Report => {
                self.report.is_opened = true;
                self.report.fetch(&mut self.ctx);
            }
        }
    }

    /// Reads states, notes, views and the log again, which a command or another dashboard may have changed, and a report
    /// that could not be read.
    fn read_stored(&mut self) {
        self.report.drop_failed();
        if std::mem::take(&mut self.ctx.is_journal_unreadable) {
            self.ctx.effects.push(Effect::ReadJournal);
        }
        self.read_states();
        self.reports.read_views(&mut self.ctx);
        self.log.is_read = false;
        self.report.knows_events = false;
    }

    pub(crate) fn refresh_all(&mut self) {
        // Another key may be stored since the service or the desk rejected this one.
        let is_refused = self.ctx.key_refusal.is_some() || self.is_refused_by_desk();
        if is_refused || matches!(self.ctx.connection, Connection::Failed(_)) {
            return self.connect_again();
        }
        self.read_stored();
        self.reports.reload(&self.projects, &mut self.ctx);
        self.projects.load(&mut self.ctx);
        if let Some(id) = self.report.id.clone() {
            self.report.forget(&id);
            if !self.report.whole.is_idle() {
                self.report.fetch(&mut self.ctx);
            }
        }
    }

    pub(crate) fn offer_columns(&mut self) {
        let (column, direction) = self.reports.sort;
        let is_complete = self.reports.listing.is_complete();
        let row = |entry: &ColumnEntry| {
            let here = if entry.service_sort.is_none() && !is_complete { " (loaded rows only)" } else { "" };
            let now = if entry.column == column {
                format!(" {}, {}", direction.arrow(), entry.column.order_text(direction))
            } else {
                String::new()
            };
            (format!("{}{now}{here}", entry.column.sort_name()), MenuChoice::Sort(entry.column))
        };
        let rows: Vec<_> = COLUMNS.iter().map(row).collect();
        let at = COLUMNS.iter().position(|entry| entry.column == column).unwrap_or(0);
        self.open_menu("Sort by", rows, at);
    }

    /// Offers the values under the cursor as filter terms. In the projects pane the name is the only value and is used
    /// directly.
    pub(crate) fn offer_terms(&mut self, exclude: bool) {
        let sign = if exclude { "!" } else { "" };
        if self.is_on_a_project() {
            if let Some(project) = self.projects.current() {
                let term = format!("{sign}project:{}", filter::quoted(project.name.raw()));
                self.add_term(&term);
            }
            return;
        }
        let Some(report) = self.subject() else { return };
        // Quoted, so that a service's own word is not taken for a mistyped known one.
        let result = report.outcome.name();
        let result = if report.outcome.is_known() { result.to_owned() } else { filter::quoted(result) };
        let mut terms = vec![format!("result:{result}")];
        terms.push(format!("project:{}", filter::quoted(report.project.raw())));
        terms.extend(report.privacy.map(|privacy| format!("privacy:{}", privacy.name())));
        terms.extend(folder(short_url(report.url.raw())).map(|folder| format!("url:{}", filter::quoted(folder))));
        // Quoted, because the id of one check may contain that of another.
        terms.extend(report.failed.iter().map(|check| format!("check:{}", filter::quoted(check))));
        let terms = terms.into_iter().map(|term| format!("{sign}{term}"));
        let rows = terms.map(|term| (term.clone(), MenuChoice::Term(term))).collect();
        let title = if exclude { "Exclude rows with" } else { "Keep only rows with" };
        self.open_menu(title, rows, 0);
    }

    pub(crate) fn rerun(&mut self) {
        let Some(targets) = self.loaded_targets() else { return };
        if !targets.ids.is_empty() || self.context() == Context::Causes {
            return self.plan(BulkOperation::Rerun, &targets);
        }
        if let Some(report) = self.subject() {
            let id = report.id.clone();
            self.write(WriteRequest::Update(id, ReportChange::rerun()));
        }
    }

    /// Returns the targets of bulk actions. If no report of the project under the cursor is loaded, notifies so, and
    /// returns `None`.
    fn loaded_targets(&mut self) -> Option<BulkTargets> {
        let targets = self.bulk_targets();
        let is_unloaded = targets.ids.is_empty() && targets.about.is_some() && self.context() != Context::Causes;
        let Some(current) = self.projects.current().filter(|_| is_unloaded) else { return Some(targets) };
        let text = format!("No report of {} is loaded: {} loads them", current.name, self.ctx.key(Action::Open));
        self.ctx.notify(text);
        None
    }

    /// Opens the form for the marked reports or those of the project, or else for the report under the cursor.
    pub(crate) fn edit(&mut self) {
        let Some(targets) = self.loaded_targets() else { return };
        if targets.ids.is_empty() { self.open_edit_form() } else { self.open_many_form(Arc::new(targets), None) }
    }

    /// Toggles the mark of the report under the cursor, or of the project's loaded reports in the projects pane.
    pub(crate) fn toggle_mark(&mut self) {
        if !self.is_on_a_project() {
            return self.reports.toggle_mark(&mut self.ctx);
        }
        let Some(BulkTargets { ids, about }) = self.loaded_targets() else { return };
        let marked = self.reports.toggle_marks(ids, &mut self.ctx);
        let about = about.unwrap_or_default();
        let all = counted(self.reports.selection.ids.len() as u64, "report");
        let word = if marked { "Marked" } else { "Unmarked" };
        self.ctx.notify(format!("{word} {about} · {all} marked"));
    }

    pub(crate) fn ask_to_delete(&mut self) {
        let question = if self.is_on_a_project() {
            let project = self.projects.current();
            project.map(|project| Question::DeleteProject { name: project.name.clone(), reports: project.reports })
        } else if !self.targets().is_empty() {
            return self.plan(BulkOperation::Delete, &self.bulk_targets());
        } else {
            self.subject()
                .map(|report| Question::DeleteReport { id: report.id.clone(), url: report.url.shown().to_owned() })
        };
        if let Some(question) = question {
            self.ask(question);
        }
    }

    pub(crate) fn ask(&mut self, question: Question) {
        self.overlays.push(Overlay::Dialog(Box::new(Dialog::new(question))));
    }

    /// Asks once the user is neither typing nor answering another question: a key meant for those must not confirm this
    /// one.
    pub(crate) fn ask_after_typing(&mut self, question: Question) {
        self.jobs.questions.push_back(question);
        self.ask_waiting_question();
    }

    pub(crate) fn ask_waiting_question(&mut self) {
        let is_waited_for = self.context().takes_text() || self.context() == Context::Dialog;
        if !is_waited_for && let Some(question) = self.jobs.questions.pop_front() {
            self.ask(question);
        }
    }

    pub(crate) fn open_web_page(&mut self) {
        let Some(report) = self.subject() else { return };
        match report.web_url() {
            Some(url) => self.ctx.effects.push(Effect::OpenWebPage(url)),
            None => self.ctx.notify("Not a URL that a browser can open"),
        }
    }

    pub(crate) fn open_report_page(&mut self) {
        let Some(report) = self.subject() else { return };
        let id = report.id.clone();
        self.ctx.notify("Requesting the report page …");
        self.ctx.effects.push(Effect::OpenReportPage(id));
    }
}

/// Returns the URL up to its last slash, if it has a folder.
fn folder(url: &str) -> Option<&str> {
    let path = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
    let (folder, _) = path.rsplit_once('/')?;
    Some(&url[..=folder.len()])
}
