//! Prints a list page by page as it arrives. Repeated rows are dropped.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::pin::pin;
use std::time::Duration;

use super::printer::RecordPrinter;
use super::record::Record;
use crate::cli::exit::{CommandError, say};
use crate::cli::setup::access::patiently;
use crate::domain::failure::Failure;
use crate::domain::list::incomplete::Incomplete;
use crate::domain::list::paging::{Ending, NextStep, Page, PageToken, Walk};
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, PAGE_SIZES};

/// After this time a note says what the program waits for.
const LONG: Duration = Duration::from_secs(5);

/// How often a list is read again because it changed while it was read.
const MOST_REREADS: u8 = 2;

/// How rows are read: their id, which detects repeated rows, and their record.
pub struct ListReading<Row> {
    pub id: fn(&Row) -> &str,
    pub record: fn(&Row) -> Record,
    /// `reports` or `projects`, for notes.
    pub rows: &'static str,
    /// A filter is set.
    pub is_narrowed: bool,
    /// Rows do not move in the requested order.
    pub is_order_fixed: bool,
}

/// The page size: the given one, or the smallest that holds `limit` rows.
pub fn page_size(asked: Option<u16>, limit: Option<usize>) -> u16 {
    let enough = |limit: usize| PAGE_SIZES.into_iter().find(|size| usize::from(*size) >= limit);
    asked.or_else(|| limit.and_then(enough)).unwrap_or(DEFAULT_PAGE_SIZE)
}

/// Prints all rows up to the limit. If a page fails the output is not closed, and before the first
/// page nothing is printed. A list that lacks rows is [`CommandError::Incomplete`].
pub async fn print_all<Row>(
    limit: Option<usize>,
    reading: &ListReading<Row>,
    printer: &mut dyn RecordPrinter,
    fetch: impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<(), CommandError> {
    let walked = walk(limit, reading, printer, fetch).await;
    match &walked {
        Ok(printed) => {
            printer.finish()?;
            if *printed == 0 {
                let matching = if reading.is_narrowed { " that match" } else { "" };
                tell_empty(&format!("{}{matching}", reading.rows));
            }
        }
        Err(CommandError::Incomplete { printed: 1.., .. }) => printer.finish()?,
        Err(CommandError::Closed) => {}
        Err(_) => printer.leave_open()?,
    }
    walked.map(drop)
}

/// Says on a terminal that a list is empty.
pub fn tell_empty(what: &str) {
    if io::stdout().is_terminal() {
        say(&format!("note: there are no {what}"));
    }
}

/// Reads the list, and again if it changed while it was read: rows that slipped between pages follow at the end. Returns
/// the number of printed rows.
async fn walk<Row>(
    limit: Option<usize>,
    reading: &ListReading<Row>,
    printer: &mut dyn RecordPrinter,
    mut fetch: impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<usize, CommandError> {
    let mut printed = HashMap::new();
    let mut reread = 0;
    let (ending, unreadable) = loop {
        let before = printed.len();
        let read = read_once((limit, reread), reading, (printer, &mut printed), &mut fetch).await?;
        if reread > 0 && printed.len() > before {
            let slipped = printed.len() - before;
            say(&format!(
                "note: the list changed while it was read; the last {slipped} {} were found later",
                reading.rows
            ));
        }
        if read.0 != Ending::Changed || reread == MOST_REREADS {
            break read;
        }
        reread += 1;
    };
    let reasons = Incomplete::reasons(ending, unreadable);
    if reasons.is_empty() {
        return Ok(printed.len());
    }
    Err(CommandError::Incomplete { reasons, printed: printed.len(), rows: reading.rows })
}

/// Reads all pages once and prints new rows. `printed` maps ids to the reading in which a row was last seen. Returns
/// how the list ended and the number of unreadable rows.
async fn read_once<Row>(
    (limit, reread): (Option<usize>, u8),
    reading: &ListReading<Row>,
    (printer, printed): (&mut dyn RecordPrinter, &mut HashMap<String, u8>),
    fetch: &mut impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<(Ending, usize), CommandError> {
    let (mut walk, mut token, mut unreadable) =
        (Walk::uncapped().in_fixed_order(reading.is_order_fixed), PageToken::First, 0);
    loop {
        let page = match patiently(async || telling(fetch(&token)).await).await {
            Ok(page) => page,
            Err(failure) => match walk.after_failure(&failure) {
                Some(NextStep::End(ending)) => return Ok((ending, unreadable)),
                Some(NextStep::Ask(_)) | None => return Err(failure.into()),
            },
        };
        unreadable += page.unreadable;
        let mut added = 0;
        for row in &page.rows {
            if limit.is_some_and(|limit| printed.len() >= limit) {
                break;
            }
            let met = printed.insert((reading.id)(row).to_owned(), reread);
            added += usize::from(met != Some(reread));
            if met.is_none() {
                printer.record(&(reading.record)(row))?;
            }
        }
        printer.flush()?;
        if limit.is_some_and(|limit| printed.len() >= limit) {
            return Ok((Ending::Complete, unreadable));
        }
        walk.compare_with_earlier_pages(page.total, page.rows.len() + page.unreadable, page.rows.len() - added);
        match walk.after_page(&page.next, page.rows.len() + page.unreadable, added) {
            NextStep::Ask(next) => token = next,
            NextStep::End(ending) => return Ok((ending, unreadable)),
        }
    }
}

/// Prints a note when a page takes long, which rate limits can cause.
async fn telling<T>(page: impl Future<Output = T>) -> T {
    let mut page = pin!(page);
    tokio::select! {
        page = &mut page => return page,
        () = tokio::time::sleep(LONG) => {}
    }
    say("note: waiting for the service, or until it allows more requests");
    page.await
}
