//! Filtering and sorting many rows: in the background, without stale results or unnecessary work.

use std::sync::Arc;

use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::Message;
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::list::arrange::{Arrangement, arrange, matching};
use reportdeck::domain::list::filter::Filter;
use reportdeck::domain::list::paging::Page;
use reportdeck::domain::list::rows::Rows;
use reportdeck::domain::report::Report;
use reportdeck::domain::triage::urgency::RowContext;

use crate::support::generated_rows;
use crate::support::seeded_rng::{Rng, seed, steps};
use crate::support::states::*;

/// The maximum number of rows that are arranged immediately.
const FEW: usize = 5_000;

/// A requested arrangement.
type Asked = (RequestId, Arc<Rows>, Arrangement);

fn reports(count: usize) -> Page<Report> {
    let rows = generated_rows::rows(count).into_iter().collect();
    page(rows, None, count as u64)
}

fn with_rows(count: usize) -> App {
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(reports(count))), now());
    app
}

fn arrangings(effects: Vec<Effect>) -> Vec<Asked> {
    let asked = |effect| match effect {
        Effect::Arrange(request, rows, arrangement) => Some((request, rows, arrangement)),
        _ => None,
    };
    effects.into_iter().filter_map(asked).collect()
}

fn answer(app: &mut App, (request, rows, arrangement): &Asked) -> Vec<Asked> {
    arrangings(app.update(Message::Arranged(*request, arrange(rows, arrangement)), now()))
}

/// Returns the rows to be shown once every request has been answered.
fn wanted(app: &App) -> Vec<u32> {
    let sort = app.reports.sorts_here().then_some(app.reports.sort);
    let around = RowContext { now: now(), ..RowContext::default() };
    let filter = Filter::parse(app.reports.filter_line.value());
    arrange(&app.reports.listing.rows, &Arrangement { project: None, filter, sort, around, among: None })
}

#[test]
fn few_rows_are_arranged_immediately_and_many_in_the_background() {
    for script in ["b", "s home enter", "S", "/ - 9", "/ s c o r e : < 5", "/ r e s u l t : g", "f"] {
        let mut app = with_rows(FEW);
        assert!(arrangings(press(&mut app, script)).is_empty(), "{script}: {FEW} rows are arranged immediately");
        assert_eq!(app.reports.shown, wanted(&app), "{script}");

        let mut app = with_rows(FEW + 1);
        let before = app.reports.shown.clone();
        let mut asked = arrangings(press(&mut app, script));
        assert_eq!(app.reports.shown, before, "{script}: many rows stay as they are meanwhile");
        assert_eq!(asked.is_empty(), wanted(&app) == before, "{script}");
        while let Some(next) = asked.pop() {
            asked.extend(answer(&mut app, &next));
        }
        assert_eq!(app.reports.shown, wanted(&app), "{script}");
    }
}

#[test]
fn replacing_many_rows_arranges_in_the_background_and_shows_the_first_at_once() {
    for (script, first) in [("/ s c o r e : < 5 0 enter", FEW), ("s home enter", 0)] {
        let mut app = with_rows(2 * FEW);
        let mut asked = arrangings(press(&mut app, script));
        while let Some(next) = asked.pop() {
            asked.extend(answer(&mut app, &next));
        }
        let complete = app.reports.shown.clone();
        press(&mut app, "G k");
        let cursor = cursor(&app);
        let request = reports_request(&press(&mut app, "R"));
        let mut first_rows = reports(2 * FEW);
        // The service has only received the first query so far.
        first_rows.rows.rotate_right(1);
        let asked = arrangings(app.update(Message::Reports(request, Ok(first_rows)), now()));
        let [asked] = &asked[..] else { panic!("{script}: {} arrangings", asked.len()) };
        let seen = matching(&asked.1, 0..first, &asked.2);
        if app.reports.sorts_here() {
            assert!(app.reports.shown.is_empty(), "{script}");
        } else {
            assert_eq!(app.reports.shown, seen, "{script}");
        }
        answer(&mut app, asked);
        assert_eq!(app.reports.shown.len(), complete.len(), "{script}");
        assert_eq!(app.reports.shown, wanted(&app), "{script}");
        assert_eq!(self::cursor(&app), cursor, "{script}: the cursor's row was not loaded yet");
    }
}

#[test]
fn typing_another_letter_filters_only_the_shown_rows() {
    let mut app = with_rows(4 * FEW);
    let asked = arrangings(press(&mut app, "/ a g e - 1"));
    let [first] = &asked[..] else { panic!("{} arrangings", asked.len()) };
    assert_eq!(first.2.among.as_ref().map(Vec::len), Some(4 * FEW), "all rows, and no sorting");
    let asked = answer(&mut app, first);
    let [all] = &asked[..] else { panic!("{} arrangings", asked.len()) };
    answer(&mut app, all);
    let shown = app.reports.shown.clone();
    assert_eq!(shown, wanted(&app));
    assert!((FEW..3 * FEW).contains(&shown.len()), "{}", shown.len());

    let asked = arrangings(press(&mut app, "7"));
    let [narrower] = &asked[..] else { panic!("{} arrangings", asked.len()) };
    assert_eq!(narrower.2.among.as_ref(), Some(&shown), "only the rows matching the shorter text");
    answer(&mut app, narrower);
    assert_eq!(app.reports.shown, wanted(&app));
    assert!(app.reports.shown.len() <= FEW);

    assert!(arrangings(press(&mut app, "3")).is_empty(), "few rows are filtered immediately");
    assert_eq!(app.reports.shown, wanted(&app));
    let asked = arrangings(press(&mut app, "backspace"));
    assert!(asked[0].2.among.is_none(), "a shorter text scans all rows");
}

#[test]
fn changed_rows_are_filtered_from_scratch() {
    let mut app = with_rows(2 * FEW);
    let asked = arrangings(press(&mut app, "/ s h o p 1"));
    let mut asked: Vec<Asked> = asked.iter().flat_map(|asked| answer(&mut app, asked)).collect();
    while let Some(next) = asked.pop() {
        asked.extend(answer(&mut app, &next));
    }
    assert!(app.reports.shown.len() < FEW);
    // This report did not match the shorter text; meanwhile its host has changed, and it matches.
    let mut moved = app.reports.listing.rows.get(1).unwrap().clone();
    moved.url = "https://shop1.example/moved".into();
    app.reports.listing.put(moved);
    let asked = arrangings(press(&mut app, "."));
    assert!(asked[0].2.among.is_none());
    answer(&mut app, &asked[0]);
    assert!(app.reports.shown.contains(&1), "it is found");
    assert_eq!(app.reports.shown, wanted(&app));
}

#[test]
fn the_rows_of_a_deleted_project_leave_no_empty_lines_while_the_others_are_arranged() {
    let (mut app, effects) = connected();
    app.jobs.delete_delay = jiff::SignedDuration::ZERO;
    app.update(Message::Reports(reports_request(&effects), Ok(reports(2 * FEW))), now());
    let projects = Page { rows: vec![project("shop0.example", 9, 9, 9)], ..two_projects() };
    app.update(Message::Projects(projects_request(&effects), Ok(projects)), now());
    press(&mut app, "2 V g");
    let letters: Vec<String> = "shop0.example".chars().map(String::from).collect();
    let effects = press(&mut app, &format!("1 j D {} enter", letters.join(" ")));
    let sent = effects.iter().find_map(|effect| match effect {
        Effect::DeleteProject(request, _) => Some(*request),
        _ => None,
    });
    let mut asked = arrangings(app.update(Message::Deleted(sent.unwrap(), Ok(())), now()));
    assert!(!asked.is_empty(), "the others are arranged in the background");
    let is_shown = |app: &App| {
        let mut rows = (0..app.reports.shown.len()).map(|at| app.reports.shown_row(at));
        rows.all(|row| row.is_some_and(|row| row.project.raw() != "shop0.example"))
    };
    assert!(is_shown(&app) && app.reports.current().is_some());
    assert_eq!(app.reports.selection.ids.len(), app.reports.shown.len(), "the marks of the others stay");
    while let Some(next) = asked.pop() {
        asked.extend(answer(&mut app, &next));
    }
    assert_eq!(app.reports.shown, wanted(&app));
}

#[test]
fn a_stale_arrangement_is_ignored() {
    let mut app = with_rows(2 * FEW);
    let older = arrangings(press(&mut app, "/ s c o r e : < 9 0"));
    let request = reports_request(&press(&mut app, "enter R"));
    let newer = arrangings(app.update(Message::Reports(request, Ok(reports(2 * FEW))), now()));
    let ([older, ..], [newer]) = (&older[..], &newer[..]) else { panic!("two arrangements are running") };
    answer(&mut app, newer);
    assert_eq!(app.reports.shown, wanted(&app));
    assert!(answer(&mut app, older).is_empty());
    assert_eq!(app.reports.shown, wanted(&app), "the older result is ignored");
}

/// Filters are typed, widened and narrowed, sort orders reversed, lists requested again; replies arrive in any order.
#[test]
fn replies_in_any_order_never_bring_back_older_rows() {
    let mut rng = Rng::new(seed());
    let mut app = with_rows(FEW + 500);
    let mut under_way: Vec<Asked> = Vec::new();
    let mut latest = RequestId(0);
    for step in 0..steps(60) {
        let keys = ["/ 1 enter", "/ 7 enter", "/ backspace enter", "b", "S", "s home j enter", "esc", "j", "R"];
        match rng.below(3) {
            0 if !under_way.is_empty() => {
                let asked = under_way.swap_remove(rng.below(under_way.len()));
                let before = app.reports.shown.clone();
                let is_taken = app.reports.arranging.as_ref().is_some_and(|(request, _)| *request == asked.0);
                under_way.extend(answer(&mut app, &asked));
                if is_taken {
                    assert!(asked.0 > latest, "step {step}: an older result replaced a newer one");
                    latest = asked.0;
                } else {
                    assert_eq!(app.reports.shown, before, "step {step}: an unrequested result was applied");
                }
            }
            _ => {
                let mut effects = press(&mut app, rng.pick::<&str>(&keys));
                effects.extend(app.update(Message::Tick, now() + jiff::SignedDuration::from_secs(1)));
                let requests: Vec<RequestId> = effects
                    .iter()
                    .filter_map(|effect| match effect {
                        Effect::ListReports { request, .. } => Some(*request),
                        _ => None,
                    })
                    .collect();
                under_way.extend(arrangings(effects));
                for request in requests {
                    under_way.extend(arrangings(app.update(Message::Reports(request, Ok(reports(FEW + 500))), now())));
                }
            }
        }
    }
    while !under_way.is_empty() {
        let asked = under_way.swap_remove(rng.below(under_way.len()));
        under_way.extend(answer(&mut app, &asked));
    }
    assert_eq!(app.reports.shown, wanted(&app));
}

#[test]
fn sorting_puts_the_cursor_on_the_first_row_unless_one_was_chosen() {
    let mut app = loaded();
    press(&mut app, "S");
    assert_eq!((app.reports.at, cursor(&app)), (0, shown(&app).first().cloned()), "no row was chosen");
    press(&mut app, "j S");
    assert_eq!(cursor(&app).as_deref(), Some("4"), "the chosen row keeps the cursor");
    assert_eq!(app.reports.at, 3);
    press(&mut app, "g S");
    assert_eq!(app.reports.at, 0, "the first row does not count as chosen");
    press(&mut app, "enter 2 S");
    assert_eq!(app.reports.at, 4, "an opened row counts as chosen");
}

#[test]
fn the_sort_menu_says_that_only_loaded_rows_are_sorted_while_others_are_missing() {
    let menu = |app: &mut App| {
        press(app, "s");
        let Some(Overlay::Menu(menu)) = app.overlays.last() else { panic!("no menu") };
        menu.rows.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>()
    };
    let complete = menu(&mut loaded());
    assert!(complete.contains(&"score".to_owned()), "{complete:?}");
    let (mut app, effects) = connected();
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), Some(2), 500))), now());
    let partial = menu(&mut app);
    assert!(partial.contains(&"score (loaded rows only)".to_owned()), "{partial:?}");
}
