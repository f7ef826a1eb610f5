//! A project: the name that reports are grouped under.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::domain::text::Text;

/// One project as a service describes it. Counts are `None` where the service does not send them.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// The project's name, which also names it in requests.
    pub name: Text,
    /// When it came into being.
    pub created_at: Option<Timestamp>,
    /// How many reports it holds.
    pub reports: Option<u64>,
    /// How many of them are good.
    pub good: Option<u64>,
    /// How many of them are decent.
    pub decent: Option<u64>,
    /// How many of them are bad.
    pub bad: Option<u64>,
    /// Fields the interface does not know, in the service's order.
    pub extra: Map<String, Value>,
}
