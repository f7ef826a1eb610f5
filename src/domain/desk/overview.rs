//! What a desk says about itself.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::person::{DeskActor, Handle, Person, Role};
use crate::domain::text::Text;

/// A position in the log of a desk.
///
/// The change tells a desk that was restored from a backup: its log has another change, or none, at this revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogPosition {
    /// The number of the last event. Numbers follow the order of the commits, without gaps.
    pub revision: i64,
    /// The id of that event's write; `None` before the first one.
    pub change: Option<ChangeId>,
}

/// A service whose reports are triaged here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskService {
    /// Its number on this desk. The desk's own service has 1.
    pub id: i64,
    /// Its canonical base URL; `None` for the desk's own service, which has as many addresses as names.
    pub base: Option<Text>,
    /// The id by which it knows itself; `None` for services that have none.
    pub service_id: Option<Text>,
    /// What people call it.
    pub label: Text,
}

/// The holder of the key that a request was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskMe {
    /// The person; `None` for a robot.
    pub handle: Option<Handle>,
    /// As whom this key writes.
    pub actor: DeskActor,
    /// What the key may do.
    pub role: Role,
}

/// The answer to `GET /api/v1/desk`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskOverview {
    /// The id of the desk's own service, the same under all its addresses.
    pub service_id: Text,
    /// The end of the log.
    #[serde(flatten)]
    pub position: LogPosition,
    /// Who asks.
    pub me: DeskMe,
    /// All people, by handle; those who left too.
    pub people: Vec<Person>,
    /// All services, by id.
    pub services: Vec<DeskService>,
    /// The service's clock.
    pub time: Timestamp,
}
