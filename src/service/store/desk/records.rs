//! Rows of the desk's tables as both engines read and write them, and what a write has to know before it decides.

use serde::Serialize;

use crate::domain::desk::{ChangeId, Role};
use crate::service::store::key_rows::{KeyDigest, NewKey};

/// The desk itself. There is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeskRecord {
    /// The number of the last event.
    pub revision: i64,
    /// The id of this service.
    pub service_id: String,
    /// The number of the last event that is no longer kept; 0 if all are.
    pub pruned: i64,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonRecord {
    pub handle: String,
    pub name: String,
    /// In milliseconds since 1970.
    pub left_at: Option<i64>,
}

/// A service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServiceRecord {
    pub id: i64,
    pub base: Option<String>,
    pub service_id: Option<String>,
    pub label: String,
    /// The service that has its rows now.
    pub merged_into: Option<i64>,
}

/// State and holder of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StateRecord {
    pub service: i64,
    pub report: String,
    pub version: i64,
    /// JSON of a `DeskRow`.
    pub content: String,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteRecord {
    pub id: i64,
    pub service: i64,
    pub report: String,
    pub withdrawn: bool,
    /// JSON of a `DeskNote`.
    pub content: String,
}

/// An event. The service stands here and not in the content, so that a merge can move it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventRecord {
    pub revision: i64,
    pub change: String,
    pub service: Option<i64>,
    pub report: Option<String>,
    pub cause: Option<String>,
    /// In milliseconds since 1970.
    pub at: i64,
    /// JSON of a `DeskEvent`.
    pub content: String,
}

/// What a write looks at.
#[derive(Debug, Clone, Default)]
pub struct DeskQuery {
    /// The id of the write.
    pub change: Option<ChangeId>,
    /// Service and report.
    pub report: Option<(i64, String)>,
    /// What the program saw.
    pub cause: Option<String>,
    /// The note.
    pub note: Option<i64>,
    /// The person.
    pub person: Option<String>,
    /// The key, by its name.
    pub key: Option<String>,
    /// The rows that two services both have: the one that goes and the one that stays.
    pub merge: Option<(i64, i64)>,
}

/// What was found, in the transaction of the write and locked against others.
#[derive(Debug, Clone)]
pub struct DeskSituation {
    pub desk: DeskRecord,
    /// The event of the same change id.
    pub repeated: Option<EventRecord>,
    /// All services, merged ones too, by id.
    pub services: Vec<ServiceRecord>,
    pub state: Option<StateRecord>,
    /// Whether an event of the report has this cause.
    pub is_cause_known: bool,
    pub note: Option<NoteRecord>,
    pub person: Option<PersonRecord>,
    /// The roles of the person's keys in use.
    pub roles: Vec<Role>,
    /// The key in use with that name: its role and its person.
    pub key: Option<(Role, Option<String>)>,
    /// Rows of both services, the one that goes first.
    pub conflicts: Vec<(StateRecord, StateRecord)>,
}

/// A statement of a write.
pub enum DeskStatement {
    /// Inserts or replaces a row.
    PutState(StateRecord),
    /// Deletes a row of a service that is merged.
    DeleteState(i64, String),
    /// Inserts or replaces a note.
    PutNote(NoteRecord),
    /// Inserts or replaces a service.
    PutService(ServiceRecord),
    /// Moves what is left of the first service to the second.
    Merge(i64, i64),
    /// Inserts or replaces a person.
    PutPerson(PersonRecord),
    /// Inserts a person, unless there is one of that handle.
    AddPerson(PersonRecord),
    /// Inserts a key.
    InsertKey(NewKey, KeyDigest),
    /// Revokes the key in use with a name.
    RevokeKey(String),
    /// Revokes all keys of a person.
    RevokeKeysOf(String),
    /// Appends an event, and makes its number that of the desk.
    Append(EventRecord),
}

/// What follows a position in the log.
#[derive(Debug, Clone)]
pub struct LogTail {
    pub desk: DeskRecord,
    /// The change id of the last event, if it is kept.
    pub last_change: Option<String>,
    /// The change id of the event at the position, if it is kept.
    pub change_there: Option<String>,
    /// Whether there is the service that was asked for, if one was.
    pub is_service: bool,
    /// The events behind it, at most one more than was asked for.
    pub events: Vec<EventRecord>,
}

/// The end of the log, people and services.
#[derive(Debug, Clone)]
pub struct DeskTables {
    pub desk: DeskRecord,
    pub last_change: Option<String>,
    /// By handle.
    pub people: Vec<PersonRecord>,
    /// The roles of keys in use by person.
    pub roles: Vec<(String, Role)>,
    /// By id.
    pub services: Vec<ServiceRecord>,
}

/// Rows of one service, and the end of the log when they were read.
#[derive(Debug, Clone)]
pub struct ServiceRows<T> {
    pub desk: DeskRecord,
    pub last_change: Option<String>,
    /// Whether there is such a service, and it was not merged into another.
    pub is_service: bool,
    pub rows: Vec<T>,
}

/// A row of any of the desk's tables, on its way to another store.
#[derive(Clone, Serialize)]
pub enum DeskTableRow {
    Desk(DeskRecord),
    Person(PersonRecord),
    Service(ServiceRecord),
    State(StateRecord),
    Note(NoteRecord),
    Event(EventRecord),
}

impl DeskTableRow {
    /// The table it stands in.
    pub fn table(&self) -> &'static str {
        match self {
            Self::Desk(_) => "desk",
            Self::Person(_) => "people",
            Self::Service(_) => "desk_services",
            Self::State(_) => "desk_states",
            Self::Note(_) => "desk_notes",
            Self::Event(_) => "desk_events",
        }
    }
}
