//! The dashboard started from the command line in a pseudo-terminal: which service it opens, and which files it leaves.

use std::sync::Arc;

use reportdeck::domain::list::cached_rows::CachedRows;
use reportdeck::domain::report::failed_checks::FailedChecks;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::changes::ListScope;
use reportdeck::journal::Journal;

use crate::support::cli_user::{COLUMNS, CliUser};

#[test]
fn the_sample_shows_its_site_and_leaves_no_files() {
    let person = CliUser::new();
    let scratch = tempfile::tempdir().unwrap();
    let person = person.with("TMPDIR", scratch.path().to_str().unwrap());
    let mut running = person.terminal(&["--sample"]);
    // Two hosts, results of earlier versions, triage states: the first screen shows what the dashboard is for.
    let sites = ["Projects 2", "tea.localhost", "shop.localhost", "spring-market", "won't fix"];
    for text in ["sold-out", "sample history", "guestbook"].into_iter().chain(sites) {
        running.wait_for(text);
    }
    running.send("0");
    for text in ["2 worse", "1 better", "1 new · 1 no longer listed", "5 looks"] {
        running.wait_for(text);
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1);
    // Another key would be rejected until the program ends.
    running.send("K");
    running.wait_for("The embedded service needs no key");
    running.send("q");
    assert_eq!(running.wait().exit_code(), 0);
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    assert!(!person.home().join(".local/share/reportdeck").exists());
}

#[test]
fn the_embedded_service_is_the_default() {
    let person = CliUser::new();
    let mut running = person.terminal(&[]);
    running.wait_for("embedded");
    running.send("q");
    assert_eq!(running.wait().exit_code(), 0);
    assert!(person.home().join(".local/share/reportdeck/reports.sqlite3").exists());
}

#[test]
fn a_remote_service_is_opened_and_its_errors_are_shown() {
    let person = CliUser::with_service("http://127.0.0.1:1");
    let mut running = person.terminal(&[]);
    running.wait_for("127.0.0.1:1");
    running.send("q");
    assert_eq!(running.wait().exit_code(), 0);
    assert!(!person.home().join(".local/share/reportdeck").exists());
}

#[test]
fn cached_rows_are_shown_while_their_service_is_unreachable() {
    let person = CliUser::with_service("http://127.0.0.1:1/api/v1/");
    let journal = Journal::open(&person.home().join(".local/state/reportdeck/journal.sqlite")).unwrap();
    journal.store_rows("http://127.0.0.1:1", &last_rows()).unwrap();
    let mut running = person.terminal(&[]);
    running.wait_for("cached, as of 2026-11-20");
    running.wait_for("shop.example/tea");
    running.send("q");
    assert_eq!(running.wait().exit_code(), 0);
}

/// One row as stored in the journal.
fn last_rows() -> CachedRows {
    let report = Report {
        id: ReportId::new("1"),
        url: Text::from_outside("https://shop.example/tea"),
        project: Arc::new(Text::from_outside("shop.example")),
        outcome: Outcome::Bad,
        score: Some(31),
        generated_at: None,
        privacy: None,
        fetch_failure: None,
        has_password: None,
        failed: FailedChecks::default(),
        details: None,
    };
    let taken_at = "2026-11-20T14:02:00Z".parse().unwrap();
    let rows = [report].into_iter().collect();
    CachedRows { rows, scope: ListScope::default(), taken_at, total: Some(1), next: None }
}

#[test]
fn a_terminal_shows_a_message_for_an_empty_list_and_wraps_no_row() {
    let person = CliUser::new();
    let mut running = person.terminal(&["reports", "list"]);
    running.wait_for("note: there are no reports");
    assert_eq!(running.wait().exit_code(), 0);
    let mut running = person.terminal(&["projects", "list", "--search", "tea"]);
    running.wait_for("note: there are no projects that match");
    assert_eq!(running.wait().exit_code(), 0);
    assert_eq!(person.run(&["reports", "list"]).error, "", "no message without a terminal");
    let page = crate::support::cli_user::page();
    assert_eq!(person.run(&["reports", "create", &format!("{page}/a-page-with-a-long-name?and=parameters")]).code, 0);
    for arguments in [&["reports", "list"][..], &["projects", "list"], &["doctor"], &["config", "show"]] {
        let mut running = person.terminal(arguments);
        assert_eq!(running.wait().exit_code(), 0, "{arguments:?}: {}", running.screen());
        let text = String::from_utf8_lossy(running.written()).into_owned();
        let widest = text.lines().map(|line| reportdeck::domain::text::width(line.trim_end())).max().unwrap();
        assert!(widest <= usize::from(COLUMNS), "{arguments:?}: {text}");
    }
}

#[test]
fn another_data_directory_shows_no_cached_rows_of_the_default_one() {
    let person = CliUser::new();
    let state = person.home().join(".local/state/reportdeck/journal.sqlite");
    let other = person.home().canonicalize().unwrap().join("other");
    {
        let journal = Journal::open(&state).unwrap();
        // Rows cached for the default directory must not be shown for another one.
        journal.store_rows("embedded", &last_rows()).unwrap();
    }
    let detour = person.home().join("detour/../other");
    std::fs::create_dir(person.home().join("detour")).unwrap();
    let mut running = person.terminal(&["--data", detour.to_str().unwrap()]);
    running.wait_for("embedded");
    let shown = running.screen();
    assert!(!shown.contains("shop.example/tea"), "{shown}");
    running.wait_for("other");
    running.send("q");
    assert_eq!(running.wait().exit_code(), 0);
    let mut running = person.terminal(&["--data", person.home().join(".local/share/reportdeck").to_str().unwrap()]);
    running.wait_for("shop.example/tea");
    running.send("q");
    assert_eq!(running.wait().exit_code(), 0);
    assert!(other.join("reports.sqlite3").exists());
}
