//! Reads a list page by page, and prints it as it arrives. Repeated rows are dropped.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use super::printer::{Printer, note_empty_list};
use super::progress::Progress;
use super::record::Record;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::setup::access::with_rate_limit_waits;
use crate::domain::failure::Failure;
use crate::domain::list::incomplete;
use crate::domain::list::paging::{Ending, Next, NextStep, Page, PageToken, Walk, new_unreadable};
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, PAGE_SIZES};
use crate::domain::text::numbers::grouped;

/// After this time a note says that the program is waiting.
const SLOW_PAGE: Duration = Duration::from_secs(5);

/// How often a list is reread because it changed during reading.
const MOST_REREADS: u8 = 2;

/// How rows are read: their id, which detects repeated rows, and which of them are used.
pub struct ListReading<'a, Row> {
    pub id: fn(&Row) -> &str,
    /// `reports` or `projects`, for notes.
    pub rows: &'static str,
    /// Whether a row is used, for filters that the service does not support.
    pub keeps: &'a dyn Fn(&Row) -> bool,
    /// Whether a filter is set.
    pub is_narrowed: bool,
    /// Whether rows keep their positions in the requested order.
    pub is_order_fixed: bool,
    /// Whether rows are printed as they are read.
    pub is_printed: bool,
}

/// Returns the given page size, or the smallest that fits `limit` rows.
pub fn page_size(asked: Option<u16>, limit: Option<usize>) -> u16 {
    let enough = |limit: usize| PAGE_SIZES.into_iter().find(|size| usize::from(*size) >= limit);
    asked.or_else(|| limit.and_then(enough)).unwrap_or(DEFAULT_PAGE_SIZE)
}

/// Reads all rows. The second value is why the list lacks rows, if it does: [`CommandError::Incomplete`].
pub async fn read_all<Row>(
    reading: &ListReading<'_, Row>,
    fetch: impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<(Vec<Row>, Result<(), CommandError>), CommandError> {
    let mut rows = Vec::new();
    let mut keep = |page| {
        rows.extend(page);
        Ok(())
    };
    match walk(None, reading, &mut keep, fetch).await {
        Ok(_) => Ok((rows, Ok(()))),
        Err(incomplete @ CommandError::Incomplete { .. }) => Ok((rows, Err(incomplete))),
        Err(problem) => Err(problem),
    }
}

/// Prints all rows up to the limit. If a page fails, the output is not closed; if the first page fails, nothing is
/// printed. A list that lacks rows is [`CommandError::Incomplete`].
pub async fn print_all<Row>(
    limit: Option<usize>,
    reading: &ListReading<'_, Row>,
    (mut printer, record): (Printer, fn(&Row) -> Record),
    fetch: impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<(), CommandError> {
    let mut print = |page: Vec<Row>| {
        page.iter().try_for_each(|row| printer.record(&record(row)))?;
        Ok(printer.flush()?)
    };
    let walked = walk(limit, reading, &mut print, fetch).await;
    match &walked {
        Ok(printed) => {
            printer.finish()?;
            if *printed == 0 {
                let matching = if reading.is_narrowed { " that match" } else { "" };
                note_empty_list(&format!("{}{matching}", reading.rows));
            }
        }
        Err(CommandError::Incomplete { printed: 1.., .. }) => printer.finish()?,
        Err(CommandError::Closed) => {}
        Err(_) => printer.leave_open()?,
    }
    walked.map(drop)
}

/// The rows read so far.
struct ReadRows {
    /// The pass in which a row was last seen, by id.
    seen: HashMap<String, u8>,
    used: usize,
    progress: Progress,
}

/// Reads the list, and rereads it if it changed during reading: rows that slipped between pages follow at the end.
/// Returns the number of used rows.
async fn walk<Row>(
    limit: Option<usize>,
    reading: &ListReading<'_, Row>,
    take_page: &mut impl FnMut(Vec<Row>) -> Result<(), CommandError>,
    mut fetch: impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<usize, CommandError> {
    let mut read = ReadRows { seen: HashMap::new(), used: 0, progress: Progress::of_steps(usize::MAX) };
    let mut reread = 0;
    let ended = loop {
        let before = read.used;
        let ended = read_once((limit, reread), reading, (&mut *take_page, &mut read), &mut fetch).await;
        read.progress.clear();
        let ended = ended?;
        if reread > 0 && read.used > before && reading.is_printed {
            let (rows, later) = (reading.rows, read.used - before);
            print_note(&format!("note: the list changed while it was read; {rows} found later: the last {later}"));
        }
        if ended.0 != Ending::Changed || reread == MOST_REREADS {
            break ended;
        }
        reread += 1;
    };
    let (ending, unreadable) = ended;
    let reasons = incomplete::reasons(ending, unreadable, read.used, reading.rows);
    if reasons.is_empty() {
        return Ok(read.used);
    }
    Err(CommandError::Incomplete { reasons, has_changed: ending == Ending::Changed, printed: read.used })
}

/// Reads all pages once and uses new rows. Returns how the list ended and the number of unreadable rows.
async fn read_once<Row>(
    (limit, reread): (Option<usize>, u8),
    reading: &ListReading<'_, Row>,
    (take_page, read): (&mut impl FnMut(Vec<Row>) -> Result<(), CommandError>, &mut ReadRows),
    fetch: &mut impl AsyncFnMut(&PageToken) -> Result<Page<Row>, Failure>,
) -> Result<(Ending, usize), CommandError> {
    let (mut walk, mut token, mut unreadable) =
        (Walk::uncapped().in_fixed_order(reading.is_order_fixed), PageToken::First, 0);
    loop {
        let page = match with_rate_limit_waits(async || with_slow_note(fetch(&token)).await).await {
            Ok(page) => page,
            Err(failure) => {
                let ending = walk.after_failure(&failure).ok_or(failure)?;
                return Ok((ending, unreadable));
            }
        };
        read.progress.clear();
        let (mut added, readable, mut used) = (0, page.rows.len(), Vec::new());
        for row in page.rows {
            if limit.is_some_and(|limit| read.used >= limit) {
                break;
            }
            let met = read.seen.insert((reading.id)(&row).to_owned(), reread);
            added += usize::from(met != Some(reread));
            if met.is_none() && (reading.keeps)(&row) {
                used.push(row);
                read.used += 1;
            }
        }
        unreadable += new_unreadable(page.unreadable, readable, added);
        take_page(used)?;
        if limit.is_some_and(|limit| read.used >= limit) {
            return Ok((Ending::Complete, unreadable));
        }
        let received = readable + page.unreadable;
        walk.compare_with_earlier_pages(page.total, received, readable - added);
        // A page without readable rows is no repetition: reading continues where the service says.
        let lost = if readable == 0 && matches!(page.next, Next::Page(_)) { page.unreadable } else { 0 };
        match walk.after_page(&page.next, received, added + lost) {
            NextStep::Ask(next) => token = next,
            NextStep::End(ending) => return Ok((ending, unreadable)),
        }
        let of = page.total.map(|total| format!(" of {}", grouped(total))).unwrap_or_default();
        read.progress.show(format!("{}{of} {} read", grouped(read.seen.len() as u64), reading.rows));
    }
}

/// Prints a note if a page takes long, for example because of rate limits.
async fn with_slow_note<T>(page: impl Future<Output = T>) -> T {
    let mut page = pin!(page);
    tokio::select! {
        page = &mut page => return page,
        () = tokio::time::sleep(SLOW_PAGE) => {}
    }
    print_note("note: waiting for the service or its rate limit");
    page.await
}
