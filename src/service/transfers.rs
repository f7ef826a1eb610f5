//! Transfers between stores: copying a whole store to the other engine, or importing reports into another store.

use std::path::{Path, PathBuf};

use super::keys::change_id;
use super::scratch::ScratchFolder;
use super::store::Store;
use super::store::address::StoreAddress;
use super::store::backup::BackupError;
use super::store::error::{CopyRefusal, EngineError, OpenError, StoreError};
use super::store::probe::DatabaseProbe;
use super::store::transfer::channel;
use super::store::{probe_postgres, sqlite};
use super::{StartError, lock_store};

pub use super::store::transfer::{ImportCounts, TableDigest};

/// Why a transfer failed. The target is unchanged unless its commit was not confirmed. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// A `serve` uses the directory, or its lock cannot be taken.
    #[error(transparent)]
    Served(#[from] StartError),
    /// Instances or workers use a database.
    #[error("other reportdeck processes use the database {0}. Stop all instances and workers, then try again")]
    InUse(String),
    /// One of the stores cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The source is not a database of this program, or cannot be read.
    #[error(transparent)]
    Source(#[from] BackupError),
    /// Source and target are the same.
    #[error("{} is the store itself. Name another data directory or a backup", .0.display())]
    SameStore(PathBuf),
    /// The source failed.
    #[error("{place} cannot be read: {error}. Nothing was saved; run the command again afterwards")]
    Read {
        /// The source.
        place: String,
        /// Why.
        error: StoreError,
    },
    /// The target failed.
    #[error("{place} cannot be written: {error}. Nothing was saved; run the command again afterwards")]
    Write {
        /// The target.
        place: String,
        /// Why.
        error: StoreError,
    },
    /// The target did not confirm the commit.
    #[error("{place}: {error}")]
    Unconfirmed {
        /// The target.
        place: String,
        /// Why.
        error: StoreError,
    },
    /// The target refused.
    #[error("nothing was saved in {place}: {refusal}")]
    Refused {
        /// The target.
        place: String,
        /// Why.
        refusal: CopyRefusal,
    },
    /// The source cannot be copied into the directory for temporary files.
    #[error(
        "cannot create a temporary copy in {}: {error}. Free some space there, or name another directory in TMPDIR",
        directory.display()
    )]
    Temporary {
        /// The directory.
        directory: PathBuf,
        /// Why.
        error: EngineError,
    },
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}. Without them no change can be logged")]
    Random(#[from] getrandom::Error),
    /// The task panicked, or the program is stopping.
    #[error("the copy was aborted. Try again")]
    BrokenOff,
}

/// Copies a whole store into an empty one, wholly or not at all: reports, earlier results, the desk, keys, secrets and
/// ids. No service may be using either. Instances on a database are not found behind a pooler in transaction mode.
pub async fn copy(from: StoreAddress, to: StoreAddress) -> Result<Vec<TableDigest>, TransferError> {
    if let StoreAddress::Data(data) = &from {
        sqlite::require_database(data)?;
    }
    for address in [&from, &to] {
        if let Some(probe) = probe(address).await?.filter(|probe| probe.in_use) {
            return Err(TransferError::InUse(probe.place));
        }
    }
    // Last, because the lock creates the data directory.
    let _locks = (lock_store(&from)?, lock_store(&to)?);
    let places = (from.place()?, to.place()?);
    let (source, target) = (Store::open(from).await?, Store::open(to).await?);
    let (sender, receiver) = channel();
    let (sent, received) = tokio::join!(source.send_rows(sender), target.receive_copy(receiver));
    conclude(sent, received, places)
}

/// Imports the reports of a data directory or a backup into a store, wholly or not at all. Reports get new ids; those
/// whose project already has their URL are skipped. States, notes and people of the desk are included, keys and secrets
/// are not. Services may keep running on both.
pub async fn import(from: PathBuf, to: StoreAddress) -> Result<ImportCounts, TransferError> {
    let file = if from.is_dir() { sqlite::database_of(&from) } else { from };
    if let StoreAddress::Data(data) = &to
        && is_same(&file, &sqlite::database_of(data))
    {
        return Err(TransferError::SameStore(file));
    }
    probe(&to).await?;
    let places = (file.display().to_string(), to.place()?);
    // A copy, so that a database of an older format is migrated without changing the original.
    let uncopied = |error: EngineError| TransferError::Temporary { directory: std::env::temp_dir(), error };
    let copy = ScratchFolder::temporary().map_err(|error| uncopied(error.into()))?;
    let copied = sqlite::database_of(copy.path());
    let backup = tokio::task::spawn_blocking(move || match sqlite::copy_file(&file, &copied) {
        Err(BackupError::Copy { path, error }) if path == copied => Err(uncopied(error)),
        Err(BackupError::File { path, error }) if path == copied => Err(uncopied(error.into())),
        ended => Ok(ended?),
    });
    backup.await.map_err(|_| TransferError::BrokenOff)??;
    let change = change_id()?;
    let (source, target) = (Store::open(copy.path().into()).await?, Store::open(to).await?);
    let (sender, receiver) = channel();
    let (sent, received) = tokio::join!(source.send_rows(sender), target.receive_import(receiver, change));
    conclude(sent, received, places)
}

/// Probes a database. Refuses a newer format: instances can work with a compatible one, but a copy might miss data.
async fn probe(address: &StoreAddress) -> Result<Option<DatabaseProbe>, OpenError> {
    let StoreAddress::Postgres(url) = address else { return Ok(None) };
    let probe = probe_postgres(url).await?;
    match probe.format.filter(|found| *found > probe.known) {
        Some(found) => Err(OpenError::Newer { place: probe.place, found, known: probe.known }),
        None => Ok(Some(probe)),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn conclude<T>(
    sent: Result<(), StoreError>,
    received: Result<T, StoreError>,
    (from, to): (String, String),
) -> Result<T, TransferError> {
    match (received, sent) {
        (Ok(kept), _) => Ok(kept),
        (Err(StoreError::Refused(CopyRefusal::CutOff)), Err(error)) => Err(TransferError::Read { place: from, error }),
        (Err(StoreError::Refused(refusal)), _) => Err(TransferError::Refused { place: to, refusal }),
        (Err(error @ StoreError::Unconfirmed(_)), _) => Err(TransferError::Unconfirmed { place: to, error }),
        (Err(error), _) => Err(TransferError::Write { place: to, error }),
    }
}
