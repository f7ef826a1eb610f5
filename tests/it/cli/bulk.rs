//! Commands on many reports: concurrency, order of the output, and conditions that stop a run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::cli_user::{CliUser, CommandOutput};
use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};
use crate::support::waiting::{PATIENCE, wait_until};

/// A counter of events that threads can wait for.
#[derive(Clone, Default)]
pub(super) struct Gate(Arc<(Mutex<usize>, Condvar)>);

impl Gate {
    pub(super) fn add(&self, count: usize) {
        *self.0.0.lock().unwrap() += count;
        self.0.1.notify_all();
    }

    pub(super) fn wait_for(&self, count: usize) {
        let wait = || self.0.1.wait_timeout_while(self.0.0.lock().unwrap(), PATIENCE, |now| *now < count).unwrap().1;
        // The connection thread waits without blocking other requests.
        assert!(!tokio::task::block_in_place(wait).timed_out(), "the counter never reached {count}");
    }
}

pub(super) fn id(asked: &RecordedRequest) -> String {
    asked.path().rsplit('/').next().unwrap().to_owned()
}

fn report(asked: &RecordedRequest) -> Reply {
    let at = "2026-01-02T03:04:05Z";
    let row = json!({ "id": id(asked), "url": "shop.example", "result": "good", "privacy": 1, "generated_at": at });
    Reply::Json(200, json!({ "data": row }))
}

fn put_off() -> Reply {
    Reply::Full(429, vec!["Retry-After: 1".into(), "Content-Type: application/json".into()], b"{}".to_vec())
}

fn ids(output: &CommandOutput) -> Vec<String> {
    output.records().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

pub(super) fn writes(service: &ScriptedServer) -> Vec<RecordedRequest> {
    service.asked().into_iter().filter(|asked| asked.method != "GET").collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn three_requests_run_concurrently_after_the_first() {
    let (come, inside, most) = (Gate::default(), Arc::new(Mutex::new(0_usize)), Arc::new(Mutex::new(0_usize)));
    let (came, most_at_once) = (come.clone(), Arc::clone(&most));
    let service = ScriptedServer::start(move |asked| {
        let now = {
            let mut inside = inside.lock().unwrap();
            *inside += 1;
            *inside
        };
        let mut most = most_at_once.lock().unwrap();
        *most = (*most).max(now);
        drop(most);
        came.add(1);
        // The first request is alone; the next ones wait until there are three of them.
        if id(asked) != "1" {
            came.wait_for(4);
        }
        *inside.lock().unwrap() -= 1;
        report(asked)
    })
    .await;
    let output =
        CliUser::with_service(&service.base).run(&["reports", "update", "1", "2", "3", "4", "5", "2", "--rerun"]);
    assert_eq!((output.code, output.error.as_str(), output.records().len()), (0, "", 5), "{output:?}");
    assert_eq!((*most.lock().unwrap(), writes(&service).len()), (3, 5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn three_reports_are_created_at_once_and_printed_in_the_order_of_the_arguments() {
    let come = Gate::default();
    let came = come.clone();
    let service = ScriptedServer::start(move |asked| {
        came.add(1);
        let page = asked.body.trim_start_matches("url=").to_owned();
        // The second response waits until the two concurrent requests have arrived.
        if page == "b" {
            came.wait_for(4);
        }
        Reply::Json(201, json!({ "data": { "id": asked.before, "url": page } }))
    })
    .await;
    let output = CliUser::with_service(&service.base).run(&["reports", "create", "a", "b", "c", "d", "e"]);
    let urls: Vec<Value> = output.records().iter().map(|row| row["url"].clone()).collect();
    assert_eq!(
        (output.code, output.error.as_str(), urls),
        (0, "", ["a", "b", "c", "d", "e"].map(Value::from).to_vec())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn jsonl_is_printed_as_results_arrive_and_json_in_the_order_of_the_arguments() {
    for format in ["jsonl", "json", "csv"] {
        let fifth = Gate::default();
        let service = ScriptedServer::start(move |asked| {
            match id(asked).as_str() {
                "2" => fifth.wait_for(1),
                "5" => fifth.add(1),
                _ => {}
            }
            report(asked)
        })
        .await;
        let arguments = ["reports", "update", "1", "2", "3", "4", "5", "--privacy", "private", "--format", format];
        let output = CliUser::with_service(&service.base).run(&arguments);
        let order: Vec<String> = match format {
            "jsonl" => ids(&output),
            "json" => {
                let list: Vec<Value> = serde_json::from_str(&output.out).unwrap();
                list.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
            }
            _ => output.out.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect(),
        };
        let given = ["1", "2", "3", "4", "5"];
        assert_eq!(order == given, format != "jsonl", "{order:?}");
        assert_eq!((output.code, order.len()), (0, 5), "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_changes_of_a_report_are_one_request() {
    let service = ScriptedServer::start(report).await;
    let arguments = ["reports", "update", "1", "2", "--privacy", "password", "--password-stdin", "--rerun"];
    let output = CliUser::with_service(&service.base).run_with(&arguments, "hush\n");
    assert_eq!(output.code, 0, "{output:?}");
    let bodies: Vec<String> = writes(&service).into_iter().map(|asked| asked.body).collect();
    assert_eq!(bodies, ["privacy=2&password=hush&results=1"; 2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_project_given_twice_is_deleted_once() {
    let service = ScriptedServer::start(|asked| match asked.before {
        0 => Reply::Json(200, json!({ "deleted": true })),
        _ => Reply::Json(404, json!({})),
    })
    .await;
    let arguments = ["projects", "delete", "shop.example", "tea.example", "shop.example", "--yes"];
    let deleted = CliUser::with_service(&service.base).run(&arguments);
    assert_eq!((deleted.code, ids(&deleted)), (0, vec!["shop.example".to_owned(), "tea.example".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rate_limited_write_is_sent_again_after_the_wait() {
    let service =
        ScriptedServer::start(|asked| if asked.before == 0 && id(asked) == "2" { put_off() } else { report(asked) });
    let service = service.await;
    let output = CliUser::with_service(&service.base).run(&["reports", "update", "1", "2", "3", "--rerun"]);
    assert_eq!((output.code, output.records().len(), writes(&service).len()), (0, 3, 4), "{output:?}");
    assert_eq!(output.error, "note: too many requests; continuing in 1 s, as the service requests\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_rate_limited_create_of_many_urls_waits_once_for_all() {
    // The three requests after the first are in flight together, and all are rate limited.
    let service = ScriptedServer::start(|asked| match asked.before {
        1..=3 => put_off(),
        before => Reply::Json(201, json!({ "data": { "id": before, "url": asked.body.trim_start_matches("url=") } })),
    })
    .await;
    let started = std::time::Instant::now();
    let output = CliUser::with_service(&service.base).run(&["reports", "create", "a", "b", "c", "d", "e"]);
    let urls: Vec<Value> = output.records().iter().map(|row| row["url"].clone()).collect();
    assert_eq!((output.code, urls), (0, ["a", "b", "c", "d", "e"].map(Value::from).to_vec()), "{output:?}");
    assert_eq!(output.error, "note: too many requests; continuing in 1 s, as the service requests\n");
    assert_eq!(writes(&service).len(), 8, "{output:?}");
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_that_stays_rate_limited_is_given_up() {
    for arguments in
        [&["reports", "delete", "1", "2", "3", "4", "--yes"][..], &["reports", "create", "a", "b", "c", "d"]]
    {
        let service = ScriptedServer::start(|_| put_off()).await;
        let output = CliUser::with_service(&service.base).run(arguments);
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
        assert_eq!((&output.problem()["kind"], &output.problem()["status"]), (&json!("rate_limited"), &json!(429)));
        assert_eq!(output.error.matches("continuing in").count(), 3, "{output:?}");
        assert!(output.error.contains("1 more not tried"), "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn reads_that_stay_rate_limited_wait_together_and_are_given_up_after_three_waits() {
    for (status, words) in [(429, "too many requests"), (503, "the service is busy")] {
        let head = vec!["Retry-After: 3".into(), "Content-Type: application/json".into()];
        let put_off = move || Reply::Full(status, head.clone(), b"{}".to_vec());
        let service =
            ScriptedServer::start(move |asked| if id(asked) == "1" { report(asked) } else { put_off() }).await;
        let output = CliUser::with_service(&service.base).run(&["reports", "show", "1", "2", "3", "4", "5"]);
        assert_eq!((output.code, ids(&output)), (7, vec!["1".to_owned()]), "{output:?}");
        assert_eq!(output.error.matches(&format!("note: {words}; continuing in 3 s")).count(), 3, "{output:?}");
        assert_eq!(output.error.matches("continuing in").count(), 3, "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rejected_key_stops_the_remaining_items() {
    let refusal = json!({ "message": "Unauthenticated." });
    let service = ScriptedServer::start(move |asked| match id(asked).as_str() {
        "1" | "2" => report(asked),
        _ => Reply::Json(401, refusal.clone()),
    })
    .await;
    let arguments = ["reports", "update", "1", "2", "3", "4", "5", "6", "7", "8", "9", "--rerun", "--format", "json"];
    let output = CliUser::with_service(&service.base).run(&arguments);
    let list: Vec<Value> = serde_json::from_str(&output.out).unwrap();
    assert_eq!((output.code, list.len()), (7, 2), "{output:?}");
    assert!(writes(&service).len() <= 5, "{output:?}");
    assert!(output.error.contains("more not tried: the key would be refused again"), "{output:?}");
    assert!(output.problem()["message"] == "7 of 9 failed", "{output:?}");
    assert_eq!(output.problem()["failed"], json!(["3", "4", "5", "6", "7", "8", "9"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_failures_of_the_service_in_a_row_stop_the_remaining_items_and_missing_reports_do_not() {
    let ids: Vec<String> = (1..=30).map(|number| number.to_string()).collect();
    for (status, most) in [(500, 12), (403, 12), (404, 30), (422, 30)] {
        let service = ScriptedServer::start(move |_| Reply::Json(status, json!({ "message": "broken" }))).await;
        let arguments =
            [&["reports", "delete", "--yes"], &*ids.iter().map(String::as_str).collect::<Vec<_>>()].concat();
        let output = CliUser::with_service(&service.base).run(&arguments);
        let sent = writes(&service).len();
        assert!((10..=most).contains(&sent) && (sent == 30) == (most == 30), "{status}: {sent} {output:?}");
        let untried = output.error.contains(&format!("{} more not tried: too many failed in a row", 30 - sent));
        assert_eq!((output.code == 0, untried), (false, most < 30), "{status}: {output:?}");
        assert_eq!(output.problem()["failed"].as_array().unwrap().len(), 30, "{status}: {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_with_an_unknown_outcome_is_looked_up_and_never_resent() {
    for (change, code, expected) in [
        // The previous audit time is unknown here, so a time proves nothing.
        (&["--rerun"][..], 1, "The report is now good, private"),
        (&["--rerun", "--privacy", "private"], 1, "The report is now good, private"),
        (&["--privacy", "private"], 0, "the change was made nevertheless"),
        (&["--privacy", "public"], 1, "The report is now good, private"),
    ] {
        let answer =
            |asked: &RecordedRequest| if asked.method == "PUT" { Reply::Json(502, json!({})) } else { report(asked) };
        let service = ScriptedServer::start(answer).await;
        let arguments = [&["reports", "update", "1", "2"], change].concat();
        let output = CliUser::with_service(&service.base).run(&arguments);
        assert_eq!((output.code, writes(&service).len()), (code, 2), "{change:?} {output:?}");
        assert_eq!(output.error.matches(expected).count(), 2, "{change:?} {output:?}");
        assert_eq!(output.records().len(), if code == 0 { 2 } else { 0 });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_report_whose_creation_timed_out_may_still_be_created() {
    let answer = |asked: &RecordedRequest| match asked.method.as_str() {
        "POST" => Reply::Silence,
        _ => Reply::Json(200, json!({ "data": [] })),
    };
    let service = ScriptedServer::start(answer).await;
    let person = CliUser::with_service(&service.base);
    let output = person.run(&["reports", "create", "https://shop.example/", "--timeout", "1s"]);
    assert_eq!((output.code, writes(&service).len()), (6, 1), "{output:?}");
    assert!(output.error.contains("the service may still create it. List the newest reports"), "{output:?}");
    assert!(!output.error.contains("probably not created"), "{output:?}");
}

/// Runs a command whose reader closes stdout after the first line, and then opens the gate. Returns the exit code and
/// stderr.
fn run_with_closed_reader(base: &str, arguments: &[&str], opened: &Gate) -> (Option<i32>, String) {
    let mut command = CliUser::with_service(base).command(arguments);
    let (reader, mut writer) = std::io::pipe().unwrap();
    let child = command.stdout(writer.try_clone().unwrap()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(reader).read_line(&mut line).unwrap();
    // A process that another test starts at this moment also holds the reader until it runs its program.
    while writer.write_all(b"\n").is_ok() {}
    opened.add(1);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_closed_stdout_stops_the_run_with_a_message() {
    for arguments in [&["reports", "update"][..], &["reports", "create"]] {
        let opened = Gate::default();
        let reader = opened.clone();
        let service = ScriptedServer::start(move |asked| {
            if id(asked) != "1" && (asked.method == "PUT" || asked.before > 0) {
                reader.wait_for(1);
            }
            report(asked)
        })
        .await;
        let ids: Vec<String> = (1..10).map(|number| number.to_string()).collect();
        let mut arguments = [arguments, &ids.iter().map(String::as_str).collect::<Vec<_>>()].concat();
        if arguments.contains(&"update") {
            arguments.push("--rerun");
        }
        let (code, error) = run_with_closed_reader(&service.base, &arguments, &opened);
        assert_eq!(code, Some(7), "{error}");
        assert!(error.contains("of 9 not sent"), "{error}");
        assert_eq!(writes(&service).len(), 4, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn show_ends_silently_if_its_reader_has_seen_enough() {
    let opened = Gate::default();
    let reader = opened.clone();
    let service = ScriptedServer::start(move |asked| {
        if id(asked) != "1" {
            reader.wait_for(1);
        }
        report(asked)
    })
    .await;
    let arguments = ["reports", "show", "1", "2", "3", "4", "5", "6", "7", "8"];
    let ended = run_with_closed_reader(&service.base, &arguments, &opened);
    assert_eq!(ended, (Some(0), String::new()), "as `reports list` does");
    assert!(service.asked().len() < 8, "the rest is not read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stdin_takes_bare_ids_and_the_output_of_a_list() {
    let service = ScriptedServer::start(|_| Reply::head(204, &[])).await;
    let person = CliUser::with_service(&service.base);
    let output = person.run_with(&["reports", "delete", "-", "--yes"], "3\n{\"id\":\"4\",\"url\":\"x\"}\n\n3\n");
    let deleted: Vec<String> = writes(&service).iter().map(id).collect();
    assert_eq!((output.code, deleted), (0, vec!["3".to_owned(), "4".to_owned()]), "{output:?}");
    let none = person.run_with(&["reports", "update", "-", "--rerun", "--format", "json"], "\n");
    assert_eq!((none.code, none.out.as_str()), (0, "[]\n"), "{none:?}");
    for (arguments, stdin, expected) in [
        (&["reports", "delete", "-", "1", "--yes"][..], "", "must be given alone"),
        (&["reports", "delete", "-"], "1\n", "Add --yes"),
        (&["reports", "delete", "-", "--yes"], "1\n{\"id\":null}\n", "line 2"),
        (&["reports", "update", "-", "--privacy", "password", "--password-stdin"], "1\n", "--password-file"),
    ] {
        let output = person.run_with(arguments, stdin);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?} {output:?}");
        assert!(output.error.contains(expected), "{arguments:?} {output:?}");
    }
    assert_eq!(writes(&service).len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stdin_takes_operands_in_every_format() {
    let service = ScriptedServer::start(|asked| match asked.method.as_str() {
        "POST" => Reply::Json(201, json!({ "data": { "id": asked.before, "url": asked.body } })),
        _ => Reply::head(204, &[]),
    })
    .await;
    let person = CliUser::with_service(&service.base);
    for (stdin, count) in [
        ("shop.example/a\nshop.example/b\n", 2),
        ("[\"shop.example/a\", {\"url\": \"shop.example/b\"}]", 2),
        ("id,url\n1,shop.example/a\n", 1),
    ] {
        let output = person.run_with(&["reports", "create", "-"], stdin);
        assert_eq!((output.code, output.records().len()), (0, count), "{stdin} {output:?}");
    }
    assert!(writes(&service).iter().all(|asked| asked.body.starts_with("url=shop.example%2F")));
    let output = person.run_with(&["reports", "delete", "-", "--yes"], "url,id\nshop.example,3\n");
    assert_eq!(output.records(), [json!({ "id": "3", "deleted": true })], "{output:?}");
    let none = person.run_with(&["reports", "create", "-", "--format", "json"], "");
    assert_eq!((none.code, none.out.as_str()), (0, "[]\n"), "{none:?}");
    for (arguments, stdin, expected) in [
        (&["reports", "create", "-", "shop.example"][..], "", "must be given alone"),
        (&["reports", "create", "-", "--privacy", "password", "--password-stdin"], "a", "--password-file"),
        (&["reports", "create", "-"], "[{\"id\": 1}]", "record 1 of stdin has no url"),
        (&["audit", "-"], "[\"shop.example\"", "truncated"),
    ] {
        let output = person.run_with(arguments, stdin);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?} {output:?}");
        assert!(output.error.contains(expected), "{arguments:?} {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_terminal_shows_the_progress_in_one_line() {
    let gate = Gate::default();
    let open = gate.clone();
    let service = ScriptedServer::start(move |asked| match id(asked).as_str() {
        "1" => report(asked),
        "2" => Reply::Json(403, json!({})),
        _ => {
            open.wait_for(1);
            report(asked)
        }
    })
    .await;
    let person = CliUser::with_service(&service.base);
    let mut pty = person.terminal_of(120, &["reports", "update", "1", "2", "3", "4", "5", "--rerun"]);
    pty.wait_for("re-running 2/5, 1 failed");
    gate.add(1);
    assert_eq!(pty.wait().exit_code(), 7);
    let screen = pty.screen();
    assert!(!screen.contains("re-running"), "{screen}");
    assert!(screen.contains("error: 2: ") && screen.contains("error: 1 of 5 failed"), "{screen}");
    assert_eq!(screen.matches("shop.example").count(), 4, "{screen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn a_report_that_was_just_audited_is_not_generated_soon() {
    let service = ScriptedServer::start(|asked| {
        let asked_at = Timestamp::now().as_second();
        let next_second = || wait_until("the next second", || Timestamp::now().as_second() > asked_at);
        tokio::task::block_in_place(next_second);
        let (id, at) = (id(asked), Timestamp::now().to_string());
        let row = json!({ "id": id, "url": "shop.example", "result": "good", "privacy": 1, "generated_at": at });
        Reply::Json(200, json!({ "data": row }))
    })
    .await;
    let person = CliUser::with_service(&service.base);
    for ids in [&["1"][..], &["1", "2"]] {
        let mut pty = person.terminal_of(120, &[&["reports", "update", "--rerun"], ids].concat());
        assert_eq!(pty.wait().exit_code(), 0);
        let screen = pty.screen();
        assert!(screen.contains("just now") && !screen.contains("soon"), "{screen}");
    }
}
