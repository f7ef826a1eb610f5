//! Backup and restore of a store in a data directory.

use std::path::PathBuf;

use super::lock_for_serve;
use super::store::address::StoreAddress;
use super::store::sqlite;

pub use super::store::backup::{BackupError, CopyCounts, RestoredStore};
pub use super::store::sqlite::{check_database, find_read_only, is_outdated};

/// Writes the store to a file; an existing file is replaced only with `replace`. Running services are not interrupted.
/// Dropping the future deletes an unfinished copy.
pub async fn backup(store: StoreAddress, file: PathBuf, replace: bool) -> Result<CopyCounts, BackupError> {
    let StoreAddress::Data(data) = store else { return Err(BackupError::Postgres) };
    // The file that a symbolic link points to is replaced, not the link.
    let file = if replace && file.is_symlink() {
        file.canonicalize().map_err(|error| BackupError::File { path: file, error })?
    } else {
        file
    };
    let unfinished = sqlite::prepare_backup(&data, &file, replace)?;
    let scratch = unfinished.path().to_owned();
    let copied = tokio::task::spawn_blocking(move || sqlite::backup(&data, &file, &scratch, replace));
    copied.await.map_err(|_| BackupError::BrokenOff)?
}

/// Replaces the store with a backup. A store with reports or keys is replaced only with `replace`, and is kept beside
/// the new one. Dropping the future deletes an unfinished copy of it.
pub async fn restore(store: StoreAddress, file: PathBuf, replace: bool) -> anyhow::Result<RestoredStore> {
    let StoreAddress::Data(data) = store else { return Err(BackupError::Postgres.into()) };
    // Before the lock, which creates the data directory.
    let checked = tokio::task::spawn_blocking(move || sqlite::open_backup(&file));
    let source = checked.await.map_err(|_| BackupError::BrokenOff)??;
    let lock = lock_for_serve(&data)?;
    let unfinished = sqlite::scratch_beside(&sqlite::database_of(&data))?;
    let scratch = unfinished.path().to_owned();
    let restored = tokio::task::spawn_blocking(move || sqlite::restore(&data, &source, &scratch, replace));
    let restored = restored.await.map_err(|_| BackupError::BrokenOff)?;
    drop(lock);
    Ok(restored?)
}
