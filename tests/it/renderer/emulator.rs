//! A terminal emulator fed with the renderer's output, compared with the drawn buffer.

use std::num::NonZeroU16;

use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

/// A terminal emulator.
pub struct Seen(vt100::Parser);

impl Seen {
    pub fn new(size: Size) -> Self {
        Self(vt100::Parser::new(number(size.height), number(size.width), 0))
    }

    pub fn resize(&mut self, size: Size) {
        self.0.screen_mut().set_size(number(size.height), number(size.width));
    }

    pub fn write(&mut self, bytes: &[u8]) {
        self.0.process(bytes);
    }

    /// Asserts that every cell, its style and the cursor are as drawn.
    #[track_caller]
    pub fn shows(&self, drawn: &Buffer, cursor: Option<Position>, what: &str) {
        self.shows_cells(drawn, what);
        let screen = self.0.screen();
        assert_eq!(screen.hide_cursor(), cursor.is_none(), "the cursor {what}");
        if let Some(at) = cursor {
            assert_eq!(screen.cursor_position(), (at.y, at.x), "the cursor {what}");
        }
    }

    /// Asserts that every cell and its style are as drawn.
    #[track_caller]
    pub fn shows_cells(&self, drawn: &Buffer, what: &str) {
        let screen = self.0.screen();
        for row in 0..drawn.area.height {
            let mut column = 0;
            while column < drawn.area.width {
                let wanted = &drawn[(column, row)];
                let shown = screen.cell(row, column).unwrap();
                let text = text(wanted);
                let holds = match (text, shown.contents()) {
                    (" ", contents) => contents.is_empty() || contents == " ",
                    // Terminals that do not combine the characters of a cell show the first one.
                    (text, contents) => !contents.is_empty() && text.starts_with(contents),
                };
                let (wanted_looks, shown_looks) = (looks(wanted, text == " "), shown_looks(shown, wanted));
                assert!(
                    holds && wanted_looks == shown_looks,
                    "{wanted:?} is shown as {:?} {shown_looks:?} at row {row}, column {column} {what}\n{}",
                    shown.contents(),
                    screen.contents()
                );
                let end = column + wanted.cell_width().max(1);
                for covered in column + 1..end.min(drawn.area.width) {
                    let rest = screen.cell(row, covered).unwrap().contents();
                    let is_part = rest.is_empty() || rest == " " || text.contains(rest);
                    assert!(is_part, "{wanted:?} leaves {rest:?} at row {row}, column {covered} {what}");
                }
                column = end;
            }
        }
    }
}

/// The visible style: background, foreground if there is text, bold, dim, italic, underlined, reversed.
type Looks = (vt100::Color, Option<vt100::Color>, [bool; 5]);

fn looks(cell: &Cell, is_blank: bool) -> Looks {
    let has = |modifier| cell.modifier.contains(modifier);
    let marked = [has(Modifier::UNDERLINED), has(Modifier::REVERSED)];
    let letters = [has(Modifier::BOLD), has(Modifier::DIM), has(Modifier::ITALIC)];
    seen(colour(cell.bg), colour(cell.fg), letters, marked, is_blank)
}

fn shown_looks(cell: &vt100::Cell, wanted: &Cell) -> Looks {
    // The emulator keeps only one of bold and dim.
    let is_both = wanted.modifier.contains(Modifier::BOLD | Modifier::DIM) && (cell.bold() || cell.dim());
    let letters = [cell.bold() || is_both, cell.dim() || is_both, cell.italic()];
    let marked = [cell.underline(), cell.inverse()];
    seen(cell.bgcolor(), cell.fgcolor(), letters, marked, text(wanted) == " ")
}

fn seen(ground: vt100::Color, text: vt100::Color, letters: [bool; 3], marked: [bool; 2], is_blank: bool) -> Looks {
    let is_plain = is_blank && marked == [false; 2];
    let [bold, dim, italic] = if is_plain { [false; 3] } else { letters };
    let [underlined, reversed] = marked;
    (ground, (!is_plain).then_some(text), [bold, dim, italic, underlined, reversed])
}

fn colour(colour: Color) -> vt100::Color {
    let named = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    match colour {
        Color::Reset => vt100::Color::Default,
        Color::Indexed(index) => vt100::Color::Idx(index),
        Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
        other => vt100::Color::Idx(named.iter().position(|named| *named == other).unwrap() as u8),
    }
}

/// Returns the readable text of a cell, even if it is a link.
fn text(cell: &Cell) -> &str {
    let symbol = cell.symbol();
    match symbol.strip_suffix("\x1b]8;;\x1b\\").and_then(|symbol| symbol.rsplit_once("\x1b\\")) {
        Some((_, text)) => text,
        None => symbol,
    }
}

fn number(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}
