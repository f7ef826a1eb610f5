//! What differs between two snapshots: regressed, improved, new, gone, and not tested for long.

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

/// A report that is in both snapshots and went up or down.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultChange {
    /// Which report.
    pub id: ReportId,
    /// How it stood in the older one.
    pub before: ReportState,
    /// Its state in the newer list.
    pub after: ReportState,
}

impl ResultChange {
    /// How many points its score rose or, below zero, fell.
    pub fn score_change(&self) -> Option<i16> {
        self.before.score_change(&self.after)
    }

    /// Which checks came out differently, where they are known.
    pub fn flips(&self) -> Option<Flips> {
        self.before.flips(&self.after)
    }

    /// `bad 31 → bad 22, -9`: both ends and the difference.
    pub fn in_words(&self) -> String {
        let (before, after) = (self.before.in_words(), self.after.in_words());
        match self.score_change() {
            Some(change) if change != 0 => format!("{before} → {after}, {change:+}"),
            Some(_) | None => format!("{before} → {after}"),
        }
    }

    /// How much it moved: results first, then points, then checks.
    fn extent(&self) -> (u8, u16, usize) {
        let results = match (rank(&self.before.outcome), rank(&self.after.outcome)) {
            (Some(before), Some(after)) => before.abs_diff(after),
            (None, _) | (_, None) => 0,
        };
        let points = self.score_change().map_or(0, i16::unsigned_abs);
        let checks = self.flips().map_or(0, |flips| flips.broken.len().max(flips.repaired.len()));
        (results, points, checks)
    }
}

/// A report in one snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedReport {
    /// Which report.
    pub id: ReportId,
    /// How it stood.
    pub standing: ReportState,
}

/// A report that was not audited for long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverdueReport {
    /// Which report.
    pub id: ReportId,
    /// When it was audited last.
    pub generated_at: Timestamp,
}

/// The most reports listed as not tested for long; after a year without audits it would be all of them.
pub const MOST_UNTESTED: usize = 20_000;

/// What differs between two snapshots, each list by what matters most.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Got worse: by the fall of the result, then of the score, then by newly failing checks.
    pub regressed: Vec<ResultChange>,
    /// Got better, likewise.
    pub improved: Vec<ResultChange>,
    /// Not in the older one, which was complete for this scope: the worst first.
    pub new: Vec<ListedReport>,
    /// Not in the newer one, which is complete for that scope: the worst first. Its row is in the older list only.
    pub gone: Vec<ListedReport>,
    /// In the newer one and audited longer ago than the limit: the oldest first, at most [`MOST_UNTESTED`].
    pub untested: Vec<OverdueReport>,
    /// There are more than those.
    pub more_untested: bool,
    /// How many more of its reports are bad, by the raw name of a project, where the number changed. Snapshots name no
    /// project, so that reports that are gone are left out.
    pub bad_by_project: HashMap<String, i64>,
    /// False if gone reports are unknown, because the newer list is incomplete or narrower.
    pub knows_gone: bool,
    /// False if new reports are unknown, because the older list was incomplete or narrower.
    pub knows_new: bool,
}

/// Compares two snapshots of one service. `untested_for` is how old an audit may be before it is listed.
///
/// Linear but for the sorting of what differs: some 20 ms at 100,000 reports of which 1 % moved. What is the same costs
/// no allocation.
pub fn compare(older: &Snapshot, newer: &Snapshot, now: Timestamp, untested_for: SignedDuration) -> Comparison {
    let mut comparison = Comparison {
        knows_gone: newer.is_complete && newer.scope.covers(&older.scope),
        knows_new: older.is_complete && older.scope.covers(&newer.scope),
        ..Comparison::default()
    };
    let sets = same_sets(older, newer);
    let mut left = RowIndex::of_all(&older.entries);
    for entry in &newer.entries {
        match left.remove(&entry.id, &older.entries).and_then(|place| older.entries.get(place as usize)) {
            Some(former) if is_same(older, former, newer, entry, &sets) => {}
            Some(former) => comparison.note(older.standing(former), newer.standing(entry), &entry.id),
            None if comparison.knows_new => comparison.new.push(seen(newer, entry)),
            None => {}
        }
        let old = entry.generated_at.filter(|then| now.duration_since(*then) > untested_for);
        comparison.untested.extend(old.map(|generated_at| OverdueReport { id: entry.id.clone(), generated_at }));
    }
    if comparison.knows_gone {
        let gone = left.iter().filter_map(|place| older.entries.get(place as usize));
        comparison.gone.extend(gone.map(|entry| seen(older, entry)));
    }
    comparison.sort();
    comparison
}

impl Comparison {
    /// Counts the change of each project. The rows are those of the newer list.
    pub fn count_projects(&mut self, rows: &Rows) {
        let places = RowIndex::of_all(rows);
        let bad = |state: &ReportState| i64::from(state.outcome == Outcome::Bad);
        let moved = self.regressed.iter().chain(&self.improved);
        let moved = moved.map(|change| (&change.id, bad(&change.after) - bad(&change.before)));
        let new = self.new.iter().map(|listed| (&listed.id, bad(&listed.standing)));
        let mut counted: HashMap<String, i64> = HashMap::new();
        for (id, change) in moved.chain(new).filter(|(_, change)| *change != 0) {
            if let Some(row) = places.of(id, rows).and_then(|place| rows.get(place)) {
                *counted.entry(row.project.raw().to_owned()).or_default() += change;
            }
        }
        counted.retain(|_, change| *change != 0);
        self.bad_by_project = counted;
    }

    /// True when there is nothing to tell of a difference; what was not tested for long is no difference.
    pub fn is_empty(&self) -> bool {
        self.regressed.is_empty() && self.improved.is_empty() && self.new.is_empty() && self.gone.is_empty()
    }

    fn note(&mut self, before: ReportState, after: ReportState, id: &ReportId) {
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
        if self.untested.len() > MOST_UNTESTED {
            self.untested.select_nth_unstable_by(MOST_UNTESTED, longer);
            self.untested.truncate(MOST_UNTESTED);
            self.more_untested = true;
        }
        self.untested.sort_unstable_by(longer);
        // Kept as long as the list.
        self.untested.shrink_to_fit();
    }
}

fn seen(snapshot: &Snapshot, entry: &SnapshotEntry) -> ListedReport {
    ListedReport { id: entry.id.clone(), standing: snapshot.standing(entry) }
}

fn worst_first(a: &ListedReport, b: &ListedReport) -> Ordering {
    let key = |seen: &ListedReport| (seen.standing.outcome.clone(), seen.standing.score.unwrap_or(u8::MAX));
    key(a).cmp(&key(b)).then_with(|| by_id(&a.id, &b.id))
}

fn by_id(a: &ReportId, b: &ReportId) -> Ordering {
    let number = |id: &ReportId| id.raw().parse::<u64>().unwrap_or(u64::MAX);
    number(a).cmp(&number(b)).then_with(|| a.cmp(b))
}

/// For each set of the newer snapshot, the place of the same set in the older one.
fn same_sets(older: &Snapshot, newer: &Snapshot) -> Vec<Option<u32>> {
    let places: HashMap<_, _> = older.sets.iter().zip(0_u32..).collect();
    newer.sets.iter().map(|set| places.get(set).copied()).collect()
}

fn is_same(
    older: &Snapshot,
    former: &SnapshotEntry,
    newer: &Snapshot,
    entry: &SnapshotEntry,
    sets: &[Option<u32>],
) -> bool {
    former.score == entry.score
        && sets.get(entry.set as usize).copied().flatten() == Some(former.set)
        && older.outcome(former) == newer.outcome(entry)
}
