//! How a new audit changes a triage state: reopens it, closes it, or keeps it.

use jiff::Timestamp;

use super::state::{State, Triage, snooze_ended, to_the_millisecond};
use crate::domain::report::Report;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::history::{Flips, named_checks};
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::{ReportState, Trend};
use crate::domain::text::clean;

/// The most checks named in a reason.
const MOST_NAMES: usize = 4;

/// A change of a state; each variant holds the new state.
#[derive(Debug, Clone, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TriageChange {
    /// New again; the reason explains why.
    Reopened(Triage),
    /// A report to verify is done; the reason says what improved.
    Closed(Triage),
    /// The state is unchanged; checks or score of its audit became known. Not announced.
    Learned(Triage),
}

impl TriageChange {
    /// The name in the causes of desk writes.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// The new state.
    pub fn triage(&self) -> &Triage {
        match self {
            Self::Reopened(triage) | Self::Closed(triage) | Self::Learned(triage) => triage,
        }
    }
}

/// Returns the change of a stored state caused by the present report, if any.
///
/// Idempotent: a reopened report is new, and new reports are never reopened. Constant cost apart from the failing
/// checks, so it can be called for every row with a state.
pub fn observe(stored: &Triage, report: &Report, now: Timestamp) -> Option<TriageChange> {
    let baseline = &stored.baseline;
    if is_as_it_was(baseline, report) && !matches!(stored.state, State::Snoozed { .. }) {
        return None;
    }
    let seen = report.state();
    let is_news = baseline.is_followed_by(&seen);
    let changed = match stored.state {
        State::New => return None,
        State::Looking | State::Waiting | State::WontFix | State::Done if is_news => worse(baseline, &seen),
        State::ToVerify if is_news => verified(baseline, &seen),
        State::Snoozed { .. } => {
            let worse = is_news.then(|| worse(baseline, &seen)).flatten();
            worse.or_else(|| Some((State::New, snooze_ended(stored.state.snooze_ended_at(now)?))))
        }
        State::Looking | State::Waiting | State::WontFix | State::Done | State::ToVerify => None,
    };
    let Some((state, reason)) = changed else {
        return (!is_news).then(|| learned(stored, &seen)).flatten().map(TriageChange::Learned);
    };
    // A row older than the baseline says nothing new about the report.
    let is_stale = !is_news && seen.generated_at < baseline.generated_at;
    let baseline = if is_stale { baseline.clone() } else { seen };
    let triage = Triage { state, set_at: to_the_millisecond(now), baseline, reason: Some(reason) };
    Some(if state == State::Done { TriageChange::Closed(triage) } else { TriageChange::Reopened(triage) })
}

/// Whether opening the report could let [`observe`] decide: it is to verify, was audited again, had known checks when
/// it was marked, and this row has none.
pub fn wants_checks(stored: &Triage, report: &Report) -> bool {
    stored.state == State::ToVerify
        && stored.baseline.failing.as_ref().is_some_and(|failing| !failing.is_empty())
        && !report.knows_failing()
        && stored.baseline.is_followed_by(&report.state())
}

/// Whether this row shows the audit of the baseline and nothing more: true of nearly every row, checked without
/// copying.
fn is_as_it_was(baseline: &ReportState, report: &Report) -> bool {
    let audited_at = report.generated_at;
    audited_at.is_some()
        && audited_at == baseline.generated_at
        && report.outcome == baseline.outcome
        && (report.score.is_none() || report.score == baseline.score)
        && (baseline.failing.is_some() || !report.knows_failing())
}

type Verdict = Option<(State, String)>;

fn worse(baseline: &ReportState, seen: &ReportState) -> Verdict {
    let flips = baseline.flips(seen).unwrap_or_default();
    let fell = baseline.result_trend(seen) == Trend::Worse || baseline.score_trend(seen) == Trend::Worse;
    (fell || !flips.broken.is_empty()).then(|| {
        let fails = named_checks("fails", &flips.broken, MOST_NAMES);
        (State::New, reason("reopened", baseline, seen, &[fails]))
    })
}

/// Decides between fixed and reopened. A report that became good is fixed unless a check is newly broken, any other one
/// only if all checks that failed before are repaired. Without known checks only the result counts; if they were known
/// before and this row has none, the decision waits until the report is opened ([`wants_checks`]), unless the result is
/// good or fell.
fn verified(baseline: &ReportState, seen: &ReportState) -> Verdict {
    let flips = baseline.flips(seen);
    let fell = baseline.result_trend(seen) == Trend::Worse || baseline.score_trend(seen) == Trend::Worse;
    let rose = !fell && (baseline.result_trend(seen) == Trend::Better || baseline.score_trend(seen) == Trend::Better);
    let is_good = seen.outcome == Outcome::Good;
    let became_good = is_good && baseline.result_trend(seen) == Trend::Better;
    let still = still_failing(baseline, seen);
    let Flips { repaired, broken } = flips.clone().unwrap_or_default();
    let is_fixed = match &flips {
        Some(_) => broken.is_empty() && (became_good || (still.is_empty() && (rose || is_good))),
        None => is_good,
    };
    let still = named_checks("still fails", &still, MOST_NAMES);
    if is_fixed && !fell {
        let parts = [named_checks("repaired", &repaired, MOST_NAMES), still];
        return Some((State::Done, reason("done", baseline, seen, &parts)));
    }
    let nothing_known_now = baseline.failing.is_some() && seen.failing.is_none();
    if nothing_known_now && !fell {
        return None;
    }
    let parts = [still, named_checks("now fails", &broken, MOST_NAMES)];
    Some((State::New, reason("reopened", baseline, seen, &parts)))
}

fn still_failing(baseline: &ReportState, seen: &ReportState) -> Vec<CheckId> {
    match (&baseline.failing, &seen.failing) {
        (Some(before), Some(after)) => before.iter().filter(|id| after.contains(id)).cloned().collect(),
        (None, Some(after)) => after.to_vec(),
        (None | Some(_), None) => Vec::new(),
    }
}

/// The same state with its baseline completed by further data of the same audit from an opened report. A row with another
/// result is not of the same audit ([`ReportState::is_followed_by`]) and never gets here.
fn learned(stored: &Triage, seen: &ReportState) -> Option<Triage> {
    let baseline = &stored.baseline;
    let is_same_audit = baseline.generated_at == seen.generated_at;
    let is_more =
        (baseline.failing.is_none() && seen.failing.is_some()) || (baseline.score.is_none() && seen.score.is_some());
    (is_same_audit && is_more).then(|| {
        let mut triage = stored.clone();
        triage.baseline.failing = baseline.failing.clone().or_else(|| seen.failing.clone());
        triage.baseline.score = baseline.score.or(seen.score);
        triage
    })
}

fn reason(verb: &str, baseline: &ReportState, seen: &ReportState, parts: &[Option<String>]) -> String {
    let (before, after) = (baseline.verdict(), seen.verdict());
    let moved = if before == after { format!("still {after}") } else { format!("{before} → {after}") };
    let texts: Vec<String> = std::iter::once(moved).chain(parts.iter().flatten().cloned()).collect();
    // Check ids are untrusted; stored reasons must be safe to display.
    clean(&format!("{verb}: {}", texts.join(", "))).into_owned()
}
