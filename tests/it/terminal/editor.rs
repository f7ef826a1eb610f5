//! Editing a message: the editor gets the terminal, and the dashboard gets it back.

use std::path::Path;

use super::program;
use crate::support::cli_user::script;
use crate::support::embedded_service::{KEY, Running};
use crate::support::own_process::{state, wait_for_state};
use crate::support::pty::Pty;

/// The states of a process that has ended.
const ENDED: [Option<char>; 2] = [Some('Z'), None];

/// A dashboard on a service with one bad report, with this editor.
async fn dashboard(home: &Path, editor: &str) -> (Running, tempfile::TempDir, Pty) {
    let (running, data) = Running::start().await;
    running.client.create("https://shop.example/tea?score=31").await;
    let mut command = program(home);
    command.env("EDITOR", editor);
    command.env("REPORTDECK_BASE_URL", running.service.base_url());
    command.env("REPORTDECK_API_KEY", KEY);
    command.cwd(home);
    (running, data, Pty::start(command, 100, 30))
}

/// Presses the keys that open a message in the editor.
fn open_editor(pty: &mut Pty) {
    pty.wait_for("shop.example/tea");
    pty.send("3");
    pty.wait_for("The title is missing");
    pty.send("y");
    pty.wait_for("message to the customer");
    pty.send("jjjj\r");
    pty.wait_for("Message about 1 report");
    pty.send("jj\r");
}

fn message(home: &Path) -> String {
    let files = std::fs::read_dir(home).unwrap().map(|entry| entry.unwrap().path());
    let mut messages = files.filter(|path| path.to_string_lossy().contains("message-"));
    std::fs::read_to_string(messages.next().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_editor_gets_the_terminal_and_returns_it() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("editor");
    // The editor gets the file as its argument, no key in its environment, and a terminal in line mode.
    let commands = "echo \"EDITING $1 with [$REPORTDECK_API_KEY] $2\"\nread line\necho \"$line\" >> \"$2\"\n";
    script(&editor, commands);
    let (_running, _data, mut pty) = dashboard(home.path(), &format!("'{}' --wait", editor.display())).await;
    let place = home.path().to_owned();
    tokio::task::spawn_blocking(move || {
        open_editor(&mut pty);
        pty.wait_for("EDITING --wait with []");
        assert!(!pty.screen().contains("Reports 1"), "{}", pty.screen());
        pty.send("qPlease answer.\r");
        pty.wait_for("message-");
        pty.wait_for("Reports 1");
        let text = message(&place);
        assert!(text.contains("https://shop.example/tea") && text.ends_with("qPlease answer.\n"), "{text}");
        // The dashboard gets the keys again.
        pty.send("@");
        pty.wait_for("History, latest first");
        pty.send("\x1b");
        pty.wait_until("the list", |screen| !screen.contents().contains("History, latest"));
        pty.send("q");
        assert!(pty.wait().success(), "{}", pty.screen());
        assert_eq!(pty.left_behind(), [""; 0]);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_editor_loses_no_text() {
    let home = tempfile::tempdir().unwrap();
    for (editor, expected) in [("no-such-editor", "no-such-editor cannot be started"), ("false", "false ended with")] {
        let (_running, _data, mut pty) = dashboard(home.path(), editor).await;
        let place = home.path().to_owned();
        tokio::task::spawn_blocking(move || {
            open_editor(&mut pty);
            pty.wait_for(expected);
            assert!(message(&place).contains("https://shop.example/tea"));
            pty.send("q");
            assert!(pty.wait().success(), "{}", pty.screen());
        })
        .await
        .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_was_emptied_is_not_copied() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("editor");
    script(&editor, ": > \"$1\"\n");
    let (_running, _data, mut pty) = dashboard(home.path(), &format!("'{}'", editor.display())).await;
    tokio::task::spawn_blocking(move || {
        open_editor(&mut pty);
        pty.wait_until("the end of the editor", |screen| screen.contents().contains("/message-"));
        assert!(pty.screen().contains("The message is empty: nothing was copied"), "{}", pty.screen());
        pty.send("q");
        assert!(pty.wait().success(), "{}", pty.screen());
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_the_editor_deleted_is_not_said_to_be_in_its_file() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("editor");
    script(&editor, "rm \"$1\"\n");
    let (_running, _data, mut pty) = dashboard(home.path(), &format!("'{}'", editor.display())).await;
    tokio::task::spawn_blocking(move || {
        open_editor(&mut pty);
        pty.wait_for("The message cannot be read: not found");
        assert!(pty.screen().contains("The editor deleted its file: write it again"), "{}", pty.screen());
        assert!(!pty.screen().contains("/message-"), "{}", pty.screen());
        pty.send("q");
        assert!(pty.wait().success(), "{}", pty.screen());
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_during_editing_ends_both_and_restores_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("editor");
    script(&editor, "echo $$ > \"$0.pid\"\necho EDITING\nexec sleep 600\n");
    let (_running, _data, mut pty) = dashboard(home.path(), &format!("\"{}\"", editor.display())).await;
    tokio::task::spawn_blocking(move || {
        open_editor(&mut pty);
        pty.wait_for("EDITING");
        let process = std::fs::read_to_string(editor.with_extension("pid")).unwrap().trim().parse().unwrap();
        assert!(!ENDED.contains(&state(process)));
        pty.signal("TERM");
        pty.wait();
        assert_eq!(pty.left_behind(), [""; 0]);
        wait_for_state(process, &ENDED);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_lets_the_editor_save_its_text_and_restore_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("editor");
    let commands = "trap 'echo text > \"$0.saved\"; printf \"\\033[?1049l\"; exit 1' TERM\n\
                    printf '\\033[?1049hEDITING'\nwhile :; do sleep 0.05; done\n";
    script(&editor, commands);
    let (_running, _data, mut pty) = dashboard(home.path(), &format!("\"{}\"", editor.display())).await;
    tokio::task::spawn_blocking(move || {
        open_editor(&mut pty);
        pty.wait_for("EDITING");
        pty.signal("TERM");
        pty.wait();
        assert_eq!(pty.left_behind(), [""; 0]);
        assert!(editor.with_extension("saved").exists());
    })
    .await
    .unwrap();
}
