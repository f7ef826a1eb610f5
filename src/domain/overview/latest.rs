//! The latest events: audits of the last day by project, and actions from the event log.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::target::OverviewTarget;
use crate::domain::list::filter::quoted;
use crate::domain::report::Report;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::Text;

/// How far back audits are listed.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The kind of an event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// Reports of a project were audited.
    Audits {
        /// The project.
        project: Arc<Text>,
        /// The results of the reports audited within the last day.
        counts: ResultCounts,
        /// The number of these reports.
        reports: u64,
    },
    /// A line of the event log.
    Logged {
        /// The author; empty for the user of this machine.
        author: String,
        /// What was done.
        text: String,
    },
}

/// An event of the overview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When it happened, most recently if repeatedly.
    pub at: Timestamp,
    /// What happened.
    pub kind: EventKind,
    /// What selecting it opens.
    pub target: OverviewTarget,
}

/// The audits of the last day by project, latest first.
pub(super) fn audits<'a>(reports: impl Iterator<Item = &'a Report>, now: Timestamp) -> Vec<Event> {
    let mut projects: HashMap<&Arc<Text>, (Timestamp, ResultCounts, u64)> = HashMap::new();
    for report in reports {
        let Some(at) = report.generated_at.filter(|at| now.duration_since(*at) < DAY) else { continue };
        let (latest, counts, reports) = projects.entry(&report.project).or_insert((at, ResultCounts::default(), 0));
        *latest = at.max(*latest);
        counts.add(&report.outcome);
        *reports += 1;
    }
    let event = |(project, (at, counts, reports)): (&Arc<Text>, _)| {
        let target = OverviewTarget::Rows(format!("project:{} age:<1d", quoted(project.raw())));
        Event { at, kind: EventKind::Audits { project: Arc::clone(project), counts, reports }, target }
    };
    let mut events: Vec<Event> = projects.into_iter().map(event).collect();
    events.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.kind.cmp(&other.kind)));
    events
}
