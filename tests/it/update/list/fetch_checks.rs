//! Checks missing from lists: fetched in the background, stopped by Esc, kept by a refresh.

use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::report::check::{Check, CheckOutcome};
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::domain::report::{Details, Report, ReportId};
use reportdeck::domain::triage::causes::lines::find_causes;

use crate::support::states::*;
use crate::update::screen;

fn asked(effects: &[Effect]) -> Vec<(RequestId, ReportId)> {
    let ask = |effect: &Effect| match effect {
        Effect::ShowChecks(request, id) => Some((*request, id.clone())),
        _ => None,
    };
    effects.iter().filter_map(ask).collect()
}

/// A row without checks.
fn plain(number: u32) -> Report {
    Report { failed: FailedChecks::default(), ..row(number, "https://shop.example/tea", 20) }
}

/// Twenty bad reports listed without checks, after pressing `w`.
fn looking() -> (App, Vec<Effect>) {
    let (mut app, effects) = connected();
    let rows: Vec<Report> = (1..=20).map(plain).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 20))), now());
    let effects = press(&mut app, "w");
    let find = effects.iter().find_map(|effect| match effect {
        Effect::FindCauses(request, rows, places) => Some((*request, find_causes(rows, places))),
        _ => None,
    });
    let (request, found) = find.unwrap();
    let effects = app.update(Message::Causes(request, Box::new(found)), now());
    (app, effects)
}

fn opened(id: &ReportId) -> Report {
    let check = Check {
        id: "title".into(),
        category: None,
        importance: None,
        outcome: CheckOutcome::Failed,
        value: serde_json::Value::Null,
        errors: Vec::new(),
    };
    let mut report = plain(id.raw().parse().unwrap());
    report.details = Some(Box::new(Details { checks: Some(vec![check]), ..Details::default() }));
    report
}

#[test]
fn unknown_checks_are_fetched_in_the_background_and_update_the_causes() {
    let (mut app, mut effects) = looking();
    assert!(screen(&app).contains("being fetched"), "{}", screen(&app));
    let mut most = 0;
    let mut fetched = 0;
    while let Some((request, id)) = asked(&effects).first().cloned() {
        most = most.max(asked(&effects).len());
        effects.retain(|effect| !matches!(effect, Effect::ShowChecks(of, _) if *of == request));
        effects.extend(app.update(Message::Checks(request, Ok(opened(&id))), now()));
        fetched += 1;
        if fetched == 5 {
            assert!(app.checks_text().unwrap().starts_with("checks of 5/20"));
        }
    }
    assert_eq!((fetched, most), (20, 4));
    assert!(app.checks_text().is_none());
    let again = effects.iter().find_map(|effect| match effect {
        Effect::FindCauses(request, rows, places) => Some((*request, find_causes(rows, places))),
        _ => None,
    });
    let (request, found) = again.expect("the open list is computed again");
    app.update(Message::Causes(request, Box::new(found)), now());
    assert!(screen(&app).contains("Causes of 20 bad reports · 1 check failing"), "{}", screen(&app));
}

#[test]
fn escape_stops_fetching_checks() {
    let (mut app, effects) = looking();
    let effects_of_escape = press(&mut app, "esc esc");
    let cancelled = effects_of_escape.iter().filter(|effect| matches!(effect, Effect::Cancel(_))).count();
    assert_eq!(cancelled, asked(&effects).len());
    assert!(app.checks_text().is_none());
}

#[test]
fn reconnecting_with_a_renewed_key_stops_fetching_checks() {
    let (mut app, _) = looking();
    let request = reports_request(&press(&mut app, "esc r"));
    app.update(Message::Reports(request, Err(failure(FailureKind::Unauthorised))), now());
    assert!(app.checks_text().is_some());
    press(&mut app, "R");
    assert!(app.checks_text().is_none(), "connecting cancels its requests, and none would answer");
}

#[test]
fn a_rate_limited_fetch_of_checks_waits_as_long_as_the_service_asks() {
    let (mut app, effects) = looking();
    let (request, _) = asked(&effects)[0].clone();
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(std::time::Duration::from_secs(7));
    app.update(Message::Checks(request, Err(limited)), now());
    let waits = ", waits until 14:02:07";
    assert!(app.checks_text().unwrap().contains(waits), "{:?}", app.checks_text());
    let then = now() + jiff::SignedDuration::from_secs(7);
    assert!(app.wake_at().is_some_and(|at| at <= then));
    assert_eq!(
        asked(&app.update(Message::Tick, then)).len(),
        1,
        "the same report again, and no more requests than before"
    );
}

#[test]
fn a_refresh_keeps_fetched_checks() {
    let (mut app, effects) = looking();
    let (request, id) = asked(&effects)[0].clone();
    app.update(Message::Checks(request, Ok(opened(&id))), now());
    let effects = press(&mut app, "esc esc r");
    let rows: Vec<Report> = (1..=20).map(plain).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 20))), now());
    assert_eq!(app.reports.listing.row(&id).unwrap().failing().map(|failing| failing.len()), Some(1));
}

#[test]
fn checks_requested_before_a_re_run_do_not_replace_its_result() {
    let (mut app, effects) = looking();
    let (late, id) = asked(&effects)[0].clone();
    let effects = press(&mut app, "esc g t");
    let rerun = effects.iter().find_map(|effect| match effect {
        Effect::Update(request, updated, ..) if *updated == id => Some(*request),
        _ => None,
    });
    let audited = Report { generated_at: Some(now()), ..row(1, "https://shop.example/tea", 90) };
    let effects = app.update(Message::Updated(rerun.unwrap(), Ok(UpdateOutcome::Saved(audited))), now());
    let again = asked(&effects);
    app.update(Message::Checks(late, Ok(opened(&id))), now());
    assert_eq!(app.reports.listing.row(&id).unwrap().score, Some(90));
    assert!(matches!(&again[..], [(_, asked)] if *asked == id), "they are requested again: {again:?}");
}

#[test]
fn three_failures_in_a_row_stop_the_fetch_with_their_reason() {
    for (kind, stops) in [(FailureKind::Service, true), (FailureKind::NotFound, false)] {
        let (mut app, mut effects) = looking();
        press(&mut app, "esc");
        for failures in 1..=3 {
            let (request, _) = asked(&effects)[0].clone();
            effects.retain(|effect| !matches!(effect, Effect::ShowChecks(of, _) if *of == request));
            effects.extend(app.update(Message::Checks(request, Err(failure(kind))), now()));
            assert_eq!(app.checks_text().is_none(), stops && failures == 3, "{kind:?}: {failures}");
        }
        let is_reported = notice(&app).contains("the service reported an error");
        assert_eq!(is_reported, stops, "{kind:?}: {}", notice(&app));
        // Reports that are gone do not keep the others from being fetched.
        while let Some((request, id)) = asked(&effects).first().cloned().filter(|_| !stops) {
            effects.retain(|effect| !matches!(effect, Effect::ShowChecks(of, _) if *of == request));
            effects.extend(app.update(Message::Checks(request, Ok(opened(&id))), now()));
        }
        if !stops {
            assert_eq!(notice(&app), "Fetched the checks of 20 reports: w shows common causes");
        }
    }
}
