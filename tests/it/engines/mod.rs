//! The two engines of the store: the service suite on PostgreSQL, equal responses to equal requests, and failures that
//! only a separate database server causes.

mod audit_processes;
mod claims;
mod cleaning;
mod error_codes;
mod every_column;
mod frozen_instance;
mod large_lists;
mod pooler;
mod postgres_failures;
mod same_answers;
mod shared_audits;
mod shared_limits;
mod slow_pages;
mod tls;

use std::process::Command;

use crate::support::embedded_service::ENGINE;
use crate::support::postgres;

/// Tests that need a service but no SQLite file.
const SUITE: [&str; 8] = [
    "contract::",
    "durability::desk_log::old_events",
    "flows::",
    "trust::abuse",
    "trust::desk_waits",
    "trust::overload",
    "trust::password_guessing",
    "trust::signed_links",
];

/// Tests of files in a data directory, or of SQLite itself.
const SQLITE_ONLY: [&str; 6] = [
    "contract::browser",
    "a_stopped_service_has_closed_its_database",
    "an_unusable_data_directory_is_reported_in_one_line",
    "keys_and_passwords_are_never_stored_in_plain_text",
    "only_one_serve_can_use_a_data_directory",
    "a_locked_database_gives_503_and_nothing_is_written",
];

#[test]
fn the_service_suite_passes_on_postgresql() {
    if !postgres::is_there() {
        return;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(SUITE).args(SQLITE_ONLY.iter().flat_map(|test| ["--skip", test])).env(ENGINE, "postgres");
    let output = command.output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let summary = out.lines().find(|line| line.starts_with("test result:")).unwrap_or_default();
    println!("on PostgreSQL: {summary}");
    assert!(output.status.success() && summary.contains("ok."), "{out}\n{error}");
}
