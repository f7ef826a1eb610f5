//! The built binary as a script uses it: output, streams and exit codes.

mod bulk;
mod child_processes;
mod config_file;
mod credentials;
mod dashboard;
mod desk;
mod exit_codes;
mod interrupts;
#[cfg(target_os = "linux")]
mod keyring;
mod lifecycle;
mod lists;
mod report_lists;
mod self_description;
mod serve;
mod service_selection;
mod store;
