//! Which service a command uses, and that no option is silently ignored.

use serde_json::json;

use crate::support::cli_user::{CliUser, page};
use crate::support::scripted_server::{Reply, ScriptedServer};

/// A user whose configuration and environment name a remote service.
async fn team() -> (ScriptedServer, [CliUser; 3]) {
    let service = ScriptedServer::start(|asked| match asked.method.as_str() {
        "GET" => Reply::Json(200, json!({ "data": [] })),
        _ => Reply::head(204, &[]),
    })
    .await;
    let configured = || {
        let person = CliUser::new().with("WORK_KEY", "a-key");
        let base = &service.base;
        person.configure(&format!(
            "default_profile = \"work\"\n[profiles.work]\nbase_url = \"{base}\"\napi_key_env = \"WORK_KEY\"\n"
        ));
        person
    };
    let people = [
        configured(),
        configured().with("REPORTDECK_PROFILE", "work"),
        configured().with("REPORTDECK_BASE_URL", &service.base).with("REPORTDECK_API_KEY", "a-key"),
    ];
    (service, people)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_data_directory_selects_the_embedded_service_over_the_configuration() {
    let (service, people) = team().await;
    for person in people {
        let data = person.home().join("data");
        let data = data.to_str().unwrap();
        let created = person.run(&["--data", data, "reports", "create", &page()]);
        assert_eq!(created.code, 0, "{created:?}");
        let id = created.records()[0]["id"].as_str().unwrap().to_owned();
        let deleted = person.run(&["--data", data, "reports", "delete", &id, "9", "--yes"]);
        assert_eq!(deleted.records(), [json!({ "id": id, "deleted": true })], "{deleted:?}");
        assert_eq!(person.run(&["--profile", "embedded", "reports", "list"]).out, "");
        let named = person.run(&["--profile", "embedded", "--data", data, "config", "show"]);
        assert_eq!((named.code, &named.records()[0]["value"]), (0, &json!("embedded")), "{named:?}");
    }
    assert_eq!(service.asked().len(), 0, "the remote service gets no request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_embedded_service_has_a_reserved_name() {
    let (service, _) = team().await;
    let person = CliUser::new().with("REPORTDECK_PROFILE", "embedded");
    person.configure(&format!("[profiles.work]\nbase_url = \"{}\"", service.base));
    assert_eq!(person.run(&["reports", "list"]).code, 0);
    let person = CliUser::new();
    person.configure("default_profile = \"embedded\"");
    assert_eq!(person.run(&["reports", "list"]).code, 0);
    person.configure("[profiles.embedded]\nbase_url = \"https://work.example\"");
    let refused = person.run(&["reports", "list"]);
    assert_eq!(refused.code, 2);
    assert!(refused.error.contains("config.toml:1: a profile cannot be called embedded"), "{refused:?}");
    assert_eq!(CliUser::new().run(&["login", "embedded", "--base-url", "https://work.example"]).code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_variable_that_is_not_text_is_refused_instead_of_ignored() {
    use std::os::unix::ffi::OsStrExt as _;
    for (name, arguments) in [
        ("REPORTDECK_BASE_URL", &["config", "show"][..]),
        ("REPORTDECK_API_KEY", &["config", "show"]),
        ("REPORTDECK_PROFILE", &["config", "show"]),
        ("REPORTDECK_API_KEY", &["config", "show", "--base-url", "https://work.example"]),
        ("WORK_KEY", &["config", "show", "--profile", "work"]),
        // Otherwise the key would be in another store.
        ("REPORTDECK_DATABASE_URL", &["keys", "create", "one"]),
        ("REPORTDECK_DATABASE_URL", &["config", "check"]),
    ] {
        let person = CliUser::new();
        person.configure("[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"");
        let mut command = person.command(arguments);
        let output = command.env(name, std::ffi::OsStr::from_bytes(b"work\xff")).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(error.contains(&format!("{name} is not UTF-8 text")), "{error}");
    }
}

#[test]
fn two_selected_services_are_an_error() {
    let person = CliUser::new().with("REPORTDECK_API_KEY", "a-key").with("WORK_KEY", "a-key");
    person.configure("[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"");
    for two in [
        &["--data", "/tmp/x", "--profile", "work"][..],
        &["--data", "/tmp/x", "--base-url", "https://shop.example"],
        &["--base-url", "https://shop.example", "--profile", "work"],
        &["--base-url", "https://shop.example", "--profile", "embedded"],
    ] {
        for command in [&["reports", "list"][..], &["doctor"], &["config", "show"], &["config", "check"], &[]] {
            let output = person.run(&[two, command].concat());
            assert_eq!(
                (output.code, output.problem()["kind"].as_str()),
                (2, Some("usage")),
                "{two:?} {command:?} {output:?}"
            );
        }
    }
}

/// Every global option with a valid value.
const OPTIONS: [&[&str]; 7] = [
    &["--profile", "work"],
    &["--base-url", "https://shop.example"],
    &["--read-only"],
    &["--view", "mine"],
    &["--data", "/dev/null/data"],
    &["--format", "json"],
    &["--timeout", "30s"],
];

#[test]
fn no_option_is_silently_ignored() {
    let person = CliUser::new().with("WORK_KEY", "a-key").with("REPORTDECK_API_KEY", "a-key");
    person.configure("[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"");
    // The members of OPTIONS that a command rejects because it would ignore them.
    for (command, refused) in [
        (&["reports", "list"][..], &["--view"][..]),
        (&["reports", "show", "1"], &["--view"]),
        (&["projects", "list"], &["--view"]),
        (&["doctor"], &["--view"]),
        (&["audit", "ftp://x"], &["--profile", "--base-url", "--view", "--data", "--timeout"]),
        (&["config", "path"], &["--profile", "--base-url", "--view", "--data", "--format", "--timeout"]),
        (&["config", "default"], &["--profile", "--base-url", "--view", "--data", "--format", "--timeout"]),
        (&["config", "show"], &["--view"]),
        (&["config", "check"], &["--view", "--timeout"]),
        (&["login", "work"], &["--view", "--data"]),
        (&["logout", "work"], &["--base-url", "--view", "--data", "--format", "--timeout"]),
        (&["completions", "bash"], &["--profile", "--base-url", "--view", "--data", "--format", "--timeout"]),
        (&["man"], &["--profile", "--base-url", "--view", "--data", "--format", "--timeout"]),
        (&["serve"], &["--profile", "--base-url", "--read-only", "--view", "--format", "--timeout"]),
        (&["worker"], &["--profile", "--base-url", "--read-only", "--view", "--data", "--format", "--timeout"]),
        (&["keys", "list"], &["--profile", "--base-url", "--view", "--timeout"]),
        (&[], &["--format", "--timeout"]),
        (&["--sample"], &["--profile", "--base-url", "--data", "--format", "--timeout"]),
    ] {
        for option in OPTIONS {
            // Only rejected options are run: accepted ones would query a service.
            if !refused.contains(&option[0]) {
                continue;
            }
            let output = person.run(&[option, command].concat());
            assert_eq!((output.code, output.out.as_str()), (2, ""), "{command:?} {option:?} {output:?}");
            let first = output.error.lines().next().unwrap();
            assert!(first.ends_with(&format!("does not accept {0}. Leave {0} out", option[0])), "{command:?} {first}");
        }
    }
    let person = CliUser::new();
    for command in [
        &["config", "path"][..],
        &["completions", "bash"],
        &["keys", "create", "one"],
        &["keys", "list"],
        &["config", "check"],
    ] {
        assert_eq!(person.run(&[command, &["--read-only"]].concat()).code, 0, "{command:?}");
    }
}

#[test]
fn an_option_given_twice_is_refused_also_before_and_after_the_command() {
    let person = CliUser::new();
    for (arguments, option) in [
        (&["--profile", "embedded", "reports", "list", "--profile", "embedded"][..], "--profile"),
        (&["--data", "one", "reports", "list", "--data=two"], "--data"),
        (&["--data=one", "keys", "--data", "two", "list"], "--data"),
        (&["--format", "json", "config", "show", "--format", "csv"], "--format"),
        (&["--read-only", "config", "path", "--read-only"], "--read-only"),
        (&["reports", "list", "--limit", "1", "--limit", "2"], "--limit"),
        (&["desk", "services", "--merge", "1", "2", "--merge", "2", "1"], "'--merge <FROM> <INTO>' cannot"),
    ] {
        let output = person.run(arguments);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?} {output:?}");
        assert!(output.error.contains(option), "{arguments:?} {output:?}");
    }
    // Behind `--` are operands.
    let output = person.run(&["--format", "json", "reports", "show", "--", "--format", "--format"]);
    assert_eq!(output.code, 3, "{output:?}");
}

#[test]
fn an_empty_value_is_rejected() {
    for arguments in [
        &["reports", "list", "--project", ""][..],
        &["reports", "list", "--search", ""],
        &["projects", "list", "--search="],
        &["--profile", "", "reports", "list"],
        &["--base-url", "", "reports", "list"],
        &["--data", "", "reports", "list"],
        &["--view", ""],
        &["login", "", "--base-url", "https://shop.example", "--key-stdin"],
        &["logout", ""],
    ] {
        let output = CliUser::new().run(arguments);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?} {output:?}");
        assert!(output.error.contains("a value is required for"), "{output:?}");
    }
}

#[test]
fn invalid_addresses_and_times_are_rejected_with_an_example() {
    for (arguments, expected) in [
        (&["serve", "--listen", "8750"][..], "for example 127.0.0.1:8750"),
        (&["reports", "list", "--timeout", "30"], "for example 30s"),
        (&["reports", "list", "--timeout", "0s"], "1s to 1h"),
        (&["reports", "list", "--timeout", "2h"], "1s to 1h"),
    ] {
        let output = CliUser::new().run(arguments);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.error.contains(expected), "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_timeout_bounds_the_whole_request() {
    let service = ScriptedServer::start(|_| Reply::Silence).await;
    let person = CliUser::with_service(&service.base);
    for command in [&["reports", "list"][..], &["reports", "create", "shop.example"], &["doctor"]] {
        let output = person.run(&[command, &["--timeout", "1s"]].concat());
        assert_eq!((output.code, output.problem()["kind"].as_str()), (6, Some("timed_out")), "{output:?}");
    }
    let lists = service.asked_for("GET /api/v1/reports").len();
    assert!(lists <= 4, "a read is not retried after its timeout: {lists}");
}

#[test]
fn a_proxy_that_does_not_respond_is_named_without_its_password_and_not_used_for_this_machine() {
    // Nothing listens there.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let person = CliUser::new()
        .with("HTTPS_PROXY", &format!("http://anna:hunter2@{closed}"))
        .with("HTTP_PROXY", &format!("http://{closed}"));
    assert_eq!(person.run(&["reports", "list"]).code, 0);
    let output =
        person.with("REPORTDECK_API_KEY", "a-key").run(&["reports", "list", "--base-url", "https://shop.example"]);
    let expected = format!("no connection to shop.example through the proxy {closed} (");
    assert_eq!((output.code, output.error.contains(&expected)), (6, true), "{output:?}");
    assert!(!output.error.contains("hunter2"), "{output:?}");
}
