//! Follows a desk: long polls for changes, and sends the outbox in between.

use std::time::Duration;

use jiff::Timestamp;

use super::context::{DeskContext, DeskOrders, PAUSES, random};
use super::outbox::Outbox;
use crate::api::desk::ChangesRequest;
use crate::api::desk_entry::has_refused;
use crate::app::message::DeskMessage;
use crate::domain::desk::{DeskChanges, EventDetail, OutboxEntry};
use crate::domain::failure::{Failure, FailureKind};
use crate::journal::DeskCopy;

/// The minimum and maximum wait for a change, in seconds. The length varies, so that clients of a restarted desk do not
/// poll in step.
const WAIT: (u64, u64) = (40, 50);

/// The shortest and the longest pause between a response and the next poll.
const RESTS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_mins(1));

/// Why a desk is no longer followed, and the writes that it has not confirmed.
pub(super) struct FollowEnd {
    pub(super) failure: Failure,
    pub(super) outbox: Vec<OutboxEntry>,
    /// Whether the desk had answered, and confirmed all writes.
    pub(super) was_in_step: bool,
}

/// Follows the desk until it rejects the user, or does not know the service.
pub(super) async fn follow(
    context: &DeskContext,
    mut copy: DeskCopy,
    outbox: Vec<OutboxEntry>,
    orders: &mut DeskOrders,
) -> FollowEnd {
    let mut outbox = Outbox::new(outbox);
    let mut pace = PollPace::default();
    let mut is_reached = true;
    // The first response tells whether the desk is the one that the outbox was written for.
    let mut has_answered = false;
    // A moved user should immediately see who else is present.
    let mut has_moved = false;
    let mut rest = Duration::ZERO;
    loop {
        let presence = orders.presence.borrow_and_update().clone();
        let shown = context.access.presence.then_some(presence);
        let wait = if has_answered && is_reached && !has_moved { wait() } else { Duration::ZERO };
        has_moved = false;
        let request =
            ChangesRequest { service: Some(copy.service), after: copy.content.position, wait, presence: shown };
        let asked_to_rest = std::mem::take(&mut rest);
        let mut polling = std::pin::pin!(async {
            // A desk without free waiting slots says when to ask again; decisions are sent meanwhile.
            tokio::time::sleep(asked_to_rest).await;
            context.clients.desk.desk_changes(&request).await
        });
        let answer = loop {
            // Decisions of an earlier session wait while the service is used read-only.
            if has_answered
                && is_reached
                && !context.read_only
                && let Err(failure) = outbox.send(context, &mut copy, &mut orders.outbox).await
            {
                break Some(Err(failure));
            }
            tokio::select! {
                answer = &mut polling => break Some(answer),
                Some(order) = orders.outbox.recv() => outbox.take(order),
                Ok(()) = orders.presence.changed(), if context.access.presence => {
                    has_moved = true;
                    break None;
                }
            }
        };
        let answer = match answer {
            // Ask again immediately, with the new presence.
            None => continue,
            Some(Ok(changes)) => {
                let asked = Duration::from_secs(changes.pause);
                take(context, &mut copy, &mut outbox, changes).await.map(|was_read_again| (asked, was_read_again))
            }
            Some(Err(failure)) => Err(failure),
        };
        match answer {
            Ok((asked, was_read_again)) => {
                (is_reached, has_answered) = (true, true);
                copy.read_at = Timestamp::now();
                rest = pace.answered(asked, was_read_again, outbox.is_empty());
            }
            Err(failure) if failure.kind == FailureKind::NotFound || has_refused(&failure, true) => {
                let was_in_step = has_answered && outbox.is_empty();
                return FollowEnd { failure, outbox: outbox.into_entries(), was_in_step };
            }
            Err(failure) => {
                if is_reached {
                    // From now on the copy ages.
                    let stored = copy.clone();
                    context.with_journal(move |journal, service| journal.update_desk(service, &stored, &[])).await;
                }
                is_reached = false;
                let asked = failure.retry_after;
                context.send(DeskMessage::Unreachable(failure, Some(copy.read_at)));
                let pause = pace.next_pause();
                tokio::time::sleep(asked.unwrap_or(pause).min(PAUSES.1)).await;
            }
        }
    }
}

/// The pauses between polls.
struct PollPace {
    /// The pause after the next failure.
    pause: Duration,
}

impl Default for PollPace {
    fn default() -> Self {
        Self { pause: PAUSES.0 }
    }
}

impl PollPace {
    /// Returns a pause, and doubles the next one.
    fn next_pause(&mut self) -> Duration {
        let next = (self.pause * 2).min(PAUSES.1);
        std::mem::replace(&mut self.pause, next)
    }

    /// Returns the pause after a response that asks for one. A desk that responds at once, whatever it is asked, is not
    /// polled in a loop; one that is read again each time, not every second; and none is left unasked.
    fn answered(&mut self, asked: Duration, was_read_again: bool, is_settled: bool) -> Duration {
        let rest = asked.clamp(RESTS.0, RESTS.1);
        if was_read_again {
            return rest.max(self.next_pause());
        }
        // A desk that answers reads may still fail writes, which must not be repeated every second.
        if is_settled {
            self.pause = PAUSES.0;
        }
        rest
    }
}

/// Applies a response to the copy, and reports what changed. Returns whether everything was read again.
async fn take(
    context: &DeskContext,
    copy: &mut DeskCopy,
    outbox: &mut Outbox,
    changes: DeskChanges,
) -> Result<bool, Failure> {
    let mut was_merged = false;
    for event in &changes.events {
        if let EventDetail::Merged { from, into } = event.detail {
            was_merged = true;
            if from == copy.service {
                copy.service = into;
            }
        }
    }
    if changes.reset || was_merged {
        if changes.reset {
            // Pending decisions may be based on rows that the desk has lost.
            outbox.confirm_all(context, copy).await;
            // No event tells which people the desk has lost.
            if let Some(overview) = context.clients.desk.desk().await? {
                copy.people = overview.people;
            }
        }
        copy.content = context.clients.read_all(copy.service).await?;
        let stored = copy.clone();
        context.with_journal(move |journal, service| journal.store_desk(service, &stored)).await;
        context.send(DeskMessage::Read(Box::new(copy.content.clone()), copy.people.clone()));
        return Ok(true);
    }
    let DeskChanges { position, events, present, .. } = changes;
    copy.content.apply_changes(&mut copy.people, &events, position);
    if !events.is_empty() {
        let (stored, written) = (copy.clone(), events.clone());
        context.with_journal(move |journal, service| journal.update_desk(service, &stored, &written)).await;
    }
    context.send(DeskMessage::Changes { events, present, position: copy.content.position });
    Ok(false)
}

fn wait() -> Duration {
    let part = u64::from(random().map_or(0, |bytes| bytes[0]));
    Duration::from_secs(WAIT.0 + part % (WAIT.1 - WAIT.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_is_neither_polled_in_a_loop_nor_left_alone() {
        let mut pace = PollPace::default();
        for (asked, expected) in [(0, 100), (15, 15_000), (u64::MAX, 60_000)] {
            let rest = pace.answered(Duration::from_secs(asked), false, true);
            assert_eq!(rest, Duration::from_millis(expected), "{asked}");
        }
    }

    #[test]
    fn a_desk_that_fails_or_must_be_read_again_each_time_is_asked_ever_less() {
        let mut pace = PollPace::default();
        let seconds = |pause: Duration| pause.as_secs();
        let again = |pace: &mut PollPace| seconds(pace.answered(Duration::ZERO, true, true));
        assert_eq!([again(&mut pace), again(&mut pace), again(&mut pace)], [1, 2, 4]);
        // A failed write leaves the pause, a response without writes resets it.
        pace.answered(Duration::ZERO, false, false);
        assert_eq!(seconds(pace.next_pause()), 8);
        pace.answered(Duration::ZERO, false, true);
        assert_eq!([0; 7].map(|_| seconds(pace.next_pause())), [1, 2, 4, 8, 16, 30, 30]);
    }
}
