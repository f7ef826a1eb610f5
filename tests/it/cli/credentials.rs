//! `login`, key sources and `doctor`: where keys are stored, which service receives them, and that none is printed.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::support::cli_user::{CliUser, found};
use crate::support::scripted_server::{Reply, ScriptedServer};

pub const KEY: &str = "rdk_a_key_that_nobody_sees";

/// A service with one page of reports for requests with a valid key.
pub async fn service() -> MockServer {
    let server = MockServer::start().await;
    let refused = ResponseTemplate::new(401).set_body_json(json!({ "message": "Who?" }));
    Mock::given(wiremock::matchers::any()).respond_with(refused).with_priority(9).mount(&server).await;
    let rows: Vec<Value> = (0..10).map(|id| json!({ "id": id, "url": format!("https://shop.example/{id}") })).collect();
    let answers = [("/api/v1/reports", rows), ("/api/v1/projects", vec![json!({ "project": "shop.example" })])];
    for (place, rows) in answers {
        let meta = json!({ "current_page": 1, "last_page": 1, "total": rows.len() });
        let answer = ResponseTemplate::new(200)
            .insert_header("x-ratelimit-limit", "60")
            .insert_header("x-ratelimit-remaining", "59")
            .set_body_json(json!({ "data": rows, "meta": meta }));
        let asked = Mock::given(method("GET")).and(path(place));
        asked.and(header("authorization", format!("Bearer {KEY}"))).respond_with(answer).mount(&server).await;
    }
    server
}

#[tokio::test]
async fn an_accepted_key_is_stored_and_sent_only_to_its_own_service() {
    let server = service().await;
    let person = CliUser::new();
    let login = ["login", "work", "--key-stdin", "--base-url", &server.uri()];
    let refused = person.run_with(&login, "rdk_a_wrong_key");
    assert_eq!(refused.code, 4);
    assert!(refused.error.contains("nothing was stored. Check that the whole key was given"), "{refused:?}");
    assert!(!person.home().join(".local").exists(), "{refused:?}");
    let output = person.run_with(&login, &format!("{KEY}\n"));
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(found(&output, "page size"), ("ok".into(), "honoured: 10 requested, 10 received".into()));
    assert_eq!(found(&output, "limits"), ("ok".into(), "60 requests per minute, 59 remaining".into()));
    for line in ["default_profile = \"work\"", "[profiles.work]", &format!("base_url = \"{}\"", server.uri())] {
        assert!(output.error.contains(line), "{line}: {output:?}");
    }
    assert!(!person.home().join(".config").exists(), "the program never writes the configuration file");
    let profile = |url: &str| format!("default_profile = \"work\"\n[profiles.work]\nbase_url = \"{url}\"\n");
    person.configure(&profile(&server.uri()));
    assert_eq!(person.run(&["reports", "list"]).records().len(), 10);
    let shown = person.run(&["config", "show"]);
    assert!(shown.out.contains("login: the file ") && !shown.out.contains(KEY), "{shown:?}");
    let other = MockServer::start().await;
    person.configure(&profile(&other.uri()));
    let output = person.run(&["reports", "list"]);
    assert_eq!(output.code, 2);
    assert!(output.error.contains("config.toml:3: the stored key of the profile work belongs to "), "{output:?}");
    assert_eq!(other.received_requests().await.unwrap().len(), 0);
    assert_eq!(person.run(&["logout"]).code, 0);
    assert!(person.run(&["reports", "list"]).error.contains("reportdeck login work"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_stored_key_and_its_directories_are_private_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let (server, person) = (service().await, CliUser::new());
    let login = person.command(&["login", "work", "--key-stdin", "--base-url", &server.uri()]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(login.get_program()).args(login.get_args()).env_clear();
    shell.envs(login.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert_cmd::Command::from_std(shell).write_stdin(KEY).assert().success();
    let mut path = person.home().to_owned();
    for part in [".local", "state", "reportdeck", "credentials", "work.json"] {
        path.push(part);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}

#[tokio::test]
async fn an_accepted_key_is_stored_even_if_the_findings_cannot_be_printed() {
    let server = service().await;
    let person = CliUser::new();
    let mut login = person.command(&["login", "work", "--key-stdin", "--base-url", &server.uri()]);
    // Nobody reads the findings.
    let (nobody, findings) = std::io::pipe().unwrap();
    drop(nobody);
    let mut login = login.stdin(Stdio::piped()).stdout(findings).stderr(Stdio::null()).spawn().unwrap();
    login.stdin.take().unwrap().write_all(KEY.as_bytes()).unwrap();
    assert!(login.wait().unwrap().success());
    person.configure(&format!("[profiles.work]\nbase_url = \"{}\"\n", server.uri()));
    let list = person.run(&["reports", "list", "--profile", "work"]);
    assert_eq!((list.code, list.records().len()), (0, 10), "{list:?}");
}

#[tokio::test]
async fn an_invalid_login_exits_with_2_and_an_unreachable_service_with_6() {
    let server = service().await;
    let uri = server.uri();
    let person = CliUser::new().with("WORK_KEY", KEY);
    person.configure(&format!(
        "[profiles.work]\nbase_url = \"{uri}\"\napi_key_env = \"WORK_KEY\"\n[profiles.b]\nbase_url = \"{uri}\""
    ));
    for (arguments, stdin, code, expected) in [
        (&["login", "work", "--key-stdin"][..], KEY, 2, "takes its key from api_key_env"),
        (&["login", "b", "--key-stdin"], "", 2, "no key was given"),
        (&["login", "b", "--key-stdin"], "two\nlines", 2, "a key is a single line"),
        (&["login", "b"], "", 2, "--key-stdin"),
        (&["login", "c", "--key-stdin"], KEY, 2, "--base-url"),
        (&["login", "b", "--key-stdin", "--base-url", "http://127.0.0.1:1"], KEY, 2, "differs from --base-url"),
        (&["login", "b", "--key-stdin", "--profile", "work"], KEY, 2, "two different profiles"),
        (&["login", "c", "--key-stdin", "--base-url", "http://shop.example"], KEY, 2, "plain http"),
        (&["login", "c", "--key-stdin", "--base-url", "http://127.0.0.1:1"], KEY, 6, "no connection"),
    ] {
        let output = person.run_with(arguments, stdin);
        assert_eq!((output.code, output.error.contains(expected)), (code, true), "{arguments:?}: {output:?}");
        assert!(!output.error.contains(KEY) && !output.out.contains(KEY), "{output:?}");
    }
    assert!(!person.home().join(".local").exists());
}

#[tokio::test]
async fn a_key_on_stdin_that_is_no_text_is_named_as_such() {
    let server = service().await;
    let login = CliUser::new().command(&["login", "work", "--key-stdin", "--base-url", &server.uri()]);
    let output = assert_cmd::Command::from_std(login).write_stdin(&b"\xff\xfe"[..]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.contains("the key on stdin cannot be read")), (Some(2), true), "{error}");
}

#[tokio::test]
async fn a_typed_key_is_not_echoed() {
    let server = service().await;
    let person = CliUser::new();
    let mut running = person.terminal(&["login"]);
    running.wait_for("Base URL for profile default:");
    running.send(&format!("{}\r", server.uri()));
    running.wait_for("(not shown):");
    running.send(&format!("{KEY}\r"));
    running.wait_for("[profiles.default]");
    let shown = running.screen();
    assert!(shown.contains("accepted") && !shown.contains(KEY), "{shown}");
    assert_eq!(running.wait().exit_code(), 0);
    assert!(person.home().join(".local/state/reportdeck/credentials/default.json").exists());
    let mut running = person.terminal(&["login", "other", "--base-url", &server.uri()]);
    running.wait_for("(not shown):");
    running.send(&format!("{}\r", KEY.repeat(1_000)));
    running.wait_for("longer than any key");
    assert_eq!(running.wait().exit_code(), 1);
    let mut running = person.terminal(&["login", "other", "--base-url", &server.uri()]);
    running.wait_for("(not shown):");
    running.send("half a k\x03");
    running.wait_for("nothing was entered");
    assert_eq!(running.wait().exit_code(), 1);
    assert!(!person.home().join(".local/state/reportdeck/credentials/other.json").exists());
}

#[tokio::test]
async fn a_key_can_be_corrected_and_pasted() {
    let server = service().await;
    let person = CliUser::new();
    let (start, end) = KEY.split_at(5);
    for typed in [
        // The whole line, one character, and keys that type nothing.
        format!("another key\u{15}{KEY}\r"),
        format!("{start}xü\u{7f}\u{7f}{end}\u{1b}[A\r"),
        format!("{}\u{15}{KEY}\n", KEY.repeat(1_000)),
        // From a terminal that marks pastes.
        format!("\u{1b}[200~{KEY}\n\u{1b}[201~\r"),
    ] {
        let mut running = person.terminal(&["login", "work", "--base-url", &server.uri()]);
        running.wait_for("(not shown):");
        running.send(&typed);
        running.wait_for("accepted");
        assert_eq!(running.wait().exit_code(), 0, "{}", running.screen());
    }
}

#[tokio::test]
async fn a_configured_command_supplies_the_key() {
    let server = service().await;
    let person = CliUser::new();
    let profile = format!("default_profile = \"work\"\n[profiles.work]\nbase_url = \"{}\"\n", server.uri());
    person.configure(&format!("{profile}api_key_command = [\"/bin/echo\", \"{KEY}\"]"));
    assert_eq!(person.run(&["reports", "list"]).records().len(), 10);
    let shown = person.run(&["config", "show"]);
    assert!(shown.out.contains("api_key_command: /bin/echo") && !shown.out.contains(KEY), "{shown:?}");
    // A password store that is unlocked by hand is queried once.
    person.configure(&format!("{profile}api_key_command = [\"/bin/sh\", \"-c\", \"echo >> $HOME/runs; echo {KEY}\"]"));
    assert_eq!(person.run(&["config", "check"]).code, 0);
    let runs = person.home().join("runs");
    assert_eq!(std::fs::read_to_string(&runs).unwrap(), "\n");
    std::fs::remove_file(&runs).unwrap();
    person.run(&["changes"]);
    assert_eq!(std::fs::read_to_string(&runs).unwrap(), "\n");
    person.configure(&format!(
        "{profile}api_key_command = [\"/bin/sh\", \"-c\", \"echo {KEY}; echo locked >&2; exit 1\"]"
    ));
    let output = person.run(&["reports", "list"]);
    assert_eq!(output.code, 2);
    assert!(
        output.error.contains("config.toml:4: api_key_command: /bin/sh failed (exit status: 1): locked"),
        "{output:?}"
    );
    assert!(!output.error.contains(KEY), "{output:?}");
}

#[tokio::test]
async fn doctor_reports_its_findings_and_fails_with_the_code_of_the_service() {
    let server = service().await;
    let person = CliUser::with_service(&server.uri());
    let refused = person.run(&["doctor", "--format", "json"]);
    assert_eq!(refused.code, 4);
    let whole: Value = serde_json::from_str(&refused.out).unwrap();
    assert!(whole.as_array().unwrap().iter().any(|row| row["check"] == "service" && row["state"] == "failed"));
    let person = CliUser::new().with("REPORTDECK_BASE_URL", &server.uri()).with("REPORTDECK_API_KEY", KEY);
    let output = person.run(&["doctor"]);
    assert_eq!(output.code, 0, "{output:?}");
    for (check, state, words) in [
        ("key", "ok", "accepted"),
        ("paging", "ok", "all reports are on one page, 10 reports in total"),
        ("sorting", "ok", "honoured"),
        ("projects", "ok", "1"),
        ("keyring", "note", "none: REPORTDECK_KEYRING is off"),
    ] {
        assert_eq!(found(&output, check), (state.to_owned(), words.to_owned()), "{output:?}");
    }
    assert_eq!(CliUser::with_service("http://127.0.0.1:1").run(&["doctor"]).code, 6);
    person.configure("default_profile = 1");
    let output = person.run(&["doctor"]);
    assert_eq!((output.code, found(&output, "configuration").0), (2, "failed".to_owned()));
    let about_it = |row: &&Value| row["found"].as_str().unwrap().contains("default_profile");
    assert_eq!(output.records().iter().filter(about_it).count(), 1, "an error is one finding: {output:?}");
    let elsewhere = person.run(&["doctor", "--data", person.home().to_str().unwrap()]);
    assert_eq!(found(&elsewhere, "data").0, "ok", "{elsewhere:?}");
}

#[test]
fn a_wrong_switch_of_the_keyring_is_reported() {
    let person = CliUser::new().with("REPORTDECK_KEYRING", "false");
    person.configure("[profiles.work]\nbase_url = \"https://work.example\"\n");
    let why = "REPORTDECK_KEYRING is false, which is neither on nor off";
    let doctor = person.run(&["doctor"]);
    assert_eq!(found(&doctor, "keyring"), ("note".to_owned(), format!("none: {why}")));
    let keyring = doctor.records().into_iter().find(|row| row["check"] == "keyring").unwrap();
    assert_eq!(keyring["advice"], "Unlock it, or set REPORTDECK_KEYRING=off to do without it", "login stores no key");
    let refused = person.run(&["--profile", "work", "reports", "list"]);
    assert!(refused.code == 2 && refused.error.contains(why), "{refused:?}");
}

#[test]
fn doctor_runs_a_key_command_that_fails_once() {
    let person = CliUser::new();
    person.configure(
        "default_profile = \"work\"\n[profiles.work]\nbase_url = \"https://work.example\"\n\
         api_key_command = [\"/bin/sh\", \"-c\", \"echo called >> $HOME/calls; exit 1\"]",
    );
    let output = person.run(&["doctor"]);
    assert_eq!((output.code, found(&output, "service").0), (2, "failed".to_owned()), "{output:?}");
    assert_eq!(std::fs::read_to_string(person.home().join("calls")).unwrap(), "called\n");
}

#[test]
fn doctor_reports_the_colours_that_the_dashboard_uses() {
    for (variables, expected) in [
        (&[("TERM", "xterm-kitty")][..], "256"),
        (&[("TERM", "xterm-direct")], "16 million"),
        (&[("WT_SESSION", "1")], "16 million"),
        (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], "16 million"),
        (&[("TERM", "linux")], "16"),
        (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], "none, because TERM is dumb"),
        (&[("TERM", "xterm-kitty"), ("NO_COLOR", "1")], "none, because NO_COLOR is set"),
    ] {
        let person = variables.iter().fold(CliUser::new(), |person, (name, value)| person.with(name, value));
        assert_eq!(found(&person.run(&["doctor"]), "colours").1, expected, "{variables:?}");
    }
}

#[tokio::test]
async fn doctor_names_deviations_of_a_service_from_the_interface() {
    let server = MockServer::start().await;
    // Always the same 25 reports, newest first, for any query, and no paging data.
    let rows: Vec<Value> =
        (0..25).rev().map(|id| json!({ "id": id, "url": format!("https://a.example/{id}") })).collect();
    let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": rows }));
    Mock::given(path("/api/v1/reports")).respond_with(answer).mount(&server).await;
    Mock::given(path("/api/v1/projects")).respond_with(ResponseTemplate::new(500)).mount(&server).await;
    let output = CliUser::with_service(&server.uri()).run(&["doctor"]);
    for (check, state, words) in [
        ("page size", "note", "chosen by the service: 10 requested, 25 received"),
        ("paging", "note", "unknown"),
        ("limits", "ok", "unknown"),
        ("sorting", "note", "not in the requested order"),
        ("second page", "note", "the same reports as the first"),
    ] {
        assert_eq!(found(&output, check), (state.to_owned(), words.to_owned()), "{output:?}");
    }
    assert_eq!((output.code, found(&output, "projects").0), (1, "failed".to_owned()), "{output:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_names_the_paging_of_a_service() {
    let row = |id: usize| json!({ "id": id, "url": format!("https://a.example/{id}") });
    let page = |from: usize| (from..from + 10).map(row).collect::<Vec<_>>();
    for (next, further, paging, second) in [
        (
            json!({ "meta": { "current_page": 1, "last_page": 3, "total": 25 } }),
            page(10),
            "by page number, last page 3, 25 reports in total",
            ("ok", "10 more reports"),
        ),
        (
            json!({ "meta": { "current_page": 1, "total": 25 } }),
            page(10),
            "by the number of reports, 25 reports in total",
            ("ok", "10 more reports"),
        ),
        (
            json!({ "next_cursor": "b", "total": 11 }),
            page(5),
            "by cursor, 11 reports in total",
            ("ok", "5 more reports"),
        ),
        (json!({ "links": { "next": "/api/v1/reports?offset=10" } }), page(10), "by offset", ("ok", "10 more reports")),
        (
            json!({ "links": { "next": "/api/v1/reports?offset=10" } }),
            page(0),
            "by offset",
            ("note", "the same reports as the first"),
        ),
        (
            json!({ "meta": { "current_page": 1, "last_page": 2 } }),
            Vec::new(),
            "by page number, last page 2",
            ("note", "there is none, or no way to request it"),
        ),
    ] {
        let first = page(0);
        let service = ScriptedServer::start(move |asked| {
            let is_first = ["page", "cursor", "offset"].iter().all(|name| asked.parameter(name).is_none());
            let mut body = next.clone();
            body["data"] = if is_first { first.clone() } else { further.clone() }.into();
            Reply::Json(200, if asked.path() == "/api/v1/reports" { body } else { json!({ "data": [] }) })
        })
        .await;
        let output = CliUser::with_service(&service.base).run(&["doctor"]);
        let expected = [("ok".to_owned(), paging.to_owned()), (second.0.to_owned(), second.1.to_owned())];
        assert_eq!(["paging", "second page"].map(|check| found(&output, check)), expected, "{output:?}");
        assert_eq!(output.code, 0, "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_counts_the_reports_that_cannot_be_read() {
    let rows = json!([{ "id": 1, "url": "https://a.example/" }, 7, "https://a.example/" ]);
    let service = ScriptedServer::start(move |_| Reply::Json(200, json!({ "data": rows }))).await;
    let output = CliUser::with_service(&service.base).run(&["doctor"]);
    assert_eq!(
        found(&output, "rows"),
        ("note".to_owned(), "2 of 3 reports could not be read".to_owned()),
        "{output:?}"
    );
}

#[test]
fn doctor_names_what_this_machine_lacks() {
    let (usual, warned, damaged) = (CliUser::new(), CliUser::new(), CliUser::new());
    warned.configure("teh_theme = 1");
    let state = damaged.home().join(".local/state/reportdeck");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("journal.sqlite"), "no database, and long enough to be looked at as if it were one")
        .unwrap();
    let file = usual.home().join("a file");
    std::fs::write(&file, "").unwrap();
    let below = file.join("data");
    let usual =
        usual.with("STY", "1.screen").with("TMUX", "/tmp/tmux,1,0").with("SSH_CONNECTION", "a b").with("LANG", "C");
    for (person, arguments, code, expected) in [
        (
            &usual,
            &["doctor"][..],
            0,
            &[
                ("screen", "note", "yes; copying may not reach"),
                ("tmux", "ok", "set-clipboard on"),
                ("ssh", "ok", "OSC 52"),
                ("letters", "note", "C is not UTF-8"),
                ("terminal", "note", "the output is not a terminal"),
            ][..],
        ),
        (
            &usual,
            &["doctor", "--data", below.to_str().unwrap()],
            1,
            &[("data", "note", "cannot be written"), ("service", "failed", "cannot use the data directory")],
        ),
        (&warned, &["doctor"], 0, &[("configuration", "note", "with warnings: 1")]),
        (&damaged, &["doctor"], 1, &[("journal", "failed", "journal")]),
    ] {
        let output = person.run(arguments);
        assert_eq!(output.code, code, "{output:?}");
        for (check, severity, words) in expected {
            let (state, text) = found(&output, check);
            assert!(state == *severity && text.contains(words), "{check}: {state} {text}");
        }
    }
    // It creates nothing: run by another user, it would leave files that the service cannot write.
    assert!(!usual.home().join(".local").exists());
    assert_eq!(found(&usual.run(&["doctor"]), "service"), ("ok".to_owned(), "embedded, and not used yet".to_owned()));
}
