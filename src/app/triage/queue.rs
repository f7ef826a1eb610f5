//! The queue: open reports one at a time, most urgent first.
//!
//! Its reports are fixed when it opens, so that `12/87` stays true.

use std::sync::Arc;

use crate::app::App;
use crate::app::desk::QueueShare;
use crate::app::frame_layout::Pane;
use crate::app::overlays::{Overlay, TriageQueue};
use crate::domain::report::ReportId;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::urgency::by_urgency;
use crate::input::Action;

/// The maximum length of the queue: every step checks all of its reports.
const MOST: usize = 2_000;

impl App {
    /// Returns the open queue.
    pub fn queue(&self) -> Option<&TriageQueue> {
        self.overlays.iter().find_map(|overlay| if let Overlay::Queue(queue) = overlay { Some(queue) } else { None })
    }

    fn queue_mut(&mut self) -> Option<&mut TriageQueue> {
        self.overlays
            .iter_mut()
            .find_map(|overlay| if let Overlay::Queue(queue) = overlay { Some(queue) } else { None })
    }

    /// Opens a queue of the marked reports, or else of the shown reports that need work.
    pub(crate) fn open_queue(&mut self) {
        self.reports.end_range(&mut self.ctx);
        let marked = self.target_places();
        let rows = Arc::clone(&self.reports.listing.rows);
        let row = |place: &u32| rows.get(*place);
        let mut with_others = 0;
        let places: Vec<u32> = if marked.is_empty() {
            let wanted = |place: &u32| row(place).is_some_and(|report| self.triage.states.triages.needs_work(report));
            let open: Vec<u32> = self.reports.shown.iter().copied().filter(wanted).collect();
            let of_others =
                |place: &u32| row(place).is_some_and(|report| self.share_of(&report.id) == QueueShare::Others);
            let (others, mine_or_free): (Vec<u32>, Vec<u32>) = open.into_iter().partition(of_others);
            with_others = others.len();
            mine_or_free
        } else {
            marked
        };
        let ordered = by_urgency(&rows, &places, &self.triage.row_context(&self.ctx));
        let all = ordered.len();
        let id = |place: &u32| Some(row(place)?.id.clone());
        let mut ids: Vec<ReportId> = ordered.iter().filter_map(id).collect();
        // The user's reports first, each part with the most urgent first.
        ids.sort_by_cached_key(|id| self.share_of(id));
        ids.truncate(MOST);
        if ids.is_empty() && with_others > 0 {
            let count = counted(with_others as u64, "open report");
            return self.ctx.notify(format!("Nothing left for you here: {count} with others"));
        }
        if ids.is_empty() {
            let keys = format!("{}, {}", self.ctx.key(Action::CycleResult), self.ctx.key(Action::Filter));
            let is_empty = self.reports.shown.is_empty();
            let why = if is_empty { "no report is shown" } else { "all shown are good or being handled" };
            return self.ctx.notify(format!("No open reports here: {why} ({keys})"));
        }
        self.screen.focus = Pane::Reports;
        self.overlays.push(Overlay::Queue(TriageQueue { ids, of: all, with_others, at: 0 }));
    }

    fn is_settled(&self, id: &ReportId) -> bool {
        let needs_work = |report| self.triage.states.triages.needs_work(report);
        !self.reports.listing.row(id).is_some_and(needs_work) || self.share_of(id) == QueueShare::Others
    }

    /// Counts the reports of a queue that are settled: set to a state that is not open, claimed by another person, now
    /// good, or gone.
    pub fn settled(&self, queue: &TriageQueue) -> u64 {
        queue.ids.iter().filter(|id| self.is_settled(id)).count() as u64
    }

    /// Moves one report forward or back, stopping at the ends.
    pub(crate) fn step_queue(&mut self, forward: bool) {
        let Some(queue) = self.queue_mut() else { return };
        let last = queue.ids.len().saturating_sub(1);
        let next = if forward { queue.at + 1 } else { queue.at.saturating_sub(1) };
        let is_at_the_end = next > last;
        queue.at = next.min(last);
        if is_at_the_end {
            let (previous, leave) = (self.ctx.key(Action::PreviousInQueue), self.ctx.key(Action::Back));
            self.ctx.notify(if last == 0 {
                format!("This is the only one: {leave} leaves")
            } else {
                format!("This is the last one: {previous} goes back, {leave} leaves")
            });
        }
    }

    /// Moves to a report of the queue, for another decision about it.
    pub(crate) fn return_in_queue(&mut self, id: &ReportId) {
        if let Some(queue) = self.queue_mut()
            && let Some(at) = queue.ids.iter().position(|queued| queued == id)
        {
            queue.at = at;
        }
    }

    /// Moves to the next open report, wrapping around.
    pub(crate) fn next_open_in_queue(&mut self) {
        let Some(queue) = self.queue() else { return };
        let count = queue.ids.len();
        let next = (1..=count).map(|step| (queue.at + step) % count).find(|at| !self.is_settled(&queue.ids[*at]));
        if let Some(at) = next {
            if let Some(queue) = self.queue_mut() {
                queue.at = at;
            }
        } else {
            self.close_queue();
            self.ctx.notify(format!("The queue is done: {} settled", counted(count as u64, "report")));
        }
    }

    /// Closes the queue, and moves the cursor to its current report if that is shown.
    pub(crate) fn close_queue(&mut self) {
        let Some(at) = self.overlays.iter().position(|overlay| matches!(overlay, Overlay::Queue(_))) else { return };
        let Overlay::Queue(queue) = self.overlays.remove(at) else { return };
        self.ctx.notify(format!("{} of {} settled", grouped(self.settled(&queue)), grouped(queue.ids.len() as u64)));
        self.put_cursor_on(&queue.ids[queue.at.min(queue.ids.len() - 1)]);
    }

    /// Moves the cursor to a report. Returns false if it is not shown.
    pub(crate) fn put_cursor_on(&mut self, id: &ReportId) -> bool {
        let Some(at) = self.reports.index_of(id) else { return false };
        self.reports.choose_row(at, self.ctx.layout.reports);
        true
    }
}
