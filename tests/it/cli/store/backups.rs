//! `store backup` and `store restore`: what they preserve, and what they refuse.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Stdio;

use jiff::Timestamp;
use reportdeck::service::seed::{SeedRow, seed};
use reqwest::Method;
use serde_json::json;

use crate::support::cli_user::CliUser;
#[cfg(unix)]
use crate::support::own_process::send_signal;
use crate::support::serve_process::{Caller, Serving, data_of, database_of, key_of};

fn row(number: usize) -> SeedRow {
    SeedRow {
        url: format!("https://shop.example/{number}"),
        project: "shop.example".to_owned(),
        score: 40,
        generated_at: Timestamp::UNIX_EPOCH,
        failed: vec!["title".to_owned()],
    }
}

/// A user whose data directory holds this many reports.
fn person_with(reports: usize) -> CliUser {
    let person = CliUser::new();
    seed(&data_of(&person), (0..reports).map(row)).unwrap();
    person
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn backup_of(person: &CliUser) -> PathBuf {
    let file = person.home().join("backup.sqlite3");
    let backup = person.run(&["store", "backup", text(&file)]);
    assert_eq!(backup.code, 0, "{backup:?}");
    file
}

fn files_of(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_backup_can_be_restored_elsewhere_with_its_keys() {
    let person = person_with(3);
    let key = key_of(&person);
    let file = person.home().join("backup.sqlite3");
    let backup = person.run(&["store", "backup", text(&file)]);
    let counts = json!({ "file": text(&file), "reports": 3, "projects": 1, "former_results": 0, "keys": 1 });
    assert_eq!((backup.code, backup.records()), (0, vec![counts]), "{backup:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let names = files_of(person.home());
    assert!(names.iter().all(|name| !name.contains("reportdeck-") && !name.contains("-wal")), "{names:?}");

    let other = CliUser::new();
    let restored = other.run(&["store", "restore", text(&file)]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let restored = &restored.records()[0];
    assert_eq!((&restored["reports"], &restored["keys"], &restored["before"]), (&json!(3), &json!(1), &json!(null)));
    assert_eq!(other.run(&["reports", "list"]).records().len(), 3);
    let service = Serving::start(&other);
    let listed = Caller::new(&service.base_url, &key).request(Method::GET, "?search=shop");
    let listed = tokio::runtime::Runtime::new().unwrap().block_on(Caller::answered(listed)).unwrap();
    assert_eq!((listed.0, listed.1["data"].as_array().unwrap().len()), (200, 3), "the key and the search work");
}

#[test]
fn a_backup_of_a_running_service_is_a_consistent_snapshot() {
    let person = person_with(200);
    key_of(&person);
    let service = Serving::start(&person);
    let data = data_of(&person);
    // A writer that never pauses: every transaction adds a project with one report.
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let writer = std::thread::spawn({
        let stop = stop.clone();
        move || {
            let mut written = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let row = SeedRow { project: format!("p{written}.example"), ..row(1000 + written) };
                if seed(&data, std::iter::once(row)).is_ok() {
                    written += 1;
                }
            }
        }
    });
    let mut before = 200;
    for number in 0..5 {
        let file = person.home().join(format!("backup{number}.sqlite3"));
        let backup = person.run(&["store", "backup", text(&file)]);
        assert_eq!(backup.code, 0, "{backup:?}");
        let copy = rusqlite::Connection::open(&file).unwrap();
        let (reports, projects, counted): (i64, i64, i64) = copy
            .query_row(
                "SELECT (SELECT count(*) FROM reports), (SELECT count(*) FROM projects), (SELECT reports FROM totals)",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .unwrap();
        assert_eq!((reports - 200, counted), (projects - 1, reports), "complete transactions only");
        assert!(reports >= before);
        assert_eq!(backup.records()[0]["reports"], reports);
        before = reports;
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writer.join().unwrap();
    let refused = person.run(&["store", "restore", text(&person.home().join("backup0.sqlite3")), "--force"]);
    assert_eq!(refused.code, 1);
    assert!(refused.error.contains("another reportdeck already serves"), "{refused:?}");
    drop(service);
}

#[cfg(unix)]
#[test]
fn an_interrupted_backup_or_import_leaves_no_copy_behind() {
    let person = person_with(1);
    let (database, home) = (database_of(&person), person.home());
    let [backups, temporary] = ["backups", "temporary"].map(|name| home.join(name));
    for folder in [&backups, &temporary] {
        std::fs::create_dir(folder).unwrap();
    }
    // Large enough to be interrupted while it is copied.
    let large = "INSERT INTO history (report_id, result, score, generated_at, failed, checks) \
                 VALUES (1, 0, 0, 0, '', hex(zeroblob(30000000)))";
    rusqlite::Connection::open(&database).unwrap().execute_batch(large).unwrap();
    let (file, other) = (backups.join("backup.sqlite3"), home.join("other"));
    for (arguments, folder) in [
        (["store", "backup", text(&file), "--data", text(&data_of(&person))], &backups),
        (["store", "import", text(&database), "--data", text(&other)], &temporary),
    ] {
        loop {
            let mut child = person.command(&arguments);
            let quiet = child.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = quiet.spawn().unwrap();
            while files_of(folder).is_empty() && child.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
            if child.try_wait().unwrap().is_none() {
                send_signal(child.id(), "TERM");
            }
            let is_done = child.wait().unwrap().success();
            // Complete, perhaps just before the interrupt.
            let _ = std::fs::remove_file(&file);
            if !is_done {
                break;
            }
        }
        assert_eq!(files_of(folder), [""; 0], "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_backup_does_not_replace_a_device_or_socket() {
    use std::os::unix::fs::FileTypeExt as _;
    let person = person_with(1);
    let socket = person.home().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let refused = person.run(&["store", "backup", text(&socket), "--force"]);
    assert!(refused.code == 1 && refused.error.contains("it is not a regular file"), "{refused:?}");
    assert!(std::fs::symlink_metadata(&socket).unwrap().file_type().is_socket());
}

#[cfg(unix)]
#[test]
fn a_backup_to_a_symbolic_link_replaces_the_file_that_it_points_to() {
    let person = person_with(3);
    let (target, link) = (person.home().join("target.sqlite3"), person.home().join("link.sqlite3"));
    std::os::unix::fs::symlink(&target, &link).unwrap();
    // Its disk may not be mounted.
    let refused = person.run(&["store", "backup", text(&link), "--force"]);
    assert!(refused.code == 1 && refused.error.contains("cannot use"), "{refused:?}");
    std::fs::write(&target, "an earlier backup").unwrap();
    let written = person.run(&["store", "backup", text(&link), "--force"]);
    assert_eq!(written.code, 0, "{written:?}");
    assert!(link.is_symlink());
    let count = "SELECT count(*) FROM reports";
    let kept = rusqlite::Connection::open(&target).unwrap();
    assert_eq!(kept.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap(), 3);
}

#[test]
fn existing_data_is_replaced_only_with_force_and_kept_beside_the_new() {
    let person = person_with(3);
    let file = backup_of(&person);
    let refused = person.run(&["store", "backup", text(&file)]);
    assert!(refused.code == 1 && refused.error.contains("already exists"), "{refused:?}");
    assert_eq!(person.run(&["store", "backup", text(&file), "--force"]).code, 0);

    seed(&data_of(&person), (10..15).map(row)).unwrap();
    let refused = person.run(&["store", "restore", text(&file)]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.error.contains("8 reports and 0 keys") && refused.error.contains("--force"), "{refused:?}");
    assert_eq!(person.run(&["reports", "list"]).records().len(), 8);
    let restored = person.run(&["store", "restore", text(&file), "--force"]);
    assert_eq!(restored.code, 0, "{restored:?}");
    assert_eq!(person.run(&["reports", "list"]).records().len(), 3);
    let before = restored.records()[0]["before"].as_str().unwrap().to_owned();
    assert_eq!(Path::new(&before).parent(), Some(&*data_of(&person)));
    let again = person.run(&["store", "restore", &before, "--force"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(person.run(&["reports", "list"]).records().len(), 8);
}

#[test]
fn a_database_with_keys_only_is_not_replaced_without_force() {
    let (person, holder) = (person_with(1), CliUser::new());
    assert_eq!(holder.run(&["keys", "create", "mona"]).code, 0);
    let refused = holder.run(&["store", "restore", text(&backup_of(&person))]);
    assert!(refused.code == 1 && refused.error.contains("0 reports and 1 key. Add --force"), "{refused:?}");
    assert_eq!(holder.run(&["keys", "list"]).records().len(), 1);
}

#[test]
fn an_invalid_backup_changes_nothing() {
    let person = person_with(40);
    let good = backup_of(&person);
    let bytes = std::fs::read(&good).unwrap();
    let home = person.home().to_owned();
    let written = |name: &str, bytes: &[u8]| {
        let path = home.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let cut = written("cut", &bytes[..bytes.len() / 2]);
    let mut overwritten = bytes.clone();
    let middle = overwritten.len() / 2 / 4096 * 4096;
    overwritten[middle..middle + 8192].fill(0x5a);
    let overwritten = written("overwritten", &overwritten);
    let foreign = home.join("foreign");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE cups (size INTEGER)").unwrap();
    let newer = home.join("newer");
    std::fs::copy(&good, &newer).unwrap();
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 1000).unwrap();
    for (file, expected) in [
        (cut, "damaged"),
        (overwritten, "damaged"),
        (written("empty", b""), "is not a reportdeck database"),
        (written("text", &b"hello, reports! ".repeat(100)), "is not a reportdeck database"),
        (foreign, "is not a reportdeck database"),
        (newer, "newer reportdeck"),
        (home.join("gone"), "cannot use"),
        (home.clone(), "cannot use"),
    ] {
        let other = person_with(2);
        let output = other.run(&["store", "restore", text(&file), "--force"]);
        assert_eq!(output.code, 1, "{}: {output:?}", file.display());
        assert!(output.error.contains(expected), "{}: {output:?}", file.display());
        assert_eq!(other.run(&["reports", "list"]).records().len(), 2, "{}", file.display());
        let new = other.home().join("new");
        let output = other.run(&["store", "restore", text(&file), "--data", text(&new)]);
        assert!(output.code == 1 && !new.exists(), "{}: {output:?}", file.display());
    }
}

#[test]
fn a_backup_of_a_damaged_database_names_the_database() {
    let person = person_with(40);
    let database = database_of(&person);
    let mut bytes = std::fs::read(&database).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 8192].fill(0x5a);
    std::fs::write(&database, bytes).unwrap();
    let file = person.home().join("backup.sqlite3");
    let output = person.run(&["store", "backup", text(&file)]);
    assert!(output.code == 1 && output.error.contains(&format!("{} is damaged", database.display())), "{output:?}");
    assert!(!file.exists());
}

#[test]
fn a_damaged_database_is_kept_beside_the_restored_one() {
    let person = person_with(3);
    let file = backup_of(&person);
    std::fs::write(database_of(&person), b"no database at all").unwrap();
    let refused = person.run(&["store", "restore", text(&file)]);
    assert!(refused.code == 1 && refused.error.contains("cannot be read. Add --force"), "{refused:?}");
    let restored = person.run(&["store", "restore", text(&file), "--force"]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let before = restored.records()[0]["before"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::read(before).unwrap(), b"no database at all");
    assert_eq!(person.run(&["reports", "list"]).records().len(), 3);
}

#[test]
fn a_backup_replaces_the_database_of_a_newer_version() {
    let person = person_with(3);
    let file = backup_of(&person);
    // As a killed process leaves it: the last write is only in the log beside the database.
    let files = ["reports.sqlite3", "reports.sqlite3-wal"].map(|name| data_of(&person).join(name));
    let connection = rusqlite::Connection::open(&files[0]).unwrap();
    connection.pragma_update(None, "user_version", 1000).unwrap();
    let contents = files.each_ref().map(|file| std::fs::read(file).unwrap());
    drop(connection);
    for (file, content) in files.iter().zip(contents) {
        std::fs::write(file, content).unwrap();
    }
    let refused = person.run(&["store", "restore", text(&file)]);
    assert!(refused.code == 1 && refused.error.contains("is of a newer version. Add --force"), "{refused:?}");
    let restored = person.run(&["store", "restore", text(&file), "--force"]);
    assert_eq!(restored.code, 0, "{restored:?}");
    let before = restored.records()[0]["before"].as_str().unwrap().to_owned();
    let kept = rusqlite::Connection::open(before).unwrap();
    assert_eq!(kept.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap(), 1000);
    assert_eq!(kept.query_row("SELECT count(*) FROM reports", [], |row| row.get::<_, i64>(0)).unwrap(), 3);
    assert_eq!(person.run(&["reports", "list"]).records().len(), 3);
}

#[test]
fn a_backup_needs_a_file_that_is_not_the_database() {
    let person = person_with(1);
    let database = database_of(&person);
    for own in [database.clone(), database.with_file_name("reports.sqlite3-wal")] {
        let output = person.run(&["store", "backup", text(&own), "--force"]);
        assert!(output.code == 1 && output.error.contains("the database itself"), "{output:?}");
    }
    for command in ["backup", "restore"] {
        let output = person.run(&["store", command, "-"]);
        assert!(output.code == 2 && output.error.contains("name a file"), "{output:?}");
    }
    let folder = person.home().join("backups");
    std::fs::create_dir(&folder).unwrap();
    for options in [&[][..], &["--force"]] {
        let output = person.run(&[&["store", "backup", text(&folder)], options].concat());
        assert!(output.code == 1 && output.error.contains("backups is a folder. Name a file in it"), "{output:?}");
    }
    let nowhere = person.home().join("gone/backup.sqlite3");
    let output = person.run(&["store", "backup", text(&nowhere)]);
    assert!(output.code == 1 && output.error.contains("cannot use"), "{output:?}");
    let output = CliUser::new().run(&["store", "backup", "backup.sqlite3"]);
    assert!(output.code == 1 && output.error.contains("there is no database"), "{output:?}");
    // A directory that cannot be searched is not an empty one.
    let no_folder = CliUser::new();
    std::fs::write(no_folder.home().join("data"), "").unwrap();
    let data = no_folder.home().join("data");
    let output = no_folder.run(&["--data", text(&data), "store", "backup", "backup.sqlite3"]);
    assert!(output.code == 1 && output.error.contains("cannot use"), "{output:?}");
    let person = person.with("REPORTDECK_DATABASE_URL", "postgres://team:hunter2@127.0.0.1:1/reports");
    let output = person.run(&["store", "backup", "backup.sqlite3"]);
    assert!(output.code == 1 && output.error.contains("pg_dump") && !output.error.contains("hunter2"), "{output:?}");
}
