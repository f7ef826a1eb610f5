//! `doctor`: prints findings about this machine and the chosen service. Changes nothing.

use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::output::column::FINDING;
use crate::cli::setup::access::{Access, Purpose};
use crate::cli::setup::desk::probe_desk;
use crate::cli::setup::machine_probe;
use crate::cli::setup::service_probe::{self, Finding, LastExchange, Severity};
use crate::service::backups::is_outdated;
use crate::service::{has_data, probe_postgres};

/// Runs all probes, even after a failure. A failure decides the exit code.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let mut findings = Vec::new();
    let configured = context.config().map(|file| findings.push(machine_probe::configuration(file)));
    if configured.is_err() {
        findings.extend(machine_probe::configuration_errors(context.environment));
    }
    findings.extend(machine_probe::findings(context));
    let here = if findings.iter().any(|finding| finding.state == Severity::Failed) {
        Err(CommandError::local("this machine has problems", "See the findings"))
    } else {
        Ok(())
    };
    // Without a valid configuration there is no service to probe.
    let there = match configured {
        Ok(()) => services(context, &mut findings).await,
        Err(problem) => Err(problem),
    };
    context.print_list(FINDING, findings.iter().map(Finding::record), "findings")?;
    // The findings say it already; stderr would repeat them.
    there.and(here).map_err(|problem| CommandError::Reported(Box::new(problem)))
}

/// Probes the database of `serve`, the chosen service and its desk.
async fn services(context: &CommandContext<'_>, findings: &mut Vec<Finding>) -> Result<(), CommandError> {
    let database = database(context, findings).await;
    let has_database = *database.as_ref().unwrap_or(&true);
    // If the service cannot be chosen, probing the desk would read the key again.
    let access = noted("service", Access::choose(context, Purpose::Read), findings)?;
    let service = service(context, access, has_database, findings).await;
    let desk = noted("desk", probe_desk(context, service.is_ok()).await, findings);
    service.and(desk.map(|found| findings.extend(found))).and(database.map(drop))
}

/// Probes the database of `serve`: whether it can be reached, and its format. False if none is configured.
async fn database(context: &CommandContext<'_>, findings: &mut Vec<Finding>) -> Result<bool, CommandError> {
    let Some(database) = noted("database", context.database(), findings)? else { return Ok(false) };
    let probed = probe_postgres(&database.url).await.map_err(CommandError::of_error);
    let probe = noted("database", probed, findings)?;
    let (place, server) = (&probe.place, &probe.server);
    findings.push(if let Some(format) = probe.format {
        Finding::ok("database", format!("{place}: PostgreSQL {server}, format {format}"))
    } else {
        let found = format!("{place}: PostgreSQL {server}, no tables yet");
        Finding::note("database", found, "`keys create` creates them; `store copy` needs an empty database")
    });
    if !probe.notifies {
        let found = "database notifications do not arrive: the end of an audit is noticed up to a second later";
        let advice = "A pooler in transaction mode may be in between; a direct connection is faster";
        findings.push(Finding::note("notifications", found, advice));
    }
    Ok(true)
}

/// Probes the chosen service. The embedded service is not started for this if a database is configured, or if it has
/// no data yet, or data of an earlier version.
async fn service(
    context: &CommandContext<'_>,
    access: Access,
    has_database: bool,
    findings: &mut Vec<Finding>,
) -> Result<(), CommandError> {
    if access.is_embedded() {
        if has_database {
            return Ok(());
        }
        // Starting it would create its database, perhaps as another user than the one who will run it.
        if !has_data(&context.data()?) && machine_probe::data(context).state == Severity::Ok {
            findings.push(Finding::ok("service", "embedded, and not used yet"));
            return Ok(());
        }
        if is_outdated(&context.data()?) {
            let found = "embedded, and not started: its database is of an earlier version";
            let advice = "The first start of this version upgrades it, and earlier versions cannot write it then. Make a \
                          backup first: `store backup`";
            findings.push(Finding::note("service", found, advice));
            return Ok(());
        }
    }
    let last = LastExchange::default();
    let mut ended = Ok(());
    let worked = access.with_observed_client(last.observer(), async |client| {
        let (page, found) = service_probe::first_page(client, &last).await?;
        findings.extend(found);
        let (found, further) = service_probe::probe_next_page(client, &page).await;
        findings.extend(found);
        ended = further;
        Ok(())
    });
    noted("service", worked.await, findings)?;
    Ok(ended?)
}

/// Adds a problem to the findings.
fn noted<T>(
    check: &'static str,
    result: Result<T, CommandError>,
    findings: &mut Vec<Finding>,
) -> Result<T, CommandError> {
    result.inspect_err(|problem| {
        let (found, advice) = problem.texts();
        findings.push(Finding::failed(check, found, advice));
    })
}
