//! Everything a foreign service may do, at the client and before a person.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/broken.rs"]
mod broken;
#[path = "support/session.rs"]
mod session;
#[path = "faults/shop.rs"]
mod shop;

#[path = "faults/bodies.rs"]
mod bodies;
#[path = "faults/forms.rs"]
mod forms;
#[path = "faults/hostile.rs"]
mod hostile;
#[path = "faults/network.rs"]
mod network;
#[path = "faults/redirects.rs"]
mod redirects;
#[path = "faults/refusals.rs"]
mod refusals;
#[path = "faults/secrets.rs"]
mod secrets;
#[path = "faults/waiting.rs"]
mod waiting;
#[path = "faults/writes.rs"]
mod writes;
