//! Questions and forms that replies bring up: never under the fingers of someone who is typing.

use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::Message;
use reportdeck::domain::bulk::{BulkOperation, InterruptedRun, ItemReply, ItemState, Plan, Run, RunNumber};
use reportdeck::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use reportdeck::input::{Context, Input};

use crate::support::states::*;
use crate::update::screen;

/// A run of the first two reports that an earlier run of the program began.
fn interrupted() -> InterruptedRun {
    let plan = Plan::new(BulkOperation::Delete, five()[..2].iter(), |_| None);
    let mut items = Run::new(plan, 1).items;
    items[0].state = ItemState::Lost;
    InterruptedRun { run: RunNumber(7), operation: BulkOperation::Delete, items, needs_password: false }
}

/// Starts typing, and receives a reply that raises a question.
type Raise = fn(&mut App);

fn requested(effects: &[Effect]) -> RequestId {
    let request = |effect: &Effect| match effect {
        Effect::Update(request, ..) | Effect::DeleteReport(request, _) | Effect::Create(request, _) => Some(*request),
        _ => None,
    };
    effects.iter().find_map(request).expect("nothing is written")
}

#[test]
fn a_question_of_a_reply_waits_until_nothing_is_being_typed() {
    let raises: [(&str, Raise); 2] = [
        ("Outcome unknown", |app| {
            let request = requested(&press(app, "2 D y"));
            press(app, "/ p a");
            let found = LookupOutcome::Report(Box::new(row(1, "https://shop.example/tea", 31)));
            let lost = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found };
            app.update(Message::Deleted(request, Err(lost)), now());
        }),
        ("Interrupted run", |app| {
            press(app, "/ p a");
            app.update(Message::InterruptedRuns(vec![interrupted()]), now());
        }),
    ];
    for (title, raise) in raises {
        let mut app = loaded();
        raise(&mut app);
        assert_eq!(app.context(), Context::FilterLine, "{title}");
        let effects = press(&mut app, "y");
        assert!(effects.is_empty() && !screen(&app).contains(title), "{title}: {effects:?}\n{}", screen(&app));
        assert_eq!(app.reports.filter_line.value(), "pay");
        press(&mut app, "enter");
        assert!(screen(&app).contains(title), "{title}:\n{}", screen(&app));
    }
}

#[test]
fn a_question_of_a_reply_waits_until_the_open_one_is_answered() {
    for (key, deletes) in [("y", true), ("esc", false)] {
        let mut app = loaded();
        press(&mut app, "D");
        app.update(Message::InterruptedRuns(vec![interrupted()]), now());
        let effects = press(&mut app, key);
        let is_deleted = matches!(&effects[..], [Effect::DeleteReport(_, id)] if id.raw() == "1");
        assert_eq!((is_deleted, effects.is_empty()), (deletes, !deletes), "{key}: {effects:?}");
        assert!(screen(&app).contains("Interrupted run"), "{}", screen(&app));
    }
}

#[test]
fn rejected_pages_open_no_form_over_the_filter_line() {
    let mut app = loaded();
    press(&mut app, "n");
    app.update(Message::Input(Input::Paste("https://a.example/\nhttps://b.example/".to_owned())), now());
    let mut effects = press(&mut app, "ctrl+s");
    press(&mut app, "/ t e");
    while let Some(at) = effects.iter().position(|effect| matches!(effect, Effect::Create(..))) {
        let Effect::Create(request, _) = effects.remove(at) else { unreachable!() };
        let refused = WriteFailure::Refused(Failure::new(FailureKind::Invalid, "not a page", ""));
        effects.extend(app.update(Message::Created(request, Err(refused)), now()));
    }
    press(&mut app, "a");
    assert_eq!((app.reports.filter_line.value(), app.context()), ("tea", Context::FilterLine));
    press(&mut app, "enter n");
    assert_eq!(app.form().unwrap().urls().len(), 2, "the form has the rejected pages");
}

#[test]
fn a_quitting_program_does_not_wake_for_a_rate_limit_again_and_again() {
    let mut app = loaded();
    let stored = press(&mut app, "V t y");
    let Some(Effect::StoreRun(request, ..)) = stored.first() else { panic!("{stored:?}") };
    let effects = app.update(Message::RunStored(*request, Ok(None)), now());
    let Some(Effect::SendItem(request, _)) = effects.first() else { panic!("{effects:?}") };
    let mut limited = failure(FailureKind::RateLimited);
    limited.retry_after = Some(std::time::Duration::from_secs(7));
    app.update(Message::BulkItem(*request, ItemReply::Updated(Err(WriteFailure::Refused(limited)))), now());
    press(&mut app, "ctrl+c");
    assert!(app.session.quitting, "two requests are in flight");
    let later = now() + jiff::SignedDuration::from_secs(8);
    assert!(app.update(Message::Tick, later).is_empty());
    assert!(app.wake_at().is_none_or(|at| at > later), "{:?}", app.wake_at());
}

#[test]
fn a_failed_write_calls_quitting_off_and_is_shown() {
    let is_quit = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Quit));
    let refused = || WriteFailure::Refused(failure(FailureKind::Service));
    let unsure = || WriteFailure::Unsure {
        failure: failure(FailureKind::TimedOut),
        found: LookupOutcome::Unknown(failure(FailureKind::TimedOut)),
    };
    for write_failure in [refused(), unsure()] {
        let mut app = loaded();
        let effects = press(&mut app, "t q");
        let Some(Effect::Update(request, ..)) = effects.first() else { panic!("{effects:?}") };
        assert!(app.session.quitting && !is_quit(&effects), "{}", notice(&app));
        let effects = app.update(Message::Updated(*request, Err(write_failure)), now());
        assert!(!app.session.quitting && !is_quit(&effects));
        let unread = app.session.unread_failure.as_ref().unwrap();
        assert!(unread.message.starts_with("shop.example/"), "{unread}");
        let shown = screen(&app);
        assert!(shown.contains("the service reported an error (500)") && !shown.contains("Quitting after"), "{shown}");
        let effects = press(&mut app, "esc q");
        assert!(is_quit(&effects), "{effects:?}");
    }
}

#[test]
fn quitting_from_a_field_names_a_key_that_is_not_typed_into_it() {
    let mut app = loaded();
    press(&mut app, "t n ctrl+c");
    assert!(notice(&app).ends_with("(ctrl+c quits at once)"), "{}", notice(&app));
    let effects = press(&mut app, "ctrl+c");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)), "{effects:?}");
}

#[test]
fn the_smallest_screen_says_whether_a_report_was_created_after_a_failure_with_a_long_text() {
    let mut app = loaded();
    let effects = press(&mut app, "n x . e x a m p l e ctrl+s");
    let create = effects.iter().find_map(|effect| match effect {
        Effect::Create(request, _) => Some(*request),
        _ => None,
    });
    let why = format!("Creating the report failed: the service reported an error (500: {})", "moving ".repeat(25));
    let failure = Failure::new(FailureKind::Service, &why, "");
    let unsure = WriteFailure::Unsure { failure, found: LookupOutcome::Nothing };
    app.update(Message::Created(create.unwrap(), Err(unsure)), now());
    let screen = crate::support::session::draw(&app, 40, 12).0;
    assert!(screen.contains("No such report"), "{screen}");
}

#[test]
fn the_notice_of_a_refused_write_names_its_report() {
    let mut app = loaded();
    let effects = press(&mut app, "t");
    let Some(Effect::Update(request, ..)) = effects.first() else { panic!("{effects:?}") };
    press(&mut app, "j");
    let refused = WriteFailure::Refused(failure(FailureKind::Service));
    app.update(Message::Updated(*request, Err(refused)), now());
    assert!(notice(&app).starts_with("! shop.example/tea: "), "{}", notice(&app));
}

#[test]
fn the_smallest_screen_shows_the_state_after_a_write_whose_failure_has_a_long_text() {
    let why = format!("Updating the report failed: the service reported an error (500: {})", "moving ".repeat(25));
    for (script, expected) in
        [("t", ["bad 31, public", "Try again"]), ("e right ctrl+s", ["bad 31, public", "ctrl+s sends it again"])]
    {
        let mut app = loaded();
        let effects = press(&mut app, script);
        let Some(Effect::Update(request, ..)) = effects.last() else { panic!("{effects:?}") };
        let found = LookupOutcome::Report(Box::new(app.reports.current().unwrap().clone()));
        let failure = Failure::new(FailureKind::Service, &why, "");
        app.update(Message::Updated(*request, Err(WriteFailure::Unsure { failure, found })), now());
        let screen = crate::support::session::draw(&app, 40, 12).0;
        let words = screen.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(expected.iter().all(|text| words.contains(text)), "{screen}");
    }
}

#[test]
fn a_failure_to_store_a_decision_calls_quitting_off() {
    let mut app = loaded();
    let effects = press(&mut app, "t m enter q");
    let Some(Effect::Update(request, ..)) = effects.first() else { panic!("{effects:?}") };
    app.update(Message::JournalWritten(Err(failure(FailureKind::Local))), now());
    assert!(!app.session.quitting);
    let effects =
        app.update(Message::Updated(*request, Err(WriteFailure::Refused(failure(FailureKind::Service)))), now());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)));
}
