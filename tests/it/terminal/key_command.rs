//! A key command that does not end by itself, such as a password manager that is locked.

use std::fs;

use super::program;
use crate::support::pty::Pty;

#[test]
fn a_key_command_that_is_waited_for_is_named_without_its_text() {
    let home = tempfile::tempdir().unwrap();
    let pipe = home.path().join("hunter2");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let folder = home.path().join(".config/reportdeck");
    fs::create_dir_all(&folder).unwrap();
    // No server listens on this port.
    let text = format!(
        "[profiles.work]\nbase_url = \"http://127.0.0.1:1\"\napi_key_command = [\"cat\", \"{}\"]\n",
        pipe.display()
    );
    fs::write(folder.join("config.toml"), text).unwrap();
    let (command, dashboard) = (&["--profile", "work", "reports", "list"][..], &["--profile", "work"][..]);
    for (arguments, then) in [(command, "no connection to 127.0.0.1:1"), (dashboard, "Enter open")] {
        let mut command = program(home.path());
        command.args(arguments);
        let mut pty = Pty::start(command, 100, 30);
        pty.wait_for("note: waiting for api_key_command of the profile work");
        assert!(!pty.screen().contains("hunter2") && !pty.screen().contains("cat"), "{}", pty.screen());
        fs::write(&pipe, "key-of-work\n").unwrap();
        pty.wait_for(then);
        pty.send("q");
        pty.wait();
    }
}
