//! `worker`: runs audits queued by instances of `serve` in their database, until SIGTERM or SIGINT.

use crate::cli::commands::serve::{audit_times, auditor};
use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::setup::interrupt::Interrupt;
use crate::cli::setup::log::Log;
use crate::service::{DEFAULT_MAX_AUDITS, StoreAddress, Worker, WorkerError, WorkerOptions, keys};

/// Runs audits until SIGTERM or SIGINT.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let (config, store) = (context.config()?, context.store()?);
    let _log = Log::start(context.environment)?;
    if matches!(store, StoreAddress::Data(_)) {
        return Err(CommandError::usage(WorkerError::NoDatabase.to_string(), ""));
    }
    keys::require_store(&store).await?;
    let options = WorkerOptions {
        audits: auditor(config, None),
        store,
        max_audits: DEFAULT_MAX_AUDITS,
        audit_times: audit_times(context.environment),
    };
    // Created before audits begin: an unhandled signal would end the process and abort them.
    let mut stop = Interrupt::new()?;
    let Some(started) = stop.unless_interrupted(Worker::start(options)).await else { return Ok(()) };
    let worker = started.map_err(CommandError::of_error)?;
    print_note("running the audits queued by the instances of this database");
    stop.shut_down_when_interrupted(worker.shut_down()).await;
    Ok(())
}
