//! `--sample`: the dashboard on a scratch service with the sample sites and their history, in a temporary directory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::AbortHandle;

use super::dashboard;
use crate::api::client::{Client, ClientOptions};
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::setup::embedded::{self, EmbeddedSlot};
use crate::cli::setup::sample_history::SampleHistory;
use crate::domain::failure::Failure;
use crate::runtime::ServiceConnection;
use crate::service::sample::{self, SampleSite};

/// How long the dashboard waits for its first reports. Later ones appear with the next refresh.
const FIRST_REPORTS_TIMEOUT: Duration = Duration::from_millis(4_500);

/// The shutdown timeout of the scratch service.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);

/// The service's name on the screen and in the journal.
const NAME: &str = "sample history";

/// What must live as long as the dashboard: the sites, and the task that audits them.
#[derive(Default)]
struct Scratch(Mutex<Option<(Arc<SampleSite>, AbortHandle)>>);

/// Opens the dashboard on the sample sites.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let failed =
        |error: std::io::Error| CommandError::local(format!("the sample did not start: {error}"), "Set TMPDIR");
    let directory = tempfile::Builder::new().prefix("reportdeck-").tempdir().map_err(failed)?;
    let (data, journal) = (directory.path().join("data"), directory.path().join("journal.sqlite"));
    let (slot, scratch) = (EmbeddedSlot::default(), Arc::new(Scratch::default()));
    let connect = {
        let (slot, scratch, journal) = (slot.clone(), Arc::clone(&scratch), journal.clone());
        Arc::new(move |_| connect(slot.clone(), Arc::clone(&scratch), (data.clone(), journal.clone())).boxed())
    };
    // Running audits are aborted.
    let shutdown = slot.end_within(SHUTDOWN_TIMEOUT);
    let memory = Some((journal, NAME.to_owned()));
    let ended = dashboard::open(context, (connect, (Vec::new(), None)), memory, shutdown).await;
    let scratch = scratch.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((_site, audits)) = scratch {
        audits.abort();
    }
    directory
        .close()
        .map_err(|error| CommandError::local(format!("the scratch data was not removed: {error}"), "Remove it"))?;
    ended
}

/// Starts sites and service, and creates the reports through the API.
async fn connect(
    slot: EmbeddedSlot,
    scratch: Arc<Scratch>,
    (data, journal): (PathBuf, PathBuf),
) -> Result<ServiceConnection, Failure> {
    let (listener, _) = embedded::listen().await?;
    let site = Arc::new(sample::start(listener).await);
    let connection = slot.keep(embedded::start(data.clone()).await?, NAME);
    let options =
        ClientOptions { base: connection.base.clone(), key: connection.key.clone(), observer: Arc::new(|_| {}) };
    let (client, service) = (Client::new(options)?, NAME.to_owned());
    let history = SampleHistory { client, site: Arc::clone(&site), data, journal, service };
    let creating = tokio::spawn(history.make().boxed());
    *scratch.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((site, creating.abort_handle()));
    // The rest continues in the background.
    let _ = tokio::time::timeout(FIRST_REPORTS_TIMEOUT, creating).await;
    Ok(connection)
}
