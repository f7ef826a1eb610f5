//! Plans of bulk runs, shown for confirmation.
//!
//! The targets are fixed when the plan is made; later refreshes, sorting or filtering do not change them.

use std::collections::HashSet;
use std::time::Duration;

use super::bulk::MOST_IN_FLIGHT;
use crate::app::App;
use crate::app::overlays::dialog::Question;
use crate::app::undo::UndoDirection;
use crate::domain::activity::Exchange;
use crate::domain::bulk::{BulkItem, BulkOperation, BulkTargets, ItemState, Plan, summary};
use crate::domain::desk::Role;
use crate::domain::report::ReportId;
use crate::domain::report::privacy::Privacy;
use crate::input::Action;

/// The assumed duration of a re-run until one was measured.
const USUAL_AUDIT: Duration = Duration::from_secs(3);
/// The assumed duration of any other write.
const USUAL_WRITE: Duration = Duration::from_millis(200);
/// The number of recent exchanges used to estimate the duration of a write.
const LATEST: usize = 9;

impl App {
    /// Plans an operation for reports, and asks for confirmation.
    pub(crate) fn plan(&mut self, operation: BulkOperation, targets: &BulkTargets) {
        if let Some(reason) = self.plan_disabled_reason(&operation) {
            return self.ctx.notify(reason);
        }
        self.reports.end_range(&mut self.ctx);
        let rows = targets.ids.iter().filter_map(|id| self.reports.listing.row(id));
        let pending = self.pending_ids().collect();
        let plan = Plan::new(operation, rows, |id| self.busy_reason(id, &pending));
        if plan.changes() == 0 {
            return self.ctx.notify(format!("Nothing to do: {}", summary::why_nothing(&plan)));
        }
        self.ask_plan(plan, targets.about.clone(), None);
    }

    /// Plans the run that restores the privacy of reports after another run. Those that someone else has changed since
    /// stay as they are.
    pub(crate) fn plan_restoring(&mut self, items: Vec<BulkItem>, privacy: Privacy, direction: UndoDirection) {
        let operation = BulkOperation::Privacy { privacy, password: None };
        let former = items.first().and_then(|item| item.before.parse().ok()).unwrap_or(privacy);
        let (word, named) = match direction {
            UndoDirection::Undo => ("Undoes", former),
            UndoDirection::Redo => ("Redoes", privacy),
        };
        let about = format!("{word}: {}", BulkOperation::Privacy { privacy: named, password: None }.verb());
        if let Some(reason) = self.plan_disabled_reason(&operation) {
            return self.ctx.notify(reason);
        }
        let pending = self.pending_ids().collect();
        if let Some(reason) = items.iter().find_map(|item| self.busy_reason(&item.id, &pending)) {
            return self.ctx.notify(format!("One of these reports {reason}"));
        }
        let skip = |item: &BulkItem| {
            if let Some(reason) = self.reports.gone_reason(&item.id) {
                return Some(reason.to_owned());
            }
            let now = self.reports.listing.row(&item.id)?.privacy?.name();
            (now != item.before).then(|| format!("was set to {now} since"))
        };
        let state = |item: &BulkItem| skip(item).map_or(ItemState::Waiting, ItemState::Skipped);
        let items = items.into_iter().map(|item| BulkItem { state: state(&item), ..item }).collect();
        let plan = Plan { operation, items };
        if plan.changes() == 0 {
            // It would hide the steps below it.
            self.ctx.undo.steps(direction).pop();
            let not_done = direction.not_done();
            return self.ctx.notify(format!("{not_done}: these reports were deleted, or set to another privacy since"));
        }
        self.ask_plan(plan, Some(about), Some(direction));
    }

    /// Returns why a report cannot be changed now. `pending` are those about to be deleted.
    fn busy_reason(&self, id: &ReportId, pending: &HashSet<&ReportId>) -> Option<&'static str> {
        let is_writing = self.is_writing(id).then_some("is being updated");
        is_writing.or_else(|| pending.contains(id).then_some("is about to be deleted"))
    }

    pub(super) fn plan_disabled_reason(&self, operation: &BulkOperation) -> Option<String> {
        let needed = if matches!(operation, BulkOperation::Rerun) { Role::Triage } else { Role::Admin };
        let reason = self.role_reason(needed).or_else(|| self.run_disabled_reason());
        reason.or_else(|| self.cached_rows_reason())
    }

    fn ask_plan(&mut self, plan: Plan, about: Option<String>, direction: Option<UndoDirection>) {
        let limit = self.ctx.activity.iter().find_map(|exchange| exchange.limit);
        let takes = plan.duration(self.usual_duration(&plan.operation), MOST_IN_FLIGHT, limit);
        self.ask(Question::Bulk { plan: Box::new(plan), takes, about, direction });
    }

    pub(super) fn run_disabled_reason(&self) -> Option<String> {
        let Some(bulk) = self.jobs.active_run() else { return self.write_disabled_reason() };
        let (verb, key) = (bulk.run.operation.progress_verb(), self.ctx.key(Action::Actions));
        Some(format!("Still {verb} other reports: {key} shows the progress"))
    }

    /// Returns how long this kind of write took lately.
    fn usual_duration(&self, operation: &BulkOperation) -> Duration {
        let median = |is_alike: &dyn Fn(&Exchange) -> bool| {
            let answered = self.ctx.activity.iter().filter(|exchange| exchange.status.is_some());
            let alike = answered.filter(|exchange| is_alike(exchange));
            let mut times: Vec<Duration> = alike.take(LATEST).map(|exchange| exchange.took).collect();
            times.sort_unstable();
            times.get(times.len() / 2).copied()
        };
        let without_audit = |method| median(&move |exchange| exchange.method == method && !exchange.audits);
        // Until a write was measured, it is assumed to take as long as reading a page of the list.
        let write = |method| without_audit(method).or_else(|| without_audit("GET")).unwrap_or(USUAL_WRITE);
        match operation {
            BulkOperation::Rerun => median(&|exchange| exchange.audits).unwrap_or(USUAL_AUDIT),
            BulkOperation::Privacy { .. } => write("PUT"),
            BulkOperation::Delete => write("DELETE"),
        }
    }
}
