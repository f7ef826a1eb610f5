//! The screen: a [`ratatui::Terminal`] on standard output, from the first frame to the last.

use std::io;

use ratatui::layout::Size;
use ratatui::{Frame, Terminal};

use crate::runtime::terminal::backend::TtyBackend;
use crate::runtime::terminal::modes;
use crate::runtime::terminal::tty_writer::TtyWriter;

/// The terminal in the dashboard's modes. Restored on drop.
pub(crate) struct Screen {
    terminal: Terminal<TtyBackend<TtyWriter>>,
    writer: TtyWriter,
    is_left: bool,
}

impl Screen {
    /// Enters the dashboard's modes.
    pub(crate) fn enter(writer: &TtyWriter) -> io::Result<Self> {
        modes::enter(writer, true)?;
        let terminal = size().and_then(|size| Terminal::new(TtyBackend::new(writer.clone(), size)));
        match terminal {
            Ok(terminal) => Ok(Self { terminal, writer: writer.clone(), is_left: false }),
            Err(error) => {
                modes::restore(writer);
                Err(error)
            }
        }
    }

    /// Enters the dashboard's modes again. The next frame is written completely, at the terminal's current size.
    pub(crate) fn return_to(&mut self, with_mouse: bool) -> io::Result<()> {
        modes::enter(&self.writer, with_mouse)?;
        self.is_left = false;
        self.forget()
    }

    /// Forgets what the terminal shows. The next frame is written completely.
    pub(crate) fn forget(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }

    /// Draws a frame at the terminal's current size and queues its bytes.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        self.terminal.backend_mut().resize(size()?);
        self.terminal.draw(draw).map(drop)
    }

    /// Whether the terminal is still receiving the last frame. A frame drawn now would queue behind it.
    pub(crate) fn is_busy(&self) -> bool {
        self.writer.is_busy()
    }

    /// Waits until the terminal has received the last frame.
    pub(crate) async fn drained(&self) -> io::Result<()> {
        self.writer.drained().await
    }

    /// Leaves the dashboard's modes.
    pub(crate) async fn leave(&mut self) {
        if !std::mem::replace(&mut self.is_left, true) {
            modes::leave(&self.writer).await;
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if !self.is_left {
            modes::restore(&self.writer);
        }
    }
}

/// The terminal's current size.
fn size() -> io::Result<Size> {
    // crossterm opens the terminal for this, which is too expensive for every frame.
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(io::stdout())
        && size.ws_col > 0
        && size.ws_row > 0
    {
        return Ok(Size::new(size.ws_col, size.ws_row));
    }
    crossterm::terminal::size().map(|(columns, rows)| Size::new(columns, rows))
}
