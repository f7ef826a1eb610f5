//! `serve` and `keys`: refused starts, one process per directory, the log, and graceful shutdown.

#![cfg_attr(not(unix), allow(dead_code))] // a service is stopped by a signal

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{ChildStdout, Stdio};

use reportdeck::domain::text::clean;
use rusqlite::Connection;
use serde_json::json;

#[cfg(unix)]
use crate::support::cli_user::page;
use crate::support::cli_user::{CliUser, found};
use crate::support::own_process::KilledOnDrop;

/// A running `serve` process.
struct Serving {
    child: KilledOnDrop,
    _out: BufReader<ChildStdout>,
    base_url: String,
}

impl Serving {
    fn start(person: &CliUser) -> Self {
        let mut command = person.command(&["serve", "--listen", "127.0.0.1:0"]);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = KilledOnDrop(command.spawn().unwrap());
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let base_url = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, _out: out, base_url }
    }

    fn terminate(mut self) -> (Option<i32>, String) {
        let asked = std::process::Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(asked.success());
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut stderr).unwrap();
        (self.child.wait().unwrap().code(), stderr)
    }
}

#[cfg(unix)]
#[test]
fn a_database_that_other_users_can_open_is_named_by_serve_and_doctor() {
    use std::os::unix::fs::PermissionsExt as _;
    let person = CliUser::new();
    person.run(&["keys", "create", "team"]);
    let data = person.home().join(".local/share/reportdeck");
    let set_mode = |name: &str, mode| {
        std::fs::set_permissions(data.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let named = || {
        let checked = person.run(&["doctor", "--format", "csv"]);
        assert_eq!(checked.code, 0, "{checked:?}");
        [checked.out, Serving::start(&person).terminate().1].map(|text| text.contains("other users can open"))
    };
    set_mode("reports.sqlite3", 0o644);
    assert_eq!(named(), [false, false], "nobody else can enter its directory");
    set_mode("", 0o755);
    assert_eq!(named(), [true, true]);
    set_mode("reports.sqlite3", 0o600);
    assert_eq!(named(), [false, false]);
}

#[test]
fn doctor_names_files_of_an_earlier_version_and_does_not_upgrade_them() {
    let person = CliUser::new();
    let files = [
        (".local/share/reportdeck/reports.sqlite3", "migrations/sqlite/0001_reports_and_projects.sql", "service"),
        (".local/state/reportdeck/journal.sqlite", "journal/0001_drafts.sql", "journal"),
    ];
    let version = |database: &Connection| database.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
    for (file, schema, _) in files {
        let file = person.home().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let database = Connection::open(file).unwrap();
        let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(schema);
        database.execute_batch(&std::fs::read_to_string(schema).unwrap()).unwrap();
        database.pragma_update(None, "user_version", 1).unwrap();
    }
    let checked = person.run(&["doctor"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    for (file, _, check) in files {
        let (state, text) = found(&checked, check);
        assert!(state == "note" && text.contains("is of an earlier version"), "{checked:?}");
        assert_eq!(version(&Connection::open(person.home().join(file)).unwrap()).unwrap(), 1, "{check}");
    }
    assert_eq!(person.run(&["reports", "list"]).code, 0);
    assert_eq!(found(&person.run(&["doctor"]), "service").0, "ok", "upgraded by the first command that uses it");
}

#[test]
fn a_mistyped_data_directory_is_not_an_empty_list_of_keys() {
    let person = CliUser::new();
    let directory = person.home().join("mistyped");
    let data = directory.to_str().unwrap();
    let commands = [&["list"][..], &["people"], &["revoke", "team"], &["person", "anna", "--name", "Anna"]];
    for command in commands {
        let output = person.run(&[&["keys", "--data", data], command].concat());
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{command:?}");
        assert!(output.error.contains("there is no database") && output.error.contains("--data"), "{output:?}");
        assert!(!directory.exists());
    }
    assert_eq!(person.run(&["keys", "create", "team", "--data", data]).code, 0);
    assert_eq!(person.run(&["keys", "list", "--data", data]).records().len(), 1);
}

#[test]
fn serve_refuses_to_start_without_a_key() {
    let person = CliUser::new();
    let output = person.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""));
    assert!(output.error.contains("keys create") && !output.error.contains("warning"), "{output:?}");
    let person = person.with("REPORTDECK_LOG", "nonsense");
    let output = person.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(output.error.contains("warning: REPORTDECK_LOG: nonsense is not a level"), "{output:?}");
    assert_eq!(person.run(&["keys", "create", "team"]).code, 0);
    assert_eq!(person.run(&["keys", "revoke", "team"]).records(), [json!({ "name": "team", "revoked": true })]);
    assert_eq!(person.run(&["serve", "--listen", "127.0.0.1:0"]).code, 1, "a revoked key does not count");
}

#[test]
fn a_refused_start_creates_no_data_directory() {
    let person = CliUser::new();
    let (mistyped, empty) = (person.home().join("mistyped"), person.home().join("empty"));
    std::fs::create_dir(&empty).unwrap();
    for data in [&mistyped, &empty] {
        let output = person.run(&["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]);
        assert!(output.code == 1 && output.error.contains("there is no database"), "{output:?}");
    }
    assert!(!mistyped.exists() && std::fs::read_dir(&empty).unwrap().next().is_none());
}

#[test]
fn a_worker_needs_a_database() {
    let person = CliUser::new();
    let refused = person.run(&["worker"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.error.contains("PostgreSQL") && refused.error.contains("REPORTDECK_DATABASE_URL"), "{refused:?}");
    assert!(std::fs::read_dir(person.home()).unwrap().next().is_none(), "no files are left");
    let refused = person.run(&["worker", "--data", "somewhere"]);
    assert!(refused.code == 2 && refused.error.contains("worker does not accept --data"), "{refused:?}");
}

#[test]
fn a_new_key_is_printed_once() {
    let person = CliUser::new();
    let key_records = person.run(&["keys", "create", "team"]).records();
    let key = key_records[0]["key"].as_str().unwrap();
    assert!(key.starts_with("rdk_"));
    let listed = person.run(&["keys", "list"]);
    assert!(!listed.out.contains(key));
    let listed = listed.records();
    assert_eq!((&listed[0]["name"], &listed[0]["revoked_at"]), (&json!("team"), &json!(null)));
    assert_eq!((&listed[0]["number"], &listed[0]["role"]), (&json!(1), &json!("admin")));
    for (options, role) in [(&["--role", "viewer", "--expires", "90d"][..], "viewer"), (&["--read-only"], "viewer")] {
        let name = format!("key {}", options.len());
        assert_eq!(person.run(&[&["keys", "create", &name], options].concat()).code, 0);
        let listed = person.run(&["keys", "list"]).records();
        let key = listed.last().unwrap();
        assert_eq!((&key["name"], &key["role"]), (&json!(name), &json!(role)));
        assert_eq!(key["expires_at"].is_string(), options.len() > 1);
    }
    assert_eq!(person.run(&["keys", "create", "x", "--role", "admin", "--read-only"]).code, 2);
    assert_eq!(person.run(&["keys", "create", "x", "--expires", "0d"]).code, 2, "it would never be valid");
    assert_eq!(person.run(&["keys", "create", "x", "--expires", "9999999d"]).code, 2, "beyond the calendar");
    assert_eq!(person.run(&["keys", "revoke", "team", "--read-only"]).code, 2);
    assert_eq!(person.run(&["keys", "create", "team"]).code, 5, "a name is unique");
    assert_eq!(person.run(&["keys", "revoke", "nobody"]).code, 3);
}

#[test]
fn the_name_of_an_expired_key_is_taken_until_it_is_revoked() {
    let person = CliUser::new();
    assert_eq!(person.run(&["keys", "create", "team", "--expires", "1d"]).code, 0);
    let database = Connection::open(person.home().join(".local/share/reportdeck/reports.sqlite3")).unwrap();
    database.execute("UPDATE keys SET expires_at = 1000", []).unwrap();
    let refused = person.run(&["keys", "create", "team"]);
    assert_eq!((refused.code, &refused.problem()["kind"]), (5, &json!("invalid")), "{refused:?}");
    assert!(refused.error.contains("the key named team has expired") && refused.error.contains("keys revoke"));
    assert_eq!(person.run(&["keys", "revoke", "team"]).code, 0);
    assert_eq!(person.run(&["keys", "create", "team"]).code, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_key_that_cannot_be_printed_is_revoked() {
    let person = CliUser::new();
    let created = |out: Stdio| {
        let mut command = person.command(&["keys", "create", "team"]);
        let output = command.stdin(Stdio::null()).stdout(out).stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (code, stderr) = created(full.into());
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("team was revoked"), "{stderr}");
    // A closed pipe counts as a failure too.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let (code, stderr) = created(writer.into());
    assert_eq!(code, Some(1), "{stderr}");
    let listed = person.run(&["keys", "list"]).records();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|key| key["revoked_at"].is_string()), "{listed:?}");
    assert_eq!(person.run(&["keys", "create", "team"]).code, 0, "the name is available again");
}

#[cfg(unix)]
#[test]
fn serve_locks_its_directory_and_shuts_down_gracefully() {
    let person = CliUser::new();
    let key_records = person.run(&["keys", "create", "team"]).records();
    let key = key_records[0]["key"].as_str().unwrap();
    let serving = Serving::start(&person);
    let second = person.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((second.code, second.out.as_str()), (1, ""));
    assert!(second.error.contains("serves"), "{second:?}");

    let caller = CliUser::new().with("REPORTDECK_API_KEY", key);
    let listed = caller.run(&["--base-url", &serving.base_url, "reports", "list", "--format", "json"]);
    assert_eq!((listed.code, listed.out.as_str()), (0, "[]\n"), "{listed:?}");
    // A service for other users audits public pages only.
    let refused = caller.run(&["--base-url", &serving.base_url, "reports", "create", &page()]);
    assert_eq!((refused.code, refused.problem()["status"].as_u64()), (5, Some(422)), "{refused:?}");
    let stranger = CliUser::new().with("REPORTDECK_API_KEY", "guessed");
    assert_eq!(stranger.run(&["--base-url", &serving.base_url, "reports", "list"]).code, 4);

    let (code, logs) = serving.terminate();
    assert_eq!(code, Some(0), "{logs}");
    let lines: Vec<serde_json::Value> = logs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty() && !logs.contains(key), "{logs}");
    // The directory is unlocked again.
    drop(Serving::start(&person));
}

#[cfg(unix)]
#[test]
fn every_request_is_logged_with_key_name_and_client_and_without_secrets() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]\nrequests_per_minute = 50");
    let key_records = person.run(&["keys", "create", "a-name-of-somebody"]).records();
    let key = key_records[0]["key"].as_str().unwrap();
    let serving = Serving::start(&person);
    let caller = CliUser::with_service(&serving.base_url).with("REPORTDECK_API_KEY", key);
    let page = format!("{}?token=secret-of-the-page", page());
    assert_eq!(caller.run(&["reports", "create", &page, "--privacy", "private"]).code, 0);
    assert_eq!(caller.run(&["reports", "list", "--search", "secret-search"]).code, 0);
    let (code, logs) = serving.terminate();
    assert_eq!(code, Some(0), "{logs}");
    let lines: Vec<serde_json::Value> = logs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let created = lines.iter().map(|line| &line["fields"]).find(|fields| fields["method"] == "POST").unwrap();
    assert_eq!(
        (&created["path"], &created["status"], &created["key"], &created["key_number"], &created["client"]),
        (&json!("/api/v1/reports"), &json!(201), &json!("a-name-of-somebody"), &json!(1), &json!("127.0.0.1"))
    );
    assert!(created["milliseconds"].as_f64().unwrap() > 0.0);
    for secret in [key, "secret"] {
        assert!(!logs.contains(secret), "{secret} is in {logs}");
    }
}

#[cfg(unix)]
#[test]
fn the_log_names_the_revoked_key_of_a_refused_request_and_the_command_says_that_it_is_revoked() {
    let person = CliUser::new();
    let create = |name| person.run(&["keys", "create", name]).records()[0]["key"].as_str().unwrap().to_owned();
    let (_, old) = (create("team"), create("old"));
    let serving = Serving::start(&person);
    assert_eq!(person.run(&["keys", "revoke", "old"]).code, 0);
    let refused = CliUser::with_service(&serving.base_url).with("REPORTDECK_API_KEY", &old).run(&["reports", "list"]);
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.error.contains("(401: The API key is revoked)"), "{}", refused.error);
    let (_, logs) = serving.terminate();
    let line = logs.lines().find(|line| line.contains("/api/v1/reports")).unwrap();
    let fields = &serde_json::from_str::<serde_json::Value>(line).unwrap()["fields"];
    assert_eq!((&fields["status"], &fields["key"], &fields["key_number"]), (&json!(401), &json!("old"), &json!(2)));
}

#[cfg(unix)]
#[test]
fn a_request_is_logged_even_if_its_client_disconnects_before_the_response() {
    use std::io::{Read as _, Write as _};
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    let key_records = person.run(&["keys", "create", "team"]).records();
    let key = key_records[0]["key"].as_str().unwrap();
    let serving = Serving::start(&person);
    // The page responds only after the client has gone.
    let page = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let form = format!("url=http://{}/", page.local_addr().unwrap());
    let request = format!(
        "POST /api/v1/reports HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    let mut client = std::net::TcpStream::connect(serving.base_url.trim_start_matches("http://")).unwrap();
    client.write_all(request.as_bytes()).unwrap();
    let asked = page.accept().unwrap();
    client.shutdown(std::net::Shutdown::Write).unwrap();
    let mut response = Vec::new();
    assert_eq!((client.read_to_end(&mut response).unwrap(), response.len()), (0, 0), "the service has noticed it");
    drop((asked, page));
    let (code, logs) = serving.terminate();
    assert_eq!(code, Some(0), "{logs}");
    let lines: Vec<serde_json::Value> = logs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let created = lines.iter().map(|line| &line["fields"]).find(|fields| fields["method"] == "POST").unwrap();
    assert_eq!(
        (&created["path"], &created["status"], &created["key"], &created["key_number"], &created["client"]),
        (&json!("/api/v1/reports"), &json!(499), &json!("team"), &json!(1), &json!("127.0.0.1"))
    );
}

/// Sends raw bytes and reads until the service closes the connection.
#[cfg(unix)]
fn send(base_url: &str, request: &[u8]) -> String {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(base_url.trim_start_matches("http://")).unwrap();
    stream.write_all(request).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[cfg(unix)]
#[test]
fn no_request_injects_a_line_into_the_log() {
    let person = CliUser::new();
    assert_eq!(person.run(&["keys", "create", "team"]).code, 0);
    let serving = Serving::start(&person);
    let forged = r#"{"level":"INFO","fields":{"message":"request","key":"1"}}"#;
    let paths: [&[u8]; 9] = [
        b"/%0a%7B%22level%22:%22INFO%22%7D%0a",
        b"/%0d%0a%1b[2J%00",
        b"/\"}\",\"x\":\"",
        b"/reports/1?\n",
        "/\u{202e}\u{2028}\u{85}".as_bytes(),
        "/\u{9b}31mred\u{9d}0;title\u{9c}".as_bytes(),
        b"/\xff\xfe\x80",
        b"/<script>",
        b"//example.org/..//%2e%2e",
    ];
    let more =
        format!("User-Agent: {forged}\r\nCookie: a={forged}\r\nX-Forwarded-For: {forged}\r\nConnection: close\r\n\r\n");
    let mut answered = 0;
    for path in paths {
        for method in ["GET", "POST", "PUT", "FORGED"] {
            let head = [method.as_bytes(), b" ", path, b" HTTP/1.1\r\nHost: 127.0.0.1\r\n", more.as_bytes()].concat();
            let answer = send(&serving.base_url, &head);
            let status = answer.split(' ').nth(1).unwrap_or_default();
            assert!(["400", "404", "405"].contains(&status), "{}: {answer}", path.escape_ascii());
            // Bytes that are not a request are rejected before any of it is logged.
            answered += usize::from(answer.contains("cache-control"));
        }
    }
    let (code, logs) = serving.terminate();
    assert_eq!(code, Some(0), "{logs}");
    let lines: Vec<serde_json::Value> = logs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["fields"]["message"] == "request").collect();
    assert_eq!(requests.len(), answered, "{logs}");
    assert!(answered >= 16 && requests.iter().all(|line| line["fields"]["key"] == "none"), "{logs}");
    let harmless = clean(&logs.replace('\n', "")).into_owned();
    assert_eq!(harmless, logs.replace('\n', ""), "a control or reordering character was logged");
    assert!(!logs.contains("X-Forwarded"), "{logs}");
}

#[cfg(unix)]
#[test]
fn serve_audits_private_networks_that_the_configuration_allows() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    let key_records = person.run(&["keys", "create", "team"]).records();
    let serving = Serving::start(&person);
    let caller =
        CliUser::with_service(&serving.base_url).with("REPORTDECK_API_KEY", key_records[0]["key"].as_str().unwrap());
    let created = caller.run(&["reports", "create", &page()]);
    assert_eq!(created.code, 0, "{created:?}");
}

#[test]
fn people_with_keys_are_listed_renamed_and_marked_as_left() {
    let person = CliUser::new();
    assert_eq!(person.run(&["keys", "create", "laptop", "--person", "anna"]).code, 0);
    assert_eq!(person.run(&["keys", "create", "wall", "--person", "ben", "--role", "viewer"]).code, 0);
    assert_eq!(person.run(&["keys", "create", "ci", "--role", "triage"]).code, 0);
    let wrong = person.run(&["keys", "create", "x", "--person", "Anna Ü"]);
    assert!(wrong.code == 2 && wrong.error.contains("a-z, 0-9, dot"), "{wrong:?}");
    let keys = person.run(&["keys", "list"]).records();
    let of = |number: usize| (keys[number]["person"].clone(), keys[number]["role"].clone());
    assert_eq!(of(0), (json!("anna"), json!("triage")), "the default role of a person is triage");
    assert_eq!((of(1), of(2)), ((json!("ben"), json!("viewer")), (json!(null), json!("triage"))));
    let renamed = person.run(&["keys", "person", "anna", "--name", "Anna Ü."]).records();
    assert_eq!(renamed, [json!({ "handle": "anna", "name": "Anna Ü.", "role": "triage", "left_at": null })]);
    let left = person.run(&["keys", "person", "ben", "--left"]).records();
    assert!(left[0]["left_at"].is_string() && left[0]["role"].is_null(), "{left:?}");
    let people = person.run(&["keys", "people"]).records();
    assert_eq!(people, [renamed[0].clone(), left[0].clone()]);
    assert!(person.run(&["keys", "list"]).records()[1]["revoked_at"].is_string(), "a person who left has no keys");
    assert_eq!(person.run(&["keys", "person", "ben", "--back"]).records()[0]["left_at"], json!(null));
    for (words, code) in [(&["keys", "person", "nobody", "--left"][..], 3), (&["keys", "person", "ben"], 2)] {
        assert_eq!(person.run(words).code, code, "{words:?}");
    }
    assert_eq!(person.run(&["keys", "person", "ben", "--left", "--read-only"]).code, 2);
}
