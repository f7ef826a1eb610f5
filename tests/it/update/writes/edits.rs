//! Edits are sent only if the report has not changed since its form was opened.

use std::sync::Arc;

use reportdeck::app::App;
use reportdeck::app::effect::{Effect, RequestId};
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::event_log::{LogEntry, LogKind};
use reportdeck::domain::failure::{FailureKind, LookupOutcome, WriteFailure};
use reportdeck::domain::look::Preset;
use reportdeck::domain::report::Report;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::input::Action;
use reportdeck::input::remap::remapped;

use crate::support::states::*;
use crate::update::screen;

fn edit(effects: &[Effect]) -> Option<(RequestId, Option<Privacy>, Option<Privacy>)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Update(request, _, change, Some(base)) => Some((*request, change.privacy, base.privacy)),
        _ => None,
    })
}

fn theirs(privacy: Privacy) -> Report {
    let mut report = row(1, "https://shop.example/tea", 31);
    report.privacy = Some(privacy);
    report
}

#[test]
fn a_conflicting_change_is_shown_field_by_field_and_the_input_is_kept() {
    let mut app = loaded();
    let (request, mine, known) = edit(&press(&mut app, "e right right tab t e a ctrl+s")).unwrap();
    assert_eq!((mine, known), (Some(Privacy::Password), Some(Privacy::Public)));
    app.update(Message::Updated(request, Ok(UpdateOutcome::Changed(theirs(Privacy::Private)))), now());
    let shown = screen(&app);
    for text in ["Someone changed this report in the meantime", "Theirs: private, before public", "(•) password"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert_eq!(app.reports.current().unwrap().privacy, Some(Privacy::Private), "the row shows the current value");
    // Choosing the user's value again: now it is based on the other one.
    let (request, mine, known) = edit(&press(&mut app, "ctrl+s")).unwrap();
    assert_eq!((mine, known), (Some(Privacy::Password), Some(Privacy::Private)));
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Password)))), now());
    assert!(app.form().is_none());
}

#[test]
fn adopting_the_conflicting_value_leaves_nothing_to_send() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    app.update(Message::Updated(request, Ok(UpdateOutcome::Changed(theirs(Privacy::Private)))), now());
    assert!(edit(&press(&mut app, "ctrl+s")).is_none(), "both values are equal: nothing is left to send");
    assert!(screen(&app).contains("Nothing changed yet"));
}

#[test]
fn a_closed_form_reports_that_nothing_was_sent() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    press(&mut app, "esc");
    app.update(Message::Updated(request, Ok(UpdateOutcome::Changed(theirs(Privacy::Password)))), now());
    assert!(notice(&app).contains("was changed by someone else: nothing was sent"));
    assert!(app.jobs.writes.is_empty());
}

#[test]
fn a_form_that_is_being_sent_is_not_sent_again() {
    let mut app = loaded();
    assert!(edit(&press(&mut app, "e right ctrl+s")).is_some());
    assert!(edit(&press(&mut app, "ctrl+s")).is_none());
    assert_eq!(app.jobs.writes.len(), 1);
}

#[test]
fn a_form_closed_while_it_is_being_sent_does_not_say_that_only_a_draft_was_saved() {
    let mut app = loaded();
    press(&mut app, "e right ctrl+s esc");
    let screen = screen(&app);
    assert!(screen.contains("saving shop.example/tea …") && !screen.contains("Draft saved"), "{screen}");
    press(&mut app, "j e right esc");
    assert_eq!(notice(&app), "Draft saved");
}

#[test]
fn no_draft_is_kept_of_a_form_about_a_report_that_is_deleted() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    app.update(Message::Updated(request, Err(WriteFailure::Refused(failure(FailureKind::NotFound)))), now());
    assert!(app.form().is_some(), "{}", screen(&app));
    let effects = press(&mut app, "esc");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::DeleteDraft(_))), "{effects:?}");
    assert!(app.form().is_none() && app.ctx.notice.is_none(), "{:?}", app.ctx.notice);
}

#[test]
fn a_form_without_input_has_no_draft_to_discard() {
    let mut app = loaded();
    for script in ["n ctrl+x", "esc e ctrl+x", "right left ctrl+x"] {
        press(&mut app, script);
        assert_eq!(notice(&app), "Nothing was typed into this form", "{script}");
    }
    for script in ["right ctrl+x", "esc esc n a ctrl+x", "esc ctrl+u esc n a esc n ctrl+u ctrl+x"] {
        press(&mut app, script);
        assert!(screen(&app).contains("Discard draft"), "{script}: {}", screen(&app));
    }
}

/// Creates a report with the form; the service responds immediately.
fn make(app: &mut App) {
    press(app, "n");
    app.update(Message::Input(reportdeck::input::Input::Paste("new.example".into())), now());
    let request = create_request(&press(app, "ctrl+s"));
    app.update(Message::Created(request, Ok(row(77, "https://new.example/", 81))), now());
    assert!(shown(app).contains(&"77".to_owned()));
}

#[test]
fn a_report_created_during_a_refresh_stays_in_the_list() {
    // Each page was requested before the report was created, so none can contain it.
    for made_before_the_first_page in [true, false] {
        let mut app = loaded();
        let first = reports_request(&press(&mut app, "r"));
        if made_before_the_first_page {
            make(&mut app);
        }
        let effects = app.update(Message::Reports(first, Ok(page(five(), Some(2), 6))), now());
        let second = reports_request(&effects);
        if !made_before_the_first_page {
            make(&mut app);
        }
        let six = page(vec![row(6, "https://shop.example/six", 90)], None, 6);
        app.update(Message::Reports(second, Ok(six)), now());
        assert_eq!(shown(&app).len(), 7, "{made_before_the_first_page}: {:?}", shown(&app));
    }
}

#[test]
fn a_page_requested_before_a_write_does_not_undo_it() {
    let mut app = loaded();
    let first = reports_request(&press(&mut app, "r"));
    let effects = press(&mut app, "t");
    let (request, id) = effects
        .iter()
        .find_map(
            |effect| if let Effect::Update(request, id, ..) = effect { Some((*request, id.clone())) } else { None },
        )
        .unwrap();
    let number = id.raw().parse().unwrap();
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(row(number, "https://shop.example/tea", 99)))), now());
    app.update(Message::Reports(first, Ok(page(five(), None, 5))), now());
    assert_eq!(app.reports.listing.row(&id).unwrap().score, Some(99));
    // A later refresh is newer than the write, so its data wins.
    let again = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(again, Ok(page(five(), None, 5))), now());
    assert_ne!(app.reports.listing.row(&id).unwrap().score, Some(99));
}

#[test]
fn undo_asks_before_it_makes_a_report_public() {
    let mut app = loaded();
    let effects = press(&mut app, "e right ctrl+s");
    let (request, privacy, _) = edit(&effects).expect("the form sends an update");
    assert_eq!(privacy, Some(Privacy::Private));
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Private)))), now());
    let effects = press(&mut app, "u");
    assert!(effects.is_empty(), "nothing is sent before the confirmation: {effects:?}");
    assert!(screen(&app).contains("was public before."), "{}", screen(&app));
    press(&mut app, "esc");
    assert_eq!(app.reports.current().unwrap().privacy, Some(Privacy::Private));
    let effects = press(&mut app, "u y");
    assert!(format!("{effects:?}").contains("privacy: Some(Public)"), "{effects:?}");
}

#[test]
fn undo_leaves_a_privacy_that_someone_else_has_set_since() {
    let saved = || {
        let mut app = loaded();
        let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
        app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Private)))), now());
        app
    };
    // Not known here yet: the service's report is compared before anything is sent.
    let mut app = saved();
    let (request, mine, known) = edit(&press(&mut app, "u y")).unwrap();
    assert_eq!((mine, known), (Some(Privacy::Public), Some(Privacy::Private)));
    app.update(Message::Updated(request, Ok(UpdateOutcome::Changed(theirs(Privacy::Password)))), now());
    assert!(notice(&app).contains("was changed by someone else: nothing was sent"));
    assert_eq!(app.reports.current().unwrap().privacy, Some(Privacy::Password));
    press(&mut app, "U");
    assert_eq!(notice(&app), "Nothing to redo");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Nothing to undo");

    // Known from a reload.
    let mut app = saved();
    let request = reports_request(&press(&mut app, "R"));
    let rows = std::iter::once(theirs(Privacy::Password)).chain(five().into_iter().skip(1)).collect();
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    assert!(edit(&press(&mut app, "u")).is_none());
    assert_eq!(notice(&app), "Not undone: the privacy of shop.example/tea was changed since");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Nothing to undo", "the step is not in the way of others");
}

#[test]
fn undoing_a_privacy_is_announced_when_it_is_saved_and_can_be_repeated_after_a_failure() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Private)))), now());
    let refused = WriteFailure::Refused(failure(FailureKind::Service));
    let found = LookupOutcome::Report(Box::new(theirs(Privacy::Private)));
    let lost = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found };
    for (failed, answer) in [(refused, ""), (lost, "esc")] {
        let (request, mine, _) = edit(&press(&mut app, "u y")).expect("the step can still be undone");
        assert_eq!(mine, Some(Privacy::Public));
        assert!(!notice(&app).contains("Undone"), "not yet: {}", notice(&app));
        app.update(Message::Updated(request, Err(failed)), now());
        press(&mut app, answer);
        assert!(edit(&press(&mut app, "U")).is_none(), "nothing was undone");
    }
    let (request, ..) = edit(&press(&mut app, "u y")).unwrap();
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Public)))), now());
    assert_eq!(notice(&app), "Undone: shop.example/tea is public again · U redoes");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Nothing to undo");

    let (request, ..) = edit(&press(&mut app, "U")).unwrap();
    app.update(Message::Updated(request, Err(WriteFailure::Refused(failure(FailureKind::Service)))), now());
    let (request, mine, _) = edit(&press(&mut app, "U")).expect("the step can still be redone");
    assert_eq!(mine, Some(Privacy::Private));
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Private)))), now());
    assert_eq!(notice(&app), "Redone: shop.example/tea is private again");
}

#[test]
fn a_confirmed_undo_leaves_a_change_that_was_saved_meanwhile() {
    let mut app = loaded();
    let (first, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    app.update(Message::Updated(first, Ok(UpdateOutcome::Saved(theirs(Privacy::Private)))), now());
    let (second, ..) = edit(&press(&mut app, "j e right ctrl+s")).unwrap();
    let changed = Report { privacy: Some(Privacy::Private), ..app.reports.current().unwrap().clone() };
    press(&mut app, "esc u");
    assert!(screen(&app).contains("was public before."), "{}", screen(&app));
    app.update(Message::Updated(second, Ok(UpdateOutcome::Saved(changed))), now());
    let effects = press(&mut app, "y");
    assert!(!format!("{effects:?}").contains("Update("), "{effects:?}");
    assert_eq!(notice(&app), "Not undone: another change was saved meanwhile");
}

#[test]
fn creating_a_second_report_for_a_page_needs_confirmation() {
    let creates = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::Create(..))).count();
    let mut app = loaded();
    let effects = press(&mut app, "n H T T P s : / / S h o p . e x a m p l e / t e a / ctrl+s");
    assert_eq!(creates(&effects), 0);
    let screen = crate::update::screen(&app);
    assert!(screen.contains("shop.example/tea already has a report: bad 31"), "{screen}");
    assert_eq!(creates(&press(&mut app, "esc")), 0);
    assert!(app.form().is_some(), "the form is open again");
    assert_eq!(creates(&press(&mut app, "ctrl+s y")), 1);
    assert_eq!(creates(&press(&mut app, "ctrl+s")), 0, "nothing more is sent during the write");

    let mut app = loaded();
    assert_eq!(creates(&press(&mut app, "n a . b ctrl+s")), 1, "a new page needs no confirmation");
}

#[test]
fn a_form_that_cannot_be_sent_says_why_at_its_field() {
    let many = (0..501).map(|number| format!("https://shop.example/{number}")).collect::<Vec<_>>().join("\n");
    for (before, pasted, after, expected) in [
        ("n", "", "ctrl+s", "Type the address of the page to audit"),
        ("n", many.as_str(), "ctrl+s", "501 pages are too many: at most 500 at once"),
        ("n a tab right right", "", "ctrl+s", "Type a password, or generate one with ctrl+g"),
        ("V e", "", "ctrl+s", "Choose who may see the report pages"),
    ] {
        let mut app = loaded();
        press(&mut app, before);
        app.update(Message::Input(reportdeck::input::Input::Paste(pasted.to_owned())), now());
        let effects = press(&mut app, after);
        assert!(
            !effects.iter().any(|effect| matches!(effect, Effect::Create(..) | Effect::StoreRun(..))),
            "{effects:?}"
        );
        assert!(screen(&app).contains(&format!("! {expected}")), "{expected}:\n{}", screen(&app));
    }
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right right tab t e a ctrl+s")).unwrap();
    let theirs = Report { has_password: Some(true), ..theirs(Privacy::Password) };
    app.update(Message::Updated(request, Ok(UpdateOutcome::Changed(theirs))), now());
    assert!(screen(&app).contains("! Theirs: a password was set"), "{}", screen(&app));
}

#[test]
fn a_form_does_not_name_the_palette_for_its_actions_without_a_key_because_it_does_not_open_there() {
    let mut app = loaded();
    let own = [Action::GeneratePassword, Action::DiscardDraft].map(|action| (action, Vec::new()));
    app.ctx.keymap = Arc::new(remapped(Preset::Vim, &own).0);
    press(&mut app, "n a esc n tab right right tab");
    for (keys, expected) in [
        ("", "New report · your draft ─"),
        ("", "  ctrl+r shows it"),
        ("ctrl+y", "Only a generated password can be copied  "),
        ("ctrl+s", "! Type a password  "),
    ] {
        press(&mut app, keys);
        assert!(screen(&app).contains(expected), "{expected}:\n{}", screen(&app));
    }
}

#[test]
fn a_privacy_that_cannot_be_restored_says_why() {
    let mut app = loaded();
    let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
    app.update(Message::Updated(request, Ok(UpdateOutcome::Saved(theirs(Privacy::Private)))), now());
    let request = reports_request(&press(&mut app, "r"));
    let others = [&five()[1..], &[row(6, "https://shop.example/six", 90)]].concat();
    app.update(Message::Reports(request, Ok(page(others, Some(2), 500))), now());
    assert!(press(&mut app, "u").is_empty());
    assert_eq!(notice(&app), "Report 1 is not loaded; its privacy cannot be restored now");
}

fn logs_rerun(effects: &[Effect]) -> bool {
    let is_rerun = |entry: &LogEntry| entry.kind == LogKind::Rerun;
    effects.iter().any(|effect| matches!(effect, Effect::Log(entries) if entries.iter().any(is_rerun)))
}

#[test]
fn a_re_run_that_a_service_carries_out_later_is_not_an_unchanged_result() {
    let mut app = loaded();
    let request = press(&mut app, "2 t").iter().find_map(|effect| match effect {
        Effect::Update(request, ..) => Some(*request),
        _ => None,
    });
    let before = app.reports.current().unwrap().clone();
    let effects = app.update(Message::Updated(request.unwrap(), Ok(UpdateOutcome::Saved(before))), now());
    assert_eq!(notice(&app), "shop.example/tea: re-run accepted, no new result yet");
    assert!(!logs_rerun(&effects), "{effects:?}");
}

#[test]
fn a_re_run_whose_result_a_list_showed_before_the_response_is_not_awaited() {
    for is_lost in [false, true] {
        let mut app = loaded();
        let request = press(&mut app, "2 t").iter().find_map(|effect| match effect {
            Effect::Update(request, ..) => Some(*request),
            _ => None,
        });
        let audited = Report { generated_at: now().into(), ..app.reports.current().unwrap().clone() };
        let list = reports_request(&press(&mut app, "r"));
        app.update(Message::Reports(list, Ok(page(vec![audited.clone()], None, 1))), now());
        let lost = LookupOutcome::Report(Box::new(audited.clone()));
        let unsure = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found: lost };
        let result = if is_lost { Err(unsure) } else { Ok(UpdateOutcome::Saved(audited)) };
        let effects = app.update(Message::Updated(request.unwrap(), result), now());
        assert!(notice(&app).contains(" → ") && logs_rerun(&effects), "{}: {effects:?}", notice(&app));
    }
}

#[test]
fn a_new_report_that_a_service_audits_later_has_no_result_yet() {
    let mut app = loaded();
    let request = press(&mut app, "n n e w . e x a m p l e ctrl+s").iter().find_map(|effect| match effect {
        Effect::Create(request, _) => Some(*request),
        _ => None,
    });
    let report = Report { outcome: Outcome::Missing, score: None, ..row(77, "https://new.example/", 0) };
    app.update(Message::Created(request.unwrap(), Ok(report)), now());
    assert_eq!(notice(&app), "new.example has no result yet");
}

#[test]
fn a_change_whose_response_was_lost_is_saved_if_the_report_shows_it() {
    for (found, is_saved) in [(Privacy::Private, true), (Privacy::Public, false)] {
        let mut app = loaded();
        let (request, ..) = edit(&press(&mut app, "e right ctrl+s")).unwrap();
        let found = LookupOutcome::Report(Box::new(theirs(found)));
        let lost = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found };
        app.update(Message::Updated(request, Err(lost)), now());
        assert_eq!(app.form().is_none(), is_saved, "{}", screen(&app));
        if is_saved {
            assert_eq!(notice(&app), "shop.example/tea: public → private · u undoes");
        }
    }
}
