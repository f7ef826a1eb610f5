//! `store`: backup and restore of the embedded service's database, imports, and copies to the other engine.

use serde_json::json;

use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::output::column::{BACKED_UP, COPIED_TABLE, IMPORTED, RESTORED};
use crate::cli::output::record::Record;
use crate::cli::service_args::{StoreCommand, TargetEngine};
use crate::cli::setup::interrupt::Interrupt;
use crate::domain::text::clean;
use crate::service::StoreAddress;
use crate::service::backups::{self, CopyCounts};
use crate::service::transfers;

/// Runs a `store` command. An interrupt ends it and deletes its temporary copies.
pub async fn run(context: &CommandContext<'_>, command: StoreCommand) -> Result<(), CommandError> {
    let done = Interrupt::new()?.unless_interrupted(perform(context, command)).await;
    done.unwrap_or_else(|| Err(CommandError::local("interrupted before the end", "Run the command again")))
}

async fn perform(context: &CommandContext<'_>, command: StoreCommand) -> Result<(), CommandError> {
    match command {
        StoreCommand::Backup { file, force } => {
            let CopyCounts { reports, projects, former, keys } =
                backups::backup(context.store()?, file.clone(), force).await.map_err(CommandError::of_error)?;
            let record = Record::new(json!({
                "file": clean(&file.to_string_lossy()), "reports": reports, "projects": projects, "former_results": former,
                "keys": keys,
            }));
            Ok(context.print_one(BACKED_UP, &record)?)
        }
        StoreCommand::Restore { file, force } => {
            let (store, data) = (context.store()?, context.data()?);
            let restored = backups::restore(store, file, force).await.map_err(CommandError::of_error)?;
            let CopyCounts { reports, projects, former, keys } = restored.counts;
            let before = restored.before.map(|path| clean(&path.to_string_lossy()).into_owned());
            let record = Record::new(json!({
                "data": clean(&data.to_string_lossy()), "reports": reports, "projects": projects,
                "former_results": former, "keys": keys, "before": before,
            }));
            let before = before.map(|path| ("before", format!("the previous database is {path}")));
            Ok(context.print_one(RESTORED, &record.with_cells(before))?)
        }
        StoreCommand::Import { from } => {
            let counts = transfers::import(from, context.store()?).await.map_err(CommandError::of_error)?;
            Ok(context.print_one(IMPORTED, &Record::new(json!(counts)))?)
        }
        StoreCommand::Copy { to } => copy(context, to).await,
    }
}

/// Copies everything to the other engine, and prints the verified tables.
async fn copy(context: &CommandContext<'_>, to: TargetEngine) -> Result<(), CommandError> {
    let Some(database) = context.named_database()? else {
        let advice = "Name it in REPORTDECK_DATABASE_URL, or with database or database_command under [serve]";
        return Err(CommandError::usage("there is no database to copy from or to", advice));
    };
    let (data, database) = (StoreAddress::Data(context.data()?), StoreAddress::Postgres(database.url));
    let (from, to) = match to {
        TargetEngine::Postgres => (data, database),
        TargetEngine::Sqlite => (database, data),
    };
    let tables = transfers::copy(from, to).await.map_err(CommandError::of_error)?;
    Ok(context.print_list(COPIED_TABLE, tables.iter().map(|table| Record::new(json!(table))), "tables")?)
}
