//! File, environment and options become one configuration. Must not know who uses it.
//!
//! ```text
//! file (text with lines) ─┐
//! environment (a value) ──┼─► choice: which service, and with which key
//! options ────────────────┘
//! ```

pub mod choice;
pub mod environment;
pub mod file;
mod key;
mod parse;
pub mod trouble;

#[cfg(test)]
mod tests;
