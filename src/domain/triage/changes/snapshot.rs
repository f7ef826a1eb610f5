//! Compact snapshots of a list: which reports it held, and how each stood.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::domain::list::query::{ReportQuery, ResultFilter};
use crate::domain::list::row_index::{Identified, RowIndex};
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::outcome::{KNOWN, Outcome};
use crate::domain::report::report_state::ReportState;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::report::{Report, ReportId};

/// Which reports a list is about. Two lists are compared for what is new or gone only if one covers the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ListScope {
    /// Only this project, by its raw name.
    pub project: Option<String>,
    /// Only URLs that contain this.
    pub search: Option<String>,
    /// Only this result.
    pub result: Option<ResultFilter>,
}

impl ListScope {
    /// The scope of what was asked of a service; its order and page size do not matter.
    pub fn of(query: &ReportQuery) -> Self {
        Self { project: query.project.clone(), search: query.search.clone(), result: query.result }
    }

    /// Whether a report of `other` that still exists must be in a complete list of this one. Never with a result: a
    /// report leaves such a list by getting better.
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
    /// Which report.
    pub id: ReportId,
    /// When it was audited.
    pub generated_at: Option<Timestamp>,
    /// Its failing checks, a place in [`Snapshot::sets`].
    pub set: u32,
    /// Its result, a place in [`Snapshot::outcomes`].
    pub outcome: u16,
    /// 0–100, where the service says it.
    pub score: Option<u8>,
}

/// A list at one time. Check sets and results are interned.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// When it was taken.
    pub taken_at: Timestamp,
    /// What it is a list of.
    pub scope: ListScope,
    /// Whether every report of the scope is in it. Only then can another one be gone.
    pub is_complete: bool,
    /// The results; the first three are bad, decent, good.
    pub outcomes: Vec<Outcome>,
    /// The sets of failing checks, sorted; the first is "not known".
    pub sets: Vec<Option<Box<[CheckId]>>>,
    /// The reports, in the order of the list, none twice.
    pub entries: Vec<SnapshotEntry>,
}

impl Identified for Vec<SnapshotEntry> {
    fn id_at(&self, place: u32) -> Option<&ReportId> {
        Some(&self.get(place as usize)?.id)
    }

    fn count(&self) -> usize {
        self.len()
    }
}

/// Where the sets of failing checks are, while a snapshot is taken.
#[derive(Default)]
struct Sets<'a> {
    as_sent: HashMap<&'a [CheckId], u32>,
    sorted: HashMap<Box<[CheckId]>, u32>,
}

impl Snapshot {
    /// How many of its reports have which result.
    pub fn results(&self) -> ResultCounts {
        let mut counts = ResultCounts::default();
        self.entries.iter().for_each(|entry| counts.add(self.outcome(entry)));
        counts
    }

    /// Takes a snapshot. Linear; some 25 ms for 100,000 rows, so beside the loop. `is_complete` is for the caller to
    /// know: every page of the scope was loaded, and none failed.
    pub fn take<'a>(
        rows: impl Iterator<Item = &'a Report>,
        scope: ListScope,
        is_complete: bool,
        taken_at: Timestamp,
    ) -> Self {
        let mut snapshot =
            Self { taken_at, scope, is_complete, outcomes: KNOWN.to_vec(), sets: vec![None], entries: Vec::new() };
        let (mut seen, mut sets) = (RowIndex::default(), Sets::default());
        for row in rows {
            if seen.of(&row.id, &snapshot.entries).is_some() {
                continue;
            }
            let (outcome, set) = (snapshot.outcome_place(&row.outcome), snapshot.set_place(&mut sets, row));
            let entry =
                SnapshotEntry { id: row.id.clone(), generated_at: row.generated_at, set, outcome, score: row.score };
            snapshot.entries.push(entry);
            seen.add_last(&snapshot.entries);
        }
        snapshot
    }

    /// How a report of this snapshot stood.
    pub fn standing(&self, entry: &SnapshotEntry) -> ReportState {
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

    /// A report's failing checks, sorted, where they are known.
    pub fn failing(&self, entry: &SnapshotEntry) -> Option<&[CheckId]> {
        self.sets.get(entry.set as usize)?.as_deref()
    }

    fn outcome_place(&mut self, outcome: &Outcome) -> u16 {
        let known = self.outcomes.iter().position(|known| known == outcome);
        let place = known.unwrap_or_else(|| {
            // A service with thousands of words for its results has none that mean anything.
            let word = if self.outcomes.len() < 1_000 { outcome.clone() } else { Outcome::Missing };
            self.outcomes.push(word);
            self.outcomes.len() - 1
        });
        u16::try_from(place).unwrap_or(u16::MAX)
    }

    fn set_place<'a>(&mut self, places: &mut Sets<'a>, row: &'a Report) -> u32 {
        // Nearly every set came before in the same order, and is found without copying or sorting it.
        if let Some(place) = places.as_sent.get(&*row.failed) {
            return *place;
        }
        let Some(mut failing) = row.failing() else { return 0 };
        failing.sort_unstable();
        failing.dedup();
        let next = self.sets.len() as u32;
        let place = *places.sorted.entry(failing.clone().into_boxed_slice()).or_insert(next);
        if place == next {
            self.sets.push(Some(failing.into_boxed_slice()));
        }
        if !row.failed.is_empty() {
            places.as_sent.insert(&row.failed, place);
        }
        place
    }
}

/// Adds one look at a report to the series of its scores, the oldest first, unless it shows an audit that is there already.
pub fn add_score(series: &mut Vec<(Timestamp, u8)>, taken_at: Timestamp, generated_at: Option<Timestamp>, score: u8) {
    let at = generated_at.unwrap_or(taken_at);
    if series.last().is_none_or(|(last, former)| *last < at && (generated_at.is_some() || *former != score)) {
        series.push((at, score));
    }
}
