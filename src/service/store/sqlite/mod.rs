//! The store in an SQLite file of a data directory.

mod backup;
mod bulk;
mod database;
mod seeding;
mod transaction;
mod transfer;
pub mod types;

#[cfg(test)]
mod failure_tests;
#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod tests;

pub use backup::{
    backup, check_database, copy_file, find_read_only, is_outdated, open_backup, prepare_backup, require_database,
    restore, scratch_beside,
};
pub use database::connection::SqliteStore;
pub use database::error::database_path as database_of;
pub use database::private_files;
pub use seeding::{insert_all, shift_audits};
pub use transaction::SqliteTransaction;
