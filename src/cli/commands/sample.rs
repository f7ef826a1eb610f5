//! `--sample`: the dashboard on a scratch service with the sample sites and their history, in a temporary directory.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::Mutex;

use super::dashboard;
use crate::api::client::Client;
use crate::api::limits::Limits;
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::setup::embedded::{self, EmbeddedSlot};
use crate::cli::setup::sample_history::SampleHistory;
use crate::domain::failure::Failure;
use crate::runtime::ServiceConnection;
use crate::service::{ScratchFolder, sample};

/// The shutdown timeout of the scratch service.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);

/// The service's name on the screen and in the journal.
const NAME: &str = "sample history";

/// The running sample, for the life of the dashboard; `None` until it was started.
type SampleSlot = Arc<Mutex<Option<Sample>>>;

struct Sample {
    connection: ServiceConnection,
    history: SampleHistory,
}

/// Opens the dashboard on the sample sites.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let failed =
        |error: std::io::Error| CommandError::local(format!("the sample did not start: {error}"), "Set TMPDIR");
    let directory = ScratchFolder::temporary().map_err(failed)?;
    let (data, journal) = (directory.path().join("data"), directory.path().join("journal.sqlite"));
    let (slot, sample) = (EmbeddedSlot::default(), SampleSlot::default());
    let connect = {
        let (slot, journal) = (slot.clone(), journal.clone());
        Arc::new(move |_| connect(slot.clone(), Arc::clone(&sample), (data.clone(), journal.clone())).boxed())
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
/// is complete: nothing would read the rest of it later. After a failure, the running sample continues its history.
async fn connect(
    slot: EmbeddedSlot,
    sample: SampleSlot,
    (data, journal): (PathBuf, PathBuf),
) -> Result<ServiceConnection, Failure> {
    let mut running = sample.lock().await;
    let sample = match running.take() {
        Some(sample) => sample,
        None => start(&slot, data, journal).await?,
    };
    let Sample { connection, history } = running.insert(sample);
    history.complete().await?;
    Ok(connection.clone())
}

async fn start(slot: &EmbeddedSlot, data: PathBuf, journal: PathBuf) -> Result<Sample, Failure> {
    let (listener, _) = embedded::listen().await?;
    let site = sample::start(listener);
    let connection = slot.keep(embedded::start(data.clone()).await?, NAME, data.clone());
    let history = SampleHistory::new(client_of(&connection)?, site, (data, journal), NAME);
    Ok(Sample { connection, history })
}

fn client_of(connection: &ServiceConnection) -> Result<Client, Failure> {
    let (base, key) = (connection.base.clone(), connection.key.clone());
    Client::new(base, key, Arc::new(|_| {}), Limits::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::client::Priority;
    use crate::api::decode::RowDetail;
    use crate::domain::list::paging::PageToken;
    use crate::domain::list::query::ReportQuery;
    use std::collections::HashSet;

    #[tokio::test]
    async fn connecting_again_after_a_failure_continues_with_the_running_service() {
        let directory = tempfile::tempdir().unwrap();
        let (data, blocked) = (directory.path().join("data"), directory.path().join("blocked"));
        std::fs::write(&blocked, "").unwrap();
        let (slot, sample) = (EmbeddedSlot::default(), SampleSlot::default());
        let again = || connect(slot.clone(), sample.clone(), (data.clone(), blocked.join("journal.sqlite")));
        assert!(again().await.is_err(), "the history cannot be stored below a file");
        std::fs::remove_file(&blocked).unwrap();
        let (first, second) = (again().await.unwrap(), again().await.unwrap());
        assert_eq!(first.base, second.base);
        let client = client_of(&first).unwrap();
        let (query, page) = (ReportQuery::default(), PageToken::First);
        let rows = client.list_reports(&query, &page, RowDetail::Row, Priority::Person).await.unwrap().rows;
        let urls: HashSet<&str> = rows.iter().map(|row| row.url.raw()).collect();
        assert!(rows.len() == urls.len() && rows.len() > 10, "{} reports of {} pages", rows.len(), urls.len());
        slot.end_within(SHUTDOWN_TIMEOUT).await;
    }
}
