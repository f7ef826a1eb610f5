//! The state that a person gives a report.

use std::collections::HashMap;

use jiff::{Timestamp, Unit};
use strum::IntoEnumIterator;

use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::{Report, ReportId};

/// The triage state of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// New, or reopened: the state of every report without a stored one.
    New,
    /// In work.
    Looking,
    /// Blocked by someone else.
    Waiting,
    /// Said to be repaired; the next audit decides.
    ToVerify,
    /// Known, and left as it is.
    WontFix,
    /// Not before this time.
    Snoozed {
        /// From then on it is new again.
        until: Timestamp,
    },
    /// Verified by an audit. Only the program says this.
    Done,
}

/// A state without its time: what the filter and the counts go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumIter)]
pub enum StateKind {
    /// [`State::New`]
    New,
    /// [`State::Looking`]
    Looking,
    /// [`State::Waiting`]
    Waiting,
    /// [`State::ToVerify`]
    ToVerify,
    /// [`State::WontFix`]
    WontFix,
    /// [`State::Snoozed`]
    Snoozed,
    /// [`State::Done`]
    Done,
}

impl State {
    /// The state without its time.
    pub fn kind(self) -> StateKind {
        match self {
            Self::New => StateKind::New,
            Self::Looking => StateKind::Looking,
            Self::Waiting => StateKind::Waiting,
            Self::ToVerify => StateKind::ToVerify,
            Self::WontFix => StateKind::WontFix,
            Self::Snoozed { .. } => StateKind::Snoozed,
            Self::Done => StateKind::Done,
        }
    }
}

impl StateKind {
    /// The word behind `state:` and in the journal.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Looking => "looking",
            Self::Waiting => "waiting",
            Self::ToVerify => "verify",
            Self::WontFix => "wontfix",
            Self::Snoozed => "snoozed",
            Self::Done => "done",
        }
    }

    /// What the screen calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::ToVerify => "to verify",
            Self::WontFix => "won't fix",
            Self::New | Self::Looking | Self::Waiting | Self::Snoozed | Self::Done => self.word(),
        }
    }

    /// Reads the word; `None` for any other.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::iter().find(|kind| kind.word() == word)
    }

    /// Whether there is something to do for the person at the screen: new, or being looked at. The queue walks these.
    pub fn is_open(self) -> bool {
        match self {
            Self::New | Self::Looking => true,
            Self::Waiting | Self::ToVerify | Self::WontFix | Self::Snoozed | Self::Done => false,
        }
    }
}

/// A stored triage state of one report.
#[derive(Debug, Clone, PartialEq)]
pub struct Triage {
    /// The state.
    pub state: State,
    /// When it was given, to the millisecond: also which of two windows was later.
    pub set_at: Timestamp,
    /// How the report stood then.
    pub baseline: ReportState,
    /// Why the program changed it, as it may be shown; `None` when a person did.
    pub reason: Option<String>,
}

impl Triage {
    /// The state that a person sets for a report. [`State::New`] clears an earlier one.
    pub fn set(state: State, report: &Report, now: Timestamp) -> Self {
        Self { state, set_at: to_the_millisecond(now), baseline: ReportState::of(report), reason: None }
    }

    /// True for a report that was closed, left or put off and that the program opened again.
    pub fn is_reopened(&self) -> bool {
        self.state == State::New && self.reason.is_some()
    }

    /// What the screen calls it: the state, or that it reopened.
    pub fn label(&self) -> &'static str {
        match self.state.kind() {
            StateKind::New => "reopened",
            kind => kind.label(),
        }
    }

    /// True for a cleared state, which is not stored.
    pub fn is_plain(&self) -> bool {
        self.state == State::New && self.reason.is_none()
    }
}

/// The time with the precision of the journal.
pub fn to_the_millisecond(time: Timestamp) -> Timestamp {
    // Rounding fails only at the end of time, and then nothing is lost by not rounding.
    let down = jiff::TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Trunc);
    time.round(down).unwrap_or(time)
}

/// The states of one service's reports. What is not in it is new.
///
/// The app holds one in an `Arc`, which an [`Arrangement`](crate::domain::list::arrange::Arrangement) carries for `state:`.
/// It has an entry per report that was touched, not per report: some 150 bytes each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triages(HashMap<ReportId, Triage>);

impl Triages {
    /// The state of this report.
    pub fn get(&self, id: &ReportId) -> Option<&Triage> {
        // Mostly there is none at all, and then 100,000 rows need no hashing.
        if self.0.is_empty() { None } else { self.0.get(id) }
    }

    /// The report's state.
    pub fn kind(&self, id: &ReportId) -> StateKind {
        self.get(id).map_or(StateKind::New, |triage| triage.state.kind())
    }

    /// Whether a report needs work: its result is not good, and it is new or being looked at.
    pub fn needs_work(&self, report: &Report) -> bool {
        report.outcome != Outcome::Good && self.kind(&report.id).is_open()
    }

    /// Replaces the state of a report; a cleared one is removed.
    pub fn put(&mut self, id: ReportId, triage: Triage) {
        if triage.is_plain() {
            self.0.remove(&id);
        } else {
            self.0.insert(id, triage);
        }
    }

    /// All states, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&ReportId, &Triage)> {
        self.0.iter()
    }

    /// The number of reports with a state.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when every report is new.
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
