//! What is read from the desk's tables, and the statements of a write.

use crate::domain::desk::{ChangeId, DeskEvent, DeskNote, DeskRow, DeskService, Handle, Person, Role};
use crate::domain::report::ReportId;
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

/// A service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceRecord {
    pub service: DeskService,
    /// The service that its rows moved to.
    pub merged_into: Option<i64>,
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
    /// A person.
    pub person: Option<Handle>,
    /// The name of a key.
    pub key: Option<String>,
    /// Two services to be merged, the removed one first.
    pub merge: Option<(i64, i64)>,
}

/// What was read for a write, in its transaction and locked against other writes.
#[derive(Debug, Clone)]
pub struct DeskSituation {
    /// When the transaction began, in Unix milliseconds.
    pub now: i64,
    pub desk: DeskRecord,
    /// The event with the same change id.
    pub repeated: Option<DeskEvent>,
    /// All services by id, including merged ones.
    pub services: Vec<ServiceRecord>,
    pub state: Option<DeskRow>,
    /// Whether an event of the report already has this cause.
    pub is_cause_known: bool,
    /// The note with the queried id, if it is about the report.
    pub note: Option<DeskNote>,
    pub person: Option<Person>,
    /// The active key with the queried name: its role and its person.
    pub key: Option<(Role, Option<Handle>)>,
    /// The rows of reports that both services have, the removed service's first.
    pub conflicts: Vec<(DeskRow, DeskRow)>,
}

/// A statement of a write.
pub enum DeskStatement {
    /// Inserts or replaces a row of a service.
    PutState(i64, DeskRow),
    /// Deletes a row of a service that is being merged.
    DeleteState(i64, ReportId),
    /// Inserts or replaces a note of a service.
    PutNote(i64, DeskNote),
    /// Inserts or replaces a service.
    PutService(ServiceRecord),
    /// Moves all remaining rows of the first service to the second.
    Merge(i64, i64),
    /// Inserts or replaces a person.
    PutPerson(Person),
    /// Inserts a person unless the handle exists.
    AddPerson(Person),
    /// Inserts a key.
    InsertKey(NewKey, KeyDigest),
    /// Revokes the active key with this name.
    RevokeKey(String),
    /// Revokes all keys of a person.
    RevokeKeysOf(Handle),
    /// Appends an event, and sets the desk's revision to its own.
    Append(DeskEvent),
}
