//! The desk in the dashboard: shared rows and notes, the user's unsent decisions, and the presence of others.

mod claims;
mod conflicts;
mod presence;
mod replies;
pub mod state;
mod writes;

pub(crate) use claims::QueueShare;
