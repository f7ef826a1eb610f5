//! `reports list` with the dashboard's filter, several results and chosen columns, and the commands about one report.

use jiff::Timestamp;
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::{State, Triage};
use reportdeck::journal::Journal;
use rusqlite::Connection;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

#[cfg(unix)]
use crate::support::cli_user::script;
use crate::support::cli_user::{CliUser, page};
use crate::support::serve_process::database_of;

/// Five reports; the third has no failed check, and the last one comes without its checks.
async fn five_reports() -> MockServer {
    let server = MockServer::start().await;
    let row = |id: u32, result: &str, score: u32| {
        json!({ "id": id, "url": format!("https://shop.example/{id}"), "project": "shop.example", "result": result,
            "score": score, "generated_at": "2020-05-04T10:00:00Z", "failed": ["title"] })
    };
    let mut data =
        vec![row(1, "bad", 12), row(2, "decent", 60), row(3, "good", 90), row(4, "bad", 30), row(5, "bad", 40)];
    data[2]["failed"] = json!([]);
    data[3]["failed"] = json!(["csp", "hsts"]);
    data[4].as_object_mut().unwrap().remove("failed");
    let list =
        ResponseTemplate::new(200).set_body_json(json!({ "data": data, "meta": { "total": 5, "last_page": 1 } }));
    Mock::given(method("GET")).and(path("/api/v1/reports")).respond_with(list).mount(&server).await;
    server
}

fn ids(records: &[Value]) -> Vec<String> {
    records.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_list_accepts_the_dashboards_filter_and_several_results() {
    let server = five_reports().await;
    let person = CliUser::with_service(&server.uri());
    for (options, expected) in [
        (&["--filter", "result:bad score:<35"][..], &["1", "4"][..]),
        (&["--filter", "!result:bad age:>30d"], &["2", "3"]),
        (&["--filter", "check:hsts"], &["4"]),
        (&["--result", "good,decent"], &["2", "3"]),
        (&["--result", "good", "--result", "bad"], &["1", "3", "4", "5"]),
        (&["--result", "bad,decent", "--filter", "score:>35"], &["2", "5"]),
        (&["--filter", "result:bad", "--limit", "2"], &["1", "4"]),
    ] {
        let output = person.run(&[&["reports", "list"], options].concat());
        assert_eq!((output.code, ids(&output.records())), (0, expected.iter().map(|id| (*id).to_owned()).collect()));
        let is_about_checks = options.iter().any(|option| option.contains("check:"));
        let warned = output.error.contains("warning: the list lacks the failed checks of 1 report");
        assert_eq!(warned, is_about_checks, "{options:?}: {output:?}");
    }
    // The service is queried for one result at a time; several are filtered here.
    let asked = server.received_requests().await.unwrap();
    let queries: Vec<&str> = asked.iter().filter_map(|request| request.url.query()).collect();
    assert_eq!(queries.iter().filter(|query| query.contains("result=bad")).count(), 2, "{queries:?}");
}

#[tokio::test]
async fn a_mistake_in_the_filter_is_wrong_usage() {
    let server = five_reports().await;
    let person = CliUser::with_service(&server.uri());
    for (filter, expected) in [
        ("resutl:bad", "unknown qualifier resutl; did you mean result:?"),
        ("privacy:privte", "did you mean private? The filter line of the dashboard"),
        ("score:<x", "score: takes a number"),
        ("foo:bar", "unknown qualifier foo. Put the term in quotes to search URLs for it"),
        ("", "a value is required"),
        (" ", "the filter is empty"),
        ("result: age:>30d", "`result:` has no value"),
        ("result:bad,good", "result: must be one of good, decent, bad, none, not `bad,good`"),
        ("!url:\"\"", "`!url:\"\"` has no value"),
        ("project: result:bad", "`project:` has no value"),
        ("!project:", "`!project:` has no value"),
    ] {
        let output = person.run(&["reports", "list", "--filter", filter]);
        assert_eq!((output.code, output.out.as_str(), output.error.contains(expected)), (2, "", true), "{output:?}");
    }
    assert_eq!(server.received_requests().await.unwrap().len(), 0);
}

#[tokio::test]
async fn chosen_columns_are_printed_in_their_order_in_every_format() {
    let server = five_reports().await;
    let person = CliUser::with_service(&server.uri());
    let list = |format: &str| person.run(&["reports", "list", "--columns", "score,failed,url", "--format", format]);
    let csv = list("csv");
    let lines: Vec<&str> = csv.out.lines().collect();
    assert_eq!(lines[..2], ["score,failed,url", "12,title,https://shop.example/1"], "{csv:?}");
    assert_eq!((lines[4], lines[5]), ("30,csp hsts,https://shop.example/4", "40,,https://shop.example/5"));
    assert_eq!(list("markdown").out.lines().next(), Some("| score | failed | url |"));
    let rows = list("jsonl").records();
    assert_eq!(rows[3].to_string(), r#"{"score":30,"failed":["csp","hsts"],"url":"https://shop.example/4"}"#);
    assert_eq!(rows[4]["failed"], Value::Null, "unknown, not empty");
    assert_eq!(person.run(&["reports", "list", "--columns", "colour"]).code, 2);
}

#[tokio::test]
async fn the_column_failed_is_known_from_complete_checks_in_every_format() {
    let server = MockServer::start().await;
    let checks = json!({ "title": { "passed": true }, "csp": { "passed": false }, "hsts": { "passed": false } });
    let row = json!({ "id": 1, "url": "https://shop.example/1", "result": "bad", "results": checks });
    let none_fails = json!({ "id": 2, "url": "https://shop.example/2", "results": { "title": { "passed": true } } });
    let list = ResponseTemplate::new(200).set_body_json(json!({ "data": [row, none_fails] }));
    Mock::given(method("GET")).and(path("/api/v1/reports")).respond_with(list).mount(&server).await;
    let person = CliUser::with_service(&server.uri());
    let list = |format: &str| person.run(&["reports", "list", "--columns", "id,failed", "--format", format]);
    assert_eq!(list("csv").out, "id,failed\n1,csp hsts\n2,\n");
    let rows = list("jsonl").records();
    assert_eq!((&rows[0]["failed"], &rows[1]["failed"]), (&json!(["csp", "hsts"]), &json!([])));
    assert_eq!(person.run(&["reports", "list"]).records()[0].get("failed"), None, "without columns there are checks");
}

#[tokio::test]
async fn one_report_is_shown_as_an_object_and_several_as_a_list() {
    let server = MockServer::start().await;
    for id in [1, 2] {
        let report = ResponseTemplate::new(200)
            .set_body_json(json!({ "data": { "id": id, "url": "https://a.example/", "results":
                { "csp": { "passed": false } } } }));
        Mock::given(method("GET")).and(path(format!("/api/v1/reports/{id}"))).respond_with(report).mount(&server).await;
    }
    let person = CliUser::with_service(&server.uri());
    let json = |arguments: &[&str], stdin: &str| {
        let output = person.run_with(&[&["reports", "show", "--format", "json"], arguments].concat(), stdin);
        (output.code, serde_json::from_str::<Value>(&output.out).unwrap())
    };
    assert_eq!(json(&["1"], "").1["id"], "1");
    assert_eq!(ids(json(&["2", "1"], "").1.as_array().unwrap()), ["2", "1"]);
    assert_eq!(ids(json(&["-"], "{\"id\": 2}\r\n").1.as_array().unwrap()), ["2"]);
    let (code, shown) = json(&["1", "3", "2"], "");
    assert_eq!((code, ids(shown.as_array().unwrap())), (7, vec!["1".to_owned(), "2".to_owned()]));
    let failed = person.run(&["reports", "show", "1", "3"]);
    assert!(failed.error.contains("3: Reading the report failed"), "{failed:?}");
    let table = |ids: &[&str]| person.run(&[&["reports", "show", "--format", "table"], ids].concat()).out;
    assert_eq!(table(&["1", "2"]), format!("{}\n{}", table(&["1"]), table(&["2"])), "with the checks of each");
    assert!(table(&["1"]).contains("csp") && table(&["3"]).is_empty());
}

#[tokio::test]
async fn history_lists_the_current_and_previous_results() {
    let server = MockServer::start().await;
    let report = json!({ "id": 7, "url": "https://shop.example/tea", "result": "good", "score": 90, "failed": [],
        "results": { "title": { "passed": true } }, "generated_at": "2026-05-04T10:00:00Z",
        "history": [{ "generated_at": "2026-05-01T10:00:00Z", "result": "bad", "score": 31, "failed": ["title"] }] });
    let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": report }));
    Mock::given(method("GET")).and(path("/api/v1/reports/7")).respond_with(answer).mount(&server).await;
    let person = CliUser::with_service(&server.uri());
    let output = person.run(&["reports", "history", "7", "--format", "csv"]);
    let expected =
        "generated_at,result,score,failed\n2026-05-04T10:00:00.000Z,good,90,\n2026-05-01T10:00:00.000Z,bad,31,title\n";
    assert_eq!((output.code, output.out.as_str()), (0, expected), "{output:?}");
    assert_eq!(person.run(&["reports", "history", "8"]).code, 3);
    // The latest results, which came with the report, are not all if their list cannot be read.
    for unreadable in [json!({}), json!({ "data": [{ "score": 31 }] })] {
        let answer = ResponseTemplate::new(200).set_body_json(unreadable);
        let list = Mock::given(method("GET")).and(path("/api/v1/reports/7/history")).respond_with(answer);
        let _list = list.mount_as_scoped(&server).await;
        let output = person.run(&["reports", "history", "7", "--format", "json"]);
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
        assert!(output.error.contains("it contains no list of results"), "{output:?}");
    }
}

#[test]
fn history_lists_all_results_that_the_service_keeps() {
    let (person, page) = (CliUser::new(), page());
    let id = person.run(&["reports", "create", &page]).records()[0]["id"].as_str().unwrap().to_owned();
    let data = Connection::open(database_of(&person)).unwrap();
    let former = "INSERT INTO history (report_id, result, score, generated_at, failed, checks)
                  SELECT ?1, 1, value, value, '', '{}' FROM json_each(?2)";
    data.execute(former, (&id, json!((1..=40).collect::<Vec<_>>()).to_string())).unwrap();
    let scores: Vec<u64> =
        person.run(&["reports", "history", &id]).records().iter().map(|row| row["score"].as_u64().unwrap()).collect();
    assert_eq!(scores[1..], (1..=40).rev().collect::<Vec<_>>());
}

#[test]
fn commands_on_a_single_report_do_not_take_a_dash_for_its_id() {
    let person = CliUser::new();
    for command in ["history", "open", "link"] {
        let refused = person.run_with(&["reports", command, "-"], "7\n");
        assert_eq!((refused.code, refused.error.contains("reports show -")), (2, true), "{command}: {refused:?}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_report_is_opened_and_its_page_linked() {
    let server = MockServer::start().await;
    let report = json!({ "id": 7, "url": "https://shop.example/tea", "result": "good" });
    let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": report }));
    Mock::given(method("GET")).and(path("/api/v1/reports/7")).respond_with(answer).mount(&server).await;
    let page = json!({ "data": { "url": format!("{}/reports/7?pass=ten-minutes", server.uri()) } });
    let answer = ResponseTemplate::new(200).set_body_json(page);
    Mock::given(method("GET")).and(path("/api/v1/reports/7/link")).respond_with(answer).mount(&server).await;
    let person = CliUser::with_service(&server.uri());
    assert_eq!(person.run(&["reports", "link", "8"]).code, 3);
    let link = person.run(&["reports", "link", "7"]).records()[0]["url"].as_str().unwrap().to_owned();
    assert_eq!(link, format!("{}/reports/7?pass=ten-minutes", server.uri()));
    let nowhere = person.run(&["reports", "open", "7"]);
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.error.contains("The address is https://shop.example/tea"), "{nowhere:?}");
    // A desktop whose browser logs the URLs that it is given.
    let programs = person.home().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let (browser, opened) = (programs.join("xdg-open"), person.home().join("opened"));
    script(&browser, &format!("printf '%s' \"$1\" > '{}'\n", opened.display()));
    let person = person.with("DISPLAY", ":0").with("PATH", programs.to_str().unwrap());
    for (options, address) in [(&["7"][..], "https://shop.example/tea"), (&["7", "--page"], link.as_str())] {
        let output = person.run(&[&["reports", "open"], options].concat());
        assert_eq!((output.code, std::fs::read_to_string(&opened).unwrap().as_str()), (0, address), "{output:?}");
    }
    script(&browser, "exit 3\n");
    let failed = person.run(&["reports", "open", "7"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    assert!(failed.error.contains("no web browser could be started"), "{failed:?}");
    assert!(failed.error.contains("The address is https://shop.example/tea"), "{failed:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn only_web_addresses_are_opened() {
    let urls = [
        ("1", "shop.example/tea", Some("https://shop.example/tea")),
        ("2", "https://user:secret@shop.example/", None),
        // Never as the scheme that the service names.
        ("3", "ssh://-oProxyCommand=x", Some("https://ssh//-oProxyCommand=x")),
        ("4", "", None),
    ];
    let server = MockServer::start().await;
    for (id, url, _) in urls {
        let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": { "id": id, "url": url } }));
        Mock::given(method("GET")).and(path(format!("/api/v1/reports/{id}"))).respond_with(answer).mount(&server).await;
    }
    let person = CliUser::with_service(&server.uri());
    let (programs, opened) = (person.home().join("programs"), person.home().join("opened"));
    std::fs::create_dir(&programs).unwrap();
    script(&programs.join("xdg-open"), &format!("printf '%s' \"$1\" > '{}'\n", opened.display()));
    let person = person.with("DISPLAY", ":0").with("PATH", programs.to_str().unwrap());
    for (id, _, expected) in urls {
        let output = person.run(&["reports", "open", id]);
        let found = std::fs::read_to_string(&opened).ok();
        assert_eq!((output.code, found.as_deref()), (i32::from(expected.is_none()), expected), "{output:?}");
        if expected.is_some() {
            std::fs::remove_file(&opened).unwrap();
        } else {
            assert!(
                output.error.contains("cannot be opened in a browser. Open its report page with --page"),
                "{output:?}"
            );
        }
    }
}

#[test]
fn changes_by_commands_are_in_the_history() {
    let (person, page) = (CliUser::new(), page());
    let id = person.run(&["reports", "create", &page]).records()[0]["id"].as_str().unwrap().to_owned();
    let update = person.run(&["reports", "update", &id, "--rerun", "--privacy", "private"]);
    assert_eq!(update.code, 0, "{update:?}");
    assert_eq!(person.run(&["reports", "delete", &id, "--yes"]).code, 0);
    let changes = person.run(&["changes", "--since", "1h"]).records();
    let listed: Vec<[&str; 3]> =
        changes.iter().map(|row| ["kind", "before", "after"].map(|field| row[field].as_str().unwrap())).collect();
    let [created, privacy, rerun, deleted] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!((created[0], *privacy, deleted[0]), ("created", ["privacy", "", "private"], "deleted"));
    assert_eq!((rerun[0], rerun[1]), ("rerun", created[2]), "the previous result is the one in the history");
}

#[test]
fn a_change_succeeds_even_if_the_history_cannot_be_written() {
    let (person, page) = (CliUser::new(), page());
    let state = person.home().join(".local/state/reportdeck");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("journal.sqlite"), "no database, and long enough to be looked at as if it were one")
        .unwrap();
    let created = person.run(&["reports", "create", &page]);
    assert_eq!((created.code, created.records().len()), (0, 1), "{created:?}");
    assert!(created.error.contains("warning: this will be missing from the history"), "{created:?}");
}

#[test]
fn pages_of_the_embedded_service_end_with_the_command() {
    let (person, page) = (CliUser::new(), page());
    let id = person.run(&["reports", "create", &page]).records()[0]["id"].as_str().unwrap().to_owned();
    for arguments in [&["reports", "link", &id][..], &["reports", "open", &id, "--page"]] {
        let output = person.run(arguments);
        assert_eq!(output.code, 2);
        assert!(output.error.contains("the embedded service and its pages end with this command"), "{output:?}");
    }
    assert_eq!(person.run(&["reports", "history", &id]).records().len(), 1);
}

#[tokio::test]
async fn states_and_notes_of_this_machine_are_set_listed_and_filtered_by() {
    let server = five_reports().await;
    for id in [1, 2, 4] {
        let report = json!({ "id": id, "url": format!("https://shop.example/{id}"), "result": "bad", "score": 12,
            "project": "shop.example" });
        let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": report }));
        Mock::given(method("GET")).and(path(format!("/api/v1/reports/{id}"))).respond_with(answer).mount(&server).await;
    }
    let person = CliUser::with_service(&server.uri());
    assert_eq!(person.run(&["reports", "state"]).records(), [0; 0]);
    let set = person.run(&["reports", "state", "1", "4", "99", "--set", "waiting"]);
    assert_eq!((set.code, set.records().len()), (7, 2), "report 99 does not exist: {set:?}");
    let snoozed = person.run_with(&["reports", "state", "-", "--set", "snoozed", "--for", "2d"], "{\"id\":\"2\"}\n");
    let snoozed = &snoozed.records()[0];
    let time = |field: &str| snoozed[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert_eq!(time("until").duration_since(time("set_at")).as_hours(), 48);
    let lengths = ["until", "set_at"].map(|field| snoozed[field].as_str().unwrap().len());
    assert_eq!(lengths, [24, 24], "milliseconds: {snoozed}");
    assert_eq!(ids(&person.run(&["reports", "state"]).records()), ["1", "4", "2"]);
    assert_eq!(ids(&person.run(&["reports", "list", "--filter", "state:waiting"]).records()), ["1", "4"]);
    let named = person.run(&["reports", "state", "1", "99"]);
    assert_eq!((named.code, ids(&named.records())), (0, vec!["1".to_owned()]));
    assert!(named.error.contains("note: no states for 1 of 2 ids; --set STATE sets one"), "{named:?}");
    // A text in place of an option is an id.
    let note = person.run(&["reports", "note", "1", "Called the customer"]);
    assert!(note.error.contains("note: no notes for 2 of 2 ids; --add TEXT adds one"), "{note:?}");
    // An expired snooze is new, also before the dashboard stores that.
    let journal = Journal::open(&person.home().join(".local/state/reportdeck/journal.sqlite")).unwrap();
    let (id, states) = (ReportId::new("2"), journal.load_states(&server.uri()).unwrap());
    let expired = Triage { state: State::Snoozed { until: Timestamp::UNIX_EPOCH }, ..states.get(&id).unwrap().clone() };
    journal.upsert_states(&server.uri(), &[(id, expired)], &[]).unwrap();
    let shown = &person.run(&["reports", "state", "2"]).records()[0];
    assert_eq!((&shown["state"], &shown["until"]), (&json!("new"), &Value::Null), "{shown}");
    assert_eq!(person.run(&["reports", "list", "--filter", "state:snoozed"]).records(), [0; 0]);
    assert_eq!(person.run(&["reports", "state", "4", "--set", "new"]).code, 0);
    assert_eq!(ids(&person.run(&["reports", "list", "--filter", "state:waiting"]).records()), ["1"]);

    // A state is stored with its entry in the history, or not at all.
    let journal = Connection::open(person.home().join(".local/state/reportdeck/journal.sqlite")).unwrap();
    journal.execute_batch("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'full'); END").unwrap();
    assert_ne!(person.run(&["reports", "state", "4", "--set", "looking"]).code, 0);
    assert_eq!(person.run(&["reports", "state", "4"]).records(), [0; 0]);
    journal.execute_batch("DROP TRIGGER full").unwrap();

    assert_eq!(person.run(&["reports", "note", "1", "--add", "customer repairs until Tuesday"]).code, 0);
    assert_eq!(person.run(&["reports", "note", "1", "--add", "called"]).code, 0);
    let longest = "é".repeat(2_000);
    let too_long = person.run(&["reports", "note", "1", "--add", &format!("{longest}s")]);
    assert_eq!((too_long.code, too_long.out.as_str()), (2, ""), "{too_long:?}");
    assert!(too_long.error.contains("the note has 2,001 characters, and a note has at most 2,000"), "{too_long:?}");
    assert_eq!(person.run(&["reports", "note", "4", "--add", &longest]).records()[0]["text"], json!(longest));
    let notes = person.run(&["reports", "note", "1"]).records();
    assert_eq!(
        (notes.len(), &notes[0]["text"], &notes[1]["text"]),
        (2, &json!("customer repairs until Tuesday"), &json!("called"))
    );
    let changes = person.run(&["changes", "--since", "1h"]).records();
    let listed: Vec<String> = changes.iter().map(|row| format!("{} {}", row["kind"], row["after"])).collect();
    let [waiting, snoozed, new, note] =
        ["\"state\" \"waiting\"", "\"state\" \"snoozed\"", "\"state\" \"new\"", "\"note\" \"\""];
    assert_eq!(listed, [waiting, waiting, snoozed, new, note, note, note]);
    // Another service has its own states.
    let other = MockServer::start().await;
    let elsewhere = person.with("REPORTDECK_BASE_URL", &other.uri());
    assert_eq!(elsewhere.run(&["reports", "state"]).records(), [0; 0]);
    for arguments in [
        &["reports", "state", "1", "--set", "done"][..],
        &["reports", "state", "--set", "waiting"],
        &["reports", "state", "1", "waiting"],
        &["reports", "state", "1", "--set", "waiting", "--for", "2d"],
        &["reports", "state", "1", "--set", "snoozed", "--for", "0d"],
        &["reports", "note", "1", "--add", "  "],
        &["changes", "--since", "soon"],
    ] {
        assert_eq!(elsewhere.run(arguments).code, 2, "{arguments:?}");
    }
}
