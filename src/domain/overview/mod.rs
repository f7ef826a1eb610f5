//! The overview of a list: results, scores, projects, failing checks, open work and latest events, computed from its
//! rows and from this machine's triage data.

mod latest;
mod scores;
mod target;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use strum::IntoEnumIterator as _;

use crate::domain::list::filter::quoted;
use crate::domain::list::rows::Rows;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::urgency::{RowContext, by_urgency, points};
use crate::domain::triage::{State, StateKind};

pub use latest::{Event, EventKind};
pub use scores::{BIN, BINS, Scores};
pub use target::OverviewTarget;

/// The maximum number of lines of a block that lists projects, checks or events.
pub const MOST_LINES: usize = 30;
/// The maximum number of urgent reports listed.
const MOST_URGENT: usize = 3;
/// A report waiting longer than this is overdue.
pub const OVERDUE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A block of the overview.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum OverviewBlock {
    /// How many reports are good, decent and bad.
    Results,
    /// The changes since the last look.
    Changes,
    /// Projects, most bad reports first.
    Projects,
    /// The checks that fail in bad reports.
    Checks,
    /// Open work by state, and the most urgent reports.
    Work,
    /// The latest events.
    Latest,
    /// Bad reports over the last 30 days.
    History,
    /// The distribution of scores.
    Scores,
}

/// A project's reports by result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectResults {
    /// The project.
    pub name: Arc<Text>,
    /// Reports with a known result.
    pub counts: ResultCounts,
    /// All reports.
    pub reports: u64,
}

/// The number of reports in one triage state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateCount {
    /// The state.
    pub kind: StateKind,
    /// Reports in it.
    pub reports: u64,
    /// Reports that have been in it for longer than [`OVERDUE`].
    pub overdue: u64,
}

/// An urgent report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrgentReport {
    /// The report.
    pub id: ReportId,
    /// Its URL, shortened for the screen.
    pub url: String,
    /// Its urgency.
    pub points: u32,
    /// Its score.
    pub score: Option<u8>,
    /// When its page was audited.
    pub generated_at: Option<Timestamp>,
}

/// The content of the overview of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overview {
    /// All counted reports.
    pub reports: u64,
    /// Reports with a known result.
    pub results: ResultCounts,
    /// Reports whose page could not be fetched, by reason; reasons without reports are omitted.
    pub unfetched: Vec<(FetchFailure, u64)>,
    /// The scores.
    pub scores: Scores,
    /// Every project, most bad reports first.
    pub projects: Vec<ProjectResults>,
    /// The checks that fail in bad reports, most frequent first.
    pub failing: Vec<(CheckId, u64)>,
    /// Bad reports whose checks are unknown.
    pub unknown_checks: Vec<ReportId>,
    /// Reports that need work: not good, and new or being looked at.
    pub open: u64,
    /// Triage states other than new; states without reports are omitted.
    pub states: Vec<StateCount>,
    /// The most urgent open reports.
    pub urgent: Vec<UrgentReport>,
    /// Audits of the last day, latest first.
    pub audits: Vec<Event>,
}

impl Overview {
    /// Computes the overview of all rows, or of those of one project. Takes about 50 ms for 100,000 rows, too long for
    /// the event loop.
    pub fn of(rows: &Rows, project: Option<&Text>, context: &RowContext) -> Self {
        let is_counted = |report: &Report| project.is_none_or(|name| name.raw() == report.project.raw());
        let places =
            (0..).take(rows.len()).filter(|place| rows.get(*place).is_some_and(is_counted)).collect::<Vec<_>>();
        let reports = places.iter().filter_map(|place| rows.get(*place));
        let mut overview = Self {
            scores: Scores::of(reports.clone()),
            audits: latest::audits(reports.clone(), context.now),
            ..Self::default()
        };
        let mut projects: HashMap<&Text, ProjectResults> = HashMap::new();
        let mut failing: HashMap<CheckId, u64> = HashMap::new();
        let mut unfetched: BTreeMap<FetchFailure, u64> = BTreeMap::new();
        for report in reports {
            overview.reports += 1;
            overview.results.add(&report.outcome);
            if let Some(failure) = report.fetch_failure {
                *unfetched.entry(failure).or_default() += 1;
            }
            let project = projects.entry(&*report.project).or_insert_with(|| ProjectResults {
                name: Arc::clone(&report.project),
                counts: ResultCounts::default(),
                reports: 0,
            });
            project.reports += 1;
            project.counts.add(&report.outcome);
            if report.outcome == Outcome::Bad {
                match report.failing() {
                    Some(ids) => {
                        for id in ids {
                            *failing.entry(id).or_default() += 1;
                        }
                    }
                    None => overview.unknown_checks.push(report.id.clone()),
                }
            }
        }
        overview.unfetched = unfetched.into_iter().collect();
        overview.projects = projects.into_values().collect();
        overview.projects.sort_by(|one, other| {
            let key = |project: &ProjectResults| (Reverse(project.counts.bad), Reverse(project.reports));
            key(one).cmp(&key(other)).then_with(|| one.name.shown().cmp(other.name.shown()))
        });
        overview.failing = failing.into_iter().collect();
        let weight = |id: &str| context.explanations.get(id).map_or(0, |explained| explained.importance.weight());
        overview.failing.sort_by(|(one, fails), (other, others)| {
            others.cmp(fails).then_with(|| weight(other).cmp(&weight(one))).then_with(|| one.cmp(other))
        });
        overview.count_work(rows, &places, context);
        overview
    }

    fn count_work(&mut self, rows: &Rows, places: &[u32], context: &RowContext) {
        let mut states: BTreeMap<StateKind, StateCount> = BTreeMap::new();
        let mut open = Vec::new();
        for (place, report) in places.iter().filter_map(|place| Some((*place, rows.get(*place)?))) {
            if context.triages.needs_work(report) {
                open.push(place);
            }
            let triage = context.triages.get(&report.id);
            // Reopened reports are new, like those without a state.
            if let Some(triage) = triage.filter(|triage| triage.state != State::New) {
                let kind = triage.state.kind();
                let count = states.entry(kind).or_insert(StateCount { kind, reports: 0, overdue: 0 });
                count.reports += 1;
                count.overdue += u64::from(context.now.duration_since(triage.set_at) > OVERDUE);
            }
        }
        self.open = open.len() as u64;
        self.urgent = by_urgency(rows, &open, context)
            .into_iter()
            .take(MOST_URGENT)
            .filter_map(|place| rows.get(place))
            .map(|report| UrgentReport {
                id: report.id.clone(),
                url: report.short_url().to_owned(),
                points: points(report, context),
                score: report.score,
                generated_at: report.generated_at,
            })
            .collect();
        self.states = states.into_values().collect();
    }

    /// Reports whose result is not good, decent or bad.
    pub fn other_results(&self) -> u64 {
        self.reports - self.results.sum()
    }

    /// What the lines of a block open, in line order. Not included: lines of [`OverviewBlock::Changes`], and events
    /// other than audits.
    pub fn targets(&self, block: OverviewBlock) -> Vec<OverviewTarget> {
        let rows = |filter: String| OverviewTarget::Rows(filter);
        match block {
            OverviewBlock::Results => {
                let known = ["good", "decent", "bad"].map(|word| rows(format!("result:{word}")));
                let other = (self.other_results() > 0).then(|| rows("!result:good !result:decent !result:bad".into()));
                let any = (!self.unfetched.is_empty()).then(|| rows("fetch:any".to_owned()));
                let reasons = self.unfetched.iter().map(|(failure, _)| rows(format!("fetch:{}", failure.name())));
                known.into_iter().chain(other).chain(any).chain(reasons).collect()
            }
            OverviewBlock::History => vec![rows("result:bad".to_owned())],
            OverviewBlock::Scores => (0..BINS).map(|bin| rows(Scores::filter(bin))).collect(),
            OverviewBlock::Projects => self
                .projects
                .iter()
                .take(MOST_LINES)
                .map(|project| {
                    let bad = if project.counts.bad > 0 { " result:bad" } else { "" };
                    rows(format!("project:{}{bad}", quoted(project.name.raw())))
                })
                .collect(),
            OverviewBlock::Checks => {
                let unknown = (!self.unknown_checks.is_empty()).then_some(OverviewTarget::FetchChecks);
                let failing = self.failing.iter().map(|(id, _)| rows(format!("result:bad check:{}", quoted(id))));
                unknown.into_iter().chain(failing).take(MOST_LINES).collect()
            }
            OverviewBlock::Work => {
                let settled = StateKind::iter().filter(|kind| !kind.is_open());
                let open =
                    settled.fold("!result:good".to_owned(), |text, kind| format!("{text} !state:{}", kind.name()));
                let states = self.states.iter().map(|state| rows(format!("state:{}", state.kind.name())));
                let urgent = self.urgent.iter().map(|report| OverviewTarget::Report(report.id.clone()));
                std::iter::once(rows(open)).chain(states).chain(urgent).collect()
            }
            OverviewBlock::Latest => self.audits.iter().map(|event| event.target.clone()).collect(),
            OverviewBlock::Changes => Vec::new(),
        }
    }
}
