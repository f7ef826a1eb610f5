//! Which service is chosen from which sources, and what is complained about with which line.

use std::path::Path;

use secrecy::ExposeSecret as _;

use super::choice::{Asked, Chosen, Source, choose};
use super::environment::{Directories, Environment};
use super::file::ConfigFile;
use super::parse::parse;
use super::trouble::ConfigError;

const FILE: &str = r#"
[profiles.work]
base_url = "https://work.example/api/v1"
api_key_env = "WORK_KEY"
read_only = true

[profiles.home]
base_url = "http://home.example"
api_key_env = "HOME_KEY"
allow_insecure = true
"#;

const KEYS: [(&str, &str); 2] = [("WORK_KEY", "w"), ("HOME_KEY", "h")];

fn read(text: &str) -> Result<ConfigFile, ConfigError> {
    parse(Path::new("config.toml"), text)
}

fn asked(base_url: &str, profile: &str) -> Asked {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Asked { base_url: some(base_url), profile: some(profile) }
}

/// `embedded`, `base_url key`, or the complaint.
fn told(asked: &Asked, variables: &[(&str, &str)], text: &str) -> String {
    let environment = Environment::of(variables.iter().copied().chain(KEYS), None);
    match read(text).and_then(|file| choose(asked, &environment, &file)) {
        Ok(Chosen::Embedded) => "embedded".to_owned(),
        Ok(Chosen::Elsewhere(elsewhere)) => format!("{} {}", elsewhere.base_url, elsewhere.key.expose_secret()),
        Err(error) => error.sentence(),
    }
}

#[test]
fn the_first_source_wins_and_brings_its_own_key() {
    let with_default = format!("default_profile = \"home\"\n{FILE}");
    let (url, key, profile) = (
        ("REPORTDECK_BASE_URL", "https://variable.example"),
        ("REPORTDECK_API_KEY", "k"),
        ("REPORTDECK_PROFILE", "work"),
    );
    let (work, home) = ("https://work.example/api/v1 w", "http://home.example h");
    let (variable, option) = ("https://variable.example k", "https://option.example k");
    let base = "https://option.example";
    for (base_url, name, variables, file, expected) in [
        (base, "home", &[url, key, profile][..], &*with_default, option),
        ("", "home", &[url, key, profile], &with_default, home),
        ("", "", &[url, key, profile], &with_default, variable),
        ("", "", &[profile], &with_default, work),
        ("", "", &[], &with_default, home),
        ("", "", &[], FILE, "embedded"),
        ("", "", &[], "", "embedded"),
        ("", "", &[("REPORTDECK_BASE_URL", ""), ("REPORTDECK_API_KEY", "")], "", "embedded"),
        ("", "work", &[key], FILE, work),
    ] {
        assert_eq!(told(&asked(base_url, name), variables, file), expected, "{base_url} {name} {}", variables.len());
    }
}

#[test]
fn half_a_source_is_an_error_and_never_another_source() {
    let with_default = format!("default_profile = \"home\"\n{FILE}");
    for (base_url, name, variables, expected) in [
        ("https://x.example", "", &[][..], "--base-url names a service, but there is no API key for it"),
        (
            "",
            "",
            &[("REPORTDECK_BASE_URL", "https://x.example")],
            "REPORTDECK_BASE_URL names a service, but there is no API key for it",
        ),
        (
            "",
            "",
            &[("REPORTDECK_API_KEY", "k")],
            "REPORTDECK_API_KEY is set, but no base URL says where the key belongs",
        ),
        ("", "nobody", &[], "there is no profile nobody"),
        ("", "", &[("REPORTDECK_PROFILE", "nobody")], "there is no profile nobody"),
    ] {
        assert_eq!(told(&asked(base_url, name), variables, &with_default), expected);
    }
}

#[test]
fn complaints_name_file_and_line_and_never_a_value() {
    let profile = "[profiles.work]\nbase_url = \"https://work.example\"\n";
    for (text, expected) in [
        ("default_profile = \"gone\"".to_owned(), "config.toml:1: there is no profile gone"),
        ("default_profile = 3".to_owned(), "config.toml:1: default_profile is not a text"),
        (format!("{profile}read_only = \"yes\""), "config.toml:3: read_only is not true or false"),
        (format!("{profile}api_key = \"hunter2\""), "config.toml:3: a key does not belong into this file"),
        (profile.to_owned(), "config.toml:1: the profile work names no source of its API key"),
        (
            format!("{profile}api_key_env = \"A\"\napi_key_file = \"b\""),
            "config.toml:1: the profile work names two sources of its API key",
        ),
        (
            format!("{profile}api_key_env = \"UNSET\""),
            "config.toml:3: api_key_env names the variable UNSET, which is not set",
        ),
        ("[profiles.work]\napi_key_env = \"WORK_KEY\"".to_owned(), "config.toml:1: the profile work has no base_url"),
        ("profiles = 3".to_owned(), "config.toml:1: profiles is not a table"),
        ("\n[serve]\naudit_allow = \"x\"".to_owned(), "config.toml:3: audit_allow is not a list of texts"),
        (
            "[serve]\nrequests_per_minute = -1".to_owned(),
            "config.toml:2: requests_per_minute is not a whole number from 0 on",
        ),
    ] {
        let name = if text.starts_with("default") { "" } else { "work" };
        assert_eq!(told(&asked("", name), &[], &text), expected, "{text}");
    }
    let broken = read("a = 1\nkey = \"hunter2\nb = 2").unwrap_err().to_string();
    assert!(broken.starts_with("config.toml:2: ") && !broken.contains("hunter2"), "{broken}");
}

#[test]
fn what_is_not_known_is_a_warning_with_its_line() {
    let file =
        read("theme = \"dark\"\n[profiles.a]\ncolour = 3\n[serve]\nspeed = 1\naudit_allow = [\"10.0.0.0/8\"]").unwrap();
    let told: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    for expected in ["config.toml:1: theme ", "config.toml:3: colour of a profile ", "config.toml:5: speed of serve "] {
        assert!(told.iter().any(|told| told.starts_with(expected)), "{told:?}");
    }
    assert_eq!(file.audit_allow[0].value, "10.0.0.0/8");
}

#[test]
fn a_profile_brings_its_flags_and_its_line() {
    let environment = Environment::of(KEYS, None);
    let Chosen::Elsewhere(work) = choose(&asked("", "work"), &environment, &read(FILE).unwrap()).unwrap() else {
        panic!("a profile is elsewhere");
    };
    assert!(work.read_only && !work.allow_insecure);
    let Source::Profile(place) = work.said_by else { panic!("a profile said so") };
    assert_eq!(place.to_string(), "config.toml:3");
}

#[test]
fn the_file_we_hand_out_is_right() {
    let file = read(include_str!("../../assets/config/config.toml")).unwrap();
    assert!(file.warnings.is_empty() && file.profiles.is_empty());
    // Everything it shows as an example must be understood as well.
    let shown = include_str!("../../assets/config/config.toml");
    let commented = |line: &str| line.starts_with("# ") && (line.contains(" = ") || line.contains('['));
    let lines = shown.lines().map(|line| if commented(line) { &line[2..] } else { line });
    let file = read(&lines.collect::<Vec<_>>().join("\n")).unwrap();
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    assert_eq!(file.profiles["work"].keys.len(), 2);
}

#[cfg(unix)]
#[test]
fn a_key_file_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("work.key");
    std::fs::write(&key, "secret\n").unwrap();
    let file = "[profiles.work]\nbase_url = \"https://work.example\"\napi_key_file = \"~/work.key\"";
    let home = folder.path().to_owned();
    let directories = Directories { config: home.clone(), data: home.clone(), state: home.clone(), home };
    let environment = Environment::of([], Some(directories));
    let chosen = || choose(&asked("", "work"), &environment, &read(file).unwrap());
    for (mode, right) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(mode)).unwrap();
        match chosen() {
            Ok(Chosen::Elsewhere(work)) => assert!(right && work.key.expose_secret() == "secret", "{mode:o}"),
            Ok(Chosen::Embedded) => panic!("never another service"),
            Err(error) => assert!(!right && error.sentence().starts_with("config.toml:3: the key file "), "{error}"),
        }
    }
}
