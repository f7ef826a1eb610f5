//! The causes screen: what the shown bad reports have in common, by check, project, URL and set of checks.
//!
//! Computed on another thread, and again when the rows change while the screen is open.

use std::cmp::Reverse;
use std::sync::Arc;

use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::{NOTHING_TO_OPEN, Overlay, cursors};
use crate::app::triage::{CauseTarget, CausesState};
use crate::domain::bulk::BulkTargets;
use crate::domain::list::filter::{Filter, with_term};
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::text::numbers::counted;
use crate::domain::triage::causes::CauseGroup;
use crate::domain::triage::causes::lines::{CauseBlock, CauseScope, FoundCauses};
use crate::domain::triage::changes::ListScope;

/// The most reports whose unknown checks are fetched automatically.
const MOST_UNASKED: usize = 300;

impl App {
    /// Whether the causes screen is open, possibly below other overlays.
    pub(crate) fn shows_causes(&self) -> bool {
        self.overlays.iter().any(|overlay| matches!(overlay, Overlay::Causes(_)))
    }

    /// Computes the causes when the screen is opened, and again if the shown rows change while it is open. Waits while
    /// checks are being fetched or a list is loading. Drops the causes when the screen is closed.
    pub(crate) fn find_causes(&mut self) {
        if !self.shows_causes() {
            self.triage.causes = CausesState::default();
            return;
        }
        if self.triage.causes.request.is_some() || self.reports.arranging.is_some() {
            return;
        }
        let (rows, causes) = (&self.reports.listing.rows, &self.triage.causes);
        let is_same =
            std::ptr::eq(causes.rows.as_ptr(), Arc::as_ptr(rows)) && causes.shown == self.reports.shown_changes;
        let waits = self.jobs.checks.fetch.is_some() || self.reports.is_loading();
        if causes.found.is_some() && (is_same || waits) {
            return;
        }
        (self.triage.causes.rows, self.triage.causes.shown) = (Arc::downgrade(rows), self.reports.shown_changes);
        let (rows, shown) = (Arc::clone(rows), self.reports.shown.clone());
        let request = self.ctx.next_request();
        self.triage.causes.request = Some(request);
        self.ctx.effects.push(Effect::FindCauses(request, rows, shown));
    }

    /// Handles the computed causes. A small number of unknown checks is fetched automatically.
    pub(crate) fn on_causes(&mut self, request: RequestId, mut found: Box<FoundCauses>) {
        if self.triage.causes.request.take_if(|waiting| *waiting == request).is_none() {
            return;
        }
        let is_first = self.triage.causes.found.is_none();
        if is_first && (1..=MOST_UNASKED).contains(&found.unknown.len()) {
            self.fetch_checks(found.unknown.clone());
        }
        let weight = |id: &str| self.ctx.explanations.get(id).map_or(0, |known| known.importance.weight());
        // Among equal counts the more important check comes first.
        found.checks.sort_by_key(|line| (Reverse(line.reports()), Reverse(weight(&line.label))));
        self.triage.causes.found = Some(found);
        let last = self.cause_lines().len().saturating_sub(1);
        for cursor in cursors(&mut self.overlays, |overlay| matches!(overlay, Overlay::Causes(_))) {
            cursor.at = cursor.at.min(last);
        }
    }

    /// Returns the lines of the screen with their targets, block by block.
    pub fn cause_lines(&self) -> Vec<(CauseBlock, CauseTarget)> {
        let Some(found) = &self.triage.causes.found else { return Vec::new() };
        let targets = |block: CauseBlock| {
            let unknown = block == CauseBlock::Checks && !found.unknown.is_empty();
            let reports = (0..found.lines(block).len()).map(CauseTarget::Reports);
            let mut targets: Vec<CauseTarget> =
                unknown.then_some(CauseTarget::UnknownChecks).into_iter().chain(reports).collect();
            if targets.is_empty() {
                targets.push(CauseTarget::Nothing);
            }
            targets.into_iter().map(move |target| (block, target))
        };
        CauseBlock::iter().flat_map(targets).collect()
    }

    /// How many of the examined reports failed a check at the earlier look, if comparable.
    pub fn failed_before(&self, check: &str) -> Option<u64> {
        let found = self.triage.causes.found.as_ref().filter(|found| found.unknown.is_empty())?;
        match found.scope.as_ref()? {
            CauseScope::All => self.failed_before_in_list(check),
            CauseScope::Project(project) => self.failed_before_in_project(check, project),
        }
    }

    /// How many bad reports of the list, or of the open project, failed a check at the earlier look, if comparable.
    pub fn failed_before_in_list(&self, check: &str) -> Option<u64> {
        match &self.reports.scope {
            Some(project) if self.triage.changes.scope == ListScope::default() => {
                self.failed_before_in_project(check, project.raw())
            }
            Some(_) | None => {
                let failing = self.compared_list()?.failing.as_ref().filter(|_| self.reports.listing.is_complete())?;
                Some(failing.all.get(check).copied().unwrap_or_default())
            }
        }
    }

    fn failed_before_in_project(&self, check: &str, project: &str) -> Option<u64> {
        let (compared, is_of_all) =
            (self.triage.changes.compared.as_ref()?, self.triage.changes.scope == ListScope::default());
        let failing = compared.failing.as_ref().filter(|_| is_of_all && self.reports.listing.is_complete())?;
        // Projects without bad reports are not among the counts.
        Some(failing.projects.get(project).and_then(|counts| counts.get(check)).copied().unwrap_or_default())
    }

    /// Returns the target of the line under the cursor; `None` unless the screen is on top.
    fn cause_target(&self) -> Option<(CauseBlock, CauseTarget)> {
        let Some(Overlay::Causes(cursor)) = self.overlays.last() else { return None };
        self.cause_lines().get(cursor.at).copied()
    }

    /// Returns the cause on the line under the cursor.
    fn cause_line(&self) -> Option<&CauseGroup> {
        let (block, target) = self.cause_target()?;
        let CauseTarget::Reports(at) = target else { return None };
        self.triage.causes.found.as_ref()?.lines(block).get(at)
    }

    /// Filters the list to the reports of the line under the cursor.
    pub(crate) fn open_cause(&mut self) {
        if let Some((_, CauseTarget::UnknownChecks)) = self.cause_target() {
            return self.fetch_unknown_checks();
        }
        let Some(line) = self.cause_line().cloned() else { return self.ctx.notify(NOTHING_TO_OPEN) };
        self.close_lists();
        let text = with_term(self.reports.filter_line.value(), "result:bad");
        self.show_filtered(&with_term(&text, &line.filter));
    }

    /// Returns why the unknown checks cannot be fetched now.
    pub fn unknown_checks_reason(&self) -> Option<String> {
        let is_cached = self.reports.listing.is_cached;
        self.ctx.unreachable_reason().or_else(|| is_cached.then(|| "The list has not been read yet".to_owned()))
    }

    fn fetch_unknown_checks(&mut self) {
        if let Some(reason) = self.unknown_checks_reason() {
            return self.ctx.notify(reason);
        }
        if self.jobs.checks.fetch.is_some() {
            self.ctx.notify("The checks are being fetched");
        } else if self.triage.causes.were_fetched {
            self.ctx.notify("The service did not send these checks: they are fetched again");
        }
        let unknown = self.triage.causes.found.as_ref().map(|found| found.unknown.clone());
        self.fetch_checks(unknown.unwrap_or_default());
    }

    /// Returns the shown bad reports of the line under the cursor.
    fn cause_members(&self) -> Vec<ReportId> {
        let Some(line) = self.cause_line() else { return Vec::new() };
        let (filter, now) = (Filter::parse(&line.filter), self.ctx.now);
        let triages = &self.triage.states.triages;
        let rows = (0..self.reports.shown.len()).filter_map(|at| self.reports.shown_row(at));
        rows.filter(|row| row.outcome == Outcome::Bad && filter.keeps(row, triages, now))
            .map(|row| row.id.clone())
            .collect()
    }

    /// Returns the targets of bulk actions on the causes screen; `None` elsewhere.
    pub(crate) fn cause_targets(&self) -> Option<BulkTargets> {
        if !matches!(self.overlays.last(), Some(Overlay::Causes(_))) {
            return None;
        }
        let ids = self.cause_members();
        let about = self.cause_line().map(|line| format!("{}: {}", line.label, counted(ids.len() as u64, "report")));
        Some(BulkTargets { ids, about })
    }

    /// Marks the reports of the line under the cursor.
    pub(crate) fn mark_cause(&mut self) {
        let ids = self.cause_members();
        if ids.is_empty() {
            return self.ctx.notify("No reports on this line");
        }
        self.toggle_marks_outside_the_list(ids);
    }

    /// Marks reports on a screen above the list, and tells that the list has the actions for them. Unmarks them if all
    /// are marked.
    pub(crate) fn toggle_marks_outside_the_list(&mut self, ids: Vec<ReportId>) {
        let reports = counted(ids.len() as u64, "report");
        let are_marked = self.reports.toggle_marks(ids, &mut self.ctx);
        let what = if are_marked { "marked: the list has the actions for them" } else { "unmarked" };
        self.ctx.notify(format!("{reports} {what}"));
    }
}
