//! Commands on many reports that are interrupted: running requests finish, and the others are named.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::bulk::{Gate, id, writes};
use crate::support::cli_user::CliUser;
use crate::support::own_process::send_signal;
use crate::support::scripted_server::{Reply, ScriptedServer};

/// Starts six deletions and waits until three are running; returns the gate that lets them finish. `wrapper` is a program
/// that starts ours.
async fn running(wrapper: Option<&str>, format: &str) -> (ScriptedServer, Child, Gate) {
    let (come, gate) = (Gate::default(), Gate::default());
    let (came, opened) = (come.clone(), gate.clone());
    let service = ScriptedServer::start(move |asked| {
        came.add(1);
        if id(asked) != "1" {
            opened.wait_for(1);
        }
        Reply::head(204, &[])
    })
    .await;
    let person = CliUser::with_service(&service.base);
    let arguments = ["reports", "delete", "1", "2", "3", "4", "5", "6", "--yes", "--format", format];
    let mut command = person.command(&arguments);
    if let Some(wrapper) = wrapper {
        let plain = command;
        command = Command::new(wrapper);
        command.arg(plain.get_program()).args(plain.get_args()).env_clear();
        command.envs(plain.get_envs().map(|(name, value)| (name, value.unwrap())));
    }
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    come.wait_for(4);
    (service, child, gate)
}

/// [`running`], and interrupted.
async fn interrupted(format: &str) -> (ScriptedServer, Child, Gate) {
    let (service, child, gate) = running(None, format).await;
    send_signal(child.id(), "INT");
    (service, child, gate)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn an_interrupt_waits_for_running_requests() {
    for format in ["json", "jsonl"] {
        let (service, mut child, gate) = interrupted(format).await;
        let mut error = BufReader::new(child.stderr.take().unwrap()).lines();
        assert_eq!(
            error.next().unwrap().unwrap(),
            "note: stopping; waiting for 3 in flight, Ctrl-C again quits immediately"
        );
        gate.add(1);
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let rows = match format {
            "json" => serde_json::from_str::<Vec<Value>>(&out).unwrap(),
            _ => out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        };
        assert_eq!((output.status.code(), rows.len()), (Some(7), 4), "{out}");
        assert_eq!(error.next().unwrap().unwrap(), "error: 2 of 6 not sent");
        assert_eq!(writes(&service).len(), 4);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_second_interrupt_exits_at_once_and_names_unknown_outcomes() {
    let (_service, mut child, gate) = interrupted("json").await;
    let mut error = BufReader::new(child.stderr.take().unwrap()).lines();
    error.next().unwrap().unwrap();
    send_signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap();
    gate.add(1);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), rows), (Some(7), vec![json!({ "id": "1", "deleted": true })]));
    let error: Vec<String> = error.map(Result::unwrap).collect();
    assert_eq!(error.iter().filter(|line| line.contains("the outcome is unknown")).count(), 3, "{error:?}");
    assert!(error.contains(&"error: 3 of 6 failed, 2 not sent".to_owned()), "{error:?}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_closed_terminal_and_a_time_limit_wait_for_running_requests() {
    // The shell and the system send one HUP each, and `timeout` sends TERM to the program and to its group.
    for signal in ["HUP", "TERM"] {
        let (service, mut child, gate) = running(None, "jsonl").await;
        send_signal(child.id(), signal);
        let mut error = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(error.next().unwrap().unwrap().starts_with("note: stopping; waiting for 3 in flight"));
        send_signal(child.id(), signal);
        gate.add(1);
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let ended = (output.status.code(), out.lines().count(), writes(&service).len());
        assert_eq!(ended, (Some(7), 4, 4), "{signal}: {out}");
        assert_eq!(error.next().unwrap().unwrap(), "error: 2 of 6 not sent");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn nohup_lets_a_command_outlive_its_terminal() {
    let (service, child, gate) = running(Some("nohup"), "jsonl").await;
    send_signal(child.id(), "HUP");
    gate.add(1);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), writes(&service).len()), (Some(0), 6), "{output:?}");
}
