//! The outbox: writes that the desk has not confirmed yet, and those that conflicted.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::person::Handle;
use super::row::DeskRow;
use super::write::{NoteWrite, RowPrecondition, RowWrite};
use crate::domain::report::ReportId;

/// Writes older than this need the user's confirmation before they are sent.
pub const LONGEST_UNASKED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Writes older than this are sent with the time of their decision; for others the desk's own time is right.
const LONGEST_UNDATED: SignedDuration = SignedDuration::from_mins(1);

/// How long a claim on a report lasts, unless configured otherwise.
pub const CLAIM: SignedDuration = SignedDuration::from_hours(8);

/// A write to a desk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DeskWrite {
    /// State and holder of a report.
    Row {
        /// The report.
        report: ReportId,
        /// The row that the user saw.
        expected: RowPrecondition,
        /// The new row.
        write: RowWrite,
    },
    /// A new note.
    Note {
        /// The report.
        report: ReportId,
        /// The note.
        write: NoteWrite,
    },
    /// The withdrawal of a note.
    Withdrawal {
        /// The report.
        report: ReportId,
        /// The note.
        note: i64,
        /// The id of this write.
        change: ChangeId,
    },
}

impl DeskWrite {
    /// The id of the write.
    pub fn change(&self) -> ChangeId {
        match self {
            Self::Row { write, .. } => write.change,
            Self::Note { write, .. } => write.change,
            Self::Withdrawal { change, .. } => *change,
        }
    }

    /// The report that the write concerns.
    pub fn report(&self) -> &ReportId {
        match self {
            Self::Row { report, .. } | Self::Note { report, .. } | Self::Withdrawal { report, .. } => report,
        }
    }
}

/// A write in the outbox. Writes are sent in the order they were decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutboxEntry {
    /// The write.
    pub write: DeskWrite,
    /// When the user, or the program, decided it.
    pub decided_at: Timestamp,
    /// Who the user was on the desk then; `None` in entries of earlier versions.
    #[serde(default)]
    pub decided_by: Option<Handle>,
    /// The user must confirm it before it is sent: the desk was restored from a backup and may have lost what the write
    /// is based on.
    #[serde(default)]
    pub must_ask: bool,
    /// The user confirmed that it is to be sent regardless of later changes.
    pub is_confirmed: bool,
}

impl OutboxEntry {
    /// Whether the user must confirm it before it is sent.
    pub fn must_be_confirmed(&self, now: Timestamp, me: &Handle) -> bool {
        let is_doubtful = self.must_ask || now.duration_since(self.decided_at) > LONGEST_UNASKED;
        self.author_besides(me).is_some() || (is_doubtful && !self.is_confirmed)
    }

    /// Returns who made the decision, unless it was the holder of the present key.
    pub fn author_besides(&self, me: &Handle) -> Option<&Handle> {
        self.decided_by.as_ref().filter(|author| *author != me)
    }

    /// The write as sent: with its decision time if that is more than a minute ago.
    pub fn to_send(&self, now: Timestamp) -> DeskWrite {
        let mut write = self.write.clone();
        let decided_at = (now.duration_since(self.decided_at) > LONGEST_UNDATED).then_some(self.decided_at);
        match &mut write {
            DeskWrite::Row { write, .. } => write.decided_at = decided_at,
            DeskWrite::Note { write, .. } => write.decided_at = decided_at,
            DeskWrite::Withdrawal { .. } => {}
        }
        write
    }

    /// Rebases the write on a newer row, which this client wrote itself or the user has seen.
    pub fn rebase(&mut self, row: &DeskRow) {
        if let DeskWrite::Row { report, expected, .. } = &mut self.write
            && *report == row.report
        {
            *expected = RowPrecondition::Version(row.version);
        }
    }

    /// Whether the write is based on this row's version.
    pub fn expects(&self, row: &DeskRow) -> bool {
        matches!(&self.write, DeskWrite::Row { expected: RowPrecondition::Version(version), .. } if *version == row.version)
    }

    /// Whether a row already has the state and holder that the write would set.
    pub fn is_fulfilled_by(&self, row: &DeskRow) -> bool {
        let DeskWrite::Row { write, .. } = &self.write else { return false };
        // Names every field, so that the compiler asks about a new one.
        let RowWrite { change: _, state, holder, baseline: _, reason: _, cause: _, decided_at: _ } = write;
        (*state, holder) == (row.state, &row.holder)
    }
}

/// A write that was not applied because its row had changed, or that needs a confirmation. The user chooses.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The user's write.
    pub mine: OutboxEntry,
    /// The current row; `None` if there is none.
    pub theirs: Option<DeskRow>,
}
