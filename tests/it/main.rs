//! The integration tests, as one program: `cargo test --test it update::` runs the module `update`.
//!
//! Tests that measure their own process, or use most of its open files, start this program again with only themselves.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))] // some helpers serve tests of Linux only

mod support;

mod audit_samples;
mod cli;
mod contract;
mod docs;
mod durability;
#[cfg(all(unix, feature = "postgres"))]
mod engines;
mod faults;
mod flows;
mod fuzz;
mod guard;
mod layers;
mod lighthouse;
mod paging;
mod renderer;
mod screens;
#[cfg(target_os = "linux")]
mod terminal;
mod trust;
mod update;
