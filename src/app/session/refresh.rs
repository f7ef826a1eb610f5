//! Reading the list again while the dashboard stays open.

use jiff::SignedDuration;

use crate::app::App;

/// The seconds added for each page of the list, so that a long one takes two requests a minute at most.
const SECONDS_PER_PAGE: i64 = 30;

impl App {
    /// Schedules the next reading of the list: later for a long one.
    pub(crate) fn schedule_refresh(&mut self) {
        let pages = i64::try_from(self.reports.loading().walk.pages()).unwrap_or(i64::MAX);
        let minutes = i64::from(self.session.refresh_minutes);
        let pause = SignedDuration::from_secs((60 * minutes).saturating_add(pages.saturating_mul(SECONDS_PER_PAGE)));
        self.session.refresh_at = self.ctx.now.saturating_add(pause).ok().filter(|_| minutes > 0);
    }

    /// Reads everything again when that is due, unless it is being read, a run is active, or the key was refused.
    pub(crate) fn refresh_when_due(&mut self) {
        if self.session.refresh_at.is_some_and(|at| at <= self.ctx.now) {
            self.schedule_refresh();
            let is_running = self.jobs.active_run().is_some() || self.session.quitting;
            if self.reports.is_at_rest() && !is_running && self.ctx.key_refusal.is_none() {
                self.refresh_all();
            }
        }
    }
}
