//! A log in a pipe whose reader has stopped reading, and output without a reader.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use reqwest::Method;
use serde_json::Value;

use crate::support::cli_user::CliUser;
use crate::support::own_process::{KilledOnDrop, send_signal};
use crate::support::serve_process::{Caller, key_of};
use crate::support::waiting::{until, wait_until};

/// Requests whose log lines together exceed every pipe, and what waits in memory.
const REQUESTS: usize = 400;

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_whose_log_nobody_reads_answers_ends_and_names_the_dropped_lines_later() {
    let person = CliUser::new();
    let key = key_of(&person);
    let (mut log, writer) = std::io::pipe().unwrap();
    let mut command = person.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = KilledOnDrop(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(writer).spawn().unwrap());
    drop(command);
    let mut address = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut address).unwrap();
    let caller = Caller::new(address.trim().trim_start_matches("listening on "), &key);
    let path = format!("/{}", "x".repeat(8_000));
    for _ in 0..REQUESTS {
        assert_eq!(caller.request(Method::GET, &path).send().await.unwrap().status(), 404);
    }
    // Reads as much as the pipe holds and a request writes: from then on the service can write again.
    let mut lines = BufReader::new(&mut log).lines();
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["fields"]["status"], 404);
    let (mut requests, mut dropped) = (1, 0);
    while dropped == 0 {
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        requests += u64::from(line["fields"]["message"] == "request");
        dropped = line["fields"]["lines"].as_u64().unwrap_or_default();
    }
    assert_eq!(requests + dropped, REQUESTS as u64, "each request is logged or counted");
    drop(lines);
    for _ in 0..REQUESTS {
        assert_eq!(caller.request(Method::GET, &path).send().await.unwrap().status(), 404);
    }
    send_signal(child.id(), "TERM");
    wait_until("the end of a service whose log is not read", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    log.read_to_end(&mut Vec::new()).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_service_whose_output_has_no_reader_runs() {
    let person = CliUser::new();
    let key = key_of(&person);
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let closed = || std::io::pipe().unwrap().1;
    let mut command = person.command(&["serve", "--listen", &address]);
    let mut child = KilledOnDrop(command.stdin(Stdio::null()).stdout(closed()).stderr(closed()).spawn().unwrap());
    let caller = Caller::new(&format!("http://{address}"), &key);
    until("a response", async || {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended");
        caller.request(Method::GET, "").send().await.is_ok_and(|response| response.status() == 200)
    })
    .await;
    send_signal(child.id(), "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
