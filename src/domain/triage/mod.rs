//! Triage: the state of a report, its notes, and automatic state changes.
//!
//! Only reports with a state are stored; every other report is new. A state includes the result at the time it was set,
//! so that [`observe`] can tell whether the report got worse.

pub mod causes;
pub mod changes;
mod note;
mod observe;
mod state;
pub mod state_choice;
#[cfg(test)]
mod tests;
pub mod urgency;

pub use note::{LONGEST_NOTE, Note, NoteChange, Notes};
pub use observe::{TriageChange, observe, wants_checks};
pub use state::{State, StateKind, Triage, Triages, to_the_millisecond};
