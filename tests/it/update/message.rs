//! The message to the customer: its content and its destination.

use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::Message;
use reportdeck::domain::message::template::MessageTemplate;
use reportdeck::domain::message::{CustomerMessage, MessageTarget};
use reportdeck::domain::report::Report;
use reportdeck::domain::report::failed_checks::FailedChecks;

use crate::support::states::*;
use crate::update::screen;

fn written(effects: &[Effect]) -> (MessageTarget, CustomerMessage) {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::WriteMessage(target, message, _) => Some((*target, (**message).clone())),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no message is written: {effects:?}"))
}

/// Opens the menu of messages.
fn menu(app: &mut App) -> Vec<Effect> {
    press(app, "y j j j j enter")
}

#[test]
fn a_message_lists_failures_and_improvements_of_the_opened_page() {
    let mut app = opened();
    menu(&mut app);
    assert!(screen(&app).contains("Message about 1 report"), "{}", screen(&app));
    let (target, message) = written(&press(&mut app, "enter"));
    assert_eq!(target, MessageTarget::Clipboard);
    let text = MessageTemplate::built_in().render(&message).unwrap();
    assert!(
        text.contains(
            "https://shop.example/tea\nResult: bad, 31 of 100 points (before: bad 25), checked on 2026-11-21\n"
        ),
        "{text}"
    );
    assert!(text.contains("  Found: the page has no title\n"), "{text}");
    assert!(text.contains("Improved since the last check:\n- Content security policy\n"), "{text}");
    assert!(text.find("- Title: ").unwrap() < text.find("brand new check").unwrap(), "{text}");
}

#[test]
fn a_message_does_not_tell_what_was_opened_before_another_audit() {
    let mut app = opened();
    press(&mut app, "2 j");
    let request = reports_request(&press(&mut app, "r"));
    let mut rows = five();
    rows[0] =
        Report { generated_at: Some(now()), failed: FailedChecks::default(), ..row(1, "https://shop.example/tea", 95) };
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    press(&mut app, "V");
    menu(&mut app);
    let (_, message) = written(&press(&mut app, "enter"));
    let text = MessageTemplate::built_in().render(&message).unwrap();
    assert!(!text.contains("the page has no title") && text.contains("95 of 100 points"), "{text}");
}

#[test]
fn one_message_covers_all_marked_reports_and_names_those_without_checks() {
    let mut app = started();
    let mut cached = cached_rows();
    let mut rows = five();
    rows[1].failed = FailedChecks::default();
    cached.rows = rows.into_iter().collect();
    app.update(Message::CachedRows(Some(cached)), now());
    press(&mut app, "2 space space");
    let effects = menu(&mut app);
    assert!(
        !effects.iter().any(|effect| matches!(effect, Effect::ShowChecks(..))),
        "nothing is read without a service"
    );
    assert!(screen(&app).contains("Message about 2 reports (checks of 1 report unknown)"), "{}", screen(&app));
    let (target, message) = written(&press(&mut app, "j enter"));
    assert_eq!((target, message.reports.len()), (MessageTarget::File, 2));
    let text = MessageTemplate::built_in().render(&message).unwrap();
    assert!(text.contains("we have checked 2 pages") && text.contains("are not known yet"), "{text}");
}

#[test]
fn a_message_about_marked_reports_reads_those_that_were_not_opened() {
    let mut app = opened();
    let shown = app.current_report().cloned().unwrap();
    let request = reports_request(&press(&mut app, "2 r"));
    let mut rows = five();
    rows[1].failed = FailedChecks::default();
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    press(&mut app, "space space");
    let effects = menu(&mut app);
    assert!(screen(&app).contains("Message about 2 reports (checks of 1 report unknown)"), "{}", screen(&app));
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::ShowChecks(request, id) => Some((*request, id.clone())),
        _ => None,
    });
    let (request, id) = asked.expect("the report that was not opened is read");
    let whole = Report { details: shown.details, ..app.reports.listing.row(&id).unwrap().clone() };
    app.update(Message::Checks(request, Ok(whole)), now());
    assert!(screen(&app).contains("─ Message about 2 reports ─"), "{}", screen(&app));
    let (_, message) = written(&press(&mut app, "enter"));
    for report in &message.reports {
        assert!(report.fails.iter().any(|check| check.details == "the page has no title"), "{message:?}");
        assert_eq!(report.improved.len(), 1, "{message:?}");
    }
}

#[test]
fn a_message_is_written_before_the_editor_opens() {
    let mut app = opened();
    menu(&mut app);
    let (target, _) = written(&press(&mut app, "j j enter"));
    assert_eq!(target, MessageTarget::Editor);
    let path = std::path::PathBuf::from("message.txt");
    let effects = app.update(Message::FileToEdit(path.clone()), now());
    assert!(matches!(&effects[..], [Effect::EditFile(edited)] if *edited == path), "{effects:?}");
}
