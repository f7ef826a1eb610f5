//! Paging through a list whose service may not say how to get the next page.
//!
//! `api` extracts the evidence of one page; this module decides, across pages, whether to continue.

use std::collections::HashSet;

use crate::domain::failure::Failure;
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, PAGE_SIZES};

/// The most rows loaded of one list; the rest is reached by filtering and sorting on the service.
pub const MOST_ROWS: usize = 100_000;
/// With fewer rows than this, no larger total and no paging evidence, no second page is probed.
pub const FEWEST_ROWS_FOR_A_PROBE: usize = 10;

/// How the next page is requested. Only these values are taken from a service, never a whole link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageToken {
    /// The first page, without a parameter.
    First,
    /// `page=n`
    Number(u64),
    /// `cursor=…`
    Cursor(String),
    /// `offset=n`
    Offset(u64),
}

/// What a page says about the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The service says how to request the next page.
    Page(PageToken),
    /// The service reports the total number of rows, but not which page is the last.
    Until(u64, PageToken),
    /// The service says that this was the last page.
    End,
    /// The page contains no paging evidence.
    NoEvidence,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<Row> {
    /// The rows that could be read, in the service's order.
    pub rows: Vec<Row>,
    /// The number of rows that could not be parsed.
    pub unreadable: usize,
    /// The evidence about the next page.
    pub next: Next,
    /// The total that the service reports; only a hint, as rows come and go.
    pub total: Option<u64>,
    /// The number of the last page, if reported.
    pub last_page: Option<u64>,
    /// The page size that the service reports.
    pub per_page: Option<u64>,
}

/// Why paging ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All rows of this query were loaded.
    Complete,
    /// The service has more rows than it returned, and no way to request them: usually one page.
    OnePage,
    /// The service returned the same rows or the same token again.
    Repeated,
    /// [`MOST_ROWS`] were loaded and there are more.
    Cap,
    /// Reports were created, deleted or moved while pages were read: some rows may be missing.
    Changed,
}

/// What to do after a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Request this page.
    Ask(PageToken),
    /// Stop.
    End(Ending),
}

/// The paging state of one list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Walk {
    /// The row limit, if there is one.
    cap: Option<usize>,
    asked: HashSet<PageToken>,
    probing: bool,
    guessing: bool,
    /// The sort order never moves a row while it exists.
    is_order_fixed: bool,
    /// The current page was requested by cursor.
    is_by_cursor: bool,
    /// Rows of all responses, each counted once.
    pub(crate) rows: usize,
    /// Rows of all responses, including repeated and unreadable ones.
    received: usize,
    pages: u64,
    total: Option<u64>,
    has_other_total: bool,
    has_repeats: bool,
}

impl Walk {
    /// Declares that rows may come and go, but never change places. Paging by cursor then misses no row that exists
    /// throughout.
    #[must_use]
    pub fn in_fixed_order(self, is_order_fixed: bool) -> Self {
        Self { is_order_fixed, ..self }
    }

    /// Starts at the first page, without a row limit, for rows that are streamed and not kept.
    pub fn uncapped() -> Self {
        Self::default()
    }

    /// Starts at the first page, with this row limit.
    pub fn capped(rows: usize) -> Self {
        Self { cap: Some(rows), ..Self::default() }
    }

    /// The number of pages received.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Records a page's total, its row count, and how many of its rows were on an earlier page: the only evidence that
    /// the list changed while it was read. A row that moves to a later page lets another move into the pages already
    /// read, where it is missed.
    pub fn compare_with_earlier_pages(&mut self, total: Option<u64>, received: usize, repeated: usize) {
        self.has_other_total |= self.total.zip(total).is_some_and(|(before, now)| before != now);
        self.has_repeats |= self.pages > 0 && repeated > 0;
        self.received += received;
        self.total = total.or(self.total);
    }

    /// Handles a page with `seen` rows, of which `added` had unknown ids, and returns what to do next.
    pub fn after_page(&mut self, next: &Next, seen: usize, added: usize) -> NextStep {
        let step = self.step_after(next, seen, added);
        // The first page in response to a probe is no change of the list.
        if !self.probing && self.may_lack_rows() && step == NextStep::End(Ending::Complete) {
            NextStep::End(Ending::Changed)
        } else {
            step
        }
    }

    /// Whether rows may have moved from an unread page to one already read.
    fn may_lack_rows(&self) -> bool {
        if self.is_by_cursor && self.is_order_fixed {
            // Rows that come and go elsewhere shift nothing. A repeated row shows that the cursor is only an offset.
            return self.has_repeats;
        }
        // By cursor, a row that moved to the front is missed without shifting others: only the total shows it.
        self.has_repeats || self.has_other_total || (self.is_by_cursor && self.has_too_few())
    }

    /// Whether fewer rows were received than the service has.
    fn has_too_few(&self) -> bool {
        self.total.is_some_and(|total| (self.received as u64) < total)
    }

    /// How a list ends after its last page. Guessed numbers may have skipped pages.
    fn ending_of_last_page(&self) -> Ending {
        if self.guessing && self.has_too_few() { Ending::OnePage } else { Ending::Complete }
    }

    fn step_after(&mut self, next: &Next, seen: usize, added: usize) -> NextStep {
        let first = self.pages == 0;
        self.pages += 1;
        self.rows += added;
        if added == 0 && !first {
            return NextStep::End(if self.probing {
                self.ending_of_one_page(seen == 0)
            } else if seen == 0 {
                self.ending_of_last_page()
            } else {
                Ending::Repeated
            });
        }
        match next {
            Next::End => NextStep::End(Ending::Complete),
            // Many services omit the cursor or link on the last page.
            Next::NoEvidence if !first && !self.guessing => NextStep::End(Ending::Complete),
            Next::Until(total, _) if self.rows as u64 >= *total => NextStep::End(Ending::Complete),
            Next::Page(_) | Next::Until(..) | Next::NoEvidence if self.cap.is_some_and(|cap| self.rows >= cap) => {
                NextStep::End(Ending::Cap)
            }
            Next::Page(token) | Next::Until(_, token) => {
                (self.probing, self.guessing) = (false, false);
                self.ask(token.clone())
            }
            Next::NoEvidence if first && seen < FEWEST_ROWS_FOR_A_PROBE && !self.has_too_few() => {
                NextStep::End(Ending::Complete)
            }
            Next::NoEvidence => {
                // A successful probe shows that `page` works: continue by number.
                (self.probing, self.guessing) = (first, true);
                self.ask(PageToken::Number(self.pages + 1))
            }
        }
    }

    /// Interprets a failed page: how the list ended if it only means that there is no such page, `None` if it is a real
    /// failure.
    pub fn after_failure(&self, failure: &Failure) -> Option<Ending> {
        let says_no_such_page = matches!(failure.status, Some(400 | 404 | 422));
        // After a successful probe, page numbers are guessed: the first missing one follows the last page.
        let ending = match (self.probing, self.may_lack_rows()) {
            (true, _) => self.ending_of_one_page(false),
            (false, true) => Ending::Changed,
            (false, false) => self.ending_of_last_page(),
        };
        (self.guessing && says_no_such_page).then_some(ending)
    }

    /// How a list ends whose probe brought no new rows. It is complete if the second page is empty, or if the first one
    /// cannot be full, because it has another number of rows than a page of the interface.
    fn ending_of_one_page(&self, is_second_empty: bool) -> Ending {
        let may_be_full = self.rows > usize::from(DEFAULT_PAGE_SIZE)
            || PAGE_SIZES.into_iter().any(|size| self.rows == usize::from(size));
        let has_more = self.total.is_some_and(|total| total > self.rows as u64);
        if has_more || (may_be_full && !is_second_empty) { Ending::OnePage } else { Ending::Complete }
    }

    fn ask(&mut self, token: PageToken) -> NextStep {
        self.is_by_cursor = matches!(token, PageToken::Cursor(_));
        if self.asked.insert(token.clone()) { NextStep::Ask(token) } else { NextStep::End(Ending::Repeated) }
    }
}

/// Returns how many of a page's unreadable rows count, if `added` of its `seen` readable rows are new: a repeated page
/// repeats its unreadable rows too.
pub fn new_unreadable(unreadable: usize, seen: usize, added: usize) -> usize {
    if seen == 0 || added > 0 { unreadable } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::failure::FailureKind;

    fn number(page: u64) -> PageToken {
        PageToken::Number(page)
    }

    #[test]
    fn a_list_with_full_paging_data_is_read_to_its_end() {
        let mut walk = Walk::capped(MOST_ROWS);
        assert_eq!(walk.after_page(&Next::Page(number(2)), 100, 100), NextStep::Ask(number(2)));
        assert_eq!(walk.after_page(&Next::End, 40, 40), NextStep::End(Ending::Complete));
        assert_eq!(walk.pages(), 2);
    }

    #[test]
    fn a_service_that_ignores_page_is_probed_only_once() {
        let mut walk = Walk::capped(MOST_ROWS);
        assert_eq!(walk.after_page(&Next::NoEvidence, 50, 50), NextStep::Ask(number(2)));
        assert_eq!(walk.after_page(&Next::NoEvidence, 50, 0), NextStep::End(Ending::OnePage));
    }

    #[test]
    fn an_empty_second_page_shows_that_the_service_counts_pages_and_has_no_more() {
        let mut walk = Walk::capped(MOST_ROWS);
        assert_eq!(walk.after_page(&Next::NoEvidence, 71, 71), NextStep::Ask(number(2)));
        assert_eq!(walk.after_page(&Next::NoEvidence, 0, 0), NextStep::End(Ending::Complete));
    }

    #[test]
    fn a_page_that_cannot_be_full_is_the_whole_list_of_a_service_without_further_pages() {
        let no_such_page = Failure::new(FailureKind::Service, "x", "").with_status(404);
        for (rows, expected) in [
            (11, Ending::Complete),
            (99, Ending::Complete),
            (10, Ending::OnePage),
            (25, Ending::OnePage),
            (50, Ending::OnePage),
            (100, Ending::OnePage),
            (250, Ending::OnePage),
        ] {
            for (total, expected) in [(None, expected), (Some(1_000), Ending::OnePage)] {
                let mut walk = Walk::capped(MOST_ROWS);
                walk.compare_with_earlier_pages(total, rows, 0);
                walk.after_page(&Next::NoEvidence, rows, rows);
                assert_eq!(walk.after_failure(&no_such_page), Some(expected), "{rows}");
                walk.compare_with_earlier_pages(total, rows, rows);
                assert_eq!(walk.after_page(&Next::NoEvidence, rows, 0), NextStep::End(expected), "{rows}");
            }
        }
    }

    #[test]
    fn a_successful_probe_continues_by_number() {
        let mut walk = Walk::capped(MOST_ROWS);
        assert_eq!(walk.after_page(&Next::NoEvidence, 50, 50), NextStep::Ask(number(2)));
        assert_eq!(walk.after_page(&Next::NoEvidence, 50, 50), NextStep::Ask(number(3)));
        assert_eq!(walk.after_page(&Next::NoEvidence, 0, 0), NextStep::End(Ending::Complete));
    }

    #[test]
    fn guessed_numbers_that_skip_a_page_do_not_complete_a_list_with_a_larger_total() {
        let no_such_page = Failure::new(FailureKind::Service, "x", "").with_status(404);
        for (total, expected) in [(Some(150), Ending::OnePage), (Some(100), Ending::Complete), (None, Ending::Complete)]
        {
            let mut walk = Walk::capped(MOST_ROWS);
            for _ in 0..2 {
                walk.compare_with_earlier_pages(total, 50, 0);
                walk.after_page(&Next::NoEvidence, 50, 50);
            }
            assert_eq!(walk.after_failure(&no_such_page), Some(expected));
            walk.compare_with_earlier_pages(total, 0, 0);
            assert_eq!(walk.after_page(&Next::NoEvidence, 0, 0), NextStep::End(expected));
        }
    }

    #[test]
    fn a_rejected_probe_ends_the_paging_and_a_failed_one_is_an_error() {
        let mut walk = Walk::capped(MOST_ROWS);
        walk.after_page(&Next::NoEvidence, 10, 10);
        let failure = |status| Failure::new(FailureKind::Service, "x", "").with_status(status);
        for status in [400, 404, 422] {
            assert_eq!(walk.after_failure(&failure(status)), Some(Ending::OnePage), "{status}");
        }
        for status in [401, 403, 429, 500] {
            assert_eq!(walk.after_failure(&failure(status)), None, "{status}");
        }
    }

    #[test]
    fn a_list_that_changes_while_it_is_read_is_not_complete() {
        let read = |pages: [(Option<u64>, usize); 3]| {
            let mut walk = Walk::capped(MOST_ROWS);
            let next = [Next::Page(number(2)), Next::Page(number(3)), Next::End];
            let mut last = NextStep::End(Ending::Cap);
            for ((total, repeated), next) in pages.into_iter().zip(next) {
                walk.compare_with_earlier_pages(total, 100, repeated);
                last = walk.after_page(&next, 100, 100 - repeated);
            }
            last
        };
        let same = [(Some(300), 0); 3];
        assert_eq!(read(same), NextStep::End(Ending::Complete));
        assert_eq!(read([(None, 0); 3]), NextStep::End(Ending::Complete));
        assert_eq!(read([(Some(300), 0), (Some(299), 0), (Some(299), 0)]), NextStep::End(Ending::Changed));
        assert_eq!(read([(Some(300), 0), (None, 0), (Some(301), 0)]), NextStep::End(Ending::Changed));
        assert_eq!(
            read([(None, 0), (None, 1), (None, 0)]),
            NextStep::End(Ending::Changed),
            "a row moved to a later page"
        );
        assert_eq!(read([(None, 5), (None, 0), (None, 0)]), NextStep::End(Ending::Complete), "doubles within a page");
    }

    #[test]
    fn a_cursor_misses_no_row_in_a_stable_order() {
        let read = |is_order_fixed: bool, pages: [(u64, usize, usize); 3]| {
            let mut walk = Walk::capped(MOST_ROWS).in_fixed_order(is_order_fixed);
            let next = ["a", "b"].map(|text| Next::Page(PageToken::Cursor(text.into())));
            let mut last = NextStep::End(Ending::Cap);
            for ((total, received, repeated), next) in pages.into_iter().zip(next.into_iter().chain([Next::End])) {
                walk.compare_with_earlier_pages(Some(total), received, repeated);
                last = walk.after_page(&next, received, received - repeated);
            }
            last
        };
        let came_and_went = [(300, 100, 0), (299, 100, 0), (310, 99, 0)];
        assert_eq!(read(true, came_and_went), NextStep::End(Ending::Complete));
        assert_eq!(read(false, came_and_went), NextStep::End(Ending::Changed), "a row may have moved, too");
        let moved_to_the_front = [(300, 100, 0), (300, 100, 0), (300, 99, 0)];
        assert_eq!(read(false, moved_to_the_front), NextStep::End(Ending::Changed));
        assert_eq!(read(false, [(300, 100, 0); 3]), NextStep::End(Ending::Complete));
        let counting = [(300, 100, 0), (301, 100, 1), (301, 100, 0)];
        assert_eq!(read(true, counting), NextStep::End(Ending::Changed), "this cursor is a page number in disguise");
    }

    #[test]
    fn a_few_rows_without_evidence_are_the_whole_list() {
        assert_eq!(Walk::capped(MOST_ROWS).after_page(&Next::NoEvidence, 9, 9), NextStep::End(Ending::Complete));
    }

    #[test]
    fn repeated_tokens_and_repeated_rows_end_the_paging() {
        let mut walk = Walk::capped(MOST_ROWS);
        let cursor = Next::Page(PageToken::Cursor("a".into()));
        assert!(matches!(walk.after_page(&cursor, 10, 10), NextStep::Ask(_)));
        assert_eq!(walk.after_page(&cursor, 10, 10), NextStep::End(Ending::Repeated));
        let mut walk = Walk::capped(MOST_ROWS);
        walk.after_page(&Next::Page(number(2)), 10, 10);
        assert_eq!(walk.after_page(&Next::Page(number(3)), 10, 0), NextStep::End(Ending::Repeated));
    }

    #[test]
    fn the_paging_stops_at_the_row_limit() {
        let mut walk = Walk::capped(MOST_ROWS);
        assert_eq!(walk.after_page(&Next::Page(number(2)), 99_999, 99_999), NextStep::Ask(number(2)));
        assert_eq!(walk.after_page(&Next::Page(number(3)), 1, 1), NextStep::End(Ending::Cap));
        assert_eq!(Walk::uncapped().after_page(&Next::Page(number(2)), MOST_ROWS, MOST_ROWS), NextStep::Ask(number(2)));
    }
}
