//! The desk in the dashboard: what the team holds, what was decided here, and what the others do.

mod claims;
mod collisions;
mod presence;
mod replies;
pub mod state;
mod writes;

pub(crate) use claims::QueueShare;
