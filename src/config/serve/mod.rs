//! Where `serve` and the commands about its store find it: a data directory, or a database.

pub mod data_directory;
pub mod database;
pub mod database_url;
