//! A ratatui backend for slow connections: it tracks what the terminal shows, lets the terminal scroll rows, and writes
//! each frame in one piece.

use std::io::{self, ErrorKind, Write};
use std::ops::Range;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

use crate::runtime::terminal::frame::FrameBytes;
use crate::runtime::terminal::screen_cell::ScreenCell;
use crate::runtime::terminal::scroll::RowScroll;

/// Hides and shows the cursor.
const CURSOR: [&str; 2] = ["\x1b[?25l", "\x1b[?25h"];
const CLEAR_SCREEN: &str = "\x1b[m\x1b[2J";

fn blank(size: Size) -> Vec<Vec<ScreenCell>> {
    vec![vec![ScreenCell::EMPTY; size.width.into()]; size.height.into()]
}

/// Writes the frames of a full-screen [`ratatui::Terminal`]. The size is set by the caller with [`Self::resize`].
#[derive(Debug)]
pub struct TtyBackend<W: Write> {
    out: W,
    size: Size,
    /// The rows shown by the terminal. Each is a vector, so that scrolling moves no cells.
    shown: Vec<Vec<ScreenCell>>,
    /// The rows to be shown after the next flush.
    wanted: Vec<Vec<ScreenCell>>,
    /// The columns of each row that may differ from those shown.
    changed: Vec<Range<u16>>,
    /// The terminal's content is unknown, so it is cleared first.
    is_unknown: bool,
    /// The position of the cursor; `None` if hidden.
    cursor: Option<Position>,
    /// The cursor as the terminal shows it.
    shown_cursor: Option<Position>,
}

impl<W: Write> TtyBackend<W> {
    /// Creates a backend for a terminal of this size with unknown content.
    pub fn new(out: W, size: Size) -> Self {
        Self {
            out,
            size,
            shown: blank(size),
            wanted: blank(size),
            changed: vec![0..size.width; size.height.into()],
            is_unknown: true,
            cursor: None,
            shown_cursor: None,
        }
    }

    /// Sets the terminal's size. The next draw of the [`ratatui::Terminal`] clears it and writes everything again.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
    }

    /// Returns the bytes that update the terminal to the requested rows, and records these as shown.
    fn frame(&mut self) -> Vec<u8> {
        let width = self.size.width;
        let mut frame = FrameBytes::new(width);
        if self.is_unknown {
            frame.push(CLEAR_SCREEN);
            self.shown = blank(self.size);
        } else if let Some(scroll) = RowScroll::find(&self.shown, &self.wanted, &self.changed) {
            frame.scroll(scroll);
            scroll.apply(&mut self.shown);
            self.changed[scroll.top..=scroll.bottom].fill(0..width);
        }
        for (row, (shown, wanted)) in self.shown.iter_mut().zip(&self.wanted).enumerate() {
            frame.row(row as u16, shown, wanted, std::mem::take(&mut self.changed[row]));
        }
        if let Some(cursor) = self.cursor.filter(|_| self.shown_cursor != self.cursor || !frame.bytes.is_empty()) {
            frame.move_to(cursor);
        }
        if self.is_unknown || self.shown_cursor.is_some() != self.cursor.is_some() {
            frame.push(CURSOR[usize::from(self.cursor.is_some())]);
        }
        frame.finish()
    }
}

impl<W: Write> Backend for TtyBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in content {
            let Some(row) = self.wanted.get_mut(usize::from(y)) else { continue };
            let Some(wanted) = row.get_mut(usize::from(x)) else { continue };
            *wanted = ScreenCell::of(cell);
            let (end, style) = ((x + wanted.width).min(self.size.width), wanted.style);
            let changed = &mut self.changed[usize::from(y)];
            *changed = if changed.start == changed.end { x..end } else { changed.start.min(x)..changed.end.max(end) };
            // The cells covered by a wide character are not among the changes.
            row[usize::from(x) + 1..usize::from(end)].fill(ScreenCell::blank(style));
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.cursor = None;
        // Not left to ratatui: before it flushes, it clears the cells of the next frame, 300 KB on a large screen.
        self.flush()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.cursor.get_or_insert(Position::ORIGIN);
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = Some(position.into());
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        if region != ClearType::All {
            return Err(ErrorKind::Unsupported.into());
        }
        self.wanted = blank(self.size);
        self.changed = vec![0..self.size.width; self.size.height.into()];
        self.is_unknown = true;
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = self.frame();
        (self.is_unknown, self.shown_cursor) = (false, self.cursor);
        self.out.write_all(&bytes).and_then(|()| self.out.flush())
    }
}
