//! What this machine remembers: drafts of forms, bulk runs, states and notes of reports, what was done to them, snapshots of lists. One
//! SQLite file in the state directory, without keys and passwords.

mod clock_jump;
mod codec;
mod database;
mod desk;
mod events;
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
#[cfg(test)]
mod triage_tests;

pub use database::Journal;
pub use desk::DeskCopy;
pub use rows::MOST_ROWS;
pub use snapshots::{MOST_BYTES, MOST_SNAPSHOTS};
