//! Random use of the dashboard on a faulty network; then the network heals, and the dashboard is compared with the
//! service.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reportdeck::api::limits::Limits;
use reportdeck::app::frame_layout::Pane;
use reportdeck::app::panes::reports::listing::LoadState;
use reportdeck::domain::list::rows::Rows;
use reportdeck::domain::report::Report;
use reportdeck::domain::report::privacy::Privacy;
use reportdeck::input::Action;
use serde_json::Value;

use crate::support::embedded_service::{KEY, Running};
use crate::support::faulty_proxy::{FAULTS, Fault, Proxy, Seen};
use crate::support::seeded_rng::{Rng, seed, steps};
use crate::support::session::Person;
use crate::support::states::{assert_consistent, keys_without};
use crate::trust::faulty_network::intended_writes::Decisions;

/// Key scripts that decide a write.
const DECIDING: [&str; 14] = [
    "t",
    "t y",
    "2 D y",
    "2 j D y",
    "2 M D y",
    "V t y",
    "space",
    "v",
    "n",
    "e right ctrl+s",
    "x",
    "u",
    "U",
    "space space x enter y",
];
/// Actions that random keys must not trigger: quit, switch the service, open a browser, or overwrite this machine's
/// clipboard.
const LEFT_OUT: [Action; 9] = [
    Action::Quit,
    Action::Stop,
    Action::SwitchProfile,
    Action::EnterKey,
    Action::OpenWebPage,
    Action::OpenReportPage,
    Action::CopyMenu,
    Action::CopyUrl,
    Action::CopyView,
];
/// Number of reports at the start.
const REPORTS: usize = 60;
/// Time limit for becoming idle: several times the limits of the client, for busy machines.
const HANG: Duration = Duration::from_mins(1);

/// Short limits, so that the test does not wait long for timeouts.
fn limits() -> Limits {
    let (idle, whole) = (Duration::from_millis(250), Duration::from_millis(900));
    let first_pause = Duration::from_millis(1);
    Limits { idle, read: whole, write: whole, body: 512 * 1024, first_pause, ..Limits::default() }
}

/// A user of the dashboard and the writes they decided on.
struct Use {
    person: Person,
    proxy: Proxy,
    rng: Rng,
    keys: Vec<&'static str>,
    decisions: Decisions,
    journal: std::path::PathBuf,
    pages: usize,
}

impl Use {
    async fn open_dashboard(&self) -> Person {
        Person::with_limits_and_journal(limits(), &self.journal, &self.proxy.base, KEY).await
    }

    fn key(&mut self, name: &str) {
        self.decisions.before(self.person.session.app());
        self.person.key(name);
        self.decisions.after(self.person.session.app());
        assert_consistent(self.person.session.app());
    }

    fn paste(&mut self, text: &str) {
        self.person.session.take_event(&crossterm::event::Event::Paste(text.to_owned()));
    }

    /// Waits until the session is idle; panics if it hangs.
    async fn settle(&mut self) {
        let settled = tokio::time::timeout(HANG, self.person.look()).await;
        if settled.is_err() {
            let next = tokio::time::timeout(Duration::from_secs(1), self.person.session.next_message()).await;
            panic!("the dashboard hangs; next message {next:?}: {}", self.describe());
        }
        assert_consistent(self.person.session.app());
    }

    /// Describes the running requests, for debugging.
    fn describe(&self) -> String {
        let app = self.person.session.app();
        let latest: Vec<_> = app.ctx.activity.iter().take(6).collect();
        let loads = (&app.reports.listing.load, app.reports.incoming.as_ref().map(|incoming| &incoming.load));
        let overlays = app.overlays.iter().map(|overlay| format!("{overlay:?}").chars().take(200).collect::<String>());
        let overlays: Vec<String> = overlays.collect();
        let run = app.jobs.bulk.as_ref().map(|bulk| (bulk.is_active(), bulk.run.tally(), bulk.run.queue.wakes_at()));
        format!(
            "{:?}\n{loads:?}\n{:?}\n{run:?}\n{overlays:?}\n{latest:#?}\n{}",
            app.jobs.writes,
            app.ctx.notice,
            self.person.screen()
        )
    }

    /// Performs one random step of a user.
    async fn step(&mut self) {
        match self.rng.below(20) {
            0..3 => {
                // Mostly in the list itself, because the same keys mean other things in a form or a menu.
                let often = if self.rng.below(4) > 0 { 4 } else { 0 };
                for _ in 0..often {
                    self.key("esc");
                }
                for name in self.rng.pick(&DECIDING).split(' ') {
                    self.key(name);
                    if self.rng.below(2) == 0 {
                        self.settle().await;
                    }
                }
            }
            3 => self.create().await,
            4 => {
                self.person.resize(20 + self.rng.below(160) as u16, 5 + self.rng.below(50) as u16).await;
            }
            5..8 => self.settle().await,
            8 => self.act_on_the_row_under_the_cursor().await,
            9 => {
                // Returns from any overlay to the list.
                for name in ["esc", "esc", "esc", "esc", "2", "r"] {
                    self.key(name);
                }
            }
            _ => {
                let name = *self.rng.pick(&self.keys);
                self.key(name);
            }
        }
        if let Some(broken) = self.person.session.broken() {
            panic!("an internal error: {broken}");
        }
        if self.person.session.is_over() {
            self.person = self.open_dashboard().await;
        }
    }

    /// Reads the row under the cursor, lets responses arrive, then acts: the action must apply to that row.
    async fn act_on_the_row_under_the_cursor(&mut self) {
        for name in ["esc", "esc", "esc", "esc", "2", "r"] {
            self.key(name);
        }
        tokio::task::yield_now().await;
        let seen = self.person.session.app().subject().map(|report| report.id.clone());
        for _ in 0..self.rng.below(20) {
            tokio::task::yield_now().await;
        }
        self.person.session.take_waiting_messages();
        let app = self.person.session.app();
        let before: Vec<_> = app.jobs.writes.iter().map(|write| write.request).collect();
        let is_gone = seen.as_ref().is_none_or(|id| app.reports.listing.row(id).is_none());
        self.key("t");
        let app = self.person.session.app();
        let begun =
            app.jobs.writes.iter().find(|write| !before.contains(&write.request)).and_then(|write| write.report());
        assert!(is_gone || begun.is_none() || begun == seen.as_ref(), "{begun:?} is re-run, but {seen:?} was shown");
        if app.reports.listing.loaded() < REPORTS / 4 {
            self.create().await;
        }
    }

    /// Opens the form for one new page, or for several.
    async fn create(&mut self) {
        for _ in 0..4 {
            self.key("esc");
        }
        self.key("n");
        let count = 1 + self.rng.below(4) % 3;
        let pages: Vec<String> = (0..count).map(|at| format!("https://new.example/{}", self.pages + at)).collect();
        self.pages += count;
        self.paste(&pages.join("\n"));
        self.key("ctrl+s");
        if self.rng.below(3) > 0 {
            self.settle().await;
        }
    }

    /// Returns to the list of all reports and refreshes it.
    async fn return_to_fresh_list(&mut self) {
        self.proxy.heal();
        self.person.resize(140, 40).await;
        self.settle().await;
        self.proxy.rest().await;
        for _ in 0..40 {
            let app = self.person.session.app();
            let rests = app.overlays.is_empty() && app.reports.filter_line.value().is_empty() && !app.reports.typing;
            if rests && app.reports.scope.is_none() && app.screen.focus == Pane::Reports {
                break;
            }
            let scoped = app.overlays.is_empty() && !app.reports.typing && app.reports.scope.is_some();
            for name in if scoped { &["1", "g", "enter", "2"][..] } else { &["esc", "2"][..] } {
                self.key(name);
                self.settle().await;
            }
        }
        for _ in 0..20 {
            self.key("R");
            self.settle().await;
            let reports = &self.person.session.app().reports;
            if reports.incoming.is_none() && matches!(reports.listing.load, LoadState::Ended(_)) {
                return;
            }
        }
        panic!("the list does not load:\n{}", self.person.screen());
    }
}

/// A report as either side shows it.
type ComparedReport = (String, Option<u8>, u8, bool);

fn reports_of_the_dashboard(rows: &Rows) -> BTreeMap<String, ComparedReport> {
    let comparable = |report: &Report| {
        let privacy = report.privacy.map_or(9, Privacy::code);
        (report.url.raw().to_owned(), report.score, privacy, report.has_password == Some(true))
    };
    rows.iter().map(|report| (report.id.raw().to_owned(), comparable(report))).collect()
}

async fn reports_of_the_service(running: &Running) -> BTreeMap<String, ComparedReport> {
    let comparable = |row: &Value| {
        let score = row["score"].as_u64().map(|score| score as u8);
        let privacy = row["privacy"].as_u64().unwrap() as u8;
        (row["url"].as_str().unwrap().to_owned(), score, privacy, row["password"].as_bool().unwrap())
    };
    let mut all = BTreeMap::new();
    for page in 1.. {
        let answer = running.client.get(&format!("/api/v1/reports?per_page=100&page={page}")).await.expect(200);
        if answer.data().is_empty() {
            break;
        }
        all.extend(answer.data().iter().map(|row| (row["id"].to_string(), comparable(row))));
    }
    all
}

/// Asserts that every page whose create was acknowledged exists, unless it was deleted later.
fn assert_acknowledged_creates_exist(seen: &[Seen], there: &BTreeMap<String, ComparedReport>) {
    let done = |seen: &&Seen| seen.status.is_some_and(|status| status < 300);
    // Requests that failed after the service had performed them count too.
    let may_be_done = |seen: &&Seen| done(seen) || seen.fault == Fault::Fail;
    let deleted: Vec<&Seen> = seen.iter().filter(|seen| seen.method == "DELETE").filter(may_be_done).collect();
    let of_projects = deleted.iter().any(|seen| seen.target.contains("/projects/"));
    for made in seen.iter().filter(|seen| seen.method == "POST" && seen.delivered).filter(done) {
        let answer: Value = serde_json::from_str(&made.answer).unwrap();
        let id = answer["data"]["id"].to_string();
        let gone = deleted.iter().any(|seen| seen.target == format!("/api/v1/reports/{id}"));
        assert!(there.contains_key(&id) || gone || of_projects, "report {id} was acknowledged and is missing");
    }
}

#[tokio::test]
async fn random_use_on_a_faulty_network_loses_no_write_and_sends_none_twice() {
    let (seed, count) = (seed(), steps(600));
    let (running, data) = Running::start().await;
    for number in 0..REPORTS {
        running.client.create(&format!("https://shop{}.example/{number}?score={}", number % 5, number)).await;
    }
    let begun = running.script.begun.load(Ordering::SeqCst);
    let proxy = Proxy::in_front_of(&running.service.base_url(), seed, &FAULTS, 6).await;
    let journal = data.path().join("journal.sqlite");
    let person = Person::with_limits_and_journal(limits(), &journal, &proxy.base, KEY).await;
    let mut using = Use {
        person,
        proxy,
        rng: Rng::new(seed),
        keys: keys_without(&LEFT_OUT),
        decisions: Decisions::default(),
        journal,
        pages: 0,
    };
    for _ in 0..count {
        using.step().await;
    }
    using.return_to_fresh_list().await;
    let seen = using.proxy.seen();
    println!("{count} steps, {} requests, {} writes decided", seen.len(), using.decisions.count());
    println!("faults: {:?}", using.proxy.faults());
    let sent = |method: &str| seen.iter().filter(|seen| seen.method == method).count();
    println!("sent: {} creates, {} updates, {} deletions", sent("POST"), sent("PUT"), sent("DELETE"));
    using.decisions.allow(&seen);
    let (there, app) = (reports_of_the_service(&running).await, using.person.session.app());
    assert_acknowledged_creates_exist(&seen, &there);
    assert_eq!(reports_of_the_dashboard(&app.reports.listing.rows), there, "the screen does not match the service");
    let audits = running.script.begun.load(Ordering::SeqCst) - begun;
    let asked = seen.iter().filter(|seen| seen.method == "POST" || seen.body.contains("results=1")).count();
    assert!(audits <= asked, "{audits} audits for {asked} requests");
    let lost: Vec<_> = app.reports.selection.ids.iter().filter(|id| !there.contains_key(id.raw())).collect();
    assert!(lost.is_empty(), "marked but missing: {lost:?}");
}
