//! A thousand connections to the built service on which nothing comes: those that fit are kept, the others are told so,
//! who was there is served, and afterwards every file of the process is free again.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use reqwest::Method;

use crate::person::Person;
use crate::serving::{Caller, Serving, key_of};

/// What the service keeps open at most.
const MOST: usize = 800;
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
        std::thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_idle_connections_are_kept_or_told_and_leave_nothing_behind() {
    let person = Person::new();
    let key = key_of(&person);
    let serving = Serving::start(&person);
    let caller = Caller::new(&serving.base_url, &key);
    let list = async || Caller::answered(caller.request(Method::GET, "")).await.unwrap().0;
    assert_eq!(list().await, 200);
    let before = files(serving.id());

    let address = serving.base_url.trim_start_matches("http://").to_owned();
    let count = affordable();
    let mut silent: Vec<TcpStream> = (0..count).map(|_| TcpStream::connect(&address).unwrap()).collect();
    // The caller's own connection has a place too.
    let over = count.saturating_sub(MOST - 1);
    let mut told = silent.split_off(count - over);
    for stream in &mut told {
        stream.set_read_timeout(Some(HANG)).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("\r\nretry-after: 1\r\n"), "{answer}");
    }
    drop(told);
    until("the others have their files", || files(serving.id()) >= before + silent.len());
    for _ in 0..20 {
        assert_eq!(list().await, 200, "who was there is served");
    }
    // One that was silent until now is still listened to.
    if let Some(late) = silent.last_mut() {
        late.set_read_timeout(Some(HANG)).unwrap();
        late.write_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        let mut answer = [0; 12];
        late.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
    drop(silent);
    until("every file is free again", || files(serving.id()) <= before);
    assert_eq!(list().await, 200);
    println!("{count} connections, {over} told that there is no room, {before} files before and after");
}
