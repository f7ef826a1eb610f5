//! Pending deletions: not sent during their delay, can be undone, and need confirmation when quitting.

use std::sync::Arc;

use jiff::SignedDuration;
use reportdeck::app::App;
use reportdeck::app::effect::Effect;
use reportdeck::app::jobs::state::DELETE_DELAY;
use reportdeck::app::message::Message;
use reportdeck::domain::bulk::{BulkOperation, InterruptedRun, Plan, Run, RunNumber};
use reportdeck::domain::draft::{Draft, DraftKey};
use reportdeck::domain::failure::{FailureKind, LookupOutcome, WriteFailure};
use reportdeck::domain::look::Preset;
use reportdeck::input::remap::remapped;
use reportdeck::input::{Action, Context};

use crate::support::session;
use crate::support::states::*;
use crate::update::screen;

fn deletions(effects: &[Effect]) -> usize {
    let sent = |effect: &&Effect| {
        matches!(effect, Effect::DeleteReport(..) | Effect::DeleteProject(..) | Effect::SendItem(..))
    };
    effects.iter().filter(sent).count()
}

/// A dashboard with five rows that delays deletions, as it does by default.
fn with_delayed_deletions() -> App {
    let mut app = loaded();
    app.jobs.delete_delay = DELETE_DELAY;
    app
}

fn after(app: &mut App, seconds: i64) -> Vec<Effect> {
    app.update(Message::Tick, now() + SignedDuration::from_secs(seconds))
}

#[test]
fn a_deletion_counts_down_and_can_be_undone() {
    let mut app = with_delayed_deletions();
    press(&mut app, "D y");
    assert_eq!(app.pending_text().unwrap(), "deleting in 5 s (u undoes it): shop.example/tea");
    assert_eq!(app.wake_at(), Some(now() + SignedDuration::from_secs(1)), "the countdown changes");
    assert_eq!(deletions(&after(&mut app, 4)), 0);
    assert!(app.pending_text().unwrap().contains("in 1 s"));
    assert!(press(&mut app, "t").is_empty(), "a report pending deletion is not re-run");
    press(&mut app, "u");
    assert_eq!(deletions(&after(&mut app, 60)), 0);
    assert_eq!(shown(&app).len(), 5);
}

#[test]
fn a_plan_skips_reports_whose_deletion_is_pending() {
    let mut app = with_delayed_deletions();
    press(&mut app, "D y space space t");
    assert!(screen(&app).contains("is about to be deleted"), "{}", screen(&app));
    press(&mut app, "y");
    let items = &app.jobs.bulk.as_ref().unwrap().run.items;
    let skipped: Vec<&str> =
        items.iter().filter(|item| item.skip_reason().is_some()).map(|item| item.id.raw()).collect();
    assert_eq!((items.len(), skipped), (2, vec!["1"]));
}

#[test]
fn a_report_of_a_pending_deletion_of_many_is_not_changed_or_deleted_again() {
    let mut app = with_delayed_deletions();
    press(&mut app, "space space D y esc M k");
    for key in ["t", "e", "D"] {
        assert!(press(&mut app, key).is_empty() && app.overlays.is_empty(), "{key}");
        assert_eq!(notice(&app), "This report is about to be deleted: u undoes it", "{key}");
    }
}

#[test]
fn of_several_deletions_the_countdown_is_that_of_the_one_that_would_be_undone() {
    let mut app = with_delayed_deletions();
    press(&mut app, "D y");
    press_at(&mut app, "j D y", now() + SignedDuration::from_millis(300));
    assert_eq!(app.wake_at(), Some(now() + SignedDuration::from_secs(1)), "when the first one changes");
    assert_eq!(app.pending_text().unwrap(), "deleting in 5 s (u undoes it): shop.example/cart?step=2 and 1 more");
    press(&mut app, "u");
    assert_eq!(notice(&app), "Undone: shop.example/cart?step=2 was not deleted");
    assert_eq!(app.pending_text().unwrap(), "deleting in 5 s (u undoes it): shop.example/tea");
}

#[test]
fn a_deletion_can_be_undone_on_every_screen_that_offers_it() {
    for screen_keys in ["", "L", "0", "w", "Q", "@", "C", "x"] {
        let mut app = with_delayed_deletions();
        press(&mut app, "D y");
        press(&mut app, screen_keys);
        let text = screen(&app);
        assert!(text.contains("deleting in 5 s (u undoes it)"), "{text}");
        press(&mut app, "u");
        assert_eq!(app.pending_text(), None, "{screen_keys}");
    }
    // In a text field the key is a letter, and dialogs and forms have no undo.
    for screen_keys in ["/", "n", "n tab", "?", ":", "c", "j j D"] {
        let mut app = with_delayed_deletions();
        press(&mut app, "D y");
        press(&mut app, screen_keys);
        let text = screen(&app);
        assert!(text.contains("deleting in 5 s (Esc, then u undoes it)"), "{screen_keys}: {text}");
        press(&mut app, "esc u");
        assert_eq!(app.pending_text(), None, "{screen_keys}");
    }
}

#[test]
fn a_deletion_without_a_key_to_undo_it_names_the_palette_where_that_opens() {
    let own = [(Action::Undo, Vec::new())];
    for (screen_keys, expected) in
        [("", "(: undo undoes it)"), ("Q", "(: undo undoes it)"), ("x", "(Esc, then : undo ")]
    {
        let mut app = with_delayed_deletions();
        app.ctx.keymap = Arc::new(remapped(Preset::Vim, &own).0);
        press(&mut app, "D y");
        press(&mut app, screen_keys);
        assert!(screen(&app).contains(expected), "{screen_keys}: {}", screen(&app));
    }
}

#[test]
fn a_pending_deletion_is_sent_on_time_wherever_the_cursor_is() {
    let mut app = with_delayed_deletions();
    press(&mut app, "D y j j");
    let effects = after(&mut app, 5);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::DeleteReport(_, id) if id.raw() == "1")));
    assert!(app.pending_text().is_none());
}

#[test]
fn quitting_asks_whether_to_send_or_drop_pending_deletions() {
    let mut app = with_delayed_deletions();
    press(&mut app, "D y");
    assert!(!press(&mut app, "q").iter().any(|effect| matches!(effect, Effect::Quit)));
    press(&mut app, "esc");
    assert!(app.pending_text().is_some(), "Esc cancels, and the deletion stays pending");
    let effects = press(&mut app, "q y");
    assert_eq!(deletions(&effects), 1);
    assert!(app.session.quitting, "and quits after the response");

    let mut app = with_delayed_deletions();
    press(&mut app, "D y");
    let effects = press(&mut app, "q ctrl+c");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert_eq!(deletions(&effects), 0);
}

#[test]
fn the_question_about_unsent_deletions_names_keys_that_work_and_stops_the_clock() {
    for (columns, rows) in [(100, 30), (40, 12)] {
        let mut app = with_delayed_deletions();
        press(&mut app, "D y q");
        let (screen, _) = session::draw(&app, columns, rows);
        let text = screen.replace(['│', '\n'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        for shown in [
            "Deletions not sent yet",
            "Not sent yet: delete shop.example/tea.",
            "y deletes now and quits, ctrl+c quits without deleting, Esc cancels.",
            "[ Delete and quit ]",
        ] {
            assert!(text.contains(shown), "{shown}:\n{screen}");
        }
        // What the dialog calls not sent is not sent behind its back.
        assert_eq!(deletions(&after(&mut app, 60)), 0);
        assert!(app.wake_at().is_none_or(|at| at > now() + SignedDuration::from_secs(60)), "{:?}", app.wake_at());
        let effects = press_at(&mut app, "esc", now() + SignedDuration::from_secs(61));
        assert_eq!(deletions(&effects) + deletions(&after(&mut app, 61)), 1, "a cancelled question lets it go on");
    }
}

#[test]
fn deletions_are_not_sent_while_the_question_about_them_is_open_although_another_one_waits() {
    let mut app = with_delayed_deletions();
    let rerun = press(&mut app, "t").into_iter().find_map(|effect| match effect {
        Effect::Update(request, ..) => Some(request),
        _ => None,
    });
    press(&mut app, "j D y q");
    let found = LookupOutcome::Report(Box::new(row(1, "https://shop.example/tea", 31)));
    let lost = WriteFailure::Unsure { failure: failure(FailureKind::TimedOut), found };
    app.update(Message::Updated(rerun.unwrap(), Err(lost)), now());
    assert!(screen(&app).contains("Deletions not sent yet"), "{}", screen(&app));
    assert_eq!(deletions(&after(&mut app, 60)), 0);
    press_at(&mut app, "esc", now() + SignedDuration::from_secs(61));
    assert!(screen(&app).contains("Outcome unknown"), "{}", screen(&app));
}

#[test]
fn a_deletion_undone_before_the_journal_stored_it_is_not_offered_again() {
    let mut app = with_delayed_deletions();
    let effects = press(&mut app, "D y");
    let Some(Effect::StoreRun(request, ..)) = effects.iter().find(|effect| matches!(effect, Effect::StoreRun(..)))
    else {
        panic!("it is not stored: {effects:?}")
    };
    press(&mut app, "u");
    let effects = app.update(Message::RunStored(*request, Ok(Some(RunNumber(4)))), now());
    assert!(matches!(&effects[..], [Effect::DeleteRun(RunNumber(4))]), "{effects:?}");
}

#[test]
fn pending_deletions_survive_a_restart_until_sent_or_undone() {
    let mut app = with_delayed_deletions();
    let effects = press(&mut app, "D y");
    let kept = effects.iter().find_map(|effect| match effect {
        Effect::StoreRun(request, ..) => Some(*request),
        _ => None,
    });
    app.update(Message::RunStored(kept.unwrap(), Ok(Some(RunNumber(4)))), now());
    assert!(app.jobs.bulk.is_none());
    let ends = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::DeleteRun(RunNumber(4))));
    assert!(ends(&press(&mut app, "u")));
    // A signal drops the deletion: nothing is sent, and the next start reports it.
    let effects = press(&mut app, "D y");
    let again = effects.iter().find_map(|effect| match effect {
        Effect::StoreRun(request, ..) => Some(*request),
        _ => None,
    });
    app.update(Message::RunStored(again.unwrap(), Ok(Some(RunNumber(4)))), now());
    let effects = app.update(Message::Terminate, now());
    assert!(deletions(&effects) == 0 && !ends(&effects));
}

#[test]
fn deletions_of_many_reports_are_pending_too() {
    let mut app = with_delayed_deletions();
    press(&mut app, "space space D");
    let effects = press(&mut app, "y");
    let begin = effects.iter().find_map(|effect| match effect {
        Effect::StoreRun(request, ..) => Some(*request),
        _ => None,
    });
    let effects = app.update(Message::RunStored(begin.unwrap(), Ok(None)), now());
    assert_eq!(deletions(&effects), 0);
    press(&mut app, "esc u");
    assert_eq!(deletions(&after(&mut app, 60)), 0);
    assert_eq!(shown(&app).len(), 5);
}

#[test]
fn the_list_of_a_run_undoes_a_deletion_that_waits_and_nothing_else() {
    let mut app = with_delayed_deletions();
    let begin = |app: &mut App, keys: &str| {
        let effects = press(app, keys);
        let stored = effects.iter().find_map(|effect| match effect {
            Effect::StoreRun(request, ..) => Some(*request),
            _ => None,
        });
        app.update(Message::RunStored(stored.unwrap(), Ok(None)), now());
    };
    begin(&mut app, "space space D y");
    let text = screen(&app);
    assert!(text.contains("Waiting until 14:02:05 · u undoes it"), "{text}");
    assert_eq!(app.run_text().unwrap(), "deleting 0/2, waits until 14:02:05 (u undoes it)");
    press(&mut app, "u");
    assert_eq!(app.context(), Context::Panes, "its list is closed");
    assert_eq!(notice(&app), "Undone: nothing was deleted");
    assert_eq!((deletions(&after(&mut app, 60)), shown(&app).len()), (0, 5));
    begin(&mut app, "t y");
    press(&mut app, "u");
    assert_eq!(app.reports.selection.ids.len(), 2, "marks are undone in the panes only");
    press(&mut app, "esc M D y x enter");
    assert!(app.context() == Context::Run && app.pending_text().unwrap().contains("u undoes it"));
    press(&mut app, "u");
    assert_eq!(app.pending_text(), None, "a single deletion is undone here too");
}

#[test]
fn a_project_deletion_dropped_by_a_signal_is_reported_at_the_next_start() {
    let mut app = loaded();
    app.jobs.delete_delay = DELETE_DELAY;
    press(&mut app, "1 j D");
    let name = app.projects.current().unwrap().name.raw().to_owned();
    let mut effects = Vec::new();
    for letter in name.chars() {
        effects.extend(press(&mut app, &letter.to_string()));
    }
    effects.extend(press(&mut app, "enter"));
    let kept = effects.iter().find_map(|effect| match effect {
        Effect::StoreDraft(draft) => Some(draft.clone()),
        _ => None,
    });
    let kept = kept.expect("it is in the journal");
    // As after reconnecting with a renewed key.
    let effects = app.update(Message::Drafts(vec![kept.clone()]), now());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::DeleteDraft(_))), "it is still pending");
    let effects = app.update(Message::Terminate, now());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::DeleteProject(..) | Effect::DeleteDraft(_))));

    let mut next = loaded();
    let effects = next.update(Message::Drafts(vec![kept.clone()]), now());
    let notice = notice(&next);
    assert!(notice.contains(&name) && notice.contains("not sent"), "{notice}");
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::DeleteDraft(key) if *key == kept.key)),
        "reported once"
    );
}

#[test]
fn the_deletion_of_reports_dropped_by_a_signal_is_reported_once_at_the_next_start() {
    for (keys, expected) in [
        ("D y", "The deletion of shop.example/tea was not sent: D asks again"),
        ("space space D y", "The deletion of 2 reports was not sent: D asks again"),
    ] {
        let mut app = with_delayed_deletions();
        let effects = press(&mut app, keys);
        let stored = effects.iter().find_map(|effect| match effect {
            Effect::StoreRun(_, operation, items) => Some((operation.clone(), items.clone())),
            _ => None,
        });
        let (operation, items) = stored.expect("it is in the journal");
        assert_eq!(deletions(&app.update(Message::Terminate, now())), 0);

        let mut next = loaded();
        let run = InterruptedRun { run: RunNumber(4), operation, items, needs_password: false };
        let effects = next.update(Message::InterruptedRuns(vec![run]), now());
        assert_eq!(notice(&next), expected, "{keys}");
        assert!(matches!(effects[..], [Effect::DeleteRun(RunNumber(4))]), "reported once: {effects:?}");
        assert_eq!(next.context(), Context::Panes, "nothing can be confirmed by mistake");
    }
    let long = row(1, &format!("https://shop.example/{}", "a/".repeat(100)), 31);
    let plan = Plan::new(BulkOperation::Delete, [long].iter(), |_| None);
    let items = Run::new(plan, 1).items;
    let run = InterruptedRun { run: RunNumber(4), operation: BulkOperation::Delete, items, needs_password: false };
    let mut next = loaded();
    next.update(Message::InterruptedRuns(vec![run]), now());
    let (screen, _) = session::draw(&next, 80, 24);
    assert!(screen.contains("D asks again"), "a long URL does not hide what happened: {screen}");
}

#[test]
fn a_draft_typed_before_the_stored_ones_arrive_is_kept() {
    let (mut app, _) = connected();
    press(&mut app, "n t e a esc");
    app.update(Message::Drafts(vec![Draft::of_text(DraftKey::NewReport, "older")]), now());
    press(&mut app, "n");
    assert_eq!(app.form().unwrap().draft().unwrap().text, "tea");
}

#[test]
fn the_form_for_marked_reports_restores_its_draft() {
    let mut app = loaded();
    let effects = press(&mut app, "V e right esc");
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::StoreDraft(draft) if draft.key == DraftKey::EditSelected))
    );
    press(&mut app, "e");
    let form = app.form().unwrap();
    assert!(form.from_draft && form.privacy.is_some());
}

#[test]
fn a_deletion_waits_its_whole_delay_again_after_the_program_was_suspended() {
    let back = now() + SignedDuration::from_secs(3_600);
    for keys in ["D y", "space space D y"] {
        let mut app = with_delayed_deletions();
        let effects = press(&mut app, keys);
        let stored = effects.iter().find_map(|effect| match effect {
            Effect::StoreRun(request, ..) => Some(*request),
            _ => None,
        });
        app.update(Message::RunStored(stored.unwrap(), Ok(None)), now());
        app.update(Message::Resumed, back);
        assert!(screen(&app).contains("u undoes it"), "{}", screen(&app));
        assert_eq!(deletions(&app.update(Message::Tick, back + SignedDuration::from_secs(4))), 0, "{keys}");
        assert!(deletions(&app.update(Message::Tick, back + SignedDuration::from_secs(5))) > 0, "{keys}");
    }
}
