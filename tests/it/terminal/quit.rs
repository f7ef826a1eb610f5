//! Quitting while something cannot be stored: the terminal shows what, once the dashboard has left it.

use std::path::Path;

use super::program;
use crate::support::embedded_service::{KEY, Running};
use crate::support::pty::Pty;

/// A dashboard on this service.
fn dashboard(home: &Path, running: &Running) -> Pty {
    let mut command = program(home);
    command.env("REPORTDECK_BASE_URL", running.service.base_url());
    command.env("REPORTDECK_API_KEY", KEY);
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("shop.example/tea");
    pty
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_that_cannot_be_stored_before_the_end_is_an_error() {
    let (running, _data) = Running::start().await;
    running.client.create("https://shop.example/tea?score=31").await;
    let home = tempfile::tempdir().unwrap();
    tokio::task::spawn_blocking(move || {
        let mut pty = dashboard(home.path(), &running);
        // The states are read with the first connection: `m` opens its form once they are.
        pty.send("m");
        pty.wait_for("looking");
        let window = rusqlite::Connection::open(home.path().join(".local/state/reportdeck/journal.sqlite")).unwrap();
        window.execute_batch("BEGIN IMMEDIATE").unwrap();
        pty.send("\rq");
        assert!(!pty.wait().success());
        let text = pty.screen();
        // Either the write was given up, or the program no longer waited for it.
        assert!(text.contains("error: ") && text.contains("journal"), "{text}");
        assert_eq!(pty.left_behind(), [""; 0]);
    })
    .await
    .unwrap();
}
