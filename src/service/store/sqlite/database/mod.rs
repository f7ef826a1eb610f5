//! The database file: connections, migrations, and disk space.

pub mod connection;
pub mod disk_full;
pub mod error;
pub mod migrations;
pub mod private_files;
pub mod reserve;
