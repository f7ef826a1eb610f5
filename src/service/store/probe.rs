//! What was found at the address of a database.

/// A database that can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseProbe {
    /// The database and its server, without user and password.
    pub place: String,
    /// The version of the server, for example `15.18`.
    pub server: String,
    /// The format of our tables; `None` where there are none yet.
    pub format: Option<i64>,
    /// The newest format that this program knows.
    pub known: i64,
    /// Whether its notifications arrive, which they do not through a pooler in transaction mode.
    pub notifies: bool,
}
