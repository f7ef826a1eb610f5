//! Runs the built program with an empty home directory, and serves a page to audit.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use portable_pty::CommandBuilder;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::pty::Pty;

/// A user of the program with an empty home directory and an environment of its own.
pub struct CliUser {
    home: TempDir,
    variables: Vec<(String, String)>,
}

impl CliUser {
    pub fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    /// Creates a user whose default service is a remote one.
    pub fn with_service(base_url: &str) -> Self {
        Self::new().with("REPORTDECK_BASE_URL", base_url).with("REPORTDECK_API_KEY", "a-key")
    }

    /// Adds a variable to the environment.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Writes the configuration file.
    pub fn configure(&self, text: &str) {
        let folder = self.home().join(".config/reportdeck");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), text).unwrap();
    }

    /// Returns the command that runs the program.
    pub fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_reportdeck"));
        // Tests never touch this machine's keyring.
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        command.args(arguments).env_clear().env(home, self.home()).env("REPORTDECK_KEYRING", "off");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Starts the program in a terminal of [`COLUMNS`].
    pub fn terminal(&self, arguments: &[&str]) -> Pty {
        self.terminal_of(COLUMNS, arguments)
    }

    /// Starts the program in a terminal of this width.
    pub fn terminal_of(&self, columns: u16, arguments: &[&str]) -> Pty {
        let plain = self.command(arguments);
        let mut command = CommandBuilder::new(plain.get_program());
        command.args(plain.get_args());
        command.env_clear();
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("TERM", "xterm-256color");
        Pty::start(command, columns, 30)
    }

    /// Runs the program with an empty stdin.
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_with(arguments, "")
    }

    /// Runs the program with this stdin.
    pub fn run_with(&self, arguments: &[&str], stdin: &str) -> CommandOutput {
        let mut command = Command::from_std(self.command(arguments));
        CommandOutput::new(command.write_stdin(stdin).output().unwrap())
    }
}

/// The width of [`CliUser::terminal`].
pub const COLUMNS: u16 = 140;

/// The exit code and output of a run.
#[derive(Debug)]
pub struct CommandOutput {
    pub code: i32,
    pub out: String,
    pub error: String,
}

impl CommandOutput {
    fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let ended = Self { code: output.status.code().unwrap(), out: text(output.stdout), error: text(output.stderr) };
        assert!(!ended.error.contains("panicked"), "{ended:?}");
        ended
    }

    /// Returns stdout parsed as JSON lines.
    pub fn records(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{self:?}"))).collect()
    }

    /// Returns the machine-readable error in the last line of stderr.
    pub fn problem(&self) -> Value {
        let last = self.error.lines().last().unwrap_or_else(|| panic!("{self:?}"));
        let value: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{self:?}"));
        value["error"].clone()
    }
}

/// Returns state and text of a finding of `doctor` or `login`.
pub fn found(output: &CommandOutput, check: &str) -> (String, String) {
    let records = output.records();
    let row = records.iter().find(|row| row["check"] == check).unwrap_or_else(|| panic!("{check}: {output:?}"));
    let text = |field: &str| row[field].as_str().unwrap().to_owned();
    (text("state"), text("found"))
}

/// Writes an executable shell script. A separate process writes it: a child started by another test at the same time
/// would inherit our write handle, and a file that is open for writing cannot be executed.
#[cfg(unix)]
pub fn script(path: &Path, commands: &str) {
    let mut copy = Command::new("sh");
    copy.args(["-c", r#"cat > "$0"; chmod 755 "$0""#]).arg(path);
    copy.write_stdin(format!("#!/bin/sh\n{commands}")).assert().success();
}

/// Serves one small page on every path until the test process ends; returns its base URL.
pub fn page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            std::thread::spawn(move || {
                let _ = stream.read(&mut [0; 4096]);
                let text = "<!doctype html><html lang=\"en\"><title>Tea</title><h1>Tea</h1><p>words</p>";
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    text.len()
                );
                let _ = stream.write_all(format!("{head}{text}").as_bytes());
            });
        }
    });
    format!("http://{address}")
}
