//! What of the desk lives in memory: who waits for changes, and who is where.

pub mod live;
pub mod presence;
pub mod prune;
