//! Pages of what a desk holds.

use serde::{Deserialize, Serialize};

use super::event::DeskEvent;
use super::overview::LogPosition;
use super::presence::Presence;
use super::row::{DeskNote, DeskRow};

/// One page of the rows of a service, by report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowsPage {
    /// The end of the log when this page was read. Changes are asked for after that of the first page.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The rows. Those of later pages may be newer than the position of the first: an event replaces a row of a lower
    /// version only.
    pub rows: Vec<DeskRow>,
    /// Whether there are further rows, after the report of the last one.
    pub more: bool,
}

/// One page of the notes of a service, the oldest first; withdrawn ones are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotesPage {
    /// The end of the log when this page was read.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The notes.
    pub notes: Vec<DeskNote>,
    /// Whether there are further notes, after the id of the last one.
    pub more: bool,
}

/// One page of the history of a report, the latest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventsPage {
    /// The events.
    pub events: Vec<DeskEvent>,
    /// Whether there are further events, before the revision of the last one.
    pub more: bool,
}

/// What was changed since a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeskChanges {
    /// Where to go on.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The log does not go on from the position that was asked for: the desk was restored from a backup, or what
    /// followed is no longer kept. Everything must be read again. There are no events then.
    pub reset: bool,
    /// The events after the position, in their order; those of other services are left out where one was named.
    pub events: Vec<DeskEvent>,
    /// Who else is where in the same service, by handle.
    pub present: Vec<Presence>,
    /// Whether there are further events already.
    pub more: bool,
    /// How many seconds to wait before the next request: 0, unless as many requests wait already as a service takes.
    #[serde(default)]
    pub pause: u64,
}
