//! The bytes of one frame: cursor moves, changes of attributes, text.
//!
//! A frame starts and ends with the terminal's default attributes, and starts with an absolute cursor move, so that an
//! earlier truncated frame does no harm.

use std::ops::Range;

use ratatui::layout::Position;

use crate::runtime::terminal::cell_text::{CellText, LINK_END};
use crate::runtime::terminal::screen_cell::ScreenCell;
use crate::runtime::terminal::scroll::RowScroll;
use crate::runtime::terminal::sgr::{self, SgrStyle};

/// Synchronized update (mode 2026): the terminal shows the frame at its end. Other terminals ignore this.
const BEGIN_UPDATE: &[u8] = b"\x1b[?2026h";
const END_UPDATE: &[u8] = b"\x1b[?2026l";

/// The bytes of a frame, and the terminal state after them.
pub(super) struct FrameBytes<'a> {
    pub(super) bytes: Vec<u8>,
    columns: u16,
    style: SgrStyle,
    link: Option<&'a str>,
    /// The cursor's position; `None` if terminals may differ.
    cursor: Option<Position>,
}

impl<'a> FrameBytes<'a> {
    /// Creates an empty frame for a screen of this width.
    pub(super) fn new(columns: u16) -> Self {
        Self { bytes: Vec::new(), columns, style: SgrStyle::PLAIN, link: None, cursor: None }
    }

    /// Adds a sequence that changes neither the cursor's position nor attributes.
    pub(super) fn push(&mut self, sequence: impl AsRef<[u8]>) {
        self.bytes.extend_from_slice(sequence.as_ref());
    }

    /// Scrolls rows. Must come first in a frame: vacated rows get the current background.
    pub(super) fn scroll(&mut self, scroll: RowScroll) {
        self.push(format!("\x1b[{};{}r", scroll.top + 1, scroll.bottom + 1));
        // A line feed scrolls at the last row of the region, a reverse index at the first one.
        let (row, step) = if scroll.by > 0 { (scroll.bottom, "\n") } else { (scroll.top, "\x1bM") };
        self.move_to(Position { x: 0, y: row as u16 });
        self.push(step.repeat(scroll.by.unsigned_abs()));
        self.push("\x1b[r");
        self.cursor = None;
    }

    /// Writes the cells of a row that differ from those shown, within the changed columns, and records them as shown.
    pub(super) fn row(&mut self, row: u16, shown: &mut [ScreenCell], wanted: &'a [ScreenCell], changed: Range<u16>) {
        // Up to this column the screen's content is uncertain: a wide character was cut, or a text took more columns.
        let mut uncertain_until = 0;
        let mut column = changed.start;
        while let Some(cell) = wanted.get(usize::from(column)).filter(|_| column < changed.end.max(uncertain_until)) {
            let is_shown = column >= uncertain_until && shown.get(usize::from(column)) == Some(cell);
            let next = column + cell.width;
            if !is_shown {
                let text = CellText::of(cell);
                self.put(Position { x: column, y: row }, text, cell.style);
                let covered = (column + text.most).min(self.columns);
                uncertain_until = uncertain_until.max(if text.is_certain { next } else { covered });
                for over in column..covered {
                    let cut = shown.get(usize::from(over)).map_or(1, |cell| cell.width);
                    uncertain_until = uncertain_until.max(if cut > 1 { over + cut } else { 0 });
                }
            }
            // A cell that is shown already differs at most where a wide character covers it.
            for at in usize::from(column + u16::from(is_shown))..usize::from(next.min(self.columns)) {
                shown[at].clone_from(&wanted[at]);
            }
            column = next;
        }
    }

    /// Moves the cursor.
    pub(super) fn move_to(&mut self, to: Position) {
        let from = self.cursor.replace(to);
        match from {
            Some(from) if from == to => {}
            Some(from) if from.y == to.y && from.x < to.x => self.push(format!("\x1b[{}C", to.x - from.x)),
            _ if to.x == 0 => self.push(format!("\x1b[{}H", to.y + 1)),
            _ => self.push(format!("\x1b[{};{}H", to.y + 1, to.x + 1)),
        }
    }

    /// Finishes the frame and returns its bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.set_link(None);
        sgr::write_change(self.style, SgrStyle::PLAIN, &mut self.bytes);
        if self.bytes.is_empty() { self.bytes } else { [BEGIN_UPDATE, &self.bytes, END_UPDATE].concat() }
    }

    fn put(&mut self, at: Position, text: CellText<'a>, style: SgrStyle) {
        let room = self.columns - at.x;
        self.move_to(at);
        sgr::write_change(self.style, style, &mut self.bytes);
        self.style = style;
        self.set_link(text.link);
        if !text.is_certain && (2..=room).contains(&text.width) {
            // If the text takes fewer columns, the others must not keep their old content.
            self.push(" ".repeat(text.width.into()));
            self.cursor = None;
            self.move_to(at);
        }
        self.push(text.fitting(room));
        // At the right margin terminals differ in whether they wrap.
        let end = at.x + text.width;
        self.cursor = (text.is_certain && end < self.columns).then_some(Position { x: end, ..at });
    }

    fn set_link(&mut self, link: Option<&'a str>) {
        if link != self.link {
            self.push(link.unwrap_or(LINK_END));
            self.link = link;
        }
    }
}
