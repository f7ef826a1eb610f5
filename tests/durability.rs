//! What the built binary does when things go badly: killed while it writes, started twice, without room, without the
//! right to write, with a database that is newer, damaged or none, and with more connections than it has places.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "durability/idle.rs"]
mod idle;
#[path = "durability/kill.rs"]
mod kill;
#[path = "durability/memory.rs"]
mod memory;
#[path = "cli/person.rs"]
mod person;
#[path = "support/pty.rs"]
mod pty;
#[path = "durability/quota.rs"]
mod quota;
#[path = "durability/refusals.rs"]
mod refusals;
#[path = "durability/room.rs"]
mod room;
#[path = "support/serving.rs"]
mod serving;
#[path = "durability/twice.rs"]
mod twice;
