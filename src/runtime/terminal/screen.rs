//! The terminal: taken over at the start, given back on every way out.
//!
//! Nothing is waited for: an answer that never comes would delay the first screen, a slow line every key.

use std::io;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture,
};
use crossterm::queue;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Size};

use crate::runtime::terminal::renderer::Ink;
use crate::runtime::terminal::tty_writer::Outgoing;

/// The terminal while it is ours.
pub(crate) struct Terminal {
    ink: Ink,
    outgoing: Outgoing,
    left: bool,
}

impl Terminal {
    /// Takes the terminal over. What was done already is undone when a later step fails.
    pub(crate) fn enter(outgoing: &Outgoing) -> io::Result<Self> {
        take(outgoing, true)?;
        match size() {
            Ok(size) => Ok(Self { ink: Ink::of_size(size), outgoing: outgoing.clone(), left: false }),
            Err(error) => {
                restore(outgoing);
                Err(error)
            }
        }
    }

    /// Takes it over again after it was left. The next screen is drawn anew, at the size that the terminal has then.
    pub(crate) fn return_to(&mut self, with_mouse: bool) -> io::Result<()> {
        take(&self.outgoing, with_mouse)?;
        self.left = false;
        // Nothing is known of what stands there now.
        self.ink.forget();
        Ok(())
    }

    /// A blank page of the terminal's size, for the next screen.
    pub(crate) fn page(&mut self) -> io::Result<&mut Buffer> {
        self.ink.resize(size()?);
        Ok(self.ink.page())
    }

    /// Shows what was drawn on the page; only cells that changed are written.
    pub(crate) fn show(&mut self, cursor: Option<Position>) -> io::Result<()> {
        let bytes = self.ink.take(cursor);
        if bytes.is_empty() { Ok(()) } else { self.outgoing.send(&bytes) }
    }

    /// The way to the terminal.
    pub(crate) fn outgoing(&self) -> &Outgoing {
        &self.outgoing
    }

    /// Whether the terminal has not yet taken what was written: what is drawn now would wait behind that.
    pub(crate) fn is_busy(&self) -> bool {
        self.outgoing.is_waiting()
    }

    /// Waits until the terminal has taken what was written.
    pub(crate) async fn taken(&self) -> io::Result<()> {
        self.outgoing.taken().await
    }

    /// Gives the terminal back.
    pub(crate) async fn leave(&mut self) {
        if !std::mem::replace(&mut self.left, true) {
            self.outgoing.end_with(&farewell()).await;
            let _ = disable_raw_mode();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if !self.left {
            restore(&self.outgoing);
        }
    }
}

/// How large the terminal is now.
fn size() -> io::Result<Size> {
    // The terminal library opens the terminal for that, which is too much to do before each screen.
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(io::stdout())
        && size.ws_col > 0
        && size.ws_row > 0
    {
        return Ok(Size::new(size.ws_col, size.ws_row));
    }
    crossterm::terminal::size().map(|(columns, rows)| Size::new(columns, rows))
}

fn take(outgoing: &Outgoing, with_mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    let mut bytes = Vec::new();
    let queued = queue!(bytes, EnterAlternateScreen, EnableBracketedPaste)
        .and_then(|()| if with_mouse { queue!(bytes, EnableMouseCapture) } else { Ok(()) })
        .and_then(|()| outgoing.send(&bytes));
    if queued.is_err() {
        restore(outgoing);
    }
    queued
}

/// Takes the mouse, or leaves it to the terminal. A terminal that is gone has none.
pub(crate) fn take_mouse(outgoing: &Outgoing, take: bool) {
    let mut bytes = Vec::new();
    let _ = if take { queue!(bytes, EnableMouseCapture) } else { queue!(bytes, DisableMouseCapture) };
    let _ = outgoing.send(&bytes);
}

/// Has the terminal say when its window gets the focus.
pub(crate) fn watch_focus(outgoing: &Outgoing) {
    let mut bytes = Vec::new();
    let _ = queue!(bytes, EnableFocusChange);
    let _ = outgoing.send(&bytes);
}

/// Asks the terminal for the colour of its background (OSC 11). The answer comes with the keys, or never.
pub(crate) fn ask_background(outgoing: &Outgoing) {
    let _ = outgoing.send(b"\x1b]11;?\x07");
}

/// Undoes everything `enter` did, at once. A terminal that is gone cannot be restored, and need not be.
pub(crate) fn restore(outgoing: &Outgoing) {
    outgoing.end_at_once_with(&farewell());
    let _ = disable_raw_mode();
}

fn farewell() -> Vec<u8> {
    // A frame that was cut off may have left the terminal holding it back, with rows to scroll or attributes.
    let mut bytes = b"\x1b[?2026l\x1b[r\x1b[m".to_vec();
    let _ = queue!(bytes, DisableFocusChange, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    bytes
}
