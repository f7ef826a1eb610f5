//! A `serve` process of the built binary, and a client for it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdout, Command, Stdio};

use reqwest::{Method, RequestBuilder};

use crate::support::cli_user::CliUser;
use crate::support::own_process::{KilledOnDrop, send_signal};

/// Returns the default data directory.
pub fn data_of(person: &CliUser) -> PathBuf {
    person.home().join(".local/share/reportdeck")
}

/// Returns the database in the default data directory.
pub fn database_of(person: &CliUser) -> PathBuf {
    data_of(person).join("reports.sqlite3")
}

/// Creates a key and returns it.
pub fn key_of(person: &CliUser) -> String {
    let created = person.run(&["keys", "create", "team"]);
    assert_eq!(created.code, 0, "{created:?}");
    created.records()[0]["key"].as_str().unwrap().to_owned()
}

/// A running `serve` process.
pub struct Serving {
    child: KilledOnDrop,
    error: ChildStderr,
    _out: BufReader<ChildStdout>,
    pub base_url: String,
}

impl Serving {
    pub fn start(person: &CliUser) -> Self {
        Self::of(person.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    /// Runs a command that becomes a `serve`, and reads the address it listens on.
    pub fn of(mut command: Command) -> Self {
        command.env("REPORTDECK_LOG", "warn").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = KilledOnDrop(command.spawn().unwrap());
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let mut error = child.stderr.take().unwrap();
        let Some(base_url) = line.trim().strip_prefix("listening on ").map(str::to_owned) else {
            let mut reason = String::new();
            error.read_to_string(&mut reason).unwrap();
            panic!("it does not listen: {line}{reason}");
        };
        Self { child, error, _out: out, base_url }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the process with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops the process and returns its warnings and errors.
    pub fn log(mut self) -> String {
        send_signal(self.id(), "TERM");
        let mut log = String::new();
        self.error.read_to_string(&mut log).unwrap();
        log
    }
}

/// A client with a key.
#[derive(Clone)]
pub struct Caller {
    http: reqwest::Client,
    base_url: String,
    key: String,
}

impl Caller {
    pub fn new(base_url: &str, key: &str) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().tls_certs_only([]).no_proxy().build().unwrap();
        Self { http, base_url: base_url.to_owned(), key: key.to_owned() }
    }

    /// Prepares a request to the reports, or to one of them.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}/api/v1/reports{path}", self.base_url)).bearer_auth(&self.key)
    }

    /// Returns the status and body of the response, if any.
    pub async fn answered(request: RequestBuilder) -> Option<(u16, serde_json::Value)> {
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        Some((status, serde_json::from_slice(&response.bytes().await.ok()?).unwrap()))
    }
}
