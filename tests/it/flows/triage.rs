//! Triage by keys alone: re-runs of many bad reports, states, causes, changes, and a crash during a run.

use std::sync::atomic::Ordering;

use jiff::{SignedDuration, Timestamp};
use reportdeck::app::message::Message;
use reportdeck::domain::list::columns::Column;

use crate::support::embedded_service::{KEY, Running};
#[cfg(target_os = "linux")]
use crate::support::pty;
use crate::support::session::Person;
use crate::support::states::to_column;

/// A service with `count` bad reports whose pages have been repaired since.
async fn repaired(count: usize) -> (Running, tempfile::TempDir) {
    let (running, data) = Running::start().await;
    running.script.score.store(31, Ordering::SeqCst);
    for number in 0..count {
        running.client.create(&format!("https://shop{}.example/page-{number}", number % 5)).await;
    }
    running.script.score.store(95, Ordering::SeqCst);
    (running, data)
}

#[tokio::test]
async fn fifty_bad_reports_are_re_run_by_keys_alone() {
    let (running, _data) = repaired(50).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.sees(&["bad 50", "50 reports"]);
    person.press("b V t").await;
    person.sees(&["Re-run 50 reports?", "50 requests", "bad 31 → re-run"]);
    person.press("y").await;
    person.sees(&["re-run: improved 50, same 0, worse 0", "50/50", "bad 31 → good 95 · repaired title"]);
    person.press("esc").await;
    person.sees(&["good 50", "bad 0", "None of the 50 loaded reports matches the filter."]).misses(&["marked"]);
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 100, "each report was audited exactly once more");
}

#[tokio::test]
async fn reports_that_a_colleague_deleted_leave_the_list_and_stay_in_the_run() {
    let (running, _data) = repaired(8).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.press("V").await;
    // A colleague deletes two of them while the plan is shown.
    person.press("t").await;
    for id in [3, 6] {
        running.client.delete(&format!("/api/v1/reports/{id}")).await.expect(200);
    }
    person.press("y").await;
    person.sees(&["8/8", "re-run: improved 6, same 0, worse 0, 2 failed"]);
    person.press("esc").await;
    person.sees(&["Reports 6"]).misses(&["marked"]);
    person.press("x enter r").await;
    person.sees(&["2 failed", "it no longer exists"]);
}

#[tokio::test]
async fn marks_and_targets_survive_changes_of_the_list() {
    let (running, _data) = repaired(30).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.press("space space space s 'u' enter S r").await;
    person.sees(&["3 marked"]);
    running.client.create("https://new.example/").await;
    person.press("r").await;
    person.sees(&["3 marked"]);
    person.press("t y").await;
    person.sees(&["3/3"]);
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 30 + 1 + 3);
}

#[tokio::test]
async fn states_and_notes_survive_a_restart_and_audits_close_repaired_reports() {
    let (running, data) = repaired(3).await;
    let journal = data.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    person.press("m down down enter c 'told the shop' enter").await;
    person.sees(&["to verify ✎"]);
    drop(person);
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    person.sees(&["to verify ✎", "told the shop"]);
    person.press("t").await;
    person.sees(&["done ✎"]);
    person.press("/ 'state:done' enter").await;
    person.sees(&["showing 1 of 3"]);
}

#[tokio::test]
async fn a_refresh_shows_the_states_notes_and_views_of_another_dashboard() {
    let (running, data) = repaired(3).await;
    let journal = data.path().join("journal.sqlite");
    let mut ann = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    let mut ben = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    ann.press("c 'told the shop' enter m down down enter").await;
    ben.misses(&["to verify"]);
    ben.press("r").await;
    ben.sees(&["to verify ✎", "told the shop"]);
    ben.sees(&["you set to verify", "you noted: told the shop"]);
    ann.press("b W 'worst' enter").await;
    ben.press("]").await;
    ben.sees(&["No view is saved yet"]);
    ben.press("r ]").await;
    ben.sees(&["view worst"]);
}

#[tokio::test]
async fn a_report_that_a_colleague_has_re_run_is_counted_by_its_new_result_once_it_is_opened() {
    let (running, _data) = repaired(2).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.sees(&["good 0", "bad 2"]);
    running.client.send(reqwest::Method::PUT, "/api/v1/reports/1", &[("results", "1")]).await.expect(200);
    person.press("j").await;
    person.sees(&["good    95", "good 1", "bad 1"]);
}

#[tokio::test]
async fn regressions_are_announced_at_each_start_until_marked_as_seen() {
    let (running, data) = Running::start().await;
    running.script.score.store(95, Ordering::SeqCst);
    running.client.create("https://shop.example/").await;
    let journal = data.path().join("journal.sqlite");
    let base_url = running.service.base_url();
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.sees(&["good 1"]).misses(&["got worse"]);
    // The page gets worse while the program is not running.
    drop(person);
    running.script.score.store(31, Ordering::SeqCst);
    running.client.send(reqwest::Method::PUT, "/api/v1/reports/1", &[("results", "1")]).await.expect(200);
    for start in 0..3 {
        person = Person::with_journal(&journal, &base_url, KEY).await;
        person.sees(&["1 report got worse since your last look", "L shows them"]);
        person.press("L").await;
        person.sees(&["Regressed 1"]);
        if start == 2 {
            person.press("x").await;
            person.sees(&["Regressed 0"]);
        }
        drop(person);
    }
    person = Person::with_journal(&journal, &base_url, KEY).await;
    person.sees(&["bad 1"]).misses(&["got worse"]);
    person.press("L").await;
    person.sees(&["Regressed 0"]);
}

#[tokio::test]
async fn a_dashboard_that_stays_open_notices_new_and_worse_reports() {
    let (running, data) = Running::start().await;
    running.script.score.store(95, Ordering::SeqCst);
    running.client.create("https://shop.example/").await;
    running.client.create("https://blog.example/").await;
    let (journal, base_url) = (data.path().join("journal.sqlite"), running.service.base_url());
    drop(Person::with_journal(&journal, &base_url, KEY).await);
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    running.script.score.store(31, Ordering::SeqCst);
    running.client.create("https://new.example/").await;
    for (id, announced, counted) in
        [(1, "1 report got worse since your last look", "bad 2"), (2, "1 more report got", "bad 3")]
    {
        running
            .client
            .send(reqwest::Method::PUT, &format!("/api/v1/reports/{id}"), &[("results", "1")])
            .await
            .expect(200);
        let later = Timestamp::now() + SignedDuration::from_mins(10 * id);
        person.session.handle_at(Message::Tick, later);
        person.look().await;
        person.sees(&[announced, counted, "new.example", "Reports 3"]);
    }
}

/// The dashboard in a terminal, on this service.
#[cfg(target_os = "linux")]
fn terminal(base_url: &str, home: &std::path::Path) -> pty::Pty {
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_reportdeck"));
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("HOME", home);
    command.env("REPORTDECK_BASE_URL", base_url);
    command.env("REPORTDECK_API_KEY", KEY);
    pty::Pty::start(command, 110, 30)
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_during_two_hundred_re_runs_loses_nothing_and_repeats_no_acknowledged_write() {
    let (running, _data) = Running::start().await;
    let home = tempfile::tempdir().unwrap();
    // Each audit of this host needs a permit, so the test decides how far the run gets.
    running.script.end.add_permits(200);
    for number in 0..200 {
        running.client.create(&format!("https://slow.example/page-{number}")).await;
    }
    let base_url = running.service.base_url();
    let place = home.path().to_owned();
    running.script.end.add_permits(60);
    let killed = tokio::task::spawn_blocking(move || {
        let mut pty = terminal(&base_url, &place);
        pty.wait_for("200 reports");
        pty.send("Vt");
        pty.wait_for("Re-run 200 reports?");
        pty.send("y");
        pty.wait_for("re-running 60/200");
        pty.signal("KILL");
        pty.wait();
        (base_url, place)
    });
    let (base_url, place) = killed.await.unwrap();
    let begun = running.script.begun.load(Ordering::SeqCst);
    assert!((460..=463).contains(&(200 + begun)), "60 responses, three requests running: {begun}");
    running.script.end.add_permits(400);
    let resumed = tokio::task::spawn_blocking(move || {
        let mut pty = terminal(&base_url, &place);
        pty.wait_for("The program ended while it was re-running 200 reports");
        pty.send("y");
        pty.wait_for("200/200");
        pty.send("\x03");
        pty.wait();
    });
    resumed.await.unwrap();
    let (mut once, mut again) = (0, 0);
    for id in 1..=200 {
        match running.client.get(&format!("/api/v1/reports/{id}/history")).await.expect(200).data().len() {
            1 => once += 1,
            2 => again += 1,
            other => panic!("report {id} was audited {other} more times"),
        }
    }
    // Only items without a response before the kill may be sent again.
    assert!(once >= 197 && once + again == 200, "{once} once, {again} twice");
}

#[tokio::test]
async fn a_shared_cause_of_bad_reports_becomes_a_filter() {
    let (running, _data) = repaired(12).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.press("w").await;
    person.sees(&["Causes of 12 bad reports", "title", "12 100 %", "shop0.example", "3 of 3 100 %"]);
    // A cause is re-run with a plan, and repaired reports leave the screen.
    person.press("tab t").await;
    person.sees(&["Re-run 3 reports?", "shop0.example: 3 reports", "bad 31 → re-run"]);
    person.press("y").await;
    person.sees(&["improved 3, same 0, worse 0"]);
    person.press("esc").await;
    person.sees(&["Causes of 9 bad reports", "9 100 %"]);
    // Space marks the reports of a cause; Enter filters by it, and Esc clears the filter.
    person.press("enter").await;
    person.sees(&["result:bad project:\"shop1.example\"", "showing 3 of 12"]);
    person.press("w space 2").await;
    person.sees(&["3 marked"]);
    person.press("esc esc").await;
    person.sees(&["12 reports"]);
    person.press("V t y esc w").await;
    person.sees(&["No bad report is shown"]);
}

#[tokio::test]
async fn changes_between_two_starts_are_listed_and_come_first_by_urgency() {
    let (running, _data) = Running::start().await;
    let memory = tempfile::tempdir().unwrap();
    let journal = memory.path().join("journal.sqlite");
    let base = running.service.base_url();
    running.script.score.store(90, Ordering::SeqCst);
    for page in ["worse", "better", "gone", "same"] {
        running.client.create(&format!("https://shop.example/{page}")).await;
    }
    let mut person = Person::with_journal(&journal, &base, KEY).await;
    person.press("L").await;
    person.sees(&["First visit", "Regressed 0"]);
    drop(person);

    running.script.score.store(20, Ordering::SeqCst);
    running.client.send(reqwest::Method::PUT, "/api/v1/reports/1", &[("results", "1")]).await.expect(200);
    running.client.delete("/api/v1/reports/3").await.expect(200);
    running.client.create("https://shop.example/new").await;
    let mut person = Person::with_journal(&journal, &base, KEY).await;
    person.press("L").await;
    person.sees(&[
        "Regressed 1",
        "good 90 → bad 20, -70",
        "New 1",
        "shop.example/new",
        "No longer listed 1: 1 gone, 0 missing",
        "shop.example/gone",
    ]);
    person.press(&format!("esc s {} enter g i", to_column(Column::Urgency))).await;
    person.sees(&["Why this is 1st of 4", "70 points lost since the last look", "Enter close"]);
}
