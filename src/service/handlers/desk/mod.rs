//! Handlers of the desk.

pub mod changes;
mod input;
pub mod reads;
pub mod writes;
