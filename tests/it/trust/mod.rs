//! Reliability and security: random use on a faulty network, leaked secrets, long use, and attacks on the service.
//!
//! A normal run is short and deterministic. `REPORTDECK_STEPS` makes it longer, `REPORTDECK_SEED` varies it.

mod abuse;
mod clock_jump;
#[cfg(unix)]
mod desk_waits;
mod faulty_desk;
mod faulty_network;
mod injection;
mod overload;
mod password_guessing;
#[cfg(target_os = "linux")]
mod secret_leaks;
mod signed_links;
#[cfg(target_os = "linux")]
mod soak;
