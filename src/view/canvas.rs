//! Painting texts into cells: every text is cut to its place by cells, and nothing outside the screen is touched.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{StatefulWidget, Widget};
use url::Url;

use crate::app::overlays::form::text_field::TextEdit;
use crate::domain::look::Density;
use crate::domain::text::{fit, width};
use crate::view::layout::{SMALLEST_HEIGHT, SMALLEST_WIDTH};
use crate::view::links::Links;
use crate::view::look::Look;

/// An area from this height on has room for an empty line.
const ROOMY: u16 = 16;
/// A table from this width on has room for two cells between its columns.
const WIDE: u16 = 60;

/// Texts of one line in several styles.
pub(super) type StyledText = Vec<(String, Style)>;

/// A screen to paint on.
pub(super) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    pub(super) look: &'a Look,
    cursor: Option<Position>,
    links: Links,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, look: &'a Look) -> Self {
        // The background of the theme lies under everything; a theme without one leaves the terminal's.
        if look.theme.text != Style::default() {
            buffer.set_style(*buffer.area(), look.theme.text);
        }
        Self { buffer, look, cursor: None, links: Links::default() }
    }

    /// Where the terminal's cursor belongs, if a text is being typed, and what is clickable.
    pub(super) fn finish(self) -> (Option<Position>, Links) {
        (self.cursor, self.links)
    }

    /// Makes what is painted on a line clickable, where the terminal can do that.
    pub(super) fn link(&mut self, at: (u16, u16), cells: u16, url: &Url) {
        if self.look.links {
            self.links.add(Rect::new(at.0, at.1, cells, 1), url);
        }
    }

    /// Empty lines under the heading of an area: one where there is room and it is wanted.
    pub(super) fn under_heading(&self, place: Rect) -> u16 {
        u16::from(self.look.density == Density::Comfortable && place.height >= ROOMY)
    }

    /// Cells between columns.
    pub(super) fn gap(&self, cells: u16) -> u16 {
        1 + u16::from(self.look.density == Density::Comfortable && cells >= WIDE)
    }

    /// Paints a text into one line of at most `cells` cells; returns how many it took.
    pub(super) fn text(&mut self, at: (u16, u16), cells: u16, text: &str, style: Style) -> u16 {
        let area = *self.buffer.area();
        if !area.contains(Position::new(at.0, at.1)) {
            return 0;
        }
        let room = cells.min(area.right() - at.0);
        let text = fit(text, usize::from(room));
        let (end, _) = self.buffer.set_stringn(at.0, at.1, &text, usize::from(room), style);
        if !text.is_ascii() {
            // The second cell of a wide character is seen when something is laid over the first.
            let line = Rect::new(at.0, at.1, end - at.0, 1);
            self.buffer.set_style(line, self.look.theme.text.patch(style));
        }
        end - at.0
    }

    /// Renders a widget of ratatui.
    pub(super) fn render(&mut self, widget: impl Widget, place: Rect) {
        widget.render(place.intersection(*self.buffer.area()), self.buffer);
    }

    /// Renders a widget of ratatui that has a state.
    pub(super) fn render_with<W: StatefulWidget>(&mut self, widget: W, place: Rect, state: &mut W::State) {
        widget.render(place.intersection(*self.buffer.area()), self.buffer, state);
    }

    /// Paints a text at the right end of a place.
    pub(super) fn right(&mut self, at: (u16, u16), cells: u16, text: &str, style: Style) {
        let taken = (width(text).min(usize::from(cells))) as u16;
        self.text((at.0 + cells - taken, at.1), taken, text, style);
    }

    /// Paints pieces one after the other.
    pub(super) fn pieces(&mut self, at: (u16, u16), cells: u16, pieces: &StyledText) -> u16 {
        let mut used = 0;
        for (text, style) in pieces {
            used += self.text((at.0 + used, at.1), cells - used, text, *style);
        }
        used
    }

    /// Gives a whole line a style, over what is painted there.
    pub(super) fn style_line(&mut self, at: (u16, u16), cells: u16, style: Style) {
        let line = Rect::new(at.0, at.1, cells, 1).intersection(*self.buffer.area());
        self.buffer.set_style(line, style);
    }

    /// Empties a place, for what is laid over it.
    pub(super) fn clear(&mut self, place: Rect) {
        let place = place.intersection(*self.buffer.area());
        self.links.cut(place);
        for position in place.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
                cell.set_style(self.look.theme.text);
            }
        }
        // A wide character cut in two by the left edge would draw over it.
        if place.left() > 0 {
            for row in place.rows() {
                let before = Position::new(place.left() - 1, row.y);
                if let Some(cell) = self.buffer.cell_mut(before).filter(|cell| width(cell.symbol()) > 1) {
                    cell.set_symbol(" ");
                }
            }
        }
    }

    /// Paints a text field with the terminal's cursor in it, scrolled so that the cursor is inside.
    pub(super) fn field(&mut self, at: (u16, u16), cells: u16, field: &dyn TextEdit, focused: bool, masked: bool) {
        let shown: Vec<char> = field.value().chars().map(|character| shown_character(character, masked)).collect();
        let before: String = shown[..field.cursor().min(shown.len())].iter().collect();
        let cells_before = width(&before);
        let room = usize::from(cells.saturating_sub(1));
        let skipped = cells_before.saturating_sub(room);
        let whole: String = shown.iter().collect();
        let visible = crate::domain::text::skip(&whole, skipped);
        self.text(at, cells, visible, self.look.theme.text);
        if focused {
            let column = at.0 + (cells_before - skipped.min(cells_before)) as u16;
            self.cursor = Some(Position::new(column.min(at.0 + cells.saturating_sub(1)), at.1));
        }
    }

    /// What is shown when nothing useful fits.
    pub(super) fn too_small(&mut self, area: Rect) {
        let text = format!("{}×{}: reportdeck needs {SMALLEST_WIDTH}×{SMALLEST_HEIGHT}", area.width, area.height);
        for (row, line) in crate::domain::text::wrap(&text, usize::from(area.width)).iter().enumerate() {
            self.text((area.x, area.y.saturating_add(row as u16)), area.width, line, self.look.theme.text);
        }
    }
}

fn shown_character(character: char, masked: bool) -> char {
    match character {
        '\n' => '⏎',
        _ if masked => '•',
        // A field takes what was typed or pasted; what could act on the terminal is not painted.
        _ if character.is_control() || crate::domain::text::is_invisible(character) => '�',
        _ => character,
    }
}
