//! `--sample`: the dashboard on a scratch service with the sample site, in a temporary directory.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};
use tempfile::TempDir;

use super::dashboard;
use crate::api::client::{Client, ClientOptions};
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::setup::embedded::{self, EmbeddedSlot};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::NewReport;
use crate::runtime::ServiceConnection;
use crate::service::DEFAULT_MAX_AUDITS;
use crate::service::sample::{self, SampleSite};

/// How long the dashboard waits for its first reports. Later ones come with the next refresh.
const PATIENCE: Duration = Duration::from_secs(6);

/// The shutdown timeout of the scratch service.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);

/// What must live as long as the dashboard.
#[derive(Default)]
struct Scratch(Mutex<Option<(TempDir, SampleSite)>>);

/// Opens the dashboard on the sample site.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let (slot, scratch) = (EmbeddedSlot::default(), Arc::new(Scratch::default()));
    let connect = {
        let (slot, scratch) = (slot.clone(), Arc::clone(&scratch));
        Arc::new(move |_| connect(slot.clone(), Arc::clone(&scratch)).boxed())
    };
    // Its running audits are aborted.
    let shutdown = slot.end_within(SHUTDOWN_TIMEOUT);
    let ended = dashboard::open(context, (connect, (Vec::new(), None)), None, shutdown).await;
    let scratch = scratch.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((directory, _site)) = scratch {
        directory
            .close()
            .map_err(|error| CommandError::local(format!("the scratch data stays: {error}"), "Remove it"))?;
    }
    ended
}

/// Starts site and service, and creates the reports through the interface.
async fn connect(slot: EmbeddedSlot, scratch: Arc<Scratch>) -> Result<ServiceConnection, Failure> {
    let (listener, _) = embedded::listen().await?;
    let site = sample::start(listener).await;
    let made = tokio::task::spawn_blocking(|| tempfile::Builder::new().prefix("reportdeck-").tempdir()).await;
    let failed = |why: String| Failure::new(FailureKind::Local, format!("The sample did not start: {why}"), "");
    let directory = made.map_err(|error| failed(error.to_string()))?.map_err(|error| failed(error.to_string()))?;
    let (data, urls) = (directory.path().to_owned(), site.urls());
    *scratch.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((directory, site));
    let connection = slot.keep(embedded::start(data).await?, "sample");
    let options =
        ClientOptions { base: connection.base.clone(), key: connection.key.clone(), observer: Arc::new(|_| {}) };
    let creating = tokio::spawn(create(Client::new(options)?, urls));
    // The rest goes on behind the dashboard.
    let _ = tokio::time::timeout(PATIENCE, creating).await;
    Ok(connection)
}

async fn create(client: Client, urls: Vec<String>) {
    let audits = futures_util::stream::iter(urls).map(|url| {
        let client = client.clone();
        async move {
            let new = NewReport { url, privacy: None, password: None };
            // A report that cannot be created is missing from the sample.
            drop(client.create_report(&new).await);
        }
    });
    audits.buffer_unordered(DEFAULT_MAX_AUDITS).collect::<()>().await;
}
