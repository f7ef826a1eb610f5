//! Opens the database and runs work on its connections, one writer and a few readers, on tokio's blocking threads.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::LocalBoxFuture;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use tokio::runtime::Handle;
use tokio::sync::{Mutex as Turn, Semaphore, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::{database_path, open_error, store_error};
use super::migrations::{self, SchemaMismatch};
use super::private_files::{open_in, open_private};
use super::reserve::DiskReserve;
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::sqlite::transaction::SqliteTransaction;

/// The number of reader connections. More would only share the same disk and cores.
const READERS: usize = 3;
/// The timeout of a write, covering its wait for other writes and other processes. Shorter than the timeout of clients.
const WRITE_WAIT: Duration = Duration::from_secs(8);
/// How long a reader waits for another process, which only happens while that one recovers the write-ahead log.
const READ_WAIT: Duration = Duration::from_secs(8);
/// The page cache of a reader, in KiB. The rows of a list page are spread over the file, so a larger cache would rarely
/// be hit; the system's page cache backs it.
const READER_CACHE_KIB: i64 = 512;
/// The size to which the write-ahead log is truncated after a larger write, such as an import, in bytes. Otherwise it
/// would keep that size on the disk while a service runs.
pub const LONGEST_LOG: i64 = 16 * 1024 * 1024;
/// Locked while the database is opened, so that only one of two processes starting together migrates.
const OPENING_LOCK: &str = "opening.lock";

/// Work that sends its result to the caller itself.
type Work = Box<dyn for<'a> FnOnce(&'a SqliteTransaction<'_>) -> LocalBoxFuture<'a, Result<(), StoreError>> + Send>;

/// The store in a data directory. Clones share its connections.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Arc<Turn<Connection>>,
    readers: Arc<[Arc<Turn<Connection>>]>,
    /// One permit per reader.
    reader_permits: Arc<Semaphore>,
    data: Arc<Path>,
    reserve: Arc<DiskReserve>,
    /// Whether the database file was found to be damaged.
    damaged: Arc<AtomicBool>,
}

impl SqliteStore {
    /// Opens the database of a data directory, creating both if missing. Blocks.
    pub fn open(data: &Path) -> Result<Self, OpenError> {
        let writer = open(data)?;
        let reader = |_| open_reader(data).map(|reader| Arc::new(Turn::new(reader)));
        Ok(Self {
            writer: Arc::new(Turn::new(writer)),
            readers: (0..READERS).map(reader).collect::<Result<_, _>>()?,
            reader_permits: Arc::new(Semaphore::new(READERS)),
            data: data.into(),
            reserve: Arc::new(DiskReserve::of(data)),
            damaged: Arc::default(),
        })
    }

    /// Runs `work`, which only reads, on one snapshot of the database.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce(&SqliteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (work, mut result) = boxed(work);
        self.run_read(work).await?;
        result.try_recv().map_err(|_| StoreError::BrokenOff)
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        let permit = Arc::clone(&self.reader_permits).acquire_owned().await.map_err(|_| StoreError::BrokenOff)?;
        // There are as many permits as readers, so one is free.
        let free = self.readers.iter().find_map(|reader| Arc::clone(reader).try_lock_owned().ok());
        let (reader, data) = (free.ok_or(StoreError::BrokenOff)?, Arc::clone(&self.data));
        let done = tokio::task::spawn_blocking(move || {
            // Dropped in reverse order, even after a panic: the reader is free before its permit.
            let _permit = permit;
            let reader = reader;
            let snapshot = reader.unchecked_transaction().map_err(|error| store_error(&error, &data))?;
            Handle::current().block_on(work(&SqliteTransaction::on(&snapshot, &data)))
        });
        self.noting_damage(done.await.map_err(|_| StoreError::BrokenOff)?)
    }

    /// Fails if the database file is gone, or was found to be damaged since the service started.
    pub fn check_undamaged(&self) -> Result<(), StoreError> {
        check_present(&self.data)?;
        let is_damaged = self.damaged.load(Ordering::Relaxed);
        let found = || format!("{}: found earlier", database_path(&self.data).display());
        if is_damaged { Err(StoreError::Damaged(found().into())) } else { Ok(()) }
    }

    fn noting_damage(&self, result: Result<(), StoreError>) -> Result<(), StoreError> {
        if matches!(result, Err(StoreError::Damaged(_))) {
            self.damaged.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Runs `work`, which may write, in one transaction. It is durable when this returns.
    ///
    /// Waits at most [`WRITE_WAIT`], then fails with [`StoreError::Busy`]. Dropping the future before it completes
    /// rolls back a transaction that is not yet committed.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce(&SqliteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_within(WRITE_WAIT, work).await
    }

    /// The same as [`Self::write`] with another limit of the wait.
    pub async fn write_within<T: Send + 'static>(
        &self,
        longest: Duration,
        work: impl AsyncFnOnce(&SqliteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (work, mut result) = boxed(work);
        self.run_write(longest, work).await?;
        result.try_recv().map_err(|_| StoreError::BrokenOff)
    }

    async fn run_write(&self, longest: Duration, work: Work) -> Result<(), StoreError> {
        let deadline = Instant::now() + longest;
        let turn = tokio::time::timeout_at(deadline, Arc::clone(&self.writer).lock_owned());
        let mut writer = turn.await.map_err(|_| StoreError::Busy)?;
        let data = Arc::clone(&self.data);
        let withdrawn = CancellationToken::new();
        let withdraw = withdrawn.clone().drop_guard();
        let done = tokio::task::spawn_blocking(move || {
            check_present(&data)?;
            let failed = |error: rusqlite::Error| store_error(&error, &data);
            writer.busy_timeout(deadline.saturating_duration_since(Instant::now())).map_err(failed)?;
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            let (found, known) = (migrations::version(&transaction).map_err(failed)?, migrations::newest());
            if found > known {
                return Err(StoreError::Migrated { found, known });
            }
            Handle::current().block_on(work(&SqliteTransaction::on(&transaction, &data)))?;
            if withdrawn.is_cancelled() {
                return Err(StoreError::BrokenOff);
            }
            transaction.commit().map_err(failed)
        });
        let done = done.await.map_err(|_| StoreError::BrokenOff)?;
        drop(withdraw);
        self.noting_damage(done)
    }

    /// Like [`Self::write`], for deletions and revoked keys: on a full disk it uses the [`DiskReserve`].
    pub async fn write_deletion<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce(&SqliteTransaction<'_>) -> Result<T, StoreError> + Clone + Send + 'static,
    ) -> Result<T, StoreError> {
        let failed = match self.write(work.clone()).await {
            Err(failed @ StoreError::Full(_)) => failed,
            done => return done,
        };
        if !self.release_reserve().await {
            return Err(failed);
        }
        let done = self.write(work).await;
        // After a checkpoint the log is reused from its beginning, so the reserve fits again.
        if let Err(error) = self.checkpoint().await {
            tracing::debug!(%error, "the log was not checkpointed");
        }
        self.allocate_reserve().await;
        done
    }

    async fn release_reserve(&self) -> bool {
        let reserve = Arc::clone(&self.reserve);
        tokio::task::spawn_blocking(move || reserve.release()).await.unwrap_or(false)
    }

    /// Reserves disk space for deletions on a full disk, unless already reserved or the disk has no room.
    pub async fn allocate_reserve(&self) {
        let reserve = Arc::clone(&self.reserve);
        drop(tokio::task::spawn_blocking(move || reserve.allocate()).await);
    }

    /// Checkpoints the write-ahead log. `PASSIVE` neither waits for readers nor blocks writers.
    async fn checkpoint(&self) -> Result<(), StoreError> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let data = Arc::clone(&self.data);
        let done = tokio::task::spawn_blocking(move || {
            let done = writer.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
            done.map_err(|error| store_error(&error, &data))
        });
        done.await.map_err(|_| StoreError::BrokenOff)?
    }
}

/// Fails if the database file is gone. A deleted file still takes writes, which nobody can read once it is closed.
fn check_present(data: &Path) -> Result<(), StoreError> {
    let path = database_path(data);
    if matches!(path.try_exists(), Ok(false)) {
        let found = "it was deleted or moved; stop the service before you put it back";
        return Err(StoreError::Damaged(format!("{}: {found}", path.display()).into()));
    }
    Ok(())
}

/// Hides the type of the result, so that transactions are compiled once.
fn boxed<T: Send + 'static>(
    work: impl AsyncFnOnce(&SqliteTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
) -> (Work, oneshot::Receiver<T>) {
    let (sender, result) = oneshot::channel();
    let work: Work = Box::new(move |transaction| {
        let work = async move {
            // Sending fails if the caller is gone; a write is then rolled back.
            let _ = sender.send(work(transaction).await?);
            Ok(())
        };
        work.boxed_local()
    });
    (work, result)
}

/// Opens the writer connection and migrates the database.
pub fn open(data: &Path) -> Result<Connection, OpenError> {
    let directory = |error: std::io::Error| OpenError::Directory { path: data.to_owned(), error: error.into() };
    let lock = open_in(data, OPENING_LOCK).map_err(directory)?;
    lock.lock().map_err(directory)?;
    let path = database_path(data);
    // Created here, because SQLite would make it readable by everyone.
    let unusable = |error| directory(std::io::Error::other(format!("{}: {error}", path.display())));
    open_private(&path).map_err(unusable)?;
    match prepare(&path) {
        Ok((connection, Ok(()))) => Ok(connection),
        Ok((_, Err(SchemaMismatch::Newer(found)))) => {
            Err(OpenError::Newer { place: path.display().to_string(), found, known: migrations::newest() })
        }
        Ok((_, Err(SchemaMismatch::Foreign))) => Err(OpenError::Foreign(path)),
        Err(error) => Err(open_error(path, error)),
    }
}

fn prepare(path: &Path) -> rusqlite::Result<(Connection, Result<(), SchemaMismatch>)> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(WRITE_WAIT)?;
    plan_once(&connection)?;
    // A newer or damaged database must stay byte-identical: closing must not checkpoint its log.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    if let Err(unknown) = migrations::known(&connection)? {
        return Ok((connection, Err(unknown)));
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "journal_size_limit", LONGEST_LOG)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let outcome = migrations::migrate(&mut connection)?.map_err(SchemaMismatch::Newer);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, outcome.is_err())?;
    Ok((connection, outcome))
}

/// Opens a read-only connection.
fn open_reader(data: &Path) -> Result<Connection, OpenError> {
    let path = database_path(data);
    let opened = || {
        let connection = Connection::open(&path)?;
        connection.busy_timeout(READ_WAIT)?;
        plan_once(&connection)?;
        connection.pragma_update(None, "query_only", true)?;
        connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
        Ok(connection)
    };
    opened().map_err(|error| open_error(path.clone(), error))
}

/// Keeps the plans of prepared statements. Otherwise SQLite plans a statement with a bound `LIMIT` again for each value.
fn plan_once(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}
