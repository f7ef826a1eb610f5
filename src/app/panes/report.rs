//! The report pane: the report under the cursor, fetched when the cursor rests on it.
//!
//! It always shows the row under the cursor; replies about other rows are dropped.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::app::ctx::Ctx;
use crate::app::effect::{Effect, RequestId};
use crate::app::list_window::ListWindow;
use crate::app::message::Fact;
use crate::app::remote::Remote;
use crate::domain::event_log::LogEntry;
use crate::domain::failure::Failure;
use crate::domain::report::{Report, ReportId};

/// How long the cursor must rest on a row before its report is fetched.
const REST: SignedDuration = SignedDuration::from_millis(120);
/// Maximum number of automatic retries after rate limits.
const MOST_REPEATS: u8 = 3;
/// The number of reports cached with all details.
pub(crate) const MOST_REMEMBERED: usize = 64;

/// The report pane.
#[derive(Debug, Default)]
pub struct ReportPane {
    /// The report shown.
    pub id: Option<ReportId>,
    /// The report with all details.
    pub whole: Remote<Arc<Report>>,
    /// When it is fetched, provided that the cursor rests until then, or again after a rate limit.
    pub fetch_at: Option<Timestamp>,
    /// The number of retries so far.
    pub repeats: u8,
    /// Whether the user opened it. Only then does a 404 remove the row, not for a preview.
    pub is_opened: bool,
    /// The visible lines.
    pub window: ListWindow,
    /// The log entries about the report, oldest first.
    pub events: Vec<LogEntry>,
    /// Nothing was logged about the report since `events` were requested.
    pub(crate) knows_events: bool,
    events_request: Option<RequestId>,
    remembered: Vec<Arc<Report>>,
}

impl ReportPane {
    /// Reads the log entries about the report once it is shown, and whenever one was added.
    pub(crate) fn read_events(&mut self, ctx: &mut Ctx) {
        if self.knows_events || self.whole.is_idle() {
            return;
        }
        let Some(id) = self.id.clone() else { return };
        let request = ctx.next_request();
        self.events_request = Some(request);
        self.knows_events = true;
        ctx.effects.push(Effect::ReadTimeline(request, id));
    }

    /// Handles the log entries about the report.
    pub(crate) fn take_events(&mut self, request: RequestId, entries: Vec<LogEntry>) {
        if self.events_request.take_if(|waiting| *waiting == request).is_some() {
            self.events = entries;
        }
    }

    /// Caches a report with all details.
    fn remember(&mut self, report: Arc<Report>) {
        self.forget(&report.id);
        if self.remembered.len() == MOST_REMEMBERED {
            self.remembered.remove(0);
        }
        self.remembered.push(report);
    }

    /// Returns a cached report.
    pub(crate) fn remembered(&self, id: &ReportId) -> Option<&Arc<Report>> {
        self.remembered.iter().find(|known| known.id == *id)
    }

    /// Returns a report as it is shown, and as it is cached. Others read since may have taken its place in the cache.
    pub(crate) fn known<'a>(&'a self, id: &'a ReportId) -> impl Iterator<Item = &'a Report> {
        self.remembered.iter().chain(&self.whole.value).map(Arc::as_ref).filter(move |known| known.id == *id)
    }

    /// Drops a cached report that was changed or deleted.
    pub(crate) fn forget(&mut self, id: &ReportId) {
        self.remembered.retain(|known| known.id != *id);
    }

    /// Drops an opened report whose row has changed, so that it is fetched again.
    pub(crate) fn drop_outdated(&mut self, id: &ReportId) {
        self.forget(id);
        if self.id.as_ref() == Some(id) && self.whole.is_ready() {
            self.whole = Remote::default();
        }
    }

    /// Drops a report that could not be read, so that it is fetched again.
    pub(crate) fn drop_failed(&mut self) {
        if self.whole.failure.is_some() {
            self.whole = Remote::default();
        }
    }

    /// Follows the cursor to the current report. `is_visible` tells whether the pane is on the screen.
    pub(crate) fn follow(&mut self, current: Option<ReportId>, is_visible: bool, ctx: &mut Ctx) {
        if current != self.id {
            ctx.cancel(self.whole.cancel());
            *self = Self { id: current, remembered: std::mem::take(&mut self.remembered), ..Self::default() };
        }
        let Some(id) = &self.id else { return };
        if !self.whole.is_idle() || !is_visible {
            return;
        }
        if let Some(known) = self.remembered(id) {
            self.whole = Remote::ready(Arc::clone(known));
        } else if self.fetch_at.is_none() && ctx.is_connected() {
            self.fetch_at = ctx.now.saturating_add(REST).ok();
        }
    }

    /// Fetches the current report immediately.
    pub(crate) fn fetch(&mut self, ctx: &mut Ctx) {
        self.fetch_at = None;
        let Some(id) = self.id.clone().filter(|_| ctx.is_connected()) else { return };
        let request = ctx.next_request();
        ctx.cancel(self.whole.load(request));
        ctx.effects.push(Effect::ShowReport(request, id));
    }

    /// Handles the reply to a fetch. A rate-limited fetch is retried while the cursor stays.
    pub(crate) fn take_reply(&mut self, request: RequestId, result: Result<Arc<Report>, Failure>, ctx: &Ctx) {
        let again_at = result.as_ref().err().and_then(|failure| ctx.retry_at(failure));
        self.whole.answer(request, result);
        self.fetch_at = again_at.filter(|_| self.repeats < MOST_REPEATS);
        self.repeats += u8::from(self.fetch_at.is_some());
    }

    /// Applies a fact.
    pub(crate) fn on_fact(&mut self, fact: &Fact, ctx: &mut Ctx) {
        match fact {
            Fact::ReportCreated(report) | Fact::ReportRead(report) => self.remember(Arc::new(report.clone())),
            Fact::ReportUpdated(report) => {
                let report = Arc::new(report.clone());
                self.remember(Arc::clone(&report));
                if self.id.as_ref() == Some(&report.id) {
                    ctx.cancel(self.whole.cancel());
                    self.whole = Remote::ready(report);
                }
            }
            Fact::ReportDeleted(id) => self.forget(id),
            Fact::ProjectDeleted(_) => {}
        }
    }
}
