//! A queue of requests with an in-flight limit, rate-limit waits, pause, cancel and retry.
//!
//! Used by bulk runs, bulk creation, background fetching of checks, and the command line. The caller sends the entries.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use crate::domain::failure::{Failure, FailureKind};

/// The wait after a rate limit without `Retry-After`.
const DEFAULT_WAIT: SignedDuration = SignedDuration::from_secs(60);
/// Consecutive failures of the service after which a queue pauses, so that not every entry fails while it is broken.
const MOST_FAILURES: usize = 10;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueStep<T> {
    /// Send this entry. It is in flight until [`RequestQueue::done`] or [`RequestQueue::requeue`].
    Send(T),
    /// Send nothing before this time.
    Wait(Timestamp),
    /// Send nothing until a reply arrives, the queue is resumed, or entries are added.
    Nothing,
}

/// Requests that are waiting or in flight.
#[derive(Debug, Clone)]
pub struct RequestQueue<T> {
    waiting: VecDeque<T>,
    in_flight: usize,
    limit: usize,
    wait_until: Option<Timestamp>,
    paused: Option<String>,
    is_cancelled: bool,
    /// Consecutive failures of the service.
    failures: usize,
}

impl<T> RequestQueue<T> {
    /// Creates a queue with at most `limit` requests in flight (at least one).
    pub fn new(limit: usize, entries: impl IntoIterator<Item = T>) -> Self {
        Self {
            waiting: entries.into_iter().collect(),
            in_flight: 0,
            limit: limit.max(1),
            wait_until: None,
            paused: None,
            is_cancelled: false,
            failures: 0,
        }
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        self.waiting.push_back(entry);
    }

    /// Returns what to do next. Call it repeatedly until it returns something other than [`QueueStep::Send`].
    pub fn next(&mut self, now: Timestamp) -> QueueStep<T> {
        self.wait_until.take_if(|until| *until <= now);
        if self.paused.is_some() || self.in_flight >= self.limit || self.waiting.is_empty() {
            return QueueStep::Nothing;
        }
        if let Some(until) = self.wait_until {
            return QueueStep::Wait(until);
        }
        let Some(entry) = self.waiting.pop_front() else { return QueueStep::Nothing };
        self.in_flight += 1;
        QueueStep::Send(entry)
    }

    /// Marks a request in flight as finished.
    pub fn done(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// Requeues a request in flight at the front. A cancelled queue returns it instead.
    pub fn requeue(&mut self, entry: T) -> Option<T> {
        self.done();
        if self.is_cancelled {
            return Some(entry);
        }
        self.waiting.push_front(entry);
        None
    }

    /// Sends nothing before a time. The latest such time applies.
    pub fn wait_until(&mut self, until: Timestamp) {
        self.wait_until = self.wait_until.max(Some(until));
    }

    /// Waits after a rate limit, for one minute if no time is given, and after a 503 that gives a time. Returns false for
    /// any other failure.
    pub fn wait_after(&mut self, failure: &Failure, now: Timestamp) -> bool {
        let is_busy = failure.status == Some(503) && failure.retry_after.is_some();
        if failure.kind != FailureKind::RateLimited && !is_busy {
            return false;
        }
        let asked = failure.retry_after.and_then(|wait| SignedDuration::try_from(wait).ok());
        self.wait_until(now.saturating_add(asked.unwrap_or(DEFAULT_WAIT)).unwrap_or(now));
        true
    }

    /// Waits after a rate limit, and pauses after a failure that would affect every request. Returns true if the entry
    /// is to be sent again.
    pub fn pause_after(&mut self, refusal: &Failure, now: Timestamp) -> bool {
        let concerns_all =
            matches!(refusal.kind, FailureKind::Unauthorised | FailureKind::Unreachable | FailureKind::WrongAddress);
        if concerns_all {
            self.pause(&refusal.message);
        }
        concerns_all || self.wait_after(refusal, now)
    }

    /// Pauses after ten failures without a success in between. Those that concern only their entry or this machine do
    /// not count.
    pub fn count_failure(&mut self, failure: &Failure) {
        let is_of_the_service =
            !matches!(failure.kind, FailureKind::NotFound | FailureKind::Invalid | FailureKind::Local);
        self.failures += usize::from(is_of_the_service);
        if self.failures >= MOST_FAILURES {
            self.failures = 0;
            self.pause(&failure.message);
        }
    }

    /// Ends a series of failures.
    pub fn count_success(&mut self) {
        self.failures = 0;
    }

    /// The time until which nothing is sent; `None` while paused.
    pub fn wakes_at(&self) -> Option<Timestamp> {
        self.wait_until.filter(|_| self.paused.is_none())
    }

    /// Sends nothing more until [`Self::resume`]. Requests in flight continue.
    pub fn pause(&mut self, reason: impl Into<String>) {
        self.paused = Some(reason.into());
    }

    /// Ends a pause.
    pub fn resume(&mut self) {
        self.paused = None;
    }

    /// Why the queue is paused.
    pub fn paused(&self) -> Option<&str> {
        self.paused.as_deref()
    }

    /// Sends nothing more. Returns the unsent entries.
    pub fn cancel(&mut self) -> Vec<T> {
        self.is_cancelled = true;
        self.paused = None;
        self.waiting.drain(..).collect()
    }

    /// Accepts and sends entries again after a cancellation or a pause.
    pub fn reopen(&mut self) {
        self.is_cancelled = false;
        self.paused = None;
    }

    /// Whether nothing is waiting or in flight.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.in_flight == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn rate_limited(seconds: Option<u64>) -> Failure {
        let mut failure = Failure::new(FailureKind::RateLimited, "too many requests", "");
        failure.retry_after = seconds.map(Duration::from_secs);
        failure
    }

    #[test]
    fn a_rate_limited_request_goes_first_after_the_requested_wait() {
        let mut queue = RequestQueue::new(2, [1, 2, 3]);
        assert_eq!((queue.next(at(0)), queue.next(at(0))), (QueueStep::Send(1), QueueStep::Send(2)));
        assert!(queue.wait_after(&rate_limited(Some(30)), at(10)));
        assert_eq!(queue.requeue(1), None);
        assert_eq!(queue.next(at(39)), QueueStep::Wait(at(40)));
        assert_eq!(queue.next(at(40)), QueueStep::Send(1));
        queue.wait_after(&rate_limited(None), at(50));
        assert_eq!(queue.wakes_at(), Some(at(110)));
        assert!(!queue.wait_after(&Failure::new(FailureKind::Service, "", ""), at(0)));
        queue.wait_after(&rate_limited(Some(5)), at(60));
        assert_eq!(queue.wakes_at(), Some(at(110)), "a shorter wait does not end a longer one");
    }

    #[test]
    fn a_busy_service_is_waited_for_only_if_it_says_how_long() {
        for (status, seconds, expected) in [(503, Some(30), Some(at(30))), (503, None, None), (500, Some(30), None)] {
            let mut failure = Failure::new(FailureKind::Service, "busy", "");
            (failure.status, failure.retry_after) = (Some(status), seconds.map(Duration::from_secs));
            let mut queue = RequestQueue::new(1, [1]);
            assert_eq!(
                (queue.wait_after(&failure, at(0)), queue.wakes_at()),
                (expected.is_some(), expected),
                "{status}"
            );
        }
    }

    #[test]
    fn a_paused_queue_sends_nothing_until_it_is_resumed() {
        let mut queue = RequestQueue::new(1, ["a"]);
        queue.pause("by you");
        assert_eq!((queue.next(at(0)), queue.paused()), (QueueStep::Nothing, Some("by you")));
        queue.resume();
        assert_eq!(queue.next(at(0)), QueueStep::Send("a"));
    }

    #[test]
    fn a_refused_key_pauses_the_queue_and_a_refused_entry_does_not() {
        for (kind, is_held, is_paused) in [
            (FailureKind::RateLimited, true, false),
            (FailureKind::Unauthorised, true, true),
            (FailureKind::Unreachable, true, true),
            (FailureKind::WrongAddress, true, true),
            (FailureKind::Invalid, false, false),
            (FailureKind::Service, false, false),
        ] {
            let mut queue = RequestQueue::new(1, [1]);
            let held = queue.pause_after(&Failure::new(kind, "refused", ""), at(0));
            assert_eq!((held, queue.paused().is_some()), (is_held, is_paused), "{kind:?}");
        }
    }

    #[test]
    fn a_cancelled_queue_gives_entries_back_instead_of_sending_them_again() {
        let mut queue = RequestQueue::new(1, ["a", "b"]);
        assert_eq!(queue.next(at(0)), QueueStep::Send("a"));
        assert_eq!(queue.cancel(), ["b"]);
        assert_eq!(queue.requeue("a"), Some("a"));
        assert!(queue.is_empty());
    }

    proptest! {
        #[test]
        fn each_entry_is_sent_once_and_concurrency_stays_within_the_limit(
            limit in 1_usize..5, count in 0_usize..20, replies in proptest::collection::vec(any::<bool>(), 0..80)
        ) {
            let mut queue = RequestQueue::new(limit, 0..count);
            let (mut in_flight, mut done) = (Vec::new(), Vec::new());
            for is_refused in replies {
                while let QueueStep::Send(entry) = queue.next(at(0)) {
                    in_flight.push(entry);
                }
                prop_assert!(in_flight.len() <= limit && in_flight.len() == queue.in_flight);
                let Some(entry) = in_flight.pop() else { break };
                if is_refused {
                    prop_assert_eq!(queue.requeue(entry), None);
                } else {
                    queue.done();
                    done.push(entry);
                }
            }
            let mut all: Vec<usize> = done.into_iter().chain(in_flight).chain(queue.cancel()).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
