//! The state machine alone: messages in any order, late, repeated or failed, and the resulting state and effects.

mod clipboard;
mod connect;
mod desk;
mod desk_assignments;
mod export;
mod facts;
mod help;
mod keys;
mod list;
mod long_random_use;
mod message;
mod mouse;
mod overview;
mod panes;
mod random;
mod triage;
mod writes;

use std::time::Duration;

use jiff::SignedDuration;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::{FrameLayout, Pane};
use reportdeck::app::message::{Connected, Message};
use reportdeck::app::overlays::Overlay;
use reportdeck::app::overlays::dialog::Question;
use reportdeck::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use reportdeck::domain::list::paging::{Next, Page, PageToken};
use reportdeck::domain::report::Report;

use crate::support::session;
use crate::support::states::*;

/// Returns the screen as text.
fn screen(app: &reportdeck::app::App) -> String {
    screen_of(app, 140)
}

/// Returns the screen as text, at another width.
fn screen_of(app: &reportdeck::app::App, columns: u16) -> String {
    session::draw(app, columns, 40).0
}

#[test]
fn starting_requests_reports_and_projects() {
    let (app, effects) = connected();
    assert!(matches!(&effects[0], Effect::ListReports { token: PageToken::First, background: false, .. }));
    assert!(matches!(&effects[1], Effect::ListProjects(..)));
    assert!(app.reports.is_loading());
}

#[test]
fn the_first_page_is_shown_while_the_next_loads_in_the_background() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    assert_eq!(shown(&app).len(), 5);
    assert!(matches!(&effects[0], Effect::ListReports { token: PageToken::Number(2), background: true, .. }));
    press(&mut app, "j j");
    assert_eq!(cursor(&app).as_deref(), Some("3"), "keys work meanwhile");
}

#[test]
fn a_reply_is_applied_once_and_only_to_its_own_request() {
    let (mut app, effects) = connected();
    let first = reports_request(&effects);
    let second = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(first, Ok(page(vec![row(9, "https://late.example/", 5)], None, 1))), now());
    assert!(shown(&app).is_empty(), "a late reply is ignored");
    app.update(Message::Reports(second, Ok(page(five(), None, 5))), now());
    app.update(Message::Reports(second, Ok(page(vec![row(9, "https://twice.example/", 5)], None, 1))), now());
    assert_eq!(shown(&app).len(), 5, "a repeated reply is ignored");
}

#[test]
fn a_failed_refresh_keeps_the_rows_and_names_the_failure() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Err(failure(FailureKind::Service))), now());
    assert_eq!(shown(&app).len(), 5);
    assert!(app.reports.failure.is_some());
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five(), None, 5))), now());
    assert!(app.reports.failure.is_none());
}

#[test]
fn a_failed_page_keeps_the_loaded_rows_and_is_resumed_there() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    app.update(Message::Reports(reports_request(&effects), Err(failure(FailureKind::TimedOut))), now());
    assert_eq!(shown(&app).len(), 5);
    let effects = press(&mut app, "r");
    assert!(matches!(effects.last(), Some(Effect::ListReports { token: PageToken::Number(2), .. })));
}

#[test]
fn escape_stops_loading_and_keeps_the_rows() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    let request = reports_request(&effects);
    let effects = press(&mut app, "esc");
    assert!(matches!(&effects[0], Effect::Cancel(cancelled) if *cancelled == request));
    app.update(Message::Reports(request, Ok(page(vec![row(9, "https://late.example/", 5)], None, 6))), now());
    assert_eq!(shown(&app).len(), 5);
    assert!(app.reports.failure.is_none(), "a cancelled read is not an error");
}

#[test]
fn a_refresh_moves_neither_cursor_nor_view() {
    let mut app = loaded();
    app.update(
        Message::FrameLayout(FrameLayout { reports: 2, visible: vec![Pane::Reports], ..FrameLayout::default() }),
        now(),
    );
    press(&mut app, "j j");
    let (line, id) = (app.reports.at - app.reports.window.top, cursor(&app));
    let request = reports_request(&press(&mut app, "R"));
    let mut newer = vec![row(0, "https://new.example/", 99)];
    newer.extend(five());
    app.update(Message::Reports(request, Ok(page(newer, None, 6))), now());
    assert_eq!(cursor(&app), id);
    assert_eq!(app.reports.at - app.reports.window.top, line, "the row stays on its screen line");
}

#[test]
fn a_removed_row_leaves_the_cursor_at_its_position() {
    let mut app = loaded();
    press(&mut app, "j j");
    let request = reports_request(&press(&mut app, "R"));
    let rows = five().into_iter().filter(|row| row.id.raw() != "3").collect();
    app.update(Message::Reports(request, Ok(page(rows, None, 4))), now());
    assert_eq!(cursor(&app).as_deref(), Some("4"));
}

#[test]
fn a_deleted_report_is_neither_revived_nor_counted_by_a_late_page() {
    let mut app = loaded();
    let listing = reports_request(&press(&mut app, "R"));
    let effects = press(&mut app, "D y");
    let Some(Effect::DeleteReport(request, id)) = effects.last() else { panic!("nothing is deleted: {effects:?}") };
    assert_eq!(id.raw(), "1");
    app.update(Message::Deleted(*request, Ok(())), now());
    app.update(Message::Reports(listing, Ok(page(five(), None, 5))), now());
    assert_eq!(shown(&app), ["2", "3", "4", "5"]);
    assert_eq!(app.reports.total(&app.projects), 4, "the page counts it too");
}

#[test]
fn a_reply_for_another_row_is_not_shown_in_the_report_pane() {
    let mut app = loaded();
    let first = report_request(&press(&mut app, "enter"));
    press(&mut app, "esc j");
    app.update(Message::Report(first, Ok(row(1, "https://shop.example/tea", 31))), now());
    assert!(app.report.whole.value.is_none());
    assert_eq!(app.current_report().unwrap().id.raw(), "2");
}

#[test]
fn the_report_under_a_resting_cursor_is_fetched_after_a_pause() {
    let mut app = loaded();
    app.update(
        Message::FrameLayout(FrameLayout {
            reports: 5,
            visible: vec![Pane::Reports, Pane::Report],
            ..FrameLayout::default()
        }),
        now(),
    );
    assert!(press(&mut app, "j j j").is_empty(), "moving the cursor sends no request");
    let at = app.report.fetch_at.expect("the report is fetched later");
    let effects = app.update(Message::Tick, at);
    assert!(matches!(&effects[..], [Effect::ShowReport(_, id), Effect::ReadTimeline(..)] if id.raw() == "4"));
}

#[test]
fn typing_a_filter_narrows_at_once_and_queries_the_service_after_a_pause() {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    let effects = press(&mut app, "/ t e a");
    assert_eq!(shown(&app), ["1"]);
    assert!(effects.is_empty(), "nothing is sent while typing");
    let effects = app.update(Message::Tick, now() + SignedDuration::from_millis(300));
    let asked = effects
        .iter()
        .find_map(|effect| if let Effect::ListReports { query, .. } = effect { Some(query) } else { None });
    assert_eq!(asked.unwrap().search.as_deref(), Some("tea"));
}

#[test]
fn filters_and_sorts_of_a_complete_list_send_no_request() {
    let mut app = loaded();
    assert!(press(&mut app, "b S / t e a enter").is_empty());
}

#[test]
fn a_second_submit_while_saving_does_nothing() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s ctrl+s enter ctrl+s");
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::Create(..))).count(), 1);
}

#[test]
fn an_unanswered_create_is_not_resent_automatically() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s");
    let mut request = create_request(&effects);
    for (kind, text) in
        [(FailureKind::Unreachable, "probably not created"), (FailureKind::TimedOut, "may still create")]
    {
        let unsure = WriteFailure::Unsure { failure: failure(kind), found: LookupOutcome::Nothing };
        let effects = app.update(Message::Created(request, Err(unsure)), now());
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Create(..))));
        let form = app.form().expect("the form stays open");
        let problem = form.problem.as_deref().unwrap();
        assert!(problem.contains(text), "{problem}");
        assert_eq!(form.url.value(), "a.b");
        // The user tries again.
        request = create_request(&press(&mut app, "ctrl+s"));
    }
}

#[test]
fn the_key_that_opens_a_dialog_does_not_confirm_it_and_enter_cancels() {
    let mut app = loaded();
    assert!(press(&mut app, "D D D delete enter").is_empty());
    assert!(app.overlays.is_empty());
    assert_eq!(shown(&app).len(), 5);
}

#[test]
fn rows_of_an_interrupted_page_are_not_taken_for_repeated_ones() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 8))), now());
    let request = reports_request(&effects);
    let rest: Vec<Report> = (6..=8).map(|number| row(number, &format!("https://shop.example/{number}"), 50)).collect();
    app.update(Message::ReportRows(request, rest[..2].to_vec()), now());
    app.update(Message::Reports(request, Err(failure(FailureKind::Unreachable))), now());
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(rest, None, 8))), now());
    assert_eq!((app.reports.listing.loaded(), app.reports.listing.is_complete()), (8, true));
    assert!(!app.reports.is_loading(), "the list did not change while it was read");
}

#[test]
fn a_failure_of_a_project_is_forgotten_once_the_project_is_left() {
    let (mut app, effects) = connected();
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    press(&mut app, "esc");
    let request = reports_request(&press(&mut app, "1 j enter"));
    app.update(Message::Reports(request, Err(failure(FailureKind::Service))), now());
    assert!(app.reports.failure.is_some());
    press(&mut app, "1 g enter");
    assert!(app.reports.scope.is_none() && app.reports.failure.is_none());
}

#[test]
fn a_deleted_project_leaves_neither_marks_nor_rows_of_a_refresh() {
    let mut app = loaded();
    press(&mut app, "V");
    let effects = press(&mut app, "r");
    let request = reports_request(&effects);
    app.update(Message::Reports(request, Ok(page(five()[..3].to_vec(), Some(2), 4))), now());
    let effects = press(&mut app, "1 g j D b l o g . e x a m p l e enter");
    let Some(Effect::DeleteProject(deletion, _)) = effects.first() else { panic!("{effects:?}") };
    app.update(Message::Deleted(*deletion, Ok(())), now());
    assert!(app.reports.selection.ids.iter().all(|id| app.reports.listing.row(id).is_some()));
    assert_eq!(app.reports.selection.ids.len(), 3, "the reports of shop.example");
    let request = app.reports.incoming.as_ref().unwrap().waits_for().unwrap();
    app.update(Message::Reports(request, Ok(page(five()[3..4].to_vec(), None, 4))), now());
    assert!(app.reports.incoming.is_none());
    assert!(app.reports.listing.rows.iter().all(|row| row.project.raw() == "shop.example"));
}

#[test]
fn delete_in_the_queue_asks_about_its_report_even_if_a_project_was_selected() {
    let mut app = loaded();
    press(&mut app, "1 g j Q");
    let report = app.subject().unwrap().id.clone();
    press(&mut app, "D");
    let Some(Overlay::Dialog(dialog)) = app.overlays.last() else { panic!("nothing is asked") };
    assert!(matches!(&dialog.question, Question::DeleteReport { id, .. } if *id == report), "{:?}", dialog.question);
}

#[test]
fn a_project_is_deleted_only_by_its_whole_name() {
    let mut app = loaded();
    assert!(press(&mut app, "1 g j D b l o g . e x a m p l tab enter").is_empty());
    assert_eq!(notice(&app), "The typed text differs from the one above: correct it, or Esc cancels");
    let effects = press(&mut app, "e enter");
    assert!(matches!(&effects[..], [Effect::DeleteProject(_, name)] if name == "blog.example"));
}

#[test]
fn a_rejected_key_prompts_for_another_repeats_nothing_and_is_read_again_on_request() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    let effects = app.update(Message::Reports(request, Err(failure(FailureKind::Unauthorised))), now());
    assert!(effects.is_empty());
    assert!(app.ctx.key_refusal.is_some());
    assert_eq!(shown(&app).len(), 5);
    let effects = press(&mut app, "R");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Connect(None))), "the key may be another one now");
    let connected =
        Connected { name: "work".into(), host: "seo.example".into(), read_only: false, accent: None, directory: None };
    let request = reports_request(&app.update(Message::Connected(Ok(connected)), now()));
    app.update(Message::Reports(request, Err(failure(FailureKind::Unauthorised))), now());
    let effects = press(&mut app, "K k 1 enter");
    assert!(matches!(&effects[0], Effect::UseKey(_)));
    assert!(app.ctx.key_refusal.is_none());
}

#[test]
fn a_report_that_stays_rate_limited_is_requested_three_more_times() {
    let mut app = loaded();
    let mut requests = vec![report_request(&press(&mut app, "enter"))];
    let limited = Failure { retry_after: Some(Duration::from_secs(1)), ..failure(FailureKind::RateLimited) };
    for seconds in 1..=6 {
        let at = now() + SignedDuration::from_secs(seconds);
        app.update(Message::Report(requests[requests.len() - 1], Err(limited.clone())), at);
        let effects = app.update(Message::Tick, at + SignedDuration::from_secs(1));
        requests.extend(effects.iter().find_map(|effect| match effect {
            Effect::ShowReport(request, _) => Some(*request),
            _ => None,
        }));
    }
    assert_eq!(requests.len(), 4);
}

#[test]
fn a_rate_limited_read_is_resent_after_the_wait() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(std::time::Duration::from_secs(7));
    app.update(Message::Reports(request, Err(limited)), now());
    assert!(app.reports.loading_text(&app.ctx, true).contains("wait 7 s"));
    assert!(app.update(Message::Tick, now() + SignedDuration::from_secs(6)).is_empty());
    assert!(app.reports.loading_text(&app.ctx, true).contains("wait 1 s"));
    let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(7));
    assert!(matches!(&effects[0], Effect::ListReports { .. }));
}

#[test]
fn an_idle_dashboard_schedules_no_tick_within_a_minute() {
    let mut app = opened();
    let effects = app.update(
        Message::FrameLayout(FrameLayout { reports: 5, visible: vec![Pane::Reports], ..FrameLayout::default() }),
        now(),
    );
    assert!(effects.is_empty());
    let wake = app.wake_at();
    assert!(wake.is_none_or(|at| at >= now() + SignedDuration::from_secs(60)), "{wake:?}");
}

#[test]
fn ages_on_an_idle_screen_stay_true_although_every_audit_is_old() {
    let mut app = loaded();
    let later = now() + SignedDuration::from_hours(24 * 40);
    press_at(&mut app, "Q l q", later);
    assert!(screen(&app).contains("(just now)"));
    // The notice ends first.
    let mut wakes = 0;
    while screen(&app).contains("(just now)") {
        let wake = app.wake_at().unwrap();
        assert!(wake <= later + SignedDuration::from_mins(2), "{wake}");
        app.update(Message::Tick, wake);
        wakes += 1;
    }
    assert!(screen(&app).contains("(1 min ago)") && wakes <= 3, "{wakes}");
}

#[test]
fn ctrl_c_quits_from_anywhere_and_keeps_the_draft() {
    for script in ["", "n x", "?", "D", "s", "/ t", "@", "K x", "1 j D"] {
        let mut app = loaded();
        press(&mut app, script);
        let effects = press(&mut app, "ctrl+c");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)), "{script}");
        assert_eq!(effects.iter().any(|effect| matches!(effect, Effect::StoreDraft(_))), script == "n x");
    }
}

#[test]
fn rows_in_an_unrequested_order_are_sorted_locally() {
    let (mut app, effects) = connected();
    let mut rows = five();
    rows.reverse();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, Some(2), 500))), now());
    assert_eq!(shown(&app), ["1", "2", "3", "4", "5"]);
    assert!(app.reports.sorts_here());
}

#[test]
fn a_cancelled_page_is_requested_again_in_full() {
    let (mut app, effects) = connected();
    let request = reports_request(&effects);
    app.update(Message::ReportRows(request, five()[..2].to_vec()), now());
    assert_eq!(shown(&app).len(), 2, "the first rows are shown before the whole page is decoded");
    press(&mut app, "esc");
    app.update(Message::ReportRows(request, five()[2..4].to_vec()), now());
    assert_eq!(shown(&app).len(), 2, "rows of an ended request are ignored");
    let effects = press(&mut app, "r");
    let request = reports_request(&effects);
    app.update(Message::ReportRows(request, five()[..3].to_vec()), now());
    let effects = app.update(Message::Reports(request, Ok(page(five()[3..].to_vec(), Some(2), 6))), now());
    let request = reports_request(&effects);
    app.update(Message::Reports(request, Ok(page(vec![row(6, "https://shop.example/six", 70)], None, 6))), now());
    assert_eq!(shown(&app).len(), 6);
    assert_eq!(app.reports.loading_text(&app.ctx, true), "", "no duplicate rows");
}

#[test]
fn only_the_first_30_000_projects_are_listed_with_a_notice() {
    let load = |pages: u64| {
        let (mut app, effects) = connected();
        let mut request = projects_request(&effects);
        for number in 1..=pages {
            let rows = (0..5_000).map(|place| project(&format!("{place}-{number}.example"), 1, 1, 1)).collect();
            let next = if number < pages { Next::Page(PageToken::Number(number + 1)) } else { Next::End };
            let page = Page { rows, unreadable: 0, next, total: None, last_page: None, per_page: None };
            let effects = app.update(Message::Projects(request, Ok(page)), now());
            if effects.iter().any(|effect| matches!(effect, Effect::ListProjects(..))) {
                request = projects_request(&effects);
            }
        }
        (app.projects.rows().len(), app.ctx.notice.map(|(text, _)| text).unwrap_or_default())
    };
    assert_eq!(load(4), (20_000, String::new()));
    let (count, notice) = load(8);
    assert_eq!(count, 30_000);
    assert!(notice.contains("Only the first 30,000 projects"), "{notice}");
}
