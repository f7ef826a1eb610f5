//! The keyring of a Linux desktop, on a private session bus.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::credentials::{KEY, service};
use crate::support::cli_user::{CliUser, found, script};
use crate::support::own_process::KilledOnDrop;

/// A private session bus with an unlocked keyring, both stopped when dropped; `None` if a program is missing.
struct SessionKeyring {
    _keyring: KilledOnDrop,
    _bus: KilledOnDrop,
    address: String,
}

impl SessionKeyring {
    fn start(home: &Path) -> Option<Self> {
        for program in ["dbus-daemon", "gnome-keyring-daemon", "secret-tool"] {
            if Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
                eprintln!("not run: {program} is not installed");
                return None;
            }
        }
        let mut command = Command::new("dbus-daemon");
        command.args(["--session", "--nofork", "--nopidfile", "--print-address"]);
        let mut bus = KilledOnDrop(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let mut command = Command::new("gnome-keyring-daemon");
        command
            .args(["--foreground", "--unlock", "--components=secrets"])
            .env_clear()
            .env("HOME", home)
            .env("XDG_RUNTIME_DIR", home)
            .env("DBUS_SESSION_BUS_ADDRESS", address.trim())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut keyring = KilledOnDrop(command.spawn().unwrap());
        keyring.stdin.take().unwrap().write_all(b"its password").unwrap();
        // Its first line is printed when it is ready.
        BufReader::new(keyring.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        Some(Self { _keyring: keyring, _bus: bus, address: address.trim().to_owned() })
    }
}

#[tokio::test]
async fn a_desktop_keyring_stores_finds_and_deletes_the_key_of_any_profile() {
    let home = tempfile::tempdir().unwrap();
    let Some(keyring) = SessionKeyring::start(home.path()) else { return };
    let server = service().await;
    let path = std::env::var("PATH").unwrap();
    let person = CliUser::new()
        .with("REPORTDECK_KEYRING", "on")
        .with("PATH", &path)
        .with("DBUS_SESSION_BUS_ADDRESS", &keyring.address);
    let doctor = person.run(&["doctor"]);
    assert_eq!(found(&doctor, "keyring").0, "ok", "{doctor:?}");
    let output = person.run_with(&["login", "möbel", "--key-stdin", "--base-url", &server.uri()], KEY);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!person.home().join(".local/state/reportdeck/credentials").exists(), "no file contains the key");
    person.configure(&format!("default_profile = \"möbel\"\n[profiles.\"möbel\"]\nbase_url = \"{}\"\n", server.uri()));
    assert_eq!(person.run(&["reports", "list"]).records().len(), 10);
    let shown = person.run(&["config", "show"]);
    assert!(shown.out.contains("keyring") && !shown.out.contains(KEY), "{shown:?}");
    let output = person.run(&["logout"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(person.run(&["reports", "list"]).error.contains("reportdeck login"));
    // Without the bus the key is stored in a file.
    let elsewhere = CliUser::new().with("REPORTDECK_KEYRING", "on").with("PATH", &path);
    let output = elsewhere.run_with(&["login", "work", "--key-stdin", "--base-url", &server.uri()], KEY);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(elsewhere.home().join(".local/state/reportdeck/credentials/work.json").exists());
}

#[tokio::test]
async fn a_failing_keyring_is_reported_and_its_key_not_stored_elsewhere() {
    let server = service().await;
    let person = CliUser::new();
    let programs = person.home().join("bin");
    std::fs::create_dir(&programs).unwrap();
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let person = person.with("REPORTDECK_KEYRING", "on").with("PATH", &path);
    person.configure(&format!("default_profile = \"work\"\n[profiles.work]\nbase_url = \"{}\"\n", server.uri()));
    let (login, list, logout): (&[&str], &[&str], &[&str]) =
        (&["login", "--key-stdin"], &["reports", "list"], &["logout"]);
    for (commands, arguments, expected) in [
        (
            "cat > /dev/null; echo 'secret-tool: the collection is locked' >&2; exit 1",
            login,
            "cannot be written: the collection is locked",
        ),
        ("cat > /dev/null; exit 1", login, "cannot be written: nothing was stored"),
        ("echo 'secret-tool: the collection is locked' >&2; exit 1", list, "cannot be read: the collection is locked"),
        ("printf '\\377'", list, "cannot be read: the entry is not text"),
        ("echo a-password-of-another-program", list, "contains no key stored by `reportdeck login`"),
        (
            "echo 'secret-tool: the collection is locked' >&2; exit 1",
            logout,
            "cannot be changed: the collection is locked",
        ),
    ] {
        script(&programs.join("secret-tool"), &format!("{commands}\n"));
        let output = person.run_with(arguments, KEY);
        assert_eq!((output.code, output.error.contains(expected)), (2, true), "{commands}: {output:?}");
        assert!(!output.error.contains(KEY) && !output.error.contains("a-password-of"), "{output:?}");
        assert!(!person.home().join(".local/state/reportdeck/credentials").exists(), "{commands}");
    }
    // Without the program there is no keyring, and the key is in a file.
    let person = person.with("PATH", "/nowhere");
    let stored = person.run_with(login, KEY);
    assert_eq!((stored.code, stored.error.contains("secret-tool is not installed")), (0, true), "{stored:?}");
    assert_eq!(person.run(list).records().len(), 10);
}
