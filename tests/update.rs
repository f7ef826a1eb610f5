//! The state machine alone: given a state, when messages come — late, doubled, swapped, failed —, then this.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "update/bulk.rs"]
mod bulk;
#[path = "update/marks.rs"]
mod marks;
#[path = "update/random.rs"]
mod random;
#[path = "support/session.rs"]
mod session;
#[path = "support/states.rs"]
mod states;

use jiff::SignedDuration;
use reportdeck::app::drawn::{Drawn, Pane, Spot};
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::columns::Column;
use reportdeck::domain::failure::{FailureKind, Found, WriteFailure};
use reportdeck::domain::history::FormerResult;
use reportdeck::domain::outcome::Outcome;
use reportdeck::domain::paging::PageToken;
use reportdeck::domain::query::Direction;
use reportdeck::domain::report::Details;
use states::*;

#[test]
fn starting_asks_for_reports_and_projects_at_once() {
    let (app, effects) = connected();
    assert!(matches!(&effects[0], Effect::ListReports { token: PageToken::First, background: false, .. }));
    assert!(matches!(&effects[1], Effect::ListProjects(..)));
    assert!(app.reports.is_loading());
}

#[test]
fn rows_are_there_with_the_first_page_while_the_next_is_asked_for_in_the_background() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    assert_eq!(shown(&app).len(), 5);
    assert!(matches!(&effects[0], Effect::ListReports { token: PageToken::Number(2), background: true, .. }));
    press(&mut app, "j j");
    assert_eq!(cursor(&app).as_deref(), Some("3"), "keys are alive meanwhile");
}

#[test]
fn an_answer_is_taken_once_and_only_by_who_waits_for_it() {
    let (mut app, effects) = connected();
    let first = reports_request(&effects);
    let second = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(first, Ok(page(vec![row(9, "https://late.example/", 5)], None, 1))), now());
    assert!(shown(&app).is_empty(), "a late answer meets nobody");
    app.update(Message::Reports(second, Ok(page(five(), None, 5))), now());
    app.update(Message::Reports(second, Ok(page(vec![row(9, "https://twice.example/", 5)], None, 1))), now());
    assert_eq!(shown(&app).len(), 5, "a doubled answer meets nobody");
}

#[test]
fn a_failed_refresh_keeps_the_rows_and_says_what_failed() {
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
fn a_failed_page_keeps_what_is_loaded_and_is_resumed_there() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    app.update(Message::Reports(reports_request(&effects), Err(failure(FailureKind::TimedOut))), now());
    assert_eq!(shown(&app).len(), 5);
    let effects = press(&mut app, "r");
    assert!(matches!(&effects[0], Effect::ListReports { token: PageToken::Number(2), .. }));
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
    assert!(app.reports.failure.is_none(), "a cancelled read is no error");
}

#[test]
fn a_refresh_moves_neither_cursor_nor_view() {
    let mut app = loaded();
    app.update(Message::Drawn(Drawn { reports: 2, visible: vec![Pane::Reports], ..Drawn::default() }), now());
    press(&mut app, "j j");
    let (line, id) = (app.reports.at - app.reports.window.top, cursor(&app));
    let request = reports_request(&press(&mut app, "R"));
    let mut newer = vec![row(0, "https://new.example/", 99)];
    newer.extend(five());
    app.update(Message::Reports(request, Ok(page(newer, None, 6))), now());
    assert_eq!(cursor(&app), id);
    assert_eq!(app.reports.at - app.reports.window.top, line, "the row stays on its line of the screen");
}

#[test]
fn a_row_that_is_gone_leaves_the_cursor_at_its_place() {
    let mut app = loaded();
    press(&mut app, "j j");
    let request = reports_request(&press(&mut app, "R"));
    let rows = five().into_iter().filter(|row| row.id.raw() != "3").collect();
    app.update(Message::Reports(request, Ok(page(rows, None, 4))), now());
    assert_eq!(cursor(&app).as_deref(), Some("4"));
}

#[test]
fn a_deleted_report_is_not_revived_by_a_late_page() {
    let mut app = loaded();
    let listing = reports_request(&press(&mut app, "R"));
    let effects = press(&mut app, "D y");
    let Some(Effect::DeleteReport(request, id)) = effects.last() else { panic!("nothing is deleted: {effects:?}") };
    assert_eq!(id.raw(), "1");
    app.update(Message::Deleted(*request, Ok(())), now());
    app.update(Message::Reports(listing, Ok(page(five(), None, 5))), now());
    assert_eq!(shown(&app), ["2", "3", "4", "5"]);
}

#[test]
fn an_opened_report_that_belongs_to_another_row_is_not_shown() {
    let mut app = loaded();
    let first = report_request(&press(&mut app, "enter"));
    press(&mut app, "esc j");
    app.update(Message::Report(first, Ok(row(1, "https://shop.example/tea", 31))), now());
    assert!(app.report.whole.value().is_none());
    assert_eq!(app.current_report().unwrap().id.raw(), "2");
}

#[test]
fn the_report_under_a_resting_cursor_is_fetched_after_a_pause() {
    let mut app = loaded();
    app.update(
        Message::Drawn(Drawn { reports: 5, visible: vec![Pane::Reports, Pane::Report], ..Drawn::default() }),
        now(),
    );
    assert!(press(&mut app, "j j j").is_empty(), "moving asks for nothing");
    let at = app.report.fetch_at.expect("it will be fetched");
    let effects = app.update(Message::Tick, at);
    assert!(matches!(&effects[..], [Effect::ShowReport(_, id)] if id.raw() == "4"));
}

#[test]
fn typing_a_filter_narrows_at_once_and_asks_the_service_after_a_pause() {
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
fn when_everything_is_loaded_nothing_is_asked_for_filters_and_sorts() {
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
fn a_create_whose_answer_never_came_is_not_sent_again_by_itself() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s");
    let Some(Effect::Create(request, _)) = effects.iter().find(|effect| matches!(effect, Effect::Create(..))) else {
        panic!()
    };
    let unsure = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found: Found::Nothing };
    let effects = app.update(Message::Created(*request, Err(unsure)), now());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Create(..))));
    let form = app.form().expect("the form stays");
    assert!(form.problem.as_deref().unwrap().contains("most likely not made"));
    assert_eq!(form.url.value(), "a.b");
}

#[test]
fn the_key_that_opened_a_dialog_never_acts_in_it_and_enter_cancels() {
    let mut app = loaded();
    assert!(press(&mut app, "D D D delete enter").is_empty());
    assert!(app.overlays.is_empty());
    assert_eq!(shown(&app).len(), 5);
}

#[test]
fn a_project_is_deleted_only_by_its_whole_name() {
    let mut app = loaded();
    let script = "1 g j D b l o g . e x a m p l";
    press(&mut app, script);
    assert!(press(&mut app, "tab enter").is_empty());
    press(&mut app, script);
    let effects = press(&mut app, "e enter");
    assert!(matches!(&effects[..], [Effect::DeleteProject(_, name)] if name == "blog.example"));
}

#[test]
fn a_refused_key_asks_for_another_and_repeats_nothing() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    let effects = app.update(Message::Reports(request, Err(failure(FailureKind::Unauthorised))), now());
    assert!(effects.is_empty());
    assert!(app.key_refused);
    assert_eq!(shown(&app).len(), 5);
    let effects = press(&mut app, "K k 1 enter");
    assert!(matches!(&effects[0], Effect::UseKey(_)));
    assert!(!app.key_refused);
}

#[test]
fn a_rate_limited_read_is_resent_when_its_time_has_come() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(std::time::Duration::from_secs(7));
    app.update(Message::Reports(request, Err(limited)), now());
    assert!(app.loading_text().contains("wait 7 s"));
    assert!(app.update(Message::Tick, now() + SignedDuration::from_secs(6)).is_empty());
    assert!(app.loading_text().contains("wait 1 s"));
    let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(7));
    assert!(matches!(&effects[0], Effect::ListReports { .. }));
}

#[test]
fn at_rest_no_tick_is_wanted_within_a_minute() {
    let mut app = opened();
    let effects =
        app.update(Message::Drawn(Drawn { reports: 5, visible: vec![Pane::Reports], ..Drawn::default() }), now());
    assert!(effects.is_empty());
    let wake = app.wake_at();
    assert!(wake.is_none_or(|at| at >= now() + SignedDuration::from_secs(60)), "{wake:?}");
}

#[test]
fn ctrl_c_leaves_from_anywhere_and_keeps_the_draft() {
    for script in ["", "n x", "?", "D", "s", "/ t", "@", "K x", "1 j D"] {
        let mut app = loaded();
        press(&mut app, script);
        let effects = press(&mut app, "ctrl+c");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)), "{script}");
        assert_eq!(effects.iter().any(|effect| matches!(effect, Effect::KeepDraft(_))), script == "n x");
    }
}

#[test]
fn rows_in_another_order_than_asked_are_sorted_here() {
    let (mut app, effects) = connected();
    let mut rows = five();
    rows.reverse();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, Some(2), 500))), now());
    assert_eq!(shown(&app), ["1", "2", "3", "4", "5"]);
    assert!(app.reports.sorts_here());
}

#[test]
fn every_binding_of_the_panes_acts_or_says_why_not() {
    use reportdeck::input::bindings::BINDINGS;
    use reportdeck::input::context::Scope;
    // Where a key has nothing to do in the ordinary state, a state in which it has.
    let state_for = |action: &str| match action {
        "back" => "b",
        "move_first" | "move_up" | "half_page_up" | "page_up" => "G",
        "move_left" | "focus_reports" => "1 3",
        "toggle_report_pane" | "focus_projects" | "focus_report" => "2",
        _ => "",
    };
    for binding in
        BINDINGS.iter().filter(|binding| matches!(binding.scope, Scope::Panes | Scope::Everywhere | Scope::Rows))
    {
        for key in binding.keys {
            let mut app = opened();
            press(&mut app, "2");
            app.update(
                Message::Drawn(Drawn { reports: 4, projects: 4, visible: vec![Pane::Reports], ..Drawn::default() }),
                now(),
            );
            press(&mut app, state_for(binding.action.name()));
            let before = format!("{app:?}");
            let effects = press(&mut app, key);
            assert!(
                !effects.is_empty() || format!("{app:?}") != before,
                "{key} ({}) did nothing",
                binding.action.name()
            );
        }
    }
}

#[test]
fn the_mouse_selects_opens_sorts_scrolls_and_presses_hints() {
    use reportdeck::input::{Input, Mouse, MouseKind};
    let mut app = loaded();
    let (_, drawn) = session::draw(&app, 140, 40);
    app.update(Message::Drawn(drawn.clone()), now());
    let mouse = |app: &mut reportdeck::app::App, kind, (column, row)| {
        app.update(Message::Input(Input::Mouse(Mouse { kind, column, row })), now())
    };
    let corner = |wanted: fn(&Spot) -> bool| {
        let (area, _) = drawn.spots.iter().find(|(_, spot)| wanted(spot)).expect("it is on the screen");
        (area.column, area.row)
    };
    let rows = corner(|spot| matches!(spot, Spot::Rows(Pane::Reports)));
    mouse(&mut app, MouseKind::Click, (rows.0 + 3, rows.1 + 1));
    assert_eq!(cursor(&app).as_deref(), Some("2"));
    let effects = mouse(&mut app, MouseKind::Click, (rows.0 + 3, rows.1 + 1));
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::ShowReport(_, id) if id.raw() == "2")),
        "a double click opens"
    );
    mouse(&mut app, MouseKind::WheelDown, rows);
    assert_eq!((cursor(&app).as_deref(), app.focus), (Some("5"), Pane::Reports));
    mouse(&mut app, MouseKind::Click, corner(|spot| matches!(spot, Spot::Heading(Column::Url))));
    assert_eq!(app.reports.sort, (Column::Url, Direction::Ascending));
    let projects = corner(|spot| matches!(spot, Spot::Rows(Pane::Projects)));
    mouse(&mut app, MouseKind::Click, (projects.0 + 3, projects.1 + 1));
    assert_eq!(app.reports.scope.as_ref().map(reportdeck::domain::text::Text::raw), Some("blog.example"));
    mouse(&mut app, MouseKind::Click, corner(|spot| matches!(spot, Spot::Hint(reportdeck::input::Action::NewReport))));
    assert!(app.form().is_some());
}

#[test]
fn a_password_is_hidden_again_when_its_field_is_left() {
    let mut app = loaded();
    press(&mut app, "n tab right right tab s e c r e t");
    let shows = |app: &reportdeck::app::App| session::draw(app, 100, 30).0.contains("secret");
    assert!(!shows(&app));
    press(&mut app, "ctrl+r");
    assert!(shows(&app));
    press(&mut app, "tab shift+tab");
    assert!(!shows(&app));
    assert!(press(&mut app, "ctrl+g").iter().any(|effect| matches!(effect, Effect::GeneratePassword)));
}

#[test]
fn a_form_left_while_it_is_saved_leaves_no_draft_when_it_succeeds() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s esc");
    let Some(Effect::Create(request, _)) = effects.iter().find(|effect| matches!(effect, Effect::Create(..))) else {
        panic!("nothing is sent: {effects:?}")
    };
    let effects = app.update(Message::Created(*request, Ok(row(9, "https://a.b/", 90))), now());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ForgetDraft(form) if form == "new")));
    assert_eq!(cursor(&app).as_deref(), Some("1"), "the cursor stays where the person went on working");
    assert!(shown(&app).contains(&"9".to_owned()));
}

#[test]
fn a_new_report_that_was_waited_for_is_under_the_cursor() {
    let mut app = loaded();
    let effects = press(&mut app, "n a . b ctrl+s");
    let Some(Effect::Create(request, _)) = effects.iter().find(|effect| matches!(effect, Effect::Create(..))) else {
        panic!("nothing is sent: {effects:?}")
    };
    app.update(Message::Created(*request, Ok(row(9, "https://a.b/", 90))), now());
    assert_eq!(cursor(&app).as_deref(), Some("9"));
}

#[test]
fn a_preview_that_finds_nothing_takes_no_row_away_and_an_opened_report_that_is_gone_does() {
    let mut app = loaded();
    app.update(
        Message::Drawn(Drawn { reports: 5, visible: vec![Pane::Reports, Pane::Report], ..Drawn::default() }),
        now(),
    );
    press(&mut app, "j");
    let effects = app.update(Message::Tick, app.report.fetch_at.expect("it will be fetched"));
    app.update(Message::Report(report_request(&effects), Err(failure(FailureKind::NotFound))), now());
    assert_eq!(shown(&app).len(), 5);
    let request = report_request(&press(&mut app, "enter"));
    app.update(Message::Report(request, Err(failure(FailureKind::NotFound))), now());
    assert_eq!(shown(&app), ["1", "3", "4", "5"]);
    let request = reports_request(&press(&mut app, "R"));
    app.update(Message::Reports(request, Ok(page(five(), None, 5))), now());
    assert_eq!(shown(&app).len(), 5, "what a list holds that was asked for later is there");
}

#[test]
fn enter_changes_no_choice_and_an_unanswered_search_stays_open() {
    let mut app = loaded();
    press(&mut app, "e enter");
    assert!(app.form().unwrap().draft().is_none());
    press(&mut app, "esc ? z z z z enter");
    assert!(!app.overlays.is_empty(), "what is typed next must stay text");
}

#[test]
fn projects_and_opened_reports_are_asked_for_again_when_the_service_said_wait() {
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(std::time::Duration::from_secs(7));
    let mut app = loaded();
    let request = projects_request(&press(&mut app, "1 r"));
    app.update(Message::Projects(request, Err(limited.clone())), now());
    let request = report_request(&press(&mut app, "3"));
    app.update(Message::Report(request, Err(limited)), now());
    assert!(app.update(Message::Tick, now() + SignedDuration::from_secs(6)).is_empty());
    let effects = app.update(Message::Tick, now() + SignedDuration::from_secs(7));
    projects_request(&effects);
    report_request(&effects);
}

#[test]
fn a_project_whose_name_no_keyboard_can_type_is_deleted_by_a_word() {
    let (mut app, effects) = connected();
    let mut projects = two_projects();
    projects.rows[0].name = "a\u{1b}[31m".into();
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    press(&mut app, "1 j D d e l e t e");
    let effects = press(&mut app, "enter");
    assert!(matches!(&effects[..], [Effect::DeleteProject(_, name)] if name == "a\u{1b}[31m"), "{effects:?}");
}

#[test]
fn a_re_run_says_which_checks_flipped_as_far_as_it_is_known() {
    let rerun = |after: &[&str], before: Option<&[&str]>| {
        let mut app = loaded();
        let effects = press(&mut app, "t");
        let Some(Effect::Update(request, ..)) = effects.last() else { panic!("{effects:?}") };
        let mut report = row(1, "https://shop.example/tea", 64);
        report.failed = after.iter().map(|id| (*id).into()).collect();
        let history = before.map(|failed| FormerResult {
            generated_at: None,
            outcome: Outcome::Bad,
            score: Some(31),
            failed: failed.iter().map(|id| (*id).into()).collect(),
        });
        report.details = Some(Box::new(Details { history: history.into_iter().collect(), ..Details::default() }));
        app.update(Message::Updated(*request, Ok(report)), now());
        app.notice.unwrap().0
    };
    let said = "shop.example/tea: bad 31 → decent 64";
    assert_eq!(rerun(&["title"], None), format!("{said} · repaired meta_description"), "the row said what failed");
    assert_eq!(rerun(&["csp"], Some(&["csp", "hsts"])), format!("{said} · repaired hsts"), "the service knows better");
    assert_eq!(rerun(&[], None), said, "a service that says nothing of checks says nothing of flips");
}
