//! Keys act on the focused pane, and explain themselves where they do not apply.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::frame_layout::Pane;
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::app::overlays::Overlay;
use reportdeck::app::overlays::form::FormKind;
use reportdeck::domain::activity::Exchange;
use reportdeck::domain::event_log::line::lines;
use reportdeck::domain::event_log::{LogEntry, LogKind};
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::list::paging::{Next, Page, PageToken};
use reportdeck::domain::project::Project;
use reportdeck::domain::report::Report;
use reportdeck::domain::report::privacy::Privacy;

use crate::support::states::*;
use crate::update::{screen, screen_of};

#[test]
fn an_opened_report_is_fetched_again_after_its_row_has_changed() {
    let shows = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::ShowReport(request, _) => Some(*request),
            _ => None,
        })
    };
    let with = |privacy| Report { privacy: Some(privacy), ..row(1, "https://shop.example/tea", 31) };
    let mut app = loaded();
    let request = shows(&press(&mut app, "enter")).unwrap();
    app.update(Message::Report(request, Ok(with(Privacy::Password))), now());
    assert_eq!(app.current_report().unwrap().privacy, Some(Privacy::Password));
    press(&mut app, "2 j");
    let request = reports_request(&press(&mut app, "r"));
    let rows = std::iter::once(with(Privacy::Public)).chain(five().into_iter().skip(1)).collect();
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    let effects = press(&mut app, "k enter");
    assert_eq!(app.current_report().unwrap().privacy, Some(Privacy::Public), "not what was opened before");
    let request = shows(&effects).unwrap();
    app.update(Message::Report(request, Ok(with(Privacy::Public))), now());
    assert!(shows(&press(&mut app, "2 j k enter")).is_none(), "now they agree");
}

#[test]
fn esc_with_nothing_to_clear_keeps_the_focus() {
    let mut app = loaded();
    press(&mut app, "esc esc");
    assert_eq!(app.screen.focus, Pane::Reports);
    press(&mut app, "enter esc esc esc");
    assert_eq!(app.screen.focus, Pane::Reports, "from the report back to the list, and no further");
    press(&mut app, "1 esc");
    assert_eq!(app.screen.focus, Pane::Projects);
}

#[test]
fn esc_in_an_opened_report_stops_neither_loading_nor_the_marks_of_the_list() {
    let (mut app, effects) = connected();
    let rows = page(five(), Some(2), 2_000);
    app.update(Message::Reports(reports_request(&effects), Ok(rows)), now());
    assert!(screen(&app).contains("loading page 2/20 (Esc stops)"), "{}", screen(&app));
    press(&mut app, "space enter");
    assert!(!screen(&app).contains("stops"), "Esc leaves the report: {}", screen(&app));
    press(&mut app, "esc");
    assert!(screen(&app).contains("loading page 2/20 (Esc stops)"), "{}", screen(&app));
    assert!(screen(&app).contains("1 marked"), "{}", screen(&app));
    press(&mut app, "esc");
    app.ctx.notice = None;
    assert!(screen(&app).contains("stopped at 5 (r resumes)"), "{}", screen(&app));
    // In the form, `r` is a letter.
    press(&mut app, "n");
    assert!(!screen(&app).contains("resumes"), "{}", screen(&app));
}

#[test]
fn rows_of_the_former_filter_are_not_taken_for_all_after_loading_was_stopped() {
    let (mut app, _) = connected();
    let bad = reports_request(&press(&mut app, "b"));
    let rows = vec![row(1, "https://shop.example/tea", 31), row(2, "https://shop.example/cart", 44)];
    app.update(Message::Reports(bad, Ok(page(rows, None, 2))), now());
    reports_request(&press(&mut app, "esc"));
    press(&mut app, "esc");
    app.ctx.notice = None;
    let screen = screen(&app);
    assert!(screen.contains("stopped at 2 (r resumes)") && !screen.contains(" 2 reports"), "{screen}");
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five(), None, 5))), now());
    assert_eq!(shown(&app).len(), 5);
}

#[test]
fn report_keys_in_the_projects_pane_only_explain_where_they_work() {
    for key in ["m", "c", "y", "Y", "o", "O", "i"] {
        let mut app = loaded();
        let effects = press(&mut app, &format!("1 j {key}"));
        assert!(effects.is_empty() && app.overlays.is_empty(), "{key}: {effects:?}");
        assert!(screen(&app).contains("This needs a report: 2 goes to the list"), "{key}\n{}", screen(&app));
        press(&mut app, "2");
        assert_eq!(app.screen.focus, Pane::Reports);
    }
}

/// Projects of a service that sends no counts.
fn projects_without_counts() -> Page<Project> {
    let mut page = two_projects();
    for project in &mut page.rows {
        (project.reports, project.good, project.decent, project.bad) = (None, None, None, None);
    }
    page
}

/// The counts of a project as the pane shows them: all, good and bad reports.
fn counts(app: &App, name: &str) -> Option<(u64, u64, u64)> {
    let project = app.projects.named(name)?;
    Some((project.reports?, project.good?, project.bad?))
}

#[test]
fn projects_without_counts_are_counted_once_all_rows_are_loaded() {
    let (mut app, effects) = connected();
    let (reports, projects) = (reports_request(&effects), projects_request(&effects));
    app.update(Message::Projects(projects, Ok(projects_without_counts())), now());
    let first = five()[..2].to_vec();
    let effects = app.update(Message::Reports(reports, Ok(page(first, Some(2), 5))), now());
    assert_eq!(counts(&app, "shop.example"), None, "an incomplete list gives no counts");
    app.update(Message::Reports(reports_request(&effects), Ok(page(five()[2..].to_vec(), None, 5))), now());
    let of = |project: &str| five().iter().filter(|row| row.project.raw() == project).count() as u64;
    let (all, good, bad) = counts(&app, "shop.example").unwrap();
    assert_eq!(all, of("shop.example"));
    let counted = |word: &str| {
        let rows = five();
        rows.iter().filter(|row| row.project.raw() == "shop.example" && row.outcome.name() == word).count() as u64
    };
    assert_eq!((good, bad), (counted("good"), counted("bad")));
    // A filtered list does not change them.
    press(&mut app, "b");
    assert_eq!(counts(&app, "shop.example"), Some((all, good, bad)));
}

#[test]
fn reports_that_name_no_project_give_no_counts() {
    let (mut app, effects) = connected();
    let (reports, projects) = (reports_request(&effects), projects_request(&effects));
    app.update(Message::Projects(projects, Ok(projects_without_counts())), now());
    let without_project = |report| Report { project: Arc::default(), ..report };
    let rows = five().into_iter().map(without_project).collect();
    app.update(Message::Reports(reports, Ok(page(rows, None, 5))), now());
    assert_eq!(counts(&app, "shop.example"), None);
}

#[test]
fn projects_that_change_while_they_are_read_are_read_again_without_those_deleted_meanwhile() {
    let (mut app, effects) = connected();
    let part = |names: &[&str], total, next| {
        let rows = names.iter().map(|name| project(name, 1, 0, 0)).collect();
        Page { rows, next, total: Some(total), ..two_projects() }
    };
    let second = || Next::Page(PageToken::Number(2));
    let pages = [
        (part(&["a.example", "b.example"], 4, second()), Some(PageToken::Number(2))),
        (part(&["d.example"], 3, Next::End), Some(PageToken::First)),
        (part(&["a.example", "c.example"], 3, second()), Some(PageToken::Number(2))),
        (part(&["d.example"], 3, Next::End), None),
    ];
    let mut request = projects_request(&effects);
    for (page, expected) in pages {
        assert!(app.projects.rows().is_empty(), "the list is shown when it is complete");
        let effects = app.update(Message::Projects(request, Ok(page)), now());
        let asked = effects.into_iter().find_map(|effect| match effect {
            Effect::ListProjects(next, _, token) => Some((next, token)),
            _ => None,
        });
        assert_eq!(asked.as_ref().map(|(_, token)| token.clone()), expected);
        request = asked.map_or(request, |(next, _)| next);
    }
    let names: Vec<_> = app.projects.rows().iter().map(|project| project.name.raw()).collect();
    assert_eq!(names, ["a.example", "c.example", "d.example"], "c was missed at first, b is gone");
}

#[test]
fn counts_of_a_service_are_not_replaced() {
    let (mut app, effects) = connected();
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(five()[..1].to_vec(), None, 1))), now());
    assert_eq!(counts(&app, "blog.example"), Some((2, 2, 0)));
}

#[test]
fn a_reload_that_finds_other_reports_than_the_projects_count_reloads_them_too() {
    let asks = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::ListProjects(..)));
    let mut app = loaded();
    let reload = |app: &mut App, rows: Vec<Report>| {
        let request = reports_request(&press(app, "2 r"));
        let count = rows.len() as u64;
        app.update(Message::Reports(request, Ok(page(rows, None, count))), now())
    };
    assert!(!asks(&reload(&mut app, five())), "they agree");
    let mut six = five();
    six.push(row(6, "https://shop.example/mugs", 20));
    assert!(asks(&reload(&mut app, six)), "the projects count five reports");
    let (mut app, effects) = connected();
    app.update(
        Message::Projects(projects_request(&effects), Ok(Page { rows: Vec::new(), total: Some(0), ..two_projects() })),
        now(),
    );
    assert!(!asks(&reload(&mut app, Vec::new())), "there are neither");
    assert!(asks(&reload(&mut app, five())), "no projects were listed");
}

#[test]
fn a_re_run_in_the_projects_pane_is_planned_for_the_loaded_reports_of_the_project() {
    let mut app = loaded();
    press(&mut app, "1 j t");
    let screen = screen(&app);
    assert!(screen.contains("Re-run 2 reports?") && screen.contains("blog.example: 2 reports"), "{screen}");
    let effects = press(&mut app, "y");
    let Some(Effect::StoreRun(_, _, items)) = effects.first() else { panic!("{effects:?}") };
    assert_eq!(items.len(), 2);
}

#[test]
fn a_plan_in_the_projects_pane_shows_how_many_reports_are_loaded() {
    let mut app = loaded();
    let request = projects_request(&press(&mut app, "1 r"));
    let mut projects = two_projects();
    projects.rows[1].reports = Some(1_604);
    app.update(Message::Projects(request, Ok(projects)), now());
    press(&mut app, "j t");
    assert!(screen(&app).contains("2 of its 1,604 reports are loaded"), "{}", screen(&app));
}

#[test]
fn space_in_the_projects_pane_marks_and_unmarks_the_reports_of_the_project() {
    let mut app = loaded();
    press(&mut app, "1 j space");
    assert_eq!(app.reports.selection.ids.len(), 2);
    assert!(notice(&app).contains("Marked blog.example"), "{}", notice(&app));
    press(&mut app, "space");
    assert!(app.reports.selection.ids.is_empty());
    press(&mut app, "u");
    assert_eq!(app.reports.selection.ids.len(), 2, "one step to undo");
    assert_eq!(app.screen.focus, Pane::Projects);
}

#[test]
fn edit_in_the_projects_pane_covers_its_reports_and_ignores_marks() {
    let mut app = loaded();
    press(&mut app, "V 1 j e");
    let FormKind::Many(targets) = &app.form().unwrap().kind else { panic!("{:?}", app.form()) };
    assert_eq!(targets.described(), "blog.example: 2 reports");
    press(&mut app, "right right ctrl+s");
    assert!(screen(&app).contains("blog.example: 2 reports"), "{}", screen(&app));
}

#[test]
fn project_keys_explain_why_they_do_nothing_on_all_and_without_loaded_reports() {
    for key in ["t", "e", "space", "D", "=", "-"] {
        let mut app = loaded();
        assert!(press(&mut app, &format!("1 {key}")).is_empty());
        assert!(app.overlays.is_empty());
        assert!(notice(&app).contains("`All` is not a project"), "{key}: {:?}", app.ctx.notice);
    }
    for key in ["t", "e", "space"] {
        let (mut app, effects) = connected();
        app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
        press(&mut app, &format!("1 j {key}"));
        assert!(notice(&app).contains("No report of blog.example is loaded"), "{key}");
        assert!(app.overlays.is_empty());
    }
}

#[test]
fn escape_in_the_list_never_moves_the_focus() {
    for (pane, script) in
        [(Pane::Projects, "1 esc esc"), (Pane::Reports, "b esc esc esc"), (Pane::Reports, "3 esc esc esc")]
    {
        let mut app = loaded();
        press(&mut app, script);
        assert_eq!(app.screen.focus, pane, "{script}");
    }
}

#[test]
fn the_keys_for_values_say_why_they_do_nothing_without_a_report() {
    for key in ["=", "-"] {
        let mut app = loaded();
        press(&mut app, "/ n o n e enter");
        press(&mut app, key);
        assert_eq!(notice(&app), "No report under the cursor", "{key}");
    }
}

fn log_request(effects: &[Effect]) -> RequestId {
    let request = |effect: &Effect| if let Effect::ReadLog(request) = effect { Some(*request) } else { None };
    effects.iter().find_map(request).expect("the log is not read")
}

#[test]
fn the_cursor_of_the_history_stays_at_its_line_when_events_are_added() {
    let mut app = loaded();
    let effects = press(&mut app, "t");
    let Some(Effect::Update(rerun, ..)) = effects.first() else { panic!("{effects:?}") };
    let request = log_request(&press(&mut app, "@"));
    let entry = |number: u32| {
        let at = now() - SignedDuration::from_hours(i64::from(number));
        LogEntry::about(LogKind::Rerun, &row(number, "https://shop.example/tea", 31), at)
    };
    app.update(Message::Log(request, Some(lines([entry(3), entry(2)]))), now());
    press(&mut app, "j");
    let audited = Report { generated_at: now().into(), ..five()[0].clone() };
    let effects = app.update(Message::Updated(*rerun, Ok(UpdateOutcome::Saved(audited))), now());
    app.update(Message::Log(log_request(&effects), Some(lines([entry(3), entry(2), entry(1)]))), now());
    press(&mut app, "enter");
    assert_eq!(app.subject().unwrap().id.raw(), "3");
}

#[test]
fn an_event_of_this_day_a_year_ago_is_not_shown_as_one_of_today() {
    let mut app = loaded();
    let request = log_request(&press(&mut app, "@"));
    let entry = |days: i64| {
        let report = row(1, "https://shop.example/tea", 31);
        LogEntry::about(LogKind::Rerun, &report, now() - SignedDuration::from_hours(24 * days))
    };
    app.update(Message::Log(request, Some(lines([entry(365), entry(0)]))), now());
    let (screen, date) = (screen_of(&app, 50), now().strftime("%d %b").to_string());
    assert!(screen.matches("today").count() == 1 && screen.contains(&date), "{screen}");
}

fn exchange(path: &str) -> Exchange {
    Exchange {
        at: now(),
        method: "GET",
        path: path.to_owned(),
        audits: false,
        status: Some(200),
        took: Duration::from_millis(9),
        bytes: 1_000,
        limit: None,
        attempt: 1,
        problem: String::new(),
    }
}

#[test]
fn a_request_that_does_not_fit_its_line_is_whole_below_the_list() {
    let mut app = loaded();
    let failed = Exchange {
        status: None,
        problem: "no connection (Connection refused)".to_owned(),
        ..exchange("/api/v1/reports?sort_by=generated_at&sort=desc&per_page=100")
    };
    app.update(Message::Exchange(failed), now());
    press(&mut app, "@ @");
    let wide = screen(&app);
    assert!(wide.contains("Authorization") && wide.matches("per_page=100 no connection").count() == 1, "{wide}");
    let narrow = screen_of(&app, 80);
    assert!(narrow.contains("(Connection refused)"), "{narrow}");
}

#[test]
fn the_cursor_of_the_requests_stays_at_its_line_unless_it_is_the_first() {
    let mut app = loaded();
    for path in ["/one", "/two"] {
        app.update(Message::Exchange(exchange(path)), now());
    }
    press(&mut app, "@ @");
    let under_cursor = |app: &App| {
        let Some(Overlay::Activity(cursor)) = app.overlays.last() else { panic!("{:?}", app.overlays) };
        app.ctx.activity[cursor.at].path.clone()
    };
    assert_eq!(under_cursor(&app), "/two");
    app.update(Message::Exchange(exchange("/three")), now());
    assert_eq!(under_cursor(&app), "/three", "the first line shows the latest");
    press(&mut app, "j");
    app.update(Message::Exchange(exchange("/four")), now());
    assert_eq!(under_cursor(&app), "/two");
}

#[test]
fn header_and_projects_count_reports_without_a_project() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    let without = |number| Report { project: std::sync::Arc::default(), ..row(number, "https://shop.example/x", 20) };
    let rows = [five(), vec![without(8), without(9)]].concat();
    app.update(Message::Reports(request, Ok(page(rows, None, 7))), now());
    let shown = screen(&app);
    assert!(shown.contains("good 2") && shown.contains("bad 4"), "{shown}");
    let all = shown.lines().find(|line| line.contains("▸ All")).unwrap();
    assert!(all.split('│').nth(1).unwrap().trim_end().ends_with(" 7"), "{all}");
}

#[test]
fn the_counts_of_a_searched_list_are_called_those_found() {
    let (mut app, effects) = connected();
    app.update(Message::Projects(projects_request(&effects), Ok(projects_without_counts())), now());
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    press(&mut app, "/ t e a");
    let request = reports_request(&press(&mut app, "enter"));
    let found = vec![row(1, "https://shop.example/tea", 31), row(6, "https://shop.example/tea/6", 90)];
    app.update(Message::Reports(request, Ok(page(found, None, 2))), now());
    let header = screen(&app).lines().next().unwrap().to_owned();
    assert!(header.contains("found: good 1") && header.contains("bad 1"), "{header}");
}

#[test]
fn an_error_of_the_projects_names_the_key_that_loads_them_again() {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    let mut request = projects_request(&effects);
    for keys in ["1 r", "2 r", "3 r"] {
        app.update(Message::Projects(request, Err(failure(FailureKind::Service))), now());
        assert!(screen(&app).contains("(500). r retries. Try again in a moment"), "{}", screen(&app));
        request = projects_request(&press(&mut app, keys));
    }
    app.update(Message::Projects(request, Ok(two_projects())), now());
    assert!(!screen(&app).contains("r retries"), "{}", screen(&app));
}

#[test]
fn the_requests_are_those_to_the_present_service() {
    let mut app = loaded();
    crate::support::states::add_profiles(&mut app);
    app.update(Message::Exchange(exchange("/api/v1/reports?page=2")), now());
    press(&mut app, "A j enter @ @");
    assert!(screen(&app).contains("No requests yet") && !screen(&app).contains("page=2"), "{}", screen(&app));
}

#[test]
fn the_key_of_the_report_pane_says_in_a_narrow_window_too_what_it_changed() {
    let mut app = loaded();
    press(&mut app, "p");
    assert_eq!(notice(&app), "Report pane off");
    press(&mut app, "p");
    assert_eq!(notice(&app), "Report pane on, in windows wide enough for three panes");
}
