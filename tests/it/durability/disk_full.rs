//! A full disk and a read-only one, mounted for one process in its own mount namespace.
//!
//! These tests print a note and pass if the machine does not permit such a namespace.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use portable_pty::CommandBuilder;
use reportdeck::service::seed::{SeedRow, seed};
use reqwest::Method;
use serde_json::Value;

use crate::support::cli_user::{CliUser, page};
use crate::support::pty::Pty;
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::serve_process::{Caller, Serving, data_of};

/// A small disk, visible only to one shell and its children.
struct Disk {
    person: CliUser,
    place: PathBuf,
}

impl Disk {
    /// `None` if this machine does not permit it.
    fn new() -> Option<Self> {
        let person = CliUser::new();
        person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
        let place = person.home().join("disk");
        std::fs::create_dir(&place).unwrap();
        let disk = Self { person, place };
        let mounted = disk.shell("200k", "true").stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if !mounted {
            eprintln!("not run: this machine permits no mount namespace");
        }
        mounted.then_some(disk)
    }

    /// Returns a shell that sees the disk, empty and of this size. `$program` is our binary, `$data` a directory on the
    /// disk. A user other than root may remount it only if the command names it `tmpfs` again.
    fn shell(&self, size: &str, script: &str) -> Command {
        let mut command = Command::new("unshare");
        let script = format!("mount -t tmpfs -o size={size} tmpfs \"$disk\" || exit 99\n{script}");
        command.args(["--mount", "--map-root-user", "sh", "-c", &script]);
        let program = self.person.command(&[]);
        command.env_clear().envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("program", program.get_program()).env("disk", &self.place).env("data", self.place.join("data"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    fn run(&self, size: &str, script: &str) -> (String, String) {
        let Output { stdout, stderr, .. } = self.shell(size, script).output().unwrap();
        (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
    }
}

/// Fills the rest of the disk.
const FILL: &str = "cat /dev/zero > \"$disk/something else\" 2> /dev/null";

#[test]
fn a_full_disk_prevents_a_start_and_damages_nothing() {
    let Some(disk) = Disk::new() else { return };
    // A new database on an almost full disk, then with free space.
    let (out, error) = disk.run("64k", "$program keys create one --data \"$data\"; echo $?");
    assert!(out.ends_with("1\n") && error.contains("the disk is too full for the database"), "{out}{error}");
    assert!(error.contains("Free some space"), "{error}");
    let script = format!(
        "head -c 500k /dev/zero > \"$disk/ballast\"
         $program keys create one --data \"$data\" > /dev/null; echo first $?
         rm \"$disk/ballast\"
         mount -o remount,size=4m tmpfs \"$disk\" || exit 99
         $program keys create two --data \"$data\" > /dev/null; echo second $?
         {FILL}
         cksum < \"$data/reports.sqlite3\"
         $program keys create three --data \"$data\"; echo third $?
         $program reports list --data \"$data\"; echo fourth $?
         cksum < \"$data/reports.sqlite3\"
         rm \"$disk/something else\"
         $program keys list --format csv --data \"$data\"; echo fifth $?"
    );
    let (out, error) = disk.run("600k", &script);
    let lines: Vec<&str> = out.lines().collect();
    let [first, second, before, third, fourth, after, head, listed, fifth] = lines[..] else {
        panic!("{out}{error}");
    };
    assert_eq!(
        [first, second, third, fourth, fifth],
        ["first 1", "second 0", "third 1", "fourth 1", "fifth 0"],
        "{error}"
    );
    assert_eq!(before, after, "the database is unchanged");
    assert!(head.starts_with("name") && listed.starts_with("two,"), "{out}");
    assert_eq!(
        error.lines().filter(|line| line.starts_with("error: ") && line.contains("too full")).count(),
        3,
        "{error}"
    );
}

#[test]
fn a_restore_that_does_not_fit_leaves_the_database_and_no_further_copy_of_it() {
    let Some(disk) = Disk::new() else { return };
    let rows = (0..2_000).map(|number| SeedRow {
        url: format!("https://shop.example/{number}"),
        project: "shop.example".into(),
        score: 90,
        generated_at: jiff::Timestamp::now(),
        failed: Vec::new(),
    });
    seed(&data_of(&disk.person), rows).unwrap();
    let script = "$program store backup \"$HOME/backup\" > /dev/null
        $program keys create one --data \"$data\" > /dev/null 2>&1
        $program store restore \"$HOME/backup\" --force --data \"$data\"; echo $?
        ls \"$data\"
        $program keys list --format csv --data \"$data\"";
    let (out, error) = disk.run("1m", script);
    assert!(out.starts_with("1\n") && error.contains("disk is full"), "{out}{error}");
    assert!(!out.contains("before-restore") && out.contains("\none,"), "{out}{error}");
}

#[test]
fn a_restore_into_a_new_directory_that_does_not_fit_leaves_no_database() {
    let Some(disk) = Disk::new() else { return };
    let script = "$program keys create one --data \"$HOME/source\" > /dev/null 2>&1
        $program store backup \"$HOME/backup\" --data \"$HOME/source\" > /dev/null 2>&1
        $program store restore \"$HOME/backup\" --data \"$data\"; echo first $?
        ls \"$data\"
        $program store restore \"$HOME/backup\" --data \"$data\"; echo second $?
        mount -o remount,size=4m tmpfs \"$disk\" || exit 99
        $program store restore \"$HOME/backup\" --format csv --data \"$data\"; echo third $?";
    for size in ["64k", "400k"] {
        let (out, error) = disk.run(size, script);
        let (tries, restored) = out.split_once("second 1\n").unwrap_or_else(|| panic!("{size}: {out}{error}"));
        assert!(tries.starts_with("first 1\n") && !tries.contains("reports.sqlite3"), "{size}: {out}{error}");
        assert!(restored.ends_with("third 0\n"), "{size}: {out}{error}");
        assert!(!error.contains("--force"), "{size}: {error}");
    }
}

#[test]
fn a_full_directory_for_temporary_files_is_named() {
    let Some(disk) = Disk::new() else { return };
    let script = "$program keys create one --data \"$HOME/source\" > /dev/null 2>&1
        export TMPDIR=\"$disk\"
        $program store import \"$HOME/source\" --data \"$HOME/target\"; echo $?";
    let (out, error) = disk.run("64k", script);
    let place = disk.place.display();
    assert!(out == "1\n" && error.contains(&format!("cannot create a temporary copy in {place}: ")), "{out}{error}");
    assert!(error.contains("Free some space there, or name another directory in TMPDIR"), "{error}");

    // The sample needs more space than an empty database does.
    for size in ["64k", "500k"] {
        let mut command = CommandBuilder::new("unshare");
        let shell = disk.shell(size, "export TMPDIR=\"$disk\"; exec $program --sample");
        command.args(shell.get_args());
        command.env_clear();
        for (name, value) in shell.get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("TERM", "xterm-256color");
        let mut pty = Pty::start(command, 240, 30);
        pty.wait_for(&format!("{place}/reportdeck-"));
        assert!(!pty.screen().contains("--data"), "the sample has no such option: {}", pty.screen());
        pty.send("q");
        pty.wait();
    }
}

#[test]
fn a_read_only_disk_is_reported() {
    let Some(disk) = Disk::new() else { return };
    let script = "$program keys create one --data \"$data\" > /dev/null 2>&1
        mount -o remount,ro tmpfs \"$disk\" || exit 99
        cksum < \"$data/reports.sqlite3\"
        for command in 'keys list' 'reports list' 'serve --listen 127.0.0.1:0'; do
            $program $command --data \"$data\"; echo $?
        done
        cksum < \"$data/reports.sqlite3\"
        $program keys create one --data \"$disk/new\"; echo $?";
    let (out, error) = disk.run("4m", script);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[1..4], ["1", "1", "1"], "{error}");
    assert_eq!((lines[0], lines[5]), (lines[4], "1"), "{out}");
    let errors: Vec<&str> = error.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 4, "{error}");
    for line in errors {
        assert!(line.contains("Read-only file system") && line.contains("choose another with --data"), "{line}");
    }
}

#[test]
fn doctor_names_a_read_only_database_in_a_writable_directory() {
    let Some(disk) = Disk::new() else { return };
    // A command of another user may have left the second one.
    for file in ["reports.sqlite3", "reports.sqlite3-shm"] {
        let script = format!(
            "$program keys create one --data \"$data\" > /dev/null 2>&1
             file=\"$data/{file}\"; touch \"$file\"
             mount --bind \"$file\" \"$file\" || exit 99
             mount -o remount,bind,ro \"$file\" || exit 99
             $program keys create two --data \"$data\"
             $program doctor --data \"$data\" --format csv; echo $?"
        );
        let (out, error) = disk.run("4m", &script);
        let expected = format!("data,failed,{}/data/{file} cannot be written: ", disk.place.display());
        assert!(out.contains(&expected) && out.ends_with("1\n"), "{out}{error}");
        assert!(error.contains("Make it and its files writable"), "{out}{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_a_full_disk_cannot_store_is_a_failure() {
    let Some(disk) = Disk::new() else { return };
    let service = ScriptedServer::start(|_| Reply::Json(200, serde_json::json!({ "data": [] }))).await;
    let script = format!(
        "{FILL}; export XDG_STATE_HOME=\"$disk\"
         echo a-key | $program login work --key-stdin --base-url {}; echo $?",
        service.base
    );
    let (out, error) = disk.run("64k", &script);
    assert!(out.ends_with("\n1\n"), "{out}{error}");
    let stored =
        format!("the stored key {}/reportdeck/credentials/work.json cannot be written: ", disk.place.display());
    assert!(error.contains(&stored) && error.contains("free some space"), "{error}");
}

/// The file that fills the disk of a running service, as seen from this process.
fn something_else(serving: &Serving, place: &Path) -> PathBuf {
    let root = PathBuf::from(format!("/proc/{}/root", serving.id()));
    root.join(place.strip_prefix("/").unwrap()).join("something else")
}

fn fill(file: &Path) {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
    while file.write_all(&[0; 4_096]).is_ok() {}
}

#[tokio::test]
async fn a_full_disk_refuses_writes_until_space_is_free() {
    let Some(disk) = Disk::new() else { return };
    let script = "$program keys create one --data \"$data\" --format json > \"$disk/key\" 2> /dev/null
        exec $program serve --listen 127.0.0.1:0 --data \"$data\"";
    let serving = Serving::of(disk.shell("3m", script));
    let other = something_else(&serving, &disk.place);
    let key = std::fs::read(other.with_file_name("key")).unwrap();
    let key: Value = serde_json::from_slice(&key).unwrap();
    let caller = Caller::new(&serving.base_url, key["key"].as_str().unwrap());
    let url = page();
    let create = || Caller::answered(caller.request(Method::POST, "").form(&[("url", &url)]));
    let list = || Caller::answered(caller.request(Method::GET, ""));
    let (status, first) = create().await.unwrap();
    assert_eq!(status, 201, "{first}");
    let path = format!("/{}", first["data"]["id"]);

    fill(&other);
    // A few more writes may fit into space that the log already occupies.
    let mut answered = 1;
    let refused = loop {
        match create().await.unwrap() {
            (201, _) => answered += 1,
            refused => break refused,
        }
        assert!(answered < 1_000);
    };
    assert_eq!(refused.0, 507, "{refused:?}");
    assert!(refused.1["message"].as_str().unwrap().starts_with("The service's disk is full"), "{refused:?}");
    assert_eq!(refused.1["status"], 507);
    for _ in 0..3 {
        let change = caller.request(Method::PUT, &path).form(&[("privacy", "1")]);
        assert_eq!(Caller::answered(change).await.unwrap().0, 507);
        let (status, listed) = list().await.unwrap();
        assert_eq!(
            (status, &listed["meta"]["total"]),
            (200, &answered.into()),
            "reads still work, and no write is partial"
        );
    }
    // A command run beside the service reports it too.
    let remote = CliUser::with_service(&serving.base_url).with("REPORTDECK_API_KEY", key["key"].as_str().unwrap());
    let output = remote.run(&["reports", "update", path.trim_start_matches('/'), "--privacy", "private"]);
    assert!(output.code == 1 && output.error.contains("disk is full"), "{output:?}");
    assert!(output.error.contains("Try again when its disk has free space"), "{output:?}");

    // Deletions use reserved space: all reports can be deleted, and then new ones fit.
    loop {
        let listed = list().await.unwrap().1;
        let Some(id) = listed["data"][0]["id"].as_i64() else { break };
        let deleted = Caller::answered(caller.request(Method::DELETE, &format!("/{id}"))).await.unwrap();
        assert_eq!(deleted.0, 200, "{deleted:?}");
    }
    assert_eq!(create().await.unwrap().0, 201, "deletions free space");

    std::fs::remove_file(&other).unwrap();
    assert_eq!(create().await.unwrap().0, 201, "writes work again with free space");
    assert_eq!(list().await.unwrap().1["meta"]["total"], 2);
}

#[test]
fn a_key_can_be_revoked_and_a_person_removed_on_a_full_disk() {
    let Some(disk) = Disk::new() else { return };
    let script = format!(
        "for name in ana ben; do $program keys create $name --person $name --data \"$data\" > /dev/null 2>&1; done
        $program serve --listen 127.0.0.1:0 --data \"$data\" > /dev/null 2>&1 &
        until [ \"$(stat -c %s \"$data/reserve\" 2> /dev/null || echo 0)\" -ge 1048576 ] || [ \"$tries\" = 100000 ]; do
            tries=$((tries + 1))
        done
        {FILL}
        $program keys create another --data \"$data\" 2> /dev/null; echo $?
        $program keys revoke ana --data \"$data\" --format jsonl
        $program keys person ben --left --data \"$data\" --format jsonl
        kill $!"
    );
    let (answers, error) = disk.run("3m", &script);
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers[..2], ["1", r#"{"name":"ana","revoked":true}"#], "{error}");
    assert!(
        answers[2].contains(r#""handle":"ben""#) && !answers[2].contains(r#""left_at":null"#),
        "{answers:?} {error}"
    );
}
