//! The subcommands, one file each.

pub mod audit;
pub mod changes;
pub mod completions;
pub mod config;
pub mod dashboard;
pub mod desk;
pub mod doctor;
pub mod keys;
pub mod login;
pub mod man;
pub mod projects;
pub mod reports;
pub mod sample;
pub mod serve;
pub mod store;
pub mod worker;
