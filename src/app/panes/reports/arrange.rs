//! Filters and sorts the loaded rows: few at once, many on another thread.
//!
//! Only the result of the pending arrangement is taken, so an older one never replaces a newer one. A narrower filter
//! looks only at the rows that are shown.

use std::sync::Arc;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::panes::reports::arrangement::AppliedArrangement;
use crate::domain::list::arrange::{Arrangement, arrange, kept};

/// Up to here arranging takes less than a frame, and is done at once.
const AT_ONCE: usize = 5_000;

impl App {
    fn arrangement(&self) -> Arrangement {
        Arrangement {
            project: self.reports.scope.as_ref().map(|scope| scope.raw().to_owned()),
            filter: self.reports.filter.clone(),
            sort: self.reports.sorts_here().then_some(self.reports.sort),
            around: self.row_context(),
            among: None,
        }
    }

    /// Arranges all rows anew, because other rows are shown or something else is wanted of them.
    pub(crate) fn arrange(&mut self) {
        let wanted = self.arrangement();
        let narrows = self.shown_holds(&wanted);
        let looked_at = if narrows { self.reports.shown.len() } else { self.reports.listing.rows.len() };
        if looked_at <= AT_ONCE {
            let among = narrows.then(|| std::mem::take(&mut self.reports.shown));
            self.arrange_here(Arrangement { among, ..wanted });
        } else if self.reports.arranging.is_some() {
            self.reports.arrange_again = true;
        } else {
            let among = narrows.then(|| self.reports.shown.clone());
            self.arrange_beside(Arrangement { among, ..wanted });
        }
    }

    /// Arranges rows that took the place of others: what is shown are places of those, not to be looked at any more.
    pub(crate) fn rearrange(&mut self) {
        let wanted = self.arrangement();
        if !wanted.looks_at_rows() || self.reports.listing.rows.len() <= AT_ONCE {
            self.arrange_here(wanted);
            return;
        }
        // Too many to wait for. An empty screen between two full ones is worse than the first rows alone; which rows
        // come first in another order nobody knows yet.
        let first = if wanted.sort.is_none() { AT_ONCE } else { 0 };
        self.reports.shown = kept(&self.reports.listing.rows, 0..first, &wanted);
        self.reports.arranged = 0;
        self.reports.arranged_by = None;
        self.arrange_beside(wanted);
        let cursor = self.reports.cursor.as_ref();
        let place = cursor.and_then(|id| self.reports.listing.place(id));
        if cursor.is_none() || place.is_some_and(|place| self.reports.shown.contains(&place)) {
            // Marks and a row of the cursor that are still to come are looked for when they came.
            self.reports.find_cursor(self.ctx.layout.reports);
        }
    }

    fn arrange_here(&mut self, wanted: Arrangement) {
        let rows = &self.reports.listing.rows;
        self.reports.shown = arrange(rows, &wanted);
        self.reports.arranged = rows.len();
        self.reports.arranged_by = Some(AppliedArrangement::new(wanted, rows));
        self.reports.arranging = None;
        self.reports.arrange_again = false;
        self.reports.rows_changed(0, &self.ctx);
    }

    fn arrange_beside(&mut self, wanted: Arrangement) {
        let request = self.ctx.next_request();
        let rows = Arc::clone(&self.reports.listing.rows);
        let under_way = AppliedArrangement::new(Arrangement { among: None, ..wanted.clone() }, &rows);
        self.reports.arranging = Some((request, under_way));
        self.reports.arrange_again = false;
        self.ctx.effects.push(Effect::Arrange(request, rows, wanted));
    }

    /// Whether everything that is wanted is among what is shown, in order.
    fn shown_holds(&self, wanted: &Arrangement) -> bool {
        let by = self.reports.arranged_by.as_ref();
        by.is_some_and(|shown| shown.is_of(&self.reports.listing.rows) && wanted.narrows(&shown.by))
    }

    /// Shows rows that came at the end of the listing.
    pub(crate) fn arrange_new_rows(&mut self) {
        let wanted = self.arrangement();
        let rows = &self.reports.listing.rows;
        let too_many = rows.len() - self.reports.arranged > AT_ONCE && wanted.looks_at_rows();
        if self.reports.arranging.is_some() || self.reports.sorts_here() || too_many {
            self.arrange();
            return;
        }
        let new = kept(rows, self.reports.arranged..rows.len(), &wanted);
        self.reports.arranged = rows.len();
        self.reports.arranged_by = Some(AppliedArrangement::new(wanted, rows));
        let from = self.reports.shown.len();
        self.reports.shown.extend(new);
        self.reports.rows_changed(from, &self.ctx);
    }

    /// Takes rows that were arranged on another thread.
    pub(crate) fn on_arranged(&mut self, request: RequestId, mut shown: Vec<u32>) {
        let Some((_, by)) = self.reports.arranging.take_if(|(waited_for, _)| *waited_for == request) else { return };
        let rows = &self.reports.listing.rows;
        if !by.is_of(rows) {
            // Some may have been deleted meanwhile. Else nobody looks at 100,000 rows, each at another place.
            shown.retain(|place| rows.get(*place).is_some());
        }
        self.reports.shown = shown;
        self.reports.arranged = rows.len();
        self.reports.arranged_by = Some(by);
        self.reports.rows_changed(0, &self.ctx);
        if self.reports.arrange_again {
            self.arrange();
        }
    }
}
