//! Triage states.

use std::collections::HashMap;

use jiff::{Timestamp, Unit};

use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::{Report, ReportId};

/// The triage state of a report. [`StateKind`] is the state without its time, for filters and counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumDiscriminants)]
#[strum_discriminants(name(StateKind), doc = "A state without its time, for filters and counts.")]
#[strum_discriminants(derive(PartialOrd, Ord, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr))]
#[strum_discriminants(strum(serialize_all = "snake_case"))]
pub enum State {
    /// New, or reopened: the state of every report without a stored one.
    New,
    /// Being worked on.
    Looking,
    /// Waiting for someone else.
    Waiting,
    /// Reportedly repaired; the next audit decides.
    #[strum_discriminants(strum(serialize = "verify"))]
    ToVerify,
    /// Known, and left as it is.
    #[strum_discriminants(strum(serialize = "wontfix"))]
    WontFix,
    /// Postponed until this time.
    Snoozed {
        /// When it becomes new again.
        until: Timestamp,
    },
    /// Verified by an audit. Set only by the program.
    Done,
}

impl State {
    /// Returns the state of a kind; `None` for a snooze without its end. Other states ignore `until`, which is truncated to
    /// the millisecond.
    pub fn of(kind: StateKind, until: Option<Timestamp>) -> Option<Self> {
        Some(match kind {
            StateKind::New => Self::New,
            StateKind::Looking => Self::Looking,
            StateKind::Waiting => Self::Waiting,
            StateKind::ToVerify => Self::ToVerify,
            StateKind::WontFix => Self::WontFix,
            StateKind::Snoozed => Self::Snoozed { until: to_the_millisecond(until?) },
            StateKind::Done => Self::Done,
        })
    }

    /// The end of a snooze.
    pub fn until(self) -> Option<Timestamp> {
        match self {
            Self::Snoozed { until } => Some(until),
            Self::New | Self::Looking | Self::Waiting | Self::ToVerify | Self::WontFix | Self::Done => None,
        }
    }

    /// The end of a snooze that is over.
    pub fn snooze_ended_at(self, now: Timestamp) -> Option<Timestamp> {
        self.until().filter(|until| *until <= now)
    }

    /// The state without its time.
    pub fn kind(self) -> StateKind {
        self.into()
    }
}

impl StateKind {
    /// The name after `state:` and in the journal.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The name on screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::ToVerify => "to verify",
            Self::WontFix => "won't fix",
            Self::New | Self::Looking | Self::Waiting | Self::Snoozed | Self::Done => self.name(),
        }
    }

    /// Whether the user has to act: new, or being looked at. The triage queue consists of these.
    pub fn is_open(self) -> bool {
        match self {
            Self::New | Self::Looking => true,
            Self::Waiting | Self::ToVerify | Self::WontFix | Self::Snoozed | Self::Done => false,
        }
    }

    /// Whether nobody has to act any more.
    pub fn is_settled(self) -> bool {
        match self {
            Self::WontFix | Self::Done => true,
            Self::New | Self::Looking | Self::Waiting | Self::ToVerify | Self::Snoozed => false,
        }
    }
}

/// The stored triage state of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Triage {
    /// The state.
    pub state: State,
    /// When it was set, to the millisecond; between two instances of the program, the later one wins.
    pub set_at: Timestamp,
    /// The report's state at that time.
    pub baseline: ReportState,
    /// Why the program changed it, in display form; `None` if a person did.
    pub reason: Option<String>,
}

impl Triage {
    /// Creates a state set by the user. [`State::New`] clears an earlier one.
    pub fn set(state: State, report: &Report, now: Timestamp) -> Self {
        Self { state, set_at: to_the_millisecond(now), baseline: report.state(), reason: None }
    }

    /// Whether setting `wanted` would change nothing: a person set this state already, and for the same audit.
    pub fn is_repeated_by(&self, wanted: &Self) -> bool {
        self.state == wanted.state && self.reason.is_none() && !self.baseline.is_followed_by(&wanted.baseline)
    }

    /// Whether the program reopened the report.
    pub fn is_reopened(&self) -> bool {
        self.state == State::New && self.reason.is_some()
    }

    /// The label on screen: the state, or `reopened`.
    pub fn label(&self) -> &'static str {
        match self.state.kind() {
            StateKind::New => "reopened",
            kind => kind.label(),
        }
    }

    /// Turns an expired snooze into "new".
    #[must_use]
    pub fn expire(self, now: Timestamp) -> Self {
        match self.state.snooze_ended_at(now) {
            Some(until) => Self { state: State::New, reason: Some(snooze_ended(until)), ..self },
            None => self,
        }
    }

    /// Whether the state is cleared, and so not stored.
    pub fn is_plain(&self) -> bool {
        self.state == State::New && self.reason.is_none()
    }
}

/// The reason of a report that is new because its snooze has expired.
pub fn snooze_ended(until: Timestamp) -> String {
    format!("reopened: snoozed until {}", until.strftime("%Y-%m-%d %H:%M UTC"))
}

/// Truncates a time to the precision of the journal.
pub fn to_the_millisecond(time: Timestamp) -> Timestamp {
    // Rounding fails only at the maximum timestamp, which needs no rounding.
    let down = jiff::TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Trunc);
    time.round(down).unwrap_or(time)
}

/// The triage states of one service's reports. Reports without an entry are new.
///
/// Shared as an `Arc` with [`Arrangement`](crate::domain::list::arrange::Arrangement) for `state:`. Holds only reports
/// with a state, about 150 bytes each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triages(HashMap<ReportId, Triage>);

impl Triages {
    /// The stored state of a report.
    pub fn get(&self, id: &ReportId) -> Option<&Triage> {
        // Usually there are none, which saves hashing 100,000 ids.
        if self.0.is_empty() { None } else { self.0.get(id) }
    }

    /// The kind of the report's state.
    pub fn kind(&self, id: &ReportId) -> StateKind {
        self.get(id).map_or(StateKind::New, |triage| triage.state.kind())
    }

    /// Whether a report needs work: its result is not good, and it is new or being looked at.
    pub fn needs_work(&self, report: &Report) -> bool {
        report.outcome != Outcome::Good && self.kind(&report.id).is_open()
    }

    /// Replaces the state of a report; removes a cleared one.
    pub fn put(&mut self, id: ReportId, triage: Triage) {
        if triage.is_plain() {
            self.0.remove(&id);
        } else {
            self.0.insert(id, triage);
        }
    }

    /// All states, in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = (&ReportId, &Triage)> {
        self.0.iter()
    }

    /// The number of reports with a state.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether every report is new.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(ReportId, Triage)> for Triages {
    fn from_iter<T: IntoIterator<Item = (ReportId, Triage)>>(entries: T) -> Self {
        let mut triages = Self::default();
        for (id, triage) in entries {
            triages.put(id, triage);
        }
        triages
    }
}
