//! Compact snapshots of a list: its reports and their states.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::list::query::{ReportQuery, ResultFilter};
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::outcome::{KNOWN, Outcome};
use crate::domain::report::report_state::ReportState;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::report::{Report, ReportId};

/// The most results of one snapshot; the others read as missing. A service with thousands of result names has no
/// meaningful ones.
const MOST_OUTCOMES: usize = 1_000;

/// Which reports a list covers. New and gone reports are determined only if one list's scope covers the other's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct ListScope {
    /// Only this project, by its raw name.
    pub project: Option<String>,
    /// Only URLs that contain this.
    pub search: Option<String>,
    /// Only this result.
    pub result: Option<ResultFilter>,
}

impl ListScope {
    /// The scope of a query; order and page size are irrelevant.
    pub fn of(query: &ReportQuery) -> Self {
        Self { project: query.project.clone(), search: query.search.clone(), result: query.result }
    }

    /// Whether a complete list of this scope must contain every existing report of `other`. Never if it filters by
    /// result: a report leaves such a list by improving.
    pub fn covers(&self, other: &Self) -> bool {
        let same_or_wider = |mine: &Option<String>, theirs: &Option<String>| mine.is_none() || mine == theirs;
        self.result.is_none()
            && same_or_wider(&self.project, &other.project)
            && same_or_wider(&self.search, &other.search)
    }
}

/// One report in a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotEntry {
    /// The report.
    pub id: ReportId,
    /// When it was audited.
    pub generated_at: Option<Timestamp>,
    /// Its failing checks, an index into [`Snapshot::sets`].
    pub set: u32,
    /// Its result, an index into [`Snapshot::outcomes`].
    pub outcome: u16,
    /// 0–100, if reported.
    pub score: Option<u8>,
}

/// A list at one point in time. Check sets and results are interned.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// When it was taken.
    pub taken_at: Timestamp,
    /// The scope of the list.
    pub scope: ListScope,
    /// Whether it contains every report of the scope. Only then can a missing report be gone.
    pub is_complete: bool,
    /// The results; the first three are bad, decent, good.
    pub outcomes: Vec<Outcome>,
    /// The distinct sets of failing checks, sorted; the first is "unknown".
    pub sets: Vec<Option<Box<[CheckId]>>>,
    /// The reports in list order, without duplicates.
    pub entries: Vec<SnapshotEntry>,
}

impl Snapshot {
    /// The number of reports by result.
    pub fn results(&self) -> ResultCounts {
        let mut counts = ResultCounts::default();
        self.entries.iter().for_each(|entry| counts.add(self.outcome(entry)));
        counts
    }

    /// Takes a snapshot. Linear; too long for the event loop at 100,000 rows. The caller sets
    /// `is_complete` if every page of the scope was loaded without a failure.
    pub fn take<'a>(
        rows: impl Iterator<Item = &'a Report>,
        scope: ListScope,
        is_complete: bool,
        taken_at: Timestamp,
    ) -> Self {
        let mut snapshot =
            Self { taken_at, scope, is_complete, outcomes: KNOWN.to_vec(), sets: vec![None], entries: Vec::new() };
        let (mut seen, mut sets) = (HashSet::new(), HashMap::new());
        for row in rows {
            if !seen.insert(&row.id) {
                continue;
            }
            let (outcome, set) = (snapshot.outcome_place(&row.outcome), snapshot.set_place(&mut sets, row));
            let entry =
                SnapshotEntry { id: row.id.clone(), generated_at: row.generated_at, set, outcome, score: row.score };
            snapshot.entries.push(entry);
        }
        snapshot
    }

    /// The reports by id.
    pub fn by_id(&self) -> HashMap<&ReportId, &SnapshotEntry> {
        self.entries.iter().map(|entry| (&entry.id, entry)).collect()
    }

    /// The state of a report in this snapshot.
    pub fn state_of(&self, entry: &SnapshotEntry) -> ReportState {
        ReportState {
            outcome: self.outcome(entry).clone(),
            score: entry.score,
            failing: self.failing(entry).map(Into::into),
            generated_at: entry.generated_at,
        }
    }

    /// A report's result.
    pub fn outcome(&self, entry: &SnapshotEntry) -> &Outcome {
        self.outcomes.get(usize::from(entry.outcome)).unwrap_or(&Outcome::Missing)
    }

    /// A report's failing checks, sorted, if known.
    pub fn failing(&self, entry: &SnapshotEntry) -> Option<&[CheckId]> {
        self.sets.get(entry.set as usize)?.as_deref()
    }

    fn outcome_place(&mut self, outcome: &Outcome) -> u16 {
        let known = self.outcomes.iter().position(|known| known == outcome);
        let place = known.unwrap_or(self.outcomes.len());
        if place == self.outcomes.len() && place < MOST_OUTCOMES {
            self.outcomes.push(outcome.clone());
        }
        place as u16
    }

    fn set_place(&mut self, places: &mut HashMap<Box<[CheckId]>, u32>, row: &Report) -> u32 {
        let Some(mut failing) = row.failing() else { return 0 };
        failing.sort_unstable();
        failing.dedup();
        *places.entry(failing.into_boxed_slice()).or_insert_with_key(|failing| {
            self.sets.push(Some(failing.clone()));
            self.sets.len() as u32 - 1
        })
    }
}

/// Adds a report's score to its series, oldest first, unless that audit is already included.
pub fn add_score(series: &mut Vec<(Timestamp, u8)>, taken_at: Timestamp, generated_at: Option<Timestamp>, score: u8) {
    let at = generated_at.unwrap_or(taken_at);
    if series.last().is_none_or(|(last, former)| *last < at && (generated_at.is_some() || *former != score)) {
        series.push((at, score));
    }
}
