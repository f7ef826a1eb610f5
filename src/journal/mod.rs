//! The journal of this machine: drafts of forms, bulk runs, states and notes of reports, the event log, and snapshots
//! of lists. One SQLite file in the state directory, without keys and passwords.

mod clock_jump;
mod codec;
mod database;
mod desk;
mod events;
mod instance_lock;
mod owner_only;
mod rows;
mod runs;
mod settings;
mod snapshots;
#[cfg(test)]
mod tests;
mod triage;

pub use database::Journal;
pub use desk::{ConfirmedWrite, DeskCopy};
pub use snapshots::{MOST_BYTES, MOST_SNAPSHOTS};
