//! Which service each combination of sources selects, and which errors name which line.

use std::path::Path;

use secrecy::ExposeSecret as _;
use strum::IntoEnumIterator as _;

use super::choice::{ServiceSelection, ServiceSource, choose};
#[cfg(unix)]
use super::credentials::{Credential, StorePreference, store};
#[cfg(unix)]
use super::environment::Directories;
use super::environment::{Environment, KEYRING};
use super::error::ConfigError;
use super::fields::ConfigTable;
use super::model::{ConfigFile, ExaminedFile, TriageChoice};
use super::parse::examine;
use crate::domain::look::LookOptions;

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

const KEYS: [(&str, &str); 3] = [("WORK_KEY", "w"), ("HOME_KEY", "h"), (KEYRING, "off")];

fn read(text: &str) -> Result<ConfigFile, ConfigError> {
    let ExaminedFile { file, mut errors, .. } = examine(Path::new("config.toml"), text);
    if errors.is_empty() { Ok(file) } else { Err(errors.remove(0)) }
}

fn asked(base_url: &str, profile: &str) -> ServiceSelection {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    ServiceSelection { base_url: some(base_url), profile: some(profile), data: false }
}

/// Returns `embedded`, `base_url key`, or the error.
fn chosen(asked: &ServiceSelection, variables: &[(&str, &str)], text: &str) -> String {
    let environment = Environment::of(variables.iter().copied().chain(KEYS), None);
    match read(text).and_then(|file| choose(asked, &environment, &file)) {
        Ok(None) => "embedded".to_owned(),
        Ok(Some(elsewhere)) => format!("{} {}", elsewhere.base_url, elsewhere.key.expose_secret()),
        Err(error) => error.sentence(),
    }
}

#[test]
fn the_first_source_wins_and_uses_its_own_key() {
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
        (base, "", &[url, key, profile][..], &*with_default, option),
        ("", "home", &[url, key, profile], &with_default, home),
        ("", "", &[url, key, profile], &with_default, variable),
        ("", "", &[profile], &with_default, work),
        ("", "", &[], &with_default, home),
        ("", "", &[], FILE, "embedded"),
        ("", "", &[], "", "embedded"),
        ("", "", &[("REPORTDECK_BASE_URL", ""), ("REPORTDECK_API_KEY", "")], "", "embedded"),
        ("", "work", &[key], FILE, work),
        ("", "embedded", &[url, key, profile], &with_default, "embedded"),
        ("", "", &[("REPORTDECK_PROFILE", "embedded")], &with_default, "embedded"),
    ] {
        assert_eq!(chosen(&asked(base_url, name), variables, file), expected, "{base_url} {name} {}", variables.len());
    }
}

#[test]
fn a_data_directory_selects_the_embedded_service_and_excludes_all_others() {
    let with_default = format!("default_profile = \"home\"\n{FILE}");
    let variables = [("REPORTDECK_BASE_URL", "https://x.example"), ("REPORTDECK_API_KEY", "k")];
    for (base_url, name, expected) in [
        ("", "", "embedded"),
        ("", "embedded", "embedded"),
        ("", "work", "--data is for the embedded service, and --profile names another service"),
        ("https://x.example", "", "--data is for the embedded service, and --base-url names another service"),
    ] {
        let asked = ServiceSelection { data: true, ..asked(base_url, name) };
        assert_eq!(chosen(&asked, &variables, &with_default), expected);
    }
    let both = asked("https://x.example", "work");
    assert_eq!(chosen(&both, &variables, FILE), "--base-url and --profile name two services");
}

#[test]
fn an_incomplete_source_is_an_error_instead_of_a_fallback() {
    let with_default = format!("default_profile = \"home\"\n{FILE}");
    for (base_url, name, variables, expected) in [
        ("https://x.example", "", &[][..], "--base-url names a service, but there is no API key for it"),
        (
            "",
            "",
            &[("REPORTDECK_BASE_URL", "https://x.example")],
            "REPORTDECK_BASE_URL names a service, but there is no API key for it",
        ),
        ("", "", &[("REPORTDECK_API_KEY", "k")], "REPORTDECK_API_KEY is set, but there is no base URL for the key"),
        ("", "nobody", &[], "there is no profile nobody"),
        ("", "", &[("REPORTDECK_PROFILE", "nobody")], "there is no profile nobody"),
    ] {
        assert_eq!(chosen(&asked(base_url, name), variables, &with_default), expected);
    }
}

#[test]
fn errors_name_file_and_line_but_no_value() {
    let missing = std::fs::File::open("/nowhere/pass").unwrap_err();
    let profile = "[profiles.work]\nbase_url = \"https://work.example\"\n";
    for (text, expected) in [
        ("default_profile = \"gone\"".to_owned(), "config.toml:1: there is no profile gone"),
        ("default_profile = 3".to_owned(), "config.toml:1: default_profile is not a string"),
        (format!("{profile}read_only = \"yes\""), "config.toml:3: read_only is not true or false"),
        (format!("{profile}api_key = \"hunter2\""), "config.toml:3: an API key does not belong in this file"),
        (
            profile.to_owned(),
            "config.toml:1: there is no API key for the profile work, and no keyring here: REPORTDECK_KEYRING is off",
        ),
        (
            format!("{profile}api_key_env = \"A\"\napi_key_file = \"b\""),
            "config.toml:1: the profile work has two sources for its API key",
        ),
        (
            format!("{profile}api_key_env = \"UNSET\""),
            "config.toml:3: api_key_env names the variable UNSET, which is not set",
        ),
        ("[profiles.work]\napi_key_env = \"WORK_KEY\"".to_owned(), "config.toml:1: the profile work has no base_url"),
        (format!("{profile}api_key_command = \"pass\""), "config.toml:3: api_key_command is not a list of strings"),
        (format!("{profile}api_key_command = []"), "config.toml:3: api_key_command names no program"),
        (
            format!("{profile}api_key_command = [\"/nowhere/pass\"]"),
            &format!("config.toml:3: api_key_command: /nowhere/pass cannot be started: {missing}"),
        ),
        (format!("{profile}api_key_keyring = 1"), "config.toml:3: api_key_keyring is not true or false"),
        (format!("{profile}readonly = true"), "config.toml:3: readonly of a profile is not known"),
        (
            format!("{profile}default_profile = \"work\""),
            "config.toml:3: default_profile of a profile has no effect here",
        ),
        ("read_only = true".to_owned(), "config.toml:1: read_only has no effect here"),
        ("[profile.work]".to_owned(), "config.toml:1: profile is not known"),
        ("[Serve]\ndata = \"/srv/reports\"".to_owned(), "config.toml:2: data of Serve has no effect here"),
        ("[work]\nbase_url = \"https://a\"".to_owned(), "config.toml:2: base_url of work has no effect here"),
        ("[work]\napi_key = \"hunter2\"".to_owned(), "config.toml:2: an API key does not belong in this file"),
        ("[look]\napi_key = \"hunter2\"".to_owned(), "config.toml:2: an API key does not belong in this file"),
        ("profiles = 3".to_owned(), "config.toml:1: profiles is not a table"),
        ("\n[serve]\naudit_allow = \"x\"".to_owned(), "config.toml:3: audit_allow is not a list of strings"),
        (
            "[serve]\naudit_allow = [\n\"10.0.0.0/8\",\n\"*.shop.example\"]".to_owned(),
            "config.toml:4: audit_allow: *.shop.example is neither a host name nor a range of addresses",
        ),
        (
            "[serve]\npublic_url = \"reports.example.com\"".to_owned(),
            "config.toml:2: public_url is not the http or https address of a service without user and query",
        ),
        (
            "[serve]\npublic_url = \"https://reports.example.com/?x=1\"".to_owned(),
            "config.toml:2: public_url is not the http or https address of a service without user and query",
        ),
        ("[serve]\ndata = \" \"".to_owned(), "config.toml:2: data is empty"),
        (
            "[serve]\ntrusted_proxies = [\"10.0.0.0/8\",\n\"proxy.example\"]".to_owned(),
            "config.toml:3: trusted_proxies: proxy.example is neither an address nor a range of addresses",
        ),
        ("[serve]\ntrusted_proxies = [7]".to_owned(), "config.toml:2: trusted_proxies is not a list of strings"),
        (
            "[serve]\nrequests_per_minute = -1".to_owned(),
            "config.toml:2: requests_per_minute is not a whole number from 0 to 4294967295",
        ),
        (
            "[serve]\nrequests_per_minute = 99999999999".to_owned(),
            "config.toml:2: requests_per_minute is not a whole number from 0 to 4294967295",
        ),
        (
            "[serve]\nlisten = \"127.0.0.1:99999\"".to_owned(),
            "config.toml:2: listen is not an address with a port up to 65535",
        ),
        (
            "[serve]\ndesk_keep_days = 36501".to_owned(),
            "config.toml:2: desk_keep_days is not a whole number of days from 0 to 36500",
        ),
        (
            format!("{profile}api_key_env = \"WORK_KEY\"\ndesk_api_key_env = \"HOME_KEY\""),
            "config.toml:4: the profile work has desk_api_key_env, but no desk",
        ),
    ] {
        let name = if text.starts_with("default") { "" } else { "work" };
        assert_eq!(chosen(&asked("", name), &[], &text), expected, "{text}");
    }
    let broken = read("a = 1\nkey = \"hunter2\nb = 2").unwrap_err().to_string();
    assert!(broken.starts_with("config.toml:2: ") && !broken.contains("hunter2"), "{broken}");
}

#[test]
fn an_unknown_option_is_a_warning_with_its_line() {
    let file =
        read("theme = \"dark\"\n[profiles.a]\ncolour = 3\n[serve]\nspeed = 1\naudit_allow = [\"10.0.0.0/8\"]").unwrap();
    let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    for expected in ["config.toml:1: theme ", "config.toml:3: colour of a profile ", "config.toml:5: speed of serve "] {
        assert!(warnings.iter().any(|warning| warning.starts_with(expected)), "{warnings:?}");
    }
    assert_eq!(file.audit_allow[0].value, "10.0.0.0/8");
}

#[test]
fn hosts_and_ranges_may_be_audited_and_nothing_else() {
    for (entry, expected) in [
        ("10.0.0.0/8", Some("10.0.0.0/8")),
        ("127.0.0.1", Some("127.0.0.1")),
        ("fd00::/8", Some("fd00::/8")),
        ("::1", Some("::1")),
        ("[::1]", Some("[::1]")),
        (" Intranet.example ", Some("intranet.example")),
        ("intranet", Some("intranet")),
        // URLs have this form of the name.
        ("bücher.example", Some("xn--bcher-kva.example")),
        ("https://intranet.example/", None),
        ("intranet.example:8080", None),
        ("*.intranet.example", None),
        ("10.0.0.0/33", None),
        ("", None),
    ] {
        let file = read(&format!("[serve]\naudit_allow = [\"{entry}\"]"));
        let allowed = file.ok().map(|file| file.audit_allow[0].value.clone());
        assert_eq!(allowed.as_deref(), expected, "{entry}");
    }
}

#[test]
fn a_profile_has_its_flags_and_its_line_and_a_base_url_without_a_profile_has_none() {
    let environment = Environment::of(KEYS, None);
    let Some(work) = choose(&asked("", "work"), &environment, &read(FILE).unwrap()).unwrap() else {
        panic!("a profile is elsewhere");
    };
    assert!(work.read_only && !work.allow_insecure);
    let ServiceSource::Profile(place) = work.source else { panic!("a profile is the source") };
    assert_eq!(place.to_string(), "config.toml:3");
    let environment = Environment::of([("REPORTDECK_API_KEY", "k")], None);
    let Some(plain) = choose(&asked("http://a.example", ""), &environment, &read(FILE).unwrap()).unwrap() else {
        panic!("a base URL is elsewhere");
    };
    assert!(!plain.allow_insecure && !plain.read_only && !plain.hides_presence);
}

/// The default file without its actions, which `cli` adds.
const OURS: &str = include_str!("../../assets/config/config.toml");

/// Returns a commented-out option; prose has a space after its `#`.
fn option(line: &str) -> Option<&str> {
    line.strip_prefix('#').filter(|rest| !rest.is_empty() && !rest.starts_with(' '))
}

#[test]
fn the_default_file_sets_nothing_until_its_lines_are_enabled() {
    let file = read(OURS).unwrap();
    let empty = ConfigFile { path: file.path.clone(), exists: true, ..ConfigFile::default() };
    assert_eq!(format!("{file:?}"), format!("{empty:?}"));
    let on = |wanted: &dyn Fn(&str) -> bool| {
        let lines: Vec<&str> = OURS.lines().map(|line| option(line).filter(|on| wanted(on)).unwrap_or(line)).collect();
        read(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}"))
    };
    let all = on(&|_| true);
    assert!(all.warnings.is_empty(), "{:?}", all.warnings);
    assert_eq!((all.profiles["work"].keys.len(), all.requests_per_minute), (4, Some(6000)));
    // The defaults shown in the file are the actual defaults.
    assert_eq!((all.look, all.triage), (LookOptions::default(), TriageChoice::default()));
    for option in OURS.lines().filter_map(option) {
        let file = on(&|line| line == option || line == "[profiles.work]");
        assert!(file.warnings.is_empty(), "{option}: {:?}", file.warnings);
    }
}

#[test]
fn the_default_file_contains_every_option() {
    let lines: Vec<&str> = OURS.lines().map(|line| option(line).unwrap_or(line)).collect();
    for table in ConfigTable::iter() {
        for name in table.names() {
            let forms = [format!("{name} = "), format!("[{name}]"), format!("[{name}."), format!("[keys.{name}]")];
            let is_there = lines.iter().any(|line| forms.iter().any(|form| line.starts_with(form)));
            assert!(is_there, "{name}{} is not in it", table.owner_suffix());
        }
    }
}

#[test]
fn invalid_look_options_fall_back_to_the_default_with_a_suggestion() {
    let file = read(
        "[look]\ntheme = \"high_contrast\"\ntehme = 1\ndensity = 3\nascii_frame = \"yes\"\n[triage]\nuntested_days = 0\n[keys]\npreset = \"emacs\"\n[profiles.a]\naccent = \"gren\"",
    );
    let file = file.unwrap();
    assert_eq!((file.look, file.triage), (LookOptions::default(), TriageChoice::default()));
    let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    for (warning, expected) in warnings.iter().zip([
        "config.toml:2: theme is not one of auto, terminal, dark, light, high-contrast, colour-blind, plain (did you mean high-contrast?); the default is used",
        "config.toml:3: tehme of look is not known and was ignored; did you mean theme?",
        "config.toml:4: density is not one of compact, comfortable; the default is used",
        "config.toml:5: ascii_frame is not true or false; the default is used",
        "config.toml:7: untested_days is not a whole number from 1 to 3650; the default is used",
        "config.toml:9: preset is not one of vim, k9s, lazygit; the default is used",
        "config.toml:11: accent is not one of red, green, yellow, blue, magenta, cyan, white (did you mean green?); the default is used",
    ]) {
        assert_eq!(warning, expected);
    }
    assert_eq!(warnings.len(), 7, "{warnings:?}");
    for text in ["look = 1", "[keys]\nactions = 1", "triage = []"] {
        assert_eq!(read(text).unwrap().warnings.len(), 1, "{text}");
    }
}

#[test]
fn an_ignored_option_leaves_the_others_of_its_line_their_origin() {
    let file = read("look = { theme = \"drak\", density = \"compact\", times = \"exact\" }").unwrap();
    let options: Vec<&str> = file.lines.keys().map(String::as_str).collect();
    assert_eq!((file.warnings.len(), options), (1, vec!["look.density", "look.times"]), "{:?}", file.warnings);
}

#[cfg(unix)]
#[test]
fn a_stored_key_is_sent_to_the_origin_it_was_checked_at_only() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().to_owned();
    let directories = Directories { config: folder.clone(), data: folder.clone(), state: folder.clone(), home: folder };
    let environment = Environment::of([(KEYRING, "off"), ("A", "explicit")], Some(directories));
    let profile = |base_url: &str| format!("[profiles.work]\nbase_url = \"{base_url}\"\n");
    let key_source = |text: &str| match choose(&asked("", "work"), &environment, &read(text).unwrap()) {
        Ok(Some(work)) => work.key.expose_secret().to_owned(),
        Ok(None) => panic!("never another service"),
        Err(error) => error.sentence(),
    };
    let (origin, key) = ("https://work.example".to_owned(), "stored".into());
    let credential = Credential { profile: "work".to_owned(), origin, key };
    assert!(store(&credential, StorePreference::Any, &environment).is_ok());
    assert_eq!(key_source(&profile("https://WORK.example/api/v1")), "stored");
    assert_eq!(key_source(&format!("{}api_key_env = \"A\"", profile("https://work.example"))), "explicit");
    for elsewhere in ["https://evil.example", "http://work.example", "https://work.example:8443", "nonsense"] {
        let error = key_source(&profile(elsewhere));
        assert!(error.starts_with("config.toml:2: the stored key of the profile work belongs to"), "{error}");
    }
    let keyring_only = key_source(&format!("{}api_key_keyring = true", profile("https://work.example")));
    assert_eq!(keyring_only, "config.toml:3: there is no keyring here: REPORTDECK_KEYRING is off");
}

#[cfg(unix)]
#[test]
fn a_stored_key_of_a_desk_that_others_can_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().to_owned();
    let directories = Directories { config: folder.clone(), data: folder.clone(), state: folder.clone(), home: folder };
    let environment = Environment::of([(KEYRING, "off"), ("A", "explicit")], Some(directories));
    let credential =
        Credential { profile: "work.desk".to_owned(), origin: "https://desk.example".to_owned(), key: "stored".into() };
    assert!(store(&credential, StorePreference::Any, &environment).is_ok());
    let text =
        "[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"A\"\ndesk = \"https://desk.example\"";
    let note = || match choose(&asked("", "work"), &environment, &read(text).unwrap()) {
        Ok(Some(work)) => work.note,
        Ok(None) | Err(_) => panic!("the profile is valid"),
    };
    assert_eq!(note(), None);
    let file = home.path().join("credentials/work.desk.json");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(note().is_some_and(|note| note.contains("work.desk.json can be read by others (mode 644)")));
}

#[cfg(unix)]
#[test]
fn a_key_file_must_be_readable_only_by_its_owner() {
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
            Ok(Some(work)) => assert!(right && work.key.expose_secret() == "secret", "{mode:o}"),
            Ok(None) => panic!("never another service"),
            Err(error) => assert!(!right && error.sentence().starts_with("config.toml:3: the key file "), "{error}"),
        }
    }
}
