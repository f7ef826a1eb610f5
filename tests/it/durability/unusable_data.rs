//! Unusable data directories and databases are refused with a clear error and not changed.

use std::collections::BTreeMap;
use std::path::Path;

use reqwest::Method;
use rusqlite::Connection;

use crate::support::cli_user::{CliUser, CommandOutput, found};
use crate::support::embedded_service::Client;
use crate::support::serve_process::{Caller, Serving, data_of, database_of, key_of};

/// Every command that opens the database.
const COMMANDS: [&[&str]; 4] =
    [&["serve", "--listen", "127.0.0.1:0"], &["reports", "list"], &["keys", "list"], &["keys", "create", "another"]];

/// Asserts that each command exits with 1 and this text in its first line.
fn refused(person: &CliUser, more: &[&str], expected: &[&str]) {
    for command in COMMANDS {
        let output: CommandOutput = person.run(&[command, more].concat());
        assert_eq!(output.code, 1, "{command:?}: {output:?}");
        let first = output.error.lines().next().unwrap();
        assert!(
            first.starts_with("error: ") && expected.iter().all(|expected| first.contains(expected)),
            "{command:?}: {output:?}"
        );
        assert_eq!(output.problem()["kind"], "local", "{output:?}");
    }
}

/// Asserts that the dashboard shows the text, and exits with an error.
fn dashboard_refused(person: &CliUser, expected: &str) {
    let mut pty = person.terminal_of(200, &[]);
    pty.wait_for(expected);
    pty.send("q");
    assert_eq!(pty.wait().exit_code(), 1);
}

/// Returns the bytes of the database and of SQLite's files beside it.
fn bytes(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
    let ours = files.filter(|path| path.is_file());
    let named = ours.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    // Readers rebuild the index of the write-ahead log; lock files are empty.
    let kept = named.filter(|(name, _)| name.starts_with("reports.") && !name.ends_with("-shm"));
    let read = kept.map(|(name, path)| (name, std::fs::read(path).unwrap()));
    read.filter(|(name, bytes)| !(name.ends_with("-wal") && bytes.is_empty())).collect()
}

/// A user with a database that contains data.
fn with_database() -> CliUser {
    let person = CliUser::new();
    key_of(&person);
    person
}

#[test]
fn a_newer_database_is_refused_and_not_changed() {
    let person = with_database();
    let database = Connection::open(database_of(&person)).unwrap();
    let found: i64 = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    database.pragma_update(None, "user_version", found + 1).unwrap();
    // The content of the write-ahead log must stay there; opening the database would move it.
    let log = bytes(&data_of(&person));
    assert!(log.contains_key("reports.sqlite3-wal"), "{:?}", log.keys());
    refused(&person, &[], &["was written by a newer reportdeck", "Update reportdeck"]);
    dashboard_refused(&person, "newer reportdeck");
    assert_eq!(bytes(&data_of(&person)), log);
    drop(database);
    let closed = bytes(&data_of(&person));
    refused(&person, &[], &["was written by a newer reportdeck", &format!("its format is {}", found + 1)]);
    assert_eq!(bytes(&data_of(&person)), closed);
}

#[test]
fn a_file_that_is_not_a_database_is_refused_and_not_changed() {
    let person = CliUser::new();
    std::fs::create_dir_all(data_of(&person)).unwrap();
    std::fs::write(database_of(&person), "a shopping list, and no database: tea, kettle, cups. ".repeat(200)).unwrap();
    let before = bytes(&data_of(&person));
    refused(&person, &[], &["cannot open the database", "not a database", "Restore it from a backup"]);
    dashboard_refused(&person, "not a database");
    let backup = person.home().join("backup.sqlite3");
    let output = person.run(&["store", "backup", backup.to_str().unwrap()]);
    let expected = format!("{} is not a reportdeck database. Restore or name a file", database_of(&person).display());
    assert!(output.code == 1 && output.error.contains(&expected), "{output:?}");
    assert_eq!(bytes(&data_of(&person)), before);
}

#[test]
fn a_database_of_another_program_is_refused_and_not_changed() {
    // Databases of other programs: with a version number that we once used, or with an application id.
    for (version, application) in [(0, 0), (1, 0), (3, 0), (0, 0x4750_4b47)] {
        let person = CliUser::new();
        std::fs::create_dir_all(data_of(&person)).unwrap();
        let database = Connection::open(database_of(&person)).unwrap();
        let made = "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('scones')";
        database.execute_batch(if application == 0 { made } else { "" }).unwrap();
        database.pragma_update(None, "user_version", version).unwrap();
        database.pragma_update(None, "application_id", application).unwrap();
        drop(database);
        let before = bytes(&data_of(&person));
        refused(&person, &[], &["is the database of another program", "choose another directory with --data"]);
        assert_eq!(bytes(&data_of(&person)), before, "{version} {application}");
    }
}

#[test]
fn a_truncated_or_damaged_database_is_refused_and_not_changed() {
    let person = with_database();
    let whole = std::fs::read(database_of(&person)).unwrap();
    let cut_off = whole[..whole.len() / 2].to_vec();
    let mut damaged = whole.clone();
    damaged[4_096..].fill(0xa5);
    let mut no_page = whole.clone();
    no_page[100..4_096].fill(0);
    for (broken, about) in [(cut_off, "cut off"), (damaged, "damaged"), (no_page, "first page lost")] {
        std::fs::write(database_of(&person), broken).unwrap();
        let before = bytes(&data_of(&person));
        refused(&person, &[], &["cannot open the database", "malformed", "Restore it from a backup"]);
        assert_eq!(bytes(&data_of(&person)), before, "{about}");
    }
    std::fs::write(database_of(&person), whole).unwrap();
    assert_eq!(person.run(&["keys", "list"]).records().len(), 1, "it works again with a copy");
}

#[test]
fn a_data_directory_that_is_a_file_or_cannot_be_created_is_reported() {
    let person = CliUser::new();
    let file = person.home().join("file");
    std::fs::write(&file, "mine").unwrap();
    let below = file.join("data");
    for data in [&file, &below] {
        let data = data.to_str().unwrap();
        for command in COMMANDS {
            let output = person.run(&[command, &["--data", data]].concat());
            assert_eq!(output.code, 1, "{command:?}: {output:?}");
            let first = output.error.lines().next().unwrap();
            assert!(first.contains(data) && first.contains("choose another with --data"), "{output:?}");
        }
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
}

#[tokio::test]
async fn a_database_that_is_damaged_while_serving_is_named_by_health_log_and_doctor() {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let person = CliUser::new();
    let rows = (0..2_000).map(|number| reportdeck::service::seed::SeedRow {
        url: format!("https://shop.example/{number}"),
        project: "shop.example".into(),
        score: 90,
        generated_at: jiff::Timestamp::now(),
        failed: Vec::new(),
    });
    reportdeck::service::seed::seed(&data_of(&person), rows).unwrap();
    let key = key_of(&person);
    let path = database_of(&person);
    let serving = Serving::start(&person);
    let caller = Caller::new(&serving.base_url, &key);
    let anyone = Client::new(&serving.base_url, None);
    let health = async || anyone.request(Method::GET, "/health").send().await.unwrap().status().as_u16();
    assert_eq!(health().await, 200);
    let length = std::fs::metadata(&path).unwrap().len();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    // Damages everything after the schema.
    file.seek(SeekFrom::Start(40 * 4_096)).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(length - 40 * 4_096).unwrap()]).unwrap();
    let list = caller.request(Method::GET, "?sort_by=url&page=15");
    let (status, body) = Caller::answered(list).await.unwrap();
    assert_eq!(status, 500, "{body}");
    assert!(body["message"].as_str().unwrap().contains("damaged"), "{body}");
    assert!(!body["message"].as_str().unwrap().contains(path.to_str().unwrap()), "paths are not for callers: {body}");
    assert_eq!(health().await, 500);

    let remote = CliUser::with_service(&serving.base_url).with("REPORTDECK_API_KEY", &key);
    let output = remote.run(&["reports", "list", "--sort-by", "url"]);
    assert!(output.error.contains("Restore it from a backup"), "{output:?}");
    assert!(!output.error.contains("Try again"), "{output:?}");
    let checked = person.run(&["doctor", "--format", "csv"]);
    let named = format!("data,failed,{} is damaged: ", path.display());
    assert!(checked.code == 1 && checked.out.contains(&named), "{checked:?}");
    let log = serving.log();
    assert!(log.contains(&format!("the database is damaged ({}: ", path.display())), "{log}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_deleted_while_serving_takes_no_writes_and_health_and_log_name_it() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    let key = key_of(&person);
    let serving = Serving::start(&person);
    let caller = Caller::new(&serving.base_url, &key);
    let anyone = Client::new(&serving.base_url, None);
    let health = async || anyone.request(Method::GET, "/health").send().await.unwrap().status().as_u16();
    assert_eq!(health().await, 200);
    std::fs::remove_dir_all(data_of(&person)).unwrap();
    assert_eq!(health().await, 500);
    // A deleted file still takes writes, which nobody can read once it is closed.
    let create = caller.request(Method::POST, "").form(&[("url", "http://127.0.0.1:1/")]);
    let (status, body) = Caller::answered(create).await.unwrap();
    assert_eq!(status, 500, "{body}");
    let log = serving.log();
    assert!(log.contains(&format!("{}: it was deleted or moved", database_of(&person).display())), "{log}");
}

#[cfg(unix)]
#[test]
fn doctor_names_a_journal_that_cannot_be_created() {
    let person = CliUser::new();
    let state = person.home().join(".local/state/reportdeck");
    std::fs::create_dir_all(&state).unwrap();
    // A link to a disk that is not mounted, and a file in place of the directory.
    std::os::unix::fs::symlink("/nowhere/journal.sqlite", state.join("journal.sqlite")).unwrap();
    let (severity, text) = found(&person.run(&["doctor"]), "journal");
    assert!(severity == "failed" && text.contains("cannot be opened: No such file"), "{severity}: {text}");
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::write(&state, "").unwrap();
    let (severity, text) = found(&person.run(&["doctor"]), "journal");
    assert!(severity == "failed" && text.contains("cannot be written"), "{severity}: {text}");
}

/// Not run as root, who may open every file.
#[cfg(unix)]
#[test]
fn doctor_names_files_that_this_user_cannot_open() {
    use std::os::unix::fs::PermissionsExt as _;
    let person = with_database();
    let (database, state) = (database_of(&person), person.home().join(".local/state/reportdeck"));
    person.run(&["reports", "note", "1", "--add", "x"]);
    let journal = state.join("journal.sqlite");
    for (file, mode, check) in [(&database, 0, "data"), (&journal, 0o400, "journal"), (&state, 0o500, "journal")] {
        let before = std::fs::metadata(file).unwrap().permissions();
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
        if tempfile::tempfile_in(&state).is_ok() && std::fs::OpenOptions::new().write(true).open(file).is_ok() {
            return eprintln!("not run: this user may open every file");
        }
        let (severity, text) = found(&person.run(&["doctor"]), check);
        assert!(severity == "failed" && text.contains("cannot be"), "{}: {severity}: {text}", file.display());
        std::fs::set_permissions(file, before).unwrap();
        assert_eq!(found(&person.run(&["doctor"]), check).0, "ok");
    }
}
