//! A known key and page password, searched for in every byte that the program writes: screens, files, output, logs,
//! requests.

use std::path::Path;
use std::process::Stdio;

use crate::support::cli_user::{CliUser, page};
use crate::support::faulty_proxy::{Proxy, Seen};
use crate::support::own_process::KilledOnDrop;
use crate::support::pty::Pty;

/// Contains characters that every encoding escapes differently.
const PASSWORD: &str = "Pw7<\"gehe&im\"> %Pw7";
/// The part that every encoding except base64 and percent-encoding leaves unchanged.
const CORE: &str = "gehe";

/// Returns a secret in every encoding in which it could be written.
fn forms(secret: &str) -> Vec<(&'static str, Vec<u8>)> {
    let each = |write: fn(u8) -> String| secret.bytes().map(write).collect::<Vec<_>>().concat();
    let (percent, hexadecimal) = (each(|byte| format!("%{byte:02X}")), each(|byte| format!("{byte:02x}")));
    let json = serde_json::to_string(secret).unwrap();
    let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut forms = vec![
        ("plain", secret.as_bytes().to_vec()),
        ("percent-encoded", percent.into_bytes()),
        ("form-encoded", form.replace('+', "%20").into_bytes()),
        ("form-encoded", form.into_bytes()),
        ("JSON", json.trim_matches('"').as_bytes().to_vec()),
        ("HTML", html.into_bytes()),
        ("hexadecimal", hexadecimal.into_bytes()),
        ("debug", format!("{secret:?}").trim_matches('"').as_bytes().to_vec()),
        ("wide", secret.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ];
    // Base64 at any offset, without the characters that depend on the neighbouring bytes.
    forms.extend((0..3).map(|skip| ("base64", base64(&secret.as_bytes()[skip..]))));
    forms
}

/// Base64 of complete groups of three bytes.
fn base64(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let number = three.iter().fold(0_usize, |number, byte| number << 8 | usize::from(*byte));
        [18, 12, 6, 0].map(|shift| LETTERS[number >> shift & 63])
    };
    bytes.chunks_exact(3).flat_map(group).collect()
}

/// Secrets that must not be found anywhere.
struct Search(Vec<(String, &'static str, Vec<u8>)>);

impl Search {
    fn of(secrets: &[&str]) -> Self {
        let mut all = Vec::new();
        for secret in secrets {
            all.extend(forms(secret).into_iter().map(|(form, bytes)| ((*secret).to_owned(), form, bytes)));
        }
        Self(all)
    }

    #[track_caller]
    fn assert_absent(&self, place: &str, bytes: &[u8]) {
        for (secret, form, wanted) in &self.0 {
            let at = bytes.windows(wanted.len()).position(|part| part == wanted);
            let around =
                at.map(|at| String::from_utf8_lossy(&bytes[at.saturating_sub(80)..(at + 80).min(bytes.len())]));
            assert!(at.is_none(), "{secret} is in {place}, {form}: {around:?}");
        }
    }

    /// Searches every file below a folder; returns the number of files.
    fn assert_absent_in_files(&self, folder: &Path) -> usize {
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                count += self.assert_absent_in_files(&path);
            } else {
                self.assert_absent(&path.display().to_string(), &std::fs::read(&path).unwrap());
                count += 1;
            }
        }
        count
    }

    /// Searches requests: the key may be in its header only, the password in form bodies only.
    fn assert_absent_in_requests(&self, seen: &[Seen], key: &str) {
        for asked in seen {
            let bearer = format!("authorization: bearer {}", key.to_lowercase());
            let (own, others): (Vec<&str>, Vec<&str>) =
                asked.head.lines().partition(|line| line.to_lowercase().starts_with("authorization:"));
            assert_eq!(own.iter().map(|line| line.to_lowercase()).collect::<Vec<_>>(), [bearer]);
            self.assert_absent("a head", others.join("\n").as_bytes());
            self.assert_absent("an answer", asked.answer.as_bytes());
            if matches!(asked.method.as_str(), "GET" | "DELETE") {
                assert_eq!(asked.body, "");
            } else {
                Self::of(&[key]).assert_absent("a body", asked.body.as_bytes());
            }
        }
    }
}

#[test]
fn the_search_finds_every_encoding_of_a_secret() {
    let search = Search::of(&[PASSWORD]);
    for (form, bytes) in forms(PASSWORD) {
        let text = [b"before ", &bytes[..], b" behind"].concat();
        assert!(std::panic::catch_unwind(|| search.assert_absent("a text", &text)).is_err(), "{form}");
    }
    assert_eq!(base64(b"geheim"), b"Z2VoZWlt");
}

/// Starts a `serve` process that logs everything to a file; also returns its address.
fn start_logging(person: &CliUser, log: &Path) -> (KilledOnDrop, String) {
    use std::io::BufRead as _;
    let mut command = person.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("REPORTDECK_LOG", "trace").stdout(Stdio::piped()).stderr(std::fs::File::create(log).unwrap());
    let mut child = KilledOnDrop(command.spawn().unwrap());
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().strip_prefix("listening on ").unwrap().to_owned())
}

/// Uses the dashboard: creates a protected report, opens every screen, exports a file.
fn use_dashboard(person: &CliUser, base: &str, key: &str, site: &str, search: &Search) {
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_reportdeck"));
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("REPORTDECK_KEYRING", "off")] {
        command.env(name, value);
    }
    command.env("HOME", person.home());
    command.env("REPORTDECK_BASE_URL", base);
    command.env("REPORTDECK_API_KEY", key);
    command.cwd(person.home());
    let mut pty = Pty::start(command, 140, 40);
    let steps = [
        ("", "No reports yet."),
        ("n", "New report"),
        (&format!("\x1b[200~{site}/tea\x1b[201~\t\x1b[C\x1b[C\t"), "(•) password"),
        (&format!("\x1b[200~{PASSWORD}\x1b[201~"), "•••"),
        ("\x13", "Reports 1"),
        ("\r", "score"),
        ("@", "created "),
        ("@", "POST"),
        ("\x1b", "created "),
        ("\x1b", "Reports 1"),
        ("e", "[ Save ]"),
        (&format!("\t\x1b[200~{PASSWORD}\x1b[201~"), "•••"),
        // Quits with everything typed in: drafts are files too.
        ("\x1b", "Reports 1"),
    ];
    let mut open = Vec::new();
    for (keys, shown) in steps {
        pty.send(keys);
        // A key directly after Esc would be read as Alt.
        let left = if keys == "\x1b" { open.pop().unwrap_or_default() } else { "" };
        pty.wait_until(shown, |screen| {
            let screen = screen.contents();
            screen.contains(shown) && (left.is_empty() || !screen.contains(left))
        });
        match (keys, shown) {
            ("@", "POST") => open.push("Requests and responses"),
            ("@", _) => open.push("History, latest first"),
            ("e", _) => open.push("[ Save ]"),
            _ => {}
        }
        assert!(!pty.screen().contains(CORE), "{}", pty.screen());
    }
    pty.send("q");
    assert!(pty.wait().success(), "{}", pty.screen());
    search.assert_absent("the terminal", pty.written());
    assert!(pty.written().len() > 1_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_and_the_password_are_never_written() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    let made = person.run(&["keys", "create", "team"]);
    let key = made.records()[0]["key"].as_str().unwrap().to_owned();
    let search = Search::of(&[&key, PASSWORD]);
    let logs = tempfile::tempdir().unwrap();
    let (serving, base) = start_logging(&person, &logs.path().join("serve.log"));
    let proxy = Proxy::in_front_of(&base, 0, &[], usize::MAX).await;
    let (through, site) = (proxy.base.clone(), page());
    let used = tokio::task::spawn_blocking(move || {
        let search = Search::of(&[&key, PASSWORD]);
        use_dashboard(&person, &through, &key, &site, &search);
        let person = person.with("REPORTDECK_BASE_URL", &through).with("REPORTDECK_API_KEY", &key);
        let commands = [
            format!("reports create {site}/cup --privacy password --password-stdin --format json"),
            "reports update 2 --privacy password --password-stdin".to_owned(),
            "reports update 99 --privacy password --password-stdin --format json".to_owned(),
            "reports list --format json".to_owned(),
            "reports list --format table".to_owned(),
            "reports show 1 --format json".to_owned(),
            "projects list".to_owned(),
            "keys list".to_owned(),
            "config show".to_owned(),
            "config check".to_owned(),
            "doctor".to_owned(),
            "reports show 99".to_owned(),
            "reports list --base-url http://127.0.0.1:1".to_owned(),
            "reports delete 1 --yes".to_owned(),
        ];
        for line in commands {
            let ended = person.run_with(&line.split(' ').collect::<Vec<_>>(), &format!("{PASSWORD}\n"));
            search.assert_absent(&line, format!("{}\n{}", ended.out, ended.error).as_bytes());
        }
        (person, key)
    });
    let (person, key) = used.await.unwrap();
    let seen = proxy.seen();
    assert!(seen.iter().filter(|asked| asked.body.contains("password=")).count() >= 3, "the password was sent");
    search.assert_absent_in_requests(&seen, &key);
    // Once while the service runs, with its write-ahead log, and once after it has stopped.
    assert!(search.assert_absent_in_files(person.home()) > 3);
    drop(serving);
    search.assert_absent_in_files(person.home());
    assert_eq!(search.assert_absent_in_files(logs.path()), 1);
    assert!(std::fs::metadata(logs.path().join("serve.log")).unwrap().len() > 1_000, "nothing was logged");
}
