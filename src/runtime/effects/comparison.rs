//! Comparing a list with a former one, beside the loop: what is kept on this machine meets what just came.
//!
//! Must not decide what is compared or told.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::app::effect::RequestId;
use crate::app::message::Message;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use crate::domain::triage::changes::{BadShareCounter, BadShareHistory, Comparison, ListScope, Snapshot, compare};
use crate::journal::Journal;
use crate::runtime::effects::{Effects, NO_JOURNAL};

/// So many reports of a comparison get a chart: what matters most comes first in each list.
const MOST_CHARTS: usize = 2_000;
/// So many looks make a trend.
const MOST_LOOKS: usize = 12;

impl Effects {
    /// Keeps a list and compares it with the former one.
    pub(super) fn compare(&self, request: RequestId, wanted: ComparisonRequest) {
        let wanted = Arc::new(wanted);
        let here = Arc::clone(&wanted);
        let asked = self.ask_journal(move |journal, service| compared(journal, service, &wanted));
        drop(self.spawn(async move {
            match asked.await {
                // Without a journal every look is the first.
                Ok(Ok(None)) => Message::ComparisonResult(request, Ok(first_look(&here))),
                Ok(Ok(Some(compared))) => Message::ComparisonResult(request, Ok(compared)),
                Ok(Err(failure)) => Message::ComparisonResult(request, Err(failure)),
                Err(_) => Message::Broken(NO_JOURNAL.to_owned()),
            }
        }));
    }
}

fn compared(journal: &Journal, service: &str, wanted: &ComparisonRequest) -> Result<ComparisonResult, Failure> {
    let newer = snapshot(wanted);
    let mut older = journal.snapshot_before(service, &wanted.scope, wanted.before)?;
    if older.is_none() && wanted.scope != ListScope::default() {
        older = journal.snapshot_before(service, &ListScope::default(), wanted.before)?;
    }
    journal.keep_snapshot(service, &newer)?;
    let baseline = older.as_ref().map(|older| older.taken_at);
    let older = older.unwrap_or_else(|| nothing(wanted));
    let comparison = compare(&older, &newer, wanted.taken_at, wanted.untested_for);
    let scores = journal.scores(service, &charted(&comparison))?;
    let names = names(journal, service, &comparison)?;
    let trends = if wanted.scope == ListScope::default() {
        let mut looks = BadShareCounter::new(&wanted.rows);
        journal.latest_snapshots(service, &wanted.scope, MOST_LOOKS, |look| looks.add(&look))?;
        looks.trends()
    } else {
        BadShareHistory::default()
    };
    Ok(ComparisonResult { baseline, comparison, scores, names, trends })
}

/// Nothing is new or gone at a first look; what was not tested for long is told all the same.
fn first_look(wanted: &ComparisonRequest) -> ComparisonResult {
    let comparison = compare(&nothing(wanted), &snapshot(wanted), wanted.taken_at, wanted.untested_for);
    ComparisonResult { comparison, ..ComparisonResult::default() }
}

fn snapshot(wanted: &ComparisonRequest) -> Snapshot {
    let rows = wanted.rows.iter();
    Snapshot::take(rows, wanted.scope.clone(), wanted.is_complete, wanted.taken_at)
}

/// A former list that says nothing.
fn nothing(wanted: &ComparisonRequest) -> Snapshot {
    Snapshot::take(std::iter::empty(), ListScope::default(), false, wanted.before)
}

/// The reports that get a chart.
fn charted(comparison: &Comparison) -> HashSet<ReportId> {
    let moved = comparison.regressed.iter().chain(&comparison.improved).map(|moved| &moved.id);
    moved.take(MOST_CHARTS).cloned().collect()
}

/// The URLs of what is gone, from the rows that are remembered: snapshots hold none.
fn names(journal: &Journal, service: &str, comparison: &Comparison) -> Result<HashMap<ReportId, String>, Failure> {
    if comparison.gone.is_empty() {
        return Ok(HashMap::new());
    }
    let gone: HashSet<&ReportId> = comparison.gone.iter().map(|seen| &seen.id).collect();
    let mut names = HashMap::new();
    let mut last = journal.last_rows(service, None)?;
    while let Some(part) = last {
        let named = part.rows.iter().filter(|row| gone.contains(&row.id));
        names.extend(named.map(|row| (row.id.clone(), row.short_url().to_owned())));
        let Some(next) = part.next else { break };
        last = journal.last_rows(service, Some(next))?;
    }
    Ok(names)
}
