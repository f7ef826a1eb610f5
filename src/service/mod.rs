//! The embedded service: the interface over SQLite, auditing pages for real. Must not know the dashboard.

mod audits;
mod handlers;
pub mod keys;
mod pages;
pub mod sample;
pub mod seed;
mod server;
mod store;

use std::fs::{File, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use audits::queue::{AuditFailure, AuditResult, PageAuditor};
pub use audits::runner::LiveAuditor;
pub use handlers::report_pages::page_of;
pub use server::proxies::Proxies;
pub use server::rate_limit::DEFAULT_REQUESTS_PER_MINUTE;
pub use store::{OpenError, StoreError};

use audits::queue::AuditQueue;
use pages::access::PassSigner;
use pages::attempts::PasswordAttempts;
use pages::passwords::PasswordHasher;
use server::metrics::Metrics;
use server::proxies::HostCheck;
use server::rate_limit::RateLimiter;
use server::state::ServiceState;
use server::task_pool::TaskPool;
use server::{auth, connections, routes};
use store::Store;
use store::tables::secrets::{self, SigningSecret};

/// How many audits run side by side when nobody says otherwise.
pub const DEFAULT_MAX_AUDITS: usize = 4;
/// How long running audits may take once the service is told to stop: longer than an audit's own limit.
const PATIENCE: Duration = Duration::from_secs(25);
/// What links to private report pages and cookies of protected ones are signed with.
const PAGE_SECRET: &str = "report_pages";
const SERVE_LOCK: &str = "serve.lock";

/// What a service needs to start.
pub struct Options {
    /// Who audits pages.
    pub audits: Arc<dyn PageAuditor>,
    /// The directory of the database. It is made where it is missing.
    pub data: PathBuf,
    /// How many audits run side by side; [`DEFAULT_MAX_AUDITS`] unless there is a reason.
    pub max_audits: usize,
    /// How many requests a key may send in a minute; `None` where nobody has to share.
    pub requests_per_minute: Option<u32>,
    /// The reverse proxies in front of it, and the address that people use.
    pub proxies: Proxies,
    /// A key that is accepted beside the stored ones and never written anywhere.
    pub run_key: Option<SecretString>,
}

/// Why a service did not start. Told to a person: what failed and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database is open and refuses to work.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system gives no random bits.
    #[error("the system gives no random numbers: {0}. Without them no link to a report page can be signed")]
    Random(getrandom::Error),
    /// The listener is unusable.
    #[error("cannot listen: {0}. Choose another address with --listen")]
    Listener(std::io::Error),
    /// The work of starting was broken off.
    #[error("the service was stopped before it had started. Start it again")]
    BrokenOff,
    /// Another `serve` has the directory.
    #[error("another reportdeck serves {} already. Stop it, or choose another directory with --data", .0.display())]
    Served(PathBuf),
    /// The lock cannot be taken.
    #[error("cannot lock {}: {error}. Make the directory writable or choose another with --data", path.display())]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

/// A running service. Dropped without [`Service::shut_down`], it is cut off where it stands.
pub struct Service {
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    work: TaskPool,
}

/// Starts a service on a listener that is bound already.
pub async fn start(listener: TcpListener, options: Options) -> Result<Service, StartError> {
    let address = listener.local_addr().map_err(StartError::Listener)?;
    let data = options.data;
    let opened = tokio::task::spawn_blocking(move || Store::open(&data));
    let store = opened.await.map_err(|_| StartError::BrokenOff)??;
    let (work, metrics) = (TaskPool::default(), Arc::new(Metrics::default()));
    let state = Arc::new(ServiceState {
        page_signer: PassSigner::new(page_secret(&store).await?),
        attempts: PasswordAttempts::default(),
        store,
        audits: AuditQueue::new(options.audits, options.max_audits, Arc::clone(&metrics)),
        rate_limiter: RateLimiter::new(options.requests_per_minute),
        passwords: PasswordHasher::new(Arc::clone(&metrics)),
        metrics,
        tasks: work.clone(),
        run_key: options.run_key.map(|key| auth::digest(key.expose_secret())),
    });
    let stop = CancellationToken::new();
    let router = routes::router(state.clone(), HostCheck::new(options.proxies, address.ip().is_loopback()));
    let serve = connections::serve(listener, router, stop.clone(), connections::DEFAULT_LIMITS);
    // One task, so that the database is closed when its end was waited for; and closed by this task alone, the last to
    // hold it: of two connections that are closed at the same time neither is the last, and both leave the log behind.
    let serving = tokio::spawn(async move {
        serve.await;
        drop(state);
    });
    Ok(Service { address, stop, serving, work })
}

/// What report pages are signed with: made once, the same for every process on the data directory.
async fn page_secret(store: &Store) -> Result<SigningSecret, StartError> {
    if let Some(kept) = store.read(|connection| secrets::find(connection, PAGE_SECRET)).await? {
        return Ok(kept);
    }
    let mut fresh = SigningSecret::default();
    getrandom::fill(&mut fresh).map_err(StartError::Random)?;
    Ok(store.write(move |transaction| secrets::keep(transaction, PAGE_SECRET, &fresh)).await?)
}

impl Service {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its base URL, without a final slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Takes no more requests, finishes those that run, and gives up what takes too long.
    pub async fn shut_down(mut self) {
        self.stop.cancel();
        self.work.end(PATIENCE).await;
        // What is left are answers on their way out, and connections on which nothing comes.
        if tokio::time::timeout(Duration::from_secs(1), &mut self.serving).await.is_err() {
            self.serving.abort();
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.cancel();
        self.work.give_up();
        self.serving.abort();
    }
}

/// Held by the one `serve` of a data directory for as long as it runs.
#[derive(Debug)]
pub struct ServeLock {
    _file: File,
}

/// Makes sure that no other `serve` works on the same data directory.
pub fn lock_for_serve(data: &Path) -> Result<ServeLock, StartError> {
    let path = data.join(SERVE_LOCK);
    match store::database::private_files::open_in(data, SERVE_LOCK).map(|file| (file.try_lock(), file)) {
        Ok((Ok(()), file)) => Ok(ServeLock { _file: file }),
        Ok((Err(TryLockError::WouldBlock), _)) => Err(StartError::Served(data.to_owned())),
        Ok((Err(TryLockError::Error(error)), _)) | Err(error) => Err(StartError::Lock { path, error }),
    }
}
