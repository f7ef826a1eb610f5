//! What a cell puts on the screen: a text, how many columns it takes, and whether every terminal agrees on that.
//!
//! Must not know where the cell stands.

use ratatui::buffer::{Cell, CellDiffOption, CellWidth as _};
use unicode_width::UnicodeWidthChar as _;

use crate::runtime::ink::pen::Pen;

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

/// How many columns a cell takes.
pub(super) fn width(cell: &Cell) -> u16 {
    if cell.symbol().len() == 1 { 1 } else { cell.cell_width().max(1) }
}

/// Whether two cells look the same. One that is always to be written looks like nothing else.
pub(super) fn look_alike(shown: &Cell, wanted: &Cell) -> bool {
    let is_same_text = match (shown.symbol().as_bytes(), wanted.symbol().as_bytes()) {
        // Nearly all: not worth a call.
        ([was], [is]) => was == is,
        (was, is) => was == is,
    };
    if wanted.diff_option == CellDiffOption::AlwaysUpdate || !is_same_text {
        return false;
    }
    let (was, is) = (Pen::of(shown), Pen::of(wanted));
    was == is || wanted.symbol() == " " && was.blanks_like(is)
}

/// A number that differs where cells look different, but for rare chance.
pub(super) fn print(cell: &Cell) -> u32 {
    let symbol = cell.symbol();
    let mut print = 0x811c_9dc5_u32;
    for byte in symbol.bytes() {
        print = (print ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    print ^ Pen::of(cell).print(symbol == " ").wrapping_mul(0x85eb_ca6b)
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
        assert!(look_alike(&blank, &Cell::EMPTY) && print(&blank) == print(&Cell::EMPTY));
        assert!(!look_alike(&letter, &cell("x")) && print(&letter) != print(&cell("x")));
        assert!(!look_alike(&cell("y"), &cell("x")) && print(&cell("y")) != print(&cell("x")));
        let mut always = cell("x");
        always.set_diff_option(CellDiffOption::AlwaysUpdate);
        assert!(!look_alike(&always, &always));
    }
}
