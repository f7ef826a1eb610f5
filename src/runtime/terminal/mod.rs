//! The terminal: its screen, the bytes written to it, its events, and the signals that come with it.

pub(super) mod events;
mod osc_filter;
#[cfg(unix)]
mod readiness;
pub mod renderer;
pub(super) mod screen;
pub(super) mod signals;
pub(super) mod theme_probe;
pub(super) mod tty_writer;
