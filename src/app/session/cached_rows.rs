//! Cached rows of the last run: shown until the service responds, and stored when a list was read completely.
//!
//! They are read-only, and replaced by the service's rows.

use crate::app::App;
use crate::app::ctx::Ctx;
use crate::app::effect::Effect;
use crate::app::panes::reports::Reports;
use crate::app::panes::reports::listing::{Listing, LoadState};
use crate::domain::list::cached_rows::CachedRows;
use crate::domain::triage::changes::ListScope;

impl App {
    /// Shows the cached rows, unless the service responded first.
    pub(crate) fn on_cached_rows(&mut self, last: Option<CachedRows>) {
        let Some(last) = last.filter(|last| !last.rows.is_empty()) else { return };
        let (listing, next, sort) = (&mut self.reports.listing, last.next, self.reports.sort);
        if listing.is_cached && listing.as_of == Some(last.taken_at) {
            listing.add_cached(last.rows, sort);
            self.reports.arrange_new_rows(&self.triage, &mut self.ctx);
        } else if listing.as_of.is_none() && listing.loaded() == 0 {
            *listing = Listing::cached(last, sort);
            self.reports.rearrange(&self.triage, &mut self.ctx);
        } else {
            // The service responded first, so further parts are not needed.
            return;
        }
        if next.is_some() {
            self.ctx.effects.push(Effect::ReadCachedRows(next));
        }
    }

    /// Returns why the shown rows are read-only; `None` if they came from the service.
    pub(crate) fn cached_rows_reason(&self) -> Option<String> {
        self.reports.listing.is_cached.then(|| "Cached rows are read-only until the service responds".to_owned())
    }
}

impl Reports {
    /// Caches the rows of a complete list of all reports, even if it is empty.
    pub(crate) fn store_rows(&self, ctx: &mut Ctx) {
        let listing = self.loading();
        if listing.is_complete() && ListScope::of(&listing.query) == ListScope::default() {
            let taken_at = listing.as_of.unwrap_or(ctx.now);
            ctx.effects.push(Effect::StoreRows(listing.rows.clone(), taken_at));
        }
    }

    /// Whether incoming rows may replace the cached ones: as soon as there are any, unless the row that the user moved
    /// to has not arrived yet.
    pub(crate) fn is_superseded_by(&self, incoming: &Listing) -> bool {
        let has_ended = matches!(incoming.load, LoadState::Ended(_));
        let finds_cursor = || self.at == 0 || self.cursor.as_ref().is_none_or(|id| incoming.place(id).is_some());
        let has_caught_up = || incoming.loaded() >= self.listing.loaded() || finds_cursor();
        has_ended || (incoming.loaded() > 0 && has_caught_up())
    }
}
