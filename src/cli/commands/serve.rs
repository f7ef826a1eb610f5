//! `serve`: the embedded service for a team, until SIGTERM or SIGINT.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::audit::{Allowed, Auditor, Policy, Reach};
use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::service_args::ServeOptions;
use crate::cli::setup::DEFAULT_LISTEN;
use crate::cli::setup::interrupt::Interrupt;
use crate::cli::setup::log::Log;
use crate::cli::setup::machine_probe;
use crate::config::environment::{Environment, TEST_AUDIT_LEASE};
use crate::config::model::ConfigFile;
use crate::service::{
    self, AuditTimes, DEFAULT_DESK_KEEP_DAYS, DEFAULT_MAX_AUDITS, DEFAULT_REQUESTS_PER_MINUTE, Options, Proxies,
    ServeLock, StoreAddress, keys,
};

/// Serves until SIGTERM or SIGINT.
pub async fn run(context: &CommandContext<'_>, options: &ServeOptions) -> Result<(), CommandError> {
    let (config, store) = (context.config()?, context.store()?);
    let _log = Log::start(context.environment)?;
    let lock = prepare(store.clone()).await?;
    let listen = options.listen.or(config.listen).unwrap_or(DEFAULT_LISTEN);
    let listener = TcpListener::bind(listen).await.map_err(|error| {
        CommandError::local(format!("cannot listen on {listen}: {error}"), "Choose another address with --listen")
    })?;
    let address = listener.local_addr()?;
    let limit = config.requests_per_minute.unwrap_or(DEFAULT_REQUESTS_PER_MINUTE);
    let options = Options {
        audits: auditor(config, Some(address)),
        store,
        max_audits: DEFAULT_MAX_AUDITS,
        audit_times: audit_times(context.environment),
        desk_keep_days: config.desk_keep_days.unwrap_or(DEFAULT_DESK_KEEP_DAYS),
        requests_per_minute: (limit > 0).then_some(limit),
        proxies: Proxies { public_url: config.public_url.clone(), trusted: config.trusted_proxies.clone() },
        run_key: None,
    };
    // Created before audits begin: an unhandled signal would end the process and abort them.
    let mut stop = Interrupt::new()?;
    let Some(started) = stop.unless_interrupted(service::start(listener, options)).await else { return Ok(()) };
    let service = started.map_err(CommandError::of_error)?;
    announce(address);
    stop.shut_down_when_interrupted(service.shut_down()).await;
    drop(lock);
    Ok(())
}

/// Returns the time limits of audits.
pub(super) fn audit_times(environment: &Environment) -> AuditTimes {
    let usual = AuditTimes::default();
    let lease = environment.text(TEST_AUDIT_LEASE).and_then(|milliseconds| milliseconds.parse().ok());
    AuditTimes { lease: lease.map_or(usual.lease, Duration::from_millis), ..usual }
}

/// Locks the data directory, and requires an active key.
async fn prepare(store: StoreAddress) -> Result<Option<ServeLock>, CommandError> {
    // The lock creates the data directory.
    keys::require_store(&store).await?;
    let lock = service::lock_store(&store).map_err(CommandError::of_error)?;
    let keys = keys::list(store.clone()).await.map_err(CommandError::of_error)?;
    let now = jiff::Timestamp::now();
    if !keys.iter().any(|key| key.is_active(now)) {
        let advice = "Create one with `reportdeck keys create NAME`, for the same data directory or database";
        return Err(CommandError::local("no one could use this service: there is no active API key", advice));
    }
    if let StoreAddress::Data(data) = &store
        && let Some(found) = machine_probe::open_to_others(data)
    {
        print_note(&format!("warning: {found}: chmod 600 it, or chmod 700 its directory"));
    }
    Ok(lock)
}

/// Creates an auditor for public addresses and those the configuration allows, excluding the service's own listener.
pub fn auditor(config: &ConfigFile, own_listener: Option<SocketAddr>) -> Arc<Auditor> {
    let allowed = config.audit_allow.iter().map(|entry| Allowed::from(entry.value.as_str())).collect();
    let policy = Policy { allowed, own_listener, ..Policy::new(Reach::PublicOnly) };
    Arc::new(Auditor::new(policy))
}

/// Prints the service's address. A service whose output nobody reads runs all the same.
fn announce(address: SocketAddr) {
    if !address.ip().is_loopback() {
        print_note("note: this is plain http; let others reach it only through a proxy with TLS");
    }
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
}
