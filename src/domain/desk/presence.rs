//! Presence: who is where at this moment. It is never stored and never logged.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::person::Handle;
use crate::domain::report::ReportId;

/// What a person does at a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PresenceActivity {
    /// It is open, or under the cursor.
    Viewing,
    /// A note is being written.
    Writing,
    /// Another activity, which this version does not know.
    #[serde(other)]
    Other,
}

impl PresenceActivity {
    /// Its word in requests.
    pub fn word(self) -> &'static str {
        match self {
            Self::Viewing => "viewing",
            Self::Writing => "writing",
            Self::Other => "other",
        }
    }
}

/// Where a person is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The person.
    pub handle: Handle,
    /// At which report; `None` for somebody who is only there.
    pub report: Option<ReportId>,
    /// What the person does there.
    pub doing: PresenceActivity,
    /// Since when, by the service's clock.
    pub since: Timestamp,
}
