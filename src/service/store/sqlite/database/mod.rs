//! The database as a file: connections, migrations, its log, and the room on its disk.

pub mod connection;
pub mod disk_full;
pub mod error;
pub mod migrations;
pub mod private_files;
pub mod reserve;
