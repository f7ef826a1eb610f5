//! The queue, the order of work, and why a report stands where it stands.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::domain::triage::StateKind;

use super::states::*;
use crate::screen;

fn at_hand(app: &App) -> &str {
    app.subject().unwrap().id.raw()
}

fn kind(app: &App, id: &str) -> StateKind {
    app.triage.states.triages.kind(&reportdeck::domain::report::ReportId::new(id))
}

#[test]
fn the_queue_goes_through_what_is_open_with_single_keys() {
    let mut app = loaded();
    let open = app.reports.shown.len() - app.reports.listing.tally.good as usize;
    press(&mut app, "Q");
    assert!(screen(&app).contains(&format!("Queue 1/{open}")), "{}", screen(&app));
    let first = at_hand(&app).to_owned();
    let effects = press(&mut app, "v");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreStates(decided) if decided.len() == 1)));
    assert_eq!(kind(&app, &first), StateKind::ToVerify);
    assert_ne!(at_hand(&app), first, "it goes on by itself");
    assert!(screen(&app).contains(&format!("Queue 2/{open}")) && screen(&app).contains("1 settled"));
    let second = at_hand(&app).to_owned();
    press(&mut app, "l");
    assert_eq!((kind(&app, &second), at_hand(&app)), (StateKind::Looking, second.as_str()), "looking stays at hand");
    press(&mut app, "n p");
    assert_eq!(at_hand(&app), second);
}

#[test]
fn a_key_too_many_in_the_queue_is_taken_back() {
    let mut app = loaded();
    press(&mut app, "Q");
    let first = at_hand(&app).to_owned();
    press(&mut app, "x u");
    assert_eq!(kind(&app, &first), StateKind::New);
    press(&mut app, "U");
    assert_eq!(kind(&app, &first), StateKind::WontFix);
}

#[test]
fn the_queue_ends_when_all_is_settled_and_leaves_the_cursor_there() {
    let mut app = loaded();
    press(&mut app, "Q");
    let count = app.queue().unwrap().ids.len();
    for _ in 0..count {
        press(&mut app, "x");
    }
    assert!(app.queue().is_none());
    assert!(app.ctx.notice.as_ref().unwrap().0.contains("The queue is through"), "{:?}", app.ctx.notice);
    press(&mut app, "Q");
    assert!(app.ctx.notice.as_ref().unwrap().0.contains("Nothing is open"), "{:?}", app.ctx.notice);
}

#[test]
fn leaving_the_queue_puts_the_cursor_on_what_was_at_hand() {
    let mut app = loaded();
    press(&mut app, "Q n");
    let there = at_hand(&app).to_owned();
    press(&mut app, "q");
    assert!(app.queue().is_none(), "q leaves the queue, not the program");
    assert_eq!(app.reports.current().unwrap().id.raw(), there);
}

#[test]
fn marks_outside_do_not_make_the_queue_act_on_many() {
    let mut app = loaded();
    press(&mut app, "V Q");
    let marked = app.reports.selection.ids.len();
    assert_eq!(app.queue().unwrap().ids.len(), marked, "what is marked is gone through");
    let effects = press(&mut app, "w");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreStates(decided) if decided.len() == 1)));
}

#[test]
fn why_is_this_one_third_has_an_answer() {
    let mut app = loaded();
    // The last but one of the list of columns is the order of work.
    press(&mut app, "s G k enter g j j i");
    let screen = screen(&app);
    for text in ["Why this is 3rd of", "result", "waiting", "sum", "2nd: "] {
        assert!(screen.contains(text), "{text}\n{screen}");
    }
    press(&mut app, "esc");
    let sums: Vec<u32> = (0..app.reports.shown.len())
        .map(|at| {
            let report = app.reports.shown_row(at).unwrap();
            reportdeck::domain::triage::priority::points(report, &app.triage.row_context(&app.ctx))
        })
        .collect();
    assert!(sums.windows(2).all(|two| two[0] >= two[1]), "{sums:?}");
}

#[test]
fn a_queue_of_very_many_begins_with_the_most_urgent() {
    let (mut app, effects) = connected();
    let rows = (1..=2_100).map(|number| row(number, "https://shop.example/tea", (number % 70) as u8)).collect();
    app.update(
        reportdeck::app::message::Message::Reports(reports_request(&effects), Ok(page(rows, None, 2_100))),
        now(),
    );
    press(&mut app, "Q");
    assert_eq!(app.queue().unwrap().ids.len(), 2_000);
    assert!(app.ctx.notice.as_ref().unwrap().0.contains("2,000 most urgent of 2,100"));
}
