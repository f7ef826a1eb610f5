//! The reports API and its client.
//!
//! [`client::Client`] has one function per endpoint. Services may respond in many forms (`assets/docs/interface.md`);
//! [`decode`] turns them into domain values, [`error`] maps failures, [`paging`] finds the next page.

pub mod address;
mod answer;
pub mod client;
pub mod contract;
pub mod decode;
pub mod desk;
pub mod desk_entry;
pub mod error;
mod http_pool;
pub mod limits;
pub mod paging;
mod rate_budget;
mod redact;
mod send;
mod writes;
