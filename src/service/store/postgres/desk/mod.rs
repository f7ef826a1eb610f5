//! The desk in PostgreSQL: what is read, and the statements of writes. Writers take turns, so that numbers of events
//! follow the order of the commits.

mod engine;
mod listen;
pub mod reads;
pub mod transfer;
pub mod writes;
