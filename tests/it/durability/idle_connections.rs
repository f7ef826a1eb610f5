//! A thousand idle connections to the built service: those that are idle longest are closed for new clients, and every
//! file descriptor is closed afterwards. The clients run in their own process, because they use most of its open files.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::disk_quota::limited;
use crate::support::cli_user::CliUser;
use crate::support::own_process::in_own_process;
use crate::support::serve_process::{Serving, key_of};
use crate::support::waiting::{PATIENCE, wait_until};

/// The service's limit of open connections.
const MOST: usize = 800;
/// Files that the database opens for its first readers; they are not connections.
const OF_THE_DATABASE: usize = 8;

/// Returns the number of files that a process has open.
fn files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

/// Returns the number of connections that this process can open beside its other files.
fn affordable() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let most: usize = line.split_whitespace().nth(3).unwrap().parse().unwrap_or(usize::MAX);
    most.saturating_sub(150).min(1_000)
}

/// A client that keeps its connection; reconnecting could find the service full.
struct KeepAliveClient {
    stream: TcpStream,
    request: String,
}

impl KeepAliveClient {
    fn new(address: &str, key: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("GET /api/v1/reports HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n");
        Self { stream, request }
    }

    /// Requests the list on the same connection.
    fn is_served(&mut self) {
        self.stream.write_all(self.request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\"status\":200}") {
            let mut piece = [0; 4_096];
            let count = self.stream.read(&mut piece).unwrap();
            assert!(count > 0, "the connection ended: {}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&piece[..count]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"));
    }
}

#[test]
fn a_thousand_idle_connections_block_no_client_and_leak_no_files() {
    in_own_process(module_path!(), "a_thousand_idle_connections_block_no_client_and_leak_no_files", idle_connections);
}

fn idle_connections() {
    let person = CliUser::new();
    let key = key_of(&person);
    let serving = Serving::start(&person);
    let address = serving.base_url.trim_start_matches("http://").to_owned();
    let mut client = KeepAliveClient::new(&address, &key);
    client.is_served();
    let before = files(serving.id());

    let count = affordable();
    let mut silent: Vec<TcpStream> = (0..count).map(|_| TcpStream::connect(&address).unwrap()).collect();
    // The first client and the first silent connections were closed for the last ones.
    let over = count.saturating_sub(MOST - 1);
    let closed = silent.drain(..over.saturating_sub(1));
    for mut stream in closed {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer, "", "closed without a response, because there was no request");
    }
    let mut client = KeepAliveClient::new(&address, &key);
    for _ in 0..20 {
        client.is_served();
    }
    assert!(files(serving.id()) <= before + MOST + OF_THE_DATABASE);
    // A connection that has been silent so far is still served.
    if let Some(late) = silent.last_mut() {
        late.set_read_timeout(Some(PATIENCE)).unwrap();
        late.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        let mut answer = [0; 12];
        late.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
    drop(silent);
    wait_until("every file is free again", || files(serving.id()) <= before + OF_THE_DATABASE);
    client.is_served();
    println!("{count} connections, {over} too many, {before} files before and after");
}

#[test]
fn idle_connections_do_not_use_up_the_files_of_a_process_that_may_open_few() {
    let person = CliUser::new();
    let key = key_of(&person);
    let serving = Serving::of(limited(&person, "-n 128", &["serve", "--listen", "127.0.0.1:0"]));
    let address = serving.base_url.trim_start_matches("http://").to_owned();
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(TcpStream::connect(&address).unwrap());
        KeepAliveClient::new(&address, &key).is_served();
    }
    drop(silent);
    assert_eq!(serving.log(), "");
}
