//! What the terminal shows, kept so that a new screen takes as few bytes as lead there: a key over a slow line is felt
//! by its bytes.
//!
//! Cells are taken over as they are drawn and written when they are asked for, so that what is drawn twice in one turn is
//! written once. Must not know what is drawn, nor how the bytes get to the terminal.

mod pen;
mod piece;
mod scroll;
mod writer;

use std::io;

use crossterm::terminal;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};

use crate::runtime::ink::scroll::{Shift, Source};
use crate::runtime::ink::writer::Writer;

/// Whether moving rows would help is not asked for fewer cells.
const WORTH_A_SEARCH: i32 = 200;
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
const HIDE_CURSOR: &[u8] = b"\x1b[?25l";

/// A screen for the drawing library: cells come in, [`Ink::take`] gives the bytes that show them.
#[derive(Debug)]
pub struct Ink {
    /// The size of a terminal that is none; else the terminal is asked.
    given: Option<Size>,
    shown: Face,
    wanted: Face,
    /// The rows in which something was drawn since the last frame.
    touched: Vec<bool>,
    /// Nothing is known of what the terminal shows.
    is_unknown: bool,
    cursor: Cursor,
    /// The cursor as it was left; unknown at first.
    left: Option<Cursor>,
}

/// Cells, and for each a number that differs where it looks different.
#[derive(Debug, Clone)]
struct Face {
    cells: Buffer,
    prints: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cursor {
    at: Position,
    is_visible: bool,
}

impl Face {
    fn blank(size: Size) -> Self {
        let cells = Buffer::empty(Rect::from(size));
        let prints = vec![piece::print(&Cell::EMPTY); cells.content.len()];
        Self { cells, prints }
    }

    fn row(&self, row: usize) -> &[Cell] {
        let columns = usize::from(self.cells.area.width);
        self.cells.content.get(row * columns..(row + 1) * columns).unwrap_or_default()
    }

    fn set(&mut self, at: usize, cell: &Cell) {
        if let (Some(place), Some(print)) = (self.cells.content.get_mut(at), self.prints.get_mut(at)) {
            place.clone_from(cell);
            *print = piece::print(cell);
        }
    }
}

impl Ink {
    /// For the terminal of this program.
    pub fn for_terminal() -> io::Result<Self> {
        Ok(Self::new(None, asked()?))
    }

    /// For a terminal of this size, whatever takes the bytes.
    pub fn of_size(size: Size) -> Self {
        Self::new(Some(size), size)
    }

    fn new(given: Option<Size>, size: Size) -> Self {
        let (shown, wanted) = (Face::blank(size), Face::blank(size));
        let touched = vec![true; usize::from(size.height)];
        Self { given, shown, wanted, touched, is_unknown: true, cursor: Cursor::default(), left: None }
    }

    /// Another size for a terminal whose size was given. The drawing library asks for it before it draws.
    pub fn resize(&mut self, size: Size) {
        self.given = Some(size);
    }

    /// The bytes after which the terminal shows what was drawn. None, if it does already.
    pub fn take(&mut self) -> Vec<u8> {
        let (bytes, shift) = match self.shift() {
            None => (self.frame(None), None),
            // Both ways are written only where it is not clear which is shorter: that takes its time.
            Some((shift, true)) => (self.frame(Some(shift)), Some(shift)),
            Some((shift, false)) => {
                let (moved, in_place) = (self.frame(Some(shift)), self.frame(None));
                if moved.len() < in_place.len() { (moved, Some(shift)) } else { (in_place, None) }
            }
        };
        self.remember(shift);
        bytes
    }

    /// The rows that may be worth moving, and whether that is clear.
    fn shift(&self) -> Option<(Shift, bool)> {
        if self.is_unknown {
            return None;
        }
        let changed = scroll::different(&self.shown.prints, &self.wanted.prints);
        if changed < WORTH_A_SEARCH {
            return None;
        }
        let columns = usize::from(self.wanted.cells.area.width);
        let (gain, shift) = scroll::best(&self.shown.prints, &self.wanted.prints, columns, piece::print(&Cell::EMPTY))?;
        Some((shift, gain * 2 > changed))
    }

    /// The bytes of the frame, after rows moved or in place.
    fn frame(&self, shift: Option<Shift>) -> Vec<u8> {
        let columns = self.wanted.cells.area.width;
        let mut writer = Writer::new(columns);
        if self.left.is_none_or(|left| left.is_visible) && !self.cursor.is_visible {
            writer.sequence(HIDE_CURSOR);
        }
        if self.is_unknown {
            writer.erase();
        }
        if let Some(shift) = shift {
            writer.shift(shift);
        }
        let blank = vec![Cell::EMPTY; columns.into()];
        for (row, is_touched) in self.touched.iter().enumerate() {
            match shift.map_or(Source::Row(row), |shift| shift.source(row)) {
                _ if self.is_unknown => writer.row(row as u16, &blank, self.wanted.row(row)),
                Source::Blank => writer.row(row as u16, &blank, self.wanted.row(row)),
                Source::Row(from) if from != row || *is_touched => {
                    writer.row(row as u16, self.shown.row(from), self.wanted.row(row));
                }
                Source::Row(_) => {}
            }
        }
        if self.cursor.is_visible && (self.left != Some(self.cursor) || !writer.is_empty()) {
            writer.move_to(self.cursor.at);
            if self.left.is_none_or(|left| !left.is_visible) {
                writer.sequence(SHOW_CURSOR);
            }
        }
        writer.finish()
    }

    /// What was wanted is shown.
    fn remember(&mut self, shift: Option<Shift>) {
        let columns = usize::from(self.wanted.cells.area.width);
        for (row, is_touched) in self.touched.iter_mut().enumerate() {
            let has_moved = shift.is_some_and(|shift| (shift.top..=shift.bottom).contains(&row));
            if std::mem::take(is_touched) || has_moved || self.is_unknown {
                let cells = row * columns..(row + 1) * columns;
                self.shown.cells.content[cells.clone()].clone_from_slice(&self.wanted.cells.content[cells.clone()]);
                self.shown.prints[cells.clone()].copy_from_slice(&self.wanted.prints[cells]);
            }
        }
        self.is_unknown = false;
        self.left = Some(self.cursor);
    }

    /// Takes a cell over. The columns behind a wide one are blank, as the terminal makes them.
    fn set(&mut self, column: u16, row: u16, cell: &Cell, follows: bool) {
        let area = self.wanted.cells.area;
        if column >= area.width || row >= area.height {
            // The terminal has become smaller since its size was asked for.
            return;
        }
        let at = self.wanted.cells.index_of(column, row);
        if column > 0 && piece::width(&self.wanted.cells.content[at - 1]) > 1 {
            // The library clears the second half of some pictures behind them; here that comes before.
            if follows {
                return;
            }
            // Half of a wide character cannot be shown.
            self.wanted.cells.content[at - 1].set_symbol(" ");
            self.wanted.prints[at - 1] = piece::print(&self.wanted.cells.content[at - 1]);
        }
        self.wanted.set(at, cell);
        let hidden = piece::width(cell).min(area.width - column);
        (1..usize::from(hidden)).for_each(|hidden| self.wanted.set(at + hidden, &Cell::EMPTY));
        self.touched[usize::from(row)] = true;
    }

    fn clear_cells(&mut self, from: usize, to: usize) {
        let columns = usize::from(self.wanted.cells.area.width);
        for at in from..to.min(self.wanted.prints.len()) {
            self.wanted.set(at, &Cell::EMPTY);
            self.touched[at / columns] = true;
        }
    }
}

impl Backend for Ink {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut before = None;
        for (column, row, cell) in content {
            let follows = before.is_some_and(|(x, y)| y == row && x + 1 == column);
            self.set(column, row, cell, follows);
            before = Some((column, row));
        }
        Ok(())
    }

    fn append_lines(&mut self, count: u16) -> io::Result<()> {
        let area = self.wanted.cells.area;
        let down = self.cursor.at.y.saturating_add(count);
        let last = area.height.saturating_sub(1);
        let over = usize::from(down.saturating_sub(last).min(area.height)) * usize::from(area.width);
        self.cursor.at.y = down.min(last);
        self.wanted.cells.content.rotate_left(over);
        self.wanted.prints.rotate_left(over);
        let count = self.wanted.prints.len();
        self.clear_cells(count - over, count);
        if over > 0 {
            self.touched.fill(true);
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.cursor.is_visible = false;
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.cursor.is_visible = true;
        Ok(())
    }

    /// Where it will be: the terminal is not asked, which might never answer.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor.at)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor.at = position.into();
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    /// Everything is cleared when nothing is known any more, as after another size: then it is drawn anew. Parts are
    /// drawn like anything else.
    fn clear_region(&mut self, kind: ClearType) -> io::Result<()> {
        let area = self.wanted.cells.area;
        let columns = usize::from(area.width);
        let row = usize::from(self.cursor.at.y) * columns;
        let at = row + usize::from(self.cursor.at.x).min(columns);
        match kind {
            ClearType::All => *self = Self { left: None, cursor: self.cursor, ..Self::new(self.given, self.size()?) },
            ClearType::AfterCursor => self.clear_cells(at, self.wanted.prints.len()),
            ClearType::BeforeCursor => self.clear_cells(0, at + 1),
            ClearType::CurrentLine => self.clear_cells(row, row + columns),
            ClearType::UntilNewLine => self.clear_cells(at, row + columns),
        }
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        self.given.map_or_else(asked, Ok)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        if let Some(columns_rows) = self.given {
            return Ok(WindowSize { columns_rows, pixels: Size::ZERO });
        }
        let window = terminal::window_size()?;
        let columns_rows = Size::new(window.columns, window.rows);
        Ok(WindowSize { columns_rows, pixels: Size::new(window.width, window.height) })
    }

    /// Nothing is held back here but until [`Ink::take`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn asked() -> io::Result<Size> {
    terminal::size().map(|(columns, rows)| Size::new(columns, rows))
}
