//! The built binary as a script sees it: what it prints, where, and with which code it ends.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "cli/configuring.rs"]
mod configuring;
#[path = "cli/dashboard.rs"]
mod dashboard;
#[path = "cli/exit_codes.rs"]
mod exit_codes;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/person.rs"]
mod person;
#[path = "cli/round_trip.rs"]
mod round_trip;
#[path = "cli/serving.rs"]
mod serving;
