//! What this machine remembers: drafts of forms, actions on many reports, what people make of reports, and what their
//! lists looked like. Must not know the screen, the client or the service.
//!
//! One small SQLite file in the state directory, safe with several windows open. Never holds a key or a password.

mod clock_jump;
mod codec;
mod database;
mod instance_lock;
mod owner_only;
mod rows;
#[cfg(test)]
mod rows_tests;
mod runs;
mod settings;
mod snapshots;
#[cfg(test)]
mod tests;
mod triage;

pub use database::Journal;
pub use rows::MOST_ROWS;
pub use snapshots::{MOST_BYTES, MOST_SNAPSHOTS};
