//! `reports list`: the service applies the filters it supports; the others are applied here.

use std::cell::Cell;

use jiff::Timestamp;

use crate::api::client::Priority;
use crate::api::decode::RowDetail;
use crate::cli::args::ReportList;
use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::paged_list::{self, ListReading};
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::cli::setup::access::{Access, Purpose};
use crate::cli::setup::desk::TeamDesk;
use crate::domain::list::filter::Filter;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{Direction, ReportQuery, ReportSort, ResultFilter};
use crate::domain::report::Report;
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::domain::triage::Triages;

/// Prints the reports that the options select.
pub(super) async fn list(context: &CommandContext<'_>, options: ReportList) -> Result<(), CommandError> {
    let limit = options.paging.limit;
    let columns = options.columns.clone();
    let local_filter = LocalFilter::of(context, &options).await?;
    let query = query(options, &local_filter);
    Access::choose(context, Purpose::Read)?
        .with_client(async |client| {
            let unknown_checks = Cell::new(0_u64);
            let keeps = |report: &Report| {
                let is_unknown = local_filter.filter.depends_on_checks() && !report.knows_failing();
                unknown_checks.set(unknown_checks.get() + u64::from(is_unknown));
                local_filter.keeps(report)
            };
            let reading = ListReading {
                id: |report: &Report| report.id.raw(),
                rows: "reports",
                keeps: &keeps,
                is_narrowed: query.search.is_some() || query.project.is_some() || local_filter.is_narrowed(),
                is_order_fixed: query.sort.is_none_or(|(key, _)| key.is_fixed()),
                is_printed: true,
            };
            let (shown, record) = match &columns[..] {
                [] => (column::REPORT, Record::report as fn(&Report) -> Record),
                columns => (columns, Record::report_for_columns as fn(&Report) -> Record),
            };
            let mut printer = context.printer(Shape::Many, shown);
            printer.only_columns = !columns.is_empty();
            let printed = paged_list::print_all(limit, &reading, (printer, record), async |token| {
                // Further pages leave some of the rate limit to other users of the same key.
                let priority = if *token == PageToken::First { Priority::Person } else { Priority::Background };
                client.list_reports(&query, token, RowDetail::Everything, priority).await
            })
            .await;
            if unknown_checks.get() > 0 {
                let reports = counted(unknown_checks.get(), "report");
                print_note(&format!(
                    "warning: the list lacks the failed checks of {reports}, so check: matches none of them"
                ));
            }
            printed
        })
        .await
}

/// The filters to apply here, because the service does not support all of them.
struct LocalFilter {
    filter: Filter,
    results: Vec<ResultFilter>,
    states: Triages,
    now: Timestamp,
}

impl LocalFilter {
    /// Parses the filter. Triage states are loaded only if the filter depends on them.
    async fn of(context: &CommandContext<'_>, options: &ReportList) -> Result<Self, CommandError> {
        let filter = options.filter.as_deref().map_or_else(|| Ok(Filter::default()), parse_filter)?;
        let states =
            if filter.depends_on_states() { TeamDesk::current_states(context).await? } else { Triages::default() };
        Ok(Self { filter, results: options.result.clone(), states, now: Timestamp::now() })
    }

    fn keeps(&self, report: &Report) -> bool {
        let has_result = |wanted: &ResultFilter| wanted.name() == report.outcome.name();
        (self.results.is_empty() || self.results.iter().any(has_result))
            && self.filter.keeps(report, &self.states, self.now)
    }

    fn is_narrowed(&self) -> bool {
        !self.results.is_empty() || !self.filter.is_empty()
    }
}

/// Parses a filter that must be without mistakes. A term without a value is one: a script with an empty variable would
/// get all reports.
fn parse_filter(text: &str) -> Result<Filter, CommandError> {
    let filter = Filter::parse(text);
    let explained = "The filter line of the dashboard explains it as you type";
    let (mistake, advice) = if let Some(problem) = filter.problems().first() {
        let quotes = "Put the term in quotes to search URLs for it";
        (problem.text.clone(), if problem.is_searched { quotes } else { explained })
    } else if let Some(word) = filter.without_value().first() {
        (format!("`{}` has no value", clean(word)), explained)
    } else if filter.is_empty() {
        ("the filter is empty".to_owned(), "Leave it out to list all reports")
    } else {
        return Ok(filter);
    };
    Err(CommandError::usage(format!("--filter: {mistake}"), advice))
}

/// Returns the query, with every filter that the service supports. The default order is oldest first, so that reports
/// created meanwhile come last; a limit does not change it.
fn query(options: ReportList, local: &LocalFilter) -> ReportQuery {
    let paging = options.paging;
    let sort = match (options.sort_by, paging.sort) {
        (None, None) => Some((ReportSort::Id, Direction::Ascending)),
        (by, direction) => Some((by.unwrap_or_default(), direction.unwrap_or_default())),
    };
    let filtered = local.filter.pushed_down(std::iter::empty());
    // Services filter by a single result only.
    let result = match local.results[..] {
        [only] => Some(only),
        [] => filtered.result,
        [..] => None,
    };
    let page_limit = paging.limit.filter(|_| local.filter.is_empty());
    ReportQuery {
        search: options.search.or(filtered.search),
        project: options.project.or(filtered.project),
        result,
        sort,
        per_page: Some(paged_list::page_size(paging.per_page, page_limit)),
    }
}
