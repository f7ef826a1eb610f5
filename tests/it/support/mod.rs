//! Helpers shared by tests and benches: servers, databases, terminals, dashboard states, random numbers.

#![allow(clippy::unwrap_used, clippy::expect_used)] // tests and benches may panic

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
pub mod scripted_server;
#[cfg_attr(test, allow(dead_code))] // only benches use it
pub mod seeded_database;
pub mod seeded_rng;
pub mod serve_process;
pub mod session;
pub mod states;
pub mod waiting;
