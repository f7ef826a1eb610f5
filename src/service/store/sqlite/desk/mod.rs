//! The desk in SQLite: reads, and the statements of writes.

mod engine;
pub mod reads;
pub mod writes;
