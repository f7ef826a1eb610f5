//! `[serve] listen, data, database`, their environment variables, and which parts of them are never printed.

use serde_json::Value;

use crate::support::cli_user::{CliUser, CommandOutput};

/// Returns the value and the origin of a setting from the output of `config show`.
fn shown(output: &CommandOutput, name: &str) -> (String, String) {
    assert_eq!(output.code, 0, "{output:?}");
    let records = output.records();
    let row = records.iter().find(|row| row["setting"] == name).unwrap_or_else(|| panic!("{name}: {output:?}"));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&row["value"]), text(&row["from"]))
}

#[test]
fn without_a_setting_serve_listens_on_loopback() {
    assert_eq!(shown(&CliUser::new().run(&["config", "show"]), "serve.listen").0, "127.0.0.1:8750");
}

#[test]
fn an_option_wins_over_a_variable_and_a_variable_over_the_file() {
    let person = CliUser::new();
    person.configure("[serve]\ndata = \"~/of-file\"\nlisten = \"127.0.0.2:9999\"\n");
    let home = person.home().display().to_string();
    let (value, from) = shown(&person.run(&["config", "show"]), "data");
    assert_eq!(value, person.home().join("of-file").display().to_string());
    assert!(from.ends_with("config.toml:2"), "{from}");
    assert_eq!(shown(&person.run(&["config", "show"]), "serve.listen").0, "127.0.0.2:9999");
    assert_eq!(person.run(&["keys", "create", "one"]).code, 0);
    assert!(person.home().join("of-file/reports.sqlite3").exists());

    let of_variable = format!("{home}/of-variable");
    let person = person.with("REPORTDECK_DATA", &of_variable);
    assert_eq!(shown(&person.run(&["config", "show"]), "data"), (of_variable.clone(), "REPORTDECK_DATA".to_owned()));
    assert_eq!(person.run(&["keys", "create", "one"]).code, 0, "there is no such key yet");
    assert!(person.home().join("of-variable/reports.sqlite3").exists());

    let of_option = format!("{home}/of-option");
    assert_eq!(
        shown(&person.run(&["--data", &of_option, "config", "show"]), "data"),
        (of_option.clone(), "option".to_owned())
    );
    // The dashboard's own service works there too.
    assert_eq!(person.run(&["--data", &of_option, "reports", "list"]).code, 0);
    assert!(person.home().join("of-option/reports.sqlite3").exists());
}

#[test]
fn an_invalid_setting_is_rejected_with_its_line() {
    for (text, expected) in [
        ("listen = \"8750\"", "listen is not an address with a port"),
        ("data = 7", "data is not a string"),
        ("dtaa = \"/srv\"", "Did you mean data?"),
        ("databse = \"postgres://team:hunter2@db.example/reports\"", "Did you mean database?"),
        ("database = \"mysql://team:hunter2@db.example/reports\"", "database is not a postgres URL"),
        ("database = [\"postgres://team:hunter2@db.example/reports\"]", "database is not a postgres URL"),
        #[cfg(feature = "postgres")]
        ("database = \"postgres://team@db.example/reports\"", "may be reached unencrypted. Add sslmode=require"),
        #[cfg(feature = "postgres")]
        ("database = \"postgres://team@hunter2@db.example/reports\"", "the database URL cannot be read"),
        ("database_command = \"pass hunter2\"", "database_command is not a list of strings"),
        (
            "database = \"postgres://db.example/reports?sslmode=require\"\ndatabase_command = [\"echo\", \"hunter2\"]",
            "serve has two sources for its database",
        ),
    ] {
        let person = CliUser::new();
        person.configure(&format!("[serve]\n{text}\n"));
        for arguments in [&["keys", "list"][..], &["serve"], &["config", "check"]] {
            let output = person.run(arguments);
            assert_eq!(output.code, 2, "{text}: {output:?}");
            assert!(output.error.contains(expected) && output.error.contains("config.toml:"), "{text}: {output:?}");
            assert!(!format!("{output:?}").contains("hunter2"), "{text}: {output:?}");
        }
    }
    let output = CliUser::new().with("REPORTDECK_DATABASE_URL", "team:hunter2@db.example").run(&["keys", "list"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.error.contains("REPORTDECK_DATABASE_URL is not a postgres URL. Write it like"), "{output:?}");
    assert!(!format!("{output:?}").contains("hunter2"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_password_in_a_world_readable_file_is_rejected() {
    use std::os::unix::fs::PermissionsExt as _;
    let person = CliUser::new();
    person.configure("[serve]\ndatabase = \"postgres://team:hunter2@127.0.0.1:1/reports\"\n");
    let file = person.home().join(".config/reportdeck/config.toml");
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    let output = person.run(&["keys", "list"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.error.contains("config.toml:2: the password of the database"), "{output:?}");
    assert!(output.error.contains("chmod 640") && !output.error.contains("hunter2"), "{output:?}");
    mode(0o640);
    // No server listens on this port.
    #[cfg(feature = "postgres")]
    {
        let output = person.run(&["keys", "list"]);
        assert_eq!(output.code, 6, "{output:?}");
        assert!(output.error.contains("cannot use the database reports on 127.0.0.1"), "{output:?}");
        assert!(!output.error.contains("hunter2"), "{output:?}");
        let looked = person.run(&["doctor"]);
        assert_eq!(looked.code, 1, "{looked:?}");
        let failed = looked.records().into_iter().find(|row| row["check"] == "database").unwrap();
        assert_eq!(failed["state"], "failed");
        assert!(!format!("{looked:?}").contains("hunter2"), "{looked:?}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn only_the_name_and_server_of_the_database_are_shown() {
    let url = "postgres://team:hunter2@db.example/reports?sslmode=require";
    let person = CliUser::new().with("REPORTDECK_DATABASE_URL", url);
    person.configure("[serve]\ndatabase_command = [\"sh\", \"-c\", \"echo postgres://x:hunter2@y/z\"]\n");
    let output = person.run(&["config", "show"]);
    assert!(!format!("{output:?}").contains("hunter2"), "{output:?}");
    assert_eq!(
        shown(&output, "REPORTDECK_DATABASE_URL"),
        ("reports on db.example".to_owned(), "environment".to_owned())
    );
    assert_eq!(shown(&output, "serve.database_command").0, "sh");
}

#[cfg(feature = "postgres")]
#[test]
fn unencrypted_connections_to_another_machine_are_refused_for_every_source_of_the_url() {
    let url = "postgres://team:hunter2@db.example/reports";
    let by_variable = CliUser::new().with("REPORTDECK_DATABASE_URL", url);
    let by_command = CliUser::new();
    by_command.configure(&format!("[serve]\ndatabase_command = [\"echo\", \"{url}\"]\n"));
    for person in [by_variable, by_command] {
        for arguments in [&["keys", "list"][..], &["serve"], &["config", "check"], &["doctor"]] {
            let output = person.run(arguments);
            assert_ne!(output.code, 0, "{output:?}");
            assert!(format!("{output:?}").contains("Add sslmode=require to its URL"), "{arguments:?}: {output:?}");
            assert!(!format!("{output:?}").contains("hunter2"), "{arguments:?}: {output:?}");
        }
    }
}

#[test]
fn the_output_of_a_database_command_must_be_a_url_and_is_not_printed() {
    for (script, expected) in [
        ("echo hunter2", "what database_command printed is not a postgres URL"),
        ("true", "database_command: sh printed no database URL"),
        ("echo hunter2; echo hunter2 >&2; exit 3", "database_command: sh failed"),
    ] {
        let person = CliUser::new();
        person.configure(&format!("[serve]\ndatabase_command = [\"sh\", \"-c\", \"{script}\"]\n"));
        let output = person.run(&["keys", "list"]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.error.contains(expected) && output.error.contains("config.toml:2"), "{output:?}");
        assert!(!output.error.contains("hunter2"), "{output:?}");
        // `--data` selects a directory, whatever the file configures.
        let data = person.home().join("data");
        assert_eq!(person.run(&["--data", data.to_str().unwrap(), "keys", "create", "one"]).code, 0);
    }
}

#[test]
fn the_data_directory_of_serve_is_shown_if_the_file_names_none() {
    let person = CliUser::new();
    let usual = shown(&person.run(&["config", "show"]), "data");
    assert!(usual.0.starts_with(person.home().to_str().unwrap()) && usual.1 == "default", "{usual:?}");
    assert_eq!(shown(&person.run(&["config", "show"]), "serve.data"), usual);
    let of_option = person.home().join("of-option").display().to_string();
    let of_variable = person.home().join("of-variable").display().to_string();
    let person = person.with("REPORTDECK_DATA", &of_variable);
    let output = person.run(&["config", "show"]);
    assert_eq!(shown(&output, "serve.data"), (of_variable, "REPORTDECK_DATA".to_owned()));
    let output = person.run(&["--data", &of_option, "config", "show"]);
    assert_eq!(shown(&output, "serve.data"), (of_option, "option".to_owned()));
    person.configure("[serve]\ndata = \"~/of-file\"\n");
    let (value, from) = shown(&person.run(&["config", "show"]), "serve.data");
    assert!(value == "~/of-file" && from.ends_with("config.toml:2"), "{value} {from}");
}
