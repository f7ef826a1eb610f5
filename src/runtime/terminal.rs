//! The terminal: taken over at the start, given back on every way out.
//!
//! Nothing is waited for: an answer that never comes would delay the first screen.

use std::io::{self, BufWriter, Stdout, Write, stdout};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal as Screen};

use crate::app::drawn::Drawn;

/// The terminal while it is ours.
pub(super) struct Terminal {
    screen: Screen<CrosstermBackend<BufWriter<Stdout>>>,
    left: bool,
}

impl Terminal {
    /// Takes the terminal over. What was done already is undone when a later step fails.
    pub(super) fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
            .and_then(|()| Screen::new(CrosstermBackend::new(BufWriter::with_capacity(32 * 1024, stdout()))));
        match entered {
            Ok(screen) => Ok(Self { screen, left: false }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Draws the screen; only cells that changed are written.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame) -> Drawn) -> io::Result<Drawn> {
        let mut drawn = Drawn::default();
        // Whatever else is written to the terminal goes between two screens, never into one.
        let _whole = stdout().lock();
        self.screen.draw(|frame| drawn = draw(frame))?;
        Ok(drawn)
    }

    /// Gives the terminal back.
    pub(super) fn leave(&mut self) {
        if !self.left {
            self.left = true;
            restore();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Takes the mouse, or leaves it to the terminal. A terminal that is gone has none.
pub(super) fn take_mouse(take: bool) {
    let mut out = stdout().lock();
    let _ = if take { execute!(out, EnableMouseCapture) } else { execute!(out, DisableMouseCapture) };
}

/// Has the terminal say when its window gets the focus.
pub(super) fn watch_focus() {
    let _ = execute!(stdout().lock(), EnableFocusChange);
}

/// Asks the terminal for the colour of its background (OSC 11). The answer comes with the keys, or never.
pub(super) fn ask_background() {
    let mut out = stdout().lock();
    let _ = out.write_all(b"\x1b]11;?\x07").and_then(|()| out.flush());
}

/// Undoes everything `enter` did. A terminal that is gone cannot be restored, and need not be.
pub(super) fn restore() {
    let mut out = stdout();
    let _ = queue!(out, DisableFocusChange, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}
