//! Cached rows of the last session: shown first, replaced by the service's rows, and read-only until then.

use jiff::{SignedDuration, Timestamp};
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::{FrameLayout, Pane};
use reportdeck::app::message::{Connected, Message};
use reportdeck::domain::bulk::{BulkOperation, InterruptedRun, Plan, Run, RunNumber};
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::list::cached_rows::{CachedRows, CachedRowsPart};
use reportdeck::domain::list::rows::Rows;
use reportdeck::domain::report::Report;

use crate::support::states::*;
use crate::update::screen;

fn kept(effects: &[Effect]) -> Vec<(usize, Timestamp)> {
    let kept = effects.iter().filter_map(|effect| match effect {
        Effect::StoreRows(rows, at) => Some((rows.iter().count(), *at)),
        _ => None,
    });
    kept.collect()
}

fn all_panes() -> Message {
    let visible = vec![Pane::Projects, Pane::Reports, Pane::Report];
    Message::FrameLayout(FrameLayout { reports: 3, visible, ..FrameLayout::default() })
}

/// The current rows of the service: a new one above the cached ones.
fn newer() -> Vec<Report> {
    std::iter::once(row(0, "https://new.example/", 99)).chain(five()).collect()
}

#[test]
fn the_journal_is_read_before_the_first_request() {
    assert!(matches!(started().start()[..], [Effect::ReadCachedRows(None)]));
}

#[test]
fn cached_rows_are_shown_with_their_age_before_the_service_responds() {
    let mut app = with_cached_rows();
    assert_eq!(shown(&app), ["1", "2", "3", "4", "5"]);
    assert!(screen(&app).contains("cached, as of 2026-11-20 14:02"), "{}", screen(&app));
    assert!(press(&mut app, "b").is_empty(), "there is no connection yet");
    assert_eq!(shown(&app), ["1", "2"]);
    press(&mut app, "esc S j");
    assert_eq!(shown(&app), ["5", "4", "3", "2", "1"]);
    assert!(app.reports.failure.is_none());
}

/// The first two of the cached rows, and the others as a second part.
fn in_parts() -> (CachedRows, CachedRows) {
    let all: Vec<Report> = cached_rows().rows.into_iter().collect();
    let part = |rows: &[Report], next| CachedRows { rows: rows.iter().cloned().collect(), next, ..cached_rows() };
    let next = CachedRowsPart { taken_at: cached_rows().taken_at, number: 1 };
    (part(&all[..2], Some(next)), part(&all[2..], None))
}

#[test]
fn many_cached_rows_are_shown_in_parts() {
    let (first, rest) = in_parts();
    let mut app = started();
    let effects = app.update(Message::CachedRows(Some(first.clone())), now());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ReadCachedRows(part) if *part == first.next)));
    assert_eq!(shown(&app), ["1", "2"]);
    press(&mut app, "S j");
    let cursor = cursor(&app);
    let effects = app.update(Message::CachedRows(Some(rest)), now());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::ReadCachedRows(_))), "no further parts");
    assert_eq!(shown(&app), ["5", "4", "3", "2", "1"], "in the order chosen meanwhile");
    assert_eq!(self::cursor(&app), cursor);
}

#[test]
fn superseded_parts_of_cached_rows_are_not_read() {
    let (first, rest) = in_parts();
    let (mut app, effects) = connected();
    app.update(Message::CachedRows(Some(first.clone())), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(newer(), None, 6))), now());
    let effects = app.update(Message::CachedRows(Some(CachedRows { next: first.next, ..rest })), now());
    assert!(effects.is_empty(), "{effects:?}");
    assert_eq!(shown(&app).len(), 6);
}

#[test]
fn a_filter_typed_offline_is_sent_once_the_service_responds() {
    let mut app = with_cached_rows();
    press(&mut app, "b");
    let connected =
        Connected { name: "work".into(), host: "seo.example".into(), read_only: false, accent: None, directory: None };
    let effects = app.update(Message::Connected(Ok(connected)), now());
    let Some(Effect::ListReports { query, .. }) = effects.first() else { panic!("{effects:?}") };
    assert!(query.result.is_some());
    assert_eq!(shown(&app), ["1", "2"]);
    let bad = five().into_iter().take(2).collect();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(bad, None, 2))), now());
    assert!(kept(&effects).is_empty(), "part of the list is not cached as the whole");
    assert!(!app.reports.listing.is_cached);
}

#[test]
fn no_report_is_requested_from_an_unreachable_service() {
    let mut app = with_cached_rows();
    app.update(all_panes(), now());
    assert!(press(&mut app, "j enter esc r R O").is_empty());
    assert_eq!(notice(&app), "The service is still starting");
    assert_eq!(app.report.fetch_at, None);
    let connected =
        Connected { name: "work".into(), host: "seo.example".into(), read_only: false, accent: None, directory: None };
    app.update(Message::Connected(Ok(connected)), now());
    let effects = app.update(Message::Tick, app.report.fetch_at.expect("the report is fetched now"));
    assert!(
        matches!(&effects[..], [Effect::ShowReport(_, id), Effect::ReadTimeline(..)] if id.raw() == "2"),
        "{effects:?}"
    );
}

#[test]
fn fresh_rows_replace_cached_ones_and_the_cursor_stays_on_its_report() {
    let (mut app, effects) = connected_with_cached_rows();
    app.update(all_panes(), now());
    press(&mut app, "j j");
    assert_eq!(cursor(&app).as_deref(), Some("3"));
    app.update(Message::Reports(reports_request(&effects), Ok(page(newer(), None, 6))), now());
    assert_eq!(cursor(&app).as_deref(), Some("3"));
    assert_eq!(shown(&app), ["0", "1", "2", "3", "4", "5"]);
    assert!(!screen(&app).contains("cached"));
}

#[test]
fn an_unmoved_cursor_shows_new_rows_at_the_top() {
    let (mut app, effects) = connected_with_cached_rows();
    app.update(all_panes(), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(newer(), None, 6))), now());
    assert_eq!((cursor(&app).as_deref(), app.reports.window.top), (Some("1"), 0));
}

#[test]
fn the_first_page_replaces_cached_rows_unless_the_current_row_is_still_missing() {
    let first: Vec<Report> = newer().into_iter().take(2).collect();
    let (mut app, effects) = connected_with_cached_rows();
    app.update(Message::Reports(reports_request(&effects), Ok(page(first.clone(), Some(2), 6))), now());
    assert_eq!(shown(&app), ["0", "1"]);

    let (mut app, effects) = connected_with_cached_rows();
    press(&mut app, "j j");
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(first, Some(2), 6))), now());
    assert_eq!((shown(&app).len(), cursor(&app).as_deref()), (5, Some("3")));
    let rest = newer().into_iter().skip(2).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rest, None, 6))), now());
    assert_eq!((shown(&app).len(), cursor(&app).as_deref()), (6, Some("3")));
}

#[test]
fn late_cached_rows_change_nothing() {
    let mut app = loaded();
    press(&mut app, "j");
    let mut last = cached_rows();
    last.rows.push(row(9, "https://late.example/", 5));
    app.update(Message::CachedRows(Some(last.clone())), now());
    assert_eq!((shown(&app).len(), cursor(&app).as_deref()), (5, Some("2")));
    assert!(!app.reports.listing.is_cached);
    // A service without reports has responded too.
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(Vec::new(), None, 0))), now());
    app.update(Message::CachedRows(Some(last)), now());
    assert!(shown(&app).is_empty());
}

#[test]
fn an_empty_cache_shows_no_rows() {
    for last in [None, Some(CachedRows { rows: Rows::new(), ..cached_rows() })] {
        let mut app = started();
        app.update(Message::CachedRows(last), now());
        assert!(screen(&app).contains("Loading …"), "{}", screen(&app));
    }
}

#[test]
fn a_failed_connection_keeps_cached_rows_and_explains_disabled_writes() {
    let mut app = with_cached_rows();
    let mut local = failure(FailureKind::Local);
    local.message = "The embedded service did not start: its disk is full".into();
    app.update(Message::Connected(Err(local)), now());
    assert_eq!(shown(&app).len(), 5);
    for key in ["n", "e", "t", "D", "O"] {
        assert!(press(&mut app, key).is_empty(), "{key}");
        assert!(notice(&app).contains("its disk is full"), "{key}: {}", notice(&app));
        assert!(app.overlays.is_empty(), "{key}");
    }
    press(&mut app, "b j");
    assert_eq!((shown(&app).len(), cursor(&app).as_deref()), (2, Some("2")));
    assert!(screen(&app).contains("showing 2 of 5 cached, 1 d ago"));
}

#[test]
fn a_silent_service_keeps_cached_rows_until_it_responds() {
    let mut app = offline();
    for key in ["n", "e", "t", "D"] {
        assert!(press(&mut app, key).is_empty(), "{key}");
        assert!(notice(&app).starts_with("Cached rows are read-only: Listing"), "{key}");
    }
    press(&mut app, "V t");
    assert!(app.overlays.is_empty() && notice(&app).starts_with("Cached rows are read-only"));
    let effects = press(&mut app, "r");
    assert_eq!(shown(&app).len(), 5);
    app.update(Message::Reports(reports_request(&effects), Ok(page(newer(), None, 6))), now());
    assert_eq!(shown(&app).len(), 6);
    press(&mut app, "e");
    assert!(app.form().is_some() || !app.overlays.is_empty(), "{}", notice(&app));
}

#[test]
fn a_cached_row_is_read_only_until_the_service_responds() {
    let (mut app, _) = connected_with_cached_rows();
    for key in ["e", "t", "D"] {
        assert!(press(&mut app, key).is_empty(), "{key}");
        assert_eq!(notice(&app), "Cached rows are read-only until the service responds");
    }
    assert!(press(&mut app, "V x enter").is_empty());
    assert_eq!(notice(&app), "Cached rows are read-only until the service responds");
    press(&mut app, "n");
    assert!(app.form().is_some(), "creating a report needs no row");
}

#[test]
fn an_interrupted_run_resumes_in_any_view() {
    let (mut app, _) = connected_with_cached_rows();
    let plan = Plan::new(BulkOperation::Rerun, five().iter(), |_| None);
    let items = Run::new(plan, 1).items;
    let broken = InterruptedRun { run: RunNumber(1), operation: BulkOperation::Rerun, items, needs_password: false };
    app.update(Message::InterruptedRuns(vec![broken]), now());
    let effects = press(&mut app, "y");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::SendItem(..))), "{effects:?}");
}

#[test]
fn a_complete_list_is_cached_once_with_its_time() {
    let (mut app, effects) = connected();
    let half: Vec<Report> = five().into_iter().take(3).collect();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(half, Some(2), 5))), now());
    assert!(kept(&effects).is_empty(), "a partial list is not cached");
    let later = now() + SignedDuration::from_secs(9);
    let rest = five().into_iter().skip(3).collect();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(rest, None, 5))), later);
    assert_eq!(kept(&effects), [(5, now())]);
    assert!(kept(&press(&mut app, "b S j")).is_empty());
    let request = reports_request(&press(&mut app, "esc r"));
    let effects = app.update(Message::Reports(request, Ok(page(five(), None, 5))), later);
    assert_eq!(kept(&effects), [(5, later)]);
}

#[test]
fn a_list_of_one_project_is_not_cached() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "1 j enter r"));
    let rows = five().into_iter().filter(|row| row.url.raw().contains("blog")).collect();
    let effects = app.update(Message::Reports(request, Ok(page(rows, None, 2))), now());
    assert!(kept(&effects).is_empty());
}
