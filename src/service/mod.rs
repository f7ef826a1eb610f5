//! The embedded service: the reports API over a database, with its own auditor.

mod audits;
pub mod backups;
mod desk;
mod handlers;
pub mod keys;
mod pages;
pub mod sample;
mod scratch;
mod server;
mod store;
pub mod transfers;
mod worker;

use std::fs::{File, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt as _;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

pub use audits::page_auditor::{AuditFailure, AuditResult, PageAuditor};
pub use audits::queue_parts::AuditTimes;
pub use desk::prune::DEFAULT_DESK_KEEP_DAYS;
pub use handlers::report_pages::page_of;
pub use scratch::ScratchFolder;
pub use server::proxies::Proxies;
pub use server::rate_limit::DEFAULT_REQUESTS_PER_MINUTE;
pub use store::address::StoreAddress;
pub use store::error::{OpenError, StoreError};
pub use store::probe::DatabaseProbe;
pub use store::seed;
pub use store::sqlite::database_of;
pub use store::{has_data, probe_postgres};
pub use worker::{Worker, WorkerError, WorkerOptions};

use audits::page_audits::PageAudits;
use audits::queue::AuditQueue;
use audits::queue_parts::QueueParts;
use desk::live::DeskLive;
use pages::access::PassSigner;
use pages::attempts::PasswordAttempts;
use pages::passwords::PasswordHasher;
use server::key_uses::KeyUses;
use server::metrics::Metrics;
use server::proxies::HostCheck;
use server::rate_limit::RateLimiter;
use server::state::ServiceState;
use server::task_pool::TaskPool;
use server::{auth, connections, routes};
use store::Store;
use store::key_rows::SigningSecret;

/// The default number of concurrent audits.
pub const DEFAULT_MAX_AUDITS: usize = 4;
/// The name of the secret that signs links and cookies of report pages.
const PAGE_SECRET: &str = "report_pages";
const SERVE_LOCK: &str = "serve.lock";

/// What a service needs to start.
pub struct Options {
    /// The auditor.
    pub audits: Arc<dyn PageAuditor>,
    /// The store; created or migrated if needed.
    pub store: StoreAddress,
    /// The number of concurrent audits.
    pub max_audits: usize,
    /// Time limits of audits.
    pub audit_times: AuditTimes,
    /// The most requests per key and minute; `None` for no limit.
    pub requests_per_minute: Option<u32>,
    /// How many days desk events are kept; 0 keeps them forever.
    pub desk_keep_days: u32,
    /// Trusted reverse proxies, and the public address.
    pub proxies: Proxies,
    /// A key that is accepted besides the stored ones and never stored.
    pub run_key: Option<SecretString>,
}

/// Why a service did not start. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}. Without them no link to a report page can be signed")]
    Random(getrandom::Error),
    /// The listener is unusable.
    #[error("cannot listen: {0}. Choose another address with --listen")]
    Listener(std::io::Error),
    /// Another `serve` uses the directory.
    #[error("another reportdeck already serves {}. Stop it, or choose another directory with --data", .0.display())]
    Served(PathBuf),
    /// The lock cannot be taken.
    #[error("cannot lock {}: {error}. Make the directory writable or choose another with --data", path.display())]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
}

/// A running service. Dropping it without [`Service::shut_down`] aborts it.
pub struct Service {
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    work: TaskPool,
    /// Tasks of the audit queue; they end when this is dropped.
    background: JoinSet<()>,
}

/// Starts a service on a bound listener.
pub async fn start(listener: TcpListener, options: Options) -> Result<Service, StartError> {
    let address = listener.local_addr().map_err(StartError::Listener)?;
    let store = Store::open(options.store).await?;
    store.prepare_to_serve().await;
    let page_signer = PassSigner::new(page_secret(&store).await?);
    let (work, metrics, stop) = (TaskPool::default(), Arc::new(Metrics::default()), CancellationToken::new());
    let parts = QueueParts {
        audits: PageAudits::new(options.audits, Arc::clone(&metrics)),
        side_by_side: options.max_audits.max(1),
        times: options.audit_times,
        tasks: work.clone(),
        stop: stop.clone(),
    };
    // Begins audits, so nothing below may wait or fail.
    let (audits, background) = AuditQueue::new(&store, parts);
    let state = Arc::new(ServiceState {
        page_signer,
        attempts: PasswordAttempts::new(&store),
        rate_limiter: RateLimiter::new(options.requests_per_minute, &store),
        store,
        audits,
        key_uses: KeyUses::default(),
        passwords: PasswordHasher::new(Arc::clone(&metrics)),
        metrics,
        desk: DeskLive::new(stop.clone()),
        tasks: work.clone(),
        run_key: options.run_key.map(|key| auth::digest(key.expose_secret())),
    });
    let router = routes::router(state.clone(), HostCheck::new(options.proxies, address.ip().is_loopback()));
    let refused = state.metrics.refused_connections.clone();
    let limits = connections::ConnectionLimits::of_process();
    let serve = connections::serve(listener, router, stop.clone(), limits, refused);
    // This task drops the state last, so that one thread closes the database when the task ends: if two connections
    // closed at the same time, neither would be the last, and both would leave the write-ahead log behind.
    let stopping = stop.clone();
    let serving = async move {
        tokio::join!(
            serve,
            state.desk.follow(&state.store),
            desk::prune::prune(&state.store, options.desk_keep_days, &stopping)
        );
        drop(state);
    };
    let serving = tokio::spawn(serving.boxed());
    Ok(Service { address, stop, serving, work, background })
}

/// Returns the secret that signs links and cookies of report pages, shared by all processes on the store.
async fn page_secret(store: &Store) -> Result<SigningSecret, StartError> {
    let mut fresh = SigningSecret::default();
    getrandom::fill(&mut fresh).map_err(StartError::Random)?;
    Ok(store.signing_secret(PAGE_SECRET, fresh).await?)
}

impl Service {
    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the base URL, without a trailing slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops accepting requests, finishes running ones, and aborts them after a timeout.
    pub async fn shut_down(mut self) {
        self.stop.cancel();
        self.work.end_serving(&mut self.serving).await;
        self.background.shutdown().await;
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.cancel();
        self.work.give_up();
        self.serving.abort();
    }
}

/// The lock that `serve` holds on a data directory while it runs.
#[derive(Debug)]
pub struct ServeLock {
    _file: File,
}

/// Locks a data directory against other `serve` processes.
pub fn lock_for_serve(data: &Path) -> Result<ServeLock, StartError> {
    let path = data.join(SERVE_LOCK);
    match store::sqlite::private_files::open_in(data, SERVE_LOCK).map(|file| (file.try_lock(), file)) {
        Ok((Ok(()), file)) => Ok(ServeLock { _file: file }),
        Ok((Err(TryLockError::WouldBlock), _)) => Err(StartError::Served(data.to_owned())),
        Ok((Err(TryLockError::Error(error)), _)) | Err(error) => Err(StartError::Lock { path, error }),
    }
}

/// Locks a store against `serve` processes. A database may be shared by any number of instances and has no such lock.
pub fn lock_store(address: &StoreAddress) -> Result<Option<ServeLock>, StartError> {
    match address {
        StoreAddress::Data(data) => lock_for_serve(data).map(Some),
        StoreAddress::Postgres(_) => Ok(None),
    }
}
