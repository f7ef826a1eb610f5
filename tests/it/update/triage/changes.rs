//! Changes since an earlier list: stored snapshots, comparisons, and actions on them.

use reportdeck::app::App;
use reportdeck::app::ctx::Connection;
use reportdeck::app::effect::Effect;
use reportdeck::app::frame_layout::{HitTarget, Pane};
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::app::overlays::Overlay;
use reportdeck::app::triage::change_sections::{ChangeLine, ChangeSection};
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::list::row_index::RowIndex;
use reportdeck::domain::overview::Overview;
use reportdeck::domain::report::Report;
use reportdeck::domain::report::result_counts::ResultCounts;
use reportdeck::domain::triage::changes::comparison::{ComparisonRequest, ComparisonResult};
use reportdeck::domain::triage::changes::{BadShareHistory, ListScope, Snapshot, compare};
use reportdeck::input::{Context, Input, Mouse, MouseKind};

use crate::support::states::*;
use crate::update::{screen, screen_of};

/// Returns the requested comparison.
fn wanted(effects: &[Effect]) -> (reportdeck::app::effect::RequestId, ComparisonRequest) {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::Compare(request, wanted) => Some((*request, (**wanted).clone())),
        _ => None,
    });
    found.expect("nothing is compared")
}

/// A dashboard whose first report was better before, whose second was worse, and which listed one more.
fn changed() -> App {
    let (mut app, effects) = connected();
    app.update(Message::Projects(projects_request(&effects), Ok(two_projects())), now());
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    let (request, wanted) = wanted(&effects);
    assert!(wanted.is_complete && wanted.scope == ListScope::default());
    let newer = Snapshot::take(wanted.rows.iter(), ListScope::default(), true, now());
    let mut before = five();
    before[0].score = before[0].score.map(|score| score + 3);
    before[1].score = before[1].score.map(|score| score.saturating_sub(3));
    before.push(row(99, "https://shop.example/gone", 10));
    let older = Snapshot::take(before.iter(), ListScope::default(), true, now() - jiff::SignedDuration::from_hours(15));
    let comparison = compare(&older, &newer, now(), wanted.untested_for);
    let names = [(before[5].id.clone(), "shop.example/gone".to_owned())].into_iter().collect();
    let (mut trends, places) = (BadShareHistory::default(), RowIndex::of_all(&wanted.rows));
    for look in [&older, &newer] {
        trends.add(look, &wanted.rows, &places);
    }
    let compared =
        ComparisonResult { baseline: Some(older.taken_at), comparison, names, trends, ..ComparisonResult::default() };
    app.update(Message::ComparisonResult(request, Ok(Box::new(compared))), now());
    app
}

/// Returns the line under the cursor of the changes.
fn line_under_cursor(app: &App) -> usize {
    let cursor = app.overlays.iter().find_map(|overlay| match overlay {
        Overlay::Changes(cursor) => Some(cursor.at),
        _ => None,
    });
    cursor.expect("the changes are open")
}

#[test]
fn a_search_finds_reports_of_the_changes_and_skips_headings() {
    let mut app = changed();
    press(&mut app, "L");
    assert_eq!(line_under_cursor(&app), 1, "below the first heading");
    press(&mut app, "/ s h o p . e x a m p l e");
    let found: Vec<usize> = (0..4)
        .map(|_| {
            let at = line_under_cursor(&app);
            press(&mut app, "down");
            at
        })
        .collect();
    assert!(screen(&app).contains("of 3 hits"), "{}", screen(&app));
    assert_eq!(found, [1, 3, 6, 1], "both moved reports, the missing one, and again the first");
    press(&mut app, "up up");
    assert_eq!(line_under_cursor(&app), 6, "wraps around");
    press(&mut app, "x");
    assert_eq!(line_under_cursor(&app), 1, "no hit: where the search began");
    press(&mut app, "esc / g o n e enter");
    assert_eq!((line_under_cursor(&app), app.context()), (6, Context::Changes));
    press(&mut app, "/ c a r t esc");
    assert_eq!((line_under_cursor(&app), app.context()), (6, Context::Changes), "going back returns");
}

#[test]
fn a_search_finds_encoded_urls_by_their_decoded_text() {
    for (url, typed) in [("https://shop.example/stra%C3%9Fe", "ß"), ("https://xn--strae-oqa.example/tea", "ß e . e x")]
    {
        let (mut app, effects) = connected();
        let rows = vec![row(1, "https://shop.example/cart", 31), row(2, url, 31)];
        app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 2))), now());
        press(&mut app, "space space t y");
        press(&mut app, &format!("/ {typed}"));
        assert!(screen(&app).contains("1 of 1 hit"), "{}", screen(&app));
    }
}

#[test]
fn every_kind_of_change_is_listed_with_its_difference() {
    let mut app = changed();
    press(&mut app, "L");
    let screen = screen(&app);
    for text in [
        "15 h ago",
        "Regressed 1",
        "-3",
        "Improved 1",
        "+3",
        "New 0",
        "No longer listed 1: 0 gone, 1 missing",
        "shop.example/gone  missing",
        "Not re-run for 30 days 0",
    ] {
        assert!(screen.contains(text), "{text}\n{screen}");
    }
}

#[test]
fn a_long_url_is_cut_in_its_middle_and_hides_nothing_behind_it() {
    let mut app = changed();
    let long = format!("shop.example/{}gone", "green-tea/".repeat(30));
    app.triage.changes.compared.as_mut().unwrap().names.values_mut().for_each(|name| name.clone_from(&long));
    press(&mut app, "L");
    for columns in [40, 80, 140] {
        let screen = screen_of(&app, columns);
        assert!(screen.contains("gone  missing"), "{screen}");
    }
}

#[test]
fn the_notice_about_marks_does_not_offer_a_key_that_means_something_else_there() {
    let mut app = changed();
    press(&mut app, "L space");
    // `x` marks everything as seen here.
    assert_eq!(notice(&app), "1 report marked: the list has the actions for them");
}

#[test]
fn changed_reports_keep_their_urls_after_they_are_deleted() {
    let mut app = changed();
    let effects = press(&mut app, "D y");
    let Some(Effect::DeleteReport(request, _)) = effects.last() else { panic!("{effects:?}") };
    app.update(Message::Deleted(*request, Ok(())), now());
    let effects = press(&mut app, "1 g j j D s h o p . e x a m p l e enter");
    let Some(Effect::DeleteProject(request, _)) = effects.first() else { panic!("{effects:?}") };
    app.update(Message::Deleted(*request, Ok(())), now());
    press(&mut app, "L");
    let screen = screen(&app);
    assert!(!screen.contains("  report 1") && !screen.contains("  report 2"), "{screen}");
    for url in [five()[0].short_url(), five()[1].short_url()] {
        assert!(screen.contains(url), "{url}\n{screen}");
    }
}

#[test]
fn enter_opens_a_changed_report_even_if_the_filter_hides_it() {
    let mut app = changed();
    press(&mut app, "/ n o n e enter");
    assert!(app.reports.shown.is_empty());
    press(&mut app, "L enter");
    assert_eq!(app.reports.current().unwrap().id.raw(), "1");
    assert!(app.overlays.is_empty());
    press(&mut app, "u");
    assert_eq!(app.reports.filter_line.value(), "none");
}

#[test]
fn a_changed_report_is_opened_above_nothing_else() {
    for script in ["0 L enter", "w L enter", "0 w L enter"] {
        let mut app = changed();
        press(&mut app, script);
        assert!(app.overlays.is_empty(), "{script}: {:?}", app.overlays);
        assert_eq!((app.screen.focus, cursor(&app).as_deref()), (Pane::Report, Some("1")));
    }
}

#[test]
fn enter_opens_a_changed_report_of_another_project() {
    let mut app = changed();
    press(&mut app, "1 down enter");
    let other = app.reports.scope.clone();
    assert!(other.is_some() && !shown(&app).contains(&"1".to_owned()));
    press(&mut app, "L enter");
    assert_eq!((cursor(&app).as_deref(), app.reports.scope.as_ref()), (Some("1"), None));
    assert_eq!(app.projects.cursor, None, "the projects pane follows");
    press(&mut app, "u");
    assert_eq!((app.reports.scope.clone(), app.projects.cursor.clone()), (other.clone(), other));
}

#[test]
fn the_overview_of_a_project_shows_no_changes_of_the_whole_list() {
    let mut app = changed();
    let mut compared = app.triage.changes.compared.take().unwrap();
    compared.results = Some(ResultCounts { good: 900, decent: 900, bad: 900 });
    app.triage.changes.compared = Some(compared);
    for (script, is_shown) in [("2 0", true), ("1 down enter 0", false)] {
        for effect in press(&mut app, script) {
            if let Effect::CountOverview(request, rows, project, context) = effect {
                let counts = Overview::of(&rows, project.as_ref(), &context);
                app.update(Message::Overview(request, Box::new(counts)), now());
            }
        }
        let screen = screen(&app);
        assert_eq!(screen.contains("-89"), is_shown, "{script}\n{screen}");
        // The block about changes is of the whole list.
        assert_eq!(screen.contains("Since the last look, 15 h ago, all reports"), !is_shown, "{script}\n{screen}");
    }
}

#[test]
fn changes_are_marked_from_every_pane_and_behind_every_filter() {
    let mut app = changed();
    press(&mut app, "1 j L space esc");
    assert_eq!(app.reports.selection.ids.len(), 1, "{:?}", app.ctx.notice);
    press(&mut app, "M 2 / n o n e enter L space");
    assert_eq!(app.reports.selection.ids.len(), 1, "{:?}", app.ctx.notice);
}

#[test]
fn a_section_of_changes_is_marked_in_the_list() {
    let mut app = changed();
    press(&mut app, "L V");
    assert_eq!(app.reports.selection.ids.len(), 1);
    press(&mut app, "j j space");
    assert_eq!(app.reports.selection.ids.len(), 2, "{}", screen(&app));
}

#[test]
fn space_unmarks_a_marked_report_of_the_changes_and_a_marked_section_at_its_heading() {
    let mut app = changed();
    press(&mut app, "L space k space");
    assert_eq!((app.reports.selection.ids.len(), notice(&app)), (0, "1 report unmarked"), "{}", screen(&app));
    press(&mut app, "g space");
    assert_eq!(app.reports.selection.ids.len(), 1);
    press(&mut app, "space");
    assert_eq!((app.reports.selection.ids.len(), notice(&app)), (0, "1 report unmarked"));
    press(&mut app, "V V");
    assert_eq!((app.reports.selection.ids.len(), notice(&app)), (0, "1 report unmarked"));
}

#[test]
fn worse_reports_come_first_by_urgency() {
    let app = changed();
    let sum = |id: &str| {
        let report = app.reports.listing.row(&reportdeck::domain::report::ReportId::new(id)).unwrap();
        reportdeck::domain::triage::urgency::explain(report, &app.triage.row_context(&app.ctx))
            .into_iter()
            .find(|part| part.name == "regressed")
            .unwrap()
            .points
    };
    assert_eq!((sum("1"), sum("2")), (106, 0));
}

#[test]
fn choosing_another_baseline_compares_again() {
    let mut app = changed();
    let earlier = wanted(&press(&mut app, "L [")).1;
    assert_eq!(earlier.before, now() - jiff::SignedDuration::from_hours(15));
    let later = wanted(&press(&mut app, "]")).1;
    assert_eq!(later.before, now());
    press(&mut app, "[ [");
    let twice = wanted(&press(&mut app, "]")).1;
    assert_eq!(twice.before, now(), "the second press came before the first comparison");
    let seen = wanted(&press_at(&mut app, "x", now() + jiff::SignedDuration::from_secs(60))).1;
    assert_eq!(seen.before, now() + jiff::SignedDuration::from_millis(60_001));
}

#[test]
fn the_earliest_look_stays_compared_when_none_is_before_it() {
    let mut app = changed();
    let (request, _) = wanted(&press(&mut app, "L ["));
    let effects = app.update(Message::ComparisonResult(request, Ok(Box::default())), now());
    assert_eq!(app.ctx.notice.as_ref().map(|notice| notice.0.as_str()), Some("No earlier list is stored"));
    let (request, again) = wanted(&effects);
    assert_eq!(again.before, now());
    assert!(screen(&app).contains("Since 2026-"), "{}", screen(&app));
    let compared = app.triage.changes.compared.clone().unwrap();
    app.update(Message::ComparisonResult(request, Ok(Box::new(compared))), now());
    assert!(screen(&app).contains("Regressed 1"), "{}", screen(&app));
    press(&mut app, "]");
    assert_eq!(app.ctx.notice.as_ref().map(|notice| notice.0.as_str()), Some("There is no later look"));
}

#[test]
fn the_footer_of_the_changes_names_the_key_of_a_later_look() {
    let mut app = changed();
    press(&mut app, "L");
    assert!(!screen(&app).contains("] later"), "{}", screen(&app));
    press(&mut app, "[");
    assert!(screen(&app).contains("] later"), "{}", screen(&app));
}

#[test]
fn marking_everything_as_seen_can_be_undone_and_redone() {
    let mut app = changed();
    let (looked, seen) = (now() - jiff::SignedDuration::from_hours(15), now() + jiff::SignedDuration::from_secs(60));
    press_at(&mut app, "L x", seen);
    for (key, until, done) in [
        ("u", looked, "Undone: the changes are listed again · U redoes"),
        ("U", seen, "Redone: the changes are marked as seen"),
    ] {
        let effects = press_at(&mut app, key, seen);
        assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreSeen(at) if *at == until)), "{effects:?}");
        assert_eq!(wanted(&effects).1.before, until + jiff::SignedDuration::from_millis(1), "after that look");
        assert_eq!(app.ctx.notice.as_ref().map(|notice| notice.0.as_str()), Some(done));
    }
}

#[test]
fn without_an_earlier_look_nothing_offers_to_undo_that_changes_were_seen() {
    let mut app = loaded();
    press(&mut app, "L x");
    let notice = app.ctx.notice.as_ref().map(|notice| notice.0.as_str());
    assert_eq!(notice, Some("Marked as seen: only newer changes are listed (r reloads)"));
    press(&mut app, "u");
    assert_eq!(app.ctx.notice.as_ref().map(|notice| notice.0.as_str()), Some("Nothing to undo"));
}

#[test]
fn a_late_comparison_is_ignored() {
    let mut app = changed();
    let (request, _) = wanted(&press(&mut app, "L ["));
    press(&mut app, "]");
    app.update(Message::ComparisonResult(request, Ok(Box::default())), now());
    assert!(screen(&app).contains("Regressed 1"));
}

#[test]
fn the_share_of_bad_reports_is_charted_in_the_header_and_for_each_project() {
    let app = changed();
    let lines: Vec<String> = screen_of(&app, 200).lines().map(str::to_owned).collect();
    assert!(lines[0].contains("▄▃"), "three of six were bad, then two of five: {}", lines[0]);
    assert_eq!(app.trend(None).map(<[u8]>::len), Some(2));
}

/// Returns the requests for reports missing from the list.
fn asked_for(effects: &[Effect]) -> Vec<(reportdeck::app::effect::RequestId, String)> {
    let asked = effects.iter().filter_map(|effect| match effect {
        Effect::ShowChecks(request, id) => Some((*request, id.raw().to_owned())),
        _ => None,
    });
    asked.collect()
}

/// A dashboard with this many reports missing from the list, and its effects.
fn missing(count: u32) -> (App, Vec<(reportdeck::app::effect::RequestId, String)>) {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    let (request, wanted) = wanted(&effects);
    let newer = Snapshot::take(wanted.rows.iter(), ListScope::default(), true, now());
    let mut before = five();
    before.extend((0..count).map(|number| row(100 + number, "https://shop.example/slipped", 10)));
    let older = Snapshot::take(before.iter(), ListScope::default(), true, now() - jiff::SignedDuration::from_hours(15));
    let comparison = compare(&older, &newer, now(), wanted.untested_for);
    let compared = ComparisonResult { baseline: Some(older.taken_at), comparison, ..ComparisonResult::default() };
    let effects = app.update(Message::ComparisonResult(request, Ok(Box::new(compared))), now());
    let asked = asked_for(&effects);
    (app, asked)
}

#[test]
fn an_unlisted_report_is_missing_until_the_service_confirms_its_deletion() {
    let (mut app, asked) = missing(3);
    assert_eq!(asked.len(), 3);
    press(&mut app, "L");
    assert!(screen(&app).contains("No longer listed 3: 0 gone, 3 missing"), "{}", screen(&app));
    let not_found = Failure::new(FailureKind::NotFound, "x", "").with_status(404);
    app.update(Message::Checks(asked[0].0, Err(not_found)), now());
    let reset = Failure::new(FailureKind::Unreachable, "x", "");
    app.update(Message::Checks(asked[1].0, Err(reset)), now());
    assert!(screen(&app).contains("No longer listed 3: 1 gone, 2 missing"), "{}", screen(&app));
    let number = asked[2].1.parse().unwrap();
    app.update(Message::Checks(asked[2].0, Ok(row(number, "https://shop.example/slipped", 10))), now());
    assert!(screen(&app).contains("No longer listed 2: 1 gone, 1 missing"), "{}", screen(&app));
    assert!(
        app.reports.listing.row(&reportdeck::domain::report::ReportId::new(&asked[2].1)).is_some(),
        "the report is listed"
    );
}

#[test]
fn a_missing_report_is_asked_for_again_after_a_reconnection_has_cancelled_its_request() {
    let (mut app, asked) = missing(1);
    assert_eq!(asked.len(), 1);
    app.ctx.key_refusal = Some("rejected".into());
    press(&mut app, "R");
    let Connection::Ready(connected) = connected().0.ctx.connection else { panic!("not connected") };
    app.update(Message::Connected(Ok(connected)), now());
    let line = (0..app.triage.changes.line_count())
        .position(|at| app.triage.changes.line(at) == Some(ChangeLine::Item(ChangeSection::Missing, 0)))
        .unwrap();
    press(&mut app, "L g");
    press(&mut app, &"j ".repeat(line));
    assert_eq!(asked_for(&press(&mut app, "enter")).len(), 1, "{}", screen(&app));
}

#[test]
fn at_most_twenty_missing_reports_are_checked_automatically() {
    let (mut app, asked) = missing(50);
    assert_eq!(asked.len(), 20);
    let under_cursor = "L G up enter";
    let effects = press(&mut app, under_cursor);
    assert_eq!(asked_for(&effects).len(), 1, "opening one requests it");
}

#[test]
fn a_click_beside_the_palette_reaches_neither_its_commands_nor_the_changes_below() {
    let mut app = changed();
    let draw = |app: &mut App| {
        let (screen, drawn) = crate::support::session::draw(app, 140, 40);
        app.update(Message::FrameLayout(drawn), now());
        screen
    };
    press(&mut app, "L");
    draw(&mut app);
    let is_line = |spot: &HitTarget| matches!(spot, HitTarget::OverlayLine(_));
    let rows = app.ctx.layout.hit_targets.iter().find(|(_, spot)| is_line(spot)).unwrap().0;
    press(&mut app, ":");
    let screen = draw(&mut app);
    assert!(screen.contains("Commands"), "{screen}");
    let before = format!("{:?}", app.overlays);
    for row in rows.row..rows.row + 3 {
        // The palette leaves the first columns free.
        for kind in [MouseKind::Click, MouseKind::Release] {
            let mouse = Mouse { kind, column: rows.column, row };
            assert!(app.update(Message::Input(Input::Mouse(mouse)), now()).is_empty());
        }
        assert_eq!(format!("{:?}", app.overlays), before, "{screen}");
    }
}

/// Lists the better report of [`changed`] as worse, before the others.
fn with_another_regression(app: &App, baseline: jiff::Timestamp) -> Box<ComparisonResult> {
    let compared = app.triage.changes.compared.clone().unwrap();
    let mut comparison = compared.comparison;
    comparison.regressed.insert(0, comparison.improved.remove(0));
    Box::new(ComparisonResult { baseline: Some(baseline), comparison, ..compared })
}

#[test]
fn only_changes_since_the_same_look_are_announced_as_new_ones() {
    for (keys, expected) in [
        ("R", Some("1 more report got worse since your last look 15 h ago: L shows them")),
        // The user asks for other changes, and sees them.
        ("L [", None),
    ] {
        let mut app = changed();
        let effects = press(&mut app, keys);
        let last = app.triage.changes.compared.as_ref().unwrap().baseline.unwrap();
        let (effects, baseline) = if expected.is_some() {
            (app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now()), last)
        } else {
            (effects, last - jiff::SignedDuration::from_hours(96))
        };
        let compared = with_another_regression(&app, baseline);
        app.update(Message::ComparisonResult(wanted(&effects).0, Ok(compared)), now());
        assert_eq!(app.ctx.notice.as_ref().map(|notice| notice.0.as_str()), expected, "{keys}");
    }
}

#[test]
fn what_got_worse_is_announced_behind_a_notice_that_is_still_shown() {
    let mut app = changed();
    let baseline = app.triage.changes.compared.as_ref().unwrap().baseline.unwrap();
    let effects = press(&mut app, "R");
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    app.ctx.notice = Some(("shop.example/tea reopened: good → bad".to_owned(), now()));
    let compared = with_another_regression(&app, baseline);
    app.update(Message::ComparisonResult(wanted(&effects).0, Ok(compared)), now());
    let expected =
        "shop.example/tea reopened: good → bad · 1 more report got worse since your last look 15 h ago: L shows them";
    assert_eq!(notice(&app), expected);
}

#[test]
fn the_cursor_of_the_changes_stays_at_its_report_and_within_the_list() {
    let mut app = changed();
    press(&mut app, "L G up");
    assert_eq!(line_under_cursor(&app), 6, "the missing report");
    let effects = press(&mut app, "[");
    let mut compared = with_another_regression(&app, now());
    let new = compared.comparison.regressed.remove(1);
    compared.comparison.improved = vec![new.clone(), new.clone(), new];
    compared.comparison.regressed.clear();
    app.update(Message::ComparisonResult(wanted(&effects).0, Ok(compared)), now());
    assert_eq!(line_under_cursor(&app), 7, "{}", screen(&app));
    press(&mut app, "G");
    let effects = press(&mut app, "x");
    let compared = ComparisonResult { baseline: Some(now()), ..ComparisonResult::default() };
    app.update(Message::ComparisonResult(wanted(&effects).0, Ok(Box::new(compared))), now());
    assert_eq!(line_under_cursor(&app), 4, "the last heading");
}

#[test]
fn a_report_that_got_worse_by_a_re_run_of_the_user_is_not_announced() {
    let later = now() + jiff::SignedDuration::from_mins(9);
    for (audited_at, expected) in
        [(now(), None), (later, Some("1 more report got worse since your last look 15 h ago: L shows them"))]
    {
        let mut app = changed();
        let rerun = press(&mut app, "j t").into_iter().find_map(|effect| match effect {
            Effect::Update(request, ..) => Some(request),
            _ => None,
        });
        let worse = Report { score: Some(40), generated_at: now().into(), ..five()[1].clone() };
        app.update(Message::Updated(rerun.unwrap(), Ok(UpdateOutcome::Saved(worse))), now());
        let effects = press(&mut app, "R");
        let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
        let baseline = app.triage.changes.compared.as_ref().unwrap().baseline.unwrap();
        let mut compared = with_another_regression(&app, baseline);
        compared.comparison.regressed[0].after.generated_at = Some(audited_at);
        app.update(Message::ComparisonResult(wanted(&effects).0, Ok(compared)), now());
        assert_eq!(app.ctx.notice.as_ref().map(|notice| notice.0.as_str()), expected);
    }
}

#[test]
fn the_scores_of_a_report_end_with_its_latest_audit() {
    let mut app = changed();
    let report = five().remove(0);
    let day = jiff::SignedDuration::from_hours(24);
    let seen = [(report.generated_at.unwrap() - day, 34), (report.generated_at.unwrap(), 31)];
    let compared = app.triage.changes.compared.as_mut().unwrap();
    compared.scores.insert(report.id.clone(), seen.to_vec());
    assert_eq!(app.scores(&report), [34, 31], "the audit of the last look");
    let again = Report { score: Some(80), generated_at: Some(now() + day), ..report };
    assert_eq!(app.scores(&again), [34, 31, 80], "a later one");
}

#[test]
fn a_failed_comparison_is_shown_where_the_changes_would_be() {
    let (mut app, effects) = connected();
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    let failure = Failure::new(FailureKind::Local, "The journal could not read snapshots: the disk is broken", "");
    app.update(Message::ComparisonResult(wanted(&effects).0, Err(failure)), now());
    app.ctx.notice = None;
    press(&mut app, "L");
    let shown = screen(&app);
    assert!(shown.contains("The journal could not read snapshots"), "{shown}");
    assert!(!shown.contains("First visit") && !shown.contains("once the whole list is loaded"), "{shown}");
    let effects = press(&mut app, "esc R");
    let effects = app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    app.update(Message::ComparisonResult(wanted(&effects).0, Ok(Box::default())), now());
    press(&mut app, "L");
    assert!(screen(&app).contains("First visit"), "{}", screen(&app));
}
