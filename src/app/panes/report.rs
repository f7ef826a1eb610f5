//! The report pane: the report under the cursor, fetched when the cursor rests on it.
//!
//! It always belongs to the row under the cursor; a reply about another row is dropped.

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
/// A report is repeated by itself at most this often when the service asks to wait; then the person decides.
const MOST_REPEATS: u8 = 3;
/// How many opened reports are remembered.
const REMEMBERED: usize = 64;

/// The report pane.
#[derive(Debug, Default)]
pub struct ReportPane {
    /// The report it is about.
    pub id: Option<ReportId>,
    /// The report with all details.
    pub whole: Remote<Arc<Report>>,
    /// When it is fetched, if the cursor rests until then.
    pub fetch_at: Option<Timestamp>,
    /// When it is requested again after a rate limit.
    pub again_at: Option<Timestamp>,
    /// How often it was requested again.
    pub repeats: u8,
    /// The person opened it; a preview that finds nothing does not remove the row.
    pub asked_for: bool,
    /// The lines on the screen.
    pub window: ListWindow,
    /// The entries of the log about the report, the oldest first.
    pub events: Vec<LogEntry>,
    /// Nothing was logged about the report since `events` were asked for.
    pub(crate) knows_events: bool,
    events_request: Option<RequestId>,
    remembered: Vec<Arc<Report>>,
}

impl ReportPane {
    /// Reads the entries of the log about the report, once it is shown and whenever one was added.
    pub(crate) fn read_events(&mut self, ctx: &mut Ctx) {
        if self.knows_events || self.whole == Remote::Idle {
            return;
        }
        let Some(id) = self.id.clone() else { return };
        let request = ctx.next_request();
        self.events_request = Some(request);
        self.knows_events = true;
        ctx.effects.push(Effect::ReadTimeline(request, id));
    }

    /// Takes the entries of the log about the report.
    pub(crate) fn take_events(&mut self, request: RequestId, entries: Vec<LogEntry>) {
        if self.events_request.take_if(|waiting| *waiting == request).is_some() {
            self.events = entries;
        }
    }

    /// Caches an opened report.
    pub(crate) fn remember(&mut self, report: Arc<Report>) {
        self.forget(&report.id);
        if self.remembered.len() == REMEMBERED {
            self.remembered.remove(0);
        }
        self.remembered.push(report);
    }

    /// A cached report.
    pub(crate) fn remembered(&self, id: &ReportId) -> Option<&Report> {
        self.known(id).map(Arc::as_ref)
    }

    fn known(&self, id: &ReportId) -> Option<&Arc<Report>> {
        self.remembered.iter().find(|known| known.id == *id)
    }

    /// Drops a cached report that changed or is gone.
    pub(crate) fn forget(&mut self, id: &ReportId) {
        self.remembered.retain(|known| known.id != *id);
    }

    /// Follows the cursor to the current report. `is_visible`: the pane is on the screen.
    pub(crate) fn follow(&mut self, current: Option<ReportId>, is_visible: bool, ctx: &mut Ctx) {
        if current != self.id {
            ctx.cancel(self.whole.cancel());
            *self = Self { id: current, remembered: std::mem::take(&mut self.remembered), ..Self::default() };
        }
        let Some(id) = &self.id else { return };
        if self.whole != Remote::Idle || !is_visible {
            return;
        }
        if let Some(known) = self.known(id) {
            self.whole = Remote::Ready(Arc::clone(known), ctx.now);
        } else if self.fetch_at.is_none() && ctx.is_connected() {
            self.fetch_at = ctx.now.saturating_add(REST).ok();
        }
    }

    /// Fetches the current report at once.
    pub(crate) fn fetch(&mut self, ctx: &mut Ctx) {
        self.fetch_at = None;
        self.again_at = None;
        let Some(id) = self.id.clone().filter(|_| ctx.is_connected()) else { return };
        let request = ctx.next_request();
        ctx.cancel(self.whole.load(request));
        ctx.effects.push(Effect::ShowReport(request, id));
    }

    /// When the report is fetched by itself.
    pub(crate) fn wakes_at(&self) -> Option<Timestamp> {
        [self.fetch_at, self.again_at].into_iter().flatten().min()
    }

    /// Takes the reply to a fetch. A rate-limited one is repeated while the cursor stays.
    pub(crate) fn take_reply(&mut self, request: RequestId, result: Result<Arc<Report>, Failure>, ctx: &Ctx) {
        let again_at = result.as_ref().err().and_then(|failure| ctx.retry_at(failure));
        self.whole.answer(request, result, ctx.now);
        self.again_at = again_at.filter(|_| self.repeats < MOST_REPEATS);
        self.repeats += u8::from(self.again_at.is_some());
    }

    /// Applies a fact.
    pub(crate) fn on_fact(&mut self, fact: &Fact, ctx: &mut Ctx) {
        match fact {
            Fact::ReportCreated(report) => self.remember(Arc::new(report.clone())),
            Fact::ReportUpdated(report) => {
                let report = Arc::new(report.clone());
                self.remember(Arc::clone(&report));
                if self.id.as_ref() == Some(&report.id) {
                    ctx.cancel(self.whole.cancel());
                    self.whole = Remote::Ready(report, ctx.now);
                }
            }
            Fact::ReportDeleted(id) => self.forget(id),
            Fact::ReportRead(_) | Fact::ProjectDeleted(_) => {}
        }
    }
}
