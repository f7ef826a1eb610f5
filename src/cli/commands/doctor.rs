//! `doctor`: prints findings about this machine and the chosen service. Changes nothing.

use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::output::column::FINDING;
use crate::cli::output::{Printer, Shape};
use crate::cli::setup::access::{Access, Purpose};
use crate::cli::setup::machine_probe;
use crate::cli::setup::service_probe::{self, Finding, LastExchange, Severity};
use crate::service::{has_data, probe_postgres};

/// Runs all probes, even after a failure. A failure decides the exit code.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let mut findings = Vec::new();
    let configured = match context.config() {
        Ok(file) => {
            findings.push(machine_probe::configuration(file));
            Ok(())
        }
        Err(problem) => {
            findings.push(failed("configuration", &problem));
            Err(problem)
        }
    };
    findings.extend(machine_probe::findings(context));
    let here = if findings.iter().any(|finding| finding.state == Severity::Failed) {
        Err(CommandError::local("this machine has problems", "See the findings"))
    } else {
        Ok(())
    };
    let mut printer = context.printer(Shape::Many, FINDING);
    print(&mut printer, &findings)?;
    let there = match configured {
        Ok(()) => match database(context, &mut printer).await {
            Ok(has_database) => service(context, has_database, &mut printer).await,
            Err(problem) => service(context, true, &mut printer).await.and(Err(problem)),
        },
        // Without a valid configuration there is no service to probe.
        Err(problem) => Err(problem),
    };
    printer.finish()?;
    // The findings say it already; stderr would repeat them.
    there.and(here).map_err(|problem| CommandError::Reported(Box::new(problem)))
}

/// Probes the database of `serve`: whether it can be reached, and its format. False if none is configured.
async fn database(context: &CommandContext<'_>, printer: &mut Printer) -> Result<bool, CommandError> {
    let database = match context.database() {
        Ok(None) => return Ok(false),
        Ok(Some(database)) => database,
        Err(problem) => {
            print(printer, &[failed("database", &problem)])?;
            return Err(problem);
        }
    };
    let problem = match probe_postgres(&database.url).await {
        Ok(probe) => {
            let (place, server) = (&probe.place, &probe.server);
            let finding = if let Some(format) = probe.format {
                Finding::ok("database", format!("{place}: PostgreSQL {server}, format {format}"))
            } else {
                let found = format!("{place}: PostgreSQL {server}, no tables yet");
                Finding::note(
                    "database",
                    found,
                    "`serve` and `keys create` create them; `store copy` needs an empty database",
                )
            };
            print(printer, &[finding])?;
            if !probe.notifies {
                let found = "database notifications do not arrive: the end of an audit is noticed up to a second later";
                let advice = "A pooler in transaction mode may be in between; a direct connection is faster";
                print(printer, &[Finding::note("notifications", found, advice)])?;
            }
            return Ok(true);
        }
        Err(error) => CommandError::local(error.to_string(), ""),
    };
    print(printer, &[failed("database", &problem)])?;
    Err(problem)
}

/// Probes the chosen service. The embedded service is not started for this if a database is configured, or if it has
/// no data yet.
async fn service(context: &CommandContext<'_>, has_database: bool, printer: &mut Printer) -> Result<(), CommandError> {
    let access = match Access::choose(context, Purpose::Read) {
        Ok(access) => access,
        Err(problem) => {
            print(printer, &[failed("service", &problem)])?;
            return Err(problem);
        }
    };
    if access.is_embedded() {
        if has_database {
            return Ok(());
        }
        // Starting it would create its database, perhaps as another user than the one who will run it.
        if !has_data(&context.data()?) && machine_probe::data(context).state == Severity::Ok {
            return print(printer, &[Finding::ok("service", "embedded, and not used yet")]);
        }
    }
    let last = LastExchange::default();
    let mut ended = Ok(());
    let worked = access.with_observed_client(last.observer(), async |client| {
        ended = match service_probe::first_page(client, &last).await {
            Ok((page, findings)) => {
                print(printer, &findings)?;
                let (findings, ended) = service_probe::probe_next_page(client, &page).await;
                print(printer, &findings)?;
                ended.map_err(CommandError::from)
            }
            Err(failure) => {
                let problem = CommandError::from(failure);
                print(printer, &[failed("service", &problem)])?;
                Err(problem)
            }
        };
        Ok(())
    });
    if let Err(problem) = worked.await {
        print(printer, &[failed("service", &problem)])?;
        return Err(problem);
    }
    ended
}

fn print(printer: &mut Printer, findings: &[Finding]) -> Result<(), CommandError> {
    for finding in findings {
        printer.record(&finding.record())?;
    }
    Ok(printer.flush()?)
}

fn failed(check: &'static str, problem: &CommandError) -> Finding {
    let (found, advice) = problem.texts();
    Finding::failed(check, found, advice)
}
