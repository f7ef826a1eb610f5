//! The difference between two snapshots: regressed, improved, new, gone, and not audited for long.

use std::cmp::Ordering;
use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::snapshot::{Snapshot, SnapshotEntry};
use crate::domain::list::row_index::RowIndex;
use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::report::history::Flips;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::{ReportState, Trend, rank};

/// A report in both snapshots whose state changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultChange {
    /// The report.
    pub id: ReportId,
    /// Its state in the older snapshot.
    pub before: ReportState,
    /// Its state in the newer snapshot.
    pub after: ReportState,
}

impl ResultChange {
    /// The score difference in points; negative if it fell.
    pub fn score_change(&self) -> Option<i16> {
        self.before.score_change(&self.after)
    }

    /// The checks whose outcome changed, if known.
    pub fn flips(&self) -> Option<Flips> {
        self.before.flips(&self.after)
    }

    /// Both states and the difference: `bad 31 → bad 22, -9`.
    pub fn in_words(&self) -> String {
        let (before, after) = (self.before.verdict(), self.after.verdict());
        match self.score_change() {
            Some(change) if change != 0 => format!("{before} → {after}, {change:+}"),
            Some(_) | None => format!("{before} → {after}"),
        }
    }

    /// The extent of the change: by results, then points, then checks.
    fn extent(&self) -> (u8, u16, usize) {
        let results = rank(&self.before.outcome).zip(rank(&self.after.outcome));
        let results = results.map_or(0, |(before, after)| before.abs_diff(after));
        let points = self.score_change().map_or(0, i16::unsigned_abs);
        let checks = self.flips().map_or(0, |flips| flips.broken.len().max(flips.repaired.len()));
        (results, points, checks)
    }
}

/// A report in one snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedReport {
    /// The report.
    pub id: ReportId,
    /// Its state.
    pub state: ReportState,
}

/// A report that was not audited for long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverdueReport {
    /// The report.
    pub id: ReportId,
    /// When it was last audited.
    pub generated_at: Timestamp,
}

/// The maximum number of reports listed as not audited for long; after a year without audits it would be all of them.
pub const MOST_UNTESTED: usize = 20_000;

/// The difference between two snapshots; each list is ordered by importance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Got worse: ordered by the drop of the result, then of the score, then by newly failing checks.
    pub regressed: Vec<ResultChange>,
    /// Got better, ordered likewise.
    pub improved: Vec<ResultChange>,
    /// Missing from the older snapshot, which was complete for this scope: worst first.
    pub new: Vec<ListedReport>,
    /// Missing from the newer snapshot, which is complete for the older one's scope: worst first. Their rows are in the
    /// older list only.
    pub gone: Vec<ListedReport>,
    /// In the newer snapshot and audited longer ago than the limit: oldest first, at most [`MOST_UNTESTED`].
    pub untested: Vec<OverdueReport>,
    /// Whether there are more than that.
    pub more_untested: bool,
    /// The change in the number of bad reports by raw project name, where it is not zero. Gone reports are not
    /// included: snapshots do not store projects.
    pub bad_by_project: HashMap<String, i64>,
    /// False if gone reports are unknown, because the newer list is incomplete or narrower.
    pub knows_gone: bool,
    /// False if new reports are unknown, because the older list was incomplete or narrower.
    pub knows_new: bool,
}

/// Compares two snapshots of one service. `untested_for` is the age from which an audit is listed as too old.
///
/// Linear, apart from sorting the differences; too long for the event loop at 100,000 reports. Unchanged reports cost no
/// allocation.
pub fn compare(older: &Snapshot, newer: &Snapshot, now: Timestamp, untested_for: SignedDuration) -> Comparison {
    let mut comparison = Comparison {
        knows_gone: newer.is_complete && newer.scope.covers(&older.scope),
        knows_new: older.is_complete && older.scope.covers(&newer.scope),
        ..Comparison::default()
    };
    let mut left = older.by_id();
    for entry in &newer.entries {
        match left.remove(&entry.id) {
            Some(former) if is_same((older, former), (newer, entry)) => {}
            Some(former) => comparison.record_change(older.state_of(former), newer.state_of(entry), &entry.id),
            None if comparison.knows_new => comparison.new.push(listed_report(newer, entry)),
            None => {}
        }
        let old = entry.generated_at.filter(|then| now.duration_since(*then) > untested_for);
        comparison.untested.extend(old.map(|generated_at| OverdueReport { id: entry.id.clone(), generated_at }));
    }
    if comparison.knows_gone {
        comparison.gone.extend(left.into_values().map(|entry| listed_report(older, entry)));
    }
    comparison.sort();
    comparison
}

impl Comparison {
    /// The reports that got worse, then those that got better.
    pub fn changed(&self) -> impl Iterator<Item = &ResultChange> {
        self.regressed.iter().chain(&self.improved)
    }

    /// Computes `bad_by_project` from both snapshots. The rows must be those of the newer one.
    pub fn count_projects(&mut self, (older, newer): (&Snapshot, &Snapshot), rows: &Rows) {
        let (places, former) = (RowIndex::of_all(rows), older.by_id());
        let bad = |of: &Snapshot, entry: &SnapshotEntry| i64::from(*of.outcome(entry) == Outcome::Bad);
        for entry in &newer.entries {
            let before = former.get(&entry.id).copied();
            let change = bad(newer, entry) - before.map_or(0, |before| bad(older, before));
            let row = places.of(&entry.id, rows).and_then(|place| rows.get(place));
            if let Some(row) = row.filter(|_| change != 0 && (before.is_some() || self.knows_new)) {
                *self.bad_by_project.entry(row.project.raw().to_owned()).or_default() += change;
            }
        }
        self.bad_by_project.retain(|_, change| *change != 0);
    }

    fn record_change(&mut self, before: ReportState, after: ReportState, id: &ReportId) {
        let trend = before.trend(&after);
        let moved = ResultChange { id: id.clone(), before, after };
        match trend {
            Trend::Worse => self.regressed.push(moved),
            Trend::Better => self.improved.push(moved),
            Trend::Same => {}
        }
    }

    fn sort(&mut self) {
        let further =
            |a: &ResultChange, b: &ResultChange| b.extent().cmp(&a.extent()).then_with(|| by_id(&a.id, &b.id));
        self.regressed.sort_by(further);
        self.improved.sort_by(further);
        self.new.sort_by(worst_first);
        self.gone.sort_by(worst_first);
        let longer = |a: &OverdueReport, b: &OverdueReport| {
            a.generated_at.cmp(&b.generated_at).then_with(|| by_id(&a.id, &b.id))
        };
        self.untested.sort_unstable_by(longer);
        self.more_untested = self.untested.len() > MOST_UNTESTED;
        self.untested.truncate(MOST_UNTESTED);
        // Kept in memory as long as the list.
        self.untested.shrink_to_fit();
    }
}

fn listed_report(snapshot: &Snapshot, entry: &SnapshotEntry) -> ListedReport {
    ListedReport { id: entry.id.clone(), state: snapshot.state_of(entry) }
}

fn worst_first(a: &ListedReport, b: &ListedReport) -> Ordering {
    let key = |seen: &ListedReport| (seen.state.outcome.clone(), seen.state.score.unwrap_or(u8::MAX));
    key(a).cmp(&key(b)).then_with(|| by_id(&a.id, &b.id))
}

fn by_id(a: &ReportId, b: &ReportId) -> Ordering {
    let number = |id: &ReportId| id.raw().parse::<u64>().unwrap_or(u64::MAX);
    number(a).cmp(&number(b)).then_with(|| a.cmp(b))
}

fn is_same((older, former): (&Snapshot, &SnapshotEntry), (newer, entry): (&Snapshot, &SnapshotEntry)) -> bool {
    former.score == entry.score
        && older.outcome(former) == newer.outcome(entry)
        && older.failing(former) == newer.failing(entry)
}
