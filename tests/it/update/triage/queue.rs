//! The queue, and the urgency of a report explained.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::failure::{Failure, FailureKind, WriteFailure};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::triage::StateKind;

use crate::support::states::*;
use crate::update::screen;

fn at_hand(app: &App) -> &str {
    app.subject().unwrap().id.raw()
}

fn kind(app: &App, id: &str) -> StateKind {
    app.triage.states.triages.kind(&reportdeck::domain::report::ReportId::new(id))
}

#[test]
fn the_queue_steps_through_open_reports_with_single_keys() {
    let mut app = loaded();
    let open = app.reports.shown.len() - app.reports.listing.tally.good as usize;
    press(&mut app, "Q");
    assert!(screen(&app).contains(&format!("Queue 1/{open}")), "{}", screen(&app));
    let first = at_hand(&app).to_owned();
    let effects = press(&mut app, "v");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreStates(decided, _) if decided.len() == 1)));
    assert_eq!(kind(&app, &first), StateKind::ToVerify);
    assert_ne!(at_hand(&app), first, "the queue advances by itself");
    assert!(screen(&app).contains(&format!("Queue 2/{open}")) && screen(&app).contains("1 settled"));
    let second = at_hand(&app).to_owned();
    press(&mut app, "l");
    assert_eq!(
        (kind(&app, &second), at_hand(&app)),
        (StateKind::Looking, second.as_str()),
        "a report being looked at stays current"
    );
    press(&mut app, "n p");
    assert_eq!(at_hand(&app), second);
}

#[test]
fn a_queue_of_one_report_names_no_key_that_goes_back() {
    let mut app = loaded();
    press(&mut app, "space Q n");
    assert_eq!(notice(&app), "This is the only one: Esc leaves");
}

#[test]
fn an_empty_list_does_not_say_that_its_reports_are_handled() {
    let (mut app, _) = connected();
    press(&mut app, "Q");
    assert_eq!(notice(&app), "No open reports here: no report is shown (b, /)");
    let mut app = loaded();
    press(&mut app, "b b b Q");
    assert_eq!(notice(&app), "No open reports here: all shown are good or being handled (b, /)");
}

#[test]
fn undo_reverts_the_last_state_in_the_queue() {
    let mut app = loaded();
    press(&mut app, "Q");
    let first = at_hand(&app).to_owned();
    press(&mut app, "x u");
    assert_eq!(kind(&app, &first), StateKind::New);
    assert_eq!(at_hand(&app), first, "for another decision about it");
    press(&mut app, "U");
    assert_eq!(kind(&app, &first), StateKind::WontFix);
}

#[test]
fn the_queue_closes_when_all_reports_are_settled_and_keeps_the_cursor_there() {
    let mut app = loaded();
    press(&mut app, "Q");
    let count = app.queue().unwrap().ids.len();
    for _ in 0..count {
        press(&mut app, "x");
    }
    assert!(app.queue().is_none());
    assert!(notice(&app).contains("The queue is done"), "{}", notice(&app));
    press(&mut app, "Q");
    assert!(notice(&app).contains("No open reports here"), "{}", notice(&app));
}

#[test]
fn a_report_that_is_gone_is_named_as_such_in_the_queue_with_the_key_that_goes_on() {
    let mut app = loaded();
    let effects = press(&mut app, "Q t");
    let request = effects.iter().find_map(|effect| match effect {
        Effect::Update(request, ..) => Some(*request),
        _ => None,
    });
    let gone = WriteFailure::Refused(failure(FailureKind::NotFound));
    app.update(Message::Updated(request.unwrap(), Err(gone)), now());
    let shown = screen(&app);
    assert!(shown.contains("This report is no longer in the list: n shows the next"), "{shown}");
    assert!(!shown.contains("this one:") && !shown.contains("Why:"), "{shown}");
    press(&mut app, "n");
    assert!(screen(&app).contains("this one: new"), "{}", screen(&app));
}

#[test]
fn closing_the_queue_puts_the_cursor_on_its_current_report() {
    let mut app = loaded();
    press(&mut app, "Q n");
    let there = at_hand(&app).to_owned();
    press(&mut app, "q");
    assert!(app.queue().is_none(), "q leaves the queue, not the program");
    assert_eq!(app.reports.current().unwrap().id.raw(), there);
}

#[test]
fn the_list_is_reloaded_in_the_queue_which_stays_where_it_is() {
    let mut app = loaded();
    press(&mut app, "Q n");
    let there = at_hand(&app).to_owned();
    let request = reports_request(&press(&mut app, "r"));
    let unreachable = Failure::new(FailureKind::Unreachable, "the service cannot be reached", "");
    app.update(Message::Reports(request, Err(unreachable)), now());
    assert!(screen(&app).contains("cannot be reached"), "{}", screen(&app));
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five(), None, 5))), now());
    assert!(!screen(&app).contains("cannot be reached"), "{}", screen(&app));
    assert!(app.queue().is_some() && at_hand(&app) == there);
}

#[test]
fn the_queue_acts_on_one_report_despite_marks() {
    let mut app = loaded();
    press(&mut app, "V Q");
    let marked = app.reports.selection.ids.len();
    assert_eq!(app.queue().unwrap().ids.len(), marked, "marked reports are queued");
    let effects = press(&mut app, "w");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreStates(decided, _) if decided.len() == 1)));
}

#[test]
fn the_urgency_of_a_report_is_explained() {
    let mut app = loaded();
    press(&mut app, &format!("s {} enter g j j i", to_column(Column::Urgency)));
    let screen = screen(&app);
    for text in ["Why this is 3rd of", "result", "age", "sum", "2nd: "] {
        assert!(screen.contains(text), "{text}\n{screen}");
    }
    press(&mut app, "esc");
    let sums: Vec<u32> = (0..app.reports.shown.len())
        .map(|at| {
            let report = app.reports.shown_row(at).unwrap();
            reportdeck::domain::triage::urgency::points(report, &app.triage.row_context(&app.ctx))
        })
        .collect();
    assert!(sums.windows(2).all(|two| two[0] >= two[1]), "{sums:?}");
}

#[test]
fn a_large_queue_begins_with_the_most_urgent_report() {
    let (mut app, effects) = connected();
    let rows = (1..=2_100).map(|number| row(number, "https://shop.example/tea", (number % 70) as u8)).collect();
    app.update(
        reportdeck::app::message::Message::Reports(reports_request(&effects), Ok(page(rows, None, 2_100))),
        now(),
    );
    press(&mut app, "Q");
    assert_eq!(app.queue().unwrap().ids.len(), 2_000);
    press(&mut app, "n");
    assert!(screen(&app).contains("the 2,000 most urgent of 2,100"), "the notice stays on the screen");
}

#[test]
fn digits_set_the_states_of_the_queue() {
    for (key, expected) in [
        ("1", StateKind::Looking),
        ("2", StateKind::Waiting),
        ("3", StateKind::ToVerify),
        ("4", StateKind::WontFix),
        ("5", StateKind::Snoozed),
    ] {
        let mut app = loaded();
        press(&mut app, "Q");
        let first = at_hand(&app).to_owned();
        press(&mut app, key);
        assert_eq!(kind(&app, &first), expected, "{key}");
    }
}

#[test]
fn the_queue_explains_the_urgency_of_a_report_without_a_key() {
    let mut app = loaded();
    press(&mut app, "Q");
    assert!(screen(&app).contains("Why: ") && screen(&app).contains("result 300"), "{}", screen(&app));
}

#[test]
fn the_number_of_settled_reports_follows_undo_and_re_runs() {
    let mut app = loaded();
    press(&mut app, "Q x");
    assert!(screen(&app).contains(" 1 settled"), "{}", screen(&app));
    press(&mut app, "u");
    assert!(screen(&app).contains(" 0 settled"), "{}", screen(&app));
    let effects = press(&mut app, "t");
    let Some(Effect::Update(request, id, ..)) = effects.last() else { panic!("{effects:?}") };
    let good = row(id.raw().parse().unwrap(), app.reports.listing.row(id).unwrap().url.raw(), 95);
    app.update(Message::Updated(*request, Ok(UpdateOutcome::Saved(good))), now());
    assert!(screen(&app).contains(" 1 settled"), "{}", screen(&app));
    press(&mut app, "esc");
    assert_eq!(notice(&app), "1 of 3 settled");
}
