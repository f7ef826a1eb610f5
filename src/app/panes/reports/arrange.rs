//! Filters and sorts the loaded rows: up to 5,000 immediately, more on another thread.
//!
//! Only the result of the pending arrangement is used, so an older one never replaces a newer one. A narrower filter
//! reads only the shown rows.

use std::sync::Arc;

use crate::app::ctx::Ctx;
use crate::app::effect::{Effect, RequestId};
use crate::app::panes::reports::Reports;
use crate::app::panes::reports::arrangement::AppliedArrangement;
use crate::app::triage::TriageState;
use crate::domain::list::arrange::{Arrangement, arrange, matching};

/// Up to this many rows are arranged or searched for values immediately, in less than a frame.
pub(super) const FEW_ROWS: usize = 5_000;

impl Reports {
    fn arrangement(&self, triage: &TriageState, ctx: &Ctx) -> Arrangement {
        Arrangement {
            project: self.scope.as_ref().map(|scope| scope.raw().to_owned()),
            filter: self.filter.clone(),
            sort: self.sorts_here().then_some(self.sort),
            around: triage.row_context(ctx),
            among: None,
        }
    }

    /// Rearranges all rows after rows, filter or sort order changed.
    pub(crate) fn arrange(&mut self, triage: &TriageState, ctx: &mut Ctx) {
        let wanted = self.arrangement(triage, ctx);
        let narrows = self.shown_holds(&wanted);
        let looked_at = if narrows { self.shown.len() } else { self.listing.rows.len() };
        if looked_at <= FEW_ROWS {
            let among = narrows.then(|| std::mem::take(&mut self.shown));
            self.arrange_here(Arrangement { among, ..wanted }, ctx);
        } else if self.arranging.is_some() {
            self.arrange_again = true;
        } else {
            let among = narrows.then(|| self.shown.clone());
            self.arrange_beside(Arrangement { among, ..wanted }, ctx);
        }
    }

    /// Arranges the rows of a new listing: `shown` still holds indexes into the previous one.
    pub(crate) fn rearrange(&mut self, triage: &TriageState, ctx: &mut Ctx) {
        let wanted = self.arrangement(triage, ctx);
        if !wanted.looks_at_rows() || self.listing.rows.len() <= FEW_ROWS {
            self.arrange_here(wanted, ctx);
            return;
        }
        // Too many for one frame. Meanwhile the first rows are shown if the service's order is kept; in another order
        // they are not known yet.
        let first = if wanted.sort.is_none() { FEW_ROWS } else { 0 };
        self.shown = matching(&self.listing.rows, 0..first, &wanted);
        self.arranged = 0;
        self.arranged_by = None;
        self.arrange_beside(wanted, ctx);
        if self.cursor.as_ref().is_none_or(|id| self.index_of(id).is_some()) {
            // Otherwise the cursor and the selection are restored when the arrangement is complete.
            self.find_cursor(ctx.layout.reports);
        }
    }

    fn arrange_here(&mut self, wanted: Arrangement, ctx: &Ctx) {
        let rows = &self.listing.rows;
        self.shown = arrange(rows, &wanted);
        self.arranged = rows.len();
        self.arranged_by = Some(AppliedArrangement::new(wanted, rows));
        self.arranging = None;
        self.arrange_again = false;
        self.rows_changed(0, ctx);
    }

    fn arrange_beside(&mut self, wanted: Arrangement, ctx: &mut Ctx) {
        let request = ctx.next_request();
        let rows = Arc::clone(&self.listing.rows);
        let under_way = AppliedArrangement::new(wanted.clone(), &rows);
        self.arranging = Some((request, under_way));
        self.arrange_again = false;
        ctx.effects.push(Effect::Arrange(request, rows, wanted));
    }

    /// Whether the shown rows include all requested rows, in the requested order.
    fn shown_holds(&self, wanted: &Arrangement) -> bool {
        let by = self.arranged_by.as_ref();
        by.is_some_and(|shown| shown.is_of(&self.listing.rows) && wanted.narrows(&shown.by))
    }

    /// Shows rows that were appended to the listing.
    pub(crate) fn arrange_new_rows(&mut self, triage: &TriageState, ctx: &mut Ctx) {
        let wanted = self.arrangement(triage, ctx);
        let rows = &self.listing.rows;
        let too_many = rows.len() - self.arranged > FEW_ROWS && wanted.looks_at_rows();
        if self.arranging.is_some() || self.sorts_here() || too_many {
            self.arrange(triage, ctx);
            return;
        }
        let new = matching(rows, self.arranged..rows.len(), &wanted);
        self.arranged = rows.len();
        self.arranged_by = Some(AppliedArrangement::new(wanted, rows));
        let from = self.shown.len();
        self.shown.extend(new);
        self.rows_changed(from, ctx);
    }

    /// Handles rows arranged on another thread.
    pub(crate) fn on_arranged(&mut self, request: RequestId, mut shown: Vec<u32>, triage: &TriageState, ctx: &mut Ctx) {
        let Some((_, by)) = self.arranging.take_if(|(waited_for, _)| *waited_for == request) else { return };
        let rows = &self.listing.rows;
        if !by.is_of(rows) {
            // Rows may have been deleted meanwhile.
            shown.retain(|place| rows.get(*place).is_some());
        }
        self.shown = shown;
        self.arranged = rows.len();
        self.arranged_by = Some(by);
        self.rows_changed(0, ctx);
        if self.arrange_again {
            self.arrange(triage, ctx);
        }
    }
}
