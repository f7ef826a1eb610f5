//! The lines of the overview and their targets. Its counts are computed on another thread while it is open.

use std::sync::Arc;

use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::{ListCursor, NOTHING_TO_OPEN, Overlay, cursors};
use crate::app::overview::state::CountedInput;
use crate::domain::event_log::line::LogLine;
use crate::domain::list::filter::quoted;
use crate::domain::list::query::{ReportQuery, ResultFilter};
use crate::domain::overview::{Event, EventKind, MOST_LINES, Overview, OverviewBlock, OverviewTarget};

impl App {
    /// Opens the overview.
    pub(crate) fn open_overview(&mut self) {
        self.overview.counted = CountedInput::default();
        self.overlays.push(Overlay::Overview(ListCursor::default()));
    }

    /// Recounts the open overview if its inputs changed. While a list grows, only when it has doubled.
    pub(crate) fn count_overview(&mut self) {
        let is_open = self.overlays.iter().any(|overlay| matches!(overlay, Overlay::Overview(_)));
        if !is_open || self.overview.request.is_some() {
            return;
        }
        let (rows, counted) = (&self.reports.listing.rows, &self.overview.counted);
        let input = CountedInput {
            rows: Arc::downgrade(rows),
            project: self.reports.scope.clone(),
            triages: Arc::downgrade(&self.triage.states.triages),
            fallen: Arc::downgrade(&self.triage.changes.fallen),
            len: rows.len(),
        };
        let grows = self.reports.is_loading() && input.len < 2 * counted.len;
        let is_same = (grows || input.rows.ptr_eq(&counted.rows))
            && input.project == counted.project
            && input.triages.ptr_eq(&counted.triages)
            && input.fallen.ptr_eq(&counted.fallen);
        if is_same && self.overview.counts.is_some() {
            return;
        }
        let (rows, project, context) = (Arc::clone(rows), input.project.clone(), self.triage.row_context(&self.ctx));
        self.overview.counted = input;
        let request = self.ctx.next_request();
        self.overview.request = Some(request);
        self.ctx.effects.push(Effect::CountOverview(request, rows, project, context));
    }

    /// Handles the counts, and updates the latest events.
    pub(crate) fn on_overview(&mut self, request: RequestId, counts: Box<Overview>) {
        if self.overview.request.take_if(|waiting| *waiting == request).is_none() {
            return;
        }
        self.overview.counts = Some(counts);
        self.list_latest();
        let last = self.overview_lines().len().saturating_sub(1);
        for cursor in cursors(&mut self.overlays, |overlay| matches!(overlay, Overlay::Overview(_))) {
            cursor.at = cursor.at.min(last);
        }
    }

    /// Lists the latest events: audits, and lines of the log.
    pub(crate) fn list_latest(&mut self) {
        let Some(counts) = &self.overview.counts else { return };
        let event = |line: &LogLine| {
            let target = if line.reports.is_empty() {
                OverviewTarget::Nothing
            } else {
                OverviewTarget::Reports(line.reports.clone())
            };
            let kind = EventKind::Logged { author: line.last.author.clone(), text: line.text() };
            Event { at: line.last.at, kind, target }
        };
        let mut latest: Vec<Event> =
            self.log.lines.iter().take(MOST_LINES).map(event).chain(counts.audits.iter().cloned()).collect();
        latest.sort_by_key(|event| std::cmp::Reverse(event.at));
        latest.truncate(MOST_LINES);
        self.overview.latest = latest;
    }

    /// Returns the lines of the overview with their targets, block by block. None without a loaded report, unless the
    /// service has none.
    pub fn overview_lines(&self) -> Vec<(OverviewBlock, OverviewTarget)> {
        let is_known = self.reports.listing.is_complete() || self.reports.listing.loaded() > 0;
        let Some(counts) = self.overview.counts.as_ref().filter(|_| is_known) else { return Vec::new() };
        let targets = |block: OverviewBlock| {
            let mut targets = match block {
                OverviewBlock::Changes => vec![OverviewTarget::Changes],
                OverviewBlock::Latest => self.overview.latest.iter().map(|event| event.target.clone()).collect(),
                OverviewBlock::Results
                | OverviewBlock::Projects
                | OverviewBlock::Checks
                | OverviewBlock::Work
                | OverviewBlock::History
                | OverviewBlock::Scores => counts.targets(block),
            };
            if targets.is_empty() {
                targets.push(OverviewTarget::Nothing);
            }
            targets.into_iter().map(move |target| (block, target))
        };
        OverviewBlock::iter().flat_map(targets).collect()
    }

    /// Opens the target of the line under the cursor.
    pub(crate) fn open_overview_line(&mut self) {
        let Some(Overlay::Overview(cursor)) = self.overlays.last() else { return };
        match self.overview_lines().into_iter().nth(cursor.at).map(|(_, target)| target) {
            Some(OverviewTarget::Rows(terms)) => {
                let mut text = base_filter(&self.reports.listing.query, self.reports.scope.is_some());
                text.push_str(&terms);
                self.overlays.pop();
                self.show_filtered(&text);
            }
            Some(OverviewTarget::Report(id)) => self.show_report(id),
            Some(OverviewTarget::Reports(ids)) => self.open_reports(&ids),
            Some(OverviewTarget::Changes) => self.open_changes(),
            Some(OverviewTarget::FetchChecks) => {
                let unknown = self.overview.counts.as_ref().map(|counts| counts.unknown_checks.clone());
                self.fetch_checks(unknown.unwrap_or_default());
            }
            Some(OverviewTarget::Nothing) | None => self.ctx.notify(NOTHING_TO_OPEN),
        }
    }
}

/// Returns the filter terms that select the loaded list, each followed by a space. The open project stays as it is.
fn base_filter(query: &ReportQuery, has_scope: bool) -> String {
    let project = query.project.as_ref().filter(|_| !has_scope).map(|name| format!("project:{}", quoted(name)));
    let search = query.search.as_deref().map(quoted);
    let result = query.result.map(|result: ResultFilter| format!("result:{}", result.name()));
    [project, search, result].into_iter().flatten().map(|term| term + " ").collect()
}
