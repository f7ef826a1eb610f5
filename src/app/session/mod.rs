//! The session: connecting to a service, cached rows of the last run, quitting.

pub mod state;

pub mod cached_rows;
pub mod connect;
pub mod quit;
