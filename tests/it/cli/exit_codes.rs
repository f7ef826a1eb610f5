//! Every exit code with its message.

use std::process::Stdio;

use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::support::cli_user::{CliUser, page};

/// A service that sends the same response to every request.
async fn always(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(wiremock::matchers::any()).respond_with(answer).mount(&server).await;
    server
}

#[tokio::test]
async fn the_response_of_the_service_decides_the_exit_code() {
    let refused = json!({ "message": "No.", "errors": { "url": ["Not this one."] } });
    for (status, body, arguments, code, kind) in [
        (401, json!({ "message": "Who?" }), &["reports", "list"][..], 4, "unauthorised"),
        (403, json!({}), &["reports", "show", "1"], 4, "forbidden"),
        (404, json!({}), &["reports", "show", "1"], 3, "not_found"),
        (404, json!({}), &["reports", "list"], 1, "wrong_address"),
        // A new report cannot be missing.
        (404, json!({}), &["reports", "create", "x"], 1, "wrong_address"),
        (422, refused.clone(), &["reports", "create", "x"], 5, "invalid"),
        (429, json!({}), &["reports", "create", "x"], 1, "rate_limited"),
        (500, json!({}), &["reports", "delete", "1", "--yes"], 1, "service"),
    ] {
        // Longer than the timeout.
        let answer = ResponseTemplate::new(status).set_body_json(body).insert_header("retry-after", "61");
        let server = always(answer).await;
        let output = CliUser::with_service(&server.uri()).run(arguments);
        let problem = output.problem();
        assert_eq!((output.code, problem["kind"].as_str().unwrap()), (code, kind), "{status} {arguments:?} {output:?}");
        assert_eq!(problem["status"], status, "{output:?}");
        assert!(output.error.lines().next().unwrap().starts_with("error: "), "{output:?}");
        assert_eq!(output.out.trim(), "");
    }
}

#[tokio::test]
async fn invalid_fields_are_reported_as_text_and_as_json() {
    // Services nest their messages in several ways.
    let odd =
        json!({ "message": { "url": { "0": "Not this one.", "1": ["Nor that."] }, "privacy": 7, "password": null } });
    let server = always(ResponseTemplate::new(422).set_body_json(odd)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "create", "shop.example"]);
    let fields = json!({ "url": ["Not this one.", "Nor that."], "privacy": ["7"], "password": ["null"] });
    assert_eq!((output.code, &output.problem()["fields"]), (5, &fields), "{output:?}");
    let body = json!({ "message": "No.", "errors": { "url": ["Not this one."], "privacy": ["Nor that."] } });
    let server = always(ResponseTemplate::new(422).set_body_json(body)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "create", "shop.example"]);
    assert!(output.error.contains("\n  url: Not this one.\n"), "{output:?}");
    assert_eq!(output.problem()["fields"], json!({ "url": ["Not this one."], "privacy": ["Nor that."] }));
    // Without JSON, the last line is readable text too.
    let output = CliUser::with_service(&server.uri()).run(&["reports", "create", "x", "--format", "csv"]);
    assert!(!output.error.contains('{'), "{output:?}");
}

#[tokio::test]
async fn a_web_page_is_not_accepted_as_a_service() {
    let html = ResponseTemplate::new(200).set_body_raw("<html><title>Welcome</title>", "text/html");
    let server = always(html).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--format", "json"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""));
    assert!(output.error.contains("base URL"), "{output:?}");
}

#[tokio::test]
async fn the_advice_about_something_missing_is_not_replaced_by_that_about_reports() {
    let server = always(ResponseTemplate::new(404)).await;
    let person = CliUser::with_service(&server.uri());
    let gone = person.run(&["reports", "show", "1"]);
    assert!(gone.error.contains("it does not exist (404). Use a list command to see what exists"), "{gone:?}");
    let pageless = person.run(&["reports", "link", "1"]);
    assert_eq!((pageless.code, pageless.out.as_str()), (3, ""), "{pageless:?}");
    assert!(pageless.error.contains("Only reportdeck's own service has report pages"), "{pageless:?}");
}

#[tokio::test]
async fn a_search_that_no_url_can_hold_is_not_sent() {
    let server = always(ResponseTemplate::new(200).set_body_json(json!({ "data": [] }))).await;
    let long = "x".repeat(9_000);
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--search", &long]);
    assert_eq!((output.code, output.out.as_str()), (5, ""), "{:.300}", output.error);
    assert!(output.error.contains("the request is too long. Shorten the search text"), "{:.300}", output.error);
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn no_failure_prints_an_empty_success() {
    let server = always(ResponseTemplate::new(403).set_body_json(json!({}))).await;
    let person = CliUser::with_service(&server.uri());
    for arguments in [
        &["reports", "list"][..],
        &["reports", "create", "a", "b"],
        &["reports", "update", "1", "2", "--rerun"],
        &["reports", "delete", "1", "2", "--yes"],
        &["projects", "list"],
        &["projects", "delete", "a", "b", "--yes"],
    ] {
        for format in ["json", "jsonl", "csv", "markdown", "table"] {
            let output = person.run(&[arguments, &["--format", format]].concat());
            assert_eq!((output.code, output.out.as_str()), (4, ""), "{arguments:?} {format} {output:?}");
        }
    }
}

#[test]
fn an_error_names_what_failed() {
    let (person, page) = (CliUser::new(), page());
    let gone = person.run(&["reports", "delete", "8", "--yes"]);
    assert_eq!(gone.problem()["failed"], json!(["8"]), "{gone:?}");
    assert_eq!(gone.error.matches("it does not exist").count(), 2, "one line of text and one of JSON: {gone:?}");
    assert_eq!(person.run(&["reports", "show", "8"]).problem()["failed"], json!(["8"]));
    let gone = person.run(&["reports", "delete", "8", "9", "--yes"]);
    assert_eq!(gone.problem()["failed"], json!(["8", "9"]), "{gone:?}");
    let mixed = person.run(&["reports", "create", &page, "ftp://shop.example"]);
    assert_eq!(mixed.problem()["failed"], json!(["ftp://shop.example"]), "{mixed:?}");
    let missing = person.run(&["reports", "create"]);
    assert_eq!(
        missing.problem()["message"],
        "the following required arguments were not provided: <URL>...",
        "{missing:?}"
    );
    let refused = person.run(&["audit", "ftp://shop.example/"]);
    assert_eq!(refused.error.matches("only http and https").count(), 3, "two lines of JSON: {refused:?}");
}

#[test]
fn an_unreachable_service_exits_with_6() {
    let output = CliUser::with_service("http://127.0.0.1:1").run(&["reports", "create", "shop.example"]);
    assert_eq!((output.code, &output.problem()["kind"]), (6, &json!("unreachable")), "{output:?}");
}

#[test]
fn a_partial_failure_exits_with_7_and_a_shared_one_with_its_own_code() {
    let (person, page) = (CliUser::new(), page());
    let mixed = person.run(&["reports", "create", &page, "ftp://shop.example"]);
    assert_eq!((mixed.code, mixed.records().len()), (7, 1), "{mixed:?}");
    assert_eq!(mixed.problem()["kind"], "several");
    let gone = person.run(&["reports", "delete", "8", "9", "--yes", "--format", "json"]);
    assert_eq!((gone.code, gone.out.as_str(), &gone.problem()["kind"]), (3, "", &json!("not_found")), "{gone:?}");
    let refused = person.run(&["reports", "create", "ftp://shop.example"]);
    assert_eq!((refused.code, &refused.problem()["status"]), (5, &json!(422)), "{refused:?}");
}

#[tokio::test]
async fn a_rejected_key_is_not_retried() {
    let server = MockServer::start().await;
    let refusal = ResponseTemplate::new(401).set_body_json(json!({ "message": "Unauthenticated." }));
    Mock::given(method("POST")).and(path("/api/v1/reports")).respond_with(refusal).expect(1).mount(&server).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "create", "a", "b", "c"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(!output.error.contains("a-key"), "{output:?}");
}

#[test]
fn wrong_usage_exits_with_2_and_suggests_a_correction() {
    let person = CliUser::new();
    for (arguments, expected) in [
        (&["reports", "lst"][..], "'list'"),
        (&["reports", "list", "--result", "god"], "good"),
        (&["reports", "list", "--per-page", "11"], "10, 25, 50, 100"),
        (&["reports", "list", "--limit", "0"], "number of at least 1"),
        (&["reports", "list", "--limit", "99999999999999999999"], "number of at least 1 and at most "),
        (&["serve", "--listen", "127.0.0.1:99999"], "an address with a port up to 65535"),
        (&["reports", "create"], "<URL>"),
        (&["reports", "create", "x", "--privacy", "password"], "--password-stdin"),
        (&["reports", "create", "x", "--password-stdin"], "--privacy password"),
        (&["reports", "update", "1", "--privacy", "public", "--password-stdin"], "--privacy password"),
        (&["reports", "update", "1", "--privacy", "password", "--password-file", "/gone"], "/gone"),
        #[cfg(unix)]
        (&["reports", "update", "1", "--privacy", "password", "--password-file", "/dev/zero"], "larger than 64 KiB"),
        (&["reports", "update", "1", "--privacy", "password", "--password-stdin"], "is empty"),
        (&["reports", "update", "1"], "nothing would change"),
        (&["reports", "delete", "", "--yes"], "a value is required for '<ID>...'"),
        (&["reports", "show", ""], "a value is required for '<ID>...'"),
        (&["projects", "delete", "", "--yes"], "a value is required for '<NAME>...'"),
        (&["projects", "delete", "-", "--yes"], "names of projects are not read from stdin"),
        (&["--sample", "reports", "list"], "--sample"),
        (&["--base-url", "https://shop.example", "reports", "list"], "REPORTDECK_API_KEY"),
        (&["--profile", "nobody", "reports", "list"], "nobody"),
        (&["keys", "create", "x", "--role", "admin", "--read-only"], "--read-only means --role viewer"),
    ] {
        let output = person.run(arguments);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?} {output:?}");
        assert!(output.error.contains(expected), "{arguments:?} {output:?}");
        assert_eq!(output.problem()["kind"], "usage", "{arguments:?} {output:?}");
    }
}

#[test]
fn a_password_that_no_browser_can_send_is_refused() {
    // The output of a password manager, with further lines.
    let arguments = ["reports", "update", "1", "--privacy", "password", "--password-stdin"];
    let output = CliUser::new().run_with(&arguments, "hush\nuser: anna\n");
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{output:?}");
    assert!(
        output.error.contains("the password from stdin has more than one line. Give the password alone, in one line"),
        "{output:?}"
    );
}

#[test]
fn the_dashboard_without_a_terminal_exits_with_a_message() {
    for arguments in [&[][..], &["--sample"]] {
        let output = CliUser::new().run(arguments);
        assert_eq!(output.code, 1);
        assert!(output.error.contains("needs a terminal"), "{output:?}");
    }
}

#[test]
fn help_and_version_exit_with_0() {
    for arguments in [&["--help"][..], &["--version"], &["reports", "list", "--help"]] {
        let output = CliUser::new().run(arguments);
        assert_eq!((output.code, output.error.as_str()), (0, ""));
        assert!(!output.out.contains("--api-key"), "other users can see arguments");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for arguments in [&["--help"][..], &["--version"], &["keys", "--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = CliUser::new().command(arguments).stdout(full).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?} {error}");
        assert!(error.contains("error: the output cannot be written"), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn items_that_were_not_sent_because_the_output_cannot_be_written_are_named() {
    let server = always(ResponseTemplate::new(200).set_body_json(json!({}))).await;
    let person = CliUser::with_service(&server.uri());
    let deletion = |ids: &[&str]| {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let arguments = [&["reports", "delete", "--yes", "--format", "jsonl"], ids].concat();
        let output = person.command(&arguments).stdin(Stdio::null()).stdout(full).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("error: the output cannot be written"), "{error}");
        let problem: Value = serde_json::from_str(error.lines().last().unwrap()).unwrap();
        (output.status.code(), problem["error"]["not_sent"].clone())
    };
    assert_eq!(deletion(&["1", "2", "3"]), (Some(7), json!(["2", "3"])));
    assert_eq!(deletion(&["1"]), (Some(1), Value::Null), "everything was done");
}

#[test]
fn a_number_that_is_refused_names_the_numbers_that_are_not() {
    let person = CliUser::new();
    for (arguments, text) in [
        (&["audit", "--fail-under", "101", "shop.example"][..], "must be a score from 0 to 100"),
        (&["audit", "--fail-under", "80%", "shop.example"][..], "must be a score from 0 to 100"),
        (&["desk", "services", "--merge", "3", "two"][..], "must be a number that `desk services` lists"),
    ] {
        let output = person.run(arguments);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.error.contains(text), "{output:?}");
    }
}
