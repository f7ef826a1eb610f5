//! `desk`: reports for scripts and shift handovers, the import of local states, and a desk for a third-party service.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp, Unit};
use reportdeck::domain::desk::Role;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::State;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use crate::support::cli_user::{CliUser, found};
use crate::support::desk_team::{api_client, member, new_key, note, row};
use crate::support::embedded_service::Running;
use crate::support::scripted_server::{Reply, ScriptedServer};
use reportdeck::domain::desk::RowPrecondition;
use reportdeck::domain::report::ReportId;

/// A user with a key of this role.
pub async fn person(running: &Running, data: &tempfile::TempDir, handle: &str, role: Role) -> CliUser {
    let key = new_key(data.path(), Some(handle), role).await;
    CliUser::new()
        .with("REPORTDECK_BASE_URL", &running.service.base_url())
        .with("REPORTDECK_API_KEY", key.expose_secret())
}

pub async fn bad_reports() -> (Running, tempfile::TempDir) {
    let (running, data) = Running::start().await;
    for page in ["tea", "cart", "mugs"] {
        running.client.create(&format!("https://{page}.example/?score=31")).await;
    }
    (running, data)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn doctor_names_the_person_and_role_of_the_key_on_the_desk() {
    let (running, data) = Running::start().await;
    let base = running.service.base_url();
    let anna = person(&running, &data, "anna", Role::Triage).await;
    let at = |rest: &str| format!("{}: {rest}", base.trim_end_matches('/'));
    let desk = |person: &CliUser| found(&person.run(&["doctor"]), "desk");
    assert_eq!(desk(&anna), ("ok".to_owned(), at("anna, role triage")));
    let robot = new_key(data.path(), None, Role::Viewer).await;
    let robot = anna.with("REPORTDECK_API_KEY", robot.expose_secret());
    assert_eq!(desk(&robot), ("note".to_owned(), at("the key belongs to no person, role viewer")));
    // A service without a desk, alone and with one that its profile names.
    let empty = json!({"data": [], "meta": {"total": 0, "current_page": 1, "last_page": 1, "per_page": 10}});
    let service = ScriptedServer::start(move |asked| match asked.path() {
        "/api/v1/reports" | "/api/v1/projects" => Reply::Json(200, empty.clone()),
        _ => Reply::Json(404, json!({"message": "Not found."})),
    })
    .await;
    let alone = CliUser::with_service(&service.base);
    assert_eq!(desk(&alone), ("ok".to_owned(), "none: states and notes stay on this machine".to_owned()));
    let key = new_key(data.path(), Some("ben"), Role::Triage).await;
    let profile = |desk: &str| {
        format!(
            "[profiles.work]\nbase_url = \"{}\"\napi_key_env = \"WORK_KEY\"\n\
             desk = \"{desk}\"\ndesk_api_key_env = \"DESK_KEY\"\n",
            service.base
        )
    };
    let ben = CliUser::new().with("WORK_KEY", "k").with("DESK_KEY", key.expose_secret());
    ben.configure(&profile(&base));
    let doctor = ["--profile", "work", "doctor"];
    assert_eq!(found(&ben.run(&doctor), "desk"), ("ok".to_owned(), at("ben, role triage")));
    ben.configure(&profile("http://127.0.0.1:1"));
    let output = ben.run(&doctor);
    assert_eq!((output.code, found(&output, "desk").0), (6, "failed".to_owned()), "{output:?}");
    assert_eq!(found(&output, "service").0, "ok", "{output:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handover_lists_free_held_and_waiting_reports() {
    let (running, data) = bad_reports().await;
    let anna = person(&running, &data, "anna", Role::Triage).await;
    let ben = api_client(&running.service.base_url(), &new_key(data.path(), Some("ben"), Role::Triage).await);
    let (first, second) = (ReportId::new("1"), ReportId::new("2"));
    ben.write_desk_row(1, &first, RowPrecondition::Absent, &row(State::Looking, Some("ben"))).await.unwrap();
    ben.write_desk_row(1, &second, RowPrecondition::Absent, &row(State::Waiting, Some("ben"))).await.unwrap();
    ben.write_desk_note(1, &second, &note("asked the shop, @anna")).await.unwrap();
    let handed = anna.run(&["desk", "handover"]).records();
    let parts: Vec<_> =
        handed.iter().map(|line| (line["part"].as_str().unwrap(), line["id"].as_str().unwrap())).collect();
    assert_eq!(parts, [("free", "3"), ("held", "1"), ("waiting", "2")]);
    assert_eq!((&handed[1]["person"], &handed[2]["note"]), (&json!("ben"), &json!("asked the shop, @anna")));
    let table = anna.run(&["desk", "handover", "--format", "csv"]);
    let names = handed[0].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(",");
    assert_eq!(table.out.lines().next(), Some(names.as_str()), "the columns have the names of the fields");
    // The URL is complete, so that the output is the input of `audit` and `create`.
    assert_eq!(handed[0]["url"], anna.run(&["reports", "show", "3"]).records()[0]["url"]);
    let log = anna.run(&["desk", "log"]).records();
    let about: Vec<_> = log.iter().filter_map(|event| event["report"].as_str()).collect();
    assert_eq!(about, ["1", "2", "2"], "{log:?}");
    // Under the name that every list has, so that the events of reports are the input of `reports update`.
    let ids: Vec<_> = log.iter().filter_map(|event| event["id"].as_str()).collect();
    assert_eq!((ids, &log[0]["id"]), (about, &Value::Null), "{log:?}");
    let cells = anna.run(&["desk", "log", "--format", "csv"]).out;
    assert!(cells.contains(",the operator,key,,") && cells.contains(",ben,state,1,,\"looking, ben\""), "{cells}");
    // Times have equal length, also those that end in zeros, so that they sort as text.
    let whole = Timestamp::now().round(Unit::Hour).unwrap() + SignedDuration::from_hours(2);
    let snoozed = row(State::Snoozed { until: whole }, None);
    ben.write_desk_row(1, &ReportId::new("3"), RowPrecondition::Absent, &snoozed).await.unwrap();
    let event = anna.run(&["desk", "log"]).records().pop().unwrap();
    for time in [&event["at"], &event["after"]["set_at"], &event["after"]["until"]] {
        assert_eq!(time.as_str().unwrap().len(), "2026-11-21T14:02:00.000Z".len(), "{event}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn local_states_are_imported_once_and_overwrite_no_others() {
    let (running, data) = bad_reports().await;
    let (robot, own) =
        (new_key(data.path(), None, Role::Admin).await, new_key(data.path(), Some("anna"), Role::Triage).await);
    let alone = CliUser::new()
        .with("REPORTDECK_BASE_URL", &running.service.base_url())
        .with("REPORTDECK_API_KEY", robot.expose_secret());
    // While the key belongs to nobody, states and notes are the local ones.
    alone.run(&["reports", "state", "1", "2", "--set", "waiting"]);
    alone.run(&["reports", "note", "1", "--add", "asked"]);
    let anna = alone.with("REPORTDECK_API_KEY", own.expose_secret());
    let ben = api_client(&running.service.base_url(), &new_key(data.path(), Some("ben"), Role::Triage).await);
    let done = row(State::Looking, Some("ben"));
    ben.write_desk_row(1, &ReportId::new("2"), RowPrecondition::Absent, &done).await.unwrap();
    let brought = anna.run(&["desk", "import"]);
    assert_eq!(brought.code, 0, "{brought:?}");
    assert!(brought.error.contains("1 state and 1 note uploaded to the desk; 1 state already there"), "{brought:?}");
    let again = anna.run(&["desk", "import"]);
    assert!(again.error.contains("0 states and 0 notes uploaded"), "{again:?}");
    let rows = ben.desk_rows(1, None).await.unwrap().rows;
    let states: Vec<State> = rows.iter().map(|row| row.state).collect();
    assert_eq!(states, [State::Waiting, State::Looking]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_third_party_service_receives_neither_the_desks_key_nor_its_requests() {
    let (running, data) = Running::start().await;
    let foreign = ScriptedServer::start(|_| Reply::Json(200, json!({ "data": [] }))).await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let anna = on_desk_of(&running, &key, &foreign);
    let log = anna.run(&["desk", "log"]);
    assert_eq!(log.code, 0, "{log:?}");
    for asked in foreign.asked() {
        let sent = format!("{asked:?}");
        assert!(sent.contains("a-key-of-work") && !sent.contains(key.expose_secret()), "{sent}");
    }
    // Somebody else has added the address in another spelling: merging makes the two one again.
    let admin = new_key(data.path(), Some("olga"), Role::Admin).await;
    let other = ScriptedServer::start(|_| Reply::Json(200, json!({ "data": [] }))).await;
    let olga = on_desk_of(&running, &admin, &other);
    let listed = olga.run(&["desk", "services"]).records();
    let ids: Vec<String> = listed.iter().map(|service| service["id"].to_string()).collect();
    assert_eq!(ids, ["1", "2", "3"], "its own service, and two addresses");
    let merged = olga.run(&["desk", "services", "--merge", "3", "2"]);
    assert_eq!((merged.code, merged.records().len()), (0, 2), "{merged:?}");
    let refused = anna.run(&["desk", "services", "--merge", "2", "1"]);
    assert!(refused.code != 0, "{refused:?}");
    let services = api_client(&running.service.base_url(), &key).desk().await.unwrap().unwrap().services;
    let bases: Vec<_> = services.iter().filter_map(|service| service.base.as_ref()).map(Text::raw).collect();
    assert_eq!(bases, [foreign.base.trim_end_matches('/')]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn without_a_desk_the_command_says_which_services_have_one() {
    let alone = CliUser::new().run(&["desk", "log"]);
    assert_eq!(alone.code, 2);
    assert!(alone.error.contains("every `reportdeck serve` has a desk"), "{alone:?}");
    let foreign = ScriptedServer::start(|_| Reply::head(404, &[])).await;
    let refused = CliUser::with_service(&foreign.base).run(&["desk", "handover"]);
    assert!(refused.code != 0 && refused.error.contains("has no desk"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_key_of_a_desk_is_stored_for_that_desk_only() {
    let (running, data) = Running::start().await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let anna = CliUser::new().with("WORK_KEY", "a-key-of-work");
    let profile = |desk: &str| {
        format!("[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"\ndesk = \"{desk}\"\n")
    };
    anna.configure(&profile(&running.service.base_url()));
    let stored = anna.run_with(&["login", "work", "--desk", "--key-stdin"], key.expose_secret());
    assert_eq!(stored.code, 0, "{stored:?}");
    assert!(stored.error.contains("the key belongs to anna, with the role triage"), "{stored:?}");
    let shown = anna.run(&["--profile", "work", "config", "show"]);
    assert!(shown.out.contains("desk_api_key") && !shown.out.contains(key.expose_secret()), "{shown:?}");
    anna.configure(&profile("https://elsewhere.example"));
    let refused = anna.run(&["--profile", "work", "config", "show"]);
    assert!(refused.error.contains("is not sent there"), "{refused:?}");
    // It is deleted with the key of the service.
    let deleted = anna.run(&["logout", "work"]);
    assert!(deleted.error.contains("note: the key of work's desk was deleted from "), "{deleted:?}");
    let refused = anna.run(&["--profile", "work", "config", "show"]);
    assert!(refused.error.contains("there is no key of the desk for the profile work"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_key_of_a_desk_that_would_not_be_used_is_not_stored() {
    let (running, data) = Running::start().await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let anna = CliUser::new().with("WORK_KEY", "a-key-of-work").with("DESK_KEY", "another-key");
    anna.configure(&format!(
        "[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"\ndesk = \"{}\"\n\
         desk_api_key_env = \"DESK_KEY\"\n",
        running.service.base_url()
    ));
    let elsewhere = ["login", "work", "--desk", "--key-stdin", "--base-url", "https://desk.example"];
    let refused = anna.run_with(&elsewhere, key.expose_secret());
    assert!(refused.code == 2 && refused.error.contains("Leave --base-url out"), "{refused:?}");
    let refused = anna.run_with(&["login", "work", "--desk", "--key-stdin"], key.expose_secret());
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.error.contains("takes its key from desk_api_key_env: a stored one"), "{refused:?}");
    let kept = anna.run(&["logout", "work"]);
    assert!(kept.error.contains("note: work's desk takes its key from desk_api_key_env"), "{kept:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn with_a_personal_key_states_and_notes_are_those_of_the_desk() {
    let (running, data) = bad_reports().await;
    let anna = person(&running, &data, "anna", Role::Triage).await;
    let ben = person(&running, &data, "ben", Role::Triage).await;
    assert_eq!(anna.run(&["reports", "state", "1", "--set", "looking"]).code, 0);
    assert_eq!(anna.run(&["reports", "note", "1", "--add", "asked the shop"]).code, 0);
    let states = ben.run(&["reports", "state"]).records();
    assert_eq!((&states[0]["id"], &states[0]["state"]), (&json!("1"), &json!("looking")));
    assert_eq!(states[0]["holder"], json!("anna"), "who holds the report");
    let notes = ben.run(&["reports", "note", "1"]).records();
    assert_eq!((&notes[0]["author"], &notes[0]["text"]), (&json!("anna"), &json!("asked the shop")));
    let listed = ben.run(&["reports", "list", "--filter", "state:looking"]).records();
    assert_eq!(listed.iter().map(|row| &row["id"]).collect::<Vec<_>>(), [&json!("1")]);
    let claimed = ben.run(&["reports", "state", "2", "--set", "looking"]).records();
    assert_eq!(claimed[0]["holder"], json!("ben"));
    assert_eq!(anna.run(&["reports", "state", "3", "--set", "waiting"]).code, 0);
    assert_eq!(anna.run(&["reports", "state", "3", "--set", "new"]).code, 0);
    let states = anna.run(&["reports", "state"]).records();
    assert_eq!(
        states.iter().map(|row| &row["id"]).collect::<Vec<_>>(),
        ["1", "2"],
        "new is no state, as on this machine"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_decision_that_the_desk_does_not_take_is_stored_here_with_a_note_or_refused() {
    let (running, data) = bad_reports().await;
    let writes: [&[&str]; 2] =
        [&["reports", "state", "1", "--set", "waiting"], &["reports", "note", "1", "--add", "asked"]];
    // A robot has no place on the desk.
    let key = new_key(data.path(), None, Role::Admin).await;
    let robot = CliUser::with_service(&running.service.base_url()).with("REPORTDECK_API_KEY", key.expose_secret());
    let noted = "states and notes stay on this machine: the key belongs to no person on the desk";
    for write in writes {
        let stored = robot.run(write);
        assert!(stored.code == 0 && stored.error.contains(noted), "{stored:?}");
    }
    let listed = robot.run(&["reports", "state"]);
    assert!(listed.code == 0 && listed.error.is_empty(), "reading is no decision: {listed:?}");
    // The profile names a desk, and there is none.
    let service = ScriptedServer::start(|asked| match asked.path() {
        "/api/v1/reports/1" => Reply::Json(200, json!({"data": {"id": 1, "url": "https://shop.example/"}})),
        _ => Reply::Json(404, json!({"message": "Not found."})),
    })
    .await;
    let anna = CliUser::new().with("WORK_KEY", "a-key-of-work").with("DESK_KEY", "a-key-of-a-desk");
    anna.configure(&format!(
        "default_profile = \"work\"\n[profiles.work]\nbase_url = \"{base}\"\napi_key_env = \"WORK_KEY\"\n\
         desk = \"{base}/desk\"\ndesk_api_key_env = \"DESK_KEY\"\n",
        base = service.base.trim_end_matches('/'),
    ));
    for write in writes {
        let refused = anna.run(write);
        assert!(refused.code == 1 && refused.error.contains("has no desk"), "{refused:?}");
    }
    assert!(!anna.home().join(".local/state/reportdeck/journal.sqlite").exists(), "nothing was stored");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn read_only_commands_write_nothing_to_the_desk() {
    let (running, data) = bad_reports().await;
    let anna = person(&running, &data, "anna", Role::Admin).await;
    let robot = new_key(data.path(), None, Role::Admin).await;
    let alone = CliUser::new().with("ROBOT", robot.expose_secret());
    alone.configure(&format!(
        "default_profile = \"robot\"\n[profiles.robot]\nbase_url = \"{base}\"\napi_key_env = \"ROBOT\"\n\
         read_only = true\n[profiles.anna]\nbase_url = \"{base}\"\napi_key_env = \"ANNA\"\nread_only = true\n",
        base = running.service.base_url(),
    ));
    // Without a desk, states and notes are local.
    assert_eq!(alone.run(&["reports", "state", "1", "--set", "waiting"]).code, 0);
    assert_eq!(alone.run(&["reports", "note", "1", "--add", "asked"]).code, 0);
    let writes: [&[&str]; 4] = [
        &["desk", "import"],
        &["desk", "services", "--merge", "2", "1"],
        &["reports", "state", "1", "--set", "waiting"],
        &["reports", "note", "1", "--add", "asked"],
    ];
    let key = new_key(data.path(), Some("ben"), Role::Admin).await;
    let by_profile = alone.with("ANNA", key.expose_secret());
    for write in writes {
        for refused in
            [anna.run(&[write, &["--read-only"]].concat()), by_profile.run(&[&["--profile", "anna"], write].concat())]
        {
            assert_eq!(refused.code, 2, "{write:?} {refused:?}");
            assert!(refused.error.contains("only reading is allowed"), "{refused:?}");
        }
    }
    let desk = api_client(&running.service.base_url(), &key);
    assert!(desk.desk_rows(1, None).await.unwrap().rows.is_empty());
    assert!(desk.desk_notes(1, None).await.unwrap().notes.is_empty());
    assert_eq!(anna.run(&["reports", "state", "--read-only"]).code, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn read_only_commands_do_not_add_a_service_to_the_desk() {
    let (running, data) = Running::start().await;
    let foreign = ScriptedServer::start(|_| Reply::Json(200, json!({ "data": [] }))).await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let anna = on_desk_of(&running, &key, &foreign);
    let refused = anna.run(&["desk", "log", "--read-only"]);
    assert!(refused.code != 0 && refused.error.contains("does not know this service yet"), "{refused:?}");
    assert_eq!(api_client(&running.service.base_url(), &key).desk().await.unwrap().unwrap().services.len(), 1);
}

/// A user whose service is a scripted one, triaged on the desk of ours with this key.
fn on_desk_of(running: &Running, key: &SecretString, service: &ScriptedServer) -> CliUser {
    let user = CliUser::new().with("WORK_KEY", "a-key-of-work").with("DESK_KEY", key.expose_secret());
    user.configure(&format!(
        "default_profile = \"work\"\n[profiles.work]\nbase_url = \"{}\"\napi_key_env = \"WORK_KEY\"\n\
         desk = \"{}\"\ndesk_api_key_env = \"DESK_KEY\"\n",
        service.base,
        running.service.base_url(),
    ));
    user
}

/// A service whose responses name no next page and that answers 404 after the last one.
async fn without_paging_evidence(pages: usize) -> ScriptedServer {
    ScriptedServer::start(move |asked| {
        let page: usize = asked.parameter("page").map_or(1, |page| page.parse().unwrap());
        if asked.path() != "/api/v1/reports" || page > pages {
            return Reply::head(404, &[]);
        }
        let row = |id| json!({ "id": id, "url": format!("https://shop.example/{id}"), "result": "bad" });
        let rows: Vec<_> = (page * 50..page * 50 + 50).map(row).collect();
        Reply::Json(200, json!({ "data": rows }))
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handover_of_an_incomplete_list_exits_with_7() {
    let (running, data) = Running::start().await;
    let service = without_paging_evidence(1).await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let handed = on_desk_of(&running, &key, &service).run(&["desk", "handover"]);
    assert_eq!((handed.code, handed.records().len()), (7, 50), "{handed:?}");
    assert!(handed.error.contains("the service returned 50 reports and no next page"), "{handed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handover_without_a_readable_report_is_a_failure_unless_others_are_printed() {
    let (running, data) = Running::start().await;
    let report = json!({ "id": 7, "url": "https://shop.example/", "result": "good" });
    let service = ScriptedServer::start(move |asked| match asked.path() {
        "/api/v1/reports" => Reply::Json(200, json!({ "data": [{ "name": "no report" }] })),
        "/api/v1/reports/7" => Reply::Json(200, json!({ "data": report })),
        _ => Reply::head(404, &[]),
    })
    .await;
    let anna = on_desk_of(&running, &new_key(data.path(), Some("anna"), Role::Triage).await, &service);
    for format in ["json", "csv"] {
        let empty = anna.run(&["desk", "handover", "--format", format]);
        assert_eq!((empty.code, empty.out.as_str()), (1, ""), "{empty:?}");
        assert!(empty.error.contains("1 report could not be read"), "{empty:?}");
    }
    assert_eq!(anna.run(&["reports", "state", "7", "--set", "looking"]).code, 0);
    let held = anna.run(&["desk", "handover"]);
    assert_eq!((held.code, held.records().len()), (7, 1), "{held:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handover_reads_all_pages_of_a_service_without_paging_evidence() {
    let (running, data) = Running::start().await;
    let service = without_paging_evidence(3).await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let handed = on_desk_of(&running, &key, &service).run(&["desk", "handover"]);
    assert_eq!((handed.code, handed.records().len()), (0, 150), "{handed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn watch_rests_as_the_desk_asks_and_reports_a_gap_in_the_log() {
    let (running, data) = Running::start().await;
    let overview = member(&running, data.path(), "anna", Role::Triage).await.desk().await.unwrap();
    let desk = ScriptedServer::start(move |asked| match (asked.path(), asked.before) {
        ("/api/v1/desk", _) => Reply::Json(200, json!({ "data": overview })),
        ("/api/v1/desk/changes", 0) => Reply::Json(
            200,
            json!({ "data": { "revision": 7, "change": null, "reset": true, "events": [], "present": [],
                "more": false, "pause": 1 } }),
        ),
        _ => Reply::Json(403, json!({ "message": "No more" })),
    })
    .await;
    let began = Instant::now();
    let watched = CliUser::with_service(&desk.base).run(&["desk", "watch"]);
    assert_eq!((watched.code, desk.count("GET /api/v1/desk/changes")), (4, 2), "{watched:?}");
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(watched.error.contains("note: the desk's log does not continue"), "{watched:?}");
}
