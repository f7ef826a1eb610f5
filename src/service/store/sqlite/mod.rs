//! The store in an SQLite file of a data directory. All SQL for SQLite is here.

mod backup;
mod database;
mod desk;
mod engine;
mod lists;
mod seeding;
mod tables;
mod transfer;

#[cfg(test)]
mod tests;

pub use backup::{backup, copy_file, require_database, restore};
pub use database::error::database_path as database_of;
pub use database::private_files;
pub use engine::SqliteStore;
pub use seeding::{insert_all, shift_audits};
