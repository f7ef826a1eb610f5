//! What the terminal shows, kept so that a new screen takes as few bytes as lead there: a key over a slow line is felt
//! by its bytes.
//!
//! Takes the place of the drawing library's own terminal: that compares two screens cell by cell to hand the differences
//! over, and here they would be compared once more. Must not know what is drawn, nor how the bytes get to the terminal.

mod cell_text;
mod scroll;
mod sgr;
mod writer;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};

use crate::runtime::terminal::renderer::cell_text::Print;
use crate::runtime::terminal::renderer::scroll::{Shift, Source};
use crate::runtime::terminal::renderer::writer::Writer;

/// Whether moving rows would help is not asked for fewer cells.
const WORTH_A_SEARCH: i32 = 200;
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
const HIDE_CURSOR: &[u8] = b"\x1b[?25l";

/// A screen: [`Ink::page`] is drawn on, [`Ink::take`] gives the bytes that show it.
#[derive(Debug)]
pub struct Ink {
    shown: Vec<Print>,
    /// What was shown before that: memory for what is shown next.
    spare: Vec<Print>,
    page: Buffer,
    /// Whether the page was drawn on since it was last shown.
    is_drawn: bool,
    /// Whether the terminal shows what is thought.
    is_known: bool,
    /// The cursor as it was left; unknown at first.
    left: Option<Cursor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cursor {
    Hidden,
    At(Position),
}

impl From<Option<Position>> for Cursor {
    fn from(at: Option<Position>) -> Self {
        at.map_or(Self::Hidden, Self::At)
    }
}

impl Ink {
    /// For a terminal of this size, of which nothing else is known.
    pub fn of_size(size: Size) -> Self {
        let page = Buffer::empty(Rect::from(size));
        let shown = vec![Print::of(&Cell::EMPTY); page.content.len()];
        Self { shown, spare: Vec::new(), page, is_drawn: false, is_known: false, left: None }
    }

    /// Follows the size of the terminal. After another size everything is written anew.
    pub fn resize(&mut self, size: Size) {
        if self.page.area.as_size() != size {
            *self = Self::of_size(size);
        }
    }

    /// Nothing is known any more of what the terminal shows: everything is written anew.
    pub fn forget(&mut self) {
        *self = Self::of_size(self.page.area.as_size());
    }

    /// A blank page to draw the whole screen on. What was drawn before on it and not shown is gone.
    pub fn page(&mut self) -> &mut Buffer {
        self.page.content.fill(Cell::EMPTY);
        self.is_drawn = true;
        &mut self.page
    }

    /// The bytes after which the terminal shows the page, and the cursor where one is; none, if it does already.
    pub fn take(&mut self, cursor: Option<Position>) -> Vec<u8> {
        if !std::mem::take(&mut self.is_drawn) {
            return Vec::new();
        }
        let mut prints = std::mem::take(&mut self.spare);
        Print::of_all(&self.page.content, &mut prints);
        let frame = Frame {
            prints,
            columns: usize::from(self.page.area.width).max(1),
            cursor: Cursor::from(cursor),
            ink: self,
        };
        let bytes = match frame.shift() {
            None => frame.bytes(None),
            // Both ways are written only where it is not clear which is shorter: that takes its time.
            Some((shift, true)) => frame.bytes(Some(shift)),
            Some((shift, false)) => {
                let (moved, in_place) = (frame.bytes(Some(shift)), frame.bytes(None));
                if moved.len() < in_place.len() { moved } else { in_place }
            }
        };
        let Frame { prints, cursor, .. } = frame;
        self.spare = std::mem::replace(&mut self.shown, prints);
        (self.is_known, self.left) = (true, Some(cursor));
        bytes
    }
}

/// What is to be shown next.
struct Frame<'a> {
    ink: &'a Ink,
    prints: Vec<Print>,
    columns: usize,
    cursor: Cursor,
}

impl Frame<'_> {
    /// The rows that may be worth moving, and whether that is clear.
    fn shift(&self) -> Option<(Shift, bool)> {
        let changed = scroll::different(&self.ink.shown, &self.prints);
        if !self.ink.is_known || changed < WORTH_A_SEARCH {
            return None;
        }
        let best = scroll::best(&self.ink.shown, &self.prints, self.columns, Print::of(&Cell::EMPTY));
        best.map(|(gain, shift)| (shift, gain * 2 > changed))
    }

    /// The bytes of the frame, after rows moved or in place.
    fn bytes(&self, shift: Option<Shift>) -> Vec<u8> {
        let Self { ink, cursor, .. } = *self;
        let mut writer = Writer::new(self.columns as u16);
        if cursor == Cursor::Hidden && ink.left != Some(cursor) {
            writer.sequence(HIDE_CURSOR);
        }
        if !ink.is_known {
            writer.erase();
        }
        if let Some(shift) = shift {
            writer.shift(shift);
        }
        let blank = vec![Print::of(&Cell::EMPTY); self.columns];
        let rows = self.ink.page.content.chunks(self.columns).zip(self.prints.chunks(self.columns));
        for (row, (cells, prints)) in rows.enumerate() {
            let shown = match shift.map_or(Source::Row(row), |shift| shift.source(row)) {
                Source::Row(from) if ink.is_known => ink.shown.chunks(self.columns).nth(from).unwrap_or_default(),
                Source::Row(_) | Source::Blank => &blank,
            };
            if shown != prints {
                writer.row(row as u16, shown, prints, cells);
            }
        }
        if let Cursor::At(at) = cursor
            && (ink.left != Some(cursor) || !writer.is_empty())
        {
            writer.move_to(at);
            if !matches!(ink.left, Some(Cursor::At(_))) {
                writer.sequence(SHOW_CURSOR);
            }
        }
        writer.finish()
    }
}
