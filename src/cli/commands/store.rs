//! `store`: backup and restore of the embedded service's database, imports, and copies to the other engine.

use serde_json::json;

use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::output::Shape;
use crate::cli::output::column::{BACKED_UP, COPIED_TABLE, IMPORTED, RESTORED, TableColumn};
use crate::cli::output::record::Record;
use crate::cli::service_args::{StoreCommand, TargetEngine};
use crate::domain::text::clean;
use crate::service::StoreAddress;
use crate::service::backups::{self, CopyCounts};
use crate::service::transfers::{self, ImportCounts, TableDigest};

/// Runs a `store` command.
pub async fn run(context: &CommandContext<'_>, command: StoreCommand) -> Result<(), CommandError> {
    match command {
        StoreCommand::Backup { file, force } => {
            let counts =
                backups::backup(context.store()?, file.clone(), force).await.map_err(|error| failed(&error))?;
            let CopyCounts { reports, projects, former, keys } = counts;
            let file = clean(&file.to_string_lossy()).into_owned();
            let json = json!({
                "file": file, "reports": reports, "projects": projects, "former_results": former, "keys": keys,
            });
            let numbers = [reports, projects, former, keys].map(|number| number.to_string());
            print(context, BACKED_UP, json, [file].into_iter().chain(numbers))
        }
        StoreCommand::Restore { file, force } => {
            let store = context.store()?;
            let data = clean(&context.data()?.to_string_lossy()).into_owned();
            let restored = backups::restore(store, file, force).await.map_err(|error| failed(&error))?;
            let CopyCounts { reports, projects, former, keys } = restored.counts;
            let before = restored.before.map(|path| clean(&path.to_string_lossy()).into_owned());
            let json = json!({
                "data": data, "reports": reports, "projects": projects, "former_results": former, "keys": keys,
                "before": before,
            });
            let numbers = [reports, projects, former, keys].map(|number| number.to_string());
            let before = before.map(|path| format!("the previous database is {path}")).unwrap_or_default();
            print(context, RESTORED, json, [data].into_iter().chain(numbers).chain([before]))
        }
        StoreCommand::Import { from } => {
            let imported = transfers::import(from, context.store()?).await.map_err(|error| failed(&error))?;
            let ImportCounts { reports, former, skipped } = imported;
            let json = json!({ "reports": reports, "former_results": former, "skipped": skipped });
            print(context, IMPORTED, json, [reports, former, skipped].map(|number| number.to_string()).into_iter())
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
    let tables = transfers::copy(from, to).await.map_err(|error| failed(&error))?;
    let mut printer = context.printer(Shape::Many, COPIED_TABLE);
    for TableDigest { table, rows, digest } in tables {
        let json = json!({ "table": table, "rows": rows, "digest": digest });
        printer.record(&Record::new(json, vec![table.into(), rows.to_string().into(), digest.into()]))?;
    }
    Ok(printer.finish()?)
}

fn failed(error: &dyn std::error::Error) -> CommandError {
    CommandError::local(error.to_string(), "")
}

fn print(
    context: &CommandContext<'_>,
    columns: &'static [TableColumn],
    json: serde_json::Value,
    texts: impl Iterator<Item = String>,
) -> Result<(), CommandError> {
    let mut printer = context.printer(Shape::One, columns);
    printer.record(&Record::new(json, texts.map(Into::into).collect()))?;
    Ok(printer.finish()?)
}
