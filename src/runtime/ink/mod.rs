//! What the terminal shows, kept so that a new screen takes as few bytes as lead there: a key over a slow line is felt
//! by its bytes.
//!
//! Takes the place of the drawing library's own terminal: that compares two screens cell by cell to hand the differences
//! over, and here they would be compared once more. Must not know what is drawn, nor how the bytes get to the terminal.

mod pen;
mod piece;
mod scroll;
mod writer;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};

use crate::runtime::ink::scroll::{Shift, Source};
use crate::runtime::ink::writer::Writer;

/// Whether moving rows would help is not asked for fewer cells.
const WORTH_A_SEARCH: usize = 200;
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
const HIDE_CURSOR: &[u8] = b"\x1b[?25l";

/// A screen: [`Ink::page`] is drawn on, [`Ink::take`] gives the bytes that show it.
#[derive(Debug)]
pub struct Ink {
    shown: Buffer,
    page: Buffer,
    /// Whether the page was drawn on since it was last shown.
    is_drawn: bool,
    /// Whether the terminal shows what is thought.
    is_known: bool,
    /// The cursor as it was left; unknown at first.
    left: Option<Cursor>,
    /// What was found out about the shown cells, if it was.
    prints: Option<Vec<u32>>,
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
        let blank = Buffer::empty(Rect::from(size));
        Self { shown: blank.clone(), page: blank, is_drawn: false, is_known: false, left: None, prints: None }
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
        let cursor = Cursor::from(cursor);
        let changed = self.changed();
        let bytes = match self.shift(changed.iter().sum()) {
            None => self.frame(&changed, None, cursor),
            // Both ways are written only where it is not clear which is shorter: that takes its time.
            Some((shift, true)) => self.frame(&changed, Some(shift), cursor),
            Some((shift, false)) => {
                let moved = self.frame(&changed, Some(shift), cursor);
                let in_place = self.frame(&changed, None, cursor);
                if moved.len() < in_place.len() { moved } else { in_place }
            }
        };
        std::mem::swap(&mut self.shown, &mut self.page);
        (self.is_known, self.left) = (true, Some(cursor));
        bytes
    }

    /// How many cells of each row look different now.
    fn changed(&self) -> Vec<usize> {
        let columns = usize::from(self.page.area.width).max(1);
        let rows = self.shown.content.chunks(columns).zip(self.page.content.chunks(columns));
        let different = |(shown, page): (&[Cell], &[Cell])| {
            shown.iter().zip(page).filter(|(shown, page)| !piece::look_alike(shown, page)).count()
        };
        rows.map(different).collect()
    }

    /// The rows that may be worth moving, and whether that is clear.
    fn shift(&mut self, changed: usize) -> Option<(Shift, bool)> {
        if !self.is_known || changed < WORTH_A_SEARCH {
            if changed > 0 {
                self.prints = None;
            }
            return None;
        }
        let prints = |page: &Buffer| page.content.iter().map(piece::print).collect::<Vec<_>>();
        // A list that is scrolled is scrolled on.
        let shown = self.prints.take().unwrap_or_else(|| prints(&self.shown));
        let page = prints(&self.page);
        let columns = usize::from(self.page.area.width);
        let best = scroll::best(&shown, &page, columns, piece::print(&Cell::EMPTY));
        self.prints = Some(page);
        best.map(|(gain, shift)| (shift, usize::try_from(gain).is_ok_and(|gain| gain * 2 > changed)))
    }

    /// The bytes of the frame, after rows moved or in place.
    fn frame(&self, changed: &[usize], shift: Option<Shift>, cursor: Cursor) -> Vec<u8> {
        let columns = self.page.area.width;
        let mut writer = Writer::new(columns);
        if cursor == Cursor::Hidden && self.left != Some(cursor) {
            writer.sequence(HIDE_CURSOR);
        }
        if !self.is_known {
            writer.erase();
        }
        if let Some(shift) = shift {
            writer.shift(shift);
        }
        let blank = vec![Cell::EMPTY; columns.into()];
        for (row, changed) in changed.iter().enumerate() {
            match shift.map_or(Source::Row(row), |shift| shift.source(row)) {
                Source::Blank => writer.row(row as u16, &blank, line(&self.page, row)),
                _ if !self.is_known => writer.row(row as u16, &blank, line(&self.page, row)),
                Source::Row(from) if from != row || *changed > 0 => {
                    writer.row(row as u16, line(&self.shown, from), line(&self.page, row));
                }
                Source::Row(_) => {}
            }
        }
        if let Cursor::At(at) = cursor
            && (self.left != Some(cursor) || !writer.is_empty())
        {
            writer.move_to(at);
            if !matches!(self.left, Some(Cursor::At(_))) {
                writer.sequence(SHOW_CURSOR);
            }
        }
        writer.finish()
    }
}

fn line(page: &Buffer, row: usize) -> &[Cell] {
    let columns = usize::from(page.area.width);
    page.content.get(row * columns..(row + 1) * columns).unwrap_or_default()
}
