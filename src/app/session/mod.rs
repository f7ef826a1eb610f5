//! The session: connecting to a service, the rows of the last run, quitting.

pub mod state;

pub mod cached_rows;
pub mod connect;
pub mod quit;
