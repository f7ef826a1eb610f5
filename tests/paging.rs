//! Walking through lists whose service says in its own way, or not at all, how to get further pages.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/session.rs"]
mod session;
#[path = "paging/shelf.rs"]
mod shelf;

#[path = "paging/evidence.rs"]
mod evidence;
#[path = "paging/trouble.rs"]
mod trouble;
