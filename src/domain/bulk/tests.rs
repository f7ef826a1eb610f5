//! Bulk runs against arbitrary replies.

use jiff::Timestamp;

use super::{BulkItem, BulkOperation, ItemReply, ItemState, Plan, Run, RunStep};
use crate::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::tests::row;
use crate::domain::report::{Report, ReportId};
use proptest::prelude::*;
use std::time::Duration;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn run(operation: BulkOperation, count: usize, at_once: usize) -> Run {
    let reports: Vec<Report> =
        (0..count).map(|number| Report { id: ReportId::new(&number.to_string()), ..audited(1) }).collect();
    Run::new(Plan::new(operation, reports.iter(), |_| None), at_once)
}

fn audited(second: i64) -> Report {
    let mut report = row("0", "a.example", Outcome::Good);
    report.generated_at = at(second).into();
    report
}

fn failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "it failed", "")
}

fn unsure(found: LookupOutcome) -> WriteFailure {
    WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found }
}

#[test]
fn concurrent_requests_stay_within_the_limit() {
    let mut run = run(BulkOperation::Delete, 5, 2);
    assert_eq!(
        [run.step(at(0)), run.step(at(0)), run.step(at(0))],
        [RunStep::Send(0), RunStep::Send(1), RunStep::Nothing]
    );
    run.answered(1, ItemReply::Deleted(Ok(())), at(0));
    assert_eq!([run.step(at(0)), run.step(at(0))], [RunStep::Send(2), RunStep::Nothing]);
    run.answered(1, ItemReply::Deleted(Err(WriteFailure::Refused(failure(FailureKind::Service)))), at(0));
    run.answered(4, ItemReply::Deleted(Ok(())), at(0));
    let tally = run.tally();
    let counts = (tally.all, tally.done, tally.failed, tally.under_way);
    assert_eq!(counts, (5, 1, 0, 2), "replies for items not in flight are ignored");
}

#[test]
fn a_re_run_that_the_service_carries_out_later_is_done_without_a_trend() {
    let mut run = run(BulkOperation::Rerun, 2, 2);
    for (item, second) in [(0, 1), (1, 2)] {
        assert_eq!(run.step(at(0)), RunStep::Send(item));
        run.answered(item, ItemReply::Updated(Ok(audited(second))), at(3));
    }
    let words: Vec<_> = run.items.iter().map(BulkItem::in_words).collect();
    assert_eq!(words, [("done", "re-run accepted, no new result yet"), ("same", "good")]);
    assert_eq!((run.tally().same, run.tally().done), (1, 2));
}

#[test]
fn a_rate_limited_item_is_sent_again_after_the_wait() {
    let mut run = run(BulkOperation::Rerun, 2, 1);
    assert_eq!(run.step(at(0)), RunStep::Send(0));
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(Duration::from_secs(30));
    run.answered(0, ItemReply::Updated(Err(WriteFailure::Refused(limited))), at(10));
    assert_eq!(run.step(at(11)), RunStep::Wait(at(40)));
    assert_eq!(run.step(at(40)), RunStep::Send(0));
}

#[test]
fn a_rejected_key_or_an_unreachable_service_pauses_the_run() {
    for kind in [FailureKind::Unauthorised, FailureKind::Unreachable] {
        let mut run = run(BulkOperation::Rerun, 2, 1);
        run.step(at(0));
        run.answered(0, ItemReply::Updated(Err(WriteFailure::Refused(failure(kind)))), at(0));
        assert_eq!((run.step(at(9)), run.queue.paused()), (RunStep::Nothing, Some("it failed")));
        run.queue.resume();
        assert_eq!(run.step(at(9)), RunStep::Send(0));
    }
}

#[test]
fn an_unanswered_item_is_judged_by_the_current_report() {
    let found = |report: Report| LookupOutcome::Report(Box::new(report));
    let private = BulkOperation::Privacy { privacy: crate::domain::report::privacy::Privacy::Private, password: None };
    let table = [
        (BulkOperation::Rerun, found(audited(5)), true),
        (BulkOperation::Rerun, found(audited(1)), false),
        (BulkOperation::Rerun, found(row("0", "a.example", Outcome::Bad)), false),
        (BulkOperation::Rerun, LookupOutcome::Nothing, false),
        (BulkOperation::Delete, LookupOutcome::Nothing, true),
        (BulkOperation::Delete, found(audited(5)), false),
        (private, found(audited(5)), false),
        (BulkOperation::Delete, LookupOutcome::Unknown(failure(FailureKind::TimedOut)), false),
    ];
    for (operation, found, done) in table {
        let mut run = run(operation.clone(), 1, 1);
        run.step(at(0));
        let answer = match operation {
            BulkOperation::Delete => ItemReply::Deleted(Err(unsure(found.clone()))),
            BulkOperation::Rerun | BulkOperation::Privacy { .. } => ItemReply::Updated(Err(unsure(found.clone()))),
        };
        run.answered(0, answer, at(0));
        let state = run.items[0].state.clone();
        assert_eq!(matches!(state, ItemState::Done(_)), done, "{operation:?} {found:?}: {state:?}");
        assert!(run.has_ended());
    }
}

#[test]
fn a_deletion_is_done_if_the_report_was_already_deleted_and_failed_if_the_service_refused() {
    for (operation, kind, done) in [
        (BulkOperation::Delete, FailureKind::NotFound, true),
        (BulkOperation::Delete, FailureKind::Invalid, false),
        (BulkOperation::Rerun, FailureKind::NotFound, false),
    ] {
        let mut run = run(operation.clone(), 1, 1);
        run.step(at(0));
        run.answered(0, ItemReply::Deleted(Err(WriteFailure::Refused(failure(kind)))), at(0));
        assert_eq!(
            (run.tally().done, run.tally().failed),
            (usize::from(done), usize::from(!done)),
            "{operation:?} {kind:?}"
        );
    }
}

#[test]
fn a_continued_run_counts_what_was_done_before_and_sends_only_the_rest() {
    let mut started = run(BulkOperation::Rerun, 3, 1);
    started.items[0].before = "bad 31".to_owned();
    started.items[0].state = ItemState::Done("good 85 · repaired title".to_owned());
    started.items[1].state = ItemState::Done("page not audited".to_owned());
    let mut run = Run::resumed(BulkOperation::Rerun, started.items, 1);
    let tally = run.tally();
    assert_eq!((tally.done, tally.improved, tally.same, tally.worse), (2, 1, 0, 0));
    assert_eq!([run.step(at(0)), run.step(at(0))], [RunStep::Send(2), RunStep::Nothing]);
}

#[test]
fn of_an_unseen_report_only_visible_changes_count_as_done() {
    let public = BulkOperation::Privacy { privacy: crate::domain::report::privacy::Privacy::Public, password: None };
    let secret = BulkOperation::Privacy {
        privacy: crate::domain::report::privacy::Privacy::Public,
        password: Some("tea".into()),
    };
    let unknown = "the outcome is unknown: it failed";
    for (operation, expected) in [(BulkOperation::Rerun, Err(unknown)), (secret, Err(unknown)), (public, Ok(()))] {
        let (id, url, before) = (ReportId::new("0"), String::new(), String::new());
        let item =
            BulkItem { id, url, before, audited_at: None, failing: None, change: None, state: ItemState::Waiting };
        let mut run = Run::resumed(operation.clone(), vec![item], 1);
        run.step(at(0));
        run.answered(0, ItemReply::Updated(Err(unsure(LookupOutcome::Report(Box::new(audited(5)))))), at(0));
        match (&run.items[0].state, expected) {
            (ItemState::Failed(why), Err(expected)) => assert_eq!(why, expected, "{operation:?}"),
            (state, expected) => {
                assert!(matches!(state, ItemState::Done(_)) && expected.is_ok(), "{operation:?}: {state:?}");
            }
        }
    }
}

#[test]
fn a_rate_limited_item_is_not_sent_after_cancelling() {
    for kind in [FailureKind::RateLimited, FailureKind::Unauthorised] {
        let mut run = run(BulkOperation::Delete, 3, 2);
        assert_eq!([run.step(at(0)), run.step(at(0))], [RunStep::Send(0), RunStep::Send(1)]);
        run.cancel();
        run.answered(0, ItemReply::Deleted(Err(WriteFailure::Refused(failure(kind)))), at(0));
        assert_eq!(run.step(at(900)), RunStep::Nothing);
        assert_eq!(run.items[0].state, ItemState::Skipped("cancelled".to_owned()));
    }
}

#[test]
fn a_retry_first_checks_whether_the_write_succeeded() {
    let mut run = run(BulkOperation::Rerun, 1, 1);
    run.step(at(0));
    run.answered(0, ItemReply::Updated(Err(unsure(LookupOutcome::Unknown(failure(FailureKind::TimedOut))))), at(0));
    assert_eq!((run.retry(), run.step(at(1))), (1, RunStep::LookUp(0)));
    run.answered(0, ItemReply::Looked(Ok(audited(5))), at(1));
    assert!(matches!(&run.items[0].state, ItemState::Done(what) if what.starts_with("good")));
    assert_eq!(run.retry(), 0);
}

#[test]
fn cancelling_lets_running_requests_finish() {
    let mut run = run(BulkOperation::Delete, 3, 1);
    run.step(at(0));
    run.cancel();
    assert!(!run.has_ended());
    run.answered(0, ItemReply::Deleted(Ok(())), at(0));
    assert!(run.has_ended());
    assert_eq!((run.tally().done, run.tally().skipped), (1, 2));
}

/// Arbitrary replies: done, rate-limited, rejected, or unknown.
fn answer() -> impl Strategy<Value = ItemReply> {
    prop_oneof![
        3 => Just(ItemReply::Deleted(Ok(()))),
        1 => Just(ItemReply::Deleted(Err(WriteFailure::Refused(failure(FailureKind::RateLimited))))),
        1 => Just(ItemReply::Deleted(Err(WriteFailure::Refused(failure(FailureKind::Unreachable))))),
        1 => Just(ItemReply::Deleted(Err(WriteFailure::Refused(failure(FailureKind::Forbidden))))),
        1 => Just(ItemReply::Deleted(Err(unsure(LookupOutcome::Nothing)))),
        1 => Just(ItemReply::Deleted(Err(unsure(LookupOutcome::Unknown(failure(FailureKind::TimedOut)))))),
    ]
}

proptest! {
    #[test]
    fn a_possibly_applied_write_is_never_resent(answers in prop::collection::vec(answer(), 1..60), count in 1_usize..12, at_once in 1_usize..5) {
        let mut run = run(BulkOperation::Delete, count, at_once);
        let (mut now, mut sent, mut closed) = (at(0), Vec::new(), vec![false; count]);
        for answer in answers {
            loop {
                match run.step(now) {
                    RunStep::Send(item) => {
                        prop_assert!(!closed[item], "sent again");
                        sent.push(item);
                    }
                    RunStep::Wait(until) => now = until,
                    RunStep::LookUp(_) => prop_assert!(false, "nothing was lost"),
                    RunStep::Nothing => break,
                }
            }
            prop_assert!(sent.len() <= at_once);
            let Some(item) = sent.pop() else { break };
            let put_off = matches!(&answer, ItemReply::Deleted(Err(WriteFailure::Refused(failure)))
                if matches!(failure.kind, FailureKind::RateLimited | FailureKind::Unreachable));
            closed[item] = !put_off;
            run.answered(item, answer, now);
            run.queue.resume();
        }
        let tally = run.tally();
        prop_assert_eq!(tally.done + tally.failed, closed.iter().filter(|closed| **closed).count());
        prop_assert_eq!(run.has_ended(), closed.iter().all(|closed| *closed));
    }
}

#[test]
fn a_retry_sets_the_password_of_a_report_that_was_found_protected() {
    let operation = BulkOperation::Privacy { privacy: Privacy::Password, password: Some("tea".into()) };
    let mut run = run(operation, 1, 1);
    run.step(at(0));
    run.answered(0, ItemReply::Updated(Err(unsure(LookupOutcome::Unknown(failure(FailureKind::TimedOut))))), at(0));
    assert_eq!((run.retry(), run.step(at(1))), (1, RunStep::LookUp(0)));
    run.answered(0, ItemReply::Looked(Ok(Report { privacy: Some(Privacy::Password), ..audited(1) })), at(1));
    // Perhaps by the request whose response was lost: it is no setting of someone else's since.
    assert_eq!((run.step(at(1)), run.planned_privacy(0)), (RunStep::Send(0), Some(Privacy::Password)));
}

/// Sends the next item, and answers it with an error of the service after which the report is found unchanged.
fn fail_one(run: &mut Run) {
    let RunStep::Send(at) = run.step(self::at(0)) else { panic!("nothing is sent: {:?}", run.queue.paused()) };
    let broken = unsure(LookupOutcome::Report(Box::new(audited(1))));
    run.answered(at, ItemReply::Updated(Err(broken)), self::at(0));
}

#[test]
fn a_broken_service_pauses_the_run_before_every_item_has_failed() {
    let mut run = run(BulkOperation::Rerun, 100, 1);
    (0..9).for_each(|_| fail_one(&mut run));
    run.step(at(0));
    run.answered(9, ItemReply::Updated(Ok(audited(5))), at(0));
    (0..10).for_each(|_| fail_one(&mut run));
    assert_eq!((run.step(at(0)), run.queue.paused()), (RunStep::Nothing, Some("it failed")), "ten in a row");
    run.queue.resume();
    fail_one(&mut run);
    assert_eq!((run.tally().failed, run.queue.paused()), (20, None), "one attempt does not pause it again");
}

#[test]
fn ten_refusals_pause_the_run_unless_each_concerns_its_report() {
    for (kind, is_paused) in [
        (FailureKind::Forbidden, true),
        (FailureKind::Service, true),
        (FailureKind::Invalid, false),
        (FailureKind::NotFound, false),
    ] {
        let mut run = run(BulkOperation::Rerun, 11, 1);
        for item in 0..10 {
            assert_eq!(run.step(at(0)), RunStep::Send(item), "{kind:?}");
            run.answered(item, ItemReply::Updated(Err(WriteFailure::Refused(failure(kind)))), at(0));
        }
        assert_eq!(run.queue.paused().is_some(), is_paused, "{kind:?}");
    }
}

#[test]
fn a_retry_ends_the_pause_in_which_the_last_items_failed() {
    let mut run = run(BulkOperation::Rerun, 10, 1);
    (0..10).for_each(|_| fail_one(&mut run));
    assert!(run.has_ended());
    assert_eq!((run.retry(), run.step(at(0))), (10, RunStep::LookUp(0)));
}

#[test]
fn the_outcome_of_a_change_of_privacy_is_the_privacy_although_the_page_was_audited_meanwhile() {
    let private = BulkOperation::Privacy { privacy: Privacy::Private, password: None };
    let mut run = run(private, 1, 1);
    run.step(at(0));
    let report = Report { privacy: Some(Privacy::Private), ..audited(5) };
    run.answered(0, ItemReply::Updated(Ok(report)), at(9));
    assert_eq!(run.items[0].state, ItemState::Done("private".to_owned()));
}
