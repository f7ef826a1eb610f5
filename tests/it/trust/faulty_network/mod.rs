//! Random use over a network that loses, truncates, repeats and corrupts data.

mod commands;
mod dashboard;
mod intended_writes;
