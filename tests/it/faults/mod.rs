//! Everything a foreign service may do, at the client and before a person.

mod bodies;
mod error_statuses;
mod field_formats;
mod healthy_service;
mod hostile_text;
mod network;
mod rate_limit;
mod redirects;
mod secrets;
mod unanswered_writes;
