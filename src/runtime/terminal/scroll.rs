//! Finds rows that the terminal should scroll instead of rewriting them.
//!
//! Terminals scroll whole rows only, so panes beside a list move along and are rewritten. The cells saved are counted
//! to decide whether scrolling pays off.

use std::ops::Range;

use crate::runtime::terminal::screen_cell::ScreenCell;

/// The largest distance considered: a key scrolls by one row, the mouse wheel by up to three.
const FARTHEST: isize = 3;
/// The number of cells by which a row is recognised, starting at the first changed one.
const PROBE: usize = 40;
/// The minimum number of rows that reach their new position.
const LEAST_ROWS: usize = 3;
/// The minimum number of cells saved: the sequences for scrolling take about twenty bytes.
const LEAST_GAIN: isize = 100;
/// One in this many rows is compared completely; rows of a list are similar.
const SAMPLED_ROWS: usize = 8;

/// Rows that scroll together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowScroll {
    pub(super) top: usize,
    /// The last row of the range, inclusive.
    pub(super) bottom: usize,
    /// The distance; positive if rows move up. That many rows at the end of the range become blank.
    pub(super) by: isize,
}

impl RowScroll {
    /// Finds the scroll by which most rows reach their new position, if it saves enough cells. The two screens differ
    /// only in the changed columns.
    pub(super) fn find(shown: &[Vec<ScreenCell>], wanted: &[Vec<ScreenCell>], changed: &[Range<u16>]) -> Option<Self> {
        let changed = changed.iter().enumerate().filter(|(_, changed)| !changed.is_empty());
        let probes: Vec<_> = changed.map(|(row, changed)| (row, usize::from(changed.start))).collect();
        let candidate = |by: isize| {
            let has_moved = |&&(row, first): &&(usize, usize)| {
                let wanted = wanted[row][first..].iter().take(PROBE);
                let from = row.checked_add_signed(by).and_then(|from| shown.get(from));
                from.is_some_and(|from| from[first..].iter().zip(wanted).all(|(from, to)| from == to))
            };
            let mut moved = probes.iter().filter(has_moved).map(|(row, _)| *row);
            let first = moved.next()?;
            let (matches, last) = moved.fold((1, first), |(matches, _), row| (matches + 1, row));
            let (top, bottom) = (first.saturating_add_signed(by.min(0)), last.saturating_add_signed(by.max(0)));
            Some((matches, Self { top, bottom, by }))
        };
        let candidates = (1..=FARTHEST).flat_map(|by| [by, -by]).filter_map(candidate);
        let (matches, best) = candidates.max_by_key(|(matches, _)| *matches)?;
        (matches >= LEAST_ROWS && best.gain(shown, wanted) >= LEAST_GAIN).then_some(best)
    }

    /// Estimates the number of cells saved: moved rows are sampled by [`SAMPLED_ROWS`], and blank rows must be written
    /// completely.
    fn gain(self, shown: &[Vec<ScreenCell>], wanted: &[Vec<ScreenCell>]) -> isize {
        let differences = |from: usize, to: usize| {
            let cells = shown[from].iter().zip(&wanted[to]);
            cells.filter(|(from, to)| from != to).count().cast_signed()
        };
        let rows = self.top..=self.bottom;
        let moved =
            rows.clone().map(|to| (to.wrapping_add_signed(self.by), to)).filter(|(from, _)| rows.contains(from));
        let gains = moved.step_by(SAMPLED_ROWS).map(|(from, to)| differences(to, to) - differences(from, to));
        gains.sum::<isize>() * SAMPLED_ROWS.cast_signed() - self.by.abs() * wanted[self.top].len().cast_signed()
    }

    /// Scrolls the rows of a screen.
    pub(super) fn apply(self, rows: &mut [Vec<ScreenCell>]) {
        let range = &mut rows[self.top..=self.bottom];
        range.rotate_left(self.by.rem_euclid(range.len().cast_signed()).unsigned_abs());
        let blank =
            if self.by > 0 { range.len() - self.by.unsigned_abs()..range.len() } else { 0..self.by.unsigned_abs() };
        range[blank].iter_mut().for_each(|row| row.fill(ScreenCell::EMPTY));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::Cell;

    const COLUMNS: usize = 60;

    fn cell(number: u32) -> ScreenCell {
        let mut cell = Cell::EMPTY;
        if let Some(character) = char::from_digit(number % 36, 36).filter(|_| number > 0) {
            cell.set_char(character);
        }
        ScreenCell::of(&cell)
    }

    /// Rows of one character each; 0 is blank.
    fn screen(rows: &[u32]) -> Vec<Vec<ScreenCell>> {
        rows.iter().map(|number| vec![cell(*number); COLUMNS]).collect()
    }

    fn find(shown: &[Vec<ScreenCell>], wanted: &[Vec<ScreenCell>]) -> Option<RowScroll> {
        let rows = shown.iter().zip(wanted);
        let changed: Vec<_> = rows
            .map(|(shown, wanted)| {
                let differs = |at: &usize| shown[*at] != wanted[*at];
                let first = (0..COLUMNS).find(differs);
                first.map_or(0..0, |first| first as u16..(0..COLUMNS).rfind(differs).unwrap() as u16 + 1)
            })
            .collect();
        RowScroll::find(shown, wanted, &changed)
    }

    #[test]
    fn a_scrolled_list_is_found() {
        let before = screen(&[30, 1, 2, 3, 4, 5, 6, 31]);
        let found = |after: &[u32]| find(&before, &screen(after));
        let scroll = |by| Some(RowScroll { top: 1, bottom: 6, by });
        assert_eq!(found(&[30, 2, 3, 4, 5, 6, 7, 31]), scroll(1));
        assert_eq!(found(&[30, 0, 1, 2, 3, 4, 5, 31]), scroll(-1));
        assert_eq!(found(&[30, 4, 5, 6, 7, 8, 9, 31]), scroll(3));
        assert_eq!(found(&[30, 1, 2, 3, 4, 5, 6, 31]), None);
        assert_eq!(found(&[30, 11, 12, 13, 14, 15, 16, 31]), None);
    }

    #[test]
    fn a_pane_that_would_scroll_along_counts_against_it() {
        // Two thirds of each row stay, and no two rows are alike there.
        let rows = |first: u32| -> Vec<Vec<ScreenCell>> {
            let text = |row: u32, column| cell(if column < 20 { first + row } else { 20 + row });
            (0..8).map(|row| (0..60).map(|column| text(row, column)).collect()).collect()
        };
        assert_eq!(find(&rows(1), &rows(2)), None);
    }

    #[test]
    fn scrolled_rows_leave_blank_ones() {
        for (by, expected) in [(2, [1, 4, 5, 0, 0, 6]), (-2, [1, 0, 0, 2, 3, 6])] {
            let mut cells = screen(&[1, 2, 3, 4, 5, 6]);
            RowScroll { top: 1, bottom: 4, by }.apply(&mut cells);
            assert_eq!(cells, screen(&expected));
        }
    }

    #[test]
    fn screens_without_cells_do_not_scroll() {
        assert_eq!(RowScroll::find(&[], &[], &[]), None);
        assert_eq!(RowScroll::find(&[vec![]], &[vec![]], std::slice::from_ref(&(0..0))), None);
    }
}
