//! A screen cell that is cheap to compare: scrolling a list takes ten thousand comparisons.

use std::rc::Rc;

use ratatui::buffer::{Cell, CellWidth as _};

use crate::runtime::terminal::sgr::SgrStyle;

/// A cell as shown by the terminal, more compact than ratatui's: its width is stored, and short text compares as one
/// number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScreenCell {
    symbol: Symbol,
    pub(super) style: SgrStyle,
    /// The number of columns, at least one.
    pub(super) width: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Symbol {
    /// Up to eight bytes, padded with zeros.
    Short([u8; 8]),
    /// A link, or joined characters.
    Long(Rc<String>),
}

impl ScreenCell {
    /// A blank in the default style.
    pub(super) const EMPTY: Self = Self::blank(SgrStyle::PLAIN);

    pub(super) const fn blank(style: SgrStyle) -> Self {
        Self { symbol: Symbol::Short([b' ', 0, 0, 0, 0, 0, 0, 0]), style, width: 1 }
    }

    pub(super) fn of(cell: &Cell) -> Self {
        let width = cell.cell_width();
        // A lone combining character would change the preceding cell.
        let symbol = if width == 0 { " " } else { cell.symbol() };
        let mut bytes = [0; 8];
        let symbol = if let Some(place) = bytes.get_mut(..symbol.len()) {
            place.copy_from_slice(symbol.as_bytes());
            Symbol::Short(bytes)
        } else {
            Symbol::Long(Rc::new(symbol.to_owned()))
        };
        Self { symbol, style: SgrStyle::of(cell), width: width.max(1) }
    }

    pub(super) fn symbol(&self) -> &str {
        match &self.symbol {
            Symbol::Short(bytes) => str::from_utf8(bytes).map_or(" ", |text| text.trim_end_matches('\0')),
            Symbol::Long(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::CellDiffOption;
    use ratatui::style::Style;
    use std::num::NonZeroU16;

    #[test]
    fn screen_cells_are_equal_when_they_look_alike() {
        let symbols = [
            " ",
            "a",
            "b",
            "é",
            "è",
            "e\u{301}",
            "日",
            "ab",
            "ac",
            "abcdefg",
            "abcdefh",
            "abcdefgh",
            "abcdefgi",
            "abcdefghi",
            "abcdefghj",
        ];
        let styles = [Style::new(), Style::new().red(), Style::new().on_red(), Style::new().bold()];
        let widths = [1, 2, 8].map(|columns| CellDiffOption::ForcedWidth(NonZeroU16::new(columns).unwrap()));
        let mut cells = vec![Cell::EMPTY];
        for (symbol, style) in symbols.iter().flat_map(|symbol| styles.map(|style| (symbol, style))) {
            let mut cell = Cell::EMPTY;
            cell.set_symbol(symbol).set_style(style);
            cells.push(cell.clone());
            cells.extend(widths.map(|width| cell.clone().set_diff_option(width).clone()));
        }
        let look = |cell: &Cell| (cell.symbol().to_owned(), cell.style(), cell.cell_width());
        for (one, other) in cells.iter().flat_map(|one| cells.iter().map(move |other| (one, other))) {
            assert_eq!(ScreenCell::of(one) == ScreenCell::of(other), look(one) == look(other), "{one:?} {other:?}");
        }
        for cell in &cells {
            let made = ScreenCell::of(cell);
            assert_eq!((made.symbol(), made.style, made.width), (cell.symbol(), SgrStyle::of(cell), cell.cell_width()));
        }
    }

    #[test]
    fn a_text_without_columns_is_a_blank() {
        for symbol in ["", "\u{301}"] {
            assert_eq!(ScreenCell::of(Cell::EMPTY.clone().set_symbol(symbol)), ScreenCell::EMPTY);
        }
        assert_eq!(ScreenCell::of(&Cell::EMPTY), ScreenCell::EMPTY);
    }
}
