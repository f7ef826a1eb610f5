//! Nothing lost, nothing leaked, nothing broken: long random use before a network that fails, secrets looked for in
//! every byte, use without end, and a service under fire.
//!
//! A normal run is short and always the same. `REPORTDECK_STEPS` makes it long, `REPORTDECK_SEED` another one.

mod abuse;
mod clock_jump;
mod faulty_network;
mod injection;
mod overload;
mod password_guessing;
#[cfg(target_os = "linux")]
mod secret_leaks;
mod signed_links;
#[cfg(target_os = "linux")]
mod soak;
