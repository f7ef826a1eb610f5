//! Outcomes of commands with a desk that depend on others: conflicts, refusals, events of colleagues, missing reports.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reportdeck::api::desk::ChangesRequest;
use reportdeck::domain::desk::{Role, RowPrecondition};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::State;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::cli::desk::commands::{bad_reports, person};
use crate::support::cli_user::CliUser;
use crate::support::desk_team::{api_client, member, new_key, note, row};
use crate::support::embedded_service::Running;
use crate::support::own_process::send_signal;
use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};
use crate::support::waiting::wait_until;

/// The script of a service with report 7 and a desk without rows, whose key belongs to anna. Row writes get this reply.
fn desk_with(write: Reply) -> impl Fn(&RecordedRequest) -> Reply + Send + Sync {
    move |asked| match asked.line().as_str() {
        "GET /api/v1/desk" => Reply::Json(
            200,
            json!({"data": {"service_id": "desk-1", "revision": 0, "change": null, "people": [], "services": [],
                   "me": {"handle": "anna", "actor": "anna", "role": "triage"}, "time": "2026-01-02T00:00:00Z"}}),
        ),
        "GET /api/v1/desk/states" => {
            Reply::Json(200, json!({"data": {"revision": 0, "change": null, "rows": [], "more": false}}))
        }
        "GET /api/v1/desk/notes" => {
            Reply::Json(200, json!({"data": {"revision": 0, "change": null, "notes": [], "more": false}}))
        }
        "PUT /api/v1/desk/states/1/7" => write.clone(),
        _ => report(asked.path()),
    }
}

/// Replies with report 7.
fn report(path: &str) -> Reply {
    if path == "/api/v1/reports/7" {
        Reply::Json(200, json!({"data": {"id": 7, "url": "https://shop.example/", "result": "bad", "score": 31}}))
    } else {
        Reply::Json(404, json!({"message": "Not found."}))
    }
}

/// A row of report 7 that ben has written.
async fn row_of_ben() -> Value {
    let (running, data) = Running::start().await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let present = row(State::Looking, Some("ben"));
    let written = ben.write_desk_row(1, &ReportId::new("7"), RowPrecondition::Absent, &present).await.unwrap();
    serde_json::to_value(written).unwrap()
}

/// A refused write, with the row that somebody else has written meanwhile.
async fn conflict() -> Reply {
    Reply::Json(412, json!({"message": "The row has changed.", "data": row_of_ben().await}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_state_that_a_colleague_set_meanwhile_is_not_overwritten() {
    let service = ScriptedServer::start(|asked| report(asked.path())).await;
    let anna = CliUser::with_service(&service.base);
    // Without a desk, the state is stored on this machine.
    assert_eq!(anna.run(&["reports", "state", "7", "--set", "waiting"]).code, 0);
    service.now(desk_with(conflict().await));
    let refused = anna.run(&["reports", "state", "7", "--set", "looking"]);
    assert_eq!((refused.code, refused.out.as_str()), (5, ""), "{refused:?}");
    assert!(refused.error.contains("ben has changed report 7 in the meantime. Look at it"), "{refused:?}");
    let imported = anna.run(&["desk", "import"]);
    assert_eq!(imported.code, 0, "{imported:?}");
    assert!(
        imported.error.contains("0 states and 0 notes uploaded to the desk; 1 state already there"),
        "{imported:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn states_and_notes_of_a_few_reports_do_not_read_the_whole_desk() {
    const ROWS: &str = "GET /api/v1/desk/states";
    const NOTES: &str = "GET /api/v1/desk/notes";
    let (running, data) = bad_reports().await;
    let anna = person(&running, &data, "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let (report, waiting) = (ReportId::new("1"), row(State::Waiting, Some("ben")));
    ben.write_desk_row(1, &report, RowPrecondition::Absent, &waiting).await.unwrap();
    // Rows from before the command are replaced, as if they had been read, and keep their holder.
    let verify = anna.run(&["reports", "state", "1", "2", "--set", "verify", "--format", "json"]);
    assert_eq!(verify.code, 0, "{verify:?}");
    let rows = ben.desk_rows(1, None).await.unwrap().rows;
    let written: Vec<_> = rows.iter().map(|row| (row.state, row.holder.as_ref().unwrap().as_str())).collect();
    assert_eq!(written, [(State::ToVerify, "ben"), (State::ToVerify, "anna")]);
    let logged = anna.run(&["changes"]).records();
    let changes: Vec<_> = logged.iter().map(|change| [&change["before"], &change["after"]]).collect();
    assert!(changes.contains(&[&json!("waiting"), &json!("verify")]), "{logged:?}");

    let service = ScriptedServer::start(desk_with(Reply::Json(200, json!({ "data": row_of_ben().await })))).await;
    let carla = CliUser::with_service(&service.base);
    for (arguments, rows, notes) in [
        (&["reports", "state", "7", "--set", "looking"][..], 0, 0),
        (&["reports", "note", "7", "--add", "asked"], 0, 0),
        (&["reports", "state", "7"], 1, 0),
        (&["reports", "note", "7"], 0, 1),
    ] {
        let before = (service.count(ROWS), service.count(NOTES));
        carla.run(arguments);
        assert_eq!((service.count(ROWS) - before.0, service.count(NOTES) - before.1), (rows, notes), "{arguments:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_note_whose_response_is_lost_may_be_stored_and_a_refused_one_is_not() {
    let noting = |reply: fn() -> Reply| {
        let desk = desk_with(Reply::Silence);
        move |asked: &RecordedRequest| {
            if asked.method == "POST" && asked.path().ends_with("/notes") { reply() } else { desk(asked) }
        }
    };
    let service = ScriptedServer::start(noting(|| Reply::Reset)).await;
    let anna = CliUser::with_service(&service.base);
    let add = || anna.run(&["reports", "note", "7", "--add", "asked"]);
    let lost = add();
    assert_eq!(lost.code, 6, "{lost:?}");
    let expected =
        "Whether the note was stored is unknown. `reportdeck reports note 7` shows it: look before you add it again";
    assert!(lost.error.contains(expected) && !lost.error.contains("Try again"), "{lost:?}");
    service.now(noting(|| Reply::Json(403, json!({ "message": "no" }))));
    let refused = add();
    assert!(refused.code == 4 && !refused.error.contains("unknown"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_note_that_is_sent_again_after_a_wait_is_not_stored_twice() {
    let noted = json!({"data": {"id": 1, "report": "7", "author": "anna", "text": "asked", "withdrawn": false,
                                "at": "2026-01-02T00:00:00Z"}});
    let desk = desk_with(Reply::Silence);
    // The desk may have stored it: a response with 503 does not say so. The client sends a request three times itself.
    let service = ScriptedServer::start(move |asked| match asked.method.as_str() {
        "POST" if asked.path().ends_with("/notes") && asked.before < 3 => {
            Reply::Full(503, vec!["Retry-After: 0".to_owned()], Vec::new())
        }
        "POST" if asked.path().ends_with("/notes") => Reply::Json(200, noted.clone()),
        _ => desk(asked),
    })
    .await;
    let added = CliUser::with_service(&service.base).run(&["reports", "note", "7", "--add", "asked"]);
    assert_eq!(added.code, 0, "{added:?}");
    let sent = service.asked_for("POST /api/v1/desk/states/1/7/notes");
    let changes: HashSet<Value> =
        sent.iter().map(|asked| serde_json::from_str::<Value>(&asked.body).unwrap()["change"].clone()).collect();
    assert!(sent.len() > 3, "{sent:?}");
    assert_eq!(changes.len(), 1, "{changes:?}");
}

/// A service without a desk, and a person who has set the states of reports 5, 6 and 7 on this machine.
async fn with_three_local_states() -> (ScriptedServer, CliUser) {
    let service = ScriptedServer::start(|asked| match asked.path().strip_prefix("/api/v1/reports/") {
        Some(id) => Reply::Json(200, json!({"data": {"id": id, "url": "https://shop.example/", "result": "bad"}})),
        None => Reply::Json(404, json!({})),
    })
    .await;
    let anna = CliUser::with_service(&service.base);
    assert_eq!(anna.run(&["reports", "state", "5", "6", "7", "--set", "waiting"]).code, 0);
    (service, anna)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_import_continues_after_a_write_whose_response_cannot_be_read() {
    let (service, anna) = with_three_local_states().await;
    assert_eq!(anna.run(&["reports", "note", "6", "7", "--add", "asked"]).code, 0);
    let (desk, written) = (desk_with(Reply::Json(404, json!({}))), row_of_ben().await);
    service.now(move |asked| match (asked.method.as_str(), asked.path()) {
        ("PUT", path) if !path.ends_with("/6") => Reply::Json(200, json!({ "data": written })),
        ("PUT", _) => Reply::html(200, "Welcome"),
        ("POST", path) if path.ends_with("/7/notes") => Reply::Json(
            200,
            json!({"data": {
                "id": 1, "report": "7", "author": "anna", "text": "asked", "at": "2026-01-02T00:00:00Z",
                "withdrawn": false,
            }}),
        ),
        ("POST", _) => Reply::html(200, "Welcome"),
        _ => desk(asked),
    });
    let imported = anna.run(&["desk", "import"]);
    assert!(
        imported.error.contains("2 states and 1 note uploaded to the desk; 0 states already there"),
        "{imported:?}"
    );
    assert_eq!((imported.code, &imported.problem()["failed"]), (7, &json!(["6", "6"])), "{imported:?}");
    assert_eq!(imported.error.matches("error: 6: Writing to the desk failed").count(), 2, "{imported:?}");
    // A failure that the other writes would share ends it; what was uploaded before is said nevertheless.
    let (desk, written) = (desk_with(Reply::Json(404, json!({}))), row_of_ben().await);
    service.now(move |asked| match asked.method.as_str() {
        "PUT" => Reply::Json(200, json!({ "data": written })),
        "POST" => Reply::Json(403, json!({})),
        _ => desk(asked),
    });
    let imported = anna.run(&["desk", "import"]);
    assert_eq!(imported.code, 4, "{imported:?}");
    assert!(imported.error.contains("3 states and 0 notes uploaded to the desk"), "{imported:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_import_continues_after_a_write_at_which_the_desk_breaks() {
    let (service, anna) = with_three_local_states().await;
    for (status, code, failed) in [(500, 7, json!(["6"])), (503, 1, Value::Null)] {
        let (desk, written) = (desk_with(Reply::Json(404, json!({}))), row_of_ben().await);
        service.now(move |asked| match (asked.method.as_str(), asked.path()) {
            ("PUT", path) if path.ends_with("/6") => Reply::Json(status, json!({"message": "Server error."})),
            ("PUT", _) => Reply::Json(200, json!({ "data": written })),
            _ => desk(asked),
        });
        let imported = anna.run(&["desk", "import"]);
        assert_eq!((imported.code, &imported.problem()["failed"]), (code, &failed), "{imported:?}");
        let uploaded = imported.error.contains("2 states and 0 notes uploaded to the desk");
        assert!(uploaded || code == 1, "{imported:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_interrupt_waits_for_a_write_to_the_desk() {
    let (came, opened) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let script = desk_with(Reply::Json(200, json!({ "data": row_of_ben().await })));
    let (put, gate) = (Arc::clone(&came), Arc::clone(&opened));
    let service = ScriptedServer::start(move |asked| {
        if asked.method == "PUT" {
            put.store(true, Ordering::SeqCst);
            wait_until("the interrupt is noticed", || gate.load(Ordering::SeqCst));
        }
        script(asked)
    })
    .await;
    let anna = CliUser::with_service(&service.base);
    let mut command = anna.command(&["reports", "state", "7", "--set", "looking"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Without timers of the runtime, whose worker the script blocks.
    wait_until("the write is sent", || came.load(Ordering::SeqCst));
    send_signal(child.id(), "INT");
    let mut noted = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut noted).unwrap();
    opened.store(true, Ordering::SeqCst);
    let output = child.wait_with_output().unwrap();
    assert_eq!(noted, "note: stopping; waiting for 1 in flight, Ctrl-C again quits immediately\n");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(0) && out.contains("looking"), "{out}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_state_is_not_stored_on_this_machine_while_the_desk_does_not_answer() {
    let service = ScriptedServer::start(|asked| match asked.path() {
        "/api/v1/desk" => Reply::Full(429, vec!["Retry-After: 61".to_owned()], Vec::new()),
        path => report(path),
    })
    .await;
    let anna = CliUser::with_service(&service.base);
    for write in [&["reports", "state", "7", "--set", "waiting"][..], &["reports", "note", "7", "--add", "asked"]] {
        let refused = anna.run(write);
        assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{write:?} {refused:?}");
        assert_eq!(refused.problem()["kind"], "rate_limited", "{refused:?}");
    }
    // A filter by state would keep other reports than the desk's states do.
    let filtered = anna.run(&["reports", "list", "--filter", "state:new"]);
    assert_eq!((filtered.code, filtered.out.as_str()), (1, ""), "{filtered:?}");
    assert!(filtered.error.contains("error: Reading the desk failed"), "{filtered:?}");
    // A service without a desk has local states, whatever it says about unknown paths.
    service.now(|asked| match asked.path() {
        "/api/v1/desk" => Reply::Json(403, json!({"message": "Missing Authentication Token"})),
        path => report(path),
    });
    let stored = anna.run(&["reports", "state", "7", "--set", "waiting"]);
    assert_eq!((stored.code, stored.records().len()), (0, 1), "{stored:?}");
    let noted = anna.run(&["reports", "note", "7", "--add", "asked"]);
    assert_eq!((noted.code, noted.records().len()), (0, 1), "{noted:?}");
    // What is known here is still printed, but not as if it were all.
    service.now(|_| Reply::Full(503, vec!["Retry-After: 61".to_owned()], Vec::new()));
    for (read, known) in [(&["reports", "state"][..], 1), (&["reports", "note"], 1), (&["changes", "--since", "1h"], 2)]
    {
        let output = anna.run(read);
        assert_eq!((output.code, output.records().len()), (1, known), "{read:?} {output:?}");
        let expected = "error: this is only what this machine knows: Reading the desk failed";
        assert!(output.error.contains(expected), "{read:?} {output:?}");
        // Where nothing is known here, not even an empty list is printed.
        let unused = CliUser::with_service(&service.base);
        let output = unused.run(&[read, &["--format", "json"]].concat());
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{read:?} {output:?}");
        assert!(output.error.contains(expected), "{read:?} {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_desk_that_sends_only_a_part_is_not_read_as_if_it_were_all() {
    // It says that there is more, and does not send it.
    let service = ScriptedServer::start(|asked| match asked.line().as_str() {
        "GET /api/v1/desk/states" => {
            Reply::Json(200, json!({"data": {"revision": 0, "change": null, "rows": [], "more": true}}))
        }
        "GET /api/v1/desk/notes" => {
            Reply::Json(200, json!({"data": {"revision": 0, "change": null, "notes": [], "more": true}}))
        }
        "GET /api/v1/desk/changes" => Reply::Json(
            200,
            json!({"data": {"revision": 0, "change": null, "events": [], "present": [], "pause": 0, "reset": false,
                   "more": true}}),
        ),
        _ => desk_with(Reply::Silence)(asked),
    })
    .await;
    let anna = CliUser::with_service(&service.base);
    for read in [["reports", "state"], ["reports", "note"], ["desk", "log"]] {
        let output = anna.run(&read);
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{read:?} {output:?}");
    }
    // The desk has ended before its services are read.
    let served = Arc::new(AtomicBool::new(false));
    service.now(move |asked| match asked.path() {
        "/api/v1/desk" if served.swap(true, Ordering::SeqCst) => Reply::Json(404, json!({"message": "Not found."})),
        _ => desk_with(Reply::Silence)(asked),
    });
    let output = anna.run(&["desk", "services", "--format", "json"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
    assert!(output.error.contains("has no desk"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_damaged_journal_does_not_keep_anybody_from_the_desk() {
    let (running, data) = bad_reports().await;
    let anna = person(&running, &data, "anna", Role::Triage).await;
    let state = anna.home().join(".local/state/reportdeck");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("journal.sqlite"), "no database, and long enough to be looked at as if it were one")
        .unwrap();
    let set = anna.run(&["reports", "state", "1", "--set", "waiting"]);
    assert_eq!((set.code, set.records().len()), (0, 1), "{set:?}");
    assert!(set.error.contains("warning: this will be missing from the history"), "{set:?}");
    assert_eq!(anna.run(&["reports", "note", "1", "--add", "asked"]).code, 0);
    for (list, field, expected) in [(["reports", "state"], "state", "waiting"), (["reports", "note"], "text", "asked")]
    {
        let listed = anna.run(&list);
        assert_eq!((listed.code, &listed.records()[0][field]), (0, &json!(expected)), "{listed:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handover_includes_held_reports_that_are_good_or_deleted() {
    let (running, data) = bad_reports().await;
    let good = running.client.create("https://fine.example/").await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    for report in [2, good] {
        let held = row(State::Looking, Some("ben"));
        ben.write_desk_row(1, &ReportId::new(&report.to_string()), RowPrecondition::Absent, &held).await.unwrap();
    }
    running.client.delete("/api/v1/reports/2").await.expect(200);
    let handed = person(&running, &data, "anna", Role::Triage).await.run(&["desk", "handover"]);
    assert_eq!(handed.code, 0, "{handed:?}");
    let records = handed.records();
    let held: Vec<_> = records
        .iter()
        .filter(|line| line["part"] == "held")
        .map(|line| (line["id"].as_str().unwrap(), line["url"].as_str().unwrap()))
        .collect();
    assert_eq!(held, [("2", ""), ("4", "https://fine.example/")], "{handed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn watch_prints_events_that_concern_the_person_of_the_key() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let overview = anna.desk().await.unwrap().unwrap();
    let report = ReportId::new("7");
    let assigned = row(State::Looking, Some("anna"));
    ben.write_desk_row(1, &report, RowPrecondition::Absent, &assigned).await.unwrap();
    for text in ["the shop is closed today", "@anna who asked them?"] {
        ben.write_desk_note(1, &report, &note(text)).await.unwrap();
    }
    let request = ChangesRequest { service: Some(1), after: overview.position, wait: Duration::ZERO, presence: None };
    let events = serde_json::to_value(anna.desk_changes(&request).await.unwrap()).unwrap();
    let robot = api_client(&running.service.base_url(), &new_key(data.path(), None, Role::Triage).await);
    let robots_overview = serde_json::to_value(robot.desk().await.unwrap().unwrap()).unwrap();
    // The events once; then the desk ends the command.
    let desk = async |overview: Value| {
        let events = events.clone();
        ScriptedServer::start(move |asked| match (asked.path(), asked.before) {
            ("/api/v1/desk", _) => Reply::Json(200, json!({ "data": overview })),
            ("/api/v1/desk/changes", 0 | 2 | 4) => Reply::Json(200, json!({ "data": events })),
            _ => Reply::Json(403, json!({ "message": "No more" })),
        })
        .await
    };
    let personal = desk(serde_json::to_value(&overview).unwrap()).await;
    let watched = |options: &[&str]| CliUser::with_service(&personal.base).run(&[&["desk", "watch"], options].concat());
    let all = watched(&[]);
    assert_eq!((all.code, all.records().len()), (4, 3), "{all:?}");
    let mine = watched(&["--mine"]);
    let texts: Vec<String> = mine.records().iter().map(Value::to_string).collect();
    assert_eq!((mine.code, texts.len()), (4, 2), "{mine:?}");
    assert!(texts[0].contains("looking") && texts[1].contains("@anna who asked them?"), "{texts:?}");
    // What people see does not wait for the end, which for this command is an interrupt.
    let table = watched(&["--format", "table"]);
    assert_eq!(table.code, 4, "{table:?}");
    for text in ["the shop is closed today", "looking, anna", &events["events"][0]["at"].as_str().unwrap()[..19]] {
        assert!(table.out.contains(text), "{text}: {table:?}");
    }
    // Nothing concerns a robot: waiting for it would look like a quiet desk.
    let of_robot = desk(robots_overview).await;
    let refused = CliUser::with_service(&of_robot.base).run(&["desk", "watch", "--mine"]);
    assert_eq!((refused.code, of_robot.count("GET /api/v1/desk/changes")), (2, 0), "{refused:?}");
    assert!(refused.error.contains("this key belongs to no person"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn watch_says_once_each_time_that_the_desk_is_away_and_continues_where_it_was() {
    let end = |revision: i64| {
        let part = json!({"revision": revision, "change": null, "reset": false, "events": [], "present": [],
                          "more": false});
        Reply::Json(200, json!({ "data": part }))
    };
    let others = desk_with(Reply::Json(404, json!({})));
    let service = ScriptedServer::start(move |asked| match (asked.path(), asked.before) {
        ("/api/v1/desk/changes", 0) => end(5),
        ("/api/v1/desk/changes", 1) => Reply::Full(429, vec!["Retry-After: 1".to_owned()], Vec::new()),
        ("/api/v1/desk/changes", 2) => end(6),
        // The login page of a network.
        ("/api/v1/desk/changes", 3) => {
            Reply::Full(200, vec!["Content-Type: text/html".to_owned()], b"<p>Log in".into())
        }
        ("/api/v1/desk/changes", _) => Reply::Json(403, json!({ "message": "No more" })),
        _ => others(asked),
    })
    .await;
    let watched = CliUser::with_service(&service.base).run(&["desk", "watch"]);
    assert_eq!((watched.code, watched.error.matches("; retrying").count()), (4, 2), "{watched:?}");
    let requests = service.asked_for("GET /api/v1/desk/changes");
    let positions: Vec<_> = requests.iter().map(|asked| asked.parameter("after").unwrap()).collect();
    assert_eq!(positions, ["0", "5", "5", "6", "6"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn watch_follows_a_service_that_is_merged_into_another() {
    let merge = json!({"revision": 6, "at": "2026-01-02T00:00:00Z", "person": "olga", "service": 1, "report": null, "change": "00000000-0000-0000-0000-000000000001",
                       "kind": "merged", "from": 1, "into": 4});
    let part = json!({"revision": 6, "change": null, "reset": false, "events": [merge], "present": [], "more": false});
    let others = desk_with(Reply::Json(404, json!({})));
    let service = ScriptedServer::start(move |asked| match (asked.path(), asked.before) {
        ("/api/v1/desk/changes", 0) => Reply::Json(200, json!({ "data": part })),
        ("/api/v1/desk/changes", _) => Reply::Json(403, json!({ "message": "No more" })),
        _ => others(asked),
    })
    .await;
    let watched = CliUser::with_service(&service.base).run(&["desk", "watch"]);
    assert_eq!((watched.code, watched.records().len()), (4, 1), "{watched:?}");
    let requests = service.asked_for("GET /api/v1/desk/changes");
    let services: Vec<_> = requests.iter().map(|asked| asked.parameter("service").unwrap()).collect();
    assert_eq!(services, ["1", "4"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commands_wait_as_long_as_a_busy_desk_asks() {
    let written = Reply::Json(200, json!({ "data": row_of_ben().await }));
    let service = ScriptedServer::start(|asked| report(asked.path())).await;
    let anna = CliUser::with_service(&service.base);
    // Without a desk, the state is stored on this machine.
    assert_eq!(anna.run(&["reports", "state", "7", "--set", "waiting"]).code, 0);
    let desk = desk_with(written);
    // The first request to rows, to notes and to the row is refused.
    service.now(move |asked| match asked.before {
        0 if asked.path().starts_with("/api/v1/desk") => {
            Reply::Full(429, vec!["Retry-After: 0".to_owned()], Vec::new())
        }
        _ => desk(asked),
    });
    let imported = anna.run(&["desk", "import"]);
    assert_eq!(imported.code, 0, "{imported:?}");
    assert!(imported.error.contains("1 state and 0 notes uploaded to the desk"), "{imported:?}");
    assert_eq!(imported.error.matches("too many requests; continuing").count(), 3, "{imported:?}");
    // The write of a state.
    let desk = desk_with(Reply::Json(200, json!({ "data": row_of_ben().await })));
    service.now(move |asked| match asked.method.as_str() {
        "PUT" if asked.before == 2 => Reply::Full(429, vec!["Retry-After: 0".to_owned()], Vec::new()),
        _ => desk(asked),
    });
    let set = anna.run(&["reports", "state", "7", "--set", "looking"]);
    let writes = service.asked().iter().filter(|asked| asked.method == "PUT").count();
    assert_eq!((set.code, writes), (0, 4), "{set:?}");
    assert_eq!(set.error.matches("too many requests; continuing").count(), 1, "{set:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_wait_for_a_silent_desk_as_long_as_timeout_says() {
    let service = ScriptedServer::start(|_| Reply::Silence).await;
    let changes = CliUser::with_service(&service.base).run(&["changes", "--timeout", "1s"]);
    assert_eq!((changes.code, changes.error.contains("did not respond in time")), (6, true), "{changes:?}");
    assert_eq!(service.count("GET /api/v1/desk"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_changes_of_a_team_are_those_of_its_desk_and_of_this_machine_once_each() {
    let (running, data) = bad_reports().await;
    let anna = person(&running, &data, "anna", Role::Admin).await;
    let ben = person(&running, &data, "ben", Role::Triage).await;
    for (who, command) in [
        (&anna, &["reports", "update", "1", "--rerun"][..]),
        (&anna, &["reports", "state", "1", "--set", "waiting"]),
        (&ben, &["reports", "note", "1", "--add", "asked the shop"]),
        (&ben, &["reports", "state", "2", "--set", "wontfix"]),
    ] {
        let done = who.run(command);
        assert_eq!(done.code, 0, "{done:?}");
    }
    let changes = anna.run(&["changes", "--since", "1h"]).records();
    let told: Vec<[&str; 4]> = changes
        .iter()
        .map(|change| ["kind", "id", "author", "name"].map(|field| change[field].as_str().unwrap()))
        .collect();
    let [rerun, state, noted, done] = told[..] else { panic!("{told:?}") };
    let name = rerun[3];
    assert!(rerun[0] == "rerun" && !name.is_empty(), "{told:?}");
    assert_eq!(state, ["state", "1", "anna", name], "once, although this machine knows it too");
    assert_eq!(noted, ["note", "1", "ben", name], "with the name that this machine knows");
    assert_eq!(done, ["state", "2", "ben", ""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_key_of_a_desk_is_stored_only_if_a_desk_accepts_it() {
    let (running, data) = Running::start().await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let foreign = ScriptedServer::start(|_| Reply::head(404, &[])).await;
    let anna = CliUser::new().with("WORK_KEY", "a-key-of-work");
    let own = running.service.base_url();
    for (desk, key, code, expected) in [
        ("", key.expose_secret(), 2, "the profile work has no desk. Add desk = "),
        ("desk = \"http://desk.example\"", key.expose_secret(), 2, "plain http"),
        (&format!("desk = \"{own}\""), "rdk_a_wrong_key", 4, "; nothing was stored"),
        (&format!("desk = \"{}\"", foreign.base), key.expose_secret(), 1, "there is no desk at this address; nothing"),
    ] {
        anna.configure(&format!(
            "[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"\n{desk}\n"
        ));
        let refused = anna.run_with(&["login", "work", "--desk", "--key-stdin"], key);
        assert_eq!((refused.code, refused.error.contains(expected)), (code, true), "{desk}: {refused:?}");
        assert!(!refused.error.contains(key), "{refused:?}");
    }
    assert!(!anna.home().join(".local").exists());
}
