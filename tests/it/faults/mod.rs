//! Misbehaving third-party services, in the client and in the dashboard.

mod bodies;
mod certificates;
mod desk;
mod error_statuses;
mod field_formats;
mod healthy_service;
mod hostile_text;
mod minimal_service;
mod network;
mod rate_limit;
mod redirects;
mod secrets;
mod unanswered_writes;
