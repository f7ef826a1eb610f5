//! Where reports are kept: settings of data directory and database, and the commands of `store`.

#[cfg(all(unix, feature = "postgres"))]
mod on_postgres;
mod settings;
