//! The embedded service inside this process: on loopback, on a free port, with a key for this run.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use secrecy::SecretString;
use tokio::net::TcpListener;

use crate::api::address::BaseUrl;
use crate::audit::{Auditor, Policy, Reach};
use crate::cli::exit::CommandError;
use crate::domain::failure::{Failure, FailureKind};
use crate::runtime::ServiceConnection;
use crate::service::{self, AuditTimes, DEFAULT_MAX_AUDITS, Options, Proxies, Service, keys};

/// A running embedded service.
pub struct Embedded {
    pub service: Service,
    pub base: BaseUrl,
    pub key: SecretString,
}

/// Starts the service on a data directory.
pub async fn start(data: PathBuf) -> Result<Embedded, Failure> {
    let (listener, address) = listen().await?;
    let key = keys::for_this_run().map_err(|error| failed(&error.to_string()))?;
    let policy = Policy { own_listener: Some(address), ..Policy::new(Reach::LocalUser) };
    let options = Options {
        audits: Arc::new(Auditor::new(policy)),
        store: data.into(),
        max_audits: DEFAULT_MAX_AUDITS,
        audit_times: AuditTimes::default(),
        requests_per_minute: None,
        desk_keep_days: service::DEFAULT_DESK_KEEP_DAYS,
        proxies: Proxies::default(),
        run_key: Some(key.clone()),
    };
    let service = service::start(listener, options).await.map_err(|error| failed(&error.to_string()))?;
    let base = BaseUrl::parse(&service.base_url(), false)?;
    Ok(Embedded { service, base, key })
}

/// Binds a listener to a free loopback port.
pub async fn listen() -> Result<(TcpListener, SocketAddr), Failure> {
    let refused = |error: std::io::Error| failed(&format!("no port is available ({error})"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

fn failed(why: &str) -> Failure {
    Failure::new(FailureKind::Local, format!("The embedded service did not start: {why}"), "")
}

/// Starts the embedded service on a data directory, and stores it, or its failure, in the slot.
pub async fn start_embedded(data: PathBuf, name: String, slot: EmbeddedSlot) -> Result<ServiceConnection, Failure> {
    match start(data.clone()).await {
        Ok(started) => Ok(slot.keep(started, &name, data)),
        Err(failure) => {
            slot.lock().failure = Some(failure.clone());
            Err(failure)
        }
    }
}

/// Holds the service, which starts after the first frame, until the dashboard has ended.
#[derive(Clone, Default)]
pub struct EmbeddedSlot(Arc<Mutex<SlotState>>);

#[derive(Default)]
struct SlotState {
    service: Option<Service>,
    failure: Option<Failure>,
}

impl EmbeddedSlot {
    /// Stores the service and returns the connection to it.
    pub fn keep(&self, started: Embedded, name: &str, data: PathBuf) -> ServiceConnection {
        let Embedded { service, base, key } = started;
        *self.lock() = SlotState { service: Some(service), failure: None };
        ServiceConnection {
            name: name.to_owned(),
            host: String::new(),
            base,
            key,
            read_only: false,
            accent: None,
            directory: Some(data),
            desk: None,
        }
    }

    /// Shuts the service down, if one was started, with this timeout for running audits.
    pub async fn end_within(&self, timeout: Duration) {
        let service = self.lock().service.take();
        if let Some(service) = service {
            let _ = tokio::time::timeout(timeout, service.shut_down()).await;
        }
    }

    /// Returns the failure to start the embedded service, if it failed.
    pub fn started(&self) -> Result<(), CommandError> {
        self.lock().failure.take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn lock(&self) -> MutexGuard<'_, SlotState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
