//! Random use over a network that loses, cuts, repeats and corrupts what it carries.

mod commands;
mod dashboard;
mod intended_writes;
