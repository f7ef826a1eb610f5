//! Mouse clicks, drags and the wheel. A click acts like a key on the hit target.

use jiff::SignedDuration;
use tui_input::InputRequest;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::frame_layout::{Area, HitTarget, Pane};
use crate::app::list_window::CursorMove;
use crate::app::overlays::Overlay;
use crate::app::overlays::form::FormField;
use crate::app::panes::reports::Reports;
use crate::app::screen::Click;
use crate::domain::list::columns::Column;
use crate::input::{Action, Context, Mouse, MouseKind};

/// The maximum time between the two clicks of a double click on one cell.
const DOUBLE_CLICK: SignedDuration = SignedDuration::from_millis(400);
/// Rows per notch of the wheel.
const NOTCH: isize = 3;

impl App {
    pub(crate) fn on_mouse(&mut self, mouse: Mouse) {
        match mouse.kind {
            MouseKind::WheelDown => self.wheel(mouse, NOTCH),
            MouseKind::WheelUp => self.wheel(mouse, -NOTCH),
            MouseKind::Click => self.click(mouse),
            MouseKind::Drag => self.drag(mouse),
            MouseKind::Release => {
                if let Some(column) = self.screen.mouse.heading.take() {
                    self.let_go_of_heading(column, mouse);
                }
                self.release();
            }
        }
    }

    /// Releases the mouse to the terminal, for its own text selection, or captures it again.
    pub(crate) fn toggle_mouse(&mut self) {
        self.screen.mouse_released = !self.screen.mouse_released;
        self.release();
        self.ctx.effects.push(Effect::CaptureMouse(!self.screen.mouse_released));
    }

    /// Extends a range of marks from the clicked row to the line of the mouse, also beside the rows. Above and below them
    /// the list scrolls.
    fn drag(&mut self, mouse: Mouse) {
        if let Some((area, pane)) = self.screen.mouse.scrolling {
            return self.scroll_to(pane, mouse.row.saturating_sub(area.row).min(area.height - 1), area.height);
        }
        let rows = |(_, target): &&(Area, HitTarget)| *target == HitTarget::Rows(Pane::Reports);
        let Some((area, _)) = self.ctx.layout.hit_targets.iter().find(rows) else { return };
        if !self.screen.mouse.on_row || self.context() != Context::Panes {
            return;
        }
        let line = (i32::from(mouse.row) - i32::from(area.row)).clamp(-1, i32::from(area.height));
        let last = self.reports.shown.len().saturating_sub(1);
        let at = self.reports.window.top.saturating_add_signed(line as isize).min(last);
        if at == self.reports.at && !self.reports.selection.draws_range() {
            return;
        }
        self.screen.mouse.dragging = true;
        self.reports.begin_range();
        self.reports.put_cursor(at, self.ctx.layout.reports);
    }

    /// Scrolls to the position of a scroll bar line.
    fn scroll_to(&mut self, pane: Option<Pane>, line: u16, lines: u16) {
        let share = |count: usize| usize::from(line) * count.saturating_sub(1) / usize::from(lines - 1).max(1);
        let layout = &self.ctx.layout;
        match pane {
            Some(Pane::Projects) => self.projects.put_cursor(share(self.projects.rows().len() + 1), layout.projects),
            Some(Pane::Reports) => self.reports.put_cursor(share(self.reports.shown.len()), layout.reports),
            Some(Pane::Report) => {
                let last_top = layout.report_lines.saturating_sub(layout.report);
                let movement = CursorMove::To(share(last_top + 1));
                self.report.window.scroll(movement, layout.report_lines, layout.report);
            }
            None if let Some(Overlay::Help(help)) = self.overlays.last_mut() => {
                let at = &mut help.cursor.at;
                *at = layout.help_lines.get(share(layout.help_lines.len())).copied().unwrap_or(*at);
            }
            None if let Some(Overlay::Dialog(dialog)) = self.overlays.last_mut() => {
                let last_top = dialog.row_count().saturating_sub(layout.overlay);
                dialog.scroll(CursorMove::To(share(last_top + 1)), layout.overlay);
            }
            None => {
                let count = self.list_on_top().map(|(_, count)| count);
                if let Some(count) = count {
                    self.go(CursorMove::To(share(count)));
                }
            }
        }
    }

    fn let_go_of_heading(&mut self, column: Column, mouse: Mouse) {
        match self.ctx.layout.hit_target(mouse.column, mouse.row) {
            Some((_, HitTarget::Heading(onto))) if onto == column => self.sort_by(column),
            Some((_, HitTarget::Heading(onto))) => self.reports.drop_column(column, onto, &mut self.ctx),
            Some(_) | None => {}
        }
    }

    fn release(&mut self) {
        self.screen.mouse.heading = None;
        self.screen.mouse.scrolling = None;
        if std::mem::take(&mut self.screen.mouse.dragging) {
            self.reports.end_range(&mut self.ctx);
        }
    }

    fn wheel(&mut self, mouse: Mouse, rows: isize) {
        if self.overlays.is_empty()
            && let Some((_, HitTarget::Rows(pane))) = self.ctx.layout.hit_target(mouse.column, mouse.row)
        {
            self.screen.focus_on(pane);
        }
        let fit = self.ctx.layout.overlay;
        if let Some(Overlay::Search(_)) = self.overlays.last()
            && let Some((cursor, count)) = self.list_on_top()
        {
            // The keys go from hit to hit.
            return cursor.go(CursorMove::By(rows), count, fit);
        }
        for _ in 0..rows.unsigned_abs() {
            self.act(if rows > 0 { Action::MoveDown } else { Action::MoveUp });
        }
    }

    fn click(&mut self, mouse: Mouse) {
        self.screen.mouse.on_row = false;
        let hit = self.ctx.layout.hit_target(mouse.column, mouse.row);
        let click = Click {
            cell: (mouse.column, mouse.row),
            target: hit.map(|(_, spot)| spot),
            overlay: self.overlays.last().map(std::mem::discriminant),
        };
        let is_near = |at| self.ctx.now.duration_since(at) <= DOUBLE_CLICK;
        let first = self.screen.mouse.last_click.take();
        let first = first.filter(|(first, at)| first.cell == click.cell && is_near(*at));
        if first.is_some_and(|(first, _)| first != click) {
            // The first click opened or closed what is there now.
            return;
        }
        let double = first.is_some();
        if !double {
            self.screen.mouse.last_click = Some((click, self.ctx.now));
        }
        let Some((area, spot)) = hit else { return };
        // The action of a hint begins a command itself.
        if !matches!(spot, HitTarget::Hint(_)) {
            self.begin_command();
        }
        let line = usize::from(mouse.row - area.row);
        let is_row = self.reports.window.top + line < self.reports.shown.len();
        self.screen.mouse.on_row = spot == HitTarget::Rows(Pane::Reports) && is_row;
        match spot {
            HitTarget::Rows(pane) if self.context() == Context::Panes || self.context() == Context::FilterLine => {
                self.click_row(pane, line, double);
            }
            // Decided on release: on the same heading it sorts, on another it moves the column.
            HitTarget::Heading(column) if self.overlays.is_empty() => self.screen.mouse.heading = Some(column),
            HitTarget::Hint(action) => self.act(action),
            HitTarget::OverlayLine(line) => self.click_line(line),
            HitTarget::Field(place) => self.click_field(place),
            HitTarget::PrivacyChoice(privacy) => self.with_form(|form| form.choose_privacy(privacy)),
            HitTarget::Button(confirms) => self.click_button(confirms),
            HitTarget::Text => {
                let place = self.ctx.layout.text_cells.get(usize::from(mouse.column - area.column));
                // Behind the text, the cursor goes to its end.
                self.edit_text(place.map_or(InputRequest::GoToEnd, |place| InputRequest::SetCursor(*place)));
            }
            HitTarget::ScrollBar(pane) => {
                self.screen.mouse.last_click = None;
                // The queue shows the report pane, and has the focus itself.
                if let Some(pane) = pane.filter(|_| self.overlays.is_empty()) {
                    self.screen.focus_on(pane);
                }
                self.screen.mouse.scrolling = Some((area, pane));
                self.scroll_to(pane, mouse.row - area.row, area.height);
            }
            HitTarget::Rows(_) | HitTarget::Heading(_) => {}
        }
    }

    fn click_row(&mut self, pane: Pane, line: usize, double: bool) {
        if self.reports.typing {
            self.change_view(Reports::accept_filter);
        }
        self.screen.focus_on(pane);
        match pane {
            Pane::Projects if self.projects.window.top + line <= self.projects.rows().len() => {
                self.projects.put_cursor(self.projects.window.top + line, self.ctx.layout.projects);
                // A click on a project opens it directly.
                self.open_project();
            }
            Pane::Reports if self.reports.window.top + line < self.reports.shown.len() => {
                self.reports.choose_row(self.reports.window.top + line, self.ctx.layout.reports);
                if double {
                    self.open();
                }
            }
            Pane::Projects | Pane::Reports | Pane::Report => {}
        }
    }

    fn click_field(&mut self, place: usize) {
        let Some(Overlay::Form(form)) = self.overlays.last_mut() else { return };
        let Some(field) = form.fields().get(place).copied() else { return };
        form.go_to(field);
        match field {
            FormField::Save | FormField::Cancel => self.press(),
            FormField::Rerun => self.choose_in_form(true),
            FormField::Url | FormField::Password | FormField::Privacy => {}
        }
    }

    fn click_button(&mut self, confirms: bool) {
        match self.overlays.last() {
            Some(Overlay::Dialog(_)) if confirms => self.confirm(),
            Some(Overlay::Dialog(_)) => self.back(),
            Some(_) | None => {}
        }
    }
}
