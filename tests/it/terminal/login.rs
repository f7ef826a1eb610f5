//! The prompts of `login`.

use crate::support::pty::Pty;

use super::program;

#[test]
fn an_invalid_address_is_asked_for_again() {
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.args(["login", "work"]);
    let mut pty = Pty::start(command, 100, 30);
    for (typed, answer) in [
        ("shop.example", "`shop.example` cannot be used: it does not begin with https://"),
        ("http://shop.example", "it is plain http"),
    ] {
        pty.wait_until("the prompt", |screen| screen.contents().trim_end().ends_with("Base URL for profile work:"));
        pty.send(&format!("{typed}\r"));
        pty.wait_for(answer);
    }
    pty.wait_until("the prompt", |screen| screen.contents().trim_end().ends_with("Base URL for profile work:"));
    pty.send("https://shop.example\r");
    pty.wait_for("API key for https://shop.example (not shown):");
    pty.send("\x03");
    pty.wait_for("nothing was entered");
    assert_eq!(pty.wait().exit_code(), 1);

    // An empty line, and the end of the input.
    for nothing in ["\r", "\u{4}"] {
        let mut command = program(home.path());
        command.args(["login", "work"]);
        let mut pty = Pty::start(command, 100, 30);
        pty.wait_for("Base URL for profile work:");
        pty.send(nothing);
        pty.wait_for("\nerror: no base URL was given");
        assert_eq!(pty.wait().exit_code(), 2);
    }
}
