//! One request and its answer, as the activity list shows it. Never holds a key, a password or a body.

use std::time::Duration;

use jiff::Timestamp;

/// One exchange with the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// When the request left.
    pub at: Timestamp,
    /// `GET`, `POST`, `PUT`, `DELETE`.
    pub method: &'static str,
    /// Path and query, cleaned; form fields are never part of it.
    pub path: String,
    /// The status of the answer; `None` when none came.
    pub status: Option<u16>,
    /// From sending to the last byte of the answer.
    pub took: Duration,
    /// Decoded bytes of the answer's body.
    pub bytes: u64,
    /// Requests a minute that the service allows and how many are left, where it says so.
    pub limit: Option<(u64, u64)>,
    /// Which try of the same read this was, from 1.
    pub attempt: u32,
    /// What went wrong, in a few words; empty when nothing did.
    pub problem: String,
}
