//! An exhausted quota: the disk has free space, but writes fail.
//!
//! Tests cannot set quotas, so a small preloaded library makes the service's writes fail with the error of an exhausted
//! quota. It is built with the C compiler that also builds SQLite.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use reqwest::Method;

use crate::support::cli_user::{CliUser, page};
use crate::support::serve_process::{Caller, Serving, database_of, key_of};

/// While a file of this name exists, all writes to files fail as with an exhausted quota.
const SWITCH: &str = "quota is used up";
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int refused(int file) {
    struct stat about;
    int kept = errno;
    int full = access(getenv("REPORTDECK_TEST_SWITCH"), F_OK) == 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    errno = full ? EDQUOT : kept;
    return full;
}
ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    return refused(file) ? -1 : next(file, bytes, count);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) {
    ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite64");
    return refused(file) ? -1 : next(file, bytes, count, at);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return pwrite64(file, bytes, count, at); }
"#;

/// Builds the library `quota.so` in a folder; false without a C compiler.
fn builds_library(folder: &Path) -> bool {
    let (source, built) = (folder.join("quota.c"), folder.join("quota.so"));
    std::fs::write(&source, LIBRARY).unwrap();
    let compiler = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&built, &source]).arg("-ldl").status();
    let is_built = compiler.is_ok_and(|status| status.success());
    if !is_built {
        eprintln!("not run: no C compiler");
    }
    is_built
}

#[tokio::test]
async fn an_exhausted_quota_is_treated_as_a_full_disk() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    if !builds_library(person.home()) {
        return;
    }
    let (key, switch) = (key_of(&person), person.home().join(SWITCH));
    let under_quota = |arguments: &[&str]| {
        let mut command = person.command(arguments);
        // Relative, because the variable splits paths at spaces.
        command.env("LD_PRELOAD", "./quota.so").current_dir(person.home());
        command.env("REPORTDECK_TEST_SWITCH", &switch);
        command
    };
    let serving = Serving::of(under_quota(&["serve", "--listen", "127.0.0.1:0"]));
    let caller = Caller::new(&serving.base_url, &key);
    let url = page();
    let create = || Caller::answered(caller.request(Method::POST, "").form(&[("url", &url)]));
    let (status, first) = create().await.unwrap();
    assert_eq!(status, 201, "{first}");

    std::fs::write(&switch, "").unwrap();
    for _ in 0..3 {
        let (status, refused) = create().await.unwrap();
        assert_eq!(status, 507, "{refused}");
        assert!(refused["message"].as_str().unwrap().starts_with("The service's disk is full"), "{refused}");
        let (status, listed) = Caller::answered(caller.request(Method::GET, "")).await.unwrap();
        assert_eq!((status, &listed["meta"]["total"]), (200, &1.into()), "reads still work");
    }
    let before = std::fs::read(database_of(&person)).unwrap();
    let output = under_quota(&["keys", "create", "another"]).output().unwrap();
    let output = (output.status.code(), String::from_utf8(output.stderr).unwrap());
    assert!(output.0 == Some(1) && output.1.contains("the disk is too full for the database"), "{output:?}");
    let output = under_quota(&["keys", "create", "other", "--data", person.home().join("new").to_str().unwrap()])
        .output()
        .unwrap();
    let output = (output.status.code(), String::from_utf8(output.stderr).unwrap());
    assert!(output.0 == Some(1) && output.1.contains("the disk is too full for the database"), "{output:?}");
    assert_eq!(std::fs::read(database_of(&person)).unwrap(), before);

    std::fs::remove_file(&switch).unwrap();
    assert_eq!(create().await.unwrap().0, 201, "writes work again with free space");
}

/// Returns a command that runs the program with a limit of the shell: `-f 8`, files of at most 8 blocks of 512 bytes.
pub(super) fn limited(person: &CliUser, limit: &str, arguments: &[&str]) -> Command {
    let program = person.command(&[]);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")]).arg(program.get_program()).args(arguments);
    command.env_clear().envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

#[tokio::test]
async fn a_file_that_reaches_its_size_limit_fails_the_write_and_not_the_program() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    let refused = limited(&person, "-f 8", &["keys", "create", "team"]).output().unwrap();
    let error = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{error}");
    assert!(error.contains("database") && error.contains("reports.sqlite3"), "{error}");

    let key = key_of(&person);
    let serving = Serving::of(limited(&person, "-f 2048", &["serve", "--listen", "127.0.0.1:0"]));
    let caller = Caller::new(&serving.base_url, &key);
    let long = "x".repeat(1_000);
    let mut created = 0;
    let status = loop {
        let url = format!("{}?{created}-{long}", page());
        let (status, reply) = Caller::answered(caller.request(Method::POST, "").form(&[("url", &url)])).await.unwrap();
        if status != 201 {
            assert!(status == 500 || status == 507, "{status}: {reply}");
            break status;
        }
        created += 1;
    };
    let (listed, _) = Caller::answered(caller.request(Method::GET, "")).await.unwrap();
    assert_eq!(listed, 200, "after {created} reports and {status}");
}
