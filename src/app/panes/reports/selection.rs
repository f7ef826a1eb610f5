//! Selection: which reports the next action is about. Kept by id, so that no refresh, sort or filter moves them.
//!
//! Only marks on shown rows count; those that the filter hides wait until it is gone. Must not know what is done
//! with marked reports.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::app::App;
use crate::app::list_window::CursorMove;
use crate::app::panes::reports::Reports;
use crate::app::undo::UndoStep;
use crate::domain::report::ReportId;
use crate::domain::text::numbers::{counted, grouped};

/// A set of marked reports; cheap to keep for undo.
pub type SelectedIds = Arc<HashSet<ReportId>>;

/// The marks, and the range that is being drawn.
#[derive(Debug, Default)]
pub struct Selection {
    /// The marked reports.
    pub ids: SelectedIds,
    /// Where the range began; its other end is the cursor.
    anchor: Option<ReportId>,
    /// The anchor's place among the shown rows.
    anchor_at: Option<usize>,
    /// How many of the shown rows are marked, the range not counted.
    visible: usize,
}

impl Selection {
    /// True while a range follows the cursor.
    pub fn draws_range(&self) -> bool {
        self.anchor_at.is_some()
    }

    /// True when nothing is marked anywhere.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.anchor_at.is_none()
    }

    /// Looks at the shown rows from this place on, after they or the marks changed.
    fn recount(&mut self, reports: &Reports, from: usize) {
        let shown = || (from..reports.shown.len()).filter_map(|at| Some((at, &reports.shown_row(at)?.id)));
        let before = if from == 0 { 0 } else { self.visible };
        let new = if self.ids.is_empty() { 0 } else { shown().filter(|(_, id)| self.ids.contains(id)).count() };
        self.visible = before + new;
        if from == 0 {
            self.anchor_at = self.anchor.as_ref().and_then(|anchor| Some(shown().find(|(_, id)| *id == anchor)?.0));
            self.anchor = self.anchor.take().filter(|_| self.anchor_at.is_some());
        }
    }
}

impl App {
    /// Whether the shown row at a place is marked, or inside the range that is being drawn.
    pub fn is_marked(&self, at: usize) -> bool {
        let marked = |id: &ReportId| self.marks.ids.contains(id);
        self.range().is_some_and(|range| range.contains(&at))
            || (!self.marks.ids.is_empty() && self.reports.shown_row(at).is_some_and(|row| marked(&row.id)))
    }

    /// The reports that an action on marks is about, in the order of the screen. Empty when none is marked visibly.
    pub fn targets(&self) -> Vec<ReportId> {
        // In the queue everything is about the one report at hand.
        if self.queue().is_some() || (self.marks.visible == 0 && self.marks.anchor_at.is_none()) {
            return Vec::new();
        }
        let rows = (0..self.reports.shown.len()).filter(|at| self.is_marked(*at));
        rows.filter_map(|at| Some(self.reports.shown_row(at)?.id.clone())).collect()
    }

    /// `12 marked, 3 hidden by the filter`; nothing without marks.
    pub fn marks_text(&self) -> Option<String> {
        if self.marks.is_empty() {
            return None;
        }
        let added = self.range().map_or(0, |range| {
            let rows = range.filter_map(|at| self.reports.shown_row(at));
            rows.filter(|row| !self.marks.ids.contains(&row.id)).count()
        });
        let hidden = self.marks.ids.len() - self.marks.visible;
        let hidden =
            if hidden > 0 { format!(", {} hidden by the filter", grouped(hidden as u64)) } else { String::new() };
        Some(format!("{} marked{hidden}", grouped((self.marks.visible + added) as u64)))
    }

    fn range(&self) -> Option<RangeInclusive<usize>> {
        let (anchor, at) = (self.marks.anchor_at?, self.reports.at);
        Some(anchor.min(at)..=anchor.max(at))
    }

    /// Marks the row under the cursor, or takes its mark away, and goes on to the next row. Ends a range.
    pub(crate) fn toggle_mark(&mut self) {
        if self.marks.draws_range() {
            return self.end_range();
        }
        let Some(id) = self.reports.current().map(|row| row.id.clone()) else { return };
        self.change_marks(|ids| {
            if !ids.remove(&id) {
                ids.insert(id);
            }
        });
        self.reports.go(CursorMove::By(1), self.drawn.reports);
    }

    /// Begins a range at the cursor, or ends the one that is being drawn.
    pub(crate) fn toggle_range(&mut self) {
        if self.marks.draws_range() {
            return self.end_range();
        }
        self.begin_range();
    }

    pub(crate) fn begin_range(&mut self) {
        if !self.marks.draws_range() {
            self.marks.anchor = self.reports.cursor.clone();
            self.marks.anchor_at = self.reports.current().map(|_| self.reports.at);
        }
    }

    /// Draws the range on by so many rows.
    pub(crate) fn extend_range(&mut self, rows: isize) {
        self.begin_range();
        self.reports.go(CursorMove::By(rows), self.drawn.reports);
    }

    /// Marks what the range covers.
    pub(crate) fn end_range(&mut self) {
        let Some(range) = self.range() else { return };
        let covered: Vec<ReportId> = range.filter_map(|at| Some(self.reports.shown_row(at)?.id.clone())).collect();
        self.drop_range();
        self.change_marks(|ids| ids.extend(covered));
    }

    /// Forgets the range; nothing of it is marked.
    pub(crate) fn drop_range(&mut self) -> bool {
        self.marks.anchor = None;
        self.marks.anchor_at.take().is_some()
    }

    /// Marks every shown row.
    pub(crate) fn mark_all(&mut self) {
        self.drop_range();
        let shown: Vec<ReportId> =
            (0..self.reports.shown.len()).filter_map(|at| Some(self.reports.shown_row(at)?.id.clone())).collect();
        let count = shown.len() as u64;
        self.change_marks(|ids| ids.extend(shown));
        self.tell(format!("{} marked: all that are shown", counted(count, "report")));
    }

    /// Marks these reports beside those that are marked.
    pub(crate) fn mark(&mut self, ids: Vec<ReportId>) {
        self.change_marks(|marked| marked.extend(ids));
    }

    /// Takes all marks away, the hidden ones too.
    pub(crate) fn unmark_all(&mut self) {
        self.drop_range();
        self.change_marks(HashSet::clear);
    }

    /// Takes the marks of these reports away: something was done with them.
    pub(crate) fn unmark(&mut self, done: &[ReportId]) {
        if done.iter().any(|id| self.marks.ids.contains(id)) {
            let ids = Arc::make_mut(&mut self.marks.ids);
            for id in done {
                ids.remove(id);
            }
            self.recount_marks();
        }
    }

    fn change_marks(&mut self, change: impl FnOnce(&mut HashSet<ReportId>)) {
        let before = Arc::clone(&self.marks.ids);
        change(Arc::make_mut(&mut self.marks.ids));
        if before != self.marks.ids {
            self.remember_step(UndoStep::Selection(before));
            self.recount_marks();
        }
    }

    /// Puts other marks in the place of the present ones, which it gives back.
    pub(crate) fn swap_marks(&mut self, marked: SelectedIds) -> SelectedIds {
        let before = std::mem::replace(&mut self.marks.ids, marked);
        self.recount_marks();
        before
    }

    fn recount_marks(&mut self) {
        self.marks.recount(&self.reports, 0);
    }

    /// Called after the shown rows changed from this place on: finds cursor and marks again.
    pub(crate) fn rows_changed(&mut self, from: usize) {
        self.reports.find_cursor(self.drawn.reports);
        self.marks.recount(&self.reports, from);
    }
}
