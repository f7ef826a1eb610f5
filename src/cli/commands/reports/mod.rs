//! `reports`: list, show, history, pages, triage, create, update, delete.

mod list;
mod pages;
mod triage;

use std::borrow::Cow;

use jiff::Timestamp;

use crate::cli::args::{PrivacyOptions, ReportCommand};
use crate::cli::bulk::{self, BulkCommand, ResultOrder, write_outcome};
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::input::confirm::confirm;
use crate::cli::input::operands::{self, Operand};
use crate::cli::input::password;
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::cli::setup::access::{Access, Purpose};
use crate::cli::setup::write_log::WriteLog;
use crate::domain::event_log::LogEntry;
use crate::domain::report::{NewReport, ReportChange, ReportId};
use crate::domain::text::clean;

/// The most ids named in a confirmation.
const MOST_NAMES: usize = 10;

/// Runs a `reports` command.
pub async fn run(context: &CommandContext<'_>, command: ReportCommand) -> Result<(), CommandError> {
    match command {
        ReportCommand::List(options) => list::list(context, options).await,
        ReportCommand::Show { ids } => show(context, &ids).await,
        ReportCommand::History { id } => pages::history(context, &id).await,
        ReportCommand::Open { id, page } => pages::open(context, &id, page).await,
        ReportCommand::State { ids, set, snooze } => triage::state(context, &ids, set, snooze).await,
        ReportCommand::Note { ids, add } => triage::note(context, &ids, add.as_deref()).await,
        ReportCommand::Link { id } => pages::link(context, &id).await,
        ReportCommand::Create { urls, privacy } => create(context, &urls, &privacy).await,
        ReportCommand::Update { ids, privacy, rerun } => update(context, &ids, &privacy, rerun).await,
        ReportCommand::Delete { ids, yes } => delete(context, &ids, yes).await,
    }
}

async fn show(context: &CommandContext<'_>, ids: &[String]) -> Result<(), CommandError> {
    let shape = if ids.len() == 1 && !operands::are_on_stdin(ids) { Shape::One } else { Shape::Details };
    let access = Access::choose(context, Purpose::Read)?;
    let ids = operands::distinct_ids(ids)?;
    let command = BulkCommand::read("reading");
    bulk::perform_on_service(access, command, &ids, context.printer(shape, column::REPORT), async |client, id| {
        client.show_report(&ReportId::new(id)).await.map(|report| Record::report(&report)).into()
    })
    .await
}

async fn create(context: &CommandContext<'_>, urls: &[String], options: &PrivacyOptions) -> Result<(), CommandError> {
    refuse_stdin_twice(Operand::Url, urls, options)?;
    let password = password::read(options, true)?;
    let access = Access::choose(context, Purpose::Write)?;
    let is_privacy_given = options.privacy.is_some() || password.is_some();
    let urls = operands::read(if is_privacy_given { Operand::Url } else { Operand::PublicUrl }, urls)?;
    let log = WriteLog::open(context);
    let command = BulkCommand::write("creating", ResultOrder::InTurn);
    let printer = context.printer(Shape::Many, column::REPORT);
    bulk::perform_on_service(access, command, &urls, printer, async |client, url| {
        let new = NewReport { url: url.to_owned(), privacy: options.privacy, password: password.clone() };
        let created = client.create_report(&new).await;
        log.record(created.iter().map(|report| LogEntry::of_creation(report, Timestamp::now())));
        write_outcome::created(created)
    })
    .await
}

async fn update(
    context: &CommandContext<'_>,
    ids: &[String],
    options: &PrivacyOptions,
    rerun: bool,
) -> Result<(), CommandError> {
    refuse_stdin_twice(Operand::Id, ids, options)?;
    let change = ReportChange { privacy: options.privacy, password: password::read(options, false)?, rerun };
    if change.is_empty() {
        return Err(CommandError::usage("nothing would change", "Add --privacy, a password source or --rerun"));
    }
    let access = Access::choose(context, Purpose::Write)?;
    let ids = operands::distinct_ids(ids)?;
    let log = WriteLog::open(context);
    let command =
        BulkCommand::write(if rerun { "re-running" } else { "updating" }, ResultOrder::from(context.format()));
    let printer = context.printer(Shape::Many, column::REPORT);
    bulk::perform_on_service(access, command, &ids, printer, async |client, id| {
        let updated = client.update_report(&ReportId::new(id), &change).await;
        let entries = |report| LogEntry::of_change(&change, None, report, Timestamp::now());
        log.record(updated.iter().flat_map(entries));
        write_outcome::updated(&change, updated)
    })
    .await
}

async fn delete(context: &CommandContext<'_>, ids: &[String], yes: bool) -> Result<(), CommandError> {
    let access = Access::choose(context, Purpose::Write)?;
    let ids = operands::distinct_ids(ids)?;
    if !ids.is_empty() {
        confirm(&named(&ids), yes)?;
    }
    let log = WriteLog::open(context);
    let command = BulkCommand::write("deleting", ResultOrder::from(context.format()));
    let printer = context.printer(Shape::Many, column::DELETED);
    bulk::perform_on_service(access, command, &ids, printer, async |client, id| {
        let id = ReportId::new(id);
        let deleted = client.delete_report(&id).await;
        log.record(deleted.iter().map(|()| LogEntry::of_deletion(&id, Timestamp::now())));
        write_outcome::deleted(id.raw(), deleted)
    })
    .await
}

fn refuse_stdin_twice(operand: Operand, arguments: &[String], options: &PrivacyOptions) -> Result<(), CommandError> {
    if options.password_stdin && operands::are_on_stdin(arguments) {
        let message = format!("stdin cannot hold {} and a password", operand.plural());
        return Err(CommandError::usage(message, "Use --password-file"));
    }
    Ok(())
}

/// Names the reports in a confirmation.
fn named(ids: &[String]) -> String {
    let names: Vec<Cow<'_, str>> = ids.iter().take(MOST_NAMES).map(|id| clean(id)).collect();
    let names = names.join(", ");
    match ids.len() {
        1 => format!("report {names}"),
        count if count > MOST_NAMES => format!("{count} reports ({names} and {} more)", count - MOST_NAMES),
        count => format!("{count} reports ({names})"),
    }
}
