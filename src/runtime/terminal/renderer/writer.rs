//! Writes rows of cells with as few bytes as lead there: short moves, small gaps written over, attributes only where
//! they are seen.
//!
//! Each frame begins with the terminal's first attributes and an absolute move, and ends with the first attributes: what
//! else is written in between, or a frame that was cut off, spoils nothing. Only sequences that the VT100 had, but for
//! those that a terminal without them ignores. Must not know what the screen shows but the rows it is given.

use ratatui::buffer::Cell;
use ratatui::layout::Position;

use crate::runtime::terminal::renderer::cell_text::{LINK_END, Piece, Print};
use crate::runtime::terminal::renderer::scroll::Shift;
use crate::runtime::terminal::renderer::sgr::{Pen, decimal};

/// Holds back what the terminal shows until the end of a frame whose rows move: else a slow line shows panes out of
/// place meanwhile. Terminals that do not know it ignore it.
const HOLD: &[u8] = b"\x1b[?2026h";
const RELEASE: &[u8] = b"\x1b[?2026l";
/// Moves the rows of the range, at its first row, towards the bottom.
const REVERSE_INDEX: &[u8] = b"\x1bM";

/// Bytes of one frame, and where they leave the terminal.
pub(super) struct Writer<'a> {
    out: Vec<u8>,
    columns: u16,
    pen: Pen,
    link: &'a str,
    /// Where the cursor is, if every terminal agrees on that.
    at: Option<Position>,
    holds: bool,
}

impl<'a> Writer<'a> {
    /// Begins a frame of a screen that is so wide.
    pub(super) fn new(columns: u16) -> Self {
        Self { out: Vec::new(), columns, pen: Pen::default(), link: "", at: None, holds: false }
    }

    /// Whether anything is written.
    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Writes a sequence that leaves the cursor and the attributes alone.
    pub(super) fn sequence(&mut self, sequence: &[u8]) {
        self.out.extend_from_slice(sequence);
    }

    /// Makes everything blank.
    pub(super) fn erase(&mut self) {
        self.out.extend_from_slice(b"\x1b[m\x1b[2J");
    }

    /// Moves rows. Before anything else in a frame: the rows that are left empty take the ground of the attributes.
    pub(super) fn shift(&mut self, shift: Shift) {
        self.out.extend_from_slice(HOLD);
        self.holds = true;
        let (top, bottom) = (shift.top as u16, shift.bottom as u16);
        self.out.extend_from_slice(b"\x1b[");
        decimal(&mut self.out, top + 1);
        self.out.push(b';');
        decimal(&mut self.out, bottom + 1);
        self.out.push(b'r');
        self.jump(Position { x: 0, y: if shift.is_up { bottom } else { top } });
        let step: &[u8] = if shift.is_up { b"\n" } else { REVERSE_INDEX };
        (0..shift.by).for_each(|_| self.out.extend_from_slice(step));
        self.out.extend_from_slice(b"\x1b[r");
        self.at = None;
    }

    /// Writes what a row shows differently from what is wanted there; of both are the prints.
    pub(super) fn row(&mut self, row: u16, shown: &[Print], prints: &[Print], wanted: &'a [Cell]) {
        // Up to here the terminal does not show what is thought: something wide was cut, or took more than was meant.
        let mut unknown = 0;
        let mut column = 0;
        while let Some(cell) = wanted.get(usize::from(column)) {
            let (was, is) = (shown.get(usize::from(column)), prints.get(usize::from(column)));
            let next = column + is.map_or(1, |is| is.width());
            if column >= unknown && was == is {
                column = next;
                continue;
            }
            let here = Position { x: column, y: row };
            if was.is_some_and(|was| was.width() == 1) && next < self.columns && self.goes_on(here, cell) {
                column = next;
                continue;
            }
            let piece = Piece::of(cell);
            self.go(here, wanted);
            self.put(piece, column, wanted);
            let covered = (column + piece.span.max(piece.width)).min(self.columns);
            unknown = unknown.max(if piece.is_certain { next } else { covered });
            for over in column..covered {
                let cut = shown.get(usize::from(over)).map_or(1, |was| was.width());
                unknown = unknown.max(if cut > 1 { over + cut } else { 0 });
            }
            column = next;
        }
    }

    /// Puts the cursor somewhere.
    pub(super) fn move_to(&mut self, to: Position) {
        let Some(at) = self.at else { return self.jump(to) };
        if at == to {
            return;
        }
        let start = self.out.len();
        self.step(at, to);
        let stepped = self.out.len();
        self.jump(to);
        if self.out.len() - stepped < stepped - start {
            self.out.drain(start..stepped);
        } else {
            self.out.truncate(stepped);
        }
    }

    /// Ends the frame.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.begin_link("");
        self.pen.turn(Pen::default(), &mut self.out);
        if self.holds {
            self.out.extend_from_slice(RELEASE);
        }
        self.out
    }

    /// Goes to where a cell is to be written.
    fn go(&mut self, to: Position, wanted: &[Cell]) {
        if let Some(at) = self.at
            && at.y == to.y
            && at.x < to.x
            && let Some(gap) = wanted.get(usize::from(at.x)..usize::from(to.x))
            && self.fill(gap, self.pen_for(to.x, wanted))
        {
            self.at = Some(to);
        } else {
            self.move_to(to);
            self.at = Some(to);
        }
    }

    /// Writes a few cells once more that are there already, where that is shorter than to go past them: each must look
    /// right with the attributes that are set or with those that come next.
    fn fill(&mut self, gap: &[Cell], next: Pen) -> bool {
        let most = if gap.len() == 1 { 3 } else { 4 };
        if gap.len() > most {
            return false;
        }
        let (mut bytes, mut turned) = (0, gap.len());
        for (at, cell) in gap.iter().enumerate() {
            let piece = Piece::of(cell);
            let is_right = |with: Pen| with == Pen::of(cell) || piece.is_blank() && with.blanks_like(Pen::of(cell));
            if at >= turned || !is_right(self.pen) {
                turned = turned.min(at);
                if !is_right(next) {
                    return false;
                }
            }
            bytes += piece.text.len();
            if bytes > most || piece.width != 1 || !piece.is_certain || piece.link != self.link {
                return false;
            }
        }
        for (at, cell) in gap.iter().enumerate() {
            if at == turned {
                self.turn(next);
            }
            self.out.extend_from_slice(Piece::of(cell).text.as_bytes());
        }
        true
    }

    /// Writes a letter where the cursor is and with the attributes that are set, if it is one of those: nearly all are.
    fn goes_on(&mut self, here: Position, cell: &Cell) -> bool {
        let [letter] = cell.symbol().as_bytes() else { return false };
        let own = Pen::of(cell);
        let is_right = self.pen == own || *letter == b' ' && self.pen.blanks_like(own);
        if self.at != Some(here) || !self.link.is_empty() || !is_right {
            return false;
        }
        self.out.push(*letter);
        self.at = Some(Position { x: here.x + 1, ..here });
        true
    }

    fn put(&mut self, piece: Piece<'a>, column: u16, wanted: &[Cell]) {
        let room = self.columns - column;
        self.turn(self.pen_for(column, wanted));
        self.begin_link(piece.link);
        if !piece.is_certain && piece.width == 2 && room >= 2 {
            // Where it takes one column only, what stood in the other must not stay.
            let at = self.at;
            self.out.extend_from_slice(b"  ");
            self.at = None;
            if let Some(at) = at {
                self.jump(at);
            }
        }
        // What does not fit would go on in the next row.
        let text = if piece.width > room { " " } else { piece.fitting(room) };
        self.out.extend_from_slice(text.as_bytes());
        // At the right margin some terminals stay and others go on.
        let end = column + piece.width;
        let is_known = piece.is_certain && end < self.columns;
        self.at = self.at.filter(|_| is_known).map(|at| Position { x: end, ..at });
    }

    /// The attributes to write a cell with. A blank takes those that are set, else those of the text behind it, where it
    /// looks the same with them.
    fn pen_for(&self, column: u16, wanted: &[Cell]) -> Pen {
        let mut cells = wanted.iter().skip(column.into());
        let Some(cell) = cells.next() else { return self.pen };
        let own = Pen::of(cell);
        if cell.symbol() != " " && !Piece::of(cell).is_blank() {
            return own;
        }
        if self.pen.blanks_like(own) {
            return self.pen;
        }
        let behind = cells.find(|cell| !Piece::of(cell).is_blank()).map(Pen::of);
        behind.filter(|behind| behind.blanks_like(own)).unwrap_or(own)
    }

    fn turn(&mut self, pen: Pen) {
        self.pen.turn(pen, &mut self.out);
        self.pen = pen;
    }

    fn begin_link(&mut self, link: &'a str) {
        if link != self.link {
            self.out.extend_from_slice(if link.is_empty() { LINK_END } else { link }.as_bytes());
            self.link = link;
        }
    }

    /// Goes by rows and columns from where the cursor is.
    fn step(&mut self, at: Position, to: Position) {
        match to.y.cmp(&at.y) {
            std::cmp::Ordering::Less => self.by(at.y - to.y, b'A'),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => self.by(to.y - at.y, b'B'),
        }
        match to.x.cmp(&at.x) {
            std::cmp::Ordering::Less if at.x - to.x <= 3 => (to.x..at.x).for_each(|_| self.out.push(b'\x08')),
            std::cmp::Ordering::Less => self.by(at.x - to.x, b'D'),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => self.by(to.x - at.x, b'C'),
        }
        self.at = Some(to);
    }

    fn by(&mut self, count: u16, direction: u8) {
        self.out.extend_from_slice(b"\x1b[");
        if count > 1 {
            decimal(&mut self.out, count);
        }
        self.out.push(direction);
    }

    /// Goes somewhere from anywhere.
    fn jump(&mut self, to: Position) {
        self.out.extend_from_slice(b"\x1b[");
        if to.y > 0 {
            decimal(&mut self.out, to.y + 1);
        }
        if to.x > 0 {
            self.out.push(b';');
            decimal(&mut self.out, to.x + 1);
        }
        self.out.push(b'H');
        self.at = Some(to);
    }
}
