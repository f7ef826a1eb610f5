//! Random use of two dashboards on one desk, over connections that are cut and lose responses, with restarts; then the
//! connections are restored, and both dashboards and their stored copies are compared with the desk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use reportdeck::api::client::Client;
use reportdeck::app::App;
use reportdeck::domain::desk::{DeskContent, Role};
use reportdeck::journal::Journal;
use reportdeck::runtime::ServiceConnection;
use tempfile::TempDir;

use crate::support::desk_team::dashboards::{Line, Team, later, until};
use crate::support::desk_team::{api_client, new_key};
use crate::support::seeded_rng::{Rng, seed, steps};
use crate::support::session::Person;
use crate::support::waiting;

/// Key scripts that decide something about one or all reports.
const DECIDING: [&str; 10] = [
    "Q l esc",
    "Q w esc",
    "g m enter",
    "j m down enter",
    "k m down down enter",
    "j m down down down enter",
    "g a enter",
    "j a down enter",
    "V m down enter",
    "V a G enter @",
];
/// Key scripts that undo a decision, or edit or delete a note.
const TAKING_BACK: [&str; 4] = ["u", "U", "g c down down end ' again' enter", "g c down ctrl+u enter"];
/// Time limit for reaching a state; after failures the desk is asked again every 30 seconds.
const HANG: Duration = Duration::from_mins(3);

/// One member of the team.
struct Member {
    person: Person,
    line: Line,
    connection: ServiceConnection,
    journal: PathBuf,
    _state: TempDir,
}

impl Member {
    async fn joins(team: &Team, handle: &str) -> Self {
        let state = tempfile::tempdir().unwrap();
        let journal = state.path().join("journal.sqlite");
        let line = Line::to(&team.running.service.base_url()).await;
        let key = new_key(team.data.path(), Some(handle), Role::Triage).await;
        let connection = team.through(&line, &key);
        let mut person = Person::with(Ok(connection.clone()), Some(journal.clone())).await;
        until(&mut person, &[&format!("test · {handle}")]).await;
        Self { person, line, connection, journal, _state: state }
    }

    async fn restart(&mut self) {
        self.person = Person::with(Ok(self.connection.clone()), Some(self.journal.clone())).await;
    }

    /// Handles what arrives within a moment.
    async fn listen(&mut self, moment: Duration) {
        let end = tokio::time::Instant::now() + moment;
        while let Ok(message) = tokio::time::timeout_at(end, self.person.session.next_message()).await {
            self.person.session.handle(message);
        }
    }

    async fn until(&mut self, what: &str, condition: impl Fn(&App) -> bool) {
        if tokio::time::timeout(HANG, self.person.until(condition)).await.is_err() {
            let desk = self.person.session.app().desk.as_ref();
            panic!(
                "{what}: {:#?}\n{}",
                desk.map(|desk| (&desk.link, &desk.outbox, &desk.conflicts)),
                self.person.screen()
            );
        }
    }
}

fn desk_is(app: &App, is: impl Fn(&reportdeck::app::desk::state::Desk) -> bool) -> bool {
    app.desk.as_ref().is_some_and(is)
}

/// Rows and notes without the position.
fn shown(content: &DeskContent) -> (BTreeMap<String, String>, Vec<String>) {
    let row = |row: &reportdeck::domain::desk::DeskRow| format!("{:?} {:?} {}", row.state, row.holder, row.version);
    let rows = content.rows.iter().map(|(id, known)| (id.raw().to_owned(), row(known))).collect();
    (
        rows,
        content.notes.values().map(|note| format!("{} {} {}", note.id, note.report.raw(), note.text.raw())).collect(),
    )
}

async fn on_desk(client: &Client) -> DeskContent {
    let mut content = DeskContent::default();
    for row in client.desk_rows(1, None).await.unwrap().rows {
        content.put_row(row);
    }
    for note in client.desk_notes(1, None).await.unwrap().notes {
        content.put_note(note);
    }
    content
}

/// Performs random steps. If nothing is taken back, every note must be on the desk in the end.
async fn use_desk(seed: u64, steps: usize, takes_back: bool) {
    let team = Team::start().await;
    let mut rng = Rng::new(seed);
    let mut members = [Member::joins(&team, "anna").await, Member::joins(&team, "ben").await];
    let admin = api_client(&team.running.service.base_url(), &new_key(team.data.path(), None, Role::Admin).await);
    let mut notes = 0;
    for _ in 0..steps {
        let member = &mut members[rng.below(2)];
        match rng.below(20) {
            0 => member.line.cut(),
            1..=3 => member.line.mend(),
            4 => member.line.drop_next_response(),
            5 => member.restart().await,
            6 => later(&mut member.person),
            7 => drop(member.person.press("X down enter").await),
            8..=10 => {
                notes += 1;
                let go = ["g", "j", "k"][rng.below(3)];
                member.person.press(&format!("esc {go} c 'note {notes}.' enter")).await;
            }
            _ => {
                let script = if takes_back && rng.below(3) == 0 { rng.pick(&TAKING_BACK) } else { rng.pick(&DECIDING) };
                member.person.press("esc").await;
                member.person.press(script).await;
            }
        }
        let moment = Duration::from_millis([0, 0, 20, 200, 1_200][rng.below(5)]);
        for member in &mut members {
            member.listen(moment).await;
        }
    }
    for member in &mut members {
        member.line.mend();
    }
    for member in &mut members {
        member.person.press("esc esc").await;
        member.until("all decisions are sent or in conflict", |app| desk_is(app, |desk| desk.outbox.is_empty())).await;
        while desk_is(member.person.session.app(), |desk| !desk.conflicts.is_empty()) {
            member.person.press("X enter").await;
            member.until("the conflict is resolved", |app| desk_is(app, |desk| desk.outbox.is_empty())).await;
        }
    }
    let desk = shown(&on_desk(&admin).await);
    for member in &mut members {
        member
            .until(&format!("the dashboard shows {desk:#?}"), |app| desk_is(app, |own| shown(&own.content) == desk))
            .await;
        let journal = Journal::open(&member.journal).unwrap();
        // It is stored right after it was shown.
        waiting::until(&format!("the stored copy is {desk:#?} and the outbox empty, seed {seed}"), async || {
            let copy = journal.load_desk("test").unwrap().map(|copy| shown(&copy.content));
            copy.as_ref() == Some(&desk) && journal.load_outbox("test").unwrap().is_empty()
        })
        .await;
    }
    for note in (1..=notes).map(|note| format!("note {note}.")) {
        let count = desk.1.iter().filter(|line| line.contains(&note)).count();
        assert!(takes_back || count > 0, "{note} was lost, seed {seed}: {:#?}", desk.1);
    }
    let mut distinct: Vec<&str> =
        desk.1.iter().filter(|line| line.contains("note")).map(|line| line.split_once(' ').unwrap().1).collect();
    let count = distinct.len();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), count, "a note is twice on a report, seed {seed}: {:#?}", desk.1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dashboards_agree_with_the_desk_after_cuts_lost_responses_and_restarts() {
    let (seed, steps) = (seed(), steps(20));
    tokio::join!(use_desk(seed, steps, false), use_desk(seed + 1, steps, true));
}
