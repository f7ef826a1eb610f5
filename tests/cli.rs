//! The built binary as a script sees it: what it prints, where, and with which code it ends.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/broken.rs"]
mod broken;
#[path = "cli/child_processes.rs"]
mod child_processes;
#[path = "cli/choosing.rs"]
mod choosing;
#[path = "cli/configuring.rs"]
mod configuring;
#[path = "cli/credentials.rs"]
mod credentials;
#[path = "cli/dashboard.rs"]
mod dashboard;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/exit_codes.rs"]
mod exit_codes;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/many.rs"]
mod many;
#[path = "cli/person.rs"]
mod person;
#[path = "support/pty.rs"]
mod pty;
#[path = "cli/round_trip.rs"]
mod round_trip;
#[path = "cli/serving.rs"]
mod serving;
