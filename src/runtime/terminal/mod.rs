//! The terminal: its screen, the bytes written to it, its events, and related signals.

pub mod backend;
mod cell_text;
pub(super) mod editor;
pub(super) mod events;
mod frame;
pub(super) mod modes;
pub(super) mod screen;
mod screen_cell;
mod scroll;
mod sgr;
pub(super) mod signals;
pub(super) mod theme_probe;
pub(super) mod tty_writer;
