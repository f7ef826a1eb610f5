//! Hyperlinks (OSC 8), embedded in the cells of the finished frame.
//!
//! Each cell contains its whole link, so that comparing frames detects changed links.

use std::num::NonZeroU16;
use std::sync::Arc;

use ratatui::buffer::{Buffer, CellDiffOption, CellWidth};
use ratatui::layout::{Position, Rect};
use url::Url;

/// The longest URL in bytes; each of its cells contains a copy.
const LONGEST: usize = 300;

/// The cells with hyperlinks.
#[derive(Debug, Default)]
pub(super) struct Links {
    cells: Vec<(Position, Arc<str>)>,
}

impl Links {
    /// Adds a hyperlink to the cells of a line. A parsed URL contains no character that ends the sequence.
    pub(super) fn add(&mut self, line: Rect, url: &Url) {
        let address: Arc<str> = url.as_str().into();
        if address.len() <= LONGEST && address.bytes().all(|byte| byte.is_ascii_graphic()) {
            self.cells.extend(line.positions().map(|at| (at, Arc::clone(&address))));
        }
    }

    /// Removes the hyperlinks from an area.
    pub(super) fn cut(&mut self, place: Rect) {
        self.cells.retain(|(at, _)| !place.contains(*at));
    }

    /// Writes the hyperlinks to the cells.
    pub(super) fn apply(&self, buffer: &mut Buffer) {
        let mut next = None;
        for (at, address) in &self.cells {
            // The second cell of a wide character is never written.
            if next.is_some_and(|(row, column)| row == at.y && at.x < column) {
                continue;
            }
            let Some(cell) = buffer.cell_mut(*at) else { continue };
            let Some(width) = NonZeroU16::new(cell.cell_width()) else { continue };
            let linked = format!("\x1b]8;id=page;{address}\x1b\\{}\x1b]8;;\x1b\\", cell.symbol());
            cell.set_symbol(&linked).set_diff_option(CellDiffOption::ForcedWidth(width));
            next = Some((at.y, at.x + width.get()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn written(before: &Buffer, after: &Buffer) -> Vec<(u16, String)> {
        before.diff(after).into_iter().map(|(column, _, cell)| (column, cell.symbol().to_owned())).collect()
    }

    fn linked(text: &str, cut: Option<Rect>) -> Buffer {
        let area = Rect::new(0, 0, 10, 1);
        let mut buffer = Buffer::empty(area);
        buffer.set_string(0, 0, text, Style::new());
        let mut links = Links::default();
        links.add(Rect::new(0, 0, 4, 1), &Url::parse("https://shop.example/").unwrap());
        if let Some(cut) = cut {
            links.cut(cut);
            buffer.set_string(cut.x, cut.y, "#".repeat(usize::from(cut.width)), Style::new());
        }
        links.apply(&mut buffer);
        buffer
    }

    #[test]
    fn each_cell_is_a_link_of_its_own_and_wide_characters_are_one() {
        let empty = Buffer::empty(Rect::new(0, 0, 10, 1));
        let cells = written(&empty, &linked("a日b!", None));
        assert_eq!(cells.iter().map(|(column, _)| *column).collect::<Vec<_>>(), [0, 1, 3, 4]);
        assert_eq!(cells[1].1, "\x1b]8;id=page;https://shop.example/\x1b\\日\x1b]8;;\x1b\\");
        assert_eq!(cells[3].1, "!");
    }

    #[test]
    fn an_uncovered_link_is_written_again() {
        let whole = linked("shop", None);
        let covered = linked("shop", Some(Rect::new(2, 0, 3, 1)));
        let columns = |cells: Vec<(u16, String)>| cells.into_iter().map(|(column, _)| column).collect::<Vec<_>>();
        assert_eq!(columns(written(&whole, &covered)), [2, 3, 4]);
        assert_eq!(columns(written(&covered, &whole)), [2, 3, 4]);
        assert!(written(&whole, &whole).is_empty());
    }
}
