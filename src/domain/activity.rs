//! One request and its response, as the activity list shows it. Never holds a key, a password or a body.

use std::time::Duration;

use jiff::Timestamp;

/// One exchange with the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// When the request was sent.
    pub at: Timestamp,
    /// `GET`, `POST`, `PUT`, `DELETE`.
    pub method: &'static str,
    /// Path and query, sanitised for display; form fields are never part of it.
    pub path: String,
    /// Whether the service audits the page before it responds: the request creates or re-runs a report.
    pub audits: bool,
    /// The status of the response; `None` when none arrived.
    pub status: Option<u16>,
    /// From sending to the last byte of the response.
    pub took: Duration,
    /// Decoded bytes of the response body.
    pub bytes: u64,
    /// Requests per minute that the service allows, and how many are left, where the response says so.
    pub limit: Option<(u64, u64)>,
    /// The attempt number of this read, from 1.
    pub attempt: u32,
    /// What went wrong, in a few words; empty when nothing did.
    pub problem: String,
}
