//! `--sample`: the dashboard on a scratch service with the sample sites and their history, in a temporary directory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;

use super::dashboard;
use crate::api::client::{Client, ClientOptions};
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::setup::embedded::{self, EmbeddedSlot};
use crate::cli::setup::sample_history::SampleHistory;
use crate::domain::failure::Failure;
use crate::runtime::ServiceConnection;
use crate::service::sample::{self, SampleSite};

/// The shutdown timeout of the scratch service.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);

/// The service's name on the screen and in the journal.
const NAME: &str = "sample history";

/// The sites, which must live as long as the dashboard.
type SiteSlot = Arc<Mutex<Option<Arc<SampleSite>>>>;

/// Opens the dashboard on the sample sites.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let failed =
        |error: std::io::Error| CommandError::local(format!("the sample did not start: {error}"), "Set TMPDIR");
    let directory = tempfile::Builder::new().prefix("reportdeck-").tempdir().map_err(failed)?;
    let (data, journal) = (directory.path().join("data"), directory.path().join("journal.sqlite"));
    let (slot, sites) = (EmbeddedSlot::default(), SiteSlot::default());
    let connect = {
        let (slot, journal) = (slot.clone(), journal.clone());
        Arc::new(move |_| connect(slot.clone(), Arc::clone(&sites), (data.clone(), journal.clone())).boxed())
    };
    // Running audits are aborted.
    let shutdown = slot.end_within(SHUTDOWN_TIMEOUT);
    let memory = Some((journal, NAME.to_owned()));
    let ended = dashboard::open(context, (connect, (Vec::new(), None)), memory, shutdown).await;
    directory
        .close()
        .map_err(|error| CommandError::local(format!("the scratch data was not removed: {error}"), "Remove it"))?;
    ended
}

/// Starts sites and service, and creates the reports through the API. The dashboard gets the service once the history
/// is complete: nothing would read the rest of it later.
async fn connect(
    slot: EmbeddedSlot,
    sites: SiteSlot,
    (data, journal): (PathBuf, PathBuf),
) -> Result<ServiceConnection, Failure> {
    let (listener, _) = embedded::listen().await?;
    let site = Arc::new(sample::start(listener).await);
    let connection = slot.keep(embedded::start(data.clone()).await?, NAME);
    let options =
        ClientOptions { base: connection.base.clone(), key: connection.key.clone(), observer: Arc::new(|_| {}) };
    let (client, service) = (Client::new(options)?, NAME.to_owned());
    let history = SampleHistory { client, site: Arc::clone(&site), data, journal, service };
    *sites.lock().unwrap_or_else(PoisonError::into_inner) = Some(site);
    history.make().await?;
    Ok(connection)
}
