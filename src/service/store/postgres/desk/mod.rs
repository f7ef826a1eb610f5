//! The desk in PostgreSQL: reads, and the statements of writes. Writers take turns, so that revisions follow the order
//! of commits.

mod engine;
mod listen;
pub mod reads;
pub mod writes;
