//! Loading reports: when pages are requested, and how replies and failures change the rows.
//!
//! Old rows stay until new ones arrive; a failure keeps them.

use jiff::{SignedDuration, Timestamp};

use crate::app::ctx::Ctx;
use crate::app::effect::Effect;
use crate::app::panes::projects::Projects;
use crate::app::panes::reports::listing::{Listing, LoadState};
use crate::app::panes::reports::{Reports, covers};
use crate::app::triage::TriageState;
use crate::domain::failure::Failure;
use crate::domain::list::paging::{Ending, NextStep, Page, PageToken};
use crate::domain::list::query::ReportQuery;
use crate::domain::report::Report;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::input::Action;

/// How often a list is reread because it changed while being read.
const MOST_REREADS: u8 = 2;

impl Reports {
    /// Requests the rows of the current query, unless they are loaded already.
    pub(crate) fn load_if_needed(&mut self, projects: &Projects, triage: &TriageState, ctx: &mut Ctx) {
        self.send_at = None;
        self.new_above = 0;
        let wanted = self.wanted_query(projects);
        if !covers(self.loading(), &wanted) {
            // The failure is about the former query.
            self.failure = None;
            if covers(&self.listing, &wanted) {
                self.drop_incoming(ctx);
            } else {
                self.load(wanted, ctx);
            }
        }
        self.arrange(triage, ctx);
    }

    /// Requests the rows again, or resumes interrupted loading.
    pub(crate) fn refresh(&mut self, projects: &Projects, ctx: &mut Ctx) {
        if let LoadState::Stopped(token) | LoadState::Failed(token) | LoadState::Waiting(_, token) =
            &self.loading().load
            && *token != PageToken::First
        {
            let token = token.clone();
            return self.ask_page(token, ctx);
        }
        self.reload(projects, ctx);
    }

    /// Requests the rows again from the first page.
    pub(crate) fn reload(&mut self, projects: &Projects, ctx: &mut Ctx) {
        let wanted = self.wanted_query(projects);
        self.load(wanted, ctx);
    }

    fn load(&mut self, query: ReportQuery, ctx: &mut Ctx) {
        if !ctx.is_connected() {
            // They are requested once the service is connected.
            return;
        }
        // Pages requested from now on include these writes.
        self.deleted.clear();
        self.recent_writes.clear();
        self.drop_incoming(ctx);
        if let Some(request) = self.listing.waits_for() {
            // The loaded rows stay; the missing ones are not requested any more.
            ctx.effects.push(Effect::Cancel(request));
            self.listing.load = LoadState::Stopped(PageToken::First);
        }
        self.incoming = Some(Listing::new(query));
        self.ask_page(PageToken::First, ctx);
    }

    /// Rereads a list that changed while being read. The loaded rows stay on the screen.
    fn read_again(&mut self, ctx: &mut Ctx) {
        let listing = self.loading_mut();
        listing.load = LoadState::Ended(Ending::Changed);
        let (query, rereads) = (listing.query.clone(), listing.rereads + 1);
        // An incoming list that is not shown yet is dropped; one that is already shown stays.
        self.load(query, ctx);
        if let Some(incoming) = &mut self.incoming {
            incoming.rereads = rereads;
        }
    }

    fn drop_incoming(&mut self, ctx: &mut Ctx) {
        ctx.cancel(self.incoming.take().and_then(|incoming| incoming.waits_for()));
    }

    /// Requests a page of the listing being loaded.
    fn ask_page(&mut self, token: PageToken, ctx: &mut Ctx) {
        let request = ctx.next_request();
        let listing = self.loading_mut();
        listing.load = LoadState::Asked(request, token.clone());
        listing.restart_page();
        let background = token != PageToken::First;
        let query = listing.query.clone();
        ctx.effects.push(Effect::ListReports { request, query, token, background });
    }

    /// Adds rows of the page being read.
    pub(crate) fn add_rows(&mut self, rows: Vec<Report>) {
        let listing = self.incoming.as_mut().unwrap_or(&mut self.listing);
        listing.add_to_page(rows, &self.deleted);
    }

    /// Finishes a page whose rows were added, and requests the next one.
    pub(crate) fn end_page(&mut self, page: &Page<Report>, triage: &mut TriageState, ctx: &mut Ctx) {
        self.failure = None;
        let step = self.loading_mut().end_page(page, ctx.now);
        self.continue_with(step, triage, ctx);
    }

    /// Shows the added rows.
    pub(crate) fn show_new_rows(&mut self, triage: &TriageState, ctx: &mut Ctx) {
        self.take_over(triage, ctx);
        self.add_created(triage, ctx);
        self.unmark_missing();
        self.arrange_new_rows(triage, ctx);
    }

    fn continue_with(&mut self, step: NextStep, triage: &mut TriageState, ctx: &mut Ctx) {
        match step {
            NextStep::Ask(token) => self.ask_page(token, ctx),
            NextStep::End(Ending::Changed) if self.loading().rereads < MOST_REREADS => self.read_again(ctx),
            NextStep::End(ending) => {
                self.loading_mut().load = LoadState::Ended(ending);
                // Compared before they are stored, because the stored rows name the missing reports.
                triage.changes.compare(self.loading(), ctx);
                self.store_rows(ctx);
            }
        }
    }

    /// Shows the incoming rows as soon as they replace the present ones without loss.
    ///
    /// Rows of another query are shown from their first page. A repeated query must first catch up, so that a refresh
    /// never empties the screen under the cursor.
    fn take_over(&mut self, triage: &TriageState, ctx: &mut Ctx) {
        let Some(incoming) = &self.incoming else { return };
        let caught_up = if self.listing.is_cached {
            self.is_superseded_by(incoming)
        } else {
            incoming.query != self.listing.query
                || matches!(incoming.load, LoadState::Ended(_))
                || incoming.loaded() >= self.listing.loaded()
        };
        if !caught_up {
            return;
        }
        let is_unmoved = self.listing.is_cached && self.at == 0;
        if let Some(incoming) = self.incoming.take() {
            let is_same_query = incoming.query == self.listing.query;
            if is_same_query {
                self.shorten_range(|id| incoming.place(id).is_some());
            }
            let former = std::mem::replace(&mut self.listing, incoming);
            let is_refresh = is_same_query && !former.is_cached && former.loaded() > 0;
            self.refreshed = Some(former).filter(|_| is_refresh);
            self.edited = self.recent_writes.created().next().is_some();
            self.rearrange(triage, ctx);
        }
        if is_unmoved {
            // New rows are above the cached ones.
            self.show_top(ctx.layout.reports);
        }
    }

    /// Whether the list was read to its end, or a page of it failed: nothing is being loaded, or was stopped by the user.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.loading().load, LoadState::Ended(_) | LoadState::Failed(_))
    }

    /// Handles a failed page. Returns true if loading stops with it.
    pub(crate) fn on_failed_page(&mut self, failure: &Failure, triage: &mut TriageState, ctx: &mut Ctx) -> bool {
        let listing = self.loading_mut();
        let LoadState::Asked(_, token) = listing.load.clone() else { return false };
        if let Some(ending) = listing.walk.after_failure(failure) {
            self.continue_with(NextStep::End(ending), triage, ctx);
            self.take_over(triage, ctx);
            return false;
        }
        self.failure = Some(failure.clone());
        if let Some(until) = ctx.retry_at(failure) {
            self.loading_mut().load = LoadState::Waiting(until, token);
            return false;
        }
        self.loading_mut().load = LoadState::Failed(token);
        ctx.note_failure(failure);
        true
    }

    /// Stops loading. Returns true if it was in progress.
    pub(crate) fn stop_loading(&mut self, ctx: &mut Ctx) -> bool {
        let listing = self.loading_mut();
        let (request, token) = match &listing.load {
            LoadState::Asked(request, token) => (Some(*request), token.clone()),
            LoadState::Waiting(_, token) => (None, token.clone()),
            LoadState::Idle | LoadState::Stopped(_) | LoadState::Failed(_) | LoadState::Ended(_) => return false,
        };
        listing.load = LoadState::Stopped(token);
        ctx.cancel(request);
        let shown = &mut self.listing;
        if let Some(incoming) = self.incoming.take_if(|incoming| incoming.loaded() == 0 && shown.loaded() > 0)
            && !covers(shown, &incoming.query)
        {
            // The rows of the former query stay, as a part of what was requested.
            shown.load = LoadState::Stopped(PageToken::First);
        }
        true
    }

    /// Retries a rate-limited page when its time has come.
    pub(crate) fn resume_after_waiting(&mut self, ctx: &mut Ctx) {
        if let LoadState::Waiting(until, token) = &self.loading().load
            && *until <= ctx.now
        {
            let token = token.clone();
            self.ask_page(token, ctx);
        }
    }

    /// Returns when the wait ends, or its countdown changes.
    pub(crate) fn waiting_wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let LoadState::Waiting(until, _) = self.loading().load else { return None };
        let next_second = now.saturating_add(SignedDuration::from_secs(1)).unwrap_or(until);
        Some(next_second.min(until))
    }

    /// The loading state for the status line; empty for a complete list. `with_keys` names the keys that change it.
    pub fn loading_text(&self, ctx: &Ctx, with_keys: bool) -> String {
        let (listing, shown) = (self.loading(), self.listing.loaded());
        let hint = |action, verb| if with_keys { format!(" ({} {verb})", ctx.key(action)) } else { String::new() };
        let (again, stop) = (|verb| hint(Action::Refresh, verb), || hint(Action::Back, "stops"));
        let many = |count: usize| grouped(count as u64);
        match &listing.load {
            LoadState::Idle => String::new(),
            LoadState::Asked(_, PageToken::First) => "loading".to_owned(),
            LoadState::Asked(..) => match listing.last_page {
                Some(last) => format!("loading page {}/{last}{}", listing.walk.pages() + 1, stop()),
                None => format!("loading page {}{}", listing.walk.pages() + 1, stop()),
            },
            LoadState::Waiting(until, _) => {
                let seconds = (until.as_second() - ctx.now.as_second()).max(1);
                let is_guessed = self.failure.as_ref().is_some_and(|failure| failure.is_wait_guessed);
                let why = if is_guessed { "too many requests: waiting" } else { "the service asks to wait" };
                format!("{why} {seconds} s{}", stop())
            }
            LoadState::Stopped(_) => format!("stopped at {}{}", many(listing.loaded()), again("resumes")),
            LoadState::Failed(token) if *token != PageToken::First => {
                format!("stopped at {} after an error{}", many(listing.loaded()), again("resumes"))
            }
            // Cached rows always show their age.
            LoadState::Failed(_) => match self.listing.as_of.filter(|_| shown > 0 && !self.listing.is_cached) {
                Some(at) => format!("rows from {}{}", relative(ctx.now, at), again("retries")),
                None => format!("not loaded{}", again("retries")),
            },
            LoadState::Ended(Ending::Complete) => String::new(),
            LoadState::Ended(Ending::OnePage) => {
                // Reports created or deleted since do not count.
                format!("the service returned {} and no next page", counted(listing.walk.rows as u64, "row"))
            }
            LoadState::Ended(Ending::Changed) => format!("the list changed while it was read{}", again("reloads it")),
            LoadState::Ended(Ending::Repeated) => {
                format!("the service repeats rows after {}", many(listing.loaded()))
            }
            LoadState::Ended(Ending::Cap) => {
                format!("only the first {}: filter or sort to reach the rest", many(listing.loaded()))
            }
        }
    }

    /// Adds reports created after a page was requested.
    fn add_created(&mut self, triage: &TriageState, ctx: &mut Ctx) {
        let created = self.recent_writes.created().filter(|row| !self.deleted.contains(&row.id));
        let rows: Vec<Report> = created.cloned().collect();
        let mut added = false;
        for row in rows {
            let listing = self.loading_mut();
            if listing.place(&row.id).is_none() && listing.query.includes(&row) {
                listing.put(row);
                added = true;
            }
        }
        if added && self.incoming.is_none() {
            self.edited = true;
            self.arrange(triage, ctx);
        }
    }

    /// The number of reports of the open project, or of all, as far as known.
    pub fn total(&self, projects: &Projects) -> u64 {
        let scope = self.scope.as_ref();
        let of_project = scope.and_then(|scope| projects.named(scope.raw())?.reports);
        let listing = &self.listing;
        of_project.unwrap_or_else(|| listing.total.unwrap_or_default().max(listing.loaded() as u64))
    }
}
