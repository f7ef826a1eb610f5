//! Connecting: automatic retries with backoff, retries by a key, and switching profiles.

use std::time::Duration;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::ctx::Connection;
use reportdeck::app::effect::Effect;
use reportdeck::app::jobs::state::DELETE_DELAY;
use reportdeck::app::message::{Connected, Message};
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::overview::Overview;
use reportdeck::input::{Context, Input};

use crate::support::states::*;
use crate::update::screen;

fn connects(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Connect(_))).count()
}

fn failed(kind: FailureKind) -> App {
    let mut app = started();
    app.update(Message::Connected(Err(failure(kind))), now());
    app
}

#[test]
fn an_unreachable_service_is_retried_with_backoff() {
    let mut app = failed(FailureKind::Unreachable);
    let mut time = now();
    assert_eq!(app.wake_at().map(|at| at <= time + SignedDuration::from_secs(5)), Some(true));
    assert_eq!(connects(&app.update(Message::Tick, time + SignedDuration::from_secs(4))), 0);
    time += SignedDuration::from_secs(5);
    assert_eq!(connects(&app.update(Message::Tick, time)), 1);
    assert_eq!(connects(&app.update(Message::Tick, time + SignedDuration::from_secs(60))), 0, "one attempt at a time");
}

#[test]
fn a_local_error_is_not_retried_automatically() {
    let mut app = failed(FailureKind::Local);
    assert_eq!(connects(&app.update(Message::Tick, now() + SignedDuration::from_secs(600))), 0);
    assert_eq!(connects(&press(&mut app, "r")), 1);
    assert!(matches!(app.ctx.connection, Connection::Starting));
    assert_eq!(connects(&press(&mut app, "r")), 0, "an attempt is running");
}

#[test]
fn cached_rows_are_refreshed_once_the_service_is_back() {
    let (mut app, effects) = connected_with_cached_rows();
    app.update(Message::Reports(reports_request(&effects), Err(failure(FailureKind::Unreachable))), now());
    let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(5));
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    assert!(!app.reports.listing.is_cached);
    let later = app.update(Message::Tick, now() + SignedDuration::from_secs(600));
    assert!(!later.iter().any(|effect| matches!(effect, Effect::ListReports { .. })), "only once");
}

#[test]
fn a_report_that_could_not_be_read_is_read_again_with_the_list() {
    let (mut app, effects) = connected_with_cached_rows();
    let request = report_request(&press(&mut app, "enter"));
    app.update(Message::Report(request, Err(failure(FailureKind::Unreachable))), now());
    app.update(Message::Reports(reports_request(&effects), Err(failure(FailureKind::Unreachable))), now());
    app.update(Message::Tick, now() + SignedDuration::from_secs(5));
    report_request(&app.update(Message::Tick, now() + SignedDuration::from_secs(6)));
}

#[test]
fn a_service_that_fails_at_the_start_is_asked_again_within_a_minute() {
    for (asked, expected) in [(None, 5), (Some(2), 5), (Some(20), 20), (Some(900), 60)] {
        let (mut app, effects) = connected();
        let failure = Failure { retry_after: asked.map(Duration::from_secs), ..failure(FailureKind::Service) };
        app.update(Message::Reports(reports_request(&effects), Err(failure)), now());
        let reads = |app: &mut App, seconds| {
            let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(seconds));
            effects.iter().any(|effect| matches!(effect, Effect::ListReports { .. }))
        };
        assert!(!reads(&mut app, expected - 1));
        assert!(reads(&mut app, expected));
    }
}

#[test]
fn switching_profiles_starts_with_an_empty_state() {
    let mut app = loaded();
    assert!(press(&mut app, "A").is_empty() && notice(&app).contains("no other profile"));
    add_profiles(&mut app);
    app.session.profile = Some("work".to_owned());
    app.ctx.key_refusal = Some("The service does not accept the API key (401)".to_owned());
    press(&mut app, "V A");
    assert!(screen(&app).contains("work · work.example (now)"));
    let effects = press(&mut app, "j enter");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Connect(Some(name)) if name == "home")));
    assert!(app.reports.selection.is_empty() && app.reports.listing.loaded() == 0 && app.overlays.is_empty());
    assert!(app.ctx.key_refusal.is_none());
    let connected =
        Connected { name: "home".into(), host: "home.example".into(), read_only: true, accent: None, directory: None };
    let effects = app.update(Message::Connected(Ok(connected)), now());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ListReports { .. })));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ReadCachedRows(None))));
    assert!(screen(&app).contains("home.example · read-only"));
}

#[test]
fn an_empty_list_offers_to_create_a_report_where_that_is_allowed() {
    let empty = |read_only| {
        let (mut app, effects) = connected();
        app.ctx.read_only = read_only;
        app.update(Message::Reports(reports_request(&effects), Ok(page(Vec::new(), None, 0))), now());
        screen(&app)
    };
    assert!(empty(false).contains("n creates one"));
    let refused = empty(true);
    assert!(refused.contains("This session is read-only.") && !refused.contains("n creates one"), "{refused}");
}

#[test]
fn a_report_created_at_one_service_is_not_added_to_another() {
    let (mut app, effects) = connected();
    add_profiles(&mut app);
    let listing = reports_request(&effects);
    press(&mut app, "n a . e x a m p l e");
    let created = create_request(&press(&mut app, "ctrl+s"));
    app.update(Message::Created(created, Ok(row(77, "https://a.example/", 50))), now());
    press(&mut app, "A j enter");
    let connected =
        Connected { name: "home".into(), host: String::new(), read_only: false, accent: None, directory: None };
    let effects = app.update(Message::Connected(Ok(connected)), now());
    app.update(Message::Reports(listing, Ok(page(five(), None, 5))), now());
    assert_eq!(app.reports.listing.loaded(), 0, "a page of the previous service is ignored");
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    assert_eq!(shown(&app).len(), 5, "{:?}", shown(&app));
}

#[test]
fn the_embedded_service_asks_for_no_key() {
    let mut app = loaded();
    press(&mut app, "K");
    assert!(matches!(app.overlays.last(), Some(Overlay::Key(_))));
    press(&mut app, "esc");
    let (name, directory) = ("embedded".to_owned(), Some("/data".to_owned()));
    let embedded = Connected { name, host: String::new(), read_only: false, accent: None, directory };
    app.update(Message::Connected(Ok(embedded)), now());
    press(&mut app, "K");
    assert!(app.overlays.last().is_none(), "a wrong key would be refused until the program ends");
    assert!(screen(&app).contains("The embedded service needs no key"));
}

#[test]
fn the_counts_of_one_service_are_not_shown_for_the_next() {
    let mut app = loaded();
    add_profiles(&mut app);
    let counts = press(&mut app, "0").into_iter().find_map(|effect| match effect {
        Effect::CountOverview(request, rows, project, context) => {
            Some(Message::Overview(request, Box::new(Overview::of(&rows, project.as_ref(), &context))))
        }
        _ => None,
    });
    app.update(counts.unwrap(), now());
    assert!(app.overview.counts.is_some());
    press(&mut app, "esc A j enter 0");
    assert!(app.overview.counts.is_none(), "{}", screen(&app));
}

#[test]
fn profiles_cannot_be_switched_during_a_write() {
    let pages = Message::Input(Input::Paste("a.example\nb.example".to_owned()));
    for (keys, pasted, then) in [("t", None, ""), ("D y", None, ""), ("n", Some(pages), "ctrl+s")] {
        let mut app = loaded();
        app.jobs.delete_delay = DELETE_DELAY;
        add_profiles(&mut app);
        press(&mut app, keys);
        if let Some(pages) = pasted {
            app.update(pages, now());
        }
        press(&mut app, then);
        press(&mut app, "A");
        assert!(notice(&app).contains("still being sent"), "{keys}: {}", notice(&app));
    }
}

#[test]
fn a_paused_run_is_named_as_what_prevents_switching() {
    let mut app = loaded();
    add_profiles(&mut app);
    press(&mut app, "V t y space esc A");
    assert_eq!(notice(&app), "A run over several reports has not ended: x shows it");
}

#[test]
fn profiles_and_a_new_key_are_within_reach_of_every_view_of_the_list() {
    for view in ["0", "w", "L", "Q"] {
        let mut app = loaded();
        add_profiles(&mut app);
        press(&mut app, view);
        let context = app.context();
        assert_ne!(context, Context::Panes, "{view}");
        press(&mut app, "A");
        assert_eq!(app.context(), Context::Menu, "{view}");
        press(&mut app, "esc K");
        assert_eq!(app.context(), Context::Prompt, "{view}");
        press(&mut app, "esc");
        assert_eq!(app.context(), context);
    }
}
