//! `projects`: list, delete.

use jiff::Timestamp;

use crate::cli::args::{ProjectCommand, ProjectList};
use crate::cli::bulk::{self, BulkCommand, ResultOrder, write_outcome};
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::input::confirm::confirm;
use crate::cli::input::operands;
use crate::cli::output::paged_list::{self, ListReading};
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::cli::setup::access::{Access, Purpose};
use crate::cli::setup::write_log::WriteLog;
use crate::domain::event_log::LogEntry;
use crate::domain::list::query::{Direction, ProjectQuery, ProjectSort};
use crate::domain::project::Project;
use crate::domain::text::Text;

/// Runs a `projects` command.
pub async fn run(context: &CommandContext<'_>, command: ProjectCommand) -> Result<(), CommandError> {
    match command {
        ProjectCommand::List(options) => list(context, options).await,
        ProjectCommand::Delete { names, yes } => delete(context, &names, yes).await,
    }
}

async fn list(context: &CommandContext<'_>, options: ProjectList) -> Result<(), CommandError> {
    let limit = options.paging.limit;
    let query = query(options);
    Access::choose(context, Purpose::Read)?
        .with_client(async |client| {
            let reading = ListReading {
                keeps: &|_| true,
                id: |project: &Project| project.name.raw(),
                rows: "projects",
                is_narrowed: query.search.is_some(),
                is_order_fixed: true,
                is_printed: true,
            };
            let printer = context.printer(Shape::Many, column::PROJECT);
            paged_list::print_all(limit, &reading, (printer, Record::project), async |token| {
                client.list_projects(&query, token).await
            })
            .await
        })
        .await
}

fn query(options: ProjectList) -> ProjectQuery {
    let paging = options.paging;
    let sort = match (options.sort_by, paging.sort) {
        (None, None) => Some((ProjectSort::CreatedAt, Direction::Ascending)),
        (by, direction) => Some((by.unwrap_or_default(), direction.unwrap_or_default())),
    };
    ProjectQuery { search: options.search, sort, per_page: Some(paged_list::page_size(paging.per_page, paging.limit)) }
}

async fn delete(context: &CommandContext<'_>, names: &[String], yes: bool) -> Result<(), CommandError> {
    let names = &operands::distinct(names)[..];
    let what = match names {
        [name] => format!("project {name} with all its reports"),
        [..] => format!("{} projects with all their reports ({})", names.len(), names.join(", ")),
    };
    let access = Access::choose(context, Purpose::Write)?;
    confirm(&what, yes)?;
    let log = WriteLog::open(context);
    let command = BulkCommand { at_once: 1, ..BulkCommand::write("deleting", ResultOrder::InTurn) };
    let printer = context.printer(Shape::Many, column::DELETED);
    bulk::perform_on_service(access, command, names, printer, async |client, name| {
        let deleted = client.delete_project(name).await;
        log.record(deleted.iter().map(|()| LogEntry::of_project_deletion(&Text::from_outside(name), Timestamp::now())));
        write_outcome::deleted(name, deleted)
    })
    .await
}
