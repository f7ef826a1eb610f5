//! The interface, once, and how to call it. Knows the domain; must not know the screen, the service or a database.
//!
//! [`client::Client`] has one function per endpoint. What a service may answer is wide (`assets/docs/interface.md`); [`decode`]
//! narrows it to domain values, [`error`] says what a failure means, [`paging`] finds the way to the next page.

pub mod address;
mod answer;
pub mod client;
pub mod contract;
pub mod decode;
pub mod error;
pub mod limits;
mod pace;
pub mod paging;
mod redact;
mod send;
mod writes;
