//! The configuration file as the binary reads it: complaints with file and line, never written.

use serde_json::json;

use crate::person::Person;

#[test]
fn mistakes_are_two_with_file_and_line() {
    let profile = "default_profile = \"work\"\n[profiles.work]\n";
    for (text, said) in [
        ("a = ".to_owned(), "config.toml:1: "),
        ("default_profile = \"gone\"".to_owned(), "config.toml:1: there is no profile gone"),
        (format!("{profile}base_url = \"work\"\napi_key_env = \"HOME\""), "config.toml:3: The base URL `work`"),
        (
            format!("{profile}base_url = \"http://shop.example\"\napi_key_env = \"HOME\""),
            "config.toml:3: The base URL `http://shop.example` cannot be used: it is plain http",
        ),
        (format!("{profile}base_url = \"https://shop.example\"\nread_only = 1"), "config.toml:4: read_only"),
    ] {
        let person = Person::new();
        person.configure(&text);
        for arguments in [&["reports", "list"][..], &["config", "check"], &[]] {
            let ended = person.run(arguments);
            assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{text}: {arguments:?} {ended:?}");
            assert!(ended.error.lines().next().unwrap().contains(said), "{text}: {ended:?}");
        }
    }
}

#[test]
fn what_is_not_known_is_a_warning_once() {
    let person = Person::new();
    person.configure("theme = \"dark\"");
    let ended = person.run(&["reports", "delete", "1", "--yes"]);
    assert_eq!(ended.code, 3);
    assert_eq!(ended.error.matches("config.toml:1: theme is not known").count(), 1, "{ended:?}");
    let checked = person.run(&["config", "check"]);
    assert_eq!(checked.code, 0);
    assert!(checked.out.ends_with("config.toml works, with warnings: 1\n"), "{checked:?}");
}

#[test]
fn a_check_tells_everything_with_the_nearest_right_names() {
    let person = Person::new();
    person.configure(
        "[profiles.work]\nbase_url = 3\nreadonly = true\n[look]\ntheme = \"drak\"\n[keys.actions]\nquti = \"x\"\nquit = \"ctrl+\"",
    );
    let ended = person.run(&["config", "check"]);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    for said in [
        "config.toml:2: base_url is not a text",
        "config.toml:3: readonly of a profile is not known. Did you mean read_only?",
    ] {
        assert!(ended.error.contains(said), "{said}: {ended:?}");
    }
    person.configure("[look]\ntheme = \"drak\"\n[keys.actions]\nquti = \"x\"\nquit = [\"ctrl+q\", \"hyper+q\"]");
    let ended = person.run(&["config", "check"]);
    assert_eq!(ended.code, 0);
    for said in [
        "config.toml:2: theme is not one of ",
        "did you mean dark?",
        "config.toml:4: there is no action quti; did you mean quit?",
        "config.toml:5: hyper+q is no key, for quit",
    ] {
        assert_eq!(ended.error.matches(said).count(), 1, "{said}: {ended:?}");
    }
}

#[test]
fn a_file_that_was_named_must_be_there_and_be_text() {
    let person = Person::new();
    let gone = person.home().join("gone.toml");
    let named = Person::new().with("REPORTDECK_CONFIG", gone.to_str().unwrap());
    let ended = named.run(&["config", "check"]);
    assert_eq!(ended.code, 2);
    assert!(ended.error.contains("gone.toml: the configuration cannot be read"), "{ended:?}");
    std::fs::write(&gone, [0xff, 0xfe]).unwrap();
    assert!(named.run(&["reports", "list"]).error.contains("not UTF-8"));
    assert_eq!(named.run(&["config", "path"]).out.trim(), gone.to_str().unwrap());
}

#[test]
fn what_is_used_is_shown_without_its_key() {
    let person = Person::new().with("WORK_KEY", "hunter2");
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
fn a_check_finds_the_mistakes_of_profiles_that_are_not_used() {
    let person = Person::new();
    person.configure(
        "[profiles.one]\nbase_url = \"x\"\napi_key_env = \"HOME\"\n[profiles.two]\nbase_url = \"https://y\"",
    );
    assert_eq!(person.run(&["reports", "list"]).code, 0);
    let ended = person.run(&["config", "check"]);
    assert_eq!(ended.code, 2);
    assert!(ended.error.contains("config.toml:2: ") && ended.error.contains("config.toml:4: "), "{ended:?}");
}
