//! The embedded service: the interface over SQLite, auditing pages for real. Must not know the dashboard.

pub mod sample;
