//! The store in an SQLite file of a data directory. All of its SQL is here.

mod database;
mod engine;
mod lists;
mod seeding;
mod tables;

#[cfg(test)]
mod tests;

pub use database::private_files;
pub use engine::SqliteStore;
pub use seeding::{insert_all, shift_audits};
