//! The overview of the loaded list.

mod lines;
pub mod state;
