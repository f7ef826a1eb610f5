//! A thousand idle connections to the built service: the ones idle longest make room for new clients, and every file
//! descriptor is closed afterwards. The clients have a process of their own, because they open most of its files.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::support::cli_user::CliUser;
use crate::support::own_process::in_own_process;
use crate::support::serve_process::{Serving, key_of};

/// What the service keeps open at most.
const MOST: usize = 800;
/// Files that the database opens when a reader is first needed: they have nothing to do with connections.
const OF_THE_DATABASE: usize = 8;
/// Nothing takes so long, also not on a machine that does much else.
const HANG: Duration = Duration::from_mins(1);

/// How many files a process has open.
fn files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

/// How many connections this process can make: some files are needed for other things.
fn affordable() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let most: usize = line.split_whitespace().nth(3).unwrap().parse().unwrap_or(usize::MAX);
    most.saturating_sub(150).min(1_000)
}

/// Waits until something holds.
fn until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < HANG, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Somebody with a connection of their own: a client that opens another one now and then would be told that there is no
/// room.
struct There {
    stream: TcpStream,
    request: String,
}

impl There {
    fn new(address: &str, key: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        let request = format!("GET /api/v1/reports HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n");
        Self { stream, request }
    }

    /// Asks for the list, over the same connection again.
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
    let mut there = There::new(&address, &key);
    there.is_served();
    let before = files(serving.id());

    let count = affordable();
    let mut silent: Vec<TcpStream> = (0..count).map(|_| TcpStream::connect(&address).unwrap()).collect();
    // Whoever was there, and the first of the silent ones, made room for the last ones.
    let over = count.saturating_sub(MOST - 1);
    let closed = silent.drain(..over.saturating_sub(1));
    for mut stream in closed {
        stream.set_read_timeout(Some(HANG)).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer, "", "closed without a word: nothing was asked");
    }
    let mut there = There::new(&address, &key);
    for _ in 0..20 {
        there.is_served();
    }
    assert!(files(serving.id()) <= before + MOST + OF_THE_DATABASE);
    // One that was silent until now is still listened to.
    if let Some(late) = silent.last_mut() {
        late.set_read_timeout(Some(HANG)).unwrap();
        late.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        let mut answer = [0; 12];
        late.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
    drop(silent);
    until("every file is free again", || files(serving.id()) <= before + OF_THE_DATABASE);
    there.is_served();
    println!("{count} connections, {over} too many, {before} files before and after");
}
