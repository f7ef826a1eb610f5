//! Pages of a desk's rows, notes, events and changes.

use serde::{Deserialize, Serialize};

use super::event::DeskEvent;
use super::overview::LogPosition;
use super::presence::Presence;
use super::row::{DeskNote, DeskRow};

/// One page of the rows of a service, ordered by report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowsPage {
    /// The end of the log when this page was read. Changes are requested from the first page's position.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The rows. Those of later pages may be newer than the first page's position; this is harmless, as an event
    /// replaces only rows of a lower version.
    pub rows: Vec<DeskRow>,
    /// Whether more rows follow, after the report of the last one.
    pub more: bool,
}

/// One page of the notes of a service, oldest first, without withdrawn ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotesPage {
    /// The end of the log when this page was read.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The notes.
    pub notes: Vec<DeskNote>,
    /// Whether more notes follow, after the id of the last one.
    pub more: bool,
}

/// One page of the history of a report, latest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventsPage {
    /// The events.
    pub events: Vec<DeskEvent>,
    /// Whether more events follow, before the revision of the last one.
    pub more: bool,
}

/// Changes since a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeskChanges {
    /// The position to continue from.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The log does not continue from the requested position: the desk was restored from a backup, or the following
    /// events were pruned. The client must read everything again; `events` is empty.
    pub reset: bool,
    /// The events after the position, in order; if a service was named, only its events.
    pub events: Vec<DeskEvent>,
    /// Who else is present in the same service, by handle.
    pub present: Vec<Presence>,
    /// Whether more events are available already.
    pub more: bool,
    /// Seconds to wait before the next request: 0, unless the maximum number of requests is already waiting.
    #[serde(default)]
    pub pause: u64,
}
