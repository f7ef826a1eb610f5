//! The overview: what its keys open, and when its counts are refreshed.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::Pane;
use reportdeck::app::message::{Connected, Message};
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::overview::{Overview, OverviewBlock, OverviewTarget};
use reportdeck::domain::report::failed_checks::{CheckId, FailedChecks};
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::report_state::ReportState;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::triage::State;
use reportdeck::domain::triage::changes::comparison::ComparisonResult;
use reportdeck::domain::triage::changes::{BadShareHistory, Comparison, OverdueReport, ResultChange};
use reportdeck::input::Context;

use super::desk::on_desk;
use crate::support::session;
use crate::support::states::*;

/// Answers the request for counts. Returns whether there was one.
fn count(app: &mut App, effects: &[Effect]) -> bool {
    let request = effects.iter().find_map(|effect| match effect {
        Effect::CountOverview(request, rows, project, context) => {
            Some((*request, Overview::of(rows, project.as_ref(), context)))
        }
        _ => None,
    });
    let Some((request, counts)) = request else { return false };
    app.update(Message::Overview(request, Box::new(counts)), now());
    true
}

fn overview() -> App {
    let mut app = loaded();
    let effects = press(&mut app, "0");
    assert!(count(&mut app, &effects));
    app
}

#[test]
fn events_read_before_the_service_was_known_are_read_again() {
    let read = |effects: &[Effect]| {
        effects.iter().find_map(|effect| if let Effect::ReadLog(request) = effect { Some(*request) } else { None })
    };
    let mut app = started();
    let first = read(&press(&mut app, "0")).unwrap();
    app.update(Message::Log(first, Some(Vec::new())), now());
    let connected =
        Connected { name: "work".into(), host: "seo.example".into(), read_only: false, accent: None, directory: None };
    let effects = app.update(Message::Connected(Ok(connected)), now());
    assert!(read(&effects).is_some(), "{effects:?}");
}

/// Moves the cursor to the first line of a block.
fn go_to(app: &mut App, block: OverviewBlock) {
    let at = app.overview_lines().iter().position(|(of, _)| *of == block).unwrap();
    for _ in 0..at {
        press(app, "down");
    }
}

#[test]
fn a_result_opens_its_reports_as_a_filter_that_esc_clears() {
    let mut app = overview();
    assert_eq!(app.context(), Context::Overview);
    press(&mut app, "down down enter");
    assert_eq!(app.context(), Context::Panes);
    assert_eq!((app.screen.focus, app.reports.filter_line.value()), (Pane::Reports, "result:bad"));
    press(&mut app, "esc");
    assert_eq!(app.reports.filter_line.value(), "");
}

#[test]
fn the_work_of_a_list_counts_no_reports_that_are_only_on_the_desk() {
    let looking = |id: &str, holder: &str| desk_row(id, State::Looking, holder, 1);
    let is_good = |report: &Report| report.outcome == Outcome::Good;
    let (open, good): (Vec<_>, Vec<_>) = five().into_iter().partition(|report| !is_good(report));
    let rows = vec![looking(open[0].id.raw(), "anna"), looking(good[0].id.raw(), "ben"), looking("elsewhere", "ben")];
    let mut app = on_desk(rows);
    let effects = press(&mut app, "0");
    assert!(count(&mut app, &effects));
    let shown = session::draw(&app, 120, 35).0;
    assert!(shown.contains(&format!("Work: {} open, 1 yours, 0 with others", open.len())), "{shown}");
}

#[test]
fn a_project_opens_its_bad_reports() {
    let mut app = overview();
    go_to(&mut app, OverviewBlock::Projects);
    press(&mut app, "enter");
    assert!(app.reports.filter_line.value().starts_with("project:\""), "{}", app.reports.filter_line.value());
}

#[test]
fn in_an_open_project_only_its_reports_are_counted() {
    let mut app = loaded();
    press(&mut app, "1 down enter");
    let project = app.reports.scope.clone().unwrap();
    let effects = press(&mut app, "0");
    assert!(count(&mut app, &effects));
    let counts = app.overview.counts.as_ref().unwrap();
    let of_project: Vec<_> = five().into_iter().filter(|row| row.project.raw() == project.raw()).collect();
    assert_eq!((counts.reports, counts.projects.len()), (of_project.len() as u64, 1));
    assert_eq!(counts.scores.bins.iter().sum::<u64>(), of_project.len() as u64);
    let title = format!("Overview of {project} · {} reports", of_project.len());
    assert!(crate::update::screen(&app).contains(&title), "{}", crate::update::screen(&app));
    let (narrow, _) = crate::support::session::draw(&app, 40, 40);
    assert!(narrow.contains("project") && narrow.contains("of whole lists") && !narrow.contains("not of…"), "{narrow}");
    let bad = of_project.iter().filter(|row| row.score < Some(50)).count();
    press(&mut app, "down down enter");
    assert_eq!(app.reports.shown.len(), bad);
}

#[test]
fn tab_cycles_through_all_blocks() {
    let mut app = overview();
    let first = app.overview_lines()[0].0;
    let mut seen = Vec::new();
    loop {
        press(&mut app, "tab");
        let Some(reportdeck::app::overlays::Overlay::Overview(cursor)) = app.overlays.last() else { panic!() };
        let block = app.overview_lines()[cursor.at].0;
        seen.push(block);
        if block == first {
            break;
        }
    }
    assert_eq!(seen.len(), 8);
    press(&mut app, "shift+tab enter");
    assert!(app.reports.filter_line.value().starts_with("score:"), "{}", app.reports.filter_line.value());
}

#[test]
fn the_most_urgent_report_is_opened_in_its_pane() {
    let mut app = overview();
    let lines = app.overview_lines();
    let at = lines.iter().position(|(_, target)| matches!(target, OverviewTarget::Report(_))).unwrap();
    let OverviewTarget::Report(id) = lines[at].1.clone() else { panic!() };
    for _ in 0..at {
        press(&mut app, "down");
    }
    press(&mut app, "enter");
    assert_eq!((app.screen.focus, app.reports.cursor.clone()), (Pane::Report, Some(id)));
}

#[test]
fn keys_open_the_list_the_projects_and_the_filter() {
    for (key, focus, typing) in [
        ("2", Pane::Reports, false),
        ("0", Pane::Reports, false),
        ("1", Pane::Projects, false),
        ("/", Pane::Reports, true),
    ] {
        let mut app = overview();
        press(&mut app, key);
        assert!(app.overlays.is_empty(), "{key}");
        assert_eq!((app.screen.focus, app.reports.typing), (focus, typing), "{key}");
    }
}

#[test]
fn changes_open_above_the_overview_and_esc_returns_to_it() {
    let mut app = overview();
    go_to(&mut app, OverviewBlock::Changes);
    press(&mut app, "enter");
    assert_eq!(app.context(), Context::Changes);
    press(&mut app, "esc");
    assert_eq!(app.context(), Context::Overview);
    press(&mut app, "esc");
    assert_eq!(app.context(), Context::Panes);
}

#[test]
fn the_history_opens_above_the_overview_and_esc_returns_to_it() {
    let mut app = overview();
    press(&mut app, "@");
    assert!(matches!(app.overlays.last(), Some(Overlay::History(_))));
    press(&mut app, "esc");
    assert!(matches!(app.overlays.last(), Some(Overlay::Overview(_))));
}

#[test]
fn the_open_overview_is_recounted_only_when_a_report_changes() {
    let mut app = overview();
    let effects = press(&mut app, "down");
    assert!(!count(&mut app, &effects), "a key changes no report");
    let id = app.reports.listing.rows.iter().next().unwrap().id.clone();
    press(&mut app, "0");
    let effects = press(&mut app, "2 0");
    assert!(count(&mut app, &effects), "opening it starts a count");
    let mut changed = app.reports.listing.row(&id).unwrap().clone();
    changed.score = Some(3);
    let request = reports_request(&press(&mut app, "r"));
    let rows = app.reports.listing.rows.iter().cloned().map(|row| if row.id == id { changed.clone() } else { row });
    let effects = app.update(Message::Reports(request, Ok(page(rows.collect(), None, 5))), now());
    assert!(count(&mut app, &effects), "a changed report starts a count");
}

#[test]
fn the_cursor_stays_on_a_line_when_a_recount_has_fewer() {
    let mut app = overview();
    for _ in app.overview_lines() {
        press(&mut app, "down");
    }
    let before = app.overview_lines().len();
    let request = reports_request(&press(&mut app, "r"));
    let effects = app.update(Message::Reports(request, Ok(page(vec![five().remove(2)], None, 1))), now());
    assert!(count(&mut app, &effects));
    let Some(Overlay::Overview(cursor)) = app.overlays.last() else { panic!("it closed") };
    assert!(app.overview_lines().len() < before && cursor.at < app.overview_lines().len(), "{}", cursor.at);
}

#[test]
fn drawing_the_overview_sends_no_request() {
    let mut app = loaded();
    let effects = press(&mut app, "0");
    assert!(matches!(&effects[..], [Effect::CountOverview(..), Effect::ReadLog(_)]), "{effects:?}");
    assert!(app.wake_at().is_none_or(|at| at > now()), "and no tick is scheduled");
}

#[test]
fn unknown_checks_of_bad_reports_are_fetched_on_enter() {
    let mut app = overview();
    press(&mut app, "2");
    let request = reports_request(&press(&mut app, "r"));
    let bad = Report { failed: FailedChecks::default(), ..row(9, "https://shop.example/tea", 20) };
    app.update(Message::Reports(request, Ok(page(vec![bad], None, 1))), now());
    let effects = press(&mut app, "0");
    count(&mut app, &effects);
    go_to(&mut app, OverviewBlock::Checks);
    let unknown = app.overview.counts.as_ref().unwrap().unknown_checks.len();
    assert_eq!(unknown, 1, "the row has no checks");
    let effects = press(&mut app, "enter");
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::ShowChecks(..))).count(), 1);
}

#[test]
fn an_unknown_result_has_its_own_line() {
    let mut app = overview();
    let request = reports_request(&press(&mut app, "r"));
    let odd = Report { outcome: reportdeck::domain::report::outcome::Outcome::from_name("odd"), ..five().remove(0) };
    let effects = app.update(Message::Reports(request, Ok(page(vec![odd], None, 1))), now());
    assert!(count(&mut app, &effects));
    assert!(crate::update::screen(&app).contains("other"), "{}", crate::update::screen(&app));
}

#[test]
fn the_overview_of_an_incomplete_list_says_how_much_is_loaded() {
    let (mut app, effects) = connected();
    app.update(Message::Projects(crate::support::states::projects_request(&effects), Ok(two_projects())), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    let effects = press(&mut app, "0");
    count(&mut app, &effects);
    for columns in [140, 80] {
        let screen = crate::update::screen_of(&app, columns);
        assert!(screen.contains("Overview of all 2 projects · 5 of 500 reports loaded"), "{screen}");
    }
}

#[test]
fn the_days_of_the_chart_are_those_of_the_calendar_when_summer_time_ends_between_them() {
    let mut app = overview();
    // 23:30 in Berlin; 29 times 24 hours before, it was already half past midnight, in summer time.
    let late = now() + SignedDuration::from_mins(508);
    let bad = [(now() - SignedDuration::from_hours(24 * 20), 3), (now(), 2)].to_vec();
    let trends = BadShareHistory { bad, ..BadShareHistory::default() };
    app.triage.changes.compared = Some(ComparisonResult { trends, ..ComparisonResult::default() });
    app.update(Message::Tick, late);
    app.screen.zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    let (text, _) = session::draw(&app, 160, 48);
    assert!(text.contains("┬ 23 Oct") && text.contains("┬ 2 Nov"), "{text}");
}

#[test]
fn a_look_in_the_evening_belongs_to_its_day_of_the_chart() {
    // Yesterday at eight in the morning, and in the evening.
    let charts = [30, 18].map(|hours| {
        let mut app = overview();
        let ago = |hours| now() - SignedDuration::from_hours(hours);
        let trends = BadShareHistory { bad: vec![(ago(24 * 20), 0), (ago(hours), 8)], ..BadShareHistory::default() };
        app.triage.changes.compared = Some(ComparisonResult { trends, ..ComparisonResult::default() });
        session::draw(&app, 160, 48).0
    });
    assert_eq!(charts[0], charts[1]);
}

#[test]
fn a_new_report_can_be_created_from_the_overview_and_esc_returns_to_it() {
    let mut app = overview();
    press(&mut app, "n");
    assert_eq!(app.context(), Context::FormText);
    press(&mut app, "esc");
    assert_eq!(app.context(), Context::Overview);
}

#[test]
fn an_event_of_yesterday_evening_has_its_date() {
    let (mut app, effects) = connected();
    let rows = [five(), vec![row(20, "https://evening.example/", 50)]].concat();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 6))), now());
    let effects = press(&mut app, "0");
    assert!(count(&mut app, &effects));
    let (screen, _) = session::draw(&app, 160, 60);
    assert!(screen.contains("20 Nov audits evening.example"), "{screen}");
    assert!(screen.contains(":02 audits shop.example"), "{screen}");
}

#[test]
fn all_blocks_fit_120_by_35_and_the_open_work_shows_its_three_most_urgent_reports() {
    let states = [State::Looking, State::Waiting, State::ToVerify, State::WontFix];
    let desk = states.iter().enumerate().map(|(at, state)| desk_row(&(at + 1).to_string(), *state, "anna", 1));
    let mut app = on_desk(desk.collect());
    let failed: Vec<CheckId> = (0..20).map(|at| CheckId::from(format!("check_{at}").as_str())).collect();
    let bad = |number| Report {
        failed: failed.iter().cloned().collect(),
        ..row(number, &format!("https://shop.example/tea/{number}"), 31)
    };
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page((1..=8).map(bad).collect(), None, 8))), now());
    let effects = press(&mut app, "0");
    assert!(count(&mut app, &effects));
    let (screen, _) = session::draw(&app, 120, 35);
    let blocks = ["Overview of", "Since", "Projects", "What the 8", "Work: 5", "Latest", "Bad reports", "Scores"];
    for text in blocks.into_iter().chain(["won't fix 1", "1st ", "2nd ", "3rd "]) {
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
    let most_urgent = screen.lines().find_map(|line| line.split("│").find(|part| part.contains("1st ")));
    assert!(most_urgent.unwrap().contains(" h ago"), "when it was audited:\n{screen}");
}

#[test]
fn the_overview_names_the_account_and_the_time_of_its_list() {
    let mut app = overview();
    let name = "work".to_owned();
    let connected = Connected { name, host: "seo.example".into(), read_only: false, accent: None, directory: None };
    app.ctx.connection = reportdeck::app::ctx::Connection::Ready(connected);
    let (screen, _) = session::draw(&app, 160, 48);
    assert!(screen.contains(" work · Overview of all 2 projects · 5 reports · as of 14:02 "), "{screen}");
    let (screen, _) = session::draw(&app, 120, 35);
    assert!(screen.contains(" Overview of all 2 projects · 5 reports · as of 14:02 "), "{screen}");
}

#[test]
fn the_changes_of_the_overview_count_the_reports_that_crossed_a_border() {
    let mut app = overview();
    let state = |word: &str, score| ReportState {
        generated_at: Some(now()),
        outcome: Outcome::from_name(word),
        score: Some(score),
        failing: None,
    };
    let change = |before, after| ResultChange { id: ReportId::new("1"), before, after };
    let comparison = Comparison {
        regressed: vec![
            change(state("good", 90), state("decent", 60)),
            change(state("decent", 60), state("bad", 20)),
            change(state("bad", 30), state("bad", 20)),
        ],
        improved: vec![change(state("bad", 30), state("decent", 60)), change(state("decent", 60), state("good", 90))],
        untested: vec![OverdueReport { id: ReportId::new("4"), generated_at: now() - SignedDuration::from_hours(800) }],
        knows_new: true,
        knows_gone: true,
        ..Comparison::default()
    };
    let baseline = Some(now() - SignedDuration::from_hours(22));
    app.triage.changes.compared = Some(ComparisonResult { baseline, comparison, ..ComparisonResult::default() });
    press(&mut app, "L d d d d esc");
    for (columns, rows) in [(120, 35), (80, 24)] {
        let (screen, _) = session::draw(&app, columns, rows);
        for text in [
            "3 worse",
            "2 with a worse result",
            "2 better",
            "1 left bad",
            "1 not re-run for 30 days",
            "Enter shows them, x there marks everything as seen",
        ] {
            assert!(screen.contains(text), "{text}, {columns}x{rows}:\n{screen}");
        }
    }
    app.triage.changes.untested_days = 1;
    for (keys, text) in [("", "1 not re-run for 1 day "), ("L", "Not re-run for 1 day ")] {
        press(&mut app, keys);
        let (screen, _) = session::draw(&app, 80, 24);
        assert!(screen.contains(text), "{text}:\n{screen}");
    }
}

/// Opens the overview of five of 500 reports, and returns the request for the next page.
fn of_five_loaded() -> (App, reportdeck::app::effect::RequestId) {
    let (mut app, effects) = connected();
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    let request = reports_request(&effects);
    let effects = press(&mut app, "0");
    assert!(count(&mut app, &effects));
    (app, request)
}

#[test]
fn rows_that_arrived_before_loading_failed_are_counted() {
    let (mut app, second) = of_five_loaded();
    let rows = vec![row(6, "https://shop.example/6", 20), row(7, "https://shop.example/7", 20)];
    let effects = app.update(Message::Reports(second, Ok(page(rows, Some(3), 500))), now());
    assert!(session::draw(&app, 120, 35).0.contains("5 of 500 reports loaded"), "the counts are of five");
    let third = reports_request(&effects);
    let effects = app.update(Message::Reports(third, Err(failure(FailureKind::Invalid))), now());
    assert!(count(&mut app, &effects), "{effects:?}");
    let counts = app.overview.counts.as_ref().unwrap();
    assert_eq!((counts.reports, counts.results.bad), (7, 4));
    assert!(session::draw(&app, 120, 35).0.contains("7 of 500 reports loaded"));
}

#[test]
fn the_title_counts_the_loaded_reports_of_an_open_project() {
    let (mut app, _) = of_five_loaded();
    press(&mut app, "1");
    let at = app.projects.rows().iter().position(|project| project.name.raw() == "shop.example").unwrap();
    press(&mut app, &"down ".repeat(at + 1));
    press(&mut app, "enter");
    app.projects.list.value.as_mut().unwrap()[at].reports = Some(4);
    let effects = press(&mut app, "0");
    count(&mut app, &effects);
    let screen = session::draw(&app, 120, 35).0;
    assert!(screen.contains("Overview of shop.example · 3 of 4 reports loaded"), "{screen}");
}

#[test]
fn a_list_that_could_not_be_loaded_is_not_counted_as_empty() {
    let (mut app, effects) = connected();
    let request = reports_request(&effects);
    let effects = press(&mut app, "0");
    count(&mut app, &effects);
    let loading = session::draw(&app, 120, 35).0;
    assert!(loading.contains("Counting") && !loading.contains("0 open"), "{loading}");
    let effects = app.update(Message::Reports(request, Err(failure(FailureKind::Invalid))), now());
    count(&mut app, &effects);
    let failed = session::draw(&app, 120, 35).0;
    assert!(failed.contains("No reports are loaded") && !failed.contains("0 open"), "{failed}");
}

#[test]
fn reports_without_a_project_are_no_project_of_the_overview() {
    let mut app = overview();
    let request = reports_request(&press(&mut app, "r"));
    let without = Report { project: std::sync::Arc::default(), ..row(9, "https://shop.example/tea", 20) };
    let rows = [five(), vec![without]].concat();
    let effects = app.update(Message::Reports(request, Ok(page(rows, None, 6))), now());
    assert!(count(&mut app, &effects));
    let screen = session::draw(&app, 160, 48).0;
    assert!(screen.contains("all 2 projects") && screen.contains("without a project"), "{screen}");
    assert!(screen.contains("audits without a project: 1 ("), "{screen}");
}

#[test]
fn the_results_of_the_latest_audits_add_up() {
    let mut app = overview();
    let request = reports_request(&press(&mut app, "r"));
    let odd = Report { outcome: Outcome::from_name("odd"), ..row(1, "https://shop.example/tea", 31) };
    let rows = vec![odd, row(2, "https://shop.example/", 31)];
    let effects = app.update(Message::Reports(request, Ok(page(rows, None, 2))), now());
    assert!(count(&mut app, &effects));
    let screen = session::draw(&app, 160, 48).0;
    assert!(screen.contains("audits shop.example: 2 (0 good, 0 decent, 1 bad, 1 other)"), "{screen}");
}

#[test]
fn the_title_of_the_chart_counts_the_looks_that_it_shows() {
    let mut app = overview();
    let days = |days: i64| now() - SignedDuration::from_hours(24 * days);
    let bad = vec![(days(90), 3), (days(60), 3), (days(20), 3), (now(), 2)];
    let trends = BadShareHistory { bad, ..BadShareHistory::default() };
    app.triage.changes.compared = Some(ComparisonResult { trends, ..ComparisonResult::default() });
    let screen = session::draw(&app, 160, 48).0;
    assert!(screen.contains("Bad reports, 30 days, 2 looks"), "{screen}");
}
