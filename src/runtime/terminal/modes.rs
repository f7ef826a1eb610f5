//! Enters and leaves the terminal modes of the dashboard.

use std::io;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture,
};
use crossterm::queue;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

use crate::runtime::terminal::tty_writer::TtyWriter;

/// Enables all modes. They are disabled again if a step fails.
pub(super) fn enter(writer: &TtyWriter, with_mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    let mut bytes = Vec::new();
    let queued = queue!(bytes, EnterAlternateScreen, EnableBracketedPaste)
        .and_then(|()| if with_mouse { queue!(bytes, EnableMouseCapture) } else { Ok(()) })
        .and_then(|()| writer.send(&bytes));
    if queued.is_err() {
        restore(writer);
    }
    queued
}

/// Disables all modes, after pending bytes if the terminal accepts them soon.
pub(super) async fn leave(writer: &TtyWriter) {
    writer.finish(&all_off()).await;
    let _ = disable_raw_mode();
}

/// Disables all modes immediately. A terminal that is gone cannot be restored, and need not be.
pub(super) fn restore(writer: &TtyWriter) {
    writer.finish_now(&all_off());
    let _ = disable_raw_mode();
}

/// Captures the mouse, or releases it to the terminal.
pub(crate) fn capture_mouse(writer: &TtyWriter, capture: bool) {
    let mut bytes = Vec::new();
    let _ = if capture { queue!(bytes, EnableMouseCapture) } else { queue!(bytes, DisableMouseCapture) };
    let _ = writer.send(&bytes);
}

/// Enables focus events.
pub(super) fn report_focus(writer: &TtyWriter) {
    let mut bytes = Vec::new();
    let _ = queue!(bytes, EnableFocusChange);
    let _ = writer.send(&bytes);
}

fn all_off() -> Vec<u8> {
    // A truncated frame may have left a synchronized update, a scrolling region or attributes.
    let mut bytes = b"\x1b[?2026l\x1b[r\x1b[m".to_vec();
    let _ = queue!(bytes, DisableFocusChange, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    bytes
}
