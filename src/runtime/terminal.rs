//! The terminal: taken over at the start, given back on every way out.
//!
//! Nothing is waited for: an answer that never comes would delay the first screen, a slow line every key.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture,
};
use crossterm::queue;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal as Screen};

use crate::app::drawn::Drawn;
use crate::runtime::outgoing::Outgoing;

/// The terminal while it is ours.
pub(super) struct Terminal {
    screen: Screen<CrosstermBackend<Page>>,
    /// The same as in the screen, which does not hand it out.
    page: Page,
    outgoing: Outgoing,
    left: bool,
}

impl Terminal {
    /// Takes the terminal over. What was done already is undone when a later step fails.
    pub(super) fn enter(outgoing: &Outgoing) -> io::Result<Self> {
        take(outgoing, true)?;
        let page = Page::default();
        match Screen::new(CrosstermBackend::new(page.clone())) {
            Ok(screen) => Ok(Self { screen, page, outgoing: outgoing.clone(), left: false }),
            Err(error) => {
                restore(outgoing);
                Err(error)
            }
        }
    }

    /// Takes it over again after it was left. The next screen is drawn anew, at the size that the terminal has then.
    pub(super) fn return_to(&mut self, with_mouse: bool) -> io::Result<()> {
        take(&self.outgoing, with_mouse)?;
        self.left = false;
        // A new screen knows nothing of what was there. The old one can be cleared only by asking where the cursor is.
        self.page.0.borrow_mut().clear();
        self.screen = Screen::new(CrosstermBackend::new(self.page.clone()))?;
        queue!(self.page, Clear(ClearType::All))
    }

    /// Draws the screen; only cells that changed are written, and not before [`Terminal::show`].
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame) -> Drawn) -> io::Result<Drawn> {
        let mut drawn = Drawn::default();
        self.screen.draw(|frame| drawn = draw(frame))?;
        Ok(drawn)
    }

    /// Writes what was drawn.
    pub(super) fn show(&mut self) -> io::Result<()> {
        let mut page = self.page.0.borrow_mut();
        let shown = self.outgoing.send(&page);
        page.clear();
        shown
    }

    /// The way to the terminal.
    pub(super) fn outgoing(&self) -> &Outgoing {
        &self.outgoing
    }

    /// Whether the terminal has not yet taken what was written: what is drawn now would wait behind that.
    pub(super) fn is_busy(&self) -> bool {
        self.outgoing.is_waiting()
    }

    /// Waits until the terminal has taken what was written.
    pub(super) async fn taken(&self) -> io::Result<()> {
        self.outgoing.taken().await
    }

    /// Gives the terminal back.
    pub(super) async fn leave(&mut self) {
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

/// What is drawn, until it is whole.
#[derive(Clone, Default)]
struct Page(Rc<RefCell<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// The drawing library flushes in the middle of a screen too.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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
pub(super) fn take_mouse(outgoing: &Outgoing, take: bool) {
    let mut bytes = Vec::new();
    let _ = if take { queue!(bytes, EnableMouseCapture) } else { queue!(bytes, DisableMouseCapture) };
    let _ = outgoing.send(&bytes);
}

/// Has the terminal say when its window gets the focus.
pub(super) fn watch_focus(outgoing: &Outgoing) {
    let mut bytes = Vec::new();
    let _ = queue!(bytes, EnableFocusChange);
    let _ = outgoing.send(&bytes);
}

/// Asks the terminal for the colour of its background (OSC 11). The answer comes with the keys, or never.
pub(super) fn ask_background(outgoing: &Outgoing) {
    let _ = outgoing.send(b"\x1b]11;?\x07");
}

/// Undoes everything `enter` did, at once. A terminal that is gone cannot be restored, and need not be.
pub(super) fn restore(outgoing: &Outgoing) {
    outgoing.end_at_once_with(&farewell());
    let _ = disable_raw_mode();
}

fn farewell() -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = queue!(bytes, DisableFocusChange, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    bytes
}
