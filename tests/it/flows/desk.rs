//! A team on one desk: claims, assignments, notes, and conflicts between offline decisions.

use std::path::Path;

use reportdeck::app::App;
use reportdeck::domain::desk::Role;
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::State;
use reportdeck::journal::Journal;
use reportdeck::runtime::ServiceConnection;
use reportdeck::service::keys;
use secrecy::SecretString;

use crate::support::desk_team::dashboards::{Line, Team, later, until, until_sent};
use crate::support::desk_team::{api_client, member, new_key, note};
use crate::support::embedded_service::store_of;
use crate::support::session::Person;

#[tokio::test]
async fn a_claimed_report_shows_its_holder_to_colleagues_and_leaves_their_queues() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    ben.press("Q l").await;
    until(&mut ben, &["this one: looking you"]).await;
    until(&mut anna, &["looking ben"]).await;
    anna.press("Q").await;
    anna.sees(&["Queue 1/2", "1 with others"]).misses(&["ben"]);
}

#[tokio::test]
async fn pressing_the_key_again_takes_a_report_over_and_notifies_its_holder() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    anna.press("Q").await;
    ben.press("Q l").await;
    until(&mut ben, &["looking you"]).await;
    until(&mut anna, &["ben is looking at it"]).await;
    anna.press("l").await;
    anna.sees(&["ben is looking at it", "again takes over"]);
    anna.press("l").await;
    until(&mut anna, &["looking you"]).await;
    until(&mut ben, &["anna took over", "from you"]).await;
}

#[tokio::test]
async fn undo_leaves_what_a_colleague_has_changed_since() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    let has_mugs = |app: &App| app.desk.as_ref().is_some_and(|desk| desk.is_mine(&ReportId::new("3")));
    anna.press("V m enter").await;
    until_sent(&mut anna).await;
    ben.until(|app| app.desk.as_ref().is_some_and(|desk| desk.shares(|_| true) == (0, 3))).await;
    ben.press("g m down enter").await;
    until(&mut anna, &["waiting you"]).await;
    anna.press("u").await;
    anna.sees(&["Undone: states of 2 reports · ben changed mugs.example", " since · U redoes", "waiting you"]);
    until_sent(&mut anna).await;

    anna.press("M V a down enter").await;
    until_sent(&mut anna).await;
    ben.until(|app| app.desk.as_ref().is_some_and(|desk| desk.held_by_me().count() == 3)).await;
    ben.press("g a enter").await;
    anna.until(has_mugs).await;
    anna.press("u").await;
    anna.sees(&["Undone: holders of 2 reports · ben changed mugs.example"]);
    until_sent(&mut anna).await;

    anna.press("M g a down enter").await;
    until_sent(&mut anna).await;
    ben.until(has_mugs).await;
    ben.press("g a enter").await;
    anna.until(has_mugs).await;
    anna.press("u").await;
    anna.sees(&["Not undone: ben changed mugs.example"]);
}

#[tokio::test]
async fn undoing_two_decisions_stops_at_a_colleagues_decision_between_them() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    anna.press("m down enter").await;
    until_sent(&mut anna).await;
    until(&mut ben, &["waiting anna"]).await;
    ben.press("m down down down enter").await;
    until(&mut anna, &["won't fix"]).await;
    anna.press("m enter").await;
    until_sent(&mut anna).await;
    anna.press("u").await;
    anna.sees(&["Undone: state of"]);
    until_sent(&mut anna).await;
    anna.press("u").await;
    anna.sees(&["Not undone: someone changed"]);
}

#[tokio::test]
async fn a_decision_made_before_the_desk_has_confirmed_the_previous_one_is_based_on_it() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    anna.press("Q").await;
    // Without waiting for responses, as on a slow line.
    for key in ["l", "w", "u", "U"] {
        anna.key(key);
    }
    until_sent(&mut anna).await;
    anna.press("esc").await;
    anna.sees(&["waiting you"]).misses(&["X shows it", "conflict"]);
    let client = member(&team.running, team.data.path(), "ben", Role::Triage).await;
    let [row] = &client.desk_rows(1, None).await.unwrap().rows[..] else { panic!("one row") };
    assert_eq!((row.state, row.version), (State::Waiting, 4));
}

/// Anna presses `keys`, the last two without waiting for responses; once the desk has the first decision, her line is
/// cut. Returns her dashboard after a new start and when everything is sent.
async fn cut_off_and_started_again(team: &Team, state: &Path, keys: &str, last: [&str; 2]) -> Person {
    let journal = state.join("journal.sqlite");
    let (line, connection, _, mut anna) = through_a_line(team, &journal).await;
    anna.press(keys).await;
    for key in last {
        anna.key(key);
    }
    anna.until(|app| app.desk.as_ref().is_some_and(|desk| !desk.content.rows.is_empty())).await;
    line.cut();
    drop(anna);
    line.mend();
    let mut anna = Person::with(Ok(connection), Some(journal)).await;
    until(&mut anna, &["test · anna"]).await;
    until_sent(&mut anna).await;
    anna.look().await;
    anna
}

#[tokio::test]
async fn a_decision_cut_off_after_the_previous_one_is_based_on_that_one_at_the_next_start() {
    let (team, state) = (Team::start().await, tempfile::tempdir().unwrap());
    let anna = Box::pin(cut_off_and_started_again(&team, state.path(), "Q", ["l", "w"])).await;
    anna.sees(&["waiting you"]).misses(&["before you", "conflict"]);
}

#[tokio::test]
async fn an_undo_cut_off_before_the_desk_has_received_it_is_based_on_what_it_undoes_at_the_next_start() {
    let (team, state) = (Team::start().await, tempfile::tempdir().unwrap());
    let anna = Box::pin(cut_off_and_started_again(&team, state.path(), "V m down", ["enter", "u"])).await;
    anna.misses(&["waiting you", "before you", "conflict"]);
}

#[tokio::test]
async fn a_note_undone_or_edited_before_the_desk_has_confirmed_it_is_withdrawn() {
    let team = Team::start().await;
    let client = member(&team.running, team.data.path(), "ben", Role::Triage).await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let revision = |app: &App| app.desk.as_ref().map_or(0, |desk| desk.content.position.revision);
    let joined = revision(anna.session.app());
    // Its event shows that the desk is being followed.
    anna.press("m down enter").await;
    anna.until(|app| revision(app) > joined).await;
    for (keys, expected, events) in [("u", [].as_slice(), 2), ("c down end ! enter", &["ok!"], 3)] {
        let start = revision(anna.session.app());
        // Without waiting for responses, as on a slow line.
        for key in ["c", "o", "k", "enter"].into_iter().chain(keys.split(' ')) {
            anna.key(key);
        }
        anna.until(|app| revision(app) == start + events).await;
        let notes = client.desk_notes(1, None).await.unwrap().notes;
        let texts: Vec<&str> = notes.iter().map(|note| note.text.raw()).collect();
        assert_eq!(texts, expected, "{keys}");
    }
}

#[tokio::test]
async fn reports_can_be_assigned_to_colleagues_and_handed_over() {
    let team = Team::start().await;
    let mut ben = team.joins("ben", Role::Triage).await;
    let mut anna = team.joins("anna", Role::Triage).await;
    anna.press("V a").await;
    anna.sees(&["Assign 3 reports to", "anna (you)", "ben", "nobody: free for anyone"]);
    anna.press("j enter").await;
    until(&mut ben, &["anna assigned"]).await;
    anna.press("@").await;
    anna.sees(&["assigned 3 reports to ben"]);
    anna.press("esc").await;
    // One after the other: three rows name their holders.
    let has_all = async |person: &mut Person| {
        while person.look().await.matches("[you]").count() < 3 {
            let message = person.session.next_message().await;
            person.session.handle(message);
        }
    };
    has_all(&mut ben).await;
    ben.press("H").await;
    ben.sees(&["Hand over 3 reports"]);
    ben.press("enter").await;
    until(&mut anna, &["ben assigned"]).await;
    has_all(&mut anna).await;
    anna.press("V a G enter @").await;
    anna.sees(&["unassigned 3 reports from anna"]);
}

#[tokio::test]
async fn a_note_edited_or_deleted_on_the_desk_is_so_for_the_team_and_after_a_restart() {
    let team = Team::start().await;
    let state = tempfile::tempdir().unwrap();
    let journal = state.path().join("journal.sqlite");
    let (line, connection, key, mut anna) = through_a_line(&team, &journal).await;
    anna.press("G c 'asked the shop' enter c 'wrong report' enter").await;
    let client = api_client(&team.running.service.base_url(), &key);
    let shown = |app: &App| {
        let notes = &app.triage.states.notes;
        let mut texts: Vec<_> = notes.iter().map(|(_, note)| note.text.raw().to_owned()).collect();
        texts.sort();
        texts
    };
    // Until the desk has confirmed them, and its events have arrived.
    let on_desk = async |expected: &[&str], anna: &mut Person| {
        let is_sent = |app: &App| app.desk.as_ref().is_none_or(|desk| desk.outbox.is_empty());
        anna.until(|app| shown(app) == expected && is_sent(app)).await;
        let notes = client.desk_notes(1, None).await.unwrap();
        let texts: Vec<_> = notes.notes.iter().map(|note| note.text.raw()).collect();
        assert_eq!(texts, expected);
    };
    on_desk(&["asked the shop", "wrong report"], &mut anna).await;
    anna.press("c down down end ' twice' enter c down ctrl+u enter").await;
    on_desk(&["asked the shop twice"], &mut anna).await;
    // A colleague sees the same, and so does the copy on this machine while the desk is away.
    let ben = team.joins("ben", Role::Triage).await;
    assert_eq!(shown(ben.session.app()), ["asked the shop twice"]);
    line.cut();
    until(&mut anna, &["desk as of"]).await;
    drop(anna);
    let mut anna = Person::with(Ok(connection), Some(journal)).await;
    until(&mut anna, &["desk as of"]).await;
    assert_eq!(shown(anna.session.app()), ["asked the shop twice"]);
}

#[tokio::test]
async fn a_note_being_typed_survives_changes_of_its_report() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    anna.press("Q l c 'asked the shop, @ben'").await;
    anna.sees(&["Your team sees it; @name notifies a person."]);
    later(&mut anna);
    ben.press("Q").await;
    until(&mut ben, &["anna is writing a note"]).await;
    ben.press("w").await;
    anna.press("enter").await;
    until(&mut anna, &["asked the shop, @ben"]).await;
    until(&mut ben, &["anna mentioned you"]).await;
}

#[tokio::test]
async fn a_viewer_sees_the_desk_but_cannot_decide() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let mut carl = team.joins("carl", Role::Viewer).await;
    anna.press("Q l").await;
    until(&mut carl, &["looking anna"]).await;
    carl.press("Q w").await;
    carl.sees(&["This needs a key with the role triage; yours has the role viewer"]);
}

/// Opens a dashboard of anna with this journal. Its desk is reached through a forwarder.
async fn through_a_line(team: &Team, journal: &Path) -> (Line, ServiceConnection, SecretString, Person) {
    let line = Line::to(&team.running.service.base_url()).await;
    let key = new_key(team.data.path(), Some("anna"), Role::Triage).await;
    let connection = team.through(&line, &key);
    let mut anna = Person::with(Ok(connection.clone()), Some(journal.to_owned())).await;
    until(&mut anna, &["test · anna"]).await;
    (line, connection, key, anna)
}

#[tokio::test]
async fn offline_decisions_are_sent_later_and_conflicts_are_left_to_the_user() {
    let team = Team::start().await;
    let state = tempfile::tempdir().unwrap();
    let journal = state.path().join("journal.sqlite");
    let (line, connection, _, mut anna) = through_a_line(&team, &journal).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    line.cut();
    until(&mut anna, &["The desk cannot be reached"]).await;
    // Of the three, the first two are decided here, and meanwhile the first one by ben.
    anna.press("Q w w esc").await;
    later(&mut anna);
    until(&mut anna, &["2 to send"]).await;
    ben.press("Q l").await;
    until(&mut ben, &["looking you"]).await;
    // The program exits before the desk is reachable again.
    drop(anna);
    line.mend();
    let mut anna = Person::with(Ok(connection), Some(journal)).await;
    until(&mut anna, &["X shows both", "looking ben", "waiting you"]).await;
    anna.press("X").await;
    anna.sees(&["theirs: looking, with ben, by ben", "mine: waiting, with anna", "decide later"]);
    anna.press("j enter").await;
    until(&mut ben, &["anna took"]).await;
    anna.misses(&["conflict", "looking ben"]);
}

#[tokio::test]
async fn a_read_only_session_keeps_unsent_decisions() {
    let team = Team::start().await;
    let state = tempfile::tempdir().unwrap();
    let journal = state.path().join("journal.sqlite");
    let (line, connection, key, mut anna) = through_a_line(&team, &journal).await;
    line.cut();
    until(&mut anna, &["The desk cannot be reached"]).await;
    anna.press("Q w esc").await;
    later(&mut anna);
    until(&mut anna, &["1 to send"]).await;
    drop(anna);
    line.mend();
    let read_only = ServiceConnection { read_only: true, ..connection };
    let mut anna = Person::with(Ok(read_only), Some(journal.clone())).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    ben.press("Q n l").await;
    // It has joined the desk and follows it.
    until(&mut anna, &["looking ben", "1 to send"]).await;
    let client = api_client(&team.running.service.base_url(), &key);
    assert_eq!(client.desk_rows(1, None).await.unwrap().rows.len(), 1, "only ben's");
    drop(anna);
    assert_eq!(Journal::open(&journal).unwrap().load_outbox("test").unwrap().len(), 1);
}

#[tokio::test]
async fn a_revoked_key_disconnects_the_desk_and_keeps_unsent_decisions() {
    let team = Team::start().await;
    let state = tempfile::tempdir().unwrap();
    let journal = state.path().join("journal.sqlite");
    let (line, _, _, mut anna) = through_a_line(&team, &journal).await;
    let listed = keys::list(store_of(team.data.path()).await).await.unwrap();
    line.cut();
    until(&mut anna, &["The desk cannot be reached"]).await;
    anna.press("Q w esc").await;
    keys::revoke(store_of(team.data.path()).await, &listed.last().unwrap().name).await.unwrap();
    line.mend();
    until(&mut anna, &["does not accept the API key"]).await;
    drop(anna);
    let kept = Journal::open(&journal).unwrap().load_outbox("test").unwrap();
    assert_eq!(kept.len(), 1, "a new key sends it");
}

#[tokio::test]
async fn a_decision_whose_response_was_lost_is_applied_once() {
    let team = Team::start().await;
    let line = Line::to(&team.running.service.base_url()).await;
    let key = new_key(team.data.path(), Some("anna"), Role::Triage).await;
    let mut anna = Person::with(Ok(team.through(&line, &key)), None).await;
    until(&mut anna, &["test · anna"]).await;
    let mut ben = team.joins("ben", Role::Triage).await;
    line.drop_next_response();
    anna.press("Q l").await;
    // It is resent, and the desk already has it.
    until(&mut ben, &["looking anna"]).await;
    while anna.look().await.contains("to send") || line.lost() == 0 {
        let message = anna.session.next_message().await;
        anna.session.handle(message);
    }
    let client = api_client(&team.running.service.base_url(), &key);
    let [row] = &client.desk_rows(1, None).await.unwrap().rows[..] else { panic!("one row") };
    assert_eq!((row.version, line.lost()), (1, 1), "written once");
    anna.misses(&["conflict"]);
}

#[tokio::test]
async fn writes_of_colleagues_do_not_move_the_cursor_or_reorder_the_screen() {
    let team = Team::start().await;
    let mut anna = team.joins("anna", Role::Triage).await;
    let key = new_key(team.data.path(), Some("ben"), Role::Triage).await;
    let client = api_client(&team.running.service.base_url(), &key);
    let text = "see \u{1b}[2J\u{1b}]52;c;aGk=\u{7} \u{202e}txt.exe\u{202c} @anna";
    client.write_desk_note(1, &ReportId::new("1"), &note(text)).await.unwrap();
    until(&mut anna, &["ben mentioned you"]).await;
    anna.press("Q").await;
    until(&mut anna, &["see"]).await;
    let screen = anna.look().await;
    assert!(!screen.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{202c}']), "{screen}");
}
