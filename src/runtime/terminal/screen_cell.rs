//! A cell of the screen, made to be compared: a scrolled list takes ten thousand comparisons.

use ratatui::buffer::{Cell, CellWidth as _};

/// Stands for a text that is longer than [`ScreenCell::text`] has room for.
const LONG: u64 = u64::MAX;

/// A cell with its width and, up to seven bytes, its text as a number. To compare two texts and to measure one would
/// call two crates and the system for each cell.
#[derive(Debug, Clone)]
pub(super) struct ScreenCell {
    pub(super) cell: Cell,
    /// The columns it takes, at least one.
    pub(super) width: u16,
    /// The text's bytes, and their count last; or [`LONG`].
    text: u64,
}

impl ScreenCell {
    /// A blank.
    pub(super) const EMPTY: Self = Self { cell: Cell::EMPTY, width: 1, text: number_of(b" ") };

    pub(super) fn of(cell: &Cell) -> Self {
        Self { cell: cell.clone(), width: cell.cell_width().max(1), text: number_of(cell.symbol().as_bytes()) }
    }
}

impl PartialEq for ScreenCell {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&self.cell, &other.cell);
        self.text == other.text
            && (one.fg, one.bg, one.modifier, one.diff_option) == (two.fg, two.bg, two.modifier, two.diff_option)
            && (self.text != LONG || one == two)
    }
}

const fn number_of(text: &[u8]) -> u64 {
    if text.len() > 7 {
        return LONG;
    }
    let mut bytes = [0; 8];
    bytes.split_at_mut(text.len()).0.copy_from_slice(text);
    bytes[7] = text.len() as u8;
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::CellDiffOption;
    use ratatui::style::Style;
    use std::num::NonZeroU16;

    #[test]
    fn screen_cells_are_equal_when_their_cells_are() {
        let symbols =
            ["", " ", "a", "b", "é", "è", "e\u{301}", "日", "ab", "ac", "abcdefg", "abcdefh", "abcdefgh", "abcdefgi"];
        let styles = [Style::new(), Style::new().red(), Style::new().on_red(), Style::new().bold()];
        let wide = NonZeroU16::new(2).map_or(CellDiffOption::None, CellDiffOption::ForcedWidth);
        let mut cells = vec![Cell::EMPTY];
        for (symbol, style) in symbols.iter().flat_map(|symbol| styles.map(|style| (symbol, style))) {
            let mut cell = Cell::EMPTY;
            cell.set_symbol(symbol).set_style(style);
            cells.push(cell.clone());
            cell.set_diff_option(wide);
            cells.push(cell);
        }
        for (one, other) in cells.iter().flat_map(|one| cells.iter().map(move |other| (one, other))) {
            assert_eq!(ScreenCell::of(one) == ScreenCell::of(other), one == other, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_blank_is_an_empty_cell() {
        assert_eq!(ScreenCell::EMPTY, ScreenCell::of(&Cell::EMPTY));
        assert_eq!(ScreenCell::EMPTY.width, 1);
    }
}
