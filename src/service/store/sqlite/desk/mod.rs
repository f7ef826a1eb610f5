//! The desk in SQLite: what is read, and the statements of writes.

mod engine;
pub mod reads;
pub mod transfer;
pub mod writes;
