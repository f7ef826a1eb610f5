//! Creating many reports from one form: a few requests at a time; rejected URLs return to the form.

use std::time::Duration;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::Message;
use reportdeck::domain::failure::{Failure, FailureKind, FieldError, LookupOutcome, WriteFailure};
use reportdeck::input::Input;

use crate::support::states::*;

fn created(effects: &[Effect]) -> Vec<(RequestId, String)> {
    let create = |effect: &Effect| match effect {
        Effect::Create(request, new) => Some((*request, new.url.clone())),
        _ => None,
    };
    effects.iter().filter_map(create).collect()
}

fn draft(effects: &[Effect]) -> Option<String> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::StoreDraft(draft) => Some(draft.text.clone()),
        _ => None,
    })
}

fn pasted(text: &str) -> (App, Vec<Effect>) {
    let mut app = loaded();
    press(&mut app, "n");
    app.update(Message::Input(Input::Paste(text.to_owned())), now());
    let effects = press(&mut app, "ctrl+s");
    (app, effects)
}

fn refused() -> WriteFailure {
    let mut failure = Failure::new(FailureKind::Invalid, "the service refused it", "");
    failure.fields = vec![FieldError { field: "url".into(), texts: vec!["not a page".into()] }];
    WriteFailure::Refused(failure)
}

#[test]
fn an_earlier_report_of_a_page_is_not_taken_for_one_whose_response_was_lost() {
    let lost = || {
        let found = LookupOutcome::Report(Box::new(five()[0].clone()));
        WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found }
    };
    let (mut app, _) = pasted("shop.example/tea\nnew.example");
    let requests = created(&press(&mut app, "y"));
    app.update(Message::Created(requests[0].0, Err(lost())), now());
    assert_eq!(app.creation_text().unwrap(), "auditing 1/2 pages, 1 with unknown outcome");
    let (mut app, _) = pasted("shop.example/tea");
    let requests = created(&press(&mut app, "y"));
    app.update(Message::Created(requests[0].0, Err(lost())), now());
    assert!(app.form().is_some_and(|form| form.problem.is_some()), "{:?}", app.ctx.notice);
}

#[test]
fn cells_of_a_pasted_table_are_pages_of_their_own() {
    let (_, effects) = pasted("a.example\tb.example\t\n\tc.example\n");
    let urls: Vec<_> = created(&effects).into_iter().map(|(_, url)| url).collect();
    assert_eq!(urls, ["a.example", "b.example", "c.example"]);
}

#[test]
fn each_line_becomes_a_report_and_rejected_lines_return_to_the_form() {
    let (mut app, effects) = pasted("a.example\n\n  b.example \r\nc.example\nd.example\na.example\n");
    let first = created(&effects);
    let urls: Vec<&str> = first.iter().map(|(_, url)| url.as_str()).collect();
    assert_eq!(urls, ["a.example", "b.example", "c.example"], "three requests at a time, each sent once");
    assert!(app.form().is_none());
    assert_eq!(app.creation_text().unwrap(), "auditing 0/4 pages (Esc stops)");
    let effects = app.update(Message::Created(first[0].0, Ok(row(71, "https://a.example/", 92))), now());
    let more = created(&effects);
    assert_eq!(more[0].1, "d.example");
    assert_eq!(draft(&effects).unwrap(), "b.example\nc.example\nd.example", "created reports are not created again");
    app.update(Message::Created(first[1].0, Err(refused())), now());
    let unsure = WriteFailure::Unsure {
        failure: Failure::new(FailureKind::TimedOut, "no answer", ""),
        found: LookupOutcome::Report(Box::new(row(72, "https://c.example/", 31))),
    };
    app.update(Message::Created(first[2].0, Err(unsure)), now());
    app.update(Message::Created(more[0].0, Ok(row(73, "https://d.example/", 31))), now());
    let form = app.form().unwrap();
    assert_eq!(form.urls(), ["b.example"]);
    assert_eq!(form.errors[0].texts, ["b.example: not a page"]);
    assert_eq!(shown(&app).len(), 8);
}

#[test]
fn rejected_lines_keep_their_order_whatever_the_order_of_the_replies() {
    let (mut app, effects) = pasted("a.example\nb.example\nc.example");
    let sent = created(&effects);
    let effects = app.update(Message::Created(sent[2].0, Err(refused())), now());
    assert_eq!(draft(&effects).unwrap(), "a.example\nb.example\nc.example");
    app.update(Message::Created(sent[1].0, Ok(row(71, "https://b.example/", 92))), now());
    app.update(Message::Created(sent[0].0, Err(refused())), now());
    let form = app.form().unwrap();
    assert_eq!(form.urls(), ["a.example", "c.example"]);
    assert_eq!(form.errors[0].texts, ["a.example: not a page", "c.example: not a page"]);
}

#[test]
fn creating_all_pages_leaves_no_draft_and_keeps_the_cursor() {
    let (mut app, effects) = pasted("a.example\nb.example");
    let before = cursor(&app);
    let mut last = Vec::new();
    for (place, (request, url)) in (80_u32..).zip(created(&effects)) {
        last = app.update(Message::Created(request, Ok(row(place, &format!("https://{url}/"), 92))), now());
    }
    assert_eq!(cursor(&app), before);
    assert!(app.form().is_none() && app.creation_text().is_none());
    assert_eq!(notice(&app), "2 reports created");
    assert!(last.iter().any(|effect| matches!(effect, Effect::DeleteDraft(_))));
}

#[test]
fn the_first_created_page_requests_the_projects_if_there_were_none() {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(Vec::new(), None, 0))), now());
    let mut none = two_projects();
    none.rows.clear();
    app.update(Message::Projects(projects_request(&effects), Ok(none)), now());
    press(&mut app, "n");
    app.update(Message::Input(Input::Paste("shop.example/1\nshop.example/2\nshop.example/3".to_owned())), now());
    let requests = created(&press(&mut app, "ctrl+s"));
    let mut reply = |at: usize| {
        let report = row(at as u32 + 1, &format!("https://shop.example/{at}"), 50);
        app.update(Message::Created(requests[at].0, Ok(report)), now())
    };
    projects_request(&reply(0));
    let asks = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::ListProjects(..)));
    assert!(!asks(&reply(1)), "they are requested already");
}

#[test]
fn quitting_waits_for_running_requests_and_drafts_the_rest() {
    let (mut app, effects) = pasted("a.example\nb.example\nc.example\nd.example");
    assert!(!press(&mut app, "q").iter().any(|effect| matches!(effect, Effect::Quit)));
    let mut kept = None;
    let mut quit = false;
    for (place, (request, _)) in (80_u32..).zip(created(&effects)) {
        let effects = app.update(Message::Created(request, Ok(row(place, "https://x.example/", 92))), now());
        assert!(created(&effects).is_empty());
        kept = draft(&effects).or(kept);
        quit |= effects.iter().any(|effect| matches!(effect, Effect::Quit));
    }
    assert_eq!((kept.as_deref(), quit), (Some("d.example"), true));
}

#[test]
fn pages_that_fail_call_quitting_off_and_no_more_are_sent() {
    let (mut app, effects) = pasted("a.example\nb.example\nc.example\nd.example");
    press(&mut app, "q");
    for (request, _) in created(&effects) {
        let effects = app.update(Message::Created(request, Err(refused())), now());
        assert!(created(&effects).is_empty() && !effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    }
    assert_eq!(notice(&app), "0 reports created, 3 rejected, 1 not sent: n shows them");
    assert!(app.session.unread_failure.is_some());
}

#[test]
fn escape_stops_sending_pages_and_the_form_has_the_rest() {
    let (mut app, effects) = pasted("a.example\nb.example\nc.example\nd.example\ne.example");
    assert_eq!(app.creation_text().unwrap(), "auditing 0/5 pages (Esc stops)");
    press(&mut app, "esc");
    assert_eq!(app.creation_text().unwrap(), "auditing 0/5 pages, 2 not sent");
    let sent = created(&effects);
    let rejected = app.update(Message::Created(sent[0].0, Err(refused())), now());
    let limited = WriteFailure::Refused(failure(FailureKind::RateLimited));
    let waits = app.update(Message::Created(sent[1].0, Err(limited)), now());
    assert!(created(&rejected).is_empty() && created(&waits).is_empty());
    app.update(Message::Created(sent[2].0, Ok(row(71, "https://c.example/", 92))), now());
    assert_eq!(notice(&app), "1 report created, 1 rejected, 3 not sent: n shows them (stopped)");
    assert!(app.creation_text().is_none());
    press(&mut app, "n");
    assert_eq!(app.form().unwrap().urls(), ["a.example", "b.example", "d.example", "e.example"]);
    press(&mut app, "esc esc");
    assert!(app.overlays.is_empty());
}

#[test]
fn a_failure_that_concerns_all_pages_stops_sending_them() {
    for kind in [FailureKind::Unauthorised, FailureKind::Unreachable] {
        let (mut app, effects) = pasted("a.example\nb.example\nc.example\nd.example\ne.example");
        for (request, _) in created(&effects) {
            let effects = app.update(Message::Created(request, Err(WriteFailure::Refused(failure(kind)))), now());
            assert!(created(&effects).is_empty(), "{kind:?}");
        }
        let failed = "Listing reports failed: the service reported an error (500)";
        assert_eq!(notice(&app), format!("0 reports created, 5 not sent: n shows them ({failed})"));
        assert_eq!(app.ctx.key_refusal.is_some(), kind == FailureKind::Unauthorised);
    }
    let (mut app, effects) = pasted(&(0..20).map(|number| format!("{number}.example")).collect::<Vec<_>>().join("\n"));
    let mut sent = created(&effects);
    let mut count = 0;
    while let Some((request, _)) = sent.pop() {
        count += 1;
        let failed = WriteFailure::Refused(failure(FailureKind::Service));
        sent.extend(created(&app.update(Message::Created(request, Err(failed)), now())));
    }
    assert_eq!(count, 12, "ten failures in a row, and those in flight then");
    let stopped = "0 reports created, 12 rejected, 8 not sent: n shows them (";
    assert!(notice(&app).starts_with(stopped), "{}", notice(&app));
}

#[test]
fn lost_responses_are_not_counted_as_rejected() {
    let (mut app, effects) = pasted("a.example\nb.example\nc.example\nd.example");
    press(&mut app, "esc");
    for (request, url) in created(&effects) {
        let failure = failure(FailureKind::Unreachable);
        let lost = WriteFailure::Unsure { found: LookupOutcome::Unknown(failure.clone()), failure };
        app.update(Message::Created(request, Err(if url == "a.example" { refused() } else { lost })), now());
    }
    let outcome = "0 reports created, 1 rejected, 2 with unknown outcome, 1 not sent: n shows them (stopped)";
    assert_eq!(notice(&app), outcome);
}

#[test]
fn no_other_form_takes_the_place_of_pages_that_are_being_audited() {
    let (mut app, effects) = pasted("a.example\nb.example");
    press(&mut app, "n");
    assert!(app.form().is_none());
    assert_eq!(notice(&app), "The pages of another form are still being audited");
    for (request, url) in created(&effects) {
        app.update(Message::Created(request, Ok(row(71, &format!("https://{url}/"), 92))), now());
    }
    press(&mut app, "n");
    assert!(app.form().unwrap().urls().is_empty());
}

#[test]
fn a_rate_limited_page_of_a_form_is_sent_again_after_the_wait() {
    let (mut app, effects) = pasted("a.example\nb.example");
    let limited = Failure { retry_after: Some(Duration::from_secs(7)), ..failure(FailureKind::RateLimited) };
    app.update(Message::Created(created(&effects)[0].0, Err(WriteFailure::Refused(limited))), now());
    let again =
        |app: &mut App, seconds| created(&app.update(Message::Tick, now() + SignedDuration::from_secs(seconds)));
    assert!(again(&mut app, 6).is_empty());
    let urls: Vec<_> = again(&mut app, 7).into_iter().map(|(_, url)| url).collect();
    assert_eq!(urls, ["a.example"]);
}

#[test]
fn a_key_that_is_rejected_for_pages_of_a_form_can_be_replaced() {
    let (mut app, effects) = pasted("a.example\nb.example");
    for (request, _) in created(&effects) {
        let rejected = WriteFailure::Refused(failure(FailureKind::Unauthorised));
        app.update(Message::Created(request, Err(rejected)), now());
    }
    assert!(app.ctx.key_refusal.is_some());
}
