//! Requests that change reports or run beside the panes: single writes, bulk runs, creating many, fetching checks, deletions that wait.

pub mod bulk;
pub mod create_many;
pub mod fetch_checks;
pub mod pending_deletes;
pub mod state;
pub mod writes;

pub use state::Jobs;
