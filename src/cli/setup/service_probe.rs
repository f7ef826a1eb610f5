//! Probes a service: key, paging, sorting, limits. Only reads.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use crate::api::client::{Client, Observer, Priority};
use crate::api::decode::RowDetail;
use crate::cli::output::record::Record;
use crate::domain::activity::Exchange;
use crate::domain::failure::Failure;
use crate::domain::list::arrange::is_sorted;
use crate::domain::list::columns::Column;
use crate::domain::list::paging::{MOST_ROWS, Next, NextStep, Page, PageToken, Walk};
use crate::domain::list::query::{Direction, ProjectQuery, ReportQuery, ReportSort};
use crate::domain::report::Report;
use crate::domain::text::numbers::counted;
use crate::domain::triage::urgency::RowContext;

/// The smallest page size, which reveals most about paging.
const ROWS: u16 = 10;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Severity {
    /// As expected.
    Ok,
    /// Unusual, but handled.
    Note,
    /// Does not work.
    Failed,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    check: &'static str,
    pub state: Severity,
    found: String,
    advice: String,
}

impl Finding {
    pub fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, state: Severity::Ok, found: found.into(), advice: String::new() }
    }

    pub fn note(check: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { check, state: Severity::Note, found: found.into(), advice: advice.into() }
    }

    pub fn failed(check: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { check, state: Severity::Failed, found: found.into(), advice: advice.into() }
    }

    pub fn record(&self) -> Record {
        let Self { check, state, found, advice } = self;
        let state: &str = state.into();
        Record::new(json!({ "check": check, "state": state, "found": found, "advice": advice }))
    }
}

/// Records the last exchange of a client.
#[derive(Clone, Default)]
pub struct LastExchange(Arc<Mutex<Option<Exchange>>>);

impl LastExchange {
    pub fn observer(&self) -> Observer {
        let last = self.clone();
        Arc::new(move |exchange| *last.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(exchange))
    }

    fn get(&self) -> Option<Exchange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Fetches the first page and returns its findings: one request.
pub async fn first_page(client: &Client, last: &LastExchange) -> Result<(Page<Report>, Vec<Finding>), Failure> {
    let page = page(client, &PageToken::First).await?;
    let exchange = last.get();
    let took = exchange.as_ref().map(|exchange| exchange.took.as_millis()).unwrap_or_default();
    let mut findings = vec![
        Finding::ok("service", format!("{} responded in {took} ms", client.base().as_str())),
        Finding::ok("key", "accepted"),
        page_size(&page),
        paging(&page),
        limits(exchange.and_then(|exchange| exchange.limit)),
        sorting(&page),
    ];
    if page.unreadable > 0 {
        let found = format!("{} of {} could not be read", page.unreadable, counted(sent(&page) as u64, "report"));
        findings.push(Finding::note("rows", found, "They are skipped; everything else works"));
    }
    Ok((page, findings))
}

/// Returns the findings of further requests (second page, projects), and the first failure, if any.
pub async fn probe_next_page(client: &Client, first: &Page<Report>) -> (Vec<Finding>, Result<(), Failure>) {
    let (mut findings, mut ended) = (Vec::new(), Ok(()));
    let mut failed = |check, failure: Failure| {
        let finding = Finding::failed(check, failure.message.clone(), failure.advice.clone());
        if ended.is_ok() {
            ended = Err(failure);
        }
        finding
    };
    let mut walk = Walk::capped(MOST_ROWS);
    if let NextStep::Ask(token) = walk.after_page(&first.next, sent(first), first.rows.len()) {
        findings.push(match page(client, &token).await {
            Ok(second) => second_page(first, &second),
            Err(failure) if walk.after_failure(&failure).is_some() => one_page(),
            Err(failure) => failed("second page", failure),
        });
    }
    let query = ProjectQuery { per_page: Some(ROWS), ..ProjectQuery::default() };
    findings.push(match client.list_projects(&query, &PageToken::First).await {
        Ok(page) => {
            let some = if matches!(page.next, Next::End) { "" } else { " on the first page" };
            Finding::ok("projects", format!("{}{some}", page.rows.len()))
        }
        Err(failure) => failed("projects", failure),
    });
    (findings, ended)
}

async fn page(client: &Client, token: &PageToken) -> Result<Page<Report>, Failure> {
    // Oldest first: a service that ignores the order returns the newest.
    let sort = Some((ReportSort::Id, Direction::Ascending));
    let query = ReportQuery { sort, per_page: Some(ROWS), ..ReportQuery::default() };
    client.list_reports(&query, token, RowDetail::Row, Priority::Person).await
}

fn sent(page: &Page<Report>) -> usize {
    page.rows.len() + page.unreadable
}

fn page_size(page: &Page<Report>) -> Finding {
    let (sent, wanted) = (sent(page), usize::from(ROWS));
    let there_is_more = matches!(page.next, Next::Page(_) | Next::Until(..));
    let says = page.per_page.filter(|size| *size != u64::from(ROWS));
    let says = says.map(|size| format!(", but {size} reported")).unwrap_or_default();
    if sent == wanted {
        Finding::ok("page size", format!("honoured: {ROWS} requested, {ROWS} received{says}"))
    } else if sent > wanted || there_is_more {
        let found = format!("chosen by the service: {ROWS} requested, {sent} received{says}");
        Finding::note("page size", found, "Lists are loaded in pages of that size")
    } else {
        Finding::ok("page size", format!("cannot be determined: too few reports{says}"))
    }
}

fn paging(page: &Page<Report>) -> Finding {
    let total = page.total.map(|total| format!(", {} in total", counted(total, "report"))).unwrap_or_default();
    let last = page.last_page.map(|last| format!(", last page {last}")).unwrap_or_default();
    match &page.next {
        Next::Page(PageToken::Number(_)) => Finding::ok("paging", format!("by page number{last}{total}")),
        Next::Page(PageToken::Cursor(_)) => Finding::ok("paging", format!("by cursor{total}")),
        Next::Page(PageToken::Offset(_)) => Finding::ok("paging", format!("by offset{total}")),
        Next::Page(PageToken::First) => Finding::ok("paging", format!("supported{total}")),
        Next::Until(..) => Finding::ok("paging", format!("by the number of reports{total}")),
        Next::End => Finding::ok("paging", format!("all reports are on one page{total}")),
        Next::NoEvidence => {
            let advice = "Pages are requested until one brings nothing new";
            Finding::note("paging", format!("unknown{total}"), advice)
        }
    }
}

fn limits(limit: Option<(u64, u64)>) -> Finding {
    match limit {
        Some((limit, left)) => Finding::ok("limits", format!("{limit} requests per minute, {left} remaining")),
        None => Finding::ok("limits", "unknown"),
    }
}

fn sorting(page: &Page<Report>) -> Finding {
    if page.rows.len() < 2 {
        return Finding::ok("sorting", "cannot be determined: too few reports");
    }
    if is_sorted(page.rows.iter(), Column::Id, Direction::Ascending, &RowContext::default()) {
        return Finding::ok("sorting", "honoured");
    }
    Finding::note("sorting", "not in the requested order", "The dashboard sorts the loaded rows")
}

fn second_page(first: &Page<Report>, second: &Page<Report>) -> Finding {
    let known: HashSet<&str> = first.rows.iter().map(|report| report.id.raw()).collect();
    let added = second.rows.iter().filter(|report| !known.contains(report.id.raw())).count();
    match (added, sent(second)) {
        (0, 0) => one_page(),
        (0, _) => Finding::note(
            "second page",
            "the same reports as the first",
            "Only the first page is available: search or filter to reach the rest",
        ),
        (added, _) => Finding::ok("second page", format!("{added} more reports")),
    }
}

fn one_page() -> Finding {
    Finding::note("second page", "there is none, or no way to request it", "Search or filter to reach the rest")
}
