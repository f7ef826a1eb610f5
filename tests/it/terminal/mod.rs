//! The built program in a real pseudo-terminal: every exit restores the terminal, and an idle dashboard does nothing.

mod editor;
mod hangup;
mod job_control;
mod key_command;
mod login;
mod paste;
mod quit;
mod resize;
mod slow_output;
mod theme_probe;
mod tmux;
mod unusual_terminals;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use portable_pty::CommandBuilder;
use reportdeck::app::session::state::ProfileChoice;
use reportdeck::runtime::{self, Launch};
use reportdeck::view::theme::Theme;
use reportdeck::view::{self, Look};

use crate::support::cli_user::CliUser;
use crate::support::pty::{self, Pty};
use crate::support::serve_process::Serving;
use crate::support::session;

/// Environment variable that tells the test program, started again in a terminal, how to fail.
const BREAK: &str = "REPORTDECK_TEST_BREAK";

fn environment(command: &mut CommandBuilder, home: &Path) {
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("HOME", home);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
}

/// Starts the dashboard with an empty home directory and waits for its first screen.
fn dashboard(home: &Path) -> Pty {
    dashboard_of(home, 100, 30)
}

/// Starts the dashboard in a terminal of this size.
fn dashboard_of(home: &Path, columns: u16, rows: u16) -> Pty {
    let mut pty = Pty::start(program(home), columns, rows);
    pty.wait_for("No reports yet.");
    pty
}

/// Returns the command of the program with an empty home directory.
fn program(home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_reportdeck"));
    environment(&mut command, home);
    command
}

/// Runs this test program again with only [`dashboard_in_this_program`], which fails in this way.
fn failing_dashboard(home: &Path, how: &str) -> Pty {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "terminal::dashboard_in_this_program", "--nocapture", "--test-threads=1"]);
    environment(&mut command, home);
    command.env(BREAK, how);
    Pty::start(command, 100, 30)
}

/// Helper process: [`broken`] runs it in its terminal.
#[test]
fn dashboard_in_this_program() {
    let Ok(how) = std::env::var(BREAK) else { return };
    // One failure at a time: with two panics it would be random which one is reported.
    let breaks_drawing = how == "draw";
    let connect: runtime::Connect = match how.as_str() {
        "draw" => Arc::new(|_| Box::pin(std::future::pending())),
        "start" => Arc::new(|_| panic!("starting broke, as the test wants it")),
        // The first call is made at the start, the second one by the key that switches the profile.
        "update" => Arc::new(|request| match request.profile {
            None => Box::pin(std::future::pending()),
            Some(_) => panic!("taking a key broke, as the test wants it"),
        }),
        _ => Arc::new(|_| Box::pin(async { panic!("a task broke, as the test wants it") })),
    };
    let other = |name: &str| ProfileChoice { name: Some(name.to_owned()), text: name.to_owned() };
    let look = Look { theme: Theme::plain(), ..Look::default() };
    let launch = Launch { profiles: (vec![other("one"), other("two")], None), ..session::launch(connect, look) };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let paint: runtime::Paint =
        if breaks_drawing { |_, _, _| panic!("drawing broke, as the test wants it") } else { view::draw };
    let ended = runtime.block_on(runtime::run_with(launch, paint, async {}));
    println!("ENDED {:#}", ended.unwrap_err());
}

#[test]
fn the_cursor_is_shown_in_a_text_field_only() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    let shows = |at: Option<(u16, u16)>| {
        move |screen: &vt100::Screen| (!screen.hide_cursor()).then(|| screen.cursor_position()) == at
    };
    pty.wait_until("no cursor", shows(None));
    pty.send("/tea");
    pty.wait_for("/ tea");
    let row = pty.screen().lines().position(|line| line.contains("/ tea")).unwrap() as u16;
    let text = pty.screen().lines().nth(row.into()).unwrap().to_owned();
    let column = text[..text.find("/ tea").unwrap()].chars().count() as u16;
    pty.wait_until("the cursor behind the text", shows(Some((row, column + 5))));
    pty.send("\x1b[D");
    pty.wait_until("the cursor on the last letter", shows(Some((row, column + 4))));
    pty.send("\x1b");
    pty.wait_until("no cursor", shows(None));
    pty.send("q");
    assert!(pty.wait().success());
}

#[test]
fn every_exit_leaves_a_usable_terminal() {
    let home = tempfile::tempdir().unwrap();
    for keys in ["q", "\x03", "n\x03"] {
        let mut pty = dashboard(home.path());
        pty.send(keys);
        assert!(pty.wait().success(), "{keys:?}");
        assert_eq!(pty.left_behind(), [""; 0], "after {keys:?}");
    }
    for signal in ["TERM", "HUP", "INT"] {
        let mut pty = dashboard(home.path());
        pty.signal(signal);
        pty.wait();
        assert_eq!(pty.left_behind(), [""; 0], "after SIG{signal}");
    }
    let ways = [
        ("task", "a task broke"),
        ("draw", "drawing broke"),
        ("start", "starting broke"),
        ("update", "taking a key broke"),
    ];
    for (how, text) in ways {
        let mut pty = failing_dashboard(home.path(), how);
        if how == "update" {
            pty.wait_for("? keys");
            pty.send("A");
            pty.wait_for("two");
            pty.send("\r");
        }
        pty.wait_for("ENDED");
        pty.wait();
        assert!(pty.screen().contains(text), "the panic is reported on the restored screen:\n{}", pty.screen());
        assert_eq!(pty.left_behind(), [""; 0], "after a panic: {how}");
    }
}

#[test]
fn the_mouse_is_released_to_the_terminal_and_captured_again() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    let is_ours = |screen: &vt100::Screen| screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
    for ours in [false, true, false] {
        pty.send("\x14");
        pty.wait_until("the mouse", |screen| is_ours(screen) == ours);
    }
    pty.send("q");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}

/// Returns how often the threads of a process have waited and woken up.
#[cfg(target_os = "linux")]
fn wake_ups(process: u32) -> u64 {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let of = |task: std::fs::DirEntry| -> u64 {
        let status = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let wake_ups = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        wake_ups.map_or(0, |wake_ups| wake_ups.trim().parse().unwrap())
    };
    tasks.map(|task| of(task.unwrap())).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_team_dashboard_draws_nothing_and_wakes_at_most_once_in_ten_seconds() {
    let person = CliUser::new();
    let created = person.run(&["keys", "create", "laptop", "--person", "anna", "--role", "triage"]);
    let key = created.records()[0]["key"].as_str().unwrap().to_owned();
    let serving = Serving::start(&person);
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.env("REPORTDECK_BASE_URL", &serving.base_url);
    command.env("REPORTDECK_API_KEY", &key);
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("anna");
    pty.read_until_quiet(Duration::from_secs(4));
    let journals = || -> Vec<_> {
        let folder = home.path().join(".local/state/reportdeck");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
        let mut files: Vec<_> = files.map(|file| (file.path(), file.metadata().unwrap().modified().unwrap())).collect();
        files.sort();
        files
    };
    // Other load wakes it too, so one quiet interval of several is enough.
    let mut rests = std::iter::repeat_with(|| {
        let (before, files) = (wake_ups(pty.process()), journals());
        let written = pty.read_until_quiet(Duration::from_secs(10));
        let rest = (written, files == journals(), wake_ups(pty.process()) - before);
        println!("bytes written, journal untouched, wakes: {rest:?}");
        rest
    });
    assert!(
        rests.by_ref().take(3).any(|(written, is_untouched, wake_ups)| written == 0 && is_untouched && wake_ups <= 1)
    );
}

#[test]
fn an_idle_dashboard_writes_nothing_and_uses_no_processor_time() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    // Two seconds after the last write at the start the write-ahead log is checkpointed; then nothing happens.
    pty.read_until_quiet(Duration::from_secs(3));
    let before = pty::processor_time(pty.process());
    let written = pty.read_until_quiet(Duration::from_secs(2));
    let used = pty::processor_time(pty.process()) - before;
    assert_eq!((written, used), (0, 0));
    pty.resize(40, 12);
    pty.wait_for("? keys");
    pty.resize(20, 5);
    pty.wait_for("needs 40×12");
    pty.send("q");
    assert!(pty.wait().success());
}
