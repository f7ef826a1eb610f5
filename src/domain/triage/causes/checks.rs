//! Groups by failing checks: single checks, and sets of two or three that fail together.
//!
//! A set is ranked by the failures that repairing its checks would remove (its reports times its checks). The best set
//! is listed, then the next best that shares at most one check with each set listed before. Only the most frequent
//! checks are combined, which bounds the cost.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::group::CauseGroup;
use crate::domain::list::filter::quoted;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::text::clean;

/// The number of checks that are combined: the most frequent ones, as bits of a `u32`.
const COMBINED: usize = 32;
/// The maximum number of sets listed.
const MOST_SETS: usize = 8;
/// The minimum number of reports of a set.
const LEAST: usize = 2;

struct Candidate {
    checks: Vec<usize>,
    support: usize,
}

impl Candidate {
    fn failures(&self) -> usize {
        self.support * self.checks.len()
    }

    fn bits(&self) -> u32 {
        self.checks.iter().fold(0, |bits, check| bits | 1 << check)
    }
}

/// One group per check, most frequent first.
pub(super) fn single_checks(reports: &[(u32, Vec<CheckId>)]) -> Vec<CauseGroup> {
    let mut found: BTreeMap<&CheckId, Vec<u32>> = BTreeMap::new();
    for (place, failing) in reports {
        for id in failing {
            let members = found.entry(id).or_default();
            // A service may list a check twice.
            if members.last() != Some(place) {
                members.push(*place);
            }
        }
    }
    CauseGroup::all(found, reports.len(), |id| format!("check:{}", quoted(id)))
}

/// The sets of checks that fail together, by the number of failures they explain. Linear in the reports, apart from the
/// triples within each.
pub(super) fn sets(reports: &[(u32, Vec<CheckId>)]) -> Vec<CauseGroup> {
    let names = most_frequent(reports);
    let places: HashMap<&str, usize> = names.iter().enumerate().map(|(place, id)| (&**id, place)).collect();
    let bits_of = |failing: &[CheckId]| {
        failing.iter().filter_map(|id| places.get(&**id)).fold(0_u32, |bits, check| bits | 1 << check)
    };
    let masks: Vec<u32> = reports.iter().map(|(_, failing)| bits_of(failing)).collect();
    let mut chosen_sets = chosen(candidates(&masks, names.len()));
    let all_of = |candidate: &Candidate| shared_by_all(candidate, &masks);
    // Sets with the same reports are merged into the one with the best rank.
    let mut seen = HashSet::new();
    chosen_sets.retain(|candidate| seen.insert(all_of(candidate)));
    chosen_sets.sort_by(|a, b| b.failures().cmp(&a.failures()).then_with(|| a.checks.cmp(&b.checks)));
    let group = |candidate: Candidate| {
        let bits = candidate.bits();
        let members = reports.iter().zip(&masks).filter(|(_, mask)| **mask & bits == bits);
        let members = members.map(|((place, _), _)| *place).collect();
        let ids: Vec<&str> = candidate.checks.iter().map(|check| &*names[*check]).collect();
        let shared = all_of(&candidate).count_ones() as usize;
        let more = shared.saturating_sub(ids.len());
        let more_text = if more > 0 && ids.len() > 1 { format!(" and {more} more") } else { String::new() };
        let label = clean(&format!("{}{more_text}", ids.join(", "))).into_owned();
        let terms: Vec<String> = ids.iter().map(|id| format!("check:{}", quoted(id))).collect();
        CauseGroup { label, members, of: reports.len() as u64, filter: terms.join(" ") }
    };
    chosen_sets.into_iter().map(group).collect()
}

/// The checks, as bits, that fail in every report in which those of the candidate fail.
fn shared_by_all(candidate: &Candidate, masks: &[u32]) -> u32 {
    let bits = candidate.bits();
    masks.iter().filter(|mask| **mask & bits == bits).fold(u32::MAX, |all, mask| all & mask)
}

/// The most frequent checks, ties by name; the index is the check's bit.
fn most_frequent(reports: &[(u32, Vec<CheckId>)]) -> Vec<CheckId> {
    let mut counts: HashMap<&CheckId, usize> = HashMap::new();
    for id in reports.iter().flat_map(|(_, failing)| failing) {
        *counts.entry(id).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by(|(id, count), (other, others)| others.cmp(count).then_with(|| id.cmp(other)));
    counts.into_iter().take(COMBINED).map(|(id, _)| id.clone()).collect()
}

/// Every single check, pair and triple shared by enough reports. Counted in flat tables, once per distinct mask.
fn candidates(masks: &[u32], checks: usize) -> Vec<Candidate> {
    let mut alike: HashMap<u32, usize> = HashMap::new();
    for mask in masks {
        *alike.entry(*mask).or_default() += 1;
    }
    let mut supports = vec![0_usize; COMBINED * COMBINED * COMBINED];
    let place = |a: usize, b: usize, c: usize| (a * COMBINED + b) * COMBINED + c;
    for (mask, count) in alike {
        let set: Vec<usize> = (0..checks).filter(|check| mask >> check & 1 == 1).collect();
        // A pair is stored as a triple with equal last two, a single check with all three equal.
        for (at, a) in set.iter().enumerate() {
            for (further, b) in set.iter().enumerate().skip(at) {
                let thirds = if a == b { &set[further..=further] } else { &set[further..] };
                for c in thirds {
                    supports[place(*a, *b, *c)] += count;
                }
            }
        }
    }
    let mut found = Vec::new();
    for (number, support) in supports.into_iter().enumerate().filter(|(_, support)| *support >= LEAST) {
        let mut checks = vec![number / (COMBINED * COMBINED), number / COMBINED % COMBINED, number % COMBINED];
        checks.dedup();
        found.push(Candidate { checks, support });
    }
    found
}

fn chosen(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    // Among equal worth, the smaller set first (less to repair), then the more frequent checks.
    candidates.sort_by(|a, b| {
        let worth = b.failures().cmp(&a.failures());
        worth.then(a.checks.len().cmp(&b.checks.len())).then_with(|| a.checks.cmp(&b.checks))
    });
    let (singles, sets): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|one| one.checks.len() == 1);
    let mut alone = [0; COMBINED];
    for single in &singles {
        alone[single.checks[0]] = single.support;
    }
    let mut chosen_sets: Vec<Candidate> = Vec::new();
    for set in sets {
        let is_fresh = chosen_sets.iter().all(|other| (other.bits() & set.bits()).count_ones() <= 1);
        if chosen_sets.len() < MOST_SETS && is_fresh && is_shared(&set, &alone) {
            chosen_sets.push(set);
        }
    }
    chosen_sets
}

/// Whether the set accounts for at least half of the failures of each of its checks. Otherwise a check that nearly
/// always fails would form a set with every other one.
fn is_shared(set: &Candidate, alone: &[usize; COMBINED]) -> bool {
    set.checks.iter().all(|check| set.support * 2 >= alone[*check])
}
