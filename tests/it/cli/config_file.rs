//! The configuration file: errors with file and line, `config show`, and no writes.

use serde_json::{Value, json};

use crate::support::cli_user::CliUser;

#[test]
fn mistakes_exit_with_2_and_name_file_and_line() {
    let profile = "default_profile = \"work\"\n[profiles.work]\n";
    for (text, expected) in [
        ("a = ".to_owned(), "config.toml:1: "),
        ("default_profile = \"gone\"".to_owned(), "config.toml:1: there is no profile gone"),
        (
            format!("{profile}base_url = \"work\"\napi_key_env = \"REPORTDECK_KEYRING\""),
            "config.toml:3: The base URL `work`",
        ),
        (
            format!("{profile}base_url = \"http://shop.example\"\napi_key_env = \"REPORTDECK_KEYRING\""),
            "config.toml:3: The base URL `http://shop.example` cannot be used: it is plain http",
        ),
        (format!("{profile}base_url = \"https://shop.example\"\nread_only = 1"), "config.toml:4: read_only"),
    ] {
        let person = CliUser::new();
        person.configure(&text);
        for arguments in [&["reports", "list"][..], &["config", "check"], &[]] {
            let output = person.run(arguments);
            assert_eq!((output.code, output.out.as_str()), (2, ""), "{text}: {arguments:?} {output:?}");
            assert!(output.error.lines().next().unwrap().contains(expected), "{text}: {output:?}");
        }
    }
}

#[test]
fn an_unknown_option_is_one_warning() {
    let person = CliUser::new();
    person.configure("theme = \"dark\"");
    let output = person.run(&["reports", "delete", "1", "--yes"]);
    assert_eq!(output.code, 3);
    assert_eq!(output.error.matches("config.toml:1: theme is not known").count(), 1, "{output:?}");
    let checked = person.run(&["config", "check"]);
    assert_eq!(checked.code, 0);
    assert!(checked.out.ends_with("config.toml is valid, with warnings: 1\n"), "{checked:?}");
}

#[test]
fn a_config_check_lists_every_mistake_with_the_closest_valid_name() {
    let person = CliUser::new();
    person.configure(
        "[profiles.work]\nbase_url = 3\nreadonly = true\n[look]\ntheme = \"drak\"\n[keys.actions]\nquti = \"x\"\nquit = \"ctrl+\"\n\
         [Serve]\ndata = \"/srv/reports\"",
    );
    let output = person.run(&["config", "check"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    for expected in [
        "config.toml:2: base_url is not a string",
        "config.toml:3: readonly of a profile is not known. Did you mean read_only?",
        "config.toml:9: Serve is not known and was ignored; did you mean serve?",
        "config.toml:10: data of Serve has no effect here. Move it into [serve]",
    ] {
        assert!(output.error.contains(expected), "{expected}: {output:?}");
    }
    person.configure(
        "[look]\ntheme = \"drak\"\n[keys.actions]\nquti = \"x\"\nquit = [\"ctrl+q\", \"hyper+q\"]\nrefresh = \"D\"",
    );
    let output = person.run(&["config", "check"]);
    assert_eq!(output.code, 0);
    for expected in [
        "config.toml:2: theme is not one of ",
        "did you mean dark?",
        "config.toml:4: there is no action quti; did you mean quit?",
        "config.toml:5: hyper+q is not a key (for quit)",
        "config.toml:6: D is now the key of refresh: taken from delete",
    ] {
        assert_eq!(output.error.matches(expected).count(), 1, "{expected}: {output:?}");
    }
}

#[test]
fn every_wrong_entry_and_every_unreadable_line_is_a_mistake_of_its_own() {
    let person = CliUser::new();
    person.configure(
        "[serve]\naudit_allow = [\"a b\", \"ok.example\",\n  5, \"10.0.0.0/99\"]\ntrusted_proxies = [\"x\",\n  \"::1\", \"y\"]\n\
         listen = \"z\"",
    );
    let expected = [
        "config.toml:2: audit_allow: a b is neither",
        "config.toml:3: audit_allow is not a list of strings",
        "config.toml:3: audit_allow: 10.0.0.0/99 is neither",
        "config.toml:4: trusted_proxies: x is neither",
        "config.toml:5: trusted_proxies: y is neither",
        "config.toml:6: listen is not",
    ];
    for arguments in [&["config", "check"][..], &["doctor", "--format", "csv"]] {
        let output = person.run(arguments);
        assert_eq!(output.code, 2);
        let all = output.out.clone() + &output.error;
        let places: Vec<Option<usize>> = expected.iter().map(|mistake| all.find(mistake)).collect();
        assert!(places.is_sorted() && !places.contains(&None), "{output:?}");
    }
    person.configure("[serve]\nlisten = \ndata = 1\n[profiles.work\n[profiles.a]\nread_only = true\nread_only = 1\n[look]\ntheme = dark");
    let output = person.run(&["config", "check", "--format", "jsonl"]);
    let lines: Vec<Value> = output.records().iter().map(|mistake| mistake["line"].clone()).collect();
    assert_eq!(lines, [2, 4, 7, 9], "{output:?}");
    person.configure(&"it is a log\n".repeat(1_000));
    let output = person.run(&["config", "check", "--format", "jsonl"]);
    assert_eq!((output.code, output.records().len()), (2, 100), "{output:?}");
}

#[test]
fn a_config_check_lists_mistakes_in_the_order_of_the_lines() {
    let person = CliUser::new();
    person.configure(
        "[look]\ntheme = \"drak\"\n[profiles.one]\nbase_url = 3\n[profiles.two]\nbase_url = \"https://two.example\"\n\
         api_key_env = \"UNSET\"\n[keys.actions]\nquti = \"x\"\n",
    );
    let findings = [
        ("warning", 2, "theme is not one of"),
        ("error", 4, "base_url is not a string"),
        ("error", 7, "api_key_env names the variable UNSET"),
        ("warning", 9, "there is no action quti"),
    ];
    let output = person.run(&["config", "check"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    let lines: Vec<&str> = output.error.lines().collect();
    assert_eq!(lines.len(), findings.len() + 1, "and a machine-readable line: {output:?}");
    for (line, (level, at, expected)) in lines.iter().zip(findings) {
        assert!(line.starts_with(&format!("{level}: ")) && line.contains(&format!(":{at}: {expected}")), "{line}");
    }
    assert_eq!(output.problem()["kind"], "usage");
    for format in ["json", "jsonl"] {
        let output = person.run(&["config", "check", "--format", format]);
        assert_eq!((output.code, output.error.lines().count()), (2, 1), "{output:?}");
        let found: Vec<Value> = match format {
            "json" => serde_json::from_str(&output.out).unwrap(),
            _ => output.records(),
        };
        assert_eq!(found.len(), findings.len());
        for (found, (level, at, expected)) in found.iter().zip(findings) {
            assert_eq!((&found["level"], &found["line"]), (&json!(level), &json!(at)), "{found}");
            assert!(found["message"].as_str().unwrap().starts_with(expected), "{found}");
        }
    }
    // A base URL and a database URL are checked when they are used; their mistakes have a line too.
    person.configure(
        "[profiles.one]\napi_key_env = \"REPORTDECK_KEYRING\"\nbase_url = \"http://one.example\"\n[serve]\n\
         database = \"postgres://db.example/reports\"\n",
    );
    let found = person.run(&["config", "check", "--format", "jsonl"]).records();
    let places: Vec<_> = found.iter().map(|found| (found["file"].is_string(), found["line"].as_u64())).collect();
    let lines = [Some(3), cfg!(feature = "postgres").then_some(5)];
    assert_eq!(places, lines.into_iter().flatten().map(|line| (true, Some(line))).collect::<Vec<_>>(), "{found:?}");
    person.configure("");
    let right = person.run(&["config", "check", "--format", "json"]);
    assert_eq!((right.code, right.out.as_str(), right.error.as_str()), (0, "[]\n", ""));
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_regular_file_of_a_sensible_size_is_read() {
    let person = CliUser::new();
    let pipe = person.home().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let large = person.home().join("large");
    std::fs::write(&large, vec![b'#'; 1024 * 1024 + 1]).unwrap();
    for (path, why) in [
        (pipe.to_str().unwrap(), "not a regular file"),
        ("/dev/zero", "not a regular file"),
        (large.to_str().unwrap(), "larger than 1024 KiB"),
    ] {
        let named = CliUser::new().with("REPORTDECK_CONFIG", path);
        for arguments in [&["config", "check"][..], &["config", "show"], &["reports", "list"], &["doctor"]] {
            let output = named.run(arguments);
            assert_eq!(output.code, 2, "{arguments:?} {output:?}");
            assert!(format!("{output:?}").contains(why), "{arguments:?} {output:?}");
        }
    }
    let person = CliUser::new();
    person.configure(&format!("[profiles.work]\nbase_url = \"https://x\"\napi_key_file = \"{}\"", pipe.display()));
    std::fs::set_permissions(&pipe, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let output = person.run(&["config", "check"]);
    assert_eq!(output.code, 2);
    assert!(output.error.contains("not a regular file"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn doctor_names_a_configuration_that_everybody_can_write() {
    use std::os::unix::fs::PermissionsExt as _;
    let person = CliUser::new();
    person.configure("");
    let file = person.home().join(".config/reportdeck/config.toml");
    let shown = file.display();
    for (mode, state, found) in
        [(0o664, "ok", format!("{shown}")), (0o666, "note", format!("everybody can write {shown} (mode 666)"))]
    {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let findings = person.run(&["doctor", "--format", "jsonl"]).records();
        let finding = findings.iter().find(|finding| finding["check"] == "configuration").unwrap();
        assert_eq!((finding["state"].as_str(), finding["found"].as_str()), (Some(state), Some(&*found)));
    }
}

#[test]
fn config_shows_everything_that_is_set() {
    let person = CliUser::new().with("WORK_KEY", "hunter2").with("DESK_KEY", "hunter2").with("NO_COLOR", "1");
    person.configure(
        "default_profile = \"work\"\n[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"WORK_KEY\"\n\
         accent = \"red\"\nread_only = true\n[profiles.other]\nbase_url = \"https://me:hunter2@other.example\"\n\
         api_key_command = [\"pass\", \"hunter2\"]\n[look]\ntimes = \"exact\"\n[serve]\nrequests_per_minute = 7\n\
         audit_allow = [\"10.0.0.0/8\"]\n[triage]\nuntested_days = 9\n[keys]\npreset = \"k9s\"\n[keys.actions]\nquit = \"off\"\n\
         [profiles.shared]\nbase_url = \"https://shared.example\"\ndesk = \"https://desk.example\"\n\
         desk_api_key_env = \"DESK_KEY\"\npresence = false\n",
    );
    let shown = person.run(&["config", "show", "--timeout", "45s"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(!shown.out.contains("hunter2"), "{shown:?}");
    let records = shown.records();
    for (name, value, from) in [
        ("service", "work", "config.toml:3"),
        ("read_only", "true", "config.toml:6"),
        ("allow_insecure", "false", "default"),
        ("presence", "true", "default"),
        ("timeout", "45 s", "option"),
        ("default_profile", "work", "config.toml:1"),
        ("look.times", "exact", "config.toml:11"),
        ("look.theme", "auto", "default"),
        ("triage.untested_days", "9", "config.toml:16"),
        ("triage.refresh_minutes", "5", "default"),
        ("serve.requests_per_minute", "7", "config.toml:13"),
        ("serve.audit_allow", "10.0.0.0/8", "config.toml:14"),
        ("keys.preset", "k9s", "config.toml:18"),
        ("keys.actions.quit", "off", "config.toml:20"),
        ("profiles.work.accent", "red", "config.toml:5"),
        ("profiles.work.read_only", "true", "config.toml:6"),
        ("profiles.work.api_key_env", "WORK_KEY", "config.toml:4"),
        ("profiles.other.api_key_command", "pass", "config.toml:9"),
        ("profiles.other.base_url", "set, not shown", "config.toml:8"),
        ("profiles.shared.desk", "https://desk.example", "config.toml:23"),
        ("profiles.shared.desk_api_key_env", "DESK_KEY", "config.toml:24"),
        ("profiles.shared.presence", "false", "config.toml:25"),
        ("NO_COLOR", "1", "environment"),
        ("REPORTDECK_KEYRING", "off", "environment"),
    ] {
        let row = records.iter().find(|row| row["setting"] == name).unwrap_or_else(|| panic!("{name}: {shown:?}"));
        assert_eq!(row["value"], value, "{row}");
        assert!(row["from"].as_str().unwrap().ends_with(from), "{row}");
    }
}

#[test]
fn config_show_prints_every_option_of_the_default_file() {
    let person = CliUser::new();
    let shown = person.run(&["config", "show"]).records();
    let (mut table, mut count) = (String::new(), 0);
    for line in person.run(&["config", "default"]).out.lines() {
        let line = line.strip_prefix('#').unwrap_or(line);
        if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = format!("{heading}.");
        }
        let Some((name, _)) = line.split_once(" = ").filter(|(name, _)| !name.contains(' ')) else { continue };
        // These are printed only if they are set.
        if !table.starts_with("profiles.") && table != "keys.actions." && !name.starts_with("database") {
            let name = format!("{table}{name}");
            assert!(shown.iter().any(|row| row["setting"] == name), "{name}: add it to commands/config/show.rs");
            count += 1;
        }
    }
    assert!(count > 15, "only {count} options were found in the default file");
}

#[test]
fn a_named_configuration_file_must_exist_and_be_text() {
    let person = CliUser::new();
    let gone = person.home().join("gone.toml");
    let named = CliUser::new().with("REPORTDECK_CONFIG", gone.to_str().unwrap());
    let output = named.run(&["config", "check"]);
    assert_eq!(output.code, 2);
    assert!(output.error.contains("gone.toml: the configuration cannot be read"), "{output:?}");
    std::fs::write(&gone, [0xff, 0xfe]).unwrap();
    assert!(named.run(&["reports", "list"]).error.contains("not UTF-8"));
    assert_eq!(named.run(&["config", "path"]).out.trim(), gone.to_str().unwrap());
}

#[test]
fn the_shown_configuration_contains_no_key() {
    let person = CliUser::new().with("WORK_KEY", "hunter2");
    person.configure(
        "[profiles.work]\nbase_url = \"https://work.example/api/v1/\"\napi_key_env = \"WORK_KEY\"\nread_only = true",
    );
    let shown = person.run(&["--profile", "work", "config", "show"]);
    assert_eq!(shown.code, 0);
    assert!(!shown.out.contains("hunter2"));
    let value = |name: &str| {
        let records = shown.records();
        records.iter().find(|row| row["setting"] == name).map(|row| row["value"].clone()).unwrap()
    };
    assert_eq!((value("service"), value("base_url")), (json!("work"), json!("https://work.example")));
    assert_eq!(value("read_only"), json!("true"));
    let refused = person.run(&["--profile", "work", "reports", "delete", "1", "--yes"]);
    assert_eq!(refused.code, 2);
    assert!(refused.error.contains("only reading is allowed"), "{refused:?}");
}

#[test]
fn the_settings_are_shown_although_the_service_cannot_be_chosen() {
    let person = CliUser::new();
    person.configure("default_profile = \"work\"\n[profiles.work]\nbase_url = \"https://work.example\"\n");
    let shown = person.run(&["config", "show"]);
    assert_eq!(shown.code, 2);
    assert!(shown.error.contains("config.toml:2: there is no API key for the profile work"), "{shown:?}");
    assert!(shown.error.contains("Run `reportdeck login work`"), "{shown:?}");
    person.configure("[profiles.\"anna's shop\"]\nbase_url = \"http://127.0.0.1:9\"\n");
    let checked = person.run(&["config", "check"]);
    assert!(checked.error.contains(r"Run `reportdeck login 'anna'\''s shop'`"), "a command to copy: {checked:?}");
    let url = shown.records().into_iter().find(|row| row["setting"] == "profiles.work.base_url").unwrap();
    assert_eq!(url["value"], "https://work.example");
}

#[test]
fn a_config_check_includes_unused_profiles() {
    let person = CliUser::new();
    person.configure(
        "[profiles.one]\nbase_url = \"x\"\napi_key_env = \"REPORTDECK_KEYRING\"\n[profiles.two]\nbase_url = \"https://y\"",
    );
    assert_eq!(person.run(&["reports", "list"]).code, 0);
    let output = person.run(&["config", "check"]);
    assert_eq!(output.code, 2);
    assert!(output.error.contains("config.toml:2: ") && output.error.contains("config.toml:4: "), "{output:?}");
}

#[test]
fn a_config_check_reports_a_wrong_address_although_the_key_is_missing() {
    let person = CliUser::new().with("K", "a-key");
    person.configure("[profiles.one]\nbase_url = \"x\"\n[profiles.two]\nbase_url = \"https://y\"\napi_key_env = \"K\"\ndesk = \"ftp://z\"");
    let output = person.run(&["config", "check"]);
    for mistake in [
        "config.toml:1: there is no API key",
        "config.toml:2: The base URL `x`",
        "config.toml:3: there is no key of the desk",
        "config.toml:6: desk: ",
    ] {
        assert!(output.error.contains(mistake), "{mistake}: {output:?}");
    }
}

#[test]
fn an_address_of_a_desk_that_no_command_could_use_is_a_mistake_in_the_file() {
    let person = CliUser::new().with("K", "a-key").with("REPORTDECK_PROFILE", "work");
    for (desk, why) in [("ftp://desk.example", "does not begin with https://"), ("http://desk.example", "plain http")] {
        person.configure(&format!(
            "[profiles.work]\nbase_url = \"http://127.0.0.1:1\"\napi_key_env = \"K\"\ndesk_api_key_env = \"K\"\n\
             desk = \"{desk}\"\n"
        ));
        for command in [&["config", "check"][..], &["desk", "log"], &["reports", "state", "7", "--set", "waiting"]] {
            let refused = person.run(command);
            assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{command:?} {refused:?}");
            assert!(refused.error.contains("config.toml:5: desk: ") && refused.error.contains(why), "{refused:?}");
        }
    }
}
