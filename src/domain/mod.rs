//! The domain: reports, projects, lists, triage, failures. Plain data and pure functions.

pub mod activity;
pub mod bulk;
pub mod desk;
pub mod draft;
pub mod event_log;
pub mod export;
pub mod failure;
pub mod list;
pub mod look;
pub mod message;
#[cfg(test)]
mod names_tests;
pub mod overview;
pub mod project;
pub mod report;
pub mod request_queue;
pub mod text;
pub mod triage;
