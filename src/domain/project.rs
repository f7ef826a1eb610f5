//! A project: the name that reports are grouped under.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::domain::text::Text;

/// A project as described by a service. Counts are `None` if the service omits them.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// The name, which also identifies it in requests.
    pub name: Text,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// The number of its reports.
    pub reports: Option<u64>,
    /// The number of good reports.
    pub good: Option<u64>,
    /// The number of decent reports.
    pub decent: Option<u64>,
    /// The number of bad reports.
    pub bad: Option<u64>,
    /// Fields unknown to the API, in the service's order.
    pub extra: Map<String, Value>,
}
