//! Triage: the state that a person gives a report, the note beside it, and what the program itself makes of both.
//!
//! Only reports that somebody touched are kept; every other one is new. A state carries how the report stood when it was
//! given, so that [`observe`] can tell whether things got worse since.

pub mod state_choice;

pub mod causes;
pub mod changes;
pub mod priority;

mod observe;
mod state;
#[cfg(test)]
mod tests;

pub use observe::{TriageChange, observe, wants_checks};
pub use state::{LONGEST_NOTE, Note, State, StateKind, Triage, Triages, to_the_millisecond};
