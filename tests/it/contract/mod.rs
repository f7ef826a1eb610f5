//! The HTTP interface of our service over a real connection: every endpoint, parameter, allowed value and error.

mod browser;
mod concurrent_processes;
mod cursors;
mod desk;
mod errors;
mod key_roles;
mod limits_and_metrics;
mod lists;
mod openapi;
mod report_page;
mod reports;
mod reverse_proxies;
mod startup_shutdown;
