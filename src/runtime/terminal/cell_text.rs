//! The text of a cell: its link, its columns, and whether all terminals agree on the number of columns.

use unicode_width::UnicodeWidthChar;

use crate::runtime::terminal::screen_cell::ScreenCell;

/// The start of a link (OSC 8), and the terminator of operating system commands.
const LINK: &str = "\x1b]8;";
const TERMINATOR: &str = "\x1b\\";
/// Ends the current link.
pub(super) const LINK_END: &str = "\x1b]8;;\x1b\\";
/// Wide characters from here on are emoji, which old terminals draw in one column.
const FIRST_EMOJI: char = '\u{1f000}';

/// The parts of a cell's symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellText<'a> {
    /// The sequence that starts the cell's link. Not an empty text: comparing two of those takes longer than comparing
    /// two cells.
    pub(super) link: Option<&'a str>,
    /// The characters.
    pub(super) text: &'a str,
    /// The columns of the cell on our screen.
    pub(super) width: u16,
    /// The columns in a terminal that draws every character separately.
    pub(super) most: u16,
    /// Whether every terminal draws the text in `width` columns.
    pub(super) is_certain: bool,
}

impl<'a> CellText<'a> {
    pub(super) fn of(cell: &'a ScreenCell) -> Self {
        let (symbol, width) = (cell.symbol(), cell.width);
        let (link, text) = split_link(symbol).map_or((None, symbol), |(link, text)| (Some(link), text));
        let mut characters = text.chars();
        let is_plain = |first: char| !first.is_control() && (width == 1 || first < FIRST_EMOJI);
        let is_certain = characters.next().is_some_and(is_plain) && characters.next().is_none();
        let apart = || text.chars().filter_map(UnicodeWidthChar::width).sum::<usize>() as u16;
        let most = if is_certain || text.contains('\x1b') { width } else { apart().max(width) };
        Self { link, text, width, most, is_certain }
    }

    /// Returns the text to write if only this number of columns is left in the row; anything wider would wrap.
    pub(super) fn fitting(self, columns: u16) -> &'a str {
        match self.text.char_indices().nth(1) {
            _ if self.width > columns => " ",
            Some((second, _)) if self.most > columns => &self.text[..second],
            _ => self.text,
        }
    }
}

/// Splits a symbol into the sequence that starts a link and the text inside; `None` for other sequences.
fn split_link(symbol: &str) -> Option<(&str, &str)> {
    let begun = symbol.strip_prefix(LINK)?.find(TERMINATOR)? + LINK.len() + TERMINATOR.len();
    let (link, rest) = symbol.split_at(begun);
    let text = rest.strip_suffix(LINK_END)?;
    (!text.contains('\x1b') && link != LINK_END).then_some((link, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::{Cell, CellDiffOption};
    use std::num::NonZeroU16;

    fn cell(symbol: &str) -> ScreenCell {
        ScreenCell::of(Cell::EMPTY.clone().set_symbol(symbol))
    }

    fn wide(symbol: &str, columns: u16) -> ScreenCell {
        let width = CellDiffOption::ForcedWidth(NonZeroU16::new(columns).unwrap());
        ScreenCell::of(Cell::EMPTY.clone().set_symbol(symbol).set_diff_option(width))
    }

    fn measured(symbol: &str) -> (u16, u16, bool) {
        let cell = cell(symbol);
        let text = CellText::of(&cell);
        assert_eq!(text.text, symbol);
        (text.width, text.most, text.is_certain)
    }

    #[test]
    fn terminals_agree_on_single_characters_but_not_on_joined_ones() {
        assert_eq!(measured("a"), (1, 1, true));
        assert_eq!(measured("│"), (1, 1, true));
        assert_eq!(measured("日"), (2, 2, true));
        assert_eq!(measured("😀"), (2, 2, false));
        assert_eq!(measured("e\u{301}"), (1, 1, false));
        assert_eq!(measured("⌨\u{fe0f}"), (2, 2, false));
        assert_eq!(measured("👩\u{200d}🔬"), (2, 4, false));
    }

    #[test]
    fn a_link_is_separate_from_its_text() {
        let linked = wide("\x1b]8;id=page;https://shop.example/\x1b\\日\x1b]8;;\x1b\\", 2);
        let text = CellText::of(&linked);
        let link = "\x1b]8;id=page;https://shop.example/\x1b\\";
        assert_eq!((text.link, text.text, text.width, text.is_certain), (Some(link), "日", 2, true));
        // Any other sequence is part of the text.
        let other = wide("\x1b_Gimage\x1b\\", 3);
        let text = CellText::of(&other);
        assert_eq!((text.text, text.width, text.most, text.is_certain), (other.symbol(), 3, 3, false));
    }

    #[test]
    fn oversized_text_is_cut() {
        let joined = cell("👩\u{200d}🔬");
        let text = CellText::of(&joined);
        assert_eq!([4, 3, 1].map(|columns| text.fitting(columns)), ["👩\u{200d}🔬", "👩", " "]);
    }
}
