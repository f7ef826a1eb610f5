//! Presence: who is looking at which report right now. Never stored, never logged.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::json;
use super::person::Handle;
use crate::domain::report::ReportId;

/// What a person is doing at a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PresenceActivity {
    /// It is open, or under the cursor.
    Viewing,
    /// The person is writing a note.
    Writing,
    /// An activity unknown to this version.
    #[serde(other)]
    Other,
}

impl PresenceActivity {
    /// The name used in requests.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One person's presence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The person.
    pub handle: Handle,
    /// The report; `None` for a person who is merely online.
    pub report: Option<ReportId>,
    /// The person's activity there.
    pub doing: PresenceActivity,
    /// Since when, by the service's clock.
    #[serde(serialize_with = "json::time")]
    pub since: Timestamp,
}
