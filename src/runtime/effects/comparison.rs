//! Compares a list with an earlier snapshot from the journal.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::app::effect::RequestId;
use crate::app::message::Message;
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::failure::Failure;
use crate::domain::list::row_index::RowIndex;
use crate::domain::report::ReportId;
use crate::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use crate::domain::triage::changes::{
    BadShareHistory, Comparison, FormerFailures, ListScope, ResultChange, Snapshot, compare,
};
use crate::journal::Journal;
use crate::runtime::effects::Effects;

/// The most checks named in the log entry of an audit.
const MOST_NAMES: usize = 8;
/// The number of reports with a chart, most important first.
const MAX_CHARTS: usize = 2_000;
/// The number of snapshots in a trend and in the history of bad reports.
const TREND_SNAPSHOTS: usize = 60;

impl Effects {
    /// Stores a snapshot of a list, and compares it with an earlier one.
    pub(super) fn compare(&self, request: RequestId, wanted: ComparisonRequest) {
        let wanted = Arc::new(wanted);
        let here = Arc::clone(&wanted);
        let work = move |journal: &Journal, service: &str| compared(journal, service, &wanted);
        self.ask_and_reply(work, move |compared| {
            // Without a journal there is no earlier snapshot.
            let result = compared.map(|compared| compared.unwrap_or_else(|| first_comparison(&here)));
            Message::ComparisonResult(request, result.map(Box::new))
        });
    }
}

fn compared(journal: &Journal, service: &str, wanted: &ComparisonRequest) -> Result<ComparisonResult, Failure> {
    let newer = snapshot(wanted);
    let before = if wanted.unseen { seen_before(journal, service, wanted)? } else { wanted.before };
    let mut older = journal.load_snapshot_before(service, &wanted.scope, before)?;
    if older.is_none() && wanted.scope != ListScope::default() {
        older = journal.load_snapshot_before(service, &ListScope::default(), before)?;
    }
    journal.store_snapshot(service, &newer)?;
    let baseline = older.as_ref().map(|older| older.taken_at);
    let is_same_list = |older: &&Snapshot| older.is_complete && older.scope == wanted.scope;
    let results = older.as_ref().filter(is_same_list).map(Snapshot::results);
    let failing =
        older.as_ref().filter(is_same_list).and_then(|older| FormerFailures::of(older, &wanted.rows)).map(Box::new);
    let older = older.unwrap_or_else(|| empty_snapshot(wanted));
    let mut comparison = compare(&older, &newer, wanted.taken_at, wanted.untested_for);
    comparison.count_projects((&older, &newer), &wanted.rows);
    journal.append_events(service, &audits(&comparison, wanted.taken_at))?;
    let charted = comparison.changed().take(MAX_CHARTS).map(|change| change.id.clone()).collect();
    let scores = journal.load_scores(service, &charted)?;
    let names = names(journal, service, &comparison)?;
    let mut trends = BadShareHistory::default();
    if wanted.scope == ListScope::default() {
        let places = RowIndex::of_all(&wanted.rows);
        let add = |look: Snapshot| trends.add(&look, &wanted.rows, &places);
        journal.load_latest_snapshots(service, &wanted.scope, TREND_SNAPSHOTS, add)?;
    }
    Ok(ComparisonResult { baseline, results, failing, comparison, scores, names, trends })
}

/// Returns the time before which the list last seen was taken. Without a mark that is the previous look, which is then
/// marked, so that unseen changes remain changes at later starts.
fn seen_before(journal: &Journal, service: &str, wanted: &ComparisonRequest) -> Result<Timestamp, Failure> {
    if let Some(seen_at) = journal.load_seen_at(service)? {
        // Lists of the same millisecond were seen too.
        return Ok((seen_at + SignedDuration::from_millis(1)).min(wanted.before));
    }
    if let Some(former) = journal.load_snapshot_before(service, &ListScope::default(), wanted.before)? {
        journal.store_seen_at(service, former.taken_at)?;
    }
    Ok(wanted.before)
}

/// Without an earlier snapshot nothing is new or gone; reports not audited for a long time are listed nevertheless.
fn first_comparison(wanted: &ComparisonRequest) -> ComparisonResult {
    let comparison = compare(&empty_snapshot(wanted), &snapshot(wanted), wanted.taken_at, wanted.untested_for);
    ComparisonResult { comparison, ..ComparisonResult::default() }
}

fn snapshot(wanted: &ComparisonRequest) -> Snapshot {
    let rows = wanted.rows.iter();
    Snapshot::take(rows, wanted.scope.clone(), wanted.is_complete, wanted.taken_at)
}

/// An empty earlier snapshot.
fn empty_snapshot(wanted: &ComparisonRequest) -> Snapshot {
    Snapshot::take(std::iter::empty(), ListScope::default(), false, wanted.before)
}

/// Returns the audits shown by the comparison, for the timelines of their reports.
fn audits(comparison: &Comparison, now: Timestamp) -> Vec<LogEntry> {
    let moved = comparison.changed().take(MAX_CHARTS);
    let audit = |change: &ResultChange| LogEntry {
        report: Some(change.id.clone()),
        before: change.before.verdict(),
        after: change.after.verdict(),
        detail: change.flips().map(|flips| flips.in_words(MOST_NAMES)).unwrap_or_default(),
        audited_at: change.after.generated_at,
        ..LogEntry::new(LogKind::Audited, change.after.generated_at.unwrap_or(now))
    };
    // Without a time, an audit cannot be distinguished from one that is logged already.
    moved.map(audit).filter(|entry| entry.audited_at.is_some()).collect()
}

/// Returns the URLs of gone reports from the cached rows; snapshots do not store URLs.
fn names(journal: &Journal, service: &str, comparison: &Comparison) -> Result<HashMap<ReportId, String>, Failure> {
    if comparison.gone.is_empty() {
        return Ok(HashMap::new());
    }
    let gone: HashSet<&ReportId> = comparison.gone.iter().map(|seen| &seen.id).collect();
    let mut names = HashMap::new();
    let mut last = journal.load_rows(service, None)?;
    while let Some(part) = last {
        let named = part.rows.iter().filter(|row| gone.contains(&row.id));
        names.extend(named.map(|row| (row.id.clone(), row.short_url().to_owned())));
        let Some(next) = part.next else { break };
        last = journal.load_rows(service, Some(next))?;
    }
    Ok(names)
}
