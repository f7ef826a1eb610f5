//! The result of probing a database server.

/// A database that can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseProbe {
    /// The database and its server, without user and password.
    pub place: String,
    /// The version of the server, for example `15.18`.
    pub server: String,
    /// The schema's format; `None` if there are no tables yet.
    pub format: Option<i64>,
    /// The newest format that this program knows.
    pub known: i64,
    /// Whether an instance or a worker listens for notifications. Unknown behind a pooler in transaction mode.
    pub in_use: bool,
    /// Whether notifications arrive; they do not through a pooler in transaction mode.
    pub notifies: bool,
}
