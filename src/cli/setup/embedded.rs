//! The embedded service inside this process: on loopback, on a free port, with a key made for this run.
//!
//! Must not know what it is used for.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use secrecy::SecretString;
use tokio::net::TcpListener;

use crate::api::address::BaseUrl;
use crate::audit::{Auditor, Policy, Reach};
use crate::domain::failure::{Failure, FailureKind};
use crate::service::{self, DEFAULT_MAX_AUDITS, LiveAuditor, Options, Proxies, Service, keys};

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
    let auditor = Auditor::new(policy).map_err(|error| failed(&error.to_string()))?;
    let options = Options {
        audits: Arc::new(LiveAuditor::new(auditor)),
        data,
        max_audits: DEFAULT_MAX_AUDITS,
        requests_per_minute: None,
        proxies: Proxies::default(),
        run_key: Some(key.clone()),
    };
    let service = service::start(listener, options).await.map_err(|error| failed(&error.to_string()))?;
    let base = BaseUrl::parse(&service.base_url(), false)?;
    Ok(Embedded { service, base, key })
}

/// A listener on a free port of this machine.
pub async fn listen() -> Result<(TcpListener, SocketAddr), Failure> {
    let refused = |error: std::io::Error| failed(&format!("this machine gives it no port ({error})"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

fn failed(why: &str) -> Failure {
    Failure::new(FailureKind::Local, format!("The embedded service did not start: {why}"), "")
}
