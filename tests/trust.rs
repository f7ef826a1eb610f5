//! Nothing lost, nothing leaked, nothing broken: long random use before a network that fails, secrets looked for in
//! every byte, use without end, and a service under fire.
//!
//! A normal run is short and always the same. `REPORTDECK_STEPS` makes it long, `REPORTDECK_SEED` another one.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may stop at the first surprise

#[path = "support/dice.rs"]
mod dice;
#[path = "cli/person.rs"]
mod person;
#[path = "support/proxy.rs"]
mod proxy;
#[cfg(target_os = "linux")]
#[path = "support/pty.rs"]
mod pty;
#[path = "support/service.rs"]
mod service;
#[path = "support/session.rs"]
mod session;

#[path = "trust/clock.rs"]
mod clock;
#[path = "trust/commands.rs"]
mod commands;
#[path = "trust/dashboard.rs"]
mod dashboard;
#[path = "trust/decisions.rs"]
mod decisions;
#[path = "trust/fields.rs"]
mod fields;
#[path = "trust/fire.rs"]
mod fire;
#[path = "trust/guesses.rs"]
mod guesses;
#[path = "trust/links.rs"]
mod links;
#[path = "trust/overload.rs"]
mod overload;
#[cfg(target_os = "linux")]
#[path = "trust/secrets.rs"]
mod secrets;
#[cfg(target_os = "linux")]
#[path = "trust/soak.rs"]
mod soak;
