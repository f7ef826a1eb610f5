//! Which of the loaded rows are shown, in what order: at once for few rows, beside the loop for many.
//!
//! An older result never replaces a newer one: only the arranging that is waited for is taken.

use std::sync::Arc;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::domain::arrange::{Arrangement, arrange, kept};

/// Up to here arranging takes less than a frame, and is done at once.
const AT_ONCE: usize = 5_000;

impl App {
    fn arrangement(&self) -> Arrangement {
        Arrangement {
            project: self.reports.scope.as_ref().map(|scope| scope.raw().to_owned()),
            filter: self.reports.filter.clone(),
            sort: self.reports.sorts_here().then_some(self.reports.sort),
            around: self.surroundings(),
        }
    }

    /// Arranges all rows anew, because other rows are shown or something else is wanted of them.
    pub(super) fn arrange(&mut self) {
        if self.reports.listing.rows.len() <= AT_ONCE {
            self.rearrange();
        } else if self.reports.arranging.is_some() {
            self.reports.arrange_again = true;
        } else {
            self.arrange_beside();
        }
    }

    /// Arranges on the spot. Used when the shown places are those of other rows and must not be looked at any more.
    pub(super) fn rearrange(&mut self) {
        self.reports.arranging = None;
        self.reports.arrange_again = false;
        if self.reports.listing.rows.len() > AT_ONCE && self.reports.sorts_here() {
            // Too many to wait for. Filtering alone is quick, and an empty screen between two full ones is worse.
            self.reports.shown.clear();
            self.reports.arranged = 0;
            self.arrange_beside();
            return;
        }
        self.reports.shown = arrange(&self.reports.listing.rows, &self.arrangement());
        self.reports.arranged = self.reports.listing.rows.len();
        self.rows_changed(0);
    }

    fn arrange_beside(&mut self) {
        let request = self.next_request();
        self.reports.arranging = Some(request);
        self.reports.arrange_again = false;
        let rows = Arc::clone(&self.reports.listing.rows);
        self.effects.push(Effect::Arrange(request, rows, self.arrangement()));
    }

    /// Shows rows that came at the end of the listing.
    pub(super) fn arrange_new_rows(&mut self) {
        if self.reports.arranging.is_some() || self.reports.sorts_here() {
            self.arrange();
            return;
        }
        let new = kept(&self.reports.listing.rows, self.reports.arranged, &self.arrangement());
        self.reports.arranged = self.reports.listing.rows.len();
        let from = self.reports.shown.len();
        self.reports.shown.extend(new);
        self.rows_changed(from);
    }

    /// Takes rows that were arranged beside the loop.
    pub(super) fn on_arranged(&mut self, request: RequestId, shown: Vec<u32>) {
        if self.reports.arranging != Some(request) {
            return;
        }
        self.reports.arranging = None;
        let rows = &self.reports.listing.rows;
        self.reports.shown =
            shown.into_iter().filter(|place| rows.get(*place as usize).is_some_and(Option::is_some)).collect();
        self.reports.arranged = rows.len();
        self.rows_changed(0);
        if self.reports.arrange_again {
            self.arrange();
        }
    }
}
