//! The drawing surface: every text is cut to its width in cells, and nothing is drawn outside the screen.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{StatefulWidget, Widget};
use unicode_segmentation::UnicodeSegmentation as _;
use url::Url;

use crate::app::frame_layout::{Area, FrameLayout, HitTarget};
use crate::app::overlays::form::text_field::TextEdit;
use crate::domain::look::Density;
use crate::domain::text::{fit, is_invisible, skip, width, wrap_within};
use crate::view::layout::{SMALLEST_HEIGHT, SMALLEST_WIDTH};
use crate::view::links::Links;
use crate::view::look::Look;

/// The minimum height of an area with an empty line under its heading.
const ROOMY: u16 = 16;
/// The minimum width of a table with two cells between columns.
const WIDE: u16 = 60;

/// A line as parts with their styles.
pub(super) type StyledText = Vec<(String, Style)>;

/// Appends spaces to a text that takes fewer cells.
pub(super) fn padded(text: &str, cells: usize) -> String {
    format!("{text}{}", " ".repeat(cells.saturating_sub(width(text))))
}

/// The frame's buffer, its layout, and what is applied at its end: the links, and the cursor of a text field.
pub(super) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    pub(super) look: &'a Look,
    pub(super) frame_layout: FrameLayout,
    focused_field: Option<FocusedField>,
    /// The start of the selected row, or of the focused choice.
    selected: Option<Position>,
    links: Links,
}

/// The text field that has the focus.
struct FocusedField {
    place: Rect,
    cursor: Position,
    /// For each cell of its text, the index of the cell's character.
    text_cells: Vec<usize>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, look: &'a Look) -> Self {
        // The theme's background covers the whole screen; a theme without one keeps the terminal's.
        if look.theme.text != Style::default() {
            buffer.set_style(*buffer.area(), look.theme.text);
        }
        let frame_layout = FrameLayout::default();
        Self { buffer, look, frame_layout, focused_field: None, selected: None, links: Links::default() }
    }

    /// Returns the layout, the terminal's cursor in the focused text field or on the selected row, and the links.
    pub(super) fn finish(mut self) -> (FrameLayout, Option<Position>, Links) {
        let cursor = self.focused_field.take().map(|FocusedField { place, cursor, text_cells }| {
            self.hit(place, HitTarget::Text);
            self.frame_layout.text_cells = text_cells;
            cursor
        });
        (self.frame_layout, cursor.or(self.selected.filter(|_| self.look.show_cursor)), self.links)
    }

    /// Makes an area clickable.
    pub(super) fn hit(&mut self, place: Rect, target: HitTarget) {
        let area = Area { column: place.x, row: place.y, width: place.width, height: place.height };
        self.frame_layout.hit_targets.push((area, target));
    }

    /// Makes cells of a line a hyperlink, if the terminal supports hyperlinks.
    pub(super) fn link(&mut self, at: (u16, u16), cells: u16, url: &Url) {
        if self.look.links {
            self.links.add(Rect::new(at.0, at.1, cells, 1), url);
        }
    }

    /// The number of empty lines under an area's heading.
    pub(super) fn under_heading(&self, place: Rect) -> u16 {
        u16::from(self.look.density == Density::Comfortable && place.height >= ROOMY)
    }

    /// The number of cells between two columns.
    pub(super) fn gap(&self, cells: u16) -> u16 {
        1 + u16::from(self.look.density == Density::Comfortable && cells >= WIDE)
    }

    /// Draws a text in at most `cells` cells of a line. Returns the number of cells used.
    pub(super) fn text(&mut self, at: (u16, u16), cells: u16, text: &str, style: Style) -> u16 {
        let area = *self.buffer.area();
        if !area.contains(Position::new(at.0, at.1)) {
            return 0;
        }
        let room = cells.min(area.right() - at.0);
        let text = fit(text, usize::from(room));
        let start = self.buffer.index_of(at.0, at.1);
        let mut cells = self.buffer.content[start..].iter_mut();
        let mut taken = 0;
        for character in text.chars() {
            if !takes_one_cell(character) {
                return self.graphemes(at, room, &text, style);
            }
            let Some(cell) = cells.next() else { break };
            cell.set_char(character).set_style(style);
            taken += 1;
        }
        taken
    }

    /// Draws a text with characters that may join or take two cells; nearly all texts have none. Returns the number of
    /// cells used.
    fn graphemes(&mut self, at: (u16, u16), room: u16, text: &str, style: Style) -> u16 {
        let (end, _) = self.buffer.set_stringn(at.0, at.1, text, usize::from(room), style);
        // The second cell of a wide character becomes visible if an overlay covers the first.
        let line = Rect::new(at.0, at.1, end - at.0, 1);
        self.buffer.set_style(line, self.look.theme.text.patch(style));
        end - at.0
    }

    /// The cell at a column and a row; `None` outside the screen.
    pub(super) fn cell(&mut self, at: (u16, u16)) -> Option<&mut Cell> {
        self.buffer.cell_mut(at)
    }

    /// Renders a ratatui widget.
    pub(super) fn render(&mut self, widget: impl Widget, place: Rect) {
        widget.render(place.intersection(*self.buffer.area()), self.buffer);
    }

    /// Renders a stateful ratatui widget.
    pub(super) fn render_with<W: StatefulWidget>(&mut self, widget: W, place: Rect, state: &mut W::State) {
        widget.render(place.intersection(*self.buffer.area()), self.buffer, state);
    }

    /// Draws a text right-aligned.
    pub(super) fn right(&mut self, at: (u16, u16), cells: u16, text: &str, style: Style) {
        let taken = (width(text).min(usize::from(cells))) as u16;
        self.text((at.0 + cells - taken, at.1), taken, text, style);
    }

    /// Draws a text wrapped within a place, cut with `…` if it does not fit. Returns the number of lines.
    pub(super) fn wrapped(&mut self, place: Rect, text: &str, style: Style) -> u16 {
        let lines = wrap_within(text, usize::from(place.width), usize::from(place.height));
        self.lines((place.x, place.y), place.width, &lines, style)
    }

    /// Draws lines from a place downwards. Returns their number.
    pub(super) fn lines(&mut self, at: (u16, u16), cells: u16, lines: &[String], style: Style) -> u16 {
        for (row, line) in (at.1..).zip(lines) {
            self.text((at.0, row), cells, line, style);
        }
        lines.len() as u16
    }

    /// Draws the parts of a line in sequence. Returns the number of cells used.
    pub(super) fn styled_text(&mut self, at: (u16, u16), cells: u16, pieces: &StyledText) -> u16 {
        let mut used = 0;
        for (text, style) in pieces {
            used += self.text((at.0 + used, at.1), cells - used, text, *style);
        }
        used
    }

    /// Patches the style of a whole line.
    pub(super) fn style_line(&mut self, at: (u16, u16), cells: u16, style: Style) {
        let line = Rect::new(at.0, at.1, cells, 1).intersection(*self.buffer.area());
        self.buffer.set_style(line, style);
    }

    /// Highlights the selected row.
    pub(super) fn select_row(&mut self, at: (u16, u16), cells: u16) {
        self.style_line(at, cells, self.look.theme.selected);
        self.selected = Some(at.into());
    }

    /// Draws a button or choice, highlighted if it has the focus. Returns the number of cells used.
    pub(super) fn choice(&mut self, at: (u16, u16), cells: u16, text: &str, is_focused: bool, unfocused: Style) -> u16 {
        if is_focused {
            self.selected = Some(at.into());
        }
        self.text(at, cells, text, if is_focused { self.look.theme.button } else { unfocused })
    }

    /// Dims an area for an overlay on top: colours and attributes are removed, texts stay. What it covers cannot be
    /// clicked; the hints are those of the overlay.
    pub(super) fn cover(&mut self, place: Rect) {
        self.buffer.set_style(place.intersection(*self.buffer.area()), self.look.theme.covered());
        self.frame_layout.hit_targets.retain(|(_, target)| matches!(target, HitTarget::Hint(_)));
        self.selected = None;
    }

    /// Clears an area for an overlay.
    pub(super) fn clear(&mut self, place: Rect) {
        let place = place.intersection(*self.buffer.area());
        self.links.cut(place);
        for position in place.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
                cell.set_style(self.look.theme.text);
            }
        }
        // A wide character cut by the left edge would draw over the area.
        if place.left() > 0 {
            for row in place.rows() {
                let before = Position::new(place.left() - 1, row.y);
                if let Some(cell) = self.buffer.cell_mut(before).filter(|cell| width(cell.symbol()) > 1) {
                    cell.set_symbol(" ");
                }
            }
        }
    }

    /// Patches the style of a range, in characters, of a focused text field.
    pub(super) fn style_in_field(
        &mut self,
        at: (u16, u16),
        cells: u16,
        field: &dyn TextEdit,
        part: &Range<usize>,
        style: Style,
    ) {
        let shown: Vec<char> = field.value().chars().map(|character| shown_character(character, false)).collect();
        let cells_before = |end: usize| width(&shown[..end.min(shown.len())].iter().collect::<String>());
        let skipped = cells_before(field.cursor()).saturating_sub(usize::from(cells.saturating_sub(1)));
        let [start, end] = [part.start, part.end]
            .map(|end| (cells_before(end).saturating_sub(skipped)).min(usize::from(cells)) as u16);
        self.style_line((at.0 + start, at.1), end.saturating_sub(start), style);
    }

    /// Draws a text field that has the focus, behind a mark.
    pub(super) fn prompt(&mut self, at: (u16, u16), cells: u16, mark: &str, field: &dyn TextEdit) {
        let used = self.text(at, cells, mark, self.look.theme.focus);
        self.field((at.0 + used, at.1), cells - used, field);
    }

    /// Draws a text field that has the focus.
    pub(super) fn field(&mut self, at: (u16, u16), cells: u16, field: &dyn TextEdit) {
        self.field_with(at, cells, field, true, false);
    }

    /// Draws a text field, scrolled to keep the cursor visible. The terminal's cursor is in it if it has the focus.
    pub(super) fn field_with(
        &mut self,
        at: (u16, u16),
        cells: u16,
        field: &dyn TextEdit,
        is_focused: bool,
        is_masked: bool,
    ) {
        let shown: Vec<char> = field.value().chars().map(|character| shown_character(character, is_masked)).collect();
        let before: String = shown[..field.cursor().min(shown.len())].iter().collect();
        let cells_before = width(&before);
        let skipped = cells_before.saturating_sub(usize::from(cells.saturating_sub(1)));
        let whole: String = shown.iter().collect();
        let visible = skip(&whole, skipped);
        self.text(at, cells, visible, self.look.theme.text);
        if is_focused {
            let column = at.0 + (cells_before - skipped) as u16;
            self.focused_field = Some(FocusedField {
                place: Rect::new(at.0, at.1, cells, 1),
                cursor: Position::new(column.min(at.0 + cells.saturating_sub(1)), at.1),
                text_cells: text_cells(&shown, skipped, usize::from(cells)),
            });
        }
    }

    /// Draws the message for a terminal that is too small.
    pub(super) fn too_small(&mut self, area: Rect) {
        let text = format!("{}×{}: reportdeck needs {SMALLEST_WIDTH}×{SMALLEST_HEIGHT}", area.width, area.height);
        self.wrapped(area, &text, self.look.theme.text);
    }
}

/// Returns the index of the character in each of `cells` cells of a text, after the first `skipped` cells.
fn text_cells(shown: &[char], skipped: usize, cells: usize) -> Vec<usize> {
    let text: String = shown.iter().collect();
    let (mut index, mut places) = (0, Vec::new());
    for part in text.graphemes(true) {
        places.extend(std::iter::repeat_n(index, width(part)));
        index += part.chars().count();
        if places.len() >= skipped + cells {
            break;
        }
    }
    places.into_iter().skip(skipped).take(cells).collect()
}

/// Whether a character takes one cell and never joins with others: ASCII, accented Latin letters, punctuation, arrows,
/// lines, blocks, marks.
fn takes_one_cell(character: char) -> bool {
    matches!(
        character,
        ' '..='~' | '\u{ae}'..='\u{2af}' | '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{21ff}'
            | '\u{2500}'..='\u{25fc}' | '\u{2713}'..='\u{2718}'
    )
}

fn shown_character(character: char, is_masked: bool) -> char {
    match character {
        '\n' => '⏎',
        _ if is_masked => '•',
        // A field may contain any typed or pasted character; those that could control the terminal are not drawn.
        _ if character.is_control() || is_invisible(character) => '�',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_written_one_by_one_take_one_cell_and_join_with_none() {
        let all: Vec<char> = ('\0'..='\u{ffff}').filter(|character| takes_one_cell(*character)).collect();
        assert!(all.len() > 1_000);
        for character in &all {
            for other in [all[0], 'e', '\u{2194}', *character] {
                let pair: String = [other, *character].iter().collect();
                assert_eq!((width(&pair), pair.graphemes(true).count()), (2, 2), "{:?}", character.escape_unicode());
            }
        }
    }
}
