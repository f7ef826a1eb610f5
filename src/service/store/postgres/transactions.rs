//! Units of work: each is one transaction on a pooled connection.
//!
//! A unit runs in its own task, so that a client that disconnects leaves no transaction open. Writers take turns across
//! all instances, by a lock that ends with the transaction: ids become visible in order, counts are exact, and there
//! are no deadlocks between writers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::Instant;
use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::CancellationToken;

use super::address::PostgresAddress;
use super::error::{is_connection_lost, pool_error, text};
use super::transaction::PgTransaction;
use crate::service::store::error::{OpenError, StoreError};

/// The most connections of one instance.
const MOST_CONNECTIONS: usize = 8;
/// How many writers of this instance may hold a connection: one that writes and one that is next. The others wait
/// without one, so that they do not block reads.
const WRITERS: usize = 2;
/// How many units that write without taking turns may hold a connection. They may wait for each other's rows, such as
/// all guesses of a visitor, and must not block reads either.
const WRITERS_BESIDE: usize = 4;
/// How long a unit waits for a connection, or a writer for its turn. Shorter than the timeout of clients.
const WAIT: Duration = Duration::from_secs(8);
/// The timeout of a unit of work, excluding its wait.
const LIMIT: Duration = Duration::from_secs(20);
/// The timeout of a unit that may touch all rows: a migration, or deleting the old events of a desk.
pub const LONG_LIMIT: Duration = Duration::from_mins(10);
/// The timeout of a copy of all rows from or to another store.
const TRANSFER_LIMIT: Duration = Duration::from_hours(6);
/// How long an instance suspended within a transaction can block other writers. Shorter than their wait.
const LONGEST_IDLE: Duration = Duration::from_secs(5);
/// The advisory lock of writers: "reports" in ASCII, then 1.
const WRITERS_LOCK: i64 = 0x7265_706f_7274_7301;
/// How often a unit is started on another connection because its first statement found the connection broken.
const TRIES: usize = MOST_CONNECTIONS + 1;

/// A unit of work with a result.
pub trait Unit<T>: FnOnce(PgTransaction) -> Self::Work + Send + 'static {
    type Work: Future<Output = Result<T, StoreError>> + Send + 'static;
}

impl<T, U, W> Unit<T> for U
where
    U: FnOnce(PgTransaction) -> W + Send + 'static,
    W: Future<Output = Result<T, StoreError>> + Send + 'static,
{
    type Work = W;
}

/// A unit of work that sends its result to the caller itself.
type Work = Box<dyn FnOnce(PgTransaction) -> BoxFuture<'static, Result<(), StoreError>> + Send>;

/// The connections to a database.
#[derive(Clone)]
pub struct Transactions {
    pool: Pool,
    writers: Arc<Semaphore>,
    writers_beside: Arc<Semaphore>,
}

/// How a unit of work is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnitKind {
    /// Reads one snapshot.
    Read,
    /// Writes in its turn, with this timeout.
    Write(Duration),
    /// Writes without waiting for its turn.
    WriteBeside,
    /// Copies rows from or to another store in its turn, however slow the other store is.
    Transfer,
}

impl Transactions {
    /// Creates the pool of an address; connections are made on demand.
    pub fn connect_to(address: &PostgresAddress) -> Result<Self, OpenError> {
        let PostgresAddress { config, place } = address;
        let failed = |error: String| OpenError::Server { place: place.clone(), error: error.into() };
        let settings = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config.clone(), tls(address)?, settings);
        let pool = Pool::builder(manager)
            .max_size(MOST_CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(WAIT))
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let [writers, writers_beside] = [WRITERS, WRITERS_BESIDE].map(|most| Arc::new(Semaphore::new(most)));
        Ok(Self { pool, writers, writers_beside })
    }

    /// Runs `work`, which only reads, on one snapshot of the database.
    pub fn read<T: Send + 'static>(&self, work: impl Unit<T>) -> impl Future<Output = Result<T, StoreError>> {
        self.run_boxed(UnitKind::Read, boxed(work))
    }

    /// Runs `work`, which may write, in one transaction.
    ///
    /// Waits at most [`WAIT`] behind other writers, then fails with [`StoreError::Busy`]. Dropping the future before it
    /// completes rolls back a transaction that is not yet committed.
    pub fn write<T: Send + 'static>(&self, work: impl Unit<T>) -> impl Future<Output = Result<T, StoreError>> {
        self.write_within(LIMIT, work)
    }

    /// Like [`Self::write`], for deletions; that of old events may touch all rows.
    pub fn write_deletion<T: Send + 'static>(&self, work: impl Unit<T>) -> impl Future<Output = Result<T, StoreError>> {
        self.write_within(LONG_LIMIT, work)
    }

    /// Like [`Self::write`], with another timeout.
    pub fn write_within<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl Unit<T>,
    ) -> impl Future<Output = Result<T, StoreError>> {
        self.run_boxed(UnitKind::Write(limit), boxed(work))
    }

    /// Like [`Self::write`], for copies of all rows.
    pub fn write_transfer<T: Send + 'static>(&self, work: impl Unit<T>) -> impl Future<Output = Result<T, StoreError>> {
        self.run_boxed(UnitKind::Transfer, boxed(work))
    }

    /// Like [`Self::write`], without taking turns, but at most [`WRITERS_BESIDE`] at once: for writes that neither
    /// create reports nor change counts, and whose order does not matter.
    pub fn write_beside<T: Send + 'static>(&self, work: impl Unit<T>) -> impl Future<Output = Result<T, StoreError>> {
        self.run_boxed(UnitKind::WriteBeside, boxed(work))
    }

    async fn run_boxed<T>(
        &self,
        kind: UnitKind,
        (work, mut result): (Work, oneshot::Receiver<T>),
    ) -> Result<T, StoreError> {
        self.run_unit(kind, work).await?;
        result.try_recv().map_err(|_| StoreError::BrokenOff)
    }

    async fn run_unit(&self, kind: UnitKind, work: Work) -> Result<(), StoreError> {
        let pool = self.pool.clone();
        let places = match kind {
            UnitKind::Read => None,
            UnitKind::Write(_) | UnitKind::Transfer => Some(Arc::clone(&self.writers)),
            UnitKind::WriteBeside => Some(Arc::clone(&self.writers_beside)),
        };
        let withdrawn = CancellationToken::new();
        let withdraw = withdrawn.clone().drop_guard();
        let unit = async move {
            let deadline = Instant::now() + WAIT;
            let _place = match places {
                Some(places) => Some(place(places, deadline).await?),
                None => None,
            };
            if withdrawn.is_cancelled() {
                return Err(StoreError::BrokenOff);
            }
            let (connection, now) = start(&pool, &begin(kind, deadline)).await?;
            let work = AssertUnwindSafe(work(PgTransaction::on(Arc::clone(&connection), now))).catch_unwind();
            let Ok(ended) = tokio::time::timeout(limit(kind), work).await else {
                discard(connection);
                return Err(StoreError::Unavailable("it did not respond in time".into()));
            };
            let outcome = match ended {
                Ok(Ok(())) if !withdrawn.is_cancelled() => {
                    if kind != UnitKind::Read {
                        return commit(connection).await;
                    }
                    Ok(())
                }
                Ok(Ok(())) | Err(_) => Err(StoreError::BrokenOff),
                Ok(Err(error)) => Err(error),
            };
            roll_back(connection).await;
            outcome
        };
        let ended = tokio::spawn(unit.boxed()).await.map_err(|_| StoreError::BrokenOff)?;
        drop(withdraw);
        ended
    }
}

/// Hides the type of the result, so that units are compiled once.
fn boxed<T: Send + 'static>(work: impl Unit<T>) -> (Work, oneshot::Receiver<T>) {
    let (sender, result) = oneshot::channel();
    let work: Work = Box::new(move |transaction| {
        async move {
            // Sending fails if the caller is gone; the unit is then rolled back.
            let _ = sender.send(work(transaction).await?);
            Ok(())
        }
        .boxed()
    });
    (work, result)
}

/// Returns the TLS configuration for an address. It stays unused if the address disables TLS.
pub fn tls(address: &PostgresAddress) -> Result<MakeRustlsConnect, OpenError> {
    let PostgresAddress { config, place } = address;
    let failed = |error| OpenError::Server { place: place.clone(), error: format!("TLS: {error}").into() };
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    let tls = match config.get_ssl_mode() {
        // The system's certificates are not read in this case.
        SslMode::Disable => tls.with_root_certificates(RootCertStore::empty()),
        _ => tls.with_platform_verifier().map_err(failed)?,
    };
    Ok(MakeRustlsConnect::new(tls.with_no_client_auth()))
}

/// Waits until a unit that writes may hold a connection.
async fn place(places: Arc<Semaphore>, deadline: Instant) -> Result<OwnedSemaphorePermit, StoreError> {
    let place = tokio::time::timeout_at(deadline, places.acquire_owned()).await.map_err(|_| StoreError::Busy)?;
    place.map_err(|_| StoreError::BrokenOff)
}

fn limit(kind: UnitKind) -> Duration {
    match kind {
        UnitKind::Write(limit) => limit,
        UnitKind::Read | UnitKind::WriteBeside => LIMIT,
        UnitKind::Transfer => TRANSFER_LIMIT,
    }
}

/// Returns the statements that begin a unit of work, whose turn must come by the deadline. The last one returns the
/// time.
///
/// The lock precedes the first statement that reads, which therefore sees what the previous writer committed.
fn begin(kind: UnitKind, deadline: Instant) -> String {
    // A timeout of 0 would disable it.
    let wait = deadline.saturating_duration_since(Instant::now()).as_millis().max(1);
    // 0 disables it.
    let idle = if kind == UnitKind::Transfer { 0 } else { LONGEST_IDLE.as_millis() };
    let limit = limit(kind).as_millis();
    let timeouts = format!(
        "SET LOCAL statement_timeout = {limit}; SET LOCAL lock_timeout = {wait}; \
         SET LOCAL idle_in_transaction_session_timeout = {idle}"
    );
    let (level, turn) = match kind {
        UnitKind::Read => ("REPEATABLE READ READ ONLY", String::new()),
        UnitKind::Write(_) | UnitKind::Transfer => {
            ("READ COMMITTED READ WRITE", format!("SELECT pg_advisory_xact_lock({WRITERS_LOCK});"))
        }
        UnitKind::WriteBeside => ("READ COMMITTED READ WRITE", String::new()),
    };
    format!(
        "BEGIN ISOLATION LEVEL {level}; {timeouts}; {turn} \
         SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    )
}

/// Begins a transaction, and returns the server's time.
async fn start(pool: &Pool, begin: &str) -> Result<(Arc<Object>, i64), StoreError> {
    let mut failure = StoreError::BrokenOff;
    for _ in 0..TRIES {
        let connection = Arc::new(pool.get().await.map_err(|error| pool_error(&error))?);
        let begun = tokio::time::timeout(WAIT + LIMIT, connection.simple_query(begin)).await;
        match begun {
            Ok(Ok(messages)) => return Ok((connection, time_in(&messages))),
            Ok(Err(error)) => {
                let is_lost = is_connection_lost(&error);
                failure = error.into();
                if !is_lost {
                    roll_back(connection).await;
                    break;
                }
                // For example, the server was restarted while the connection was idle. Nothing was begun on it.
                discard(connection);
            }
            Err(_) => {
                discard(connection);
                return Err(StoreError::Unavailable("it did not respond in time".into()));
            }
        }
    }
    Err(failure)
}

fn time_in(messages: &[SimpleQueryMessage]) -> i64 {
    let last = messages.iter().rev().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0)?.parse().ok(),
        _ => None,
    });
    last.unwrap_or_default()
}

async fn commit(connection: Arc<Object>) -> Result<(), StoreError> {
    let error = match tokio::time::timeout(LIMIT, connection.batch_execute("COMMIT")).await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) if !is_connection_lost(&error) => {
            roll_back(connection).await;
            return Err(error.into());
        }
        Ok(Err(error)) => text(&error),
        Err(_) => "it did not respond in time".into(),
    };
    discard(connection);
    Err(StoreError::Unconfirmed(error))
}

async fn roll_back(connection: Arc<Object>) {
    if !matches!(tokio::time::timeout(WAIT, connection.batch_execute("ROLLBACK")).await, Ok(Ok(()))) {
        discard(connection);
    }
}

/// Closes a connection instead of returning it to the pool. The server rolls back its open transaction.
fn discard(connection: Arc<Object>) {
    // There is no other owner, since the work has ended.
    if let Some(object) = Arc::into_inner(connection) {
        drop(Object::take(object));
    }
}
