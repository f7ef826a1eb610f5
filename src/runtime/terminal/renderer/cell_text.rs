//! What a cell puts on the screen: a text, how many columns it takes, and whether every terminal agrees on that.
//!
//! Must not know where the cell stands.

use ratatui::buffer::{Cell, CellWidth as _};
use unicode_width::UnicodeWidthChar as _;

use crate::runtime::terminal::renderer::sgr::{Looks, ODD, Pen};

/// How a link begins, how that is ended, and how the link is.
const LINK: &str = "\x1b]8;";
const SEQUENCE_END: &str = "\x1b\\";
/// Ends the link that was begun.
pub(super) const LINK_END: &str = "\x1b]8;;\x1b\\";
/// From here on wide characters are pictures, of which old terminals think otherwise.
const PICTURES: char = '\u{1f000}';

/// A cell's symbol, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// What begins the link that the text is; empty where it is none.
    pub(super) link: &'a str,
    /// What is written.
    pub(super) text: &'a str,
    /// How many columns it is meant to take.
    pub(super) width: u16,
    /// How many it takes at most, in a terminal that takes each character on its own.
    pub(super) span: u16,
    /// Whether every terminal takes as many as are meant.
    pub(super) is_certain: bool,
}

impl<'a> Piece<'a> {
    /// Takes a cell apart.
    pub(super) fn of(cell: &'a Cell) -> Self {
        let symbol = cell.symbol();
        if symbol.len() == 1 {
            return Self { link: "", text: symbol, width: 1, span: 1, is_certain: true };
        }
        let (link, text) = apart(symbol);
        let width = cell.cell_width();
        if width == 0 {
            // It has no place of its own, and would change the character before.
            return Self { link: "", text: " ", width: 1, span: 1, is_certain: true };
        }
        let mut characters = text.chars();
        let is_certain = match (characters.next(), characters.next()) {
            (Some(only), None) => !only.is_control() && (width == 1 || only < PICTURES),
            _ => false,
        };
        let span = if is_certain || text.contains('\x1b') { width } else { span(text).max(width) };
        Self { link, text, width, span, is_certain }
    }

    /// Whether nothing is to be seen but the ground.
    pub(super) fn is_blank(self) -> bool {
        self.text == " " && self.link.is_empty()
    }

    /// As much of the text as takes no more than so many columns.
    pub(super) fn fitting(self, columns: u16) -> &'a str {
        if self.span <= columns {
            return self.text;
        }
        let mut taken = 0;
        let end = self.text.char_indices().find(|(_, character)| {
            taken += character.width().unwrap_or_default();
            taken > usize::from(columns)
        });
        end.map_or(self.text, |(at, _)| &self.text[..at])
    }
}

/// A number that stands for how a cell looks: equal for cells that look alike, and different for others, but for a
/// chance of one in 2⁶². Its last two bits are the columns that the cell takes, three standing for more.
///
/// An eighth of the cell itself, so that comparing screens looks at little memory: between two keys other programs have
/// used the processor's caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print(u64);

impl Print {
    /// Of one cell.
    pub(super) fn of(cell: &Cell) -> Self {
        Self::with(Pen::of(cell).looks(), Symbol::of(cell))
    }

    /// Of each cell, in place of what is there.
    pub(super) fn of_all(cells: &[Cell], prints: &mut Vec<Self>) {
        // Neighbours mostly look alike, and lines consist of one symbol.
        let (mut pen, mut looks) = (Pen::default(), Pen::default().looks());
        let (mut before, mut symbol) = (&Cell::EMPTY, Symbol::of(&Cell::EMPTY));
        prints.clear();
        prints.extend(cells.iter().map(|cell| {
            let next = Pen::of(cell);
            if pen != next {
                (pen, looks) = (next, next.looks());
            }
            if let [byte] = cell.symbol().as_bytes() {
                return Self::with(looks, Symbol::of_byte(*byte));
            }
            if before.symbol() != cell.symbol() || before.diff_option != cell.diff_option {
                (before, symbol) = (cell, Symbol::of(cell));
            }
            Self::with(looks, symbol)
        }));
    }

    /// How many columns the cell takes.
    pub(super) fn width(self) -> u16 {
        (self.0 & 3) as u16
    }

    #[inline]
    fn with(looks: Looks, symbol: Symbol) -> Self {
        let number = if symbol.is_blank { looks.of_blank } else { looks.of_text ^ symbol.number };
        Self(number.wrapping_mul(ODD) & !3 | symbol.width)
    }
}

/// A symbol as a number.
#[derive(Clone, Copy)]
struct Symbol {
    number: u64,
    width: u64,
    is_blank: bool,
}

impl Symbol {
    fn of(cell: &Cell) -> Self {
        match cell.symbol().as_bytes() {
            [byte] => Self::of_byte(*byte),
            bytes => Self { number: of_bytes(bytes), width: cell.cell_width().clamp(1, 3).into(), is_blank: false },
        }
    }

    #[inline]
    fn of_byte(byte: u8) -> Self {
        Self { number: byte.into(), width: 1, is_blank: byte == b' ' }
    }
}

/// FNV-1a.
fn of_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The beginning of a link and the text in it.
fn apart(symbol: &str) -> (&str, &str) {
    let whole = ("", symbol);
    if !symbol.starts_with(LINK) {
        return whole;
    }
    let Some(begun) = symbol.find(SEQUENCE_END) else { return whole };
    let (link, rest) = symbol.split_at(begun + SEQUENCE_END.len());
    match rest.strip_suffix(LINK_END) {
        Some(text) if !text.contains('\x1b') && link != LINK_END => (link, text),
        _ => whole,
    }
}

fn span(text: &str) -> u16 {
    text.chars().map(|character| character.width().unwrap_or_default() as u16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::CellDiffOption;
    use ratatui::style::Style;
    use std::num::NonZeroU16;

    fn cell(symbol: &str) -> Cell {
        let mut cell = Cell::EMPTY;
        cell.set_symbol(symbol);
        cell
    }

    fn taken(symbol: &str) -> (u16, u16, bool) {
        let cell = cell(symbol);
        let piece = Piece::of(&cell);
        assert_eq!(piece.text, symbol);
        (piece.width, piece.span, piece.is_certain)
    }

    #[test]
    fn terminals_agree_on_single_characters_and_not_on_what_is_joined() {
        assert_eq!(taken("a"), (1, 1, true));
        assert_eq!(taken("│"), (1, 1, true));
        assert_eq!(taken("日"), (2, 2, true));
        assert_eq!(taken("😀"), (2, 2, false));
        assert_eq!(taken("e\u{301}"), (1, 1, false));
        assert_eq!(taken("⌨\u{fe0f}"), (2, 2, false));
        assert_eq!(taken("👩\u{200d}🔬"), (2, 4, false));
    }

    #[test]
    fn what_takes_no_column_is_a_blank() {
        assert!(Piece::of(&cell("\u{301}")).is_blank());
        assert!(Piece::of(&cell("")).is_blank());
    }

    #[test]
    fn a_link_is_apart_from_its_text() {
        let mut linked = cell("\x1b]8;id=page;https://shop.example/\x1b\\日\x1b]8;;\x1b\\");
        linked.set_diff_option(CellDiffOption::ForcedWidth(NonZeroU16::new(2).unwrap()));
        let piece = Piece::of(&linked);
        let link = "\x1b]8;id=page;https://shop.example/\x1b\\";
        assert_eq!((piece.link, piece.text, piece.width, piece.is_certain), (link, "日", 2, true));
        // Whatever else has a sequence in it is left as it is.
        let mut other = cell("\x1b_Gimage\x1b\\");
        other.set_diff_option(CellDiffOption::ForcedWidth(NonZeroU16::new(3).unwrap()));
        let piece = Piece::of(&other);
        assert_eq!((piece.text, piece.width, piece.span, piece.is_certain), (other.symbol(), 3, 3, false));
    }

    #[test]
    fn of_a_joined_picture_so_much_is_written_as_fits() {
        let joined = cell("👩\u{200d}🔬");
        assert_eq!(Piece::of(&joined).fitting(4), "👩\u{200d}🔬");
        assert_eq!(Piece::of(&joined).fitting(3), "👩\u{200d}");
    }

    #[test]
    fn cells_that_look_alike_have_the_same_print() {
        let red = Style::new().fg(ratatui::style::Color::Red);
        let (mut blank, mut letter) = (cell(" "), cell("x"));
        blank.set_style(red);
        letter.set_style(red);
        assert_eq!(Print::of(&blank), Print::of(&Cell::EMPTY));
        let different = [Cell::EMPTY, letter.clone(), cell("x"), cell("y"), cell("é"), cell("日"), cell("本")];
        for (at, one) in different.iter().enumerate() {
            for other in &different[..at] {
                assert_ne!(Print::of(one), Print::of(other), "{one:?} {other:?}");
            }
        }
        let all = [blank, letter, cell("x"), cell("日")];
        let mut prints = vec![Print::of(&Cell::EMPTY)];
        Print::of_all(&all, &mut prints);
        assert_eq!(prints, all.each_ref().map(Print::of));
        assert_eq!(all.map(|cell| Print::of(&cell).width()), [1, 1, 1, 2]);
    }
}
