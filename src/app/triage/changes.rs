//! The changes view: reports that got worse, got better, are new, missing or not audited for a long time since the last
//! look.
//!
//! Each complete list is compared with the last one of an earlier run, on another thread.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::ctx::Ctx;
use crate::app::effect::{Effect, RequestId};
use crate::app::list_window::CursorMove;
use crate::app::overlays::{ListCursor, NOTHING_TO_OPEN, Overlay, cursors};
use crate::app::panes::reports::listing::Listing;
use crate::app::triage::change_sections::{ChangeLine, ChangeSection, Changes, UNTESTED_DAYS};
use crate::app::triage::missing;
use crate::app::undo::UndoStep;
use crate::domain::event_log::LogKind;
use crate::domain::failure::Failure;
use crate::domain::list::columns::Column;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::age::relative;
use crate::domain::text::numbers::counted;
use crate::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use crate::domain::triage::changes::{ListScope, ResultChange, add_score};
use crate::domain::triage::urgency::lost_points;
use crate::input::Action;

const NOTHING_TO_MARK: &str = "No listed report to mark here";

impl Changes {
    /// Compares a completely read list with that of the last look.
    pub(crate) fn compare(&mut self, listing: &Listing, ctx: &mut Ctx) {
        let scope = ListScope::of(&listing.query);
        let is_wider = scope == ListScope::default() || self.scope != ListScope::default();
        if listing.is_cached || (self.compared.is_some() && !is_wider) {
            // A comparison of all reports is not replaced by one of a part.
            return;
        }
        let wanted = ComparisonRequest {
            rows: Arc::clone(&listing.rows),
            is_complete: listing.is_complete(),
            taken_at: listing.as_of.unwrap_or(ctx.now),
            before: self.before,
            unseen: self.unseen,
            untested_for: SignedDuration::from_hours(24 * i64::from(UNTESTED_DAYS[0].min(self.untested_days))),
            scope,
        };
        let request = ctx.next_request();
        self.request = Some((request, wanted.scope.clone()));
        ctx.effects.push(Effect::Compare(request, Box::new(wanted)));
    }
}

impl App {
    /// Returns the URL of a report in the changes, from the loaded or cached rows, or else its id.
    pub fn changed_name(&self, id: &ReportId) -> String {
        let names = self.triage.changes.compared.as_ref().map(|compared| &compared.names);
        match names.and_then(|names| names.get(id)).filter(|_| self.reports.listing.row(id).is_none()) {
            Some(name) => name.clone(),
            None => self.name_of(id),
        }
    }

    /// Returns why the list is not compared, if that failed. There may be an earlier list.
    pub fn comparison_problem(&self) -> Option<String> {
        self.triage.changes.failure.clone().or_else(|| self.ctx.journal_problem())
    }

    /// Handles the result of a comparison.
    pub(crate) fn on_comparison(&mut self, request: RequestId, result: Result<Box<ComparisonResult>, Failure>) {
        let Some((_, scope)) = self.triage.changes.request.take_if(|(waiting, _)| *waiting == request) else { return };
        let mut compared = match result {
            Ok(compared) => compared,
            Err(failure) => {
                self.triage.changes.failure = Some(failure.message.clone());
                return self.ctx.notify_failure(&failure);
            }
        };
        self.triage.changes.failure = None;
        if compared.baseline.is_none() && self.return_to_later_look() {
            return self.ctx.notify("No earlier list is stored");
        }
        let under_cursor = self.change_under_cursor();
        let under_cursor = under_cursor.and_then(|line| Some((line.section(), self.triage.changes.id(line)?.clone())));
        let former = self.triage.changes.compared.take();
        // The user compares the same list with another look, and sees the changes.
        let is_other_look = self.triage.changes.scope == scope
            && former.as_ref().is_some_and(|former| former.baseline != compared.baseline);
        if !is_other_look {
            self.announce_regressions(&compared, former.as_ref());
        }
        let names = former.map(|former| former.names).unwrap_or_default();
        for (id, name) in names {
            compared.names.entry(id).or_insert(name);
        }
        self.triage.changes.fallen = Arc::new(lost_points(&compared.comparison));
        self.triage.changes.scope = scope;
        let missing: Vec<ReportId> =
            compared.comparison.gone.iter().map(|one| one.id.clone()).take(missing::MOST_REQUESTED).collect();
        self.triage.changes.compared = Some(*compared);
        self.triage.changes.count_untested(self.ctx.now);
        self.restore_change_cursor(under_cursor);
        for id in missing {
            self.request_missing(id);
        }
        if self.reports.sort.0 == Column::Urgency {
            self.arrange();
        }
    }

    /// Tells about regressions that were not marked as seen: at the start about all, later about further ones. Those
    /// after a re-run of the user were reported then.
    fn announce_regressions(&mut self, compared: &ComparisonResult, former: Option<&ComparisonResult>) {
        let announced = former.into_iter().flat_map(|former| &former.comparison.regressed);
        let announced: HashSet<&ReportId> = announced.map(|change| &change.id).collect();
        let reruns = self.log.of_this_run.iter().filter(|entry| entry.kind == LogKind::Rerun);
        let reruns: HashSet<_> = reruns.map(|entry| (entry.report.as_ref(), entry.audited_at)).collect();
        let is_known = |change: &ResultChange| {
            announced.contains(&change.id) || reruns.contains(&(Some(&change.id), change.after.generated_at))
        };
        let worse = compared.comparison.regressed.iter().filter(|change| !is_known(change)).count() as u64;
        if let Some(at) = compared.baseline.filter(|_| worse > 0) {
            let noun = if announced.is_empty() { "report" } else { "more report" };
            let (reports, since) = (counted(worse, noun), relative(self.ctx.now, at));
            // Such as a report that the same list reopened.
            let shown = self.ctx.notice.take().map(|(notice, _)| format!("{notice} · ")).unwrap_or_default();
            self.ctx.notify(format!(
                "{shown}{reports} got worse since your last look {since}: {} shows them",
                self.ctx.key(Action::Changes)
            ));
        }
    }

    /// Returns the scores of a report over time, oldest first: from the service's history, or else from earlier
    /// snapshots.
    pub fn scores(&self, report: &Report) -> Vec<u8> {
        let kept: Vec<u8> = report.history().iter().rev().filter_map(|former| former.score).collect();
        if !kept.is_empty() {
            return kept.into_iter().chain(report.score).collect();
        }
        let seen = self.triage.changes.compared.as_ref().and_then(|compared| compared.scores.get(&report.id));
        let mut scores = seen.cloned().unwrap_or_default();
        // It may have been audited since the list was compared.
        if let Some(score) = report.score.filter(|_| !scores.is_empty()) {
            add_score(&mut scores, self.ctx.now, report.generated_at, score);
        }
        scores.into_iter().map(|(_, score)| score).collect()
    }

    /// Returns the comparison with the earlier look if it is of the whole list; `None` if it is of another list, or if
    /// only a project of the list is open.
    pub fn compared_list(&self) -> Option<&ComparisonResult> {
        let (scope, query) = (&self.reports.scope, &self.reports.listing.query);
        let is_whole = scope.as_ref().is_none_or(|project| query.project.as_deref() == Some(project.raw()));
        let is_of_list = is_whole && self.triage.changes.scope == ListScope::of(query);
        self.triage.changes.compared.as_ref().filter(|_| is_of_list)
    }

    /// Returns the percentage of bad reports of a project or of all, one value per snapshot, oldest first. `None`
    /// before the second snapshot.
    pub fn trend(&self, project: Option<&str>) -> Option<&[u8]> {
        let trends = &self.triage.changes.compared.as_ref()?.trends;
        let trend = match project {
            Some(project) => trends.projects.get(project)?,
            None => &trends.all,
        };
        (trend.len() > 1).then_some(trend.as_slice())
    }

    /// Opens the changes view.
    pub(crate) fn open_changes(&mut self) {
        self.overlays.push(Overlay::Changes(ListCursor { at: 1, ..ListCursor::default() }));
    }

    fn change_under_cursor(&self) -> Option<ChangeLine> {
        let is_open = |overlay: &Overlay| if let Overlay::Changes(cursor) = overlay { Some(cursor.at) } else { None };
        self.triage.changes.line(self.overlays.iter().find_map(is_open)?)
    }

    /// Moves the cursor along with its former line, or else keeps it within the list.
    fn restore_change_cursor(&mut self, former: Option<(ChangeSection, ReportId)>) {
        let changes = &self.triage.changes;
        let count = changes.line_count();
        let is_same = |at: &usize, (section, id): &(ChangeSection, ReportId)| {
            changes.line(*at).is_some_and(|line| line.section() == *section && changes.id(line) == Some(id))
        };
        let found = former.and_then(|former| (0..count).find(|at| is_same(at, &former)));
        for cursor in cursors(&mut self.overlays, |overlay| matches!(overlay, Overlay::Changes(_))) {
            cursor.follow_row(found.unwrap_or(cursor.at), count, self.ctx.layout.overlay);
        }
    }

    /// Opens the report of the line under the cursor.
    pub(crate) fn open_changed(&mut self) {
        let Some(id) = self.change_under_cursor().and_then(|line| self.triage.changes.id(line)).cloned() else {
            return self.ctx.notify(NOTHING_TO_OPEN);
        };
        if self.reports.listing.row(&id).is_none() {
            if self.triage.changes.is_gone(&id) {
                return self.ctx.notify("This report was deleted: the service no longer has it");
            }
            self.ctx.notify("This report is not in the list: asking the service for it");
            return self.request_missing(id);
        }
        self.show_report(id);
    }

    /// Marks the report of the line under the cursor, or its whole section.
    pub(crate) fn mark_changed(&mut self, all: bool) {
        let Some(line) = self.change_under_cursor() else { return self.ctx.notify(NOTHING_TO_MARK) };
        let section = line.section();
        // On a heading, the whole section is marked.
        let all = all || matches!(line, ChangeLine::Heading(_));
        let items = (0..self.triage.changes.count(section)).map(|at| ChangeLine::Item(section, at));
        let ids = items.filter(|item| all || *item == line).filter_map(|item| self.triage.changes.id(item));
        let ids: Vec<ReportId> = ids.filter(|id| self.reports.listing.row(id).is_some()).cloned().collect();
        if ids.is_empty() {
            return self.ctx.notify(NOTHING_TO_MARK);
        }
        self.toggle_marks_outside_the_list(ids);
        if !all {
            self.go(CursorMove::By(1));
        }
    }

    /// Steps to the next number of days without an audit, wrapping around.
    pub(crate) fn step_untested_days(&mut self) {
        let longer = UNTESTED_DAYS.into_iter().find(|days| *days > self.triage.changes.untested_days);
        self.triage.changes.untested_days = longer.unwrap_or(UNTESTED_DAYS[0]);
        self.triage.changes.count_untested(self.ctx.now);
        if let Some(Overlay::Changes(cursor)) = self.overlays.last_mut() {
            cursor.go(CursorMove::By(0), self.triage.changes.line_count(), self.ctx.layout.overlay);
        }
        let days = self.triage.changes.untested_days;
        self.ctx.notify(format!("Not re-run for {days} days: {}", self.triage.changes.count(ChangeSection::Untested)));
    }

    /// Moves the baseline to an earlier list, or back to a later one.
    pub(crate) fn step_baseline(&mut self, earlier: bool) {
        if earlier {
            let changes = &mut self.triage.changes;
            let Some(baseline) = changes.baseline() else { return self.ctx.notify("No earlier list is stored") };
            // Not if the key is pressed again before the comparison.
            if (changes.before, changes.unseen) != (baseline, false) {
                changes.later.push((changes.before, changes.unseen));
            }
            (changes.before, changes.unseen) = (baseline, false);
            self.compare_again();
        } else if !self.return_to_later_look() {
            self.ctx.notify("There is no later look");
        }
    }

    /// Compares with the look that was left for an earlier one. Returns false if there is none.
    fn return_to_later_look(&mut self) -> bool {
        let Some(later) = self.triage.changes.later.pop() else { return false };
        (self.triage.changes.before, self.triage.changes.unseen) = later;
        self.compare_again();
        true
    }

    /// Marks all changes as seen: later comparisons start from now.
    pub(crate) fn mark_all_seen(&mut self) {
        let mut undoes = String::new();
        if let Some(until) = self.triage.changes.baseline() {
            self.ctx.undo.remember(UndoStep::Seen { until, replaced: self.ctx.now });
            undoes = format!(" · {} undoes", self.ctx.key(Action::Undo));
        }
        self.see_until(self.ctx.now);
        let reload = self.ctx.key(Action::Refresh);
        self.ctx.notify(format!("Marked as seen: only newer changes are listed ({reload} reloads){undoes}"));
    }

    /// Compares with the last list of this time, also at later starts.
    pub(crate) fn see_until(&mut self, at: Timestamp) {
        // Lists of the same millisecond were seen too.
        let before = at + SignedDuration::from_millis(1);
        (self.triage.changes.before, self.triage.changes.unseen) = (before, false);
        self.ctx.effects.push(Effect::StoreSeen(at));
        self.triage.changes.later.clear();
        self.compare_again();
    }

    fn compare_again(&mut self) {
        // Compares the same list again, whatever its scope.
        let listing = self.reports.loading();
        self.triage.changes.scope = ListScope::of(&listing.query);
        self.triage.changes.compare(listing, &mut self.ctx);
    }
}
