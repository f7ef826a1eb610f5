//! Rows of the desk's tables as both engines read and write them, and the inputs of a write's decision.

use crate::domain::desk::{ChangeId, Role};
use crate::service::store::key_rows::{KeyDigest, NewKey};

/// The desk itself; a single row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskRecord {
    /// The revision of the last event.
    pub revision: i64,
    /// The `service_id` of this service.
    pub service_id: String,
    /// The revision of the last event that was pruned; 0 if none was.
    pub pruned: i64,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRecord {
    pub handle: String,
    pub name: String,
    /// In Unix milliseconds.
    pub left_at: Option<i64>,
}

/// A service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceRecord {
    pub id: i64,
    pub base: Option<String>,
    pub service_id: Option<String>,
    pub label: String,
    /// The service that its rows moved to.
    pub merged_into: Option<i64>,
}

/// State and holder of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRecord {
    pub service: i64,
    pub report: String,
    pub version: i64,
    /// JSON of a `DeskRow`.
    pub content: String,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteRecord {
    pub id: i64,
    pub service: i64,
    pub report: String,
    pub withdrawn: bool,
    /// JSON of a `DeskNote`.
    pub content: String,
}

/// An event. The service is a column and not part of the content, so that a merge can change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRecord {
    pub revision: i64,
    pub change: String,
    pub service: Option<i64>,
    pub report: Option<String>,
    pub cause: Option<String>,
    /// In Unix milliseconds.
    pub at: i64,
    /// JSON of a `DeskEvent`.
    pub content: String,
}

/// What a write needs to read before it decides.
#[derive(Debug, Clone, Default)]
pub struct DeskQuery {
    /// The id of the write.
    pub change: Option<ChangeId>,
    /// The service and the report.
    pub report: Option<(i64, String)>,
    /// What the program observed.
    pub cause: Option<String>,
    /// The id of a note.
    pub note: Option<i64>,
    /// The handle of a person.
    pub person: Option<String>,
    /// The name of a key.
    pub key: Option<String>,
    /// Two services to be merged, the removed one first.
    pub merge: Option<(i64, i64)>,
}

/// What was read for a write, in its transaction and locked against other writes.
#[derive(Debug, Clone)]
pub struct DeskSituation {
    pub desk: DeskRecord,
    /// The event with the same change id.
    pub repeated: Option<EventRecord>,
    /// All services by id, including merged ones.
    pub services: Vec<ServiceRecord>,
    pub state: Option<StateRecord>,
    /// Whether an event of the report already has this cause.
    pub is_cause_known: bool,
    pub note: Option<NoteRecord>,
    pub person: Option<PersonRecord>,
    /// The roles of the person's active keys.
    pub roles: Vec<Role>,
    /// The active key with the queried name: its role and its person.
    pub key: Option<(Role, Option<String>)>,
    /// The rows of reports that both services have, the removed service's first.
    pub conflicts: Vec<(StateRecord, StateRecord)>,
}

/// A statement of a write.
pub enum DeskStatement {
    /// Inserts or replaces a row.
    PutState(StateRecord),
    /// Deletes a row of a service that is being merged.
    DeleteState(i64, String),
    /// Inserts or replaces a note.
    PutNote(NoteRecord),
    /// Inserts or replaces a service.
    PutService(ServiceRecord),
    /// Moves all remaining rows of the first service to the second.
    Merge(i64, i64),
    /// Inserts or replaces a person.
    PutPerson(PersonRecord),
    /// Inserts a person unless the handle exists.
    AddPerson(PersonRecord),
    /// Inserts a key.
    InsertKey(NewKey, KeyDigest),
    /// Revokes the active key with this name.
    RevokeKey(String),
    /// Revokes all keys of a person.
    RevokeKeysOf(String),
    /// Appends an event, and sets the desk's revision to its own.
    Append(EventRecord),
}

/// The log after a position.
#[derive(Debug, Clone)]
pub struct LogTail {
    pub desk: DeskRecord,
    /// The change id of the last event, if it is retained.
    pub last_change: Option<String>,
    /// The change id of the event at the position, if it is retained.
    pub change_there: Option<String>,
    /// Whether the requested service exists; true if none was requested.
    pub is_service: bool,
    /// The events after the position, at most one more than requested.
    pub events: Vec<EventRecord>,
}

/// The end of the log, people and services.
#[derive(Debug, Clone)]
pub struct DeskTables {
    pub desk: DeskRecord,
    pub last_change: Option<String>,
    /// Sorted by handle.
    pub people: Vec<PersonRecord>,
    /// The roles of active keys, by person.
    pub roles: Vec<(String, Role)>,
    /// Sorted by id.
    pub services: Vec<ServiceRecord>,
}

/// Rows of one service, and the end of the log when they were read.
#[derive(Debug, Clone)]
pub struct ServiceRows<T> {
    pub desk: DeskRecord,
    pub last_change: Option<String>,
    /// Whether the service exists and was not merged into another.
    pub is_service: bool,
    pub rows: Vec<T>,
}
