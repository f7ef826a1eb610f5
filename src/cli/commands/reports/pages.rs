//! `reports history`, `open` and `link`: a report's earlier results, and its pages.

use serde_json::json;

use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::column;
use crate::cli::output::record::Record;
use crate::cli::setup::access::{Access, Purpose, with_rate_limit_waits};
use crate::config::child_process::KeyVariables;
use crate::domain::report::ReportId;
use crate::runtime::browser;

/// Prints a report's current and earlier results, newest first.
pub(super) async fn history(context: &CommandContext<'_>, id: &str) -> Result<(), CommandError> {
    let id = ReportId::new(id);
    Access::choose(context, Purpose::Read)?
        .with_client(async |client| {
            let shown = with_rate_limit_waits(async || client.show_report(&id).await).await;
            let report = shown.map_err(|failure| CommandError::of_item(id.raw(), failure))?;
            // A service that keeps results sends the latest ones with the report.
            let all = if report.history().is_empty() {
                None
            } else {
                let all = with_rate_limit_waits(async || client.former_results(&id).await).await;
                all.map_err(|failure| CommandError::of_item(id.raw(), failure))?
            };
            let present = report.state();
            let former = all.as_deref().unwrap_or(report.history());
            let results = std::iter::once(&present).chain(former).map(Record::result);
            Ok(context.print_list(column::HISTORY, results, "results")?)
        })
        .await
}

/// Prints the address of a report page.
pub(super) async fn link(context: &CommandContext<'_>, id: &str) -> Result<(), CommandError> {
    let id = ReportId::new(id);
    Access::choose(context, Purpose::Read)?
        .require_remote()?
        .with_client(async |client| {
            let url = with_rate_limit_waits(async || client.report_page(&id).await).await;
            let url = url.map_err(|failure| CommandError::of_item(id.raw(), failure))?;
            Ok(context.print_one(column::LINK, &Record::new(json!({ "url": url.as_str() })))?)
        })
        .await
}

/// Opens the audited page, or the report page.
pub(super) async fn open(context: &CommandContext<'_>, id: &str, page: bool) -> Result<(), CommandError> {
    let id = ReportId::new(id);
    let variables = KeyVariables::of(context.config()?);
    let access = Access::choose(context, Purpose::Read)?;
    let access = if page { access.require_remote()? } else { access };
    access
        .with_client(async |client| {
            let failed = |failure| CommandError::of_item(id.raw(), failure);
            let url = if page {
                with_rate_limit_waits(async || client.report_page(&id).await).await.map_err(failed)?
            } else {
                let report = with_rate_limit_waits(async || client.show_report(&id).await).await.map_err(failed)?;
                // Other schemes start other programs.
                report.web_url().ok_or_else(|| {
                    let message = format!("the address {} cannot be opened in a browser", report.url.shown());
                    CommandError::local(message, "Open its report page with --page")
                })?
            };
            if !context.environment.terminal().opens_browser() {
                let message = "no web browser can be opened here";
                return Err(CommandError::local(message, format!("The address is {url}")));
            }
            browser::launch(&variables, &url).map_err(|error| {
                CommandError::local(
                    format!("no web browser could be started ({error})"),
                    format!("The address is {url}"),
                )
            })?;
            print_note(&format!("opened {url}"));
            Ok(())
        })
        .await
}
