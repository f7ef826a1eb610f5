//! The description of a desk: its log position, people, services, and the caller.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::json;
use super::person::{DeskActor, Handle, Person, Role};
use crate::domain::text::Text;

/// A position in the log of a desk.
///
/// The change id reveals a desk that was restored from a backup: its log then has another change, or none, at this
/// revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogPosition {
    /// The revision of the last event. Revisions follow the commit order without gaps.
    pub revision: i64,
    /// The change id of that event; `None` before the first one.
    pub change: Option<ChangeId>,
}

/// The number of the desk's own service.
pub const OWN_SERVICE: i64 = 1;

/// A service whose reports are triaged on this desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskService {
    /// Its number on this desk.
    pub id: i64,
    /// Its canonical base URL; `None` for the desk's own service, which may be reached under several names.
    pub base: Option<Text>,
    /// The id that the service reports about itself; `None` for services without one.
    pub service_id: Option<Text>,
    /// The display name.
    pub label: Text,
}

/// The holder of the key that a request was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskMe {
    /// The person; `None` for a robot.
    pub handle: Option<Handle>,
    /// The actor recorded for writes with this key.
    pub actor: DeskActor,
    /// The key's role.
    pub role: Role,
}

/// The response to `GET /api/v1/desk`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskOverview {
    /// The id of the desk's own service, the same under all its addresses.
    pub service_id: Text,
    /// The end of the log.
    #[serde(flatten)]
    pub position: LogPosition,
    /// The caller.
    pub me: DeskMe,
    /// All people by handle, including those who left.
    pub people: Vec<Person>,
    /// All services, by id.
    pub services: Vec<DeskService>,
    /// The current time by the service's clock.
    #[serde(serialize_with = "json::time")]
    pub time: Timestamp,
}
