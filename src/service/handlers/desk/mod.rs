//! Handlers of the desk.

pub mod changes;
pub mod input;
pub mod reads;
pub mod writes;
