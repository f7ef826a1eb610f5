//! The session: connecting to a service, cached rows of the last run, refreshing, quitting.

pub mod state;

pub mod cached_rows;
pub mod connect;
pub mod quit;
mod refresh;
