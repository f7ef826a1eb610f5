//! Bulk runs: plan, confirmation, replies in any order, pauses, completion.

use std::time::Duration;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, ItemWrite, RequestId};
use reportdeck::app::frame_layout::{HitTarget, Pane};
use reportdeck::app::message::Message;
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::activity::Exchange;
use reportdeck::domain::bulk::{BulkItem, BulkOperation, InterruptedRun, ItemReply, ItemState, RunNumber};
use reportdeck::domain::event_log::{LogEntry, LogKind};
use reportdeck::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::domain::report::{Details, Report, ReportId};
use reportdeck::input::{Context, Input, Mouse, MouseKind};

use crate::support::states::*;
use crate::update::{screen, screen_of};

/// Returns the writes sent: request id and report.
fn sent(effects: &[Effect]) -> Vec<(RequestId, String)> {
    let item = |effect: &Effect| match effect {
        Effect::SendItem(request, write) => Some((*request, write.id.raw().to_owned())),
        _ => None,
    };
    effects.iter().filter_map(item).collect()
}

fn acknowledge_stored_run(app: &mut App, effects: &[Effect]) -> Vec<Effect> {
    reply_to_stored_run(app, effects, Some(RunNumber(7)))
}

/// Replies with the journal's number of the run; `None` without a journal.
fn reply_to_stored_run(app: &mut App, effects: &[Effect], number: Option<RunNumber>) -> Vec<Effect> {
    let begin = |effect: &Effect| match effect {
        Effect::StoreRun(request, ..) => Some(*request),
        _ => None,
    };
    let request = effects.iter().find_map(begin).unwrap_or_else(|| panic!("nothing begins: {effects:?}"));
    app.update(Message::RunStored(request, Ok(number)), now())
}

fn audited(id: &str, score: u8) -> Report {
    let number: u32 = id.parse().unwrap();
    let mut report = row(number, "https://shop.example/again", score);
    report.generated_at = now().into();
    report.details = Some(Box::new(Details { checks: Some(Vec::new()), ..Details::default() }));
    report
}

fn ids(sent: &[(RequestId, String)]) -> Vec<&str> {
    sent.iter().map(|(_, id)| id.as_str()).collect()
}

#[test]
fn nothing_is_sent_before_the_plan_is_confirmed_and_stored() {
    let mut app = loaded();
    let effects = press(&mut app, "V t");
    assert!(sent(&effects).is_empty());
    assert!(
        press(&mut app, "t enter").is_empty(),
        "the key that opened the dialog does not confirm it, and the focus is on Cancel"
    );
    press(&mut app, "t");
    let effects = press(&mut app, "y");
    assert!(sent(&effects).is_empty(), "not before it is stored in the journal");
    let effects = acknowledge_stored_run(&mut app, &effects);
    assert_eq!(ids(&sent(&effects)), ["1", "2", "3"], "three requests at a time");
}

#[test]
fn quitting_says_whether_the_rest_of_a_run_is_kept() {
    for (number, expected) in [(Some(RunNumber(7)), "is kept for the next start"), (None, "is lost: it was not stored")]
    {
        let mut app = loaded();
        let effects = press(&mut app, "V t y");
        reply_to_stored_run(&mut app, &effects, number);
        press(&mut app, "esc q");
        let notice = notice(&app);
        assert!(notice.contains(expected), "{notice}");
    }
}

#[test]
fn a_plan_names_reports_on_the_smallest_screen_too() {
    for (script, change) in [("V D", "→ deleted"), ("V e right right ctrl+s", "→ private")] {
        let mut app = loaded();
        press(&mut app, script);
        let (screen, _) = crate::support::session::draw(&app, 40, 12);
        assert!(screen.contains(change), "{screen}");
    }
}

#[test]
fn a_plan_that_scrolls_has_a_scroll_bar() {
    let mut app = loaded();
    press(&mut app, "V D");
    for (height, is_cut) in [(40, false), (15, true)] {
        let (screen, layout) = crate::support::session::draw(&app, 80, height);
        let has_bar = layout.hit_targets.iter().any(|(_, target)| matches!(target, HitTarget::ScrollBar(None)));
        assert_eq!((screen.contains('┃'), has_bar), (is_cut, is_cut), "{screen}");
    }
    let (_, layout) = crate::support::session::draw(&app, 80, 15);
    let is_bar = |target: &HitTarget| matches!(target, HitTarget::ScrollBar(None));
    let (area, _) = *layout.hit_targets.iter().find(|(_, target)| is_bar(target)).unwrap();
    app.update(Message::FrameLayout(layout), now());
    let end = Mouse { kind: MouseKind::Click, column: area.column, row: area.row + area.height - 1 };
    app.update(Message::Input(Input::Mouse(end)), now());
    let (screen, _) = crate::support::session::draw(&app, 80, 15);
    assert!(screen.contains("menu") || screen.contains("メニュー"), "the last report: {screen}");
}

#[test]
fn the_targets_of_a_run_are_fixed_by_its_plan() {
    let mut app = loaded();
    press(&mut app, "space j space t");
    let effects = press(&mut app, "y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    assert_eq!(ids(&first), ["1", "3"]);
    press(&mut app, "esc b");
    let cursor_before = cursor(&app);
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five(), None, 5))), now());
    assert_eq!(cursor(&app), cursor_before);
    for (request, id) in first {
        app.update(Message::BulkItem(request, ItemReply::Updated(Ok(audited(&id, 92)))), now());
    }
    let run = &app.jobs.bulk.as_ref().unwrap().run;
    let ids: Vec<&str> = run.items.iter().map(|item| item.id.raw()).collect();
    assert_eq!((ids, run.tally().done), (vec!["1", "3"], 2));
    assert!(app.targets().is_empty(), "finished items are no longer marked");
}

/// Returns the cursor of the run's list.
fn run_cursor(app: &App) -> usize {
    let cursor = |overlay: &Overlay| if let Overlay::Run(cursor) = overlay { Some(cursor.at) } else { None };
    app.overlays.iter().find_map(cursor).unwrap()
}

#[test]
fn the_list_of_a_run_follows_it_and_ends_with_what_failed_at_its_top() {
    for (keys, is_moved) in [("", false), ("up", true)] {
        let mut app = loaded();
        let effects = press(&mut app, "V t y");
        let first = sent(&acknowledge_stored_run(&mut app, &effects));
        assert_eq!(run_cursor(&app), 2, "at the last of three requests");
        press(&mut app, "/ c a r t");
        let found = run_cursor(&app);
        assert_eq!(app.jobs.bulk.as_ref().unwrap().run.listed()[found].url, "shop.example/cart?step=2");
        press(&mut app, "esc");
        assert_eq!(run_cursor(&app), 2);
        press(&mut app, keys);
        let ok = |id: &str, score| ItemReply::Updated(Ok(audited(id, score)));
        let next = sent(&app.update(Message::BulkItem(first[0].0, ok("1", 92)), now()));
        assert_eq!(run_cursor(&app), if is_moved { 1 } else { 3 });
        let last = sent(&app.update(Message::BulkItem(first[1].0, ok("2", 92)), now()));
        app.update(Message::BulkItem(first[2].0, ok("3", 1)), now());
        app.update(Message::BulkItem(next[0].0, ok("4", 92)), now());
        let gone = Failure::new(FailureKind::NotFound, "it no longer exists", "");
        app.update(Message::BulkItem(last[0].0, ItemReply::Updated(Err(WriteFailure::Refused(gone)))), now());
        assert_eq!(run_cursor(&app), usize::from(is_moved));
        let run = &app.jobs.bulk.as_ref().unwrap().run;
        let listed: Vec<&str> = run.listed().iter().map(|item| item.id.raw()).collect();
        assert_eq!(listed, ["5", "3", "1", "2", "4"], "failed, worse, then in the order of the plan");
    }
}

#[test]
fn a_run_reports_flipped_results_waits_on_429_and_keeps_failures_marked() {
    let mut app = loaded();
    press(&mut app, "V t");
    let effects = press(&mut app, "y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let mut failure = failure(FailureKind::RateLimited);
    failure.retry_after = Some(Duration::from_secs(30));
    let refused = ItemReply::Updated(Err(WriteFailure::Refused(failure)));
    let effects = app.update(Message::BulkItem(first[0].0, refused), now());
    assert!(sent(&effects).is_empty(), "no request during the service's wait");
    let no = Failure::new(FailureKind::Forbidden, "not yours", "");
    app.update(Message::BulkItem(first[1].0, ItemReply::Updated(Err(WriteFailure::Refused(no)))), now());
    app.update(Message::BulkItem(first[2].0, ItemReply::Updated(Ok(audited("3", 50)))), now());
    assert_eq!(app.wake_at(), Some(now() + SignedDuration::from_secs(30)).min(app.wake_at()));
    let later = now() + SignedDuration::from_secs(30);
    let effects = app.update(Message::Tick, later);
    assert_eq!(ids(&sent(&effects)), ["1", "4", "5"]);
    for (request, id) in sent(&effects) {
        app.update(Message::BulkItem(request, ItemReply::Updated(Ok(audited(&id, 92)))), later);
    }
    let run = &app.jobs.bulk.as_ref().unwrap().run;
    assert!(
        matches!(&run.items[0].state, ItemState::Done(what) if what == "good 92 · repaired title, meta_description")
    );
    assert_eq!(notice(&app), "re-run: improved 3, same 0, worse 1, 1 failed");
    let left: Vec<_> = app.targets().iter().map(|id| id.raw().to_owned()).collect();
    assert_eq!(left, ["2"]);
    // Failed items are looked up first, because they may have succeeded.
    let effects = press(&mut app, "r");
    let effects = acknowledge_stored_run(&mut app, &effects);
    assert!(matches!(&effects[0], Effect::ReadItem(_, id) if id.raw() == "2"));
}

#[test]
fn more_than_five_reports_are_deleted_only_after_typing_their_number() {
    let mut app = loaded();
    let rows: Vec<Report> = (1..=7).map(|number| row(number, "https://shop.example/", 31)).collect();
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(rows, None, 7))), now());
    press(&mut app, "V D");
    assert!(press(&mut app, "y 6 enter").is_empty());
    let effects = press(&mut app, "backspace backspace 7 enter");
    assert!(!effects.is_empty(), "{effects:?}");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let mut effects = Vec::new();
    for (request, _) in &first {
        let unsure = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found: LookupOutcome::Nothing };
        effects = app.update(Message::BulkItem(*request, ItemReply::Deleted(Err(unsure))), now());
    }
    assert_eq!(shown(&app), ["4", "5", "6", "7"], "deleted reports leave the list");
    let refused = ItemReply::Deleted(Err(WriteFailure::Refused(failure(FailureKind::Service))));
    app.update(Message::BulkItem(sent(&effects)[0].0, refused), now());
    assert_eq!(shown(&app), ["4", "5", "6", "7"], "one that the service refused to delete stays");
}

/// Returns the entries of the log that are stored together with an item's state: a killed program must not know that an
/// item is done without having logged it.
fn entries_stored_with_item(effects: &[Effect]) -> &[LogEntry] {
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Log(_))), "logged apart: {effects:?}");
    let stored = effects.iter().find_map(|effect| match effect {
        Effect::StoreItem(_, _, ItemState::Done(_), entries) => Some(entries.as_slice()),
        _ => None,
    });
    stored.unwrap()
}

#[test]
fn an_operation_whose_response_was_lost_but_that_was_applied_updates_the_row_and_is_logged() {
    let mut app = loaded();
    let effects = press(&mut app, "space t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let found = LookupOutcome::Report(Box::new(audited("1", 92)));
    let unsure = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found };
    let effects = app.update(Message::BulkItem(first[0].0, ItemReply::Updated(Err(unsure))), now());
    assert_eq!(app.reports.listing.row(&ReportId::new("1")).unwrap().score, Some(92));
    assert_eq!(entries_stored_with_item(&effects)[0].after, "good 92");
}

#[test]
fn the_history_of_a_run_knows_what_was_before_although_a_list_shows_the_change_already() {
    let private = Report { privacy: Some(Privacy::Private), ..five()[0].clone() };
    for (keys, after, expected) in [
        ("space t y", audited("1", 92), ("bad 31", "good 92")),
        ("space e right right ctrl+s y", private, ("public", "private")),
    ] {
        let mut app = loaded();
        let effects = press(&mut app, keys);
        let first = sent(&acknowledge_stored_run(&mut app, &effects));
        let list = reports_request(&press(&mut app, "esc r"));
        let rows = std::iter::once(after.clone()).chain(five().into_iter().skip(1)).collect();
        app.update(Message::Reports(list, Ok(page(rows, None, 5))), now());
        let effects = app.update(Message::BulkItem(first[0].0, ItemReply::Updated(Ok(after))), now());
        let entry = &entries_stored_with_item(&effects)[0];
        assert_eq!((entry.before.as_str(), entry.after.as_str()), expected);
    }
}

#[test]
fn the_deletion_of_a_report_that_is_no_longer_listed_is_logged() {
    let mut app = loaded();
    let effects = press(&mut app, "V D y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let another_list = reports_request(&press(&mut app, "esc r"));
    app.update(Message::Reports(another_list, Ok(page(vec![row(9, "https://tea.example/", 31)], None, 1))), now());
    let effects = app.update(Message::BulkItem(first[0].0, ItemReply::Deleted(Ok(()))), now());
    let logged = entries_stored_with_item(&effects);
    assert_eq!(logged.len(), 1, "{effects:?}");
    assert_eq!((logged[0].kind, logged[0].name.as_str()), (LogKind::Deleted, five()[0].short_url()));
}

#[test]
fn the_outcome_of_the_report_under_the_cursor_is_shown_in_full() {
    let mut app = loaded();
    let effects = press(&mut app, "space t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let why = "Updating the report failed: the connection to seo.example was lost (end of file)";
    let refused = WriteFailure::Refused(Failure::new(FailureKind::Invalid, why, ""));
    app.update(Message::BulkItem(first[0].0, ItemReply::Updated(Err(refused))), now());
    let shown = screen_of(&app, 80);
    assert!(shown.contains("│ Updating the report failed: the connection to seo.example was lost"), "{shown}");
    assert!(shown.contains("file) · ") && shown.contains("shop.example/tea"), "{shown}");
}

#[test]
fn pausing_or_cancelling_lets_running_requests_finish() {
    let mut app = loaded();
    press(&mut app, "V t");
    let effects = press(&mut app, "y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    press(&mut app, "space");
    let effects = app.update(Message::BulkItem(first[0].0, ItemReply::Updated(Ok(audited("1", 92)))), now());
    assert!(sent(&effects).is_empty());
    assert!(app.run_text().unwrap().contains("paused"));
    let effects = press(&mut app, "space");
    assert_eq!(ids(&sent(&effects)), ["4"]);
    press(&mut app, "x");
    for (request, id) in first.iter().skip(1).chain(&sent(&effects)) {
        app.update(Message::BulkItem(*request, ItemReply::Updated(Ok(audited(id, 92)))), now());
    }
    assert_eq!(notice(&app), "re-run: improved 3, same 1, worse 0, 1 skipped");
    assert!(screen(&app).contains("Cancelled, 1 not sent. Nothing failed"), "{}", screen(&app));
}

#[test]
fn a_run_that_has_ended_is_deleted_from_the_journal_and_is_not_shown_for_another_service() {
    let mut app = loaded();
    add_profiles(&mut app);
    let effects = press(&mut app, "V t y");
    let mut left = sent(&acknowledge_stored_run(&mut app, &effects));
    let mut last = Vec::new();
    while let Some((request, id)) = left.pop() {
        last = app.update(Message::BulkItem(request, ItemReply::Updated(Ok(audited(&id, 92)))), now());
        left.extend(sent(&last));
    }
    assert!(last.iter().any(|effect| matches!(effect, Effect::DeleteRun(RunNumber(7)))));
    press(&mut app, "esc A j enter");
    assert!(app.jobs.bulk.is_none());
}

#[test]
fn quitting_waits_for_running_requests_and_sends_no_more() {
    let mut app = loaded();
    press(&mut app, "V t");
    let effects = press(&mut app, "y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    assert!(press(&mut app, "esc q").is_empty());
    let mut last = Vec::new();
    for (request, id) in first {
        last = app.update(Message::BulkItem(request, ItemReply::Updated(Ok(audited(&id, 92)))), now());
        assert!(sent(&last).is_empty());
    }
    assert!(last.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert!(!last.iter().any(|effect| matches!(effect, Effect::DeleteRun(_))), "the rest is stored");
}

#[test]
fn a_run_that_ends_with_failures_calls_quitting_off() {
    let mut app = loaded();
    let effects = press(&mut app, "space space t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    press(&mut app, "esc q");
    let mut last = Vec::new();
    for (request, _) in first {
        let refused = Err(WriteFailure::Refused(failure(FailureKind::Service)));
        last = app.update(Message::BulkItem(request, ItemReply::Updated(refused)), now());
    }
    assert!(!last.iter().any(|effect| matches!(effect, Effect::Quit)), "{last:?}");
    assert_eq!(notice(&app), "re-run: 2 failed (x shows the run)");
    assert_eq!(app.session.unread_failure.as_ref().unwrap().message, "re-run: 2 failed");
}

#[test]
fn the_smallest_screen_says_why_a_report_of_a_run_failed() {
    let mut app = loaded();
    let effects = press(&mut app, "space space t y");
    for (request, _) in sent(&acknowledge_stored_run(&mut app, &effects)) {
        let refused = Failure::new(FailureKind::Service, "Updating the report failed: the disk is full", "");
        app.update(Message::BulkItem(request, ItemReply::Updated(Err(WriteFailure::Refused(refused)))), now());
    }
    let (screen, _) = crate::support::session::draw(&app, 40, 12);
    assert!(screen.contains("│ is full · shop.example/tea"), "{screen}");
}

#[test]
fn a_run_continues_if_another_key_calls_quitting_off() {
    let mut app = loaded();
    press(&mut app, "V t");
    let effects = press(&mut app, "y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    press(&mut app, "esc q j");
    assert!(!app.session.quitting);
    let effects = app.update(Message::BulkItem(first[0].0, ItemReply::Updated(Ok(audited("1", 92)))), now());
    assert_eq!(ids(&sent(&effects)), ["4"]);
}

fn interrupted_run(operation: BulkOperation, needs_password: bool) -> InterruptedRun {
    let item = |id: &str, state| BulkItem {
        id: ReportId::new(id),
        url: format!("shop.example/{id}"),
        before: "bad 31".to_owned(),
        audited_at: Some(now() - SignedDuration::from_hours(1)),
        failing: None,
        change: None,
        state,
    };
    let items =
        vec![item("1", ItemState::Done("good".into())), item("2", ItemState::Lost), item("3", ItemState::Waiting)];
    InterruptedRun { run: RunNumber(3), operation, needs_password, items }
}

#[test]
fn an_interrupted_run_resumes_and_repeats_no_acknowledged_item() {
    let mut app = loaded();
    app.update(Message::InterruptedRuns(vec![interrupted_run(BulkOperation::Rerun, false)]), now());
    let effects = press(&mut app, "y");
    let looked = effects.iter().find_map(|effect| match effect {
        Effect::ReadItem(request, id) => Some((*request, id.raw().to_owned())),
        _ => None,
    });
    let (request, id) = looked.unwrap();
    assert_eq!((id.as_str(), ids(&sent(&effects))), ("2", vec!["3"]));
    let effects = app.update(Message::BulkItem(request, ItemReply::Looked(Ok(audited("2", 80)))), now());
    assert!(sent(&effects).is_empty(), "it was audited after the request was sent");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreItem(RunNumber(3), 1, ItemState::Done(_), _))));
}

#[test]
fn the_question_about_an_interrupted_run_counts_what_failed() {
    let mut app = loaded();
    let mut run = interrupted_run(BulkOperation::Rerun, false);
    run.items[0].state = ItemState::Failed("the service reported an error (500)".into());
    app.update(Message::InterruptedRuns(vec![run]), now());
    let screen = screen(&app);
    assert!(screen.contains("2 left, 1 "), "{screen}");
    // A failed one that is retried counts here too, so nothing says that its response was lost.
    assert!(screen.contains("Outcome unknown: 1"), "{screen}");
}

#[test]
fn a_resumed_run_compares_each_report_with_its_result_before() {
    let mut app = loaded();
    app.update(Message::InterruptedRuns(vec![interrupted_run(BulkOperation::Rerun, false)]), now());
    let effects = press(&mut app, "y");
    let looked = effects.iter().find_map(|effect| match effect {
        Effect::ReadItem(request, _) => Some(*request),
        _ => None,
    });
    let (third, _) = sent(&effects).remove(0);
    app.update(Message::BulkItem(looked.unwrap(), ItemReply::Looked(Ok(audited("2", 80)))), now());
    app.update(Message::BulkItem(third, ItemReply::Updated(Ok(audited("3", 12)))), now());
    assert_eq!(notice(&app), "re-run: improved 2, same 0, worse 1");
}

#[test]
fn a_resumed_run_asks_for_its_password_again() {
    let mut app = loaded();
    let operation = BulkOperation::Privacy { privacy: Privacy::Password, password: None };
    app.update(Message::InterruptedRuns(vec![interrupted_run(operation, true)]), now());
    let effects = press(&mut app, "y");
    assert!(sent(&effects).is_empty());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::DeleteRun(RunNumber(3)))), "it is not offered again");
    let marked: Vec<_> = app.targets().iter().map(|id| id.raw().to_owned()).collect();
    assert_eq!(marked, ["2", "3"]);
    press(&mut app, "e");
    assert!(app.form().is_some());
}

#[test]
fn the_form_for_marked_reports_makes_a_plan_that_skips_unchanged_ones() {
    let mut app = loaded();
    press(&mut app, "space space e right right ctrl+s");
    let effects = press(&mut app, "y");
    let begin = effects.iter().find_map(|effect| match effect {
        Effect::StoreRun(_, operation, items) => Some((operation.verb(), items.len())),
        _ => None,
    });
    assert_eq!(begin, Some(("make private", 2)));
    let mut app = loaded();
    press(&mut app, "space e right ctrl+s");
    assert_eq!(notice(&app), "Nothing to do: the report is already public");
}

#[test]
fn a_finished_re_run_counts_improved_same_and_worse_and_offers_a_retry_only_after_failures() {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    let Some(Effect::StoreRun(request, ..)) = effects.iter().find(|effect| matches!(effect, Effect::StoreRun(..)))
    else {
        panic!("{effects:?}")
    };
    let mut effects = app.update(Message::RunStored(*request, Ok(None)), now());
    let scores: std::collections::HashMap<String, u8> = five()
        .into_iter()
        .enumerate()
        .map(|(at, row)| (row.id.raw().to_owned(), row.score.unwrap().saturating_add_signed([3, 0, -2, 1, 0][at])))
        .collect();
    while let Some(at) = effects.iter().position(|effect| matches!(effect, Effect::SendItem(..))) {
        let Effect::SendItem(request, ItemWrite { id, .. }) = effects.remove(at) else { unreachable!() };
        let mut report = row(id.raw().parse().unwrap(), "https://shop.example/tea", scores[id.raw()]);
        report.generated_at = now().into();
        effects.extend(app.update(Message::BulkItem(request, ItemReply::Updated(Ok(report))), now()));
    }
    let screen = screen(&app);
    assert!(screen.contains("re-run: improved 2, same 2, worse 1"), "{screen}");
    assert!(screen.contains("Nothing failed") && !screen.contains("retr"), "{screen}");
}

/// Starts a run whose first request is rate-limited for 30 seconds. Returns the other requests in flight.
fn waiting_run() -> (App, Vec<(RequestId, String)>) {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    let mut requests = sent(&acknowledge_stored_run(&mut app, &effects));
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(Duration::from_secs(30));
    app.update(Message::BulkItem(requests.remove(0).0, ItemReply::Updated(Err(WriteFailure::Refused(limited)))), now());
    (app, requests)
}

#[test]
fn a_run_that_waits_says_until_when_and_a_failed_look_up_pauses_it() {
    let (mut app, others) = waiting_run();
    for (columns, rows) in [(100, 30), (40, 12)] {
        let screen = crate::support::session::draw(&app, columns, rows).0;
        let text = screen.replace(['│', '\n'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let hint = "Waiting until 14:02:30 · x cancels the rest · Esc closes, it continues";
        assert!(text.contains(hint), "{screen}");
    }
    // The second response is lost, and so is the look-up after it.
    for (request, _) in &others {
        let lost = WriteFailure::Unsure {
            failure: failure(FailureKind::TimedOut),
            found: LookupOutcome::Unknown(failure(FailureKind::Unreachable)),
        };
        app.update(Message::BulkItem(*request, ItemReply::Updated(Err(lost))), now());
    }
    press(&mut app, "x");
    assert!(notice(&app).ends_with("2 failed, 3 skipped"), "{}", notice(&app));
    let looks = |effects: &[Effect]| {
        let look = |effect: &Effect| if let Effect::ReadItem(request, _) = effect { Some(*request) } else { None };
        effects.iter().filter_map(look).collect::<Vec<_>>()
    };
    let effects = press(&mut app, "r");
    assert!(looks(&acknowledge_stored_run(&mut app, &effects)).is_empty(), "the service still asks to wait");
    let looked = looks(&app.update(Message::Tick, now() + SignedDuration::from_secs(30)));
    assert_eq!(looked.len(), 2, "failed ones are looked up before they are sent again");
    let unreachable = Failure::new(FailureKind::Unreachable, "the service cannot be reached", "");
    for request in looked {
        app.update(Message::BulkItem(request, ItemReply::Looked(Err(unreachable.clone()))), now());
    }
    let shown = screen(&app);
    assert!(shown.contains("paused: the service cannot be reached") && shown.contains("to be checked"), "{shown}");
    let looked = looks(&press(&mut app, "space"));
    assert_eq!(looked.len(), 2, "and again when the run is resumed");
    let missing = Failure::new(FailureKind::NotFound, "not found", "");
    for request in looked {
        app.update(Message::BulkItem(request, ItemReply::Looked(Err(missing.clone()))), now());
    }
    assert!(screen(&app).contains("it no longer exists"), "{}", screen(&app));
    press(&mut app, "r");
}

#[test]
fn the_footer_tells_that_a_run_waits_or_is_paused_while_its_list_is_closed() {
    let (mut app, _) = waiting_run();
    press(&mut app, "esc");
    let last_lines = |app: &App, columns, rows| {
        let screen = crate::support::session::draw(app, columns, rows).0;
        screen.lines().rev().take(3).collect::<Vec<_>>().join("\n")
    };
    for (columns, rows, text) in [(160, 48, "waits until 14:02:30 ·"), (40, 12, "waits until 14:02:3…")] {
        let footer = last_lines(&app, columns, rows);
        assert!(footer.contains(&format!("re-running 0/5, {text}")), "{footer}");
    }
    app.update(Message::Tick, now() + SignedDuration::from_secs(30));
    let footer = last_lines(&app, 160, 48);
    assert!(footer.contains("re-running 0/5") && !footer.contains("waits"), "{footer}");
    press(&mut app, "x enter space");
    let list = screen(&app);
    assert!(list.contains("Esc closes, it stays paused") && !list.contains("it continues"), "{list}");
    press(&mut app, "esc");
    let footer = last_lines(&app, 40, 12);
    assert!(footer.contains("re-running 0/5 · paused: by you"), "{footer}");
}

#[test]
fn a_change_of_privacy_is_not_expected_to_take_as_long_as_the_re_runs_before_it() {
    let mut app = loaded();
    for (audits, took) in [(false, 1_000), (true, 40_000), (true, 40_000)] {
        let exchange = Exchange {
            at: now(),
            method: "PUT",
            path: "/api/v1/reports/1".to_owned(),
            audits,
            status: Some(200),
            took: Duration::from_millis(took),
            bytes: 1_000,
            limit: None,
            attempt: 1,
            problem: String::new(),
        };
        app.update(Message::Exchange(exchange), now());
    }
    press(&mut app, "V x");
    press(&mut app, "down down enter");
    let text = screen(&app);
    assert!(text.contains("Make private 5 reports?") && text.contains("10 requests, about 4 s"), "{text}");
    press(&mut app, "esc t");
    let text = screen(&app);
    assert!(text.contains("5 requests, about 80 s"), "{text}");
}

#[test]
fn enter_in_the_list_of_a_run_opens_the_report() {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    acknowledge_stored_run(&mut app, &effects);
    press(&mut app, "g down enter");
    assert_eq!((app.context(), app.screen.focus), (Context::Panes, Pane::Report));
    assert_eq!(cursor(&app).as_deref(), Some("2"));
}

#[test]
fn the_reports_of_a_project_are_not_called_marked() {
    let mut app = loaded();
    press(&mut app, "1 j e");
    assert!(screen(&app).contains("Privacy of blog.example: 2 reports"), "{}", screen(&app));
    press(&mut app, "esc x j enter");
    assert_eq!(notice(&app), "Nothing to do: each of the 2 reports is already public");
}

#[test]
fn the_list_of_a_run_says_what_its_key_does_now() {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    acknowledge_stored_run(&mut app, &effects);
    let text = screen(&app);
    assert!(text.contains("Space pauses · x cancels") && text.contains("Space pause  "), "{text}");
    press(&mut app, "space");
    let text = screen(&app);
    assert!(text.contains("Space resumes · x cancels") && text.contains("Space resume  "), "{text}");
}

#[test]
fn a_run_that_has_ended_says_why_it_cannot_be_paused_or_cancelled() {
    let mut app = loaded();
    let effects = press(&mut app, "space t y");
    let effects = acknowledge_stored_run(&mut app, &effects);
    let sent = sent(&effects);
    app.update(Message::BulkItem(sent[0].0, ItemReply::Updated(Ok(audited(&sent[0].1, 64)))), now());
    for key in ["space", "x"] {
        press(&mut app, key);
        assert_eq!(notice(&app), "The run has ended", "{key}");
    }
}

#[test]
fn the_end_of_a_run_does_not_offer_a_key_that_sets_a_state_in_the_queue() {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    press(&mut app, "x esc Q");
    assert_eq!(app.context(), Context::Queue);
    for (request, id) in &first {
        app.update(Message::BulkItem(*request, ItemReply::Updated(Ok(audited(id, 92)))), now());
    }
    // `x` means "won't fix" here.
    let notice = notice(&app);
    assert!(notice.ends_with("2 skipped (x in the list shows the run)"), "{notice}");
}

#[test]
fn a_long_reason_of_a_pause_leaves_room_for_the_keys() {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let why =
        "Updating the report failed: the connection to seo.example was lost (closed before the message was complete)";
    let lost = Failure::new(FailureKind::Unreachable, why, "");
    app.update(Message::BulkItem(first[0].0, ItemReply::Updated(Err(WriteFailure::Refused(lost)))), now());
    for columns in [80, 120] {
        let screen = crate::support::session::draw(&app, columns, 30).0;
        let footer = screen.lines().rev().nth(1).unwrap();
        assert!(footer.contains("paused: ") && footer.contains("Space resume"), "{footer}");
    }
    press(&mut app, "esc");
    for columns in [80, 120] {
        let screen = crate::support::session::draw(&app, columns, 30).0;
        let footer = screen.lines().rev().nth(1).unwrap();
        assert!(footer.contains("paused: ") && footer.contains("x menu") && footer.contains("? keys"), "{footer}");
    }
}

#[test]
fn a_form_keeps_its_password_until_its_plan_is_confirmed() {
    let password = |app: &App| app.form().map(|form| form.password.value().to_owned());
    let mut app = loaded();
    press(&mut app, "V e right right right tab t e a ctrl+s");
    assert!(matches!(app.overlays.last(), Some(Overlay::Dialog(_))));
    press(&mut app, "esc");
    assert_eq!(password(&app).as_deref(), Some("tea"), "the plan was cancelled");
    let effects = press(&mut app, "ctrl+s y");
    assert_eq!(password(&app), None);
    assert!(matches!(app.overlays.last(), Some(Overlay::Run(_))));

    acknowledge_stored_run(&mut app, &effects);
    press(&mut app, "esc G e right right right tab t e a ctrl+s");
    let notice = notice(&app);
    assert!(notice.contains("other reports"), "{notice}");
    assert_eq!(password(&app).as_deref(), Some("tea"), "another run is active");
}

#[test]
fn marked_reports_are_planned_while_the_report_under_the_cursor_is_being_updated() {
    for (keys, expected) in [("t", "Re-run 2 reports?"), ("D", "Delete 2 reports?"), ("e", "Privacy of 2 reports")] {
        let mut app = loaded();
        press(&mut app, "t j space space g");
        assert_eq!(cursor(&app).as_deref(), Some("1"), "its re-run has not ended");
        press(&mut app, keys);
        assert!(screen(&app).contains(expected), "{keys}: {:?}", app.ctx.notice);
    }
}

#[test]
fn a_key_that_is_rejected_during_a_run_can_be_replaced() {
    let mut app = loaded();
    let effects = press(&mut app, "V t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let rejected = || ItemReply::Updated(Err(WriteFailure::Refused(failure(FailureKind::Unauthorised))));
    app.update(Message::BulkItem(first[0].0, rejected()), now());
    assert!(screen(&app).contains("K in the list enters another one"), "{}", screen(&app));
    for (request, _) in &first[1..] {
        app.update(Message::BulkItem(*request, rejected()), now());
    }
    press(&mut app, "esc K k 1 enter");
    assert!(app.ctx.key_refusal.is_none());
    assert_eq!(sent(&press(&mut app, "x enter space")).len(), 3, "the paused run goes on");
}

#[test]
fn a_report_that_no_longer_exists_leaves_the_list_in_a_run_as_after_a_single_write() {
    for keys in ["V t y", "V x j j enter y"] {
        let mut app = loaded();
        let effects = press(&mut app, keys);
        let first = sent(&acknowledge_stored_run(&mut app, &effects));
        let (request, gone) = first[0].clone();
        let missing = Failure::new(FailureKind::NotFound, "it does not exist (404)", "");
        let reply = ItemReply::Updated(Err(WriteFailure::Refused(missing)));
        app.update(Message::BulkItem(request, reply), now());
        assert!(app.reports.listing.row(&ReportId::new(&gone)).is_none(), "{keys}");
        assert!(app.targets().iter().all(|id| id.raw() != gone), "{keys}: its mark is gone too");
        let state = &app.jobs.bulk.as_ref().unwrap().run.items[0].state;
        assert!(matches!(state, ItemState::Failed(why) if why.contains("does not exist")), "{state:?}");
    }
    // A retry looks first whether the report still exists.
    let mut app = loaded();
    let effects = press(&mut app, "space t y");
    let first = sent(&acknowledge_stored_run(&mut app, &effects));
    let refused = Failure::new(FailureKind::Forbidden, "not yours", "");
    let reply = ItemReply::Updated(Err(WriteFailure::Refused(refused)));
    app.update(Message::BulkItem(first[0].0, reply), now());
    assert!(app.reports.listing.row(&ReportId::new(&first[0].1)).is_some(), "another refusal leaves the row");
    let effects = press(&mut app, "r");
    let effects = acknowledge_stored_run(&mut app, &effects);
    let looked = effects.iter().find_map(|effect| match effect {
        Effect::ReadItem(request, _) => Some(*request),
        _ => None,
    });
    let missing = Failure::new(FailureKind::NotFound, "it does not exist (404)", "");
    app.update(Message::BulkItem(looked.unwrap(), ItemReply::Looked(Err(missing))), now());
    assert!(app.reports.listing.row(&ReportId::new(&first[0].1)).is_none());
}
