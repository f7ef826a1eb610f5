//! Changes since you last looked: what got worse, better, new, gone, and what nobody tested for long.
//!
//! Each list that came to its end is compared with the last one of an earlier run, beside the loop and with what this
//! machine remembers. The rules are in `domain::since`. Must not know where snapshots are kept.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::{ListCursor, Overlay};
use crate::app::triage::missing::{self, MissingReports};
use crate::domain::failure::Failure;
use crate::domain::list::rows::Rows;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::counted;
use crate::domain::triage::changes::{BadShareHistory, Comparison, ListScope};
use crate::domain::triage::priority::fallen;
use crate::input::Action;

/// After so many days without an audit a report is listed, to choose from.
const UNTESTED_DAYS: [i64; 4] = [7, 30, 90, 365];
/// What holds until the person chooses.
const USUAL_DAYS: i64 = 30;

/// The scores of some reports over time, each the oldest first.
pub type ScoreHistory = HashMap<ReportId, Vec<(Timestamp, u8)>>;

/// A list to be kept, and compared with a former one.
#[derive(Debug, Clone)]
pub struct ComparisonRequest {
    /// The rows.
    pub rows: Arc<Rows>,
    /// What they are a list of.
    pub scope: ListScope,
    /// Whether they are all there are.
    pub is_complete: bool,
    /// When they came.
    pub taken_at: Timestamp,
    /// ComparisonResult with the last list that was taken before this.
    pub before: Timestamp,
    /// How long an audit may be ago before its report is listed.
    pub untested_for: SignedDuration,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct ComparisonResult {
    /// When the former list was taken; `None` when there is none.
    pub baseline: Option<Timestamp>,
    /// What differs.
    pub comparison: Comparison,
    /// The scores of what differs, over time.
    pub scores: ScoreHistory,
    /// The URLs of what is gone, as far as they are remembered.
    pub names: HashMap<ReportId, String>,
    /// How the share of bad reports went over the last looks.
    pub trends: BadShareHistory,
}

/// A part of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum ChangeSection {
    /// Got worse.
    Regressed,
    /// Got better.
    Improved,
    /// Were not there.
    New,
    /// Are not listed any more: gone, or missing as long as nobody asked for them.
    Missing,
    /// Were not audited for long.
    Untested,
}

/// A line of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeLine {
    /// The heading of a section.
    Heading(ChangeSection),
    /// A report: its place in the section's list.
    Item(ChangeSection, usize),
}

/// Nothing in any section.
const NOTHING: [(ChangeSection, usize); 5] = [
    (ChangeSection::Regressed, 0),
    (ChangeSection::Improved, 0),
    (ChangeSection::New, 0),
    (ChangeSection::Missing, 0),
    (ChangeSection::Untested, 0),
];

/// What is known of what changed.
#[derive(Debug)]
pub struct Changes {
    /// What came of the last comparison.
    pub compared: Option<ComparisonResult>,
    /// What it was about.
    pub scope: ListScope,
    /// What lost points, for the order of work.
    pub fallen: Arc<HashMap<ReportId, u16>>,
    /// How many reports each section lists. The lines of the view follow from it: there may be 100,000.
    counts: [(ChangeSection, usize); 5],
    /// Lists taken before this are former ones.
    before: Timestamp,
    /// The baselines that were left for an earlier one, to go back to.
    later: Vec<Timestamp>,
    days: i64,
    asked: Option<(RequestId, ListScope)>,
    /// What is known of the reports that are not listed any more.
    pub(crate) missing: MissingReports,
}

impl Changes {
    /// Nothing was compared yet; everything before now is former.
    pub fn new(now: Timestamp) -> Self {
        Self {
            compared: None,
            scope: ListScope::default(),
            fallen: Arc::default(),
            counts: NOTHING,
            before: now,
            later: Vec::new(),
            days: USUAL_DAYS,
            asked: None,
            missing: MissingReports::default(),
        }
    }

    /// Whether a missing report is known to be gone.
    pub fn is_gone(&self, id: &ReportId) -> bool {
        self.missing.is_gone(id)
    }

    /// How many of the missing reports are known to be gone.
    pub fn gone_count(&self) -> usize {
        let missing = self.compared.as_ref().map(|compared| compared.comparison.gone.as_slice()).unwrap_or_default();
        missing.iter().filter(|one| self.is_gone(&one.id)).count()
    }

    /// The same before anything was compared, with the days that the person chose.
    pub(crate) fn of_another_service(&self, now: Timestamp) -> Self {
        Self { days: self.days, ..Self::new(now) }
    }

    /// How many days an audit may be ago before its report is listed.
    pub fn untested_days(&self) -> i64 {
        self.days
    }

    /// Lists what was not tested for so many days.
    pub fn list_untested_for(&mut self, days: u16) {
        self.days = i64::from(days);
    }

    /// How many reports a section lists.
    pub fn count(&self, section: ChangeSection) -> usize {
        self.counts.iter().find(|(of, _)| *of == section).map_or(0, |(_, count)| *count)
    }

    /// How many lines the view has: each section has a heading.
    pub fn line_count(&self) -> usize {
        if self.compared.is_none() { 0 } else { self.counts.iter().map(|(_, count)| count + 1).sum() }
    }

    /// The line at a place of the view.
    pub fn line(&self, at: usize) -> Option<ChangeLine> {
        self.compared.as_ref()?;
        let mut left = at;
        for (section, count) in self.counts {
            match left.checked_sub(1) {
                None => return Some(ChangeLine::Heading(section)),
                Some(item) if item < count => return Some(ChangeLine::Item(section, item)),
                Some(item) => left = item - count,
            }
        }
        None
    }

    /// The report of a line.
    pub fn id(&self, line: ChangeLine) -> Option<&ReportId> {
        let ChangeLine::Item(section, at) = line else { return None };
        let comparison = &self.compared.as_ref()?.comparison;
        Some(match section {
            ChangeSection::Regressed => &comparison.regressed.get(at)?.id,
            ChangeSection::Improved => &comparison.improved.get(at)?.id,
            ChangeSection::New => &comparison.new.get(at)?.id,
            ChangeSection::Missing => &comparison.gone.get(at)?.id,
            ChangeSection::Untested => &comparison.untested.get(at)?.id,
        })
    }

    /// Counts anew what each section lists.
    pub(crate) fn list(&mut self, now: Timestamp) {
        let Some(compared) = &self.compared else { return };
        let comparison = &compared.comparison;
        let limit = SignedDuration::from_hours(24 * self.untested_days());
        // The oldest come first.
        let untested = comparison.untested.partition_point(|one| now.duration_since(one.generated_at) > limit);
        self.counts = [
            (ChangeSection::Regressed, comparison.regressed.len()),
            (ChangeSection::Improved, comparison.improved.len()),
            (ChangeSection::New, comparison.new.len()),
            (ChangeSection::Missing, comparison.gone.len()),
            (ChangeSection::Untested, untested),
        ];
    }
}

impl App {
    /// A list came to its end: it is kept, and compared with the former one.
    pub(crate) fn compare_with_former(&mut self) {
        let listing = self.reports.loading();
        let scope = ListScope::of(&listing.query);
        let is_wider = scope == ListScope::default() || self.since.scope != ListScope::default();
        if listing.from_memory || (self.since.compared.is_some() && !is_wider) {
            // What is known of all reports is not given up for a part of them.
            return;
        }
        let wanted = ComparisonRequest {
            rows: Arc::clone(&listing.rows),
            is_complete: listing.is_complete(),
            taken_at: listing.as_of.unwrap_or(self.now),
            before: self.since.before,
            untested_for: SignedDuration::from_hours(24 * UNTESTED_DAYS[0].min(self.since.days)),
            scope,
        };
        let request = self.next_request();
        self.since.asked = Some((request, wanted.scope.clone()));
        self.effects.push(Effect::Compare(request, Box::new(wanted)));
    }

    /// Takes a comparison.
    pub(crate) fn on_compared(&mut self, request: RequestId, result: Result<ComparisonResult, Failure>) {
        let Some((_, scope)) = self.since.asked.take_if(|(waiting, _)| *waiting == request) else { return };
        let compared = match result {
            Ok(compared) => compared,
            Err(failure) => return self.tell_failure(&failure),
        };
        let names = self.since.compared.take().map(|former| former.names).unwrap_or_default();
        let mut compared = compared;
        for (id, name) in names {
            compared.names.entry(id).or_insert(name);
        }
        self.since.fallen = Arc::new(fallen(&compared.comparison));
        self.since.scope = scope;
        let missing: Vec<ReportId> =
            compared.comparison.gone.iter().map(|one| one.id.clone()).take(missing::MOST_ASKED_FOR).collect();
        self.since.compared = Some(compared);
        self.since.list(self.now);
        for id in missing {
            self.ask_for_missing(id);
        }
        if self.reports.sort.0 == crate::domain::list::columns::Column::Work {
            self.arrange();
        }
    }

    /// The scores of a report over time, the oldest first: those that the service keeps, else those that this machine
    /// saw.
    pub fn scores(&self, report: &Report) -> Vec<u8> {
        let kept: Vec<u8> = report.history().iter().rev().filter_map(|former| former.score).collect();
        if !kept.is_empty() {
            return kept.into_iter().chain(report.score).collect();
        }
        let seen = self.since.compared.as_ref().and_then(|compared| compared.scores.get(&report.id));
        seen.map(|scores| scores.iter().map(|(_, score)| *score).collect()).unwrap_or_default()
    }

    /// How the share of bad reports went, in percent, the oldest look first: of a project or of all. Nothing before there
    /// were two looks.
    pub fn trend(&self, project: Option<&str>) -> Option<&[u8]> {
        let trends = &self.since.compared.as_ref()?.trends;
        let trend = match project {
            Some(project) => trends.projects.get(project)?,
            None => &trends.all,
        };
        (trend.len() > 1).then_some(trend.as_slice())
    }

    /// `L`: opens the view.
    pub(crate) fn open_since(&mut self) {
        self.overlays.push(Overlay::Changes(ListCursor { at: 1, ..ListCursor::default() }));
    }

    fn since_line(&self) -> Option<ChangeLine> {
        let Some(Overlay::Changes(cursor)) = self.overlays.last() else { return None };
        self.since.line(cursor.at)
    }

    /// Opens the report of the line under the cursor; what the filter hides is shown again.
    pub(crate) fn open_changed(&mut self) {
        let Some(id) = self.since_line().and_then(|line| self.since.id(line)).cloned() else { return };
        if self.reports.listing.row(&id).is_none() {
            if self.since.is_gone(&id) {
                return self.tell("This report is gone: the service does not know it any more".to_owned());
            }
            self.tell("This report is not in the list: the service is asked for it".to_owned());
            return self.ask_for_missing(id);
        }
        self.overlays.pop();
        if !self.put_cursor_on(&id) {
            self.reports.cursor = Some(id);
            self.set_filter("");
            self.tell(format!("The filter hid this report ({} puts it back)", self.key(Action::Undo)));
        }
        self.focus_on(crate::app::frame_layout::Pane::Report);
    }

    /// Marks the report of the line under the cursor, or with it the whole section.
    pub(crate) fn mark_changed(&mut self, all: bool) {
        let Some(line) = self.since_line() else { return };
        let (ChangeLine::Heading(section) | ChangeLine::Item(section, _)) = line;
        // On a heading a mark can only mean all that stands under it.
        let all = all || matches!(line, ChangeLine::Heading(_));
        let items = (0..self.since.count(section)).map(|at| ChangeLine::Item(section, at));
        let ids = items.filter(|item| all || *item == line).filter_map(|item| self.since.id(item));
        let ids: Vec<ReportId> = ids.filter(|id| self.reports.listing.row(id).is_some()).cloned().collect();
        if ids.is_empty() {
            return self.tell("There is no report of the list to mark here".to_owned());
        }
        let marked = counted(ids.len() as u64, "report");
        self.mark(ids);
        self.tell(format!(
            "{marked} marked: Esc goes to the list, {} says what can be done",
            self.key(Action::Actions)
        ));
        if !all {
            self.go(crate::app::list_window::CursorMove::By(1));
        }
    }

    /// Lists what was not tested for longer, or from the shortest time on again.
    pub(crate) fn step_untested_days(&mut self) {
        let longer = UNTESTED_DAYS.into_iter().find(|days| *days > self.since.days);
        self.since.days = longer.unwrap_or(UNTESTED_DAYS[0]);
        self.since.list(self.now);
        if let Some(Overlay::Changes(cursor)) = self.overlays.last_mut() {
            cursor.go(crate::app::list_window::CursorMove::By(0), self.since.line_count(), self.drawn.overlay);
        }
        let days = self.since.untested_days();
        self.tell(format!("Not tested for {days} days: {}", self.since.count(ChangeSection::Untested)));
    }

    /// Compares with the list before the former one, or goes back to a later one.
    pub(crate) fn step_baseline(&mut self, earlier: bool) {
        if earlier {
            let baseline = self.since.compared.as_ref().and_then(|compared| compared.baseline);
            let Some(baseline) = baseline else { return self.tell("No earlier list is remembered".to_owned()) };
            self.since.later.push(self.since.before);
            self.since.before = baseline;
        } else {
            let Some(later) = self.since.later.pop() else {
                return self.tell("This is the latest list of an earlier look".to_owned());
            };
            self.since.before = later;
        }
        self.compare_again();
    }

    /// All of it was seen: from now on only what comes is told.
    pub(crate) fn all_seen(&mut self) {
        self.since.before = self.now;
        self.since.later.clear();
        self.compare_again();
        self.tell(format!(
            "Seen: from here on only what changes is listed ({} looks again)",
            self.key(Action::Refresh)
        ));
    }

    fn compare_again(&mut self) {
        // The list that was compared is wanted again, whatever it is a list of.
        self.since.scope = ListScope::of(&self.reports.loading().query);
        self.compare_with_former();
    }
}
