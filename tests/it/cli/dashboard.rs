//! The dashboard started by the command line in a pseudo-terminal: which service it opens, and what it leaves behind.

use std::io::{Read, Write};
use std::sync::Arc;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use reportdeck::domain::list::cached_rows::CachedRows;
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::{Report, ReportId};
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::changes::ListScope;
use reportdeck::journal::Journal;

use crate::support::cli_user::CliUser;

const ROWS: u16 = 30;
const COLUMNS: u16 = 140;

/// A running program and what its terminal shows.
pub struct Running {
    child: Box<dyn Child + Send + Sync>,
    // Holds the terminal open.
    _terminal: Box<dyn MasterPty + Send>,
    screen: vt100::Parser,
    from: Box<dyn Read + Send>,
    to: Box<dyn Write + Send>,
}

impl Running {
    pub fn start(person: &CliUser, arguments: &[&str]) -> Self {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let plain = person.command(arguments);
        let mut command = CommandBuilder::new(plain.get_program());
        command.args(plain.get_args());
        command.env_clear();
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let (from, to) = (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
        let (rows, columns) = (ROWS.try_into().unwrap(), COLUMNS.try_into().unwrap());
        Self { child, _terminal: pair.master, screen: vt100::Parser::new(rows, columns, 0), from, to }
    }

    /// Reads until the screen shows a text.
    pub fn until(&mut self, text: &str) -> String {
        let mut bytes = [0; 8192];
        loop {
            let shown = self.screen.screen().contents();
            if shown.contains(text) {
                return shown;
            }
            match self.from.read(&mut bytes) {
                Ok(count @ 1..) => self.screen.process(&bytes[..count]),
                Ok(0) | Err(_) => panic!("it ended before it showed {text}:\n{shown}"),
            }
        }
    }

    /// Types a text.
    pub fn send(&mut self, text: &str) {
        self.to.write_all(text.as_bytes()).unwrap();
    }

    /// Quits and gives the exit code.
    fn quit(mut self) -> u32 {
        self.send("q");
        self.end()
    }

    /// Waits for the end and gives the exit code.
    pub fn end(mut self) -> u32 {
        let mut rest = Vec::new();
        // A terminal whose program has gone ends with an error on Linux.
        let _ = self.from.read_to_end(&mut rest);
        self.child.wait().unwrap().exit_code()
    }
}

#[test]
fn the_sample_shows_its_site_and_leaves_no_files() {
    let person = CliUser::new();
    let scratch = tempfile::tempdir().unwrap();
    let person = person.with("TMPDIR", scratch.path().to_str().unwrap());
    let mut running = Running::start(&person, &["--sample"]);
    let shown = running.until("sold-out");
    assert!(shown.contains("sample history") && shown.contains("guestbook"), "{shown}");
    // Two hosts, results of earlier versions, states: what the dashboard is about is there at first sight.
    for text in ["Projects 2", "tea.localhost", "shop.localhost", "spring-market", "won't fix"] {
        running.until(text);
    }
    running.send("0");
    for text in ["2 worse", "1 better", "1 new · 1 no longer listed", "5 looks"] {
        running.until(text);
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1);
    assert_eq!(running.quit(), 0);
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    assert!(!person.home().join(".local/share/reportdeck").exists());
}

#[test]
fn the_embedded_service_is_the_default() {
    let person = CliUser::new();
    let mut running = Running::start(&person, &[]);
    running.until("embedded");
    assert_eq!(running.quit(), 0);
    assert!(person.home().join(".local/share/reportdeck/reports.sqlite3").exists());
}

#[test]
fn a_remote_service_is_opened_and_its_errors_are_shown() {
    let person = CliUser::with_service("http://127.0.0.1:1");
    let mut running = Running::start(&person, &[]);
    running.until("127.0.0.1:1");
    assert_eq!(running.quit(), 0);
    assert!(!person.home().join(".local/share/reportdeck").exists());
}

#[test]
fn cached_rows_are_shown_while_their_service_is_unreachable() {
    let person = CliUser::with_service("http://127.0.0.1:1/api/v1/");
    let journal = Journal::open(&person.home().join(".local/state/reportdeck/journal.sqlite")).unwrap();
    journal.store_rows("http://127.0.0.1:1", &last_rows()).unwrap();
    let mut running = Running::start(&person, &[]);
    running.until("from memory, as of 2026-11-20");
    running.until("shop.example/tea");
    assert_eq!(running.quit(), 0);
}

/// One row as a journal keeps it.
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
        failed: [].into(),
        details: None,
    };
    let taken_at = "2026-11-20T14:02:00Z".parse().unwrap();
    let rows = [report].into_iter().collect();
    CachedRows { rows, scope: ListScope::default(), taken_at, total: Some(1), next: None }
}

#[test]
fn a_terminal_shows_a_message_for_an_empty_list_and_wraps_no_row() {
    let person = CliUser::new();
    let mut running = Running::start(&person, &["reports", "list"]);
    running.until("note: there are no reports");
    assert_eq!(running.end(), 0);
    let mut running = Running::start(&person, &["projects", "list", "--search", "tea"]);
    running.until("note: there are no projects that match");
    assert_eq!(running.end(), 0);
    assert_eq!(person.run(&["reports", "list"]).error, "", "a script is told nothing");
    let page = crate::support::cli_user::page();
    assert_eq!(person.run(&["reports", "create", &format!("{page}/a-page-with-a-long-name?and=parameters")]).code, 0);
    for arguments in [&["reports", "list"][..], &["projects", "list"], &["doctor"], &["config", "show"]] {
        let mut running = Running::start(&person, arguments);
        let mut text = Vec::new();
        running.from.read_to_end(&mut text).ok();
        let text = String::from_utf8_lossy(&text).into_owned();
        let widest = text.lines().map(|line| reportdeck::domain::text::width(line.trim_end())).max().unwrap();
        assert!(widest <= usize::from(COLUMNS), "{arguments:?}: {text}");
        assert_eq!(running.end(), 0, "{arguments:?}: {text}");
    }
}

#[test]
fn another_data_directory_shows_no_cached_rows_of_the_default_one() {
    let person = CliUser::new();
    let state = person.home().join(".local/state/reportdeck/journal.sqlite");
    let other = person.home().canonicalize().unwrap().join("other");
    {
        let journal = Journal::open(&state).unwrap();
        // What is remembered of the usual directory must not be shown for another one.
        journal.store_rows("embedded", &last_rows()).unwrap();
    }
    let detour = person.home().join("detour/../other");
    std::fs::create_dir(person.home().join("detour")).unwrap();
    let mut running = Running::start(&person, &["--data", detour.to_str().unwrap()]);
    let shown = running.until("embedded");
    assert!(!shown.contains("shop.example/tea"), "{shown}");
    running.until("other");
    assert_eq!(running.quit(), 0);
    let mut running =
        Running::start(&person, &["--data", person.home().join(".local/share/reportdeck").to_str().unwrap()]);
    running.until("shop.example/tea");
    assert_eq!(running.quit(), 0);
    assert!(other.join("reports.sqlite3").exists());
}
