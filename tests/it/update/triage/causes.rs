//! The screen of causes: what its keys do, and when causes are computed again.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::Pane;
use reportdeck::app::message::Message;
use reportdeck::app::triage::CauseTarget;
use reportdeck::domain::report::Report;
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::domain::triage::causes::lines::{CauseBlock, find_causes};
use reportdeck::domain::triage::{Notes, State, Triage, Triages};
use reportdeck::input::Context;

use crate::support::states::*;
use crate::update::screen;

/// Answers the request for causes. Returns whether there was one.
fn answer(app: &mut App, effects: &[Effect]) -> bool {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::FindCauses(request, rows, places) => Some((*request, find_causes(rows, places))),
        _ => None,
    });
    let Some((request, found)) = found else { return false };
    app.update(Message::Causes(request, Box::new(found)), now());
    true
}

fn with_rows(rows: Vec<Report>) -> App {
    let (mut app, effects) = connected();
    let count = rows.len() as u64;
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, count))), now());
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    app
}

/// Four bad reports of the shop, each in its own folder except for two product pages with numbers.
fn causes() -> App {
    let mut app = with_rows(vec![
        row(1, "https://shop.example/product/1", 31),
        row(2, "https://shop.example/product/2", 32),
        row(3, "https://shop.example/product/list", 33),
        row(4, "https://shop.example/cart", 34),
        row(5, "https://blog.example/", 92),
    ]);
    let effects = press(&mut app, "w");
    assert!(answer(&mut app, &effects));
    app
}

/// Puts the cursor on the line with this label.
fn go_to(app: &mut App, block: CauseBlock, label: &str) {
    let lines = app.cause_lines();
    let is_it = |(of, target): &(CauseBlock, CauseTarget)| {
        let CauseTarget::Reports(at) = target else { return false };
        *of == block && app.triage.causes.found.as_ref().unwrap().lines(block)[*at].label == label
    };
    let at = lines.iter().position(is_it).unwrap_or_else(|| panic!("no {label}\n{}", screen(app)));
    press(app, "g");
    for _ in 0..at {
        press(app, "down");
    }
}

#[test]
fn enter_on_a_cause_adds_it_to_the_filter_and_esc_clears_the_filter() {
    let mut app = causes();
    assert_eq!(app.context(), Context::Causes);
    go_to(&mut app, CauseBlock::Checks, "title");
    press(&mut app, "enter");
    assert_eq!((app.context(), app.screen.focus), (Context::Panes, Pane::Reports));
    assert_eq!(app.reports.filter_line.value(), "result:bad check:\"title\"");
    press(&mut app, "esc / c a r t enter");
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    go_to(&mut app, CauseBlock::Projects, "shop.example");
    press(&mut app, "enter");
    assert_eq!(app.reports.filter_line.value(), "cart result:bad project:\"shop.example\"");
    assert_eq!(shown(&app), ["4"]);
    press(&mut app, "esc");
    assert_eq!(app.reports.filter_line.value(), "");
}

#[test]
fn a_url_pattern_can_be_used_as_a_filter_too() {
    let mut app = causes();
    go_to(&mut app, CauseBlock::Addresses, "shop.example/product/{number}");
    press(&mut app, "enter");
    assert_eq!(app.reports.filter_line.value(), "result:bad path:\"shop.example/product/{number}\"");
    assert_eq!(shown(&app), ["1", "2"]);
}

#[test]
fn enter_on_a_cause_whose_name_has_quotes_filters_to_exactly_its_reports() {
    let mut odd = row(1, "https://shop.example/cart", 31);
    odd.project = std::sync::Arc::new("a \"shop\"".into());
    let mut app = with_rows(vec![odd, row(2, "https://shop.example/tea", 31)]);
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    go_to(&mut app, CauseBlock::Projects, "a \"shop\"");
    press(&mut app, "enter");
    assert_eq!(app.reports.filter_line.value(), "result:bad project:\"a \"\"shop\"\"\"");
    assert_eq!(shown(&app), ["1"]);
}

#[test]
fn a_cause_is_re_run_with_a_plan_and_marked_with_space() {
    let mut app = causes();
    go_to(&mut app, CauseBlock::Addresses, "shop.example/product/…");
    let effects = press(&mut app, "t");
    assert!(effects.is_empty(), "nothing is sent before the plan is confirmed: {effects:?}");
    let text = screen(&app);
    assert!(text.contains("Re-run 3 reports?") && text.contains("shop.example/product/…: 3 reports"), "{text}");
    press(&mut app, "esc space");
    assert_eq!((app.context(), app.reports.selected().len()), (Context::Causes, 3));
}

#[test]
fn space_on_a_marked_cause_unmarks_its_reports() {
    let mut app = causes();
    go_to(&mut app, CauseBlock::Addresses, "shop.example/product/…");
    press(&mut app, "space space");
    assert_eq!((app.reports.selected().len(), notice(&app)), (0, "3 reports unmarked"));
}

#[test]
fn a_single_report_is_re_run_with_a_plan_too() {
    let mut app = with_rows(vec![row(1, "https://shop.example/cart", 31)]);
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    let effects = press(&mut app, "t");
    assert!(effects.is_empty() && screen(&app).contains("Re-run 1 report?"), "{}", screen(&app));
}

#[test]
fn tab_cycles_through_all_blocks_and_keys_open_other_screens() {
    let mut app = causes();
    let block = |app: &App| {
        let Some(reportdeck::app::overlays::Overlay::Causes(cursor)) = app.overlays.last() else { panic!() };
        app.cause_lines()[cursor.at].0
    };
    let mut seen = Vec::new();
    for _ in 0..4 {
        press(&mut app, "tab");
        seen.push(block(&app));
    }
    assert_eq!(seen, [CauseBlock::Projects, CauseBlock::Addresses, CauseBlock::Sets, CauseBlock::Checks]);
    for (key, context) in [
        ("w", Context::Panes),
        ("esc", Context::Panes),
        ("2", Context::Panes),
        ("/", Context::FilterLine),
        ("0", Context::Overview),
        ("L", Context::Changes),
        ("?", Context::Help),
        (":", Context::Palette),
    ] {
        let mut app = causes();
        press(&mut app, key);
        assert_eq!(app.context(), context, "{key}");
    }
    press(&mut app, "esc 0 w w");
    assert_eq!(app.context(), Context::Overview, "the overview is still open below");
}

#[test]
fn enter_on_a_cause_opened_from_the_overview_shows_the_list() {
    let mut app = causes();
    press(&mut app, "esc");
    let effects = press(&mut app, "0 w");
    answer(&mut app, &effects);
    press(&mut app, "enter");
    assert_eq!(app.context(), Context::Panes);
}

#[test]
fn causes_are_computed_again_only_when_rows_change() {
    let mut app = causes();
    let effects = press(&mut app, "down tab");
    assert!(!answer(&mut app, &effects), "a key changes no report");
    let request = reports_request(&press(&mut app, "r"));
    let rows = vec![row(1, "https://shop.example/product/1", 31), row(5, "https://blog.example/", 92)];
    let effects = app.update(Message::Reports(request, Ok(page(rows, None, 2))), now());
    assert!(answer(&mut app, &effects));
    assert!(screen(&app).contains("Causes of 1 bad report"), "{}", screen(&app));
}

#[test]
fn causes_are_computed_again_when_as_many_other_rows_are_shown() {
    let mut app = with_rows(vec![row(1, "https://shop.example/tea", 31), row(2, "https://shop.example/cart", 32)]);
    let waiting = |number: u32, url: &str| {
        let report = row(number, url, 31);
        [(report.id.clone(), Triage::set(State::Waiting, &report, now()))].into_iter().collect::<Triages>()
    };
    app.update(Message::States(waiting(1, "https://shop.example/tea"), Notes::default()), now());
    press(&mut app, "/ s t a t e : w a i t i n g enter");
    let effects = press(&mut app, "w");
    assert!(answer(&mut app, &effects));
    assert_eq!(shown(&app), ["1"]);
    let effects = app.update(Message::States(waiting(2, "https://shop.example/cart"), Notes::default()), now());
    assert_eq!(shown(&app), ["2"]);
    assert!(answer(&mut app, &effects), "other rows are shown: {effects:?}");
}

#[test]
fn causes_are_not_kept_after_their_screen_is_closed() {
    let mut app = causes();
    press(&mut app, "esc");
    assert!(app.triage.causes.found.is_none());
}

#[test]
fn unknown_checks_of_many_reports_are_fetched_on_enter_and_excluded_from_shares() {
    let plain = |number| Report { failed: FailedChecks::default(), ..row(number, "https://shop.example/tea", 20) };
    let mut app = with_rows((1..=301).map(plain).chain([row(400, "https://shop.example/", 20)]).collect());
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    let text = screen(&app);
    assert!(text.contains("Checks of 301 reports unknown: Enter fetches them"), "{text}");
    assert!(text.contains("1 100 %"), "the share counts known checks only: {text}");
    let effects = press(&mut app, "enter");
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::ShowChecks(..))).count(), 4);
    assert!(screen(&app).contains("The checks of 301 reports are being fetched"), "{}", screen(&app));
}

#[test]
fn a_click_selects_a_cause_and_a_second_one_opens_it() {
    use reportdeck::app::frame_layout::HitTarget;
    use reportdeck::input::{Input, Mouse, MouseKind};
    let mut app = causes();
    let drawn = crate::support::session::draw(&app, 120, 35).1;
    app.update(Message::FrameLayout(drawn), now());
    let projects = app.cause_lines().iter().position(|(block, _)| *block == CauseBlock::Projects).unwrap();
    let (area, _) = *app
        .ctx
        .layout
        .hit_targets
        .iter()
        .find(|(_, spot)| *spot == HitTarget::OverlayLine(projects))
        .expect("the line is drawn");
    let click = |app: &mut App| {
        let mouse = Mouse { kind: MouseKind::Click, column: area.column, row: area.row };
        app.update(Message::Input(Input::Mouse(mouse)), now());
    };
    click(&mut app);
    assert_eq!(app.context(), Context::Causes);
    click(&mut app);
    assert_eq!(app.reports.filter_line.value(), "result:bad project:\"shop.example\"");
}

#[test]
fn the_title_says_whether_all_bad_reports_were_examined_or_only_those_shown() {
    for (script, expected) in [
        ("w", "Causes of 2 bad reports ·"),
        ("/ t e a enter w", "Causes of 1 bad report shown ·"),
        ("1 j j enter w", "Causes of 2 bad reports of shop.example ·"),
        ("1 j j enter / t e a enter w", "Causes of 1 bad report shown of shop.example ·"),
    ] {
        let mut app = loaded();
        let effects = press(&mut app, script);
        assert!(answer(&mut app, &effects), "{script}");
        assert!(screen(&app).contains(expected), "{script}: {}", screen(&app));
    }
}

#[test]
fn a_single_project_has_its_own_share() {
    assert!(screen(&causes()).contains(" 1 project, by its share of bad reports"), "{}", screen(&causes()));
}

#[test]
fn enter_on_the_line_of_unknown_checks_always_responds() {
    let plain = |number| Report { failed: FailedChecks::default(), ..row(number, "https://shop.example/tea", 20) };
    let mut app = with_rows((1..=301).map(plain).collect());
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    press(&mut app, "enter");
    press(&mut app, "enter");
    assert_eq!(notice(&app), "The checks are being fetched");

    let mut app = with_rows((1..=301).map(plain).collect());
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    app.triage.causes.were_fetched = true;
    press(&mut app, "enter");
    assert_eq!(notice(&app), "The service did not send these checks: they are fetched again");

    let mut app = with_rows((1..=301).map(plain).collect());
    app.reports.listing.is_cached = true;
    let effects = press(&mut app, "w");
    answer(&mut app, &effects);
    assert!(screen(&app).contains("Checks of 301 reports unknown: The list has not been read yet"), "{}", screen(&app));
    press(&mut app, "enter");
    assert_eq!(notice(&app), "The list has not been read yet");
}
