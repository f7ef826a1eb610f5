//! Combines file, environment and options into one configuration.
//!
//! ```text
//! file (text with lines) ─┐
//! environment (a value) ──┼─► choice: which service, and with which key
//! options ────────────────┘         store: where reports are kept
//! ```

pub mod child_process;
pub mod choice;
mod command;
pub mod credentials;
pub mod environment;
pub mod error;
mod fields;
pub mod file;
pub mod key;
pub mod message_template;
pub mod model;
mod parse;
pub(crate) mod regular_file;
pub mod store;

#[cfg(test)]
mod tests;
