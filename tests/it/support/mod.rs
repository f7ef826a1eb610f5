//! Shared by tests and benches: servers, databases, terminals, states of the dashboard, random numbers.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test or bench may stop at the first surprise

pub mod cli_user;
pub mod desk_team;
pub mod embedded_service;
pub mod faulty_proxy;
pub mod generated_rows;
pub mod own_process;
#[cfg(all(unix, feature = "postgres"))]
#[cfg_attr(test, allow(dead_code))]
pub mod postgres;
pub mod pty;
pub mod random_use;
pub mod scripted_server;
#[cfg_attr(test, allow(dead_code))] // only benches need so many reports in a database
pub mod seeded_database;
pub mod seeded_rng;
pub mod serve_process;
pub mod session;
pub mod states;
