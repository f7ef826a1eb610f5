//! Commands with the desk of a team.

mod commands;
mod other_outcomes;
