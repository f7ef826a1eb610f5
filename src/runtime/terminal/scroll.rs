//! Finds the rows that the terminal should scroll instead of having them written again.
//!
//! Terminals scroll whole rows only, so the panes beside a list move with it and are written again. The cells counted
//! here tell whether that pays.

use ratatui::buffer::Cell;

/// The largest distance that is looked for: a key scrolls by one row, a mouse wheel by up to three.
const FARTHEST: usize = 3;
/// The least number of cells that scrolling must save: its own sequences take about forty bytes.
const LEAST_GAIN: i32 = 100;

/// Rows that scroll together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowScroll {
    pub(super) top: usize,
    /// The last row of the range, inclusive.
    pub(super) bottom: usize,
    /// The distance. This many rows at the end of the range become blank.
    pub(super) by: usize,
    pub(super) is_up: bool,
}

impl RowScroll {
    /// The scroll that saves the most cells, if it saves enough. Both screens are rows of `columns` cells.
    pub(super) fn find(shown: &[Cell], wanted: &[Cell], columns: usize) -> Option<Self> {
        let shown: Vec<&[Cell]> = shown.chunks_exact(columns.max(1)).collect();
        let wanted: Vec<&[Cell]> = wanted.chunks_exact(columns.max(1)).collect();
        let blank = vec![Cell::EMPTY; columns];
        let in_place: Vec<i32> = shown.iter().zip(&wanted).map(|(shown, wanted)| differences(shown, wanted)).collect();
        let candidates = (1..=FARTHEST).flat_map(|by| [(by, true), (by, false)]).filter_map(|(by, is_up)| {
            best_range(shown.len().checked_sub(by)?, by, is_up, &|row: usize, from: Option<usize>| match from {
                Some(from) => in_place[row] - differences(shown[from], wanted[row]),
                None => in_place[row] - differences(&blank, wanted[row]),
            })
        });
        let (gain, scroll) = candidates.max_by_key(|(gain, _)| *gain)?;
        (gain >= LEAST_GAIN).then_some(scroll)
    }

    /// Scrolls rows of `columns` cells.
    pub(super) fn apply(self, cells: &mut [Cell], columns: usize) {
        let range = &mut cells[self.top * columns..(self.bottom + 1) * columns];
        let moved = self.by * columns;
        if self.is_up {
            range.rotate_left(moved);
            let kept = range.len() - moved;
            range[kept..].fill(Cell::EMPTY);
        } else {
            range.rotate_right(moved);
            range[..moved].fill(Cell::EMPTY);
        }
    }
}

/// The best range for one distance and the cells it saves. `gain(row, from)` is what a row saves when it gets the content
/// of another one, or of none. Scrolling down is scrolling up with the rows counted from the bottom.
fn best_range(
    count: usize,
    by: usize,
    is_up: bool,
    gain: &impl Fn(usize, Option<usize>) -> i32,
) -> Option<(i32, RowScroll)> {
    let row = |number: usize| if is_up { number } else { count + by - 1 - number };
    let mut best: Option<(i32, RowScroll)> = None;
    let (mut sum, mut start) = (0, 0);
    for end in 0..count {
        // The range that ends here and saves most: the one before with this row, or this row alone.
        if sum <= 0 {
            (sum, start) = (0, end);
        }
        sum += gain(row(end), Some(row(end + by)));
        let total = sum + (end + 1..=end + by).map(|emptied| gain(row(emptied), None)).sum::<i32>();
        if best.is_none_or(|(most, _)| total > most) {
            let (first, last) = (row(start), row(end + by));
            best = Some((total, RowScroll { top: first.min(last), bottom: first.max(last), by, is_up }));
        }
    }
    best
}

/// The number of cells that differ.
fn differences(one: &[Cell], other: &[Cell]) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(one != other)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 60;

    fn cell(number: u32) -> Cell {
        let mut cell = Cell::EMPTY;
        if let Some(character) = char::from_digit(number % 36, 36).filter(|_| number > 0) {
            cell.set_char(character);
        }
        cell
    }

    /// Rows of one character each; 0 is blank.
    fn screen(rows: &[u32]) -> Vec<Cell> {
        rows.iter().flat_map(|number| vec![cell(*number); COLUMNS]).collect()
    }

    #[test]
    fn a_scrolled_list_is_found() {
        let before = screen(&[30, 1, 2, 3, 4, 5, 6, 31]);
        let found = |after: &[u32]| RowScroll::find(&before, &screen(after), COLUMNS);
        let scroll = |by, is_up| Some(RowScroll { top: 1, bottom: 6, by, is_up });
        assert_eq!(found(&[30, 2, 3, 4, 5, 6, 7, 31]), scroll(1, true));
        assert_eq!(found(&[30, 0, 1, 2, 3, 4, 5, 31]), scroll(1, false));
        assert_eq!(found(&[30, 4, 5, 6, 7, 8, 9, 31]), scroll(3, true));
        assert_eq!(found(&[30, 1, 2, 3, 4, 5, 6, 31]), None);
        assert_eq!(found(&[30, 11, 12, 13, 14, 15, 16, 31]), None);
    }

    #[test]
    fn a_pane_that_would_scroll_along_counts_against_it() {
        // Two thirds of each row stay, and no two rows are alike there.
        let rows = |first: u32| -> Vec<Cell> {
            (0..8)
                .flat_map(|row| (0..60).map(move |column| cell(if column < 20 { first + row } else { 20 + row })))
                .collect()
        };
        assert_eq!(RowScroll::find(&rows(1), &rows(2), COLUMNS), None);
    }

    #[test]
    fn scrolled_rows_leave_blank_ones() {
        for (is_up, expected) in [(true, [1, 4, 5, 0, 0, 6]), (false, [1, 0, 0, 2, 3, 6])] {
            let mut cells = screen(&[1, 2, 3, 4, 5, 6]);
            RowScroll { top: 1, bottom: 4, by: 2, is_up }.apply(&mut cells, COLUMNS);
            assert_eq!(cells, screen(&expected));
        }
    }

    #[test]
    fn screens_without_cells_do_not_scroll() {
        assert_eq!(RowScroll::find(&[], &[], 0), None);
        assert_eq!(RowScroll::find(&[], &[], 5), None);
    }
}
