//! Writes that a desk has not confirmed yet, and what became of those that collided.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::row::DeskRow;
use super::write::{NoteWrite, RowPrecondition, RowWrite};
use crate::domain::report::ReportId;

/// A write that is older than this is not sent before the person is asked.
pub const LONGEST_UNASKED: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long a claim on a report stands, unless the configuration says otherwise.
pub const CLAIM: SignedDuration = SignedDuration::from_hours(8);

/// A write to a desk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DeskWrite {
    /// State and holder of a report.
    Row {
        /// The report.
        report: ReportId,
        /// The row that the person saw.
        expected: RowPrecondition,
        /// The row from now on.
        write: RowWrite,
    },
    /// A new note.
    Note {
        /// The report.
        report: ReportId,
        /// The note.
        write: NoteWrite,
    },
    /// A note is withdrawn.
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

    /// The report that it is about.
    pub fn report(&self) -> &ReportId {
        match self {
            Self::Row { report, .. } | Self::Note { report, .. } | Self::Withdrawal { report, .. } => report,
        }
    }
}

/// A write in the outbox. Writes are sent in the order in which they were decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutboxEntry {
    /// The write.
    pub write: DeskWrite,
    /// When the person, or the program, decided it.
    pub decided_at: Timestamp,
    /// The desk could not be reached then.
    pub is_offline: bool,
    /// The person is asked before it is sent: what it rests on may be lost, because the desk was restored from a backup.
    #[serde(default)]
    pub must_ask: bool,
    /// The person has confirmed that it is to be sent, whatever happened since.
    pub is_confirmed: bool,
}

impl OutboxEntry {
    /// Whether the person is asked before it is sent.
    pub fn must_be_confirmed(&self, now: Timestamp) -> bool {
        !self.is_confirmed && (self.must_ask || now.duration_since(self.decided_at) > LONGEST_UNASKED)
    }

    /// The write as it is sent: one that was decided offline says when.
    pub fn to_send(&self) -> DeskWrite {
        let mut write = self.write.clone();
        let decided_at = self.is_offline.then_some(self.decided_at);
        match &mut write {
            DeskWrite::Row { write, .. } => write.decided_at = decided_at,
            DeskWrite::Note { write, .. } => write.decided_at = decided_at,
            DeskWrite::Withdrawal { .. } => {}
        }
        write
    }

    /// Bases the write of a report's row on a newer row: one that this client wrote itself, or that the person has seen.
    pub fn rebase(&mut self, row: &DeskRow) {
        if let DeskWrite::Row { report, expected, .. } = &mut self.write
            && *report == row.report
        {
            *expected = RowPrecondition::Version(row.version);
        }
    }

    /// Whether the write rests on this row.
    pub fn expects(&self, row: &DeskRow) -> bool {
        matches!(&self.write, DeskWrite::Row { expected: RowPrecondition::Version(version), .. } if *version == row.version)
    }

    /// Whether a row is already as the write wants it.
    pub fn is_fulfilled_by(&self, row: &DeskRow) -> bool {
        matches!(&self.write, DeskWrite::Row { write, .. } if write.state == row.state && write.holder == row.holder)
    }
}

/// A write that was not made because its report's row had changed, or that needs a confirmation. The person chooses.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// What the person decided.
    pub mine: OutboxEntry,
    /// The row as it is now; `None` where there is none.
    pub theirs: Option<DeskRow>,
}
