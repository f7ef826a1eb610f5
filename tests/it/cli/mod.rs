//! The built binary as a script sees it: what it prints, where, and with which code it ends.

mod bulk;
mod child_processes;
mod config_file;
mod credentials;
mod dashboard;
mod exit_codes;
mod lifecycle;
mod lists;
mod self_description;
mod serve;
mod service_selection;
