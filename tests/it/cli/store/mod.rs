//! Stores: settings of the data directory and the database, and the commands of `store`.

mod backups;
#[cfg(all(unix, feature = "postgres"))]
mod on_postgres;
mod settings;
#[cfg(all(unix, feature = "postgres"))]
mod transfers;
