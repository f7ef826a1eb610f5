//! The report pane: everything about the report under the cursor, fetched when the cursor rests on it.
//!
//! What is shown always belongs to the row under the cursor; an answer for another row meets nobody.

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::frame_layout::Pane;
use crate::app::jobs::fetch_checks::set_failing;
use crate::app::list_window::ListWindow;
use crate::app::remote::Remote;
use crate::domain::failure::{Failure, FailureKind};
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
    /// Everything about it.
    pub whole: Remote<Report>,
    /// When it is fetched, if the cursor rests until then.
    pub fetch_at: Option<Timestamp>,
    /// When it is asked for again, because the service asked us to wait.
    pub again_at: Option<Timestamp>,
    /// How often it was repeated by itself.
    pub repeats: u8,
    /// The person asked for it; a preview that finds nothing must not take row after row away.
    pub asked_for: bool,
    /// The lines on the screen.
    pub window: ListWindow,
    remembered: Vec<Report>,
}

impl ReportPane {
    /// Keeps an opened report for the next time the cursor comes by.
    pub(crate) fn remember(&mut self, report: Report) {
        self.forget(&report.id);
        if self.remembered.len() == REMEMBERED {
            self.remembered.remove(0);
        }
        self.remembered.push(report);
    }

    /// An opened report that is remembered.
    pub(crate) fn remembered(&self, id: &ReportId) -> Option<&Report> {
        self.remembered.iter().find(|known| known.id == *id)
    }

    /// Forgets a report that changed or is gone.
    pub(crate) fn forget(&mut self, id: &ReportId) {
        self.remembered.retain(|known| known.id != *id);
    }
}

impl App {
    /// The row or opened report that the report pane is about.
    pub fn current_report(&self) -> Option<&Report> {
        let row = self.subject()?;
        let whole = self.report.whole.value().filter(|whole| whole.id == row.id);
        Some(whole.unwrap_or(row))
    }

    /// Lets the report pane follow the cursor. Called after every message.
    pub(crate) fn follow_cursor(&mut self) {
        let id = self.subject().map(|report| report.id.clone());
        if id != self.report.id {
            self.effects.extend(self.report.whole.cancel().map(Effect::Cancel));
            self.report.whole = Remote::Idle;
            self.report.window = ListWindow::default();
            self.report.fetch_at = None;
            self.report.again_at = None;
            self.report.asked_for = false;
            self.report.repeats = 0;
            self.report.id = id;
        }
        let Some(id) = &self.report.id else { return };
        if self.report.whole != Remote::Idle || !self.shows_report() {
            return;
        }
        if let Some(known) = self.report.remembered(id) {
            self.report.whole = Remote::Ready(known.clone(), self.now);
        } else if self.report.fetch_at.is_none() && self.is_connected() {
            self.report.fetch_at = self.now.saturating_add(REST).ok();
        }
    }

    fn shows_report(&self) -> bool {
        self.focus == Pane::Report || self.queue().is_some() || self.drawn.visible.contains(&Pane::Report)
    }

    /// Fetches the report under the cursor at once.
    pub(crate) fn fetch_report(&mut self) {
        self.report.fetch_at = None;
        self.report.again_at = None;
        let Some(id) = self.report.id.clone().filter(|_| self.is_connected()) else { return };
        let request = self.next_request();
        self.effects.extend(self.report.whole.load(request).map(Effect::Cancel));
        self.effects.push(Effect::ShowReport(request, id));
    }

    /// Takes an opened report. One that the person asked for and that is gone leaves the list too.
    pub(crate) fn on_report(&mut self, request: RequestId, result: Result<Report, Failure>) {
        if self.report.whole.waits_for() != Some(request) {
            return;
        }
        match &result {
            Ok(report) => {
                self.key_refused = false;
                self.report.remember(report.clone());
                self.put_row(report);
            }
            Err(failure) => {
                self.on_failure_of_a_read(failure);
                let gone = failure.kind == FailureKind::NotFound && self.report.asked_for;
                if let Some(id) = self.report.id.clone().filter(|_| gone) {
                    let failure = failure.clone();
                    self.drop_row(&id);
                    self.tell_failure(&failure);
                }
            }
        }
        // A read that came too soon is repeated by itself, if the cursor is still here then.
        let again_at = result.as_ref().err().and_then(|failure| self.asked_to_wait_until(failure));
        self.report.whole.answer(request, result, self.now);
        self.report.again_at = again_at.filter(|_| self.report.repeats < MOST_REPEATS);
        self.report.repeats += u8::from(self.report.again_at.is_some());
    }

    /// Puts what is known of a report now into its row. The order of the rows is left alone: the view must not jump.
    pub(crate) fn put_row(&mut self, report: &Report) {
        self.observe(std::iter::once(report));
        self.checks.learn(report);
        let mut row = report.clone();
        row.details = None;
        // What the list said of its checks holds as long as no other audit is told of.
        let listed = self.reports.listing.row(&row.id).filter(|listed| listed.generated_at == row.generated_at);
        if let Some(failing) = report.failing().or_else(|| listed?.failing()) {
            set_failing(&mut row, failing.into());
        }
        if self.reports.listing.row(&row.id).is_some_and(|old| *old != row) {
            self.reports.listing.put(row.clone());
        }
        if let Some(incoming) = self.reports.incoming.as_mut().filter(|incoming| incoming.place(&row.id).is_some()) {
            incoming.put(row);
        }
    }

    /// Takes a report out of everything, and keeps late answers from bringing it back.
    pub(crate) fn drop_row(&mut self, id: &ReportId) {
        self.deleted.insert(id.clone());
        self.unmark(std::slice::from_ref(id));
        self.report.forget(id);
        self.reports.listing.remove(id);
        if let Some(incoming) = &mut self.reports.incoming {
            incoming.remove(id);
        }
        let rows = &self.reports.listing.rows;
        self.reports.shown.retain(|place| rows.get(*place).is_some());
        self.rows_changed(0);
    }
}
