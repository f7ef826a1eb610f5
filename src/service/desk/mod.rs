//! In-memory state of the desk: waiting requests and presence. Also deletes old events.

pub mod live;
pub mod presence;
pub mod prune;
