//! Changes of the selection: single rows, ranges, all shown rows.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::app::ctx::Ctx;
use crate::app::list_window::CursorMove;
use crate::app::panes::reports::Reports;
use crate::app::panes::reports::selection::SelectedIds;
use crate::app::undo::UndoStep;
use crate::domain::report::ReportId;
use crate::domain::text::numbers::{counted, grouped};
use crate::input::Action;

impl Reports {
    /// Whether the shown row at an index is marked, or inside the current range.
    pub fn is_marked(&self, at: usize) -> bool {
        let is_selected = |id: &ReportId| self.selection.ids.contains(id);
        self.range().is_some_and(|range| range.contains(&at))
            || (!self.selection.ids.is_empty() && self.shown_row(at).is_some_and(|row| is_selected(&row.id)))
    }

    /// Whether any shown row is marked, or inside the current range.
    pub(crate) fn has_visible_marks(&self) -> bool {
        self.selection.visible > 0 || self.selection.draws_range()
    }

    /// Returns the visible marked reports, in screen order.
    pub fn selected(&self) -> Vec<ReportId> {
        if !self.has_visible_marks() {
            return Vec::new();
        }
        (0..self.shown.len()).filter(|at| self.is_marked(*at)).filter_map(|at| self.id_at(at)).collect()
    }

    /// Formats the selection: `12 marked, 3 hidden`; `None` if empty.
    pub fn selection_text(&self) -> Option<String> {
        if self.selection.is_empty() {
            return None;
        }
        let ids = &self.selection.ids;
        // Usually none is marked yet, which saves reading up to 100,000 rows in each frame.
        let is_added = |at: &usize| ids.is_empty() || self.shown_row(*at).is_some_and(|row| !ids.contains(&row.id));
        let added = self.range().map_or(0, |range| range.filter(is_added).count());
        let hidden = ids.len() - self.selection.visible;
        let hidden = if hidden > 0 { format!(", {} hidden", grouped(hidden as u64)) } else { String::new() };
        Some(format!("{} marked{hidden}", grouped((self.selection.visible + added) as u64)))
    }

    fn range(&self) -> Option<RangeInclusive<usize>> {
        let (anchor, at) = (self.selection.anchor_at?, self.at);
        Some(anchor.min(at)..=anchor.max(at))
    }

    fn id_at(&self, at: usize) -> Option<ReportId> {
        Some(self.shown_row(at)?.id.clone())
    }

    /// Toggles the row under the cursor and moves to the next row. Ends a range.
    pub(crate) fn toggle_mark(&mut self, ctx: &mut Ctx) {
        if self.selection.draws_range() {
            return self.end_range(ctx);
        }
        let Some(id) = self.id_at(self.at) else { return };
        self.change_selection(ctx, |ids| {
            if !ids.remove(&id) {
                ids.insert(id);
            }
        });
        self.go(CursorMove::By(1), ctx.layout.reports);
    }

    /// Starts a range at the cursor, or ends the current one.
    pub(crate) fn toggle_range(&mut self, ctx: &mut Ctx) {
        if self.selection.draws_range() { self.end_range(ctx) } else { self.begin_range() }
    }

    pub(crate) fn begin_range(&mut self) {
        if !self.selection.draws_range() {
            self.selection.anchor.clone_from(&self.cursor);
            self.selection.anchor_at = self.current().map(|_| self.at);
        }
    }

    /// Extends the range by this many rows, downwards if positive.
    pub(crate) fn extend_range(&mut self, rows: isize, ctx: &Ctx) {
        self.begin_range();
        self.go(CursorMove::By(rows), ctx.layout.reports);
    }

    /// Ends the range and marks its rows.
    pub(crate) fn end_range(&mut self, ctx: &mut Ctx) {
        let Some(range) = self.range() else { return };
        let covered: Vec<ReportId> = range.filter_map(|at| self.id_at(at)).collect();
        self.drop_range();
        self.change_selection(ctx, |ids| ids.extend(covered));
    }

    /// Cancels the range without marking its rows. Returns true if there was one.
    pub(crate) fn drop_range(&mut self) -> bool {
        self.selection.anchor = None;
        self.selection.anchor_at.take().is_some()
    }

    /// Begins the range at the next of its reports that stays, if the one where it began goes. Called before the shown
    /// rows change.
    pub(super) fn shorten_range(&mut self, stays: impl Fn(&ReportId) -> bool) {
        let is_downwards = self.selection.anchor_at <= Some(self.at);
        let rows = self.range().into_iter().flatten().filter_map(|at| self.shown_row(at));
        let mut staying = rows.filter(|row| stays(&row.id));
        let anchor = if is_downwards { staying.next() } else { staying.next_back() };
        self.selection.anchor = anchor.map(|row| row.id.clone());
    }

    /// Marks every shown row.
    pub(crate) fn mark_all(&mut self, ctx: &mut Ctx) {
        self.drop_range();
        let shown: Vec<ReportId> = (0..self.shown.len()).filter_map(|at| self.id_at(at)).collect();
        let count = counted(shown.len() as u64, "report");
        self.change_selection(ctx, |ids| ids.extend(shown));
        ctx.notify(format!("{count} marked: all shown"));
    }

    /// Marks further reports.
    pub(crate) fn mark(&mut self, ids: Vec<ReportId>, ctx: &mut Ctx) {
        self.change_selection(ctx, |selected| selected.extend(ids));
    }

    /// Marks reports, or unmarks them if all are marked. Returns true if they are marked now.
    pub(crate) fn toggle_marks(&mut self, toggled: Vec<ReportId>, ctx: &mut Ctx) -> bool {
        self.drop_range();
        let all_marked = toggled.iter().all(|id| self.selection.ids.contains(id));
        self.change_selection(ctx, |ids| {
            if all_marked {
                for id in &toggled {
                    ids.remove(id);
                }
            } else {
                ids.extend(toggled);
            }
        });
        !all_marked
    }

    /// Clears the selection, including hidden rows.
    pub(crate) fn unmark_all(&mut self, ctx: &mut Ctx) {
        self.drop_range();
        self.change_selection(ctx, HashSet::clear);
    }

    /// Unmarks reports that an action was applied to. A run does so for each of its reports, so the others are not
    /// counted again.
    pub(crate) fn unmark(&mut self, done: &[ReportId]) {
        let marked = done.iter().filter(|id| self.selection.ids.contains(*id));
        let mut places: Vec<u32> = marked.filter_map(|id| self.listing.place(id)).collect();
        places.sort_unstable();
        let shown = self.shown.iter().filter(|place| places.binary_search(place).is_ok());
        let shown = if places.is_empty() { 0 } else { shown.count() };
        // Marks of rows that are still being arranged are not counted yet.
        self.selection.visible = self.selection.visible.saturating_sub(shown);
        if done.iter().any(|id| self.selection.ids.contains(id)) {
            let ids = Arc::make_mut(&mut self.selection.ids);
            for id in done {
                ids.remove(id);
            }
        }
    }

    /// Unmarks reports that a list of all reports no longer has: others have deleted them.
    pub(super) fn unmark_missing(&mut self) {
        let gone: Vec<ReportId> =
            self.selection.ids.iter().filter(|id| self.gone_reason(id).is_some()).cloned().collect();
        self.unmark(&gone);
    }

    fn change_selection(&mut self, ctx: &mut Ctx, change: impl FnOnce(&mut HashSet<ReportId>)) {
        let before = Arc::clone(&self.selection.ids);
        change(Arc::make_mut(&mut self.selection.ids));
        if before != self.selection.ids {
            ctx.undo.remember(UndoStep::Selection(before));
            self.recount_selection(0);
        }
    }

    /// Replaces the selection and returns the previous one.
    pub(crate) fn swap_selection(&mut self, ids: SelectedIds) -> SelectedIds {
        let before = std::mem::replace(&mut self.selection.ids, ids);
        self.recount_selection(0);
        before
    }

    /// Restores cursor and selection after the shown rows changed from an index on.
    pub(crate) fn rows_changed(&mut self, from: usize, ctx: &Ctx) {
        self.shown_changes += 1;
        self.find_cursor(ctx.layout.reports);
        self.recount_selection(from);
        self.count_new_above();
    }

    /// Counts the reports that a refresh added above the visible rows, once the rows are arranged.
    fn count_new_above(&mut self) {
        let Some(former) = self.refreshed.take_if(|_| self.arranging.is_none()) else { return };
        let above = (0..self.window.top).filter_map(|at| self.shown_row(at));
        self.new_above += above.filter(|row| former.place(&row.id).is_none()).count();
    }

    /// Counts a created report if it is above the visible rows.
    pub(crate) fn count_created_above(&mut self, created: &ReportId) {
        self.new_above += usize::from(self.index_of(created).is_some_and(|at| at < self.window.top));
    }

    /// Formats the number of reports that were added above the `fit` visible rows, with the key that goes there.
    pub fn new_above_text(&self, fit: usize, ctx: &Ctx) -> Option<String> {
        let count = Some(self.new_above).filter(|count| *count > 0 && self.window_of(fit).top > 0)?;
        Some(format!("{} new above ({} goes there)", grouped(count as u64), ctx.key(Action::MoveFirst)))
    }

    /// Counts the marked rows from an index of the shown rows on, and finds the anchor of the range.
    fn recount_selection(&mut self, from: usize) {
        let ids = &self.selection.ids;
        let before = if from == 0 { 0 } else { self.selection.visible };
        let shown = (from..self.shown.len()).filter_map(|at| self.shown_row(at));
        let new = if ids.is_empty() { 0 } else { shown.filter(|row| ids.contains(&row.id)).count() };
        self.selection.visible = before + new;
        self.selection.anchor_at = self.selection.anchor.as_ref().and_then(|anchor| self.index_of(anchor));
        self.selection.anchor.take_if(|_| self.selection.anchor_at.is_none());
    }
}
