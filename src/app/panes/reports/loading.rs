//! Loading reports: when pages are requested, and what replies and failures do to the rows.
//!
//! Old rows stay until new ones come; a failure keeps them.

use jiff::Timestamp;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::panes::reports::covers;
use crate::app::panes::reports::listing::{Listing, LoadState};
use crate::domain::failure::Failure;
use crate::domain::list::paging::{Ending, NextStep, Page, PageToken};
use crate::domain::report::Report;
use crate::input::Action;

/// How often a list is read anew because it changed while it was read. One that changes all the time is shown as it is.
const MOST_REREADS: u8 = 2;

impl App {
    /// Asks the service for the wanted rows unless they are here already.
    pub(crate) fn load_if_needed(&mut self) {
        self.reports.send_at = None;
        let wanted = self.wanted_query();
        if covers(self.reports.loading(), &wanted) {
            self.arrange();
            return;
        }
        if self.reports.incoming.is_some() && covers(&self.reports.listing, &wanted) {
            // What is on the screen will do after all.
            self.drop_incoming();
            self.arrange();
            return;
        }
        self.load(wanted);
        self.arrange();
    }

    /// Asks for the wanted rows again, or resumes a loading that stopped half-way.
    pub(crate) fn refresh_reports(&mut self) {
        let half_way = match &self.reports.loading().load {
            LoadState::Stopped(token) | LoadState::Failed(_, token) | LoadState::Waiting(_, token)
                if *token != PageToken::First =>
            {
                Some(token.clone())
            }
            LoadState::Idle
            | LoadState::Asked(..)
            | LoadState::Waiting(..)
            | LoadState::Stopped(_)
            | LoadState::Failed(..)
            | LoadState::Ended(_) => None,
        };
        match half_way {
            Some(token) => self.ask_page(token),
            None => self.reload_reports(),
        }
    }

    /// Asks for the wanted rows from the first page on.
    pub(crate) fn reload_reports(&mut self) {
        let wanted = self.wanted_query();
        self.load(wanted);
    }

    fn wanted_query(&self) -> crate::domain::list::query::ReportQuery {
        self.reports.wanted_query(self.projects.names())
    }

    fn load(&mut self, query: crate::domain::list::query::ReportQuery) {
        if !self.ctx.is_connected() {
            // Whatever is wanted then is asked for when the service is there.
            return;
        }
        // Pages asked for from now on tell what is there; only older ones could revive what is gone.
        self.reports.deleted.clear();
        self.reports.recent_writes.clear();
        self.drop_incoming();
        if let Some(request) = self.reports.listing.waits_for() {
            // The rows that came stay; what is missing of them will not be asked for any more.
            self.ctx.effects.push(Effect::Cancel(request));
            self.reports.listing.load = LoadState::Stopped(PageToken::First);
        }
        self.reports.incoming = Some(Listing::new(query));
        self.ask_page(PageToken::First);
    }

    /// Reads a list from its first page on that changed while it was read. The rows that came stay on the screen.
    fn read_anew(&mut self) {
        let listing = self.reports.loading_mut();
        listing.load = LoadState::Ended(Ending::Changed);
        let (query, rereads) = (listing.query.clone(), listing.rereads + 1);
        // An incoming list that was not shown yet is dropped; one that is on the screen already stays there.
        self.load(query);
        if let Some(incoming) = &mut self.reports.incoming {
            incoming.rereads = rereads;
        }
    }

    fn drop_incoming(&mut self) {
        if let Some(request) = self.reports.incoming.take().and_then(|incoming| incoming.waits_for()) {
            self.ctx.effects.push(Effect::Cancel(request));
        }
    }

    /// Asks for one page of the listing that is being loaded.
    fn ask_page(&mut self, token: PageToken) {
        let request = self.ctx.next_request();
        let listing = self.reports.loading_mut();
        listing.load = LoadState::Asked(request, token.clone());
        listing.restart_page();
        let background = token != PageToken::First;
        let query = listing.query.clone();
        self.ctx.effects.push(Effect::ListReports { request, query, token, background });
    }

    /// Takes the answer to a page of reports.
    pub(crate) fn on_reports(&mut self, request: RequestId, result: Result<Page<Report>, Failure>) {
        if self.reports.loading().waits_for() != Some(request) {
            return;
        }
        match result {
            Ok(mut page) => {
                self.reports.failure = None;
                self.cancel_retry();
                self.ctx.key_refused = false;
                let triaged = self.take_rows(request, std::mem::take(&mut page.rows));
                let step = self.reports.loading_mut().end_page(&page, self.ctx.now);
                self.continue_with(step);
                self.show_new_rows(&triaged);
            }
            Err(failure) => self.on_failed_page(failure),
        }
    }

    /// Takes the first rows of a page whose other rows are still to come.
    pub(crate) fn on_report_rows(&mut self, request: RequestId, rows: Vec<Report>, following: usize) {
        if self.reports.loading().waits_for() == Some(request) {
            self.reports.loading_mut().reserve(rows.len() + following);
            let triaged = self.take_rows(request, rows);
            self.show_new_rows(&triaged);
        }
    }

    /// Adds rows to the list that is loaded. Returns those that have a triage state.
    fn take_rows(&mut self, request: RequestId, mut rows: Vec<Report>) -> Vec<Report> {
        self.reports.recent_writes.correct(request, &mut rows);
        for row in &mut rows {
            self.jobs.checks.fill_in(row);
        }
        let triages = &self.triage.states.triages;
        let triaged = rows.iter().filter(|row| triages.get(&row.id).is_some()).cloned().collect();
        let listing = match &mut self.reports.incoming {
            Some(incoming) => incoming,
            None => &mut self.reports.listing,
        };
        listing.add_to_page(rows, &self.reports.deleted);
        triaged
    }

    fn show_new_rows(&mut self, triaged: &[Report]) {
        self.take_over();
        self.add_created();
        self.arrange_new_rows();
        self.observe(triaged.iter());
    }

    fn continue_with(&mut self, step: NextStep) {
        match step {
            NextStep::Ask(token) => self.ask_page(token),
            NextStep::End(Ending::Changed) if self.reports.loading().rereads < MOST_REREADS => self.read_anew(),
            NextStep::End(ending) => {
                self.reports.loading_mut().load = LoadState::Ended(ending);
                // Compared first: the rows that are kept until now name what is gone.
                self.compare_with_earlier_list();
                self.keep_rows();
            }
        }
    }

    /// Puts the incoming rows on the screen as soon as they show no less than what is there.
    ///
    /// Rows of another query take over with their first page. The same query asked again takes over when it has
    /// caught up, so that a refresh never empties the screen under the cursor.
    fn take_over(&mut self) {
        let Some(incoming) = &self.reports.incoming else { return };
        let caught_up = if self.reports.listing.from_memory {
            self.reports.memory_gives_way_to(incoming)
        } else {
            incoming.query != self.reports.listing.query
                || matches!(incoming.load, LoadState::Ended(_))
                || incoming.loaded() >= self.reports.listing.loaded()
        };
        if !caught_up {
            return;
        }
        let nobody_moved = self.reports.listing.from_memory && self.reports.at == 0;
        if let Some(incoming) = self.reports.incoming.take() {
            self.reports.listing = incoming;
            self.reports.edited = self.reports.recent_writes.created().next().is_some();
            self.rearrange();
        }
        if nobody_moved {
            // What is new since then stands above: it is what people came for.
            self.reports.show_top(self.ctx.layout.reports);
        }
    }

    fn on_failed_page(&mut self, failure: Failure) {
        let listing = self.reports.loading_mut();
        let LoadState::Asked(_, token) = listing.load.clone() else { return };
        if let Some(step) = listing.walk.after_failure(&failure) {
            self.continue_with(step);
            self.take_over();
            return;
        }
        if let Some(until) = self.ctx.retry_at(&failure) {
            self.reports.loading_mut().load = LoadState::Waiting(until, token);
            self.reports.failure = Some(failure);
            return;
        }
        self.reports.loading_mut().load = LoadState::Failed(failure.clone(), token);
        self.reports.failure = Some(failure.clone());
        self.ctx.note_failure(&failure);
        self.schedule_retry(&failure);
    }

    /// Stops the loading that a person does not want to wait for. True when there was one.
    pub(crate) fn stop_loading(&mut self) -> bool {
        let listing = self.reports.loading_mut();
        let (request, token) = match &listing.load {
            LoadState::Asked(request, token) => (Some(*request), token.clone()),
            LoadState::Waiting(_, token) => (None, token.clone()),
            LoadState::Idle | LoadState::Stopped(_) | LoadState::Failed(..) | LoadState::Ended(_) => return false,
        };
        listing.load = LoadState::Stopped(token);
        self.ctx.effects.extend(request.map(Effect::Cancel));
        if self.reports.incoming.as_ref().is_some_and(|incoming| incoming.loaded() == 0)
            && self.reports.listing.loaded() > 0
        {
            self.reports.incoming = None;
        }
        true
    }

    /// Asks again for the page that the service asked us to wait for.
    pub(crate) fn resume_after_waiting(&mut self) {
        if let LoadState::Waiting(until, token) = &self.reports.loading().load
            && *until <= self.ctx.now
        {
            let token = token.clone();
            self.ask_page(token);
        }
    }

    /// When the waiting ends, or its countdown changes.
    pub(crate) fn waiting_wakes_at(&self) -> Option<Timestamp> {
        match &self.reports.loading().load {
            LoadState::Waiting(until, _) => {
                let next_second = self.ctx.now.saturating_add(jiff::SignedDuration::from_secs(1)).unwrap_or(*until);
                Some(next_second.min(*until))
            }
            LoadState::Idle
            | LoadState::Asked(..)
            | LoadState::Stopped(_)
            | LoadState::Failed(..)
            | LoadState::Ended(_) => None,
        }
    }

    /// What the status line says of the loading; empty when there is nothing to say.
    pub fn loading_text(&self) -> String {
        let listing = self.reports.loading();
        let (again, stop) = (self.ctx.key(Action::Refresh), self.ctx.key(Action::Back));
        let many = |count: usize| crate::domain::text::numbers::grouped(count as u64);
        match &listing.load {
            LoadState::Idle => String::new(),
            LoadState::Asked(_, PageToken::First) => "loading".to_owned(),
            LoadState::Asked(..) => match listing.last_page {
                Some(last) => format!("loading page {}/{last} ({stop} stops)", listing.walk.pages() + 1),
                None => format!("loading page {} ({stop} stops)", listing.walk.pages() + 1),
            },
            LoadState::Waiting(until, _) => {
                format!(
                    "the service asks to wait {} s ({stop} stops)",
                    (until.as_second() - self.ctx.now.as_second()).max(1)
                )
            }
            LoadState::Stopped(_) => format!("stopped at {} ({again} goes on)", many(listing.loaded())),
            LoadState::Failed(_, token) if *token != PageToken::First => {
                format!("stopped at {} by a failure ({again} goes on)", many(listing.loaded()))
            }
            LoadState::Failed(..) => match self.reports.age_to_tell() {
                Some(at) => {
                    format!("rows from {} ({again} tries again)", crate::domain::text::age::relative(self.ctx.now, at))
                }
                None => format!("not loaded ({again} tries again)"),
            },
            LoadState::Ended(Ending::Complete) => String::new(),
            LoadState::Ended(Ending::OnePage) => {
                format!("the service gave {} and no way to ask for more", many(listing.loaded()))
            }
            LoadState::Ended(Ending::Changed) => format!("the list changed while it was read ({again} reads it again)"),
            LoadState::Ended(Ending::Repeated) => {
                format!("the service repeats itself after {}", many(listing.loaded()))
            }
            LoadState::Ended(Ending::Cap) => {
                format!("the first {}: filter or sort to reach the rest", many(listing.loaded()))
            }
        }
    }

    /// Adds reports that were created since a page was asked for to the list that they belong to.
    fn add_created(&mut self) {
        let created = self.reports.recent_writes.created().filter(|row| !self.reports.deleted.contains(&row.id));
        let rows: Vec<Report> = created.cloned().collect();
        let mut added = false;
        for row in rows {
            let listing = self.reports.loading_mut();
            if listing.place(&row.id).is_none() {
                listing.put(row);
                added = true;
            }
        }
        if added && self.reports.incoming.is_none() {
            self.reports.edited = true;
            self.arrange();
        }
    }

    /// How many reports there are in the opened project or in all, as far as anybody knows.
    pub fn total(&self) -> u64 {
        let scope = self.reports.scope.as_ref();
        let told = scope.and_then(|scope| self.projects.named(scope.raw())?.reports);
        let listing = &self.reports.listing;
        told.unwrap_or_else(|| listing.total.unwrap_or_default().max(listing.loaded() as u64))
    }

    /// Shows only the reports of the project under the cursor, or of all.
    pub(crate) fn open_project(&mut self) {
        let scope = self.projects.cursor.clone();
        if self.reports.scope != scope {
            self.reports.scope = scope;
            self.load_if_needed();
        }
    }
}
