//! One report of a bulk run: its state, the replies for it, and its outcome in words.

use jiff::Timestamp;

use crate::domain::failure::{Failure, LookupOutcome, WriteFailure};
use crate::domain::report::failed_checks::{CheckId, FailedChecks};
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::{Trend, rank};
use crate::domain::report::rerun::NO_NEW_RESULT;
use crate::domain::report::{Report, ReportId};

/// The most checks named in the outcome of one report.
const MOST_NAMES: usize = 4;

/// The state of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemState {
    /// Not sent yet.
    Waiting,
    /// Sent earlier and the reply lost: the report is read again before anything is sent.
    Lost,
    /// Sent; awaiting the reply.
    Sent,
    /// Done, with the outcome.
    Done(String),
    /// Not done, or unknown, with the reason.
    Failed(String),
    /// Not sent, with the reason.
    Skipped(String),
}

/// One report of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkItem {
    /// Which report.
    pub id: ReportId,
    /// Its URL in display form.
    pub url: String,
    /// The value before the operation; for a change of privacy, the name of the setting.
    pub before: String,
    /// When the report was audited before; a later time proves that it was re-run.
    pub audited_at: Option<Timestamp>,
    /// The checks that failed before, if known.
    pub failing: Option<Vec<CheckId>>,
    /// How the re-run changed the result; `None` until it is done.
    pub change: Option<Trend>,
    /// Its state.
    pub state: ItemState,
}

/// The reply for one report.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemReply {
    /// To an update or re-run.
    Updated(Result<Report, WriteFailure>),
    /// Nothing was sent: someone else has set the privacy since the plan. Holds the current report.
    Changed(Report),
    /// To a deletion.
    Deleted(Result<(), WriteFailure>),
    /// To reading a report after a lost reply.
    Looked(Result<Report, Failure>),
}

impl ItemReply {
    /// The report as it is now, if the reply or the look-up after a lost response has it.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Self::Updated(Ok(report)) | Self::Looked(Ok(report)) | Self::Changed(report) => Some(report),
            Self::Updated(Err(WriteFailure::Unsure { found: LookupOutcome::Report(report), .. })) => Some(report),
            Self::Updated(Err(_)) | Self::Deleted(_) | Self::Looked(Err(_)) => None,
        }
    }
}

impl BulkItem {
    /// Compares a report with the result before: scores, or results where one of the scores is unknown; an unknown result
    /// is worse than any other.
    pub(super) fn trend(&self, now: &Outcome, score: Option<u8>) -> Trend {
        let (before, score_before) = Outcome::from_verdict(&self.before);
        match (score_before, score) {
            (Some(before), Some(now)) => Trend::of(&before, &now),
            (None, _) | (_, None) => Trend::of(&rank(&before), &rank(now)),
        }
    }

    /// How a re-run that an earlier start of the program has done changed the result, if its text names the result.
    pub(super) fn recorded_trend(&self) -> Option<Trend> {
        let ItemState::Done(text) = &self.state else { return None };
        let (now, score) = Outcome::from_verdict(text.split(" · ").next()?);
        now.is_known().then(|| self.trend(&now, score))
    }

    /// The report before the operation, as far as the plan knew it. A list read since may show the change already.
    pub fn report_before(&self, after: &Report) -> Report {
        let (outcome, score) = Outcome::from_verdict(&self.before);
        Report {
            privacy: self.before.parse().ok(),
            generated_at: self.audited_at,
            failed: self.failing.clone().map(FailedChecks::from_iter).unwrap_or_default(),
            details: None,
            outcome,
            score,
            ..after.clone()
        }
    }

    /// Whether the report, re-run, still shows the audit before.
    pub(super) fn awaits_result(&self, report: &Report) -> bool {
        report.shows_audit(self.audited_at, &self.before)
    }

    /// Describes the outcome of a re-run by the report: its result, after a new audit with the checks that flipped.
    pub(super) fn rerun_outcome(&self, report: &Report) -> String {
        if self.awaits_result(report) {
            return NO_NEW_RESULT.to_owned();
        }
        let now = report.audit_result();
        let audited_again = report.generated_at > self.audited_at;
        match report.flips(self.failing.as_deref()).filter(|_| audited_again) {
            Some(flips) => format!("{now} · {}", flips.in_words(MOST_NAMES)),
            None => now,
        }
    }

    /// Returns why nothing is sent for it, if so.
    pub fn skip_reason(&self) -> Option<&str> {
        if let ItemState::Skipped(reason) = &self.state { Some(reason) } else { None }
    }

    /// Returns the state in words, with its detail.
    pub fn in_words(&self) -> (&'static str, &str) {
        match &self.state {
            ItemState::Waiting => ("waiting", ""),
            ItemState::Lost => ("to be checked", ""),
            ItemState::Sent => ("running", ""),
            ItemState::Done(text) => (
                match self.change {
                    Some(Trend::Better) => "improved",
                    Some(Trend::Same) => "same",
                    Some(Trend::Worse) => "worse",
                    None => "done",
                },
                text,
            ),
            ItemState::Failed(text) => ("failed", text),
            ItemState::Skipped(text) => ("skipped", text),
        }
    }
}
