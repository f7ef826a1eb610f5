//! Requests that change reports or run in the background: single writes, bulk runs, bulk creation, fetching checks,
//! pending deletions.

pub mod bulk;
pub mod bulk_plan;
pub mod create_many;
pub mod fetch_checks;
pub mod pending_deletes;
pub mod state;
pub mod writes;

pub use state::Jobs;
