//! Triage states and notes, and how audits change the states.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::{Message, UpdateOutcome};
use reportdeck::domain::report::Report;
use reportdeck::domain::triage::{Note, Notes, State, StateKind, Triages};
use reportdeck::input::Input;

use crate::support::states::*;
use crate::update::screen;

fn decided(effects: &[Effect]) -> Vec<(String, StateKind)> {
    let decision = |effect: &Effect| match effect {
        Effect::StoreStates(decided, _) => Some(decided.clone()),
        _ => None,
    };
    let all = effects.iter().filter_map(decision).flatten();
    all.map(|(id, triage)| (id.raw().to_owned(), triage.state.kind())).collect()
}

fn kind(app: &App, id: &str) -> StateKind {
    app.triage.states.triages.kind(&reportdeck::domain::report::ReportId::new(id))
}

fn audited(number: u32, score: u8) -> Report {
    let mut report = row(number, "https://shop.example/tea", score);
    report.generated_at = now().into();
    report
}

#[test]
fn a_state_is_set_on_the_report_under_the_cursor_or_on_all_marked_ones() {
    let mut app = loaded();
    assert_eq!(decided(&press(&mut app, "m enter")), [("1".to_owned(), StateKind::Looking)]);
    assert!(screen(&app).contains("looking"));
    press(&mut app, "j space space");
    let many = decided(&press(&mut app, "m down down enter"));
    assert_eq!(many, [("2".to_owned(), StateKind::ToVerify), ("3".to_owned(), StateKind::ToVerify)]);
    assert_eq!(
        decided(&press(&mut app, "m down down down down down down down enter")).len(),
        2,
        "new removes the decision"
    );
    assert_eq!(kind(&app, "2"), StateKind::New);
}

#[test]
fn a_state_that_is_set_again_is_neither_stored_nor_logged_nor_an_undo_step() {
    let stored = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Log(_)));
    let to_week = "m down down down down down enter";
    for (keys, expected) in [
        ("m enter", "You are already looking at shop.example/tea"),
        ("m down enter", "shop.example/tea: already waiting"),
        (to_week, "shop.example/tea: already snoozed until Sat 28 Nov 06:00"),
    ] {
        let mut app = loaded();
        press(&mut app, keys);
        let effects = press(&mut app, keys);
        assert_eq!((decided(&effects), stored(&effects), notice(&app)), (Vec::new(), false, expected));
        press(&mut app, "u");
        assert_eq!(kind(&app, "1"), StateKind::New, "{keys}");
        let effects = press(&mut app, "m down down down down down down down enter");
        assert_eq!((decided(&effects).len(), notice(&app)), (0, "shop.example/tea: already new"));
    }
    let mut app = loaded();
    press(&mut app, "m down enter");
    assert_eq!(decided(&press(&mut app, "space space m down enter")), [("2".to_owned(), StateKind::Waiting)]);
    assert_eq!(notice(&app), "shop.example/cart?step=2: waiting · shop.example/tea: already waiting");
    // A note is saved with it.
    press(&mut app, "m down o k enter");
    assert!(
        notice(&app).starts_with("2 reports: already waiting · Note about 2 marked reports saved"),
        "{}",
        notice(&app)
    );
    // After another audit it is another decision.
    let mut app = loaded();
    press(&mut app, "m down enter");
    let request = reports_request(&press(&mut app, "r"));
    let rows = std::iter::once(audited(1, 64)).chain(five().split_off(1)).collect();
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    assert_eq!(decided(&press(&mut app, "g m down enter")).len(), 1);
}

#[test]
fn a_state_is_undone_and_redone_while_its_report_is_not_loaded() {
    let mut app = loaded();
    press(&mut app, "m down enter");
    let request = reports_request(&press(&mut app, "r"));
    app.update(Message::Reports(request, Ok(page(five().split_off(1), None, 4))), now());
    for (key, expected, verb) in [("u", StateKind::New, "Undone"), ("U", StateKind::Waiting, "Redone")] {
        let effects = press(&mut app, key);
        assert_eq!((decided(&effects), kind(&app, "1")), (vec![("1".to_owned(), expected)], expected));
        assert!(notice(&app).starts_with(verb), "{}", notice(&app));
        assert!(
            effects.iter().any(|effect| matches!(effect, Effect::StoreStates(_, entries) if entries.len() == 1)),
            "{key}"
        );
    }
}

#[test]
fn a_report_that_is_gone_when_its_state_is_chosen_gets_none_and_leaves_no_undo_step() {
    let mut app = loaded();
    let request = reports_request(&press(&mut app, "r"));
    press(&mut app, "m");
    app.update(Message::Reports(request, Ok(page(five().split_off(1), None, 4))), now());
    assert_eq!(decided(&press(&mut app, "enter")), []);
    assert_eq!(notice(&app), "Nothing was set: no longer in the list");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Nothing to undo");
}

#[test]
fn what_was_decided_about_a_deleted_report_is_neither_undone_nor_redone() {
    let mut app = loaded();
    press(&mut app, "j m down o k enter g m down enter c o k enter u");
    let effects = press(&mut app, "D y");
    let Some(Effect::DeleteReport(request, _)) = effects.last() else { panic!("{effects:?}") };
    app.update(Message::Deleted(*request, Ok(())), now());
    press(&mut app, "U");
    assert_eq!(notice(&app), "Nothing to redo");
    let effects = press(&mut app, "u");
    assert_eq!(decided(&effects), [("2".to_owned(), StateKind::New)], "the step about another report is next");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Nothing to undo");
}

#[test]
fn an_audit_closes_a_report_to_verify_or_reopens_it_with_its_failing_checks() {
    let mut app = loaded();
    press(&mut app, "m down down enter");
    let effects = press(&mut app, "t");
    let Some(Effect::Update(request, ..)) = effects.last() else { panic!("{effects:?}") };
    let mut better = audited(1, 60);
    better.failed = ["title"].into();
    let effects = app.update(Message::Updated(*request, Ok(UpdateOutcome::Saved(better))), now());
    assert_eq!(kind(&app, "1"), StateKind::New);
    assert!(screen(&app).contains("reopened"));
    assert!(effects.iter().any(
        |effect| matches!(effect, Effect::UpdateStates(changed, logged) if changed.len() == 1 && logged.len() == 1)
    ));
    let reason = app.triage.states.triages.iter().next().unwrap().1.reason.clone().unwrap();
    assert_eq!(reason, "reopened: bad 31 → decent 60, still fails title");

    let mut app = loaded();
    press(&mut app, "m down down enter");
    let effects = press(&mut app, "t");
    let Some(Effect::Update(request, ..)) = effects.last() else { panic!("{effects:?}") };
    app.update(Message::Updated(*request, Ok(UpdateOutcome::Saved(audited(1, 95)))), now());
    assert_eq!(kind(&app, "1"), StateKind::Done);
    press(&mut app, "u");
    assert_eq!(kind(&app, "1"), StateKind::New, "the audit's change belongs to the decision: {}", notice(&app));
}

#[test]
fn a_refresh_reopens_reports_that_got_worse() {
    let mut app = loaded();
    press(&mut app, "m down down down enter");
    assert_eq!(kind(&app, "1"), StateKind::WontFix);
    let request = reports_request(&press(&mut app, "r"));
    let mut rows = five();
    rows[0] = audited(1, 12);
    app.update(Message::Reports(request, Ok(page(rows, None, 5))), now());
    assert_eq!(kind(&app, "1"), StateKind::New);
    assert!(notice(&app).contains("shop.example/tea reopened: bad 31 → bad 12"));
}

#[test]
fn a_snoozed_report_reopens_on_time() {
    let mut app = loaded();
    app.screen.zone = TimeZone::posix("IST-5:30").unwrap();
    press(&mut app, "m down down down down enter");
    assert_eq!(notice(&app), "shop.example/tea: snoozed until Sun 22 Nov 06:00");
    let morning: Timestamp = "2026-11-22T06:00:00+05:30".parse().unwrap();
    app.update(Message::Tick, morning - SignedDuration::from_millis(1));
    assert_eq!(kind(&app, "1"), StateKind::Snoozed);
    assert!(app.wake_at().is_some_and(|at| at <= morning));
    app.update(Message::Tick, morning);
    assert_eq!(kind(&app, "1"), StateKind::New);
    assert!(notice(&app).contains("snoozed until"));
}

#[test]
fn the_filter_matches_triage_states_and_follows_them() {
    let mut app = loaded();
    press(&mut app, "m enter / s t a t e : l o o k i n g enter");
    assert_eq!(shown(&app), ["1"]);
    press(&mut app, "m down enter");
    assert!(shown(&app).is_empty(), "its state is waiting now");
    press(&mut app, "esc / s t a t e : n e w enter");
    assert_eq!(shown(&app).len(), 4);
}

#[test]
fn a_note_is_saved_shown_and_removed() {
    let mut app = loaded();
    let effects = press(&mut app, "c a s k e d enter");
    assert_eq!(notes(&effects), [("1".to_owned(), Some("asked".to_owned()))]);
    press(&mut app, "3");
    assert!(screen(&app).contains("note       just now: asked") && screen(&app).contains('✎'), "{}", screen(&app));
    let effects = press(&mut app, "c down ctrl+u enter");
    assert_eq!(notes(&effects), [("1".to_owned(), None)]);
    assert!(press(&mut app, "c enter").is_empty(), "an empty new note changes nothing");
}

/// Returns the texts of the first report's notes, oldest first.
fn texts(app: &App) -> Vec<String> {
    let notes = app.triage.states.notes.of(&reportdeck::domain::report::ReportId::new("1"));
    notes.iter().map(|note| note.text.raw().to_owned()).collect()
}

#[test]
fn notes_form_a_thread_with_the_latest_first() {
    let mut app = loaded();
    press(&mut app, "c a s k e d enter");
    press_at(&mut app, "c y e s enter 3", now() + SignedDuration::from_hours(3));
    assert_eq!(texts(&app), ["asked", "yes"]);
    let screen = screen(&app);
    let place = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text} is missing in\n{screen}"));
    assert!(place("just now: yes") < place("3 h ago: asked"));
}

#[test]
fn an_earlier_note_can_be_changed_and_undo_restores_it() {
    let mut app = loaded();
    press(&mut app, "c o n e enter c t w o enter");
    let effects = press(&mut app, "c down down ! enter");
    assert_eq!(notes(&effects), [("1".to_owned(), Some("one!".to_owned()))]);
    assert_eq!(texts(&app), ["one!", "two"]);
    press(&mut app, "u");
    assert!(notice(&app).contains("Undone: note about shop.example/tea: one"), "{}", notice(&app));
    assert_eq!(texts(&app), ["one", "two"]);
    press(&mut app, "u");
    assert_eq!(texts(&app), ["one"], "undo removes the last added note");
    press(&mut app, "U");
    assert_eq!(texts(&app), ["one", "two"]);
}

#[test]
fn unsaved_changes_of_several_notes_are_kept_as_drafts() {
    let mut app = loaded();
    press(&mut app, "c o n e enter");
    press(&mut app, "c n e w down ! esc");
    assert_eq!(texts(&app), ["one"]);
    press(&mut app, "c down");
    assert!(screen(&app).contains("one!") && screen(&app).contains("* new note"), "{}", screen(&app));
    press(&mut app, "enter");
    assert_eq!(texts(&app), ["one!"]);
    press(&mut app, "c enter");
    assert_eq!(texts(&app), ["one!", "new"]);
}

#[test]
fn an_unfinished_note_is_a_draft() {
    let mut app = loaded();
    let kept = |effects: &[Effect]| {
        effects.iter().any(|effect| matches!(effect, Effect::StoreDraft(draft) if draft.text == "hi"))
    };
    assert!(kept(&press(&mut app, "c h i esc")));
    assert!(app.triage.states.notes.is_empty(), "it is not a note yet");
    let effects = press(&mut app, "c enter");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::DeleteDraft(_))));
    assert_eq!(texts(&app), ["hi"]);
    press(&mut app, "c h o");
    assert!(!kept(&app.update(Message::Terminate, now())), "the text has been edited since");
}

#[test]
fn typed_text_is_stored_as_a_draft_while_its_field_is_open() {
    for (keys, text) in [("c h i", "hi"), ("m h i", "hi"), ("n a . b", "a.b")] {
        let mut app = loaded();
        assert!(!press(&mut app, keys).iter().any(|effect| matches!(effect, Effect::StoreDraft(_))), "not at each key");
        let due = app.wake_at().unwrap();
        assert!(due <= now() + SignedDuration::from_secs(2));
        let effects = app.update(Message::Tick, due);
        let kept = |effect: &Effect| matches!(effect, Effect::StoreDraft(draft) if draft.text == text);
        assert!(effects.iter().any(kept), "{keys}: {effects:?}");
        assert!(app.ctx.notice.is_none() && !app.overlays.is_empty(), "{:?}", app.ctx.notice);
        assert!(app.wake_at().is_none_or(|at| at > due), "once until the next key");
    }
}

#[test]
fn states_and_notes_in_the_journal_survive_a_restart() {
    let mut before = loaded();
    press(&mut before, "m enter c h i enter");
    let (triages, notes) = ((*before.triage.states.triages).clone(), (*before.triage.states.notes).clone());
    let mut app = loaded();
    app.update(Message::States(triages, notes), now());
    assert_eq!(kind(&app, "1"), StateKind::Looking);
    assert!(screen(&app).contains("looking ✎"));
    app.update(Message::States(Triages::default(), Notes::default()), now());
    assert!(!screen(&app).contains("looking"));
    assert_eq!(State::Looking.kind().label(), "looking");
}

#[test]
fn a_decision_made_while_states_are_read_is_not_lost() {
    let mut app = loaded();
    let requests = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::ReadStates)).count();
    assert_eq!(requests(&press(&mut app, "R")), 1);
    press(&mut app, "m enter c h i enter");
    // These states were read before the decision.
    let effects = app.update(Message::States(Triages::default(), Notes::default()), now());
    assert_eq!((requests(&effects), kind(&app, "1")), (1, StateKind::Looking));
    assert_eq!(texts(&app), ["hi"]);
    assert_eq!(requests(&app.update(Message::States(Triages::default(), Notes::default()), now())), 0);
    assert_eq!(kind(&app, "1"), StateKind::New, "another instance has deleted it since");
    for keys in ["m enter", "c h i enter"] {
        press(&mut app, keys);
        let effects = app.update(Message::States(Triages::default(), Notes::default()), now());
        assert_eq!(requests(&effects), 1, "a state or a note alone: {keys}");
        app.update(Message::States(Triages::default(), Notes::default()), now());
    }
}

#[test]
fn undo_leaves_a_state_that_another_dashboard_has_set_since() {
    let (mut app, mut other) = (loaded(), loaded());
    press(&mut app, "m enter");
    press(&mut other, "m down enter");
    press(&mut app, "R");
    app.update(Message::States((*other.triage.states.triages).clone(), Notes::default()), now());
    assert_eq!(kind(&app, "1"), StateKind::Waiting);
    press(&mut app, "u");
    assert_eq!(kind(&app, "1"), StateKind::Waiting);
    assert_eq!(notice(&app), "Not undone: the state of shop.example/tea was changed since");
}

#[test]
fn undo_leaves_a_note_that_another_dashboard_has_edited_since() {
    for (keys, undone) in [("c o n e enter", StateKind::New), ("m o n e enter", StateKind::New)] {
        let (mut app, mut other) = (loaded(), loaded());
        press(&mut app, keys);
        let both = |app: &App| ((*app.triage.states.triages).clone(), (*app.triage.states.notes).clone());
        let (triages, notes) = both(&app);
        other.update(Message::States(triages, notes), now());
        press(&mut other, "c down ! enter");
        press(&mut app, "R");
        let (triages, notes) = both(&other);
        app.update(Message::States(triages, notes), now());
        press(&mut app, "u");
        assert_eq!((texts(&app), kind(&app, "1")), (vec!["one!".to_owned()], undone), "{keys}");
        let notice = notice(&app);
        assert!(notice.contains("the note about shop.example/tea was changed since"), "{keys}: {notice}");
    }
}

/// Returns the stored notes, by report.
fn notes(effects: &[Effect]) -> Vec<(String, Option<String>)> {
    let stored = effects.iter().filter_map(|effect| match effect {
        Effect::StoreNotes(changes) => Some(changes),
        _ => None,
    });
    let text = |note: &Note| note.text.raw().to_owned();
    stored.flatten().map(|change| (change.report.raw().to_owned(), change.note.as_ref().map(text))).collect()
}

#[test]
fn a_note_that_is_too_long_stays_in_its_field_instead_of_being_cut() {
    for field in ["c", "m"] {
        let mut app = loaded();
        press(&mut app, field);
        app.update(Message::Input(Input::Paste("x".repeat(2_001))), now());
        let effects = press(&mut app, "enter");
        assert_eq!((notes(&effects), decided(&effects)), (Vec::new(), Vec::new()), "{field}");
        let refused = "Not saved: the note has 2,001 characters, and a note has at most 2,000. Shorten it";
        assert_eq!(notice(&app), refused, "{field}");
        let saved = notes(&press(&mut app, "backspace enter"));
        assert_eq!(saved, [("1".to_owned(), Some("x".repeat(2_000)))], "{field}");
    }
}

#[test]
fn a_note_is_added_to_every_marked_report() {
    let mut app = loaded();
    press(&mut app, "j c o l d enter");
    let effects = press(&mut app, "k space space c");
    assert!(screen(&app).contains("Note about 2 marked reports"), "{}", screen(&app));
    assert!(notes(&effects).is_empty());
    let kept = notes(&press(&mut app, "n e w enter"));
    let expected = [("1", "new"), ("2", "new")].map(|(id, text)| (id.to_owned(), Some(text.to_owned())));
    assert_eq!(kept, expected);
    // Without typed text nothing changes.
    assert!(notes(&press(&mut app, "c enter")).is_empty());
}

#[test]
fn a_state_and_a_note_are_set_for_all_marked_reports_in_one_step() {
    let mut app = loaded();
    press(&mut app, "j c o l d enter k space space m down");
    assert!(screen(&app).contains("State and note: 2 marked reports"), "{}", screen(&app));
    let effects = press(&mut app, "t o l d ctrl+s");
    let expected = [("1", "told"), ("2", "told")].map(|(id, text)| (id.to_owned(), Some(text.to_owned())));
    assert_eq!(notes(&effects), expected);
    assert_eq!(decided(&effects).iter().map(|(_, kind)| *kind).collect::<Vec<_>>(), [StateKind::Waiting; 2]);
    let notice = notice(&app);
    assert!(notice.contains("2 reports: waiting") && notice.contains("saved"), "{notice}");
    assert!(app.overlays.is_empty());
    press(&mut app, "u");
    assert_eq!((texts(&app), kind(&app, "1")), (Vec::new(), StateKind::New), "one undo reverts both");
}

#[test]
fn setting_only_a_state_leaves_the_note_unchanged() {
    let mut app = loaded();
    press(&mut app, "c o l d enter");
    let effects = press(&mut app, "m enter");
    assert!(notes(&effects).is_empty());
    assert_eq!(notice(&app), "You are looking at shop.example/tea");
    let effects = press(&mut app, "m n e w esc");
    assert!(decided(&effects).is_empty() && notes(&effects).is_empty());
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreDraft(draft) if draft.text == "new")));
}

#[test]
fn ctrl_s_saves_a_note() {
    let mut app = loaded();
    let effects = press(&mut app, "c h i ctrl+s");
    assert_eq!(notes(&effects).len(), 1);
    assert!(app.overlays.is_empty());
}
