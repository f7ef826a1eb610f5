//! The desk in the state machine: what is shown and sent, and how refusals, an unreachable desk and newer rows are
//! handled.

use reportdeck::app::App;
use reportdeck::app::desk::state::DeskLink;
use reportdeck::app::effect::Effect;
use reportdeck::app::message::{DeskJoined, DeskMessage, Message, UpdateOutcome};
use reportdeck::app::overlays::Overlay;
use reportdeck::domain::desk::{
    ChangeId, DeskActor, DeskContent, DeskEvent, DeskMe, DeskNote, DeskRow, DeskWrite, EventDetail, Handle,
    LogPosition, OutboxEntry, Role, RowPrecondition,
};
use reportdeck::domain::event_log::line::LogLine;
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::{Notes, State, StateKind, Triages};
use reportdeck::input::{Action, Context};

use super::*;

/// A dashboard of `anna` with five reports, on a desk with these rows.
pub(super) fn on_desk(rows: Vec<DeskRow>) -> App {
    let mut app = loaded();
    join_desk(&mut app, rows);
    app
}

/// `anna` joins a desk with these rows.
pub(super) fn join_desk(app: &mut App, rows: Vec<DeskRow>) {
    let mut content = DeskContent::default();
    for row in rows {
        content.put_row(row);
    }
    let anna: Handle = "anna".parse().unwrap();
    let me = DeskMe { handle: Some(anna.clone()), actor: DeskActor::Person(anna), role: Role::Triage };
    let (people, outbox) = (Vec::new(), Vec::new());
    let joined =
        DeskJoined { me, people, content, outbox, seed: [7; 16], read_at: now(), is_reached: true, is_own: false };
    receive(app, DeskMessage::Joined(Box::new(joined)));
}

pub(super) fn receive(app: &mut App, message: DeskMessage) -> Vec<Effect> {
    app.update(Message::Desk(vec![message]), now())
}

/// Returns the writes sent to the desk.
pub(super) fn sent(effects: Vec<Effect>) -> Vec<OutboxEntry> {
    effects
        .into_iter()
        .filter_map(|effect| if let Effect::SendToDesk(sent) = effect { Some(sent) } else { None })
        .flatten()
        .collect()
}

pub(super) fn failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "Following the desk failed: no", "Ask the owner")
}

#[test]
fn a_narrow_table_shortens_states_and_not_the_names_of_those_who_hold_the_reports() {
    let rows = [("1", State::Looking, "ben"), ("2", State::ToVerify, "carla"), ("4", State::Waiting, "alexandra")];
    let app = on_desk(rows.map(|(id, state, holder)| desk_row(id, state, holder, 1)).to_vec());
    for columns in [80, 120] {
        let screen = screen_of(&app, columns);
        for tag in ["STATE", "looking ben", "to v… carla", "wai… alexa…"] {
            assert!(screen.contains(tag), "{tag}, {columns}:\n{screen}");
        }
    }
    let wide = screen_of(&app, 160);
    assert!(wide.contains("to verify carla") && wide.contains("waiting alexandra"), "{wide}");
}

#[test]
fn decisions_that_the_role_of_a_key_does_not_allow_are_disabled_with_the_reason() {
    let mut app = on_desk(Vec::new());
    app.desk.as_mut().unwrap().role = Role::Viewer;
    let reason = "This needs a key with the role triage; yours has the role viewer";
    for action in [Action::SetState, Action::WriteNote, Action::Assign, Action::Handover, Action::StateLooking] {
        assert_eq!(app.disabled_reason(action).as_deref(), Some(reason), "{action:?}");
    }
    press(&mut app, "a");
    assert!(app.overlays.is_empty(), "nobody to choose");
    assert_eq!(notice(&app), reason);
    press(&mut app, ": a s s i g n");
    assert!(screen(&app).contains(reason), "{}", screen(&app));
}

#[test]
fn a_read_only_session_sends_no_decision_to_the_desk() {
    let mut app = on_desk(vec![desk_row("1", State::Waiting, "anna", 7)]);
    app.ctx.read_only = true;
    for (key, rest) in [("m", "enter"), ("c", "h i enter"), ("Q", "w")] {
        press(&mut app, key);
        let notice = app.ctx.notice.as_ref().map(|notice| notice.0.clone());
        assert!(sent(press(&mut app, rest)).is_empty());
        let notice = notice.or_else(|| Some(app.ctx.notice.as_ref()?.0.clone()));
        assert!(notice.unwrap().contains("read-only"), "{key}");
    }
}

#[test]
fn a_decision_carries_the_seen_version_and_is_sent_to_the_desk_only() {
    let mut app = on_desk(vec![desk_row("1", State::Waiting, "anna", 7)]);
    let effects = press(&mut app, "m enter");
    assert!(
        !effects.iter().any(|effect| matches!(effect, Effect::StoreStates(..))),
        "the journal's own states are unchanged"
    );
    let sent = sent(effects);
    let [OutboxEntry { write: DeskWrite::Row { report, expected, write }, .. }] = sent.as_slice() else {
        panic!("{sent:?}")
    };
    let expected_of = if report.raw() == "1" { RowPrecondition::Version(7) } else { RowPrecondition::Absent };
    assert_eq!((*expected, write.state), (expected_of, State::Looking));
    assert_eq!(write.holder.as_ref().map(Handle::as_str), Some("anna"));
}

#[test]
fn a_second_decision_about_a_report_is_based_on_the_first() {
    let mut app = on_desk(Vec::new());
    let first = sent(press(&mut app, "m enter"));
    sent(press(&mut app, "m down enter"));
    let DeskWrite::Row { report, .. } = &first[0].write else { panic!() };
    let row = desk_row(report.raw(), State::Looking, "anna", 1);
    receive(&mut app, DeskMessage::Written(first[0].write.change(), Box::new(row)));
    let outbox = &app.desk.as_ref().unwrap().outbox;
    let [OutboxEntry { write: DeskWrite::Row { expected, .. }, .. }] = outbox.as_slice() else { panic!("{outbox:?}") };
    assert_eq!(*expected, RowPrecondition::Version(1));
}

#[test]
fn answers_that_arrive_together_are_applied_in_order() {
    let mut app = on_desk(Vec::new());
    let decisions = sent(press(&mut app, "V m enter"));
    let [one, other, ..] = decisions.as_slice() else { panic!("{decisions:?}") };
    let holder = |app: &App, entry: &OutboxEntry| {
        let desk = app.desk.as_ref().unwrap();
        desk.holder(entry.write.report()).map(|holder| holder.as_str().to_owned())
    };
    assert_eq!([holder(&app, one), holder(&app, other)], [Some("anna".to_owned()), Some("anna".to_owned())]);
    let row = |entry: &OutboxEntry, state, holder, version| {
        Box::new(desk_row(entry.write.report().raw(), state, holder, version))
    };
    let answers = vec![
        DeskMessage::Written(one.write.change(), row(one, State::Looking, "anna", 1)),
        DeskMessage::Conflict(other.write.change(), Some(row(other, State::Waiting, "ben", 3))),
        DeskMessage::Written(one.write.change(), row(one, State::Waiting, "ben", 2)),
    ];
    app.update(Message::Desk(answers), now());
    assert_eq!([holder(&app, one), holder(&app, other)], [Some("ben".to_owned()), Some("ben".to_owned())]);
    assert_eq!(app.desk.as_ref().unwrap().outbox.len(), decisions.len() - 2);
    let tags = [one, other].map(|entry| app.tag(entry.write.report()).unwrap_or_default());
    assert_eq!(tags, ["waiting ben", "waiting ben"]);
}

#[test]
fn a_state_that_is_set_again_is_sent_only_if_the_desk_may_have_another_one() {
    let waiting = || on_desk(vec![desk_row("1", State::Waiting, "anna", 7)]);
    let mut app = waiting();
    assert!(sent(press(&mut app, "m down enter")).is_empty());
    assert_eq!(notice(&app), "shop.example/tea: already waiting");
    // While the desk is away its row may be old: the decision is sent later, once.
    receive(&mut app, DeskMessage::Unreachable(failure(FailureKind::Unreachable), None));
    assert_eq!(sent(press(&mut app, "m down enter")).len(), 1);
    assert!(sent(press(&mut app, "m down enter")).is_empty());
    // The state of a colleague is taken over by who sets it.
    let mut app = on_desk(vec![desk_row("1", State::Looking, "ben", 7)]);
    assert_eq!(sent(press(&mut app, "m enter")).len(), 1);
    // A claim that ends soon is renewed.
    let mut app = on_desk(vec![desk_row("1", State::Looking, "anna", 7)]);
    let hours = |hours| now() + SignedDuration::from_hours(hours);
    assert!(sent(press_at(&mut app, "m enter", hours(3))).is_empty());
    assert_eq!(notice(&app), "You are already looking at shop.example/tea");
    assert_eq!(sent(press_at(&mut app, "m enter", hours(5))).len(), 1);
}

#[test]
fn an_unreachable_desk_is_dated_by_its_last_response() {
    let mut app = on_desk(Vec::new());
    let last = now() - SignedDuration::from_mins(3);
    receive(&mut app, DeskMessage::Unreachable(failure(FailureKind::Unreachable), Some(last)));
    app.ctx.notice = None;
    assert!(screen(&app).contains("desk as of 3 min ago"));
}

#[test]
fn a_desk_that_has_not_responded_is_not_shown_as_none() {
    let away = || DeskMessage::Unreachable(failure(FailureKind::Service), None);
    let mut app = loaded();
    // A notice that is still shown is read to its end.
    app.update(Message::JournalUnreadable(failure(FailureKind::Local)), now());
    let earlier = notice(&app).to_owned();
    receive(&mut app, away());
    assert_eq!(notice(&app), earlier);
    app.ctx.notice = None;
    receive(&mut app, away());
    assert!(notice(&app).contains("states and notes stay on this machine until it does"), "{}", notice(&app));
    press(&mut app, "down m down enter c x enter");
    receive(&mut app, away());
    assert!(!notice(&app).contains("The desk"), "it is said once: {}", notice(&app));
    app.ctx.notice = None;
    assert!(screen(&app).contains("desk: no response"), "{}", screen(&app));
    // What was decided meanwhile is not on the desk.
    join_desk(&mut app, vec![desk_row("1", State::Looking, "ben", 1)]);
    assert!(notice(&app).contains("1 report: `reportdeck desk import` imports them"), "{}", notice(&app));
    app.ctx.notice = None;
    assert!(!screen(&app).contains("no response"), "{}", screen(&app));
    // A service without a desk, and one that has refused the key, are no longer asked.
    for end in [DeskMessage::Absent(None), DeskMessage::Ended(failure(FailureKind::Forbidden))] {
        let mut app = loaded();
        receive(&mut app, away());
        receive(&mut app, end);
        app.ctx.notice = None;
        assert!(!screen(&app).contains("no response"), "{}", screen(&app));
    }
    // A service that does not respond at all is reported with its list: it may have no desk.
    let (mut app, effects) = connected();
    app.ctx.notice = None;
    receive(&mut app, away());
    assert!(app.ctx.notice.is_none() && !screen(&app).contains("desk:"), "{}", screen(&app));
    let list = reports_request(&effects);
    app.update(Message::Reports(list, Err(failure(FailureKind::Unreachable))), now());
    let told = notice(&app).to_owned();
    receive(&mut app, away());
    assert_eq!(notice(&app), told);
    assert!(!screen(&app).contains("desk:"), "{}", screen(&app));
    let effects = press(&mut app, "r");
    app.update(Message::Reports(reports_request(&effects), Ok(page(five(), None, 5))), now());
    app.ctx.notice = None;
    receive(&mut app, away());
    assert!(notice(&app).contains("The desk does not respond"), "{}", notice(&app));
    app.ctx.notice = None;
    assert!(screen(&app).contains("desk: no response"), "{}", screen(&app));
}

#[test]
fn what_is_decided_before_a_slow_desk_has_responded_is_named_as_kept_on_this_machine() {
    for (keys, is_named) in [("m down enter", true), ("c x enter", true), ("j", false)] {
        let mut app = loaded();
        press(&mut app, keys);
        app.ctx.notice = None;
        join_desk(&mut app, vec![desk_row("1", State::Looking, "ben", 1)]);
        let text = "You are anna on the desk. This machine has states or notes of 1 report: `reportdeck desk import`";
        assert_eq!(app.ctx.notice.is_some_and(|(notice, _)| notice.starts_with(text)), is_named, "{keys}");
    }
}

#[test]
fn a_decision_that_is_dropped_or_refused_is_so_in_the_history() {
    let lines = |app: &mut App| {
        let request = press(app, "@").into_iter().find_map(|effect| match effect {
            Effect::ReadLog(request) => Some(request),
            _ => None,
        });
        app.update(Message::Log(request.unwrap(), None), now());
        let lines: Vec<String> = app.log.lines.iter().map(LogLine::text).collect();
        press(app, "esc");
        lines
    };
    for (theirs, expected) in [
        (Some(("ben", State::Looking)), "dropped “waiting, with anna” for shop.example/tea: kept “looking, with ben”"),
        (None, "dropped “waiting, with anna” for shop.example/tea"),
    ] {
        let mut app = on_desk(Vec::new());
        let change = sent(press(&mut app, "m down enter"))[0].write.change();
        let theirs = theirs.map(|(holder, state)| Box::new(desk_row("1", state, holder, 3)));
        receive(&mut app, DeskMessage::Conflict(change, theirs));
        press(&mut app, "X enter");
        let mut shown = lines(&mut app);
        shown.sort();
        assert_eq!(shown, [expected, "set waiting for shop.example/tea"]);
    }
    let mut app = on_desk(Vec::new());
    let decided = sent(press(&mut app, "V m down enter"));
    for entry in &decided {
        receive(&mut app, DeskMessage::Refused(entry.write.change(), failure(FailureKind::Invalid)));
    }
    let shown = lines(&mut app);
    assert!(shown.contains(&"dropped “waiting, with anna” for 5 reports".to_owned()), "{shown:?}");
}

#[test]
fn a_refusal_of_the_desk_is_shown_and_disables_decisions() {
    for kind in [FailureKind::Unauthorised, FailureKind::Forbidden] {
        let mut app = on_desk(Vec::new());
        receive(&mut app, DeskMessage::Ended(failure(kind)));
        assert!(matches!(app.desk.as_ref().unwrap().link, DeskLink::Ended(_)));
        let effects = press(&mut app, "m");
        assert!(sent(effects).is_empty() && screen(&app).contains("Decisions are not possible"), "{}", screen(&app));
        // The banner about a rejected key names the key for one of the service, and this desk has another.
        assert!(app.ctx.key_refusal.is_none());
        assert!(notice(&app).contains("Following the desk failed: no. Ask the owner"), "{}", notice(&app));
        assert!(press(&mut app, "R").iter().any(|effect| matches!(effect, Effect::Connect(_))));
    }
}

#[test]
fn a_desk_that_cannot_be_used_is_named_until_it_can() {
    let mut app = loaded();
    receive(&mut app, DeskMessage::Absent(Some("No desk at http://desk.example".to_owned())));
    let told = notice(&app);
    assert!(told.contains("on this machine") && told.contains("No desk at http://desk.example"), "{told}");
    app.ctx.notice = None;
    assert!(screen(&app).contains("desk: not in use"), "{}", screen(&app));
    assert!(press(&mut app, "R").iter().any(|effect| matches!(effect, Effect::Connect(_))));
    // What was decided meanwhile is not on the desk.
    press(&mut app, "down m down enter");
    join_desk(&mut app, vec![desk_row("1", State::Looking, "ben", 1)]);
    assert!(notice(&app).contains("1 report: `reportdeck desk import` imports them"), "{}", notice(&app));
    app.ctx.notice = None;
    assert!(!screen(&app).contains("not in use"), "{}", screen(&app));
    // The service has no desk, and the profile names none.
    receive(&mut app, DeskMessage::Absent(None));
    assert!(!screen(&app).contains("desk:"), "{}", screen(&app));
}

#[test]
fn the_keys_of_the_desk_tell_a_missing_desk_from_one_that_does_not_respond() {
    let unreachable = DeskMessage::Unreachable(failure(FailureKind::Unreachable), None);
    for (message, reason) in [
        (DeskMessage::Absent(None), "No shared desk: set `desk` in the profile"),
        (
            DeskMessage::Absent(Some("No desk at http://desk.example".to_owned())),
            "The desk is not in use: R tries again",
        ),
        (unreachable, "No desk has responded: it is asked again soon"),
    ] {
        let mut app = loaded();
        receive(&mut app, message);
        for key in ["X", "a", "H"] {
            press(&mut app, key);
            assert!(notice(&app).starts_with(reason), "{key}: {}", notice(&app));
        }
    }
}

#[test]
fn decisions_that_are_sent_later_carry_their_time() {
    let mut app = on_desk(Vec::new());
    let sent = sent(press(&mut app, "m enter"));
    let anna: Handle = "anna".parse().unwrap();
    let decided_at = |later: SignedDuration| match sent[0].to_send(now() + later) {
        DeskWrite::Row { write, .. } => write.decided_at,
        other => panic!("{other:?}"),
    };
    assert_eq!(decided_at(SignedDuration::from_secs(2)), None);
    // Also if the line was lost unnoticed when it was decided.
    assert_eq!(decided_at(SignedDuration::from_hours(1)), Some(now()));
    assert!(!sent[0].must_be_confirmed(now() + SignedDuration::from_hours(6 * 24), &anna));
    assert!(
        sent[0].must_be_confirmed(now() + SignedDuration::from_hours(8 * 24), &anna),
        "after a week it needs confirmation"
    );
}

#[test]
fn quitting_waits_until_the_desk_has_the_decisions() {
    let is_quit = |effects: Vec<Effect>| effects.iter().any(|effect| matches!(effect, Effect::Quit));
    let mut app = on_desk(Vec::new());
    let change = sent(press(&mut app, "m enter"))[0].write.change();
    assert!(
        !is_quit(press(&mut app, "q")) && notice(&app).contains("after 1 decision for the desk"),
        "{}",
        notice(&app)
    );
    let row = desk_row("1", State::Looking, "anna", 1);
    assert!(is_quit(receive(&mut app, DeskMessage::Written(change, Box::new(row)))));

    let mut app = on_desk(Vec::new());
    press(&mut app, "m enter q");
    let unreachable = DeskMessage::Unreachable(failure(FailureKind::Unreachable), None);
    assert!(is_quit(receive(&mut app, unreachable)), "an unreachable desk is not waited for");
}

#[test]
fn profiles_are_switched_when_the_desk_has_the_decisions() {
    let row = Box::new(desk_row("1", State::Looking, "anna", 1));
    let unreachable = || DeskMessage::Unreachable(failure(FailureKind::Unreachable), None);
    for is_written in [true, false] {
        let mut app = on_desk(Vec::new());
        add_profiles(&mut app);
        let change = sent(press(&mut app, "m enter"))[0].write.change();
        press(&mut app, "A");
        assert_eq!(notice(&app), "Changes are still being sent: wait until they are done");
        let written = DeskMessage::Written(change, row.clone());
        receive(&mut app, if is_written { written } else { unreachable() });
        press(&mut app, "A");
        assert_eq!(app.context(), Context::Menu, "{}", notice(&app));
    }
}

#[test]
fn a_decision_that_the_desk_rejects_calls_quitting_off() {
    let failed = || failure(FailureKind::Invalid);
    let rejections: [fn(ChangeId, Failure) -> DeskMessage; 3] =
        [DeskMessage::Refused, DeskMessage::SetAside, |change, _| DeskMessage::Conflict(change, None)];
    for rejection in rejections {
        let mut app = on_desk(Vec::new());
        let change = sent(press(&mut app, "m enter q"))[0].write.change();
        let effects = receive(&mut app, rejection(change, failed()));
        assert!(!app.session.quitting && !effects.iter().any(|effect| matches!(effect, Effect::Quit)), "{effects:?}");
        assert!(!notice(&app).is_empty());
    }
}

#[test]
fn the_state_form_says_who_holds_the_report() {
    let mut app = on_desk(vec![desk_row("1", State::Looking, "ben", 1)]);
    press(&mut app, "p m");
    assert!(screen(&app).contains("ben is looking at it"), "{}", screen(&app));
}

#[test]
fn many_decisions_that_the_desk_has_not_received_are_counted() {
    let (mut app, effects) = connected();
    let rows = (1..=20).map(|number| row(number, "https://shop.example/tea", 31)).collect();
    app.update(Message::Reports(reports_request(&effects), Ok(page(rows, None, 20))), now());
    join_desk(&mut app, Vec::new());
    press(&mut app, "V m enter");
    app.ctx.notice = None;
    assert!(screen(&app).contains("20 to send"), "{}", screen(&app));
}

#[test]
fn a_conflict_shows_both_versions_and_lets_the_user_choose() {
    for (keys, resent) in [("X enter", 0), ("X j enter", 1), ("X j j enter", 0)] {
        let mut app = on_desk(Vec::new());
        let sent_first = sent(press(&mut app, "m enter"));
        let (change, report) = (sent_first[0].write.change(), sent_first[0].write.report().clone());
        let theirs = desk_row(report.raw(), State::Waiting, "ben", 3);
        receive(&mut app, DeskMessage::Conflict(change, Some(Box::new(theirs))));
        assert!(screen(&app).contains("ben had set waiting on "), "{}", screen(&app));
        let effects = press(&mut app, keys);
        let is_forgotten = effects.iter().any(|effect| matches!(effect, Effect::ForgetDecision(of) if *of == change));
        assert_eq!(is_forgotten, keys != "X j j enter", "the next start does not send it again: {keys}");
        let again = sent(effects);
        assert_eq!(again.len(), resent, "{keys}");
        if let Some(OutboxEntry { write: DeskWrite::Row { expected, write, .. }, .. }) = again.first() {
            assert_eq!(*expected, RowPrecondition::Version(3));
            assert_ne!(write.change, change, "the new write has its own id");
        }
        let left = app.desk.as_ref().unwrap().conflicts.len();
        assert_eq!(left, usize::from(keys == "X j j enter"), "deciding later keeps the conflict: {keys}");
    }
}

#[test]
fn after_a_desk_was_restored_a_decision_is_sent_on_top_of_the_rows_that_it_has_now() {
    for (restored, expected) in [(None, RowPrecondition::Absent), (Some(2), RowPrecondition::Version(2))] {
        let mut app = on_desk(vec![desk_row("1", State::Waiting, "ben", 1)]);
        let decided = sent(press(&mut app, "m enter"));
        let (change, report) = (decided[0].write.change(), decided[0].write.report().clone());
        let theirs = desk_row(report.raw(), State::Waiting, "ben", 3);
        receive(&mut app, DeskMessage::Conflict(change, Some(Box::new(theirs))));
        let mut content = DeskContent::default();
        if let Some(version) = restored {
            content.put_row(desk_row(report.raw(), State::Waiting, "ben", version));
        }
        receive(&mut app, DeskMessage::Read(Box::new(content), Vec::new()));
        press(&mut app, "X");
        assert_eq!(screen(&app).contains("no longer set"), restored.is_none(), "{}", screen(&app));
        let again = sent(press(&mut app, "j enter"));
        let DeskWrite::Row { expected: sent, .. } = again[0].write else { panic!("{again:?}") };
        assert_eq!(sent, expected);
    }
}

#[test]
fn an_expired_claim_is_ignored() {
    let mut app = on_desk(vec![desk_row("1", State::Looking, "ben", 1), desk_row("2", State::Looking, "ben", 1)]);
    press(&mut app, "Q");
    assert!(screen(&app).contains("with others"), "{}", screen(&app));
    press(&mut app, "esc");
    let later = now() + SignedDuration::from_hours(9);
    press_at(&mut app, "Q", later);
    assert!(!screen(&app).contains("with others"), "{}", screen(&app));
}

#[test]
fn the_end_of_a_snooze_is_shown_without_a_write() {
    let until = now() + SignedDuration::from_hours(1);
    let mut app = on_desk(vec![desk_row("1", State::Snoozed { until }, "anna", 1)]);
    let state = |app: &App| app.tag(&ReportId::new("1"));
    assert_eq!(state(&app).as_deref(), Some("snoozed you"));
    let effects = app.update(Message::Tick, until);
    assert_eq!(state(&app).as_deref(), Some("reopened you"));
    assert!(sent(effects).is_empty());
}

#[test]
fn the_text_of_a_refused_note_is_restored_in_the_form() {
    let mut app = on_desk(Vec::new());
    let sent = sent(press(&mut app, "c m o n a enter"));
    receive(&mut app, DeskMessage::Refused(sent[0].write.change(), failure(FailureKind::Invalid)));
    assert!(app.desk.as_ref().unwrap().outbox.is_empty());
    assert!(!screen(&app).contains("mona"), "{}", screen(&app));
    press(&mut app, "c");
    assert!(screen(&app).contains("mona"), "{}", screen(&app));
}

#[test]
fn only_own_notes_can_be_changed() {
    let mut app = on_desk(Vec::new());
    let report = app.reports.shown_row(0).unwrap().id.clone();
    for (id, author) in [(1, "anna"), (2, "ben")] {
        let author = DeskActor::Person(author.parse().unwrap());
        let text = Text::from_outside(format!("note of {}", author.shown()));
        let note = DeskNote { id, report: report.clone(), author, text, at: now(), withdrawn: false };
        receive(&mut app, DeskMessage::Noted(ChangeId::from_random([9; 16]), Box::new(note)));
    }
    press(&mut app, "c");
    let offered: Vec<_> = match app.overlays.last() {
        Some(Overlay::Note(field)) => field.entries.iter().map(|entry| entry.stored.raw().to_owned()).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(offered, ["", "note of anna"]);
}

/// A desk that responds to the writes of one person: what it stores, and its response.
#[derive(Default)]
struct FakeDesk {
    notes: Vec<DeskNote>,
}

impl FakeDesk {
    fn respond(&mut self, entry: &OutboxEntry, at: jiff::Timestamp) -> DeskMessage {
        let change = entry.write.change();
        match entry.to_send(at) {
            DeskWrite::Note { report, write } => {
                let author = DeskActor::Person("anna".parse().unwrap());
                let id = i64::try_from(self.notes.len()).unwrap() + 1;
                let at = write.decided_at.unwrap_or(at);
                self.notes.push(DeskNote { id, report, author, text: write.text, at, withdrawn: false });
            }
            DeskWrite::Withdrawal { note, .. } => {
                let withdrawn = &mut self.notes[usize::try_from(note).unwrap() - 1];
                assert!(!withdrawn.withdrawn, "a note is withdrawn once");
                withdrawn.withdrawn = true;
                return DeskMessage::Noted(change, Box::new(withdrawn.clone()));
            }
            DeskWrite::Row { .. } => panic!("no state is set"),
        }
        DeskMessage::Noted(change, Box::new(self.notes.last().unwrap().clone()))
    }

    fn texts(&self) -> Vec<&str> {
        self.notes.iter().filter(|note| !note.withdrawn).map(|note| note.text.raw()).collect()
    }
}

/// Returns the texts of the notes that the user sees about the report under the cursor.
fn shown_notes(app: &App) -> Vec<String> {
    let id = &app.reports.current().unwrap().id;
    app.triage.states.notes.of(id).iter().map(|note| note.text.raw().to_owned()).collect()
}

#[test]
fn edits_and_deletions_of_notes_are_undone_and_redone_on_the_desk_as_on_the_screen() {
    for is_away in [false, true] {
        // Two notes; the first is edited, so that a later one follows it.
        for (script, expected) in [
            ("c down down end ! enter", ["one!", "two"].as_slice()),
            ("c down down end ! enter u", &["one", "two"]),
            ("c down down end ! enter u U", &["one!", "two"]),
            ("c down down end ! enter u U u", &["one", "two"]),
            ("c down down end ! enter c down down end ? enter", &["one!?", "two"]),
            ("c down down ctrl+u enter", &["two"]),
            ("c down down ctrl+u enter u", &["one", "two"]),
            ("c down down ctrl+u enter u U", &["two"]),
            ("c down down end ! enter c down down ctrl+u enter", &["two"]),
        ] {
            let mut app = on_desk(Vec::new());
            let mut desk = FakeDesk::default();
            let mut time = now();
            let mut pending = Vec::new();
            for keys in ["c o n e enter", "c t w o enter"].into_iter().flat_map(str::split_whitespace) {
                time += SignedDuration::from_secs(1);
                for entry in sent(press_at(&mut app, keys, time)) {
                    let message = desk.respond(&entry, time + SignedDuration::from_millis(40));
                    app.update(Message::Desk(vec![message]), time);
                }
            }
            if is_away {
                receive(&mut app, DeskMessage::Unreachable(failure(FailureKind::Unreachable), None));
            }
            for keys in script.split_whitespace() {
                time += SignedDuration::from_secs(1);
                let effects = press_at(&mut app, keys, time);
                let forgotten: Vec<ChangeId> = effects
                    .iter()
                    .filter_map(|effect| if let Effect::ForgetDecision(change) = effect { Some(*change) } else { None })
                    .collect();
                pending.retain(|entry: &OutboxEntry| !forgotten.contains(&entry.write.change()));
                pending.extend(sent(effects));
                for entry in pending.extract_if(.., |_| !is_away) {
                    let message = desk.respond(&entry, time + SignedDuration::from_millis(40));
                    app.update(Message::Desk(vec![message]), time);
                }
            }
            let mut seen = shown_notes(&app);
            seen.sort();
            assert_eq!(seen, expected, "on the screen, away {is_away}: {script}");
            for entry in pending {
                let message = desk.respond(&entry, time);
                app.update(Message::Desk(vec![message]), time);
            }
            let mut stored = desk.texts();
            stored.sort_unstable();
            assert_eq!(stored, expected, "on the desk, away {is_away}: {script}");
        }
    }
}

#[test]
fn nothing_is_undone_on_a_desk_that_refuses_the_user() {
    let mut app = on_desk(Vec::new());
    let decided = sent(press(&mut app, "m enter"));
    receive(&mut app, DeskMessage::Ended(failure(FailureKind::Forbidden)));
    assert!(sent(press(&mut app, "u")).is_empty());
    assert!(screen(&app).contains("Decisions are not possible"), "{}", screen(&app));
    assert!(app.desk.as_ref().unwrap().is_mine(decided[0].write.report()));
}

#[test]
fn what_colleagues_do_to_my_reports_is_announced() {
    let event = |before: &DeskRow, holder: Option<&str>, revision| {
        let holder: Option<Handle> = holder.map(|holder| holder.parse().unwrap());
        let after = DeskRow { holder, version: before.version + 1, ..before.clone() };
        DeskEvent {
            revision,
            change: ChangeId::from_random([u8::try_from(revision).unwrap(); 16]),
            service: Some(1),
            report: Some(before.report.clone()),
            person: DeskActor::Person("ben".parse().unwrap()),
            detail: EventDetail::State { before: Some(Box::new(before.clone())), after: Box::new(after) },
            cause: None,
            at: now(),
            decided_at: None,
        }
    };
    let mine = |id| desk_row(id, State::Waiting, "anna", 7);
    for (events, expected) in [
        (vec![event(&mine("1"), Some("ben"), 1)], "ben took over shop.example/tea from you"),
        (vec![event(&mine("1"), Some("carl"), 1)], "ben reassigned shop.example/tea from you to carl"),
        (vec![event(&mine("1"), None, 1)], "ben unassigned shop.example/tea from you"),
        (
            vec![event(&mine("1"), None, 1), event(&mine("4"), Some("ben"), 2)],
            "ben took over shop.example from you · and 1 more",
        ),
    ] {
        let mut app = on_desk(vec![mine("1"), mine("4")]);
        let position = LogPosition { revision: 9, change: None };
        receive(&mut app, DeskMessage::Changes { events, present: Vec::new(), position });
        assert_eq!(notice(&app), expected);
    }
    // A desk sends the changes of one action in several responses.
    let mut app = on_desk(vec![mine("1"), mine("4")]);
    for (event, expected) in [
        (event(&mine("1"), None, 1), "ben unassigned shop.example/tea from you"),
        (event(&mine("4"), None, 2), "ben unassigned shop.example from you · and 1 more"),
        (
            event(&mine("1"), Some("carl"), 3),
            // The latest news about a report replaces its earlier ones.
            "ben reassigned shop.example/tea from you to carl · and 1 more",
        ),
    ] {
        let position = LogPosition { revision: event.revision, change: None };
        receive(&mut app, DeskMessage::Changes { events: vec![event], present: Vec::new(), position });
        assert_eq!(notice(&app), expected);
    }
    press(&mut app, "H");
    let position = LogPosition { revision: 9, change: None };
    let events = vec![event(&mine("4"), Some("ben"), 4)];
    receive(&mut app, DeskMessage::Changes { events, present: Vec::new(), position });
    assert_eq!(notice(&app), "ben took over shop.example from you", "after another notice");
    let mut app = on_desk(Vec::new());
    press(&mut app, "H");
    assert_eq!(notice(&app), "You hold no reports to hand over");
}

#[test]
fn conflicts_are_shown_one_after_the_other() {
    let mut app = on_desk(Vec::new());
    let notes = sent(press(&mut app, "c t e a enter j c o k enter"));
    for entry in &notes {
        receive(&mut app, DeskMessage::Conflict(entry.write.change(), None));
    }
    press(&mut app, "X");
    assert!(screen(&app).contains("mine: note “tea”"), "{}", screen(&app));
    press(&mut app, "j j enter X");
    assert!(screen(&app).contains("mine: note “ok”"), "the next one: {}", screen(&app));
    press(&mut app, "j j enter X enter");
    assert_eq!(notice(&app), "1 more conflict: X shows the next");
    press(&mut app, "X");
    assert!(screen(&app).contains("mine: note “ok”"), "{}", screen(&app));
    let again = sent(press(&mut app, "j enter"));
    assert!(matches!(&again[..], [entry] if entry.is_confirmed), "{again:?}");
    assert_eq!(notice(&app), "1 decision sent again");
}

#[test]
fn all_conflicts_are_resolved_at_once() {
    for (keys, resent) in [("X j j j enter", 0), ("X j j j j enter", 3)] {
        let mut app = on_desk(Vec::new());
        let decided = sent(press(&mut app, "V m down enter"));
        for entry in decided.iter().take(3) {
            let theirs = desk_row(entry.write.report().raw(), State::Looking, "ben", 3);
            receive(&mut app, DeskMessage::Conflict(entry.write.change(), Some(Box::new(theirs))));
        }
        let again = sent(press(&mut app, keys));
        assert_eq!(again.len(), resent, "{keys}");
        let is_on_theirs = |entry: &OutboxEntry| matches!(&entry.write, DeskWrite::Row { expected, .. } if *expected == RowPrecondition::Version(3));
        assert!(again.iter().all(|entry| entry.is_confirmed && is_on_theirs(entry)), "{again:?}");
        assert_eq!(app.desk.as_ref().unwrap().conflicts, []);
        let done = if resent > 0 { "sent again" } else { "dropped" };
        assert_eq!(notice(&app), format!("3 decisions {done}"));
    }
}

#[test]
fn a_role_that_may_not_write_disables_what_the_service_would_refuse() {
    let mut app = on_desk(Vec::new());
    assert_eq!(app.disabled_reason(Action::NewReport), None, "the role on a desk says nothing about another service");
    app.desk.as_mut().unwrap().is_own = true;
    let reason = "This needs a key with the role admin; yours has the role triage";
    for action in [Action::NewReport, Action::EditReport, Action::Delete] {
        assert_eq!(app.disabled_reason(action).as_deref(), Some(reason), "{action:?}");
    }
    assert_eq!(app.disabled_reason(Action::RerunReport), None);
    // Of the runs over marked reports too, only a re-run is permitted: the first line of the menu.
    for (keys, is_planned) in [
        ("x enter", true),
        ("x j enter", false),
        ("x j j enter", false),
        ("x j j j enter", false),
        ("x j j j j enter", false),
    ] {
        let mut app = on_desk(Vec::new());
        app.desk.as_mut().unwrap().is_own = true;
        press(&mut app, &format!("space j space {keys}"));
        let asks = matches!(app.overlays.last(), Some(Overlay::Dialog(_)));
        assert_eq!((asks, notice(&app) == reason), (is_planned, !is_planned), "{keys}: {}", screen(&app));
    }
}

#[test]
fn a_report_that_could_not_be_read_is_read_again_when_the_desk_responds_again() {
    let mut app = on_desk(Vec::new());
    let request = report_request(&press(&mut app, "enter"));
    app.update(Message::Report(request, Err(failure(FailureKind::Unreachable))), now());
    receive(&mut app, DeskMessage::Unreachable(failure(FailureKind::Unreachable), None));
    let position = LogPosition { revision: 9, change: None };
    receive(&mut app, DeskMessage::Changes { events: Vec::new(), present: Vec::new(), position });
    report_request(&app.update(Message::Tick, now() + SignedDuration::from_secs(1)));
}

#[test]
fn only_the_notice_about_the_desk_leaves_when_the_desk_responds_again() {
    let position = LogPosition { revision: 9, change: None };
    let changes = || DeskMessage::Changes { events: Vec::new(), present: Vec::new(), position };
    let away = || DeskMessage::Unreachable(failure(FailureKind::Unreachable), None);
    let mut app = on_desk(Vec::new());
    receive(&mut app, away());
    assert!(notice(&app).starts_with("The desk cannot be reached"), "{}", notice(&app));
    receive(&mut app, changes());
    assert_eq!(notice(&app), "");
    receive(&mut app, away());
    press(&mut app, "m enter");
    receive(&mut app, changes());
    assert_eq!(notice(&app), "You are looking at shop.example/tea");
}

#[test]
fn a_note_that_the_desk_no_longer_accepts_stays_in_its_field() {
    for keys in ["m t e a", "c t e a"] {
        let mut app = on_desk(Vec::new());
        press(&mut app, keys);
        receive(&mut app, DeskMessage::Ended(failure(FailureKind::Forbidden)));
        assert!(sent(press(&mut app, "enter")).is_empty(), "{keys}");
        assert!(
            screen(&app).contains("tea ") && notice(&app).contains("Decisions are not possible"),
            "{}",
            screen(&app)
        );
        let effects = press(&mut app, "esc");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::StoreDraft(_))), "{keys}: {effects:?}");
        assert!(app.overlays.is_empty());
    }
}

#[test]
fn a_later_decision_about_the_same_report_replaces_an_earlier_one_that_conflicted() {
    let mut app = on_desk(Vec::new());
    let decided = [sent(press(&mut app, "m down enter")), sent(press(&mut app, "m down down down enter"))].concat();
    let theirs = || Some(Box::new(desk_row(decided[0].write.report().raw(), State::ToVerify, "ben", 3)));
    receive(&mut app, DeskMessage::Conflict(decided[0].write.change(), theirs()));
    let effects = receive(&mut app, DeskMessage::Conflict(decided[1].write.change(), theirs()));
    let first = decided[0].write.change();
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::ForgetDecision(change) if *change == first)),
        "{effects:?}"
    );
    assert_eq!(app.desk.as_ref().unwrap().conflicts.len(), 1);
    press(&mut app, "X");
    assert!(screen(&app).contains("mine: won't fix, with anna"), "{}", screen(&app));
    // Decisions about other reports, and notes, stay beside it.
    let mut app = on_desk(Vec::new());
    let decided = sent(press(&mut app, "V m down enter U c t e a enter"));
    for entry in &decided {
        receive(&mut app, DeskMessage::Conflict(entry.write.change(), None));
    }
    assert_eq!(app.desk.as_ref().unwrap().conflicts.len(), decided.len());
}

#[test]
fn decisions_of_another_person_are_neither_replaced_nor_resolved_with_all_of_mine() {
    let mut app = on_desk(Vec::new());
    let mine = [sent(press(&mut app, "m enter")), sent(press(&mut app, "down m enter"))].concat();
    let mut theirs = mine[0].clone();
    let change = ChangeId::from_random([9; 16]);
    let DeskWrite::Row { write, .. } = &mut theirs.write else { panic!("{theirs:?}") };
    write.change = change;
    theirs.decided_by = Some("ben".parse().unwrap());
    app.desk.as_mut().unwrap().outbox.push(theirs.clone());
    for entry in [&theirs, &mine[0], &mine[1]] {
        receive(&mut app, DeskMessage::Conflict(entry.write.change(), None));
    }
    press(&mut app, "X");
    assert!(screen(&app).contains("mine for all 2"), "{}", screen(&app));
    assert_eq!(sent(press(&mut app, "j j enter")).len(), 2);
    let left: Vec<_> = app.desk.unwrap().conflicts.iter().map(|conflict| conflict.mine.write.change()).collect();
    assert_eq!(left, [change]);
}

#[test]
fn what_an_audit_changes_keeps_the_holder_and_is_dropped_if_a_colleague_decided_first() {
    let mut app = on_desk(vec![desk_row("1", State::ToVerify, "ben", 4)]);
    let effects = press(&mut app, "t");
    let Some(Effect::Update(request, ..)) = effects.last() else { panic!("{effects:?}") };
    let mut better = row(1, "https://shop.example/tea", 60);
    (better.generated_at, better.failed) = (now().into(), ["title"].into());
    let observed = sent(app.update(Message::Updated(*request, Ok(UpdateOutcome::Saved(better))), now()));
    let DeskWrite::Row { write, .. } = &observed[0].write else { panic!("{observed:?}") };
    assert_eq!((write.state, write.holder.as_ref().map(Handle::as_str)), (State::New, Some("ben")));
    let cause = format!("reopened:{}", now());
    assert_eq!(write.cause.as_ref().map(Text::raw), Some(cause.as_str()), "only one dashboard's write is applied");
    let theirs = Some(Box::new(desk_row("1", State::Waiting, "ben", 5)));
    receive(&mut app, DeskMessage::Conflict(write.change, theirs));
    assert!(app.desk.as_ref().unwrap().conflicts.is_empty(), "nobody is asked");
}

#[test]
fn a_read_only_session_leaves_to_others_what_an_audit_changes() {
    let mut app = on_desk(vec![desk_row("1", State::ToVerify, "ben", 4)]);
    app.ctx.read_only = true;
    let mut better = row(1, "https://shop.example/tea", 95);
    better.generated_at = now().into();
    let request = reports_request(&press(&mut app, "r"));
    let effects = app.update(Message::Reports(request, Ok(page(vec![better], None, 1))), now());
    assert!(sent(effects).is_empty());
}

#[test]
fn the_states_of_this_machine_do_not_replace_those_of_the_desk() {
    let mut app = on_desk(vec![desk_row("1", State::Waiting, "ben", 4)]);
    app.update(Message::States(Triages::default(), Notes::default()), now());
    assert_eq!(app.triage.states.triages.kind(&ReportId::new("1")), StateKind::Waiting);
}

#[test]
fn undo_leaves_the_holder_that_a_colleague_has_set_since() {
    let mut app = on_desk(vec![desk_row("1", State::Waiting, "ben", 4)]);
    let freed = sent(press(&mut app, "a enter"));
    let anna = DeskActor::Person("anna".parse().unwrap());
    let free = DeskRow { holder: None, set_by: anna, ..desk_row("1", State::Waiting, "ben", 5) };
    receive(&mut app, DeskMessage::Written(freed[0].write.change(), Box::new(free)));
    let taken = Box::new(desk_row("1", State::Waiting, "carl", 6));
    receive(&mut app, DeskMessage::Written(ChangeId::from_random([9; 16]), taken));
    assert!(sent(press(&mut app, "u")).is_empty(), "{}", notice(&app));
    assert!(notice(&app).starts_with("Not undone: carl changed"), "{}", notice(&app));
}

#[test]
fn undo_takes_back_the_latest_of_several_unsent_notes_about_a_report() {
    let mut app = on_desk(Vec::new());
    press(&mut app, "c o n e enter c t w o enter u");
    assert_eq!(shown_notes(&app), ["one"]);
    let unsent = &app.desk.as_ref().unwrap().outbox;
    let DeskWrite::Note { write, .. } = &unsent[0].write else { panic!("{unsent:?}") };
    assert_eq!((unsent.len(), write.text.raw()), (1, "one"));
}

#[test]
fn a_desk_that_is_joined_again_leaves_what_can_be_undone() {
    let mut app = on_desk(Vec::new());
    press(&mut app, "m enter");
    join_desk(&mut app, Vec::new());
    assert_eq!(sent(press(&mut app, "u")).len(), 1, "{}", notice(&app));
}

#[test]
fn without_its_desk_a_dashboard_shows_the_states_of_this_machine() {
    let mut app = on_desk(Vec::new());
    let effects = receive(&mut app, DeskMessage::Absent(None));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ReadStates)), "{effects:?}");
}

#[test]
fn a_conflict_shows_the_row_as_it_is_when_it_is_opened() {
    let mut app = on_desk(Vec::new());
    let decided = sent(press(&mut app, "m down enter"));
    let report = decided[0].write.report().clone();
    let theirs = desk_row(report.raw(), State::ToVerify, "ben", 3);
    receive(&mut app, DeskMessage::Conflict(decided[0].write.change(), Some(Box::new(theirs.clone()))));
    let after = Box::new(desk_row(report.raw(), State::WontFix, "carl", 4));
    let events = vec![DeskEvent {
        revision: 9,
        change: ChangeId::from_random([9; 16]),
        service: Some(1),
        report: Some(report),
        person: DeskActor::Person("carl".parse().unwrap()),
        detail: EventDetail::State { before: Some(Box::new(theirs)), after },
        cause: None,
        at: now(),
        decided_at: None,
    }];
    let position = LogPosition { revision: 9, change: None };
    receive(&mut app, DeskMessage::Changes { events, present: Vec::new(), position });
    press(&mut app, "X");
    assert!(screen(&app).contains("theirs: won't fix"), "{}", screen(&app));
    let again = sent(press(&mut app, "j enter"));
    let Some(DeskWrite::Row { expected, .. }) = again.first().map(|entry| &entry.write) else { panic!("{again:?}") };
    assert_eq!(*expected, RowPrecondition::Version(4));
}

#[test]
fn decisions_that_an_unreachable_desk_has_not_received_are_named_as_kept() {
    let kept = "1 decision for the desk of work is kept on this machine, and sent when the desk responds to you again";
    for link in [DeskLink::Away(now()), DeskLink::Ended("no".to_owned())] {
        let mut app = on_desk(Vec::new());
        add_profiles(&mut app);
        press(&mut app, "m enter");
        assert_eq!(app.kept_decisions(), None, "the desk is receiving it");
        app.desk.as_mut().unwrap().link = link;
        assert_eq!(app.kept_decisions().as_deref(), Some(kept), "what the terminal shows after quitting");
        press(&mut app, "A j enter");
        assert_eq!(notice(&app), kept);
        assert_eq!(app.kept_decisions(), None, "those of the new service");
    }
    let mut app = on_desk(Vec::new());
    add_profiles(&mut app);
    app.desk.as_mut().unwrap().link = DeskLink::Away(now());
    press(&mut app, "A j enter");
    assert!(app.ctx.notice.is_none(), "nothing is kept: {:?}", app.ctx.notice);
}

#[test]
fn a_refresh_before_the_desk_responds_does_not_hide_that_decisions_are_kept_on_this_machine() {
    let mut app = loaded();
    press(&mut app, "down m down enter r");
    join_desk(&mut app, vec![desk_row("1", State::Looking, "ben", 1)]);
    assert!(notice(&app).contains("1 report: `reportdeck desk import` imports them"), "{}", notice(&app));
}

#[test]
fn decisions_made_before_the_desk_was_joined_are_not_undone_on_it() {
    let mut app = loaded();
    press(&mut app, "m down enter");
    join_desk(&mut app, vec![desk_row("4", State::Looking, "ben", 1)]);
    press(&mut app, "u");
    assert_eq!(notice(&app), "Nothing to undo");
}

#[test]
fn a_robot_is_told_apart_from_a_person_of_the_same_name() {
    for (actor, shown) in
        [(DeskActor::Key(Text::from_outside("ci")), "robot ci"), (DeskActor::Person("ci".parse().unwrap()), "ci")]
    {
        let mut app = on_desk(Vec::new());
        let sent_first = sent(press(&mut app, "m enter"));
        let (change, report) = (sent_first[0].write.change(), sent_first[0].write.report().clone());
        let theirs = DeskRow { set_by: actor, ..desk_row(report.raw(), State::Waiting, "ben", 3) };
        receive(&mut app, DeskMessage::Conflict(change, Some(Box::new(theirs))));
        assert!(notice(&app).starts_with(&format!("{shown} had set waiting on ")), "{}", notice(&app));
        press(&mut app, "X");
        assert!(screen(&app).contains(&format!(", by {shown} ")), "{}", screen(&app));
    }
}

#[test]
fn a_desk_that_was_restored_from_a_backup_says_that_later_decisions_are_gone() {
    let mut app = on_desk(vec![desk_row("1", State::Waiting, "anna", 7)]);
    let mut read = |revision| {
        let mut content = DeskContent::default();
        content.position = LogPosition { revision, change: None };
        receive(&mut app, DeskMessage::Read(Box::new(content), Vec::new()));
        notice(&app).contains("restored")
    };
    assert_eq!([9, 9, 5, 5].map(&mut read), [false, false, true, true], "the notice stays for a while");
}

#[test]
fn a_state_that_a_colleague_sets_on_a_report_of_mine_is_announced() {
    let mine = |id: &str| desk_row(id, State::Waiting, "anna", 7);
    let event = |id: &str, by: &str, state: State, holder: Option<&str>, revision: i64| {
        let (before, holder) = (mine(id), holder.map(|holder| holder.parse().unwrap()));
        let after = DeskRow { state, holder, version: before.version + 1, ..before.clone() };
        DeskEvent {
            revision,
            change: ChangeId::from_random([u8::try_from(revision).unwrap(); 16]),
            service: Some(1),
            report: Some(before.report.clone()),
            person: DeskActor::Person(by.parse().unwrap()),
            detail: EventDetail::State { before: Some(Box::new(before)), after: Box::new(after) },
            cause: None,
            at: now(),
            decided_at: None,
        }
    };
    let anna = Some("anna");
    for (events, expected) in [
        (vec![event("1", "ben", State::ToVerify, anna, 1)], "ben set to verify on your report shop.example/tea"),
        (vec![event("1", "ben", State::WontFix, anna, 1)], "ben set won't fix on your report shop.example/tea"),
        (vec![event("1", "ben", State::WontFix, None, 1)], "ben set won't fix on your report shop.example/tea"),
        (
            vec![
                event("1", "ben", State::ToVerify, anna, 1),
                event("4", "ben", State::WontFix, anna, 2),
                event("2", "carl", State::ToVerify, anna, 3),
            ],
            "carl set to verify on your report shop.example/cart?step=2 · and 2 more",
        ),
        (vec![event("1", "ben", State::Looking, Some("ben"), 1)], "ben took over shop.example/tea from you"),
    ] {
        let mut app = on_desk(vec![mine("1"), mine("2"), mine("4")]);
        let position = LogPosition { revision: 9, change: None };
        receive(&mut app, DeskMessage::Changes { events, present: Vec::new(), position });
        assert_eq!(notice(&app), expected);
    }
    let robot = DeskActor::Key(Text::from_outside("nightly"));
    let of_robot = DeskEvent { person: robot, ..event("1", "ben", State::WontFix, anna, 1) };
    let of_program = DeskEvent { cause: Some(Text::from_outside("closed")), ..event("1", "ben", State::Done, anna, 1) };
    let of_mine = event("1", "anna", State::WontFix, anna, 1);
    let unchanged = event("1", "ben", State::Waiting, anna, 1);
    for silent in [of_robot, of_program, of_mine, unchanged] {
        let mut app = on_desk(vec![mine("1")]);
        let position = LogPosition { revision: 9, change: None };
        receive(&mut app, DeskMessage::Changes { events: vec![silent.clone()], present: Vec::new(), position });
        assert!(app.ctx.notice.is_none(), "{silent:?}: {}", notice(&app));
    }
}
