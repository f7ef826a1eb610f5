//! The server: connections, middleware, routes, and shared state.

pub mod access_log;
pub mod auth;
#[cfg(feature = "postgres")]
pub mod budget_portions;
mod connection_places;
pub mod connections;
pub mod key_uses;
pub mod metrics;
pub mod proxies;
pub mod rate_limit;
pub mod rate_limit_status;
mod request_body;
pub mod routes;
pub mod state;
pub mod task_pool;
