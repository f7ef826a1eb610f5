//! Which rows are best moved instead of being written again.
//!
//! Only whole rows can be moved (no terminal of everybody's moves parts of them), so what stands beside a list has to be
//! put right again: whether that pays is guessed here by counting cells, and known when both ways are written.
//! Must not know what a cell is: each is a number, and different ones look different.

/// More rows than this are not looked for: keys move by one, wheels by up to three.
const FARTHEST: usize = 3;
/// Fewer cells than this are not worth what moving takes.
const LEAST: i32 = 100;

/// Rows that move together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The first row of the range.
    pub(super) top: usize,
    /// The last row of the range.
    pub(super) bottom: usize,
    /// By so many rows; the rows that are left empty are blank.
    pub(super) by: usize,
    /// Towards the top, or towards the bottom.
    pub(super) is_up: bool,
}

/// What stands in a row after others moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// What stood in this row.
    Row(usize),
    /// Nothing.
    Blank,
}

impl Shift {
    /// Where the content of a row comes from.
    pub(super) fn source(self, row: usize) -> Source {
        if row < self.top || row > self.bottom {
            return Source::Row(row);
        }
        let from = if self.is_up { row.checked_add(self.by) } else { row.checked_sub(self.by) };
        from.filter(|from| (self.top..=self.bottom).contains(from)).map_or(Source::Blank, Source::Row)
    }
}

/// The shift after which the fewest cells have to be written, and how many it saves, if that is worth it.
pub(super) fn best<T: Copy + PartialEq>(shown: &[T], wanted: &[T], columns: usize, blank: T) -> Option<(i32, Shift)> {
    if columns == 0 || shown.len() != wanted.len() {
        return None;
    }
    let shown: Vec<&[T]> = shown.chunks_exact(columns).collect();
    let wanted: Vec<&[T]> = wanted.chunks_exact(columns).collect();
    let blank = vec![blank; columns];
    let in_place: Vec<i32> = shown.iter().zip(&wanted).map(|(was, is)| different(was, is)).collect();
    let from_blank: Vec<i32> = wanted.iter().map(|is| different(&blank, is)).collect();
    let mut found: Option<(i32, Shift)> = None;
    for by in 1..=FARTHEST {
        for is_up in [true, false] {
            let rows = Rows { shown: &shown, wanted: &wanted, in_place: &in_place, from_blank: &from_blank };
            let most = found.map_or(LEAST, |(most, _)| most);
            found = rows.best(by, is_up).filter(|(gain, _)| *gain > most).or(found);
        }
    }
    found
}

struct Rows<'a, T> {
    shown: &'a [&'a [T]],
    wanted: &'a [&'a [T]],
    in_place: &'a [i32],
    from_blank: &'a [i32],
}

impl<T: PartialEq> Rows<'_, T> {
    /// The best range for one distance, and how many cells it saves. Down is up with the rows counted from the bottom.
    fn best(&self, by: usize, is_up: bool) -> Option<(i32, Shift)> {
        let count = self.wanted.len();
        let row = |number: usize| if is_up { number } else { count - 1 - number };
        let mut best: Option<(i32, Shift)> = None;
        let (mut sum, mut start) = (0, 0);
        for end in 0..count.saturating_sub(by) {
            // The range that ends here and saves most: the one before with this row, or this row alone.
            if sum <= 0 {
                (sum, start) = (0, end);
            }
            sum += self.in_place[row(end)] - different(self.shown[row(end + by)], self.wanted[row(end)]);
            let emptied = (end + 1..=end + by).map(row);
            let gain = sum + emptied.map(|row| self.in_place[row] - self.from_blank[row]).sum::<i32>();
            if best.is_none_or(|(most, _)| gain > most) {
                let (first, last) = (row(start), row(end + by));
                best = Some((gain, Shift { top: first.min(last), bottom: first.max(last), by, is_up }));
            }
        }
        best
    }
}

/// How many numbers differ.
pub(super) fn different<T: PartialEq>(one: &[T], other: &[T]) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(one != other)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 60;

    /// Rows of one number each.
    fn screen(rows: &[u32]) -> Vec<u32> {
        rows.iter().flat_map(|number| [*number; COLUMNS]).collect()
    }

    #[test]
    fn a_list_that_moved_is_found() {
        let before = screen(&[90, 1, 2, 3, 4, 5, 6, 91]);
        let found = |after: &[u32]| best(&before, &screen(after), COLUMNS, 0).map(|(_, shift)| shift);
        let shift = |by, is_up| Some(Shift { top: 1, bottom: 6, by, is_up });
        assert_eq!(found(&[90, 2, 3, 4, 5, 6, 7, 91]), shift(1, true));
        assert_eq!(found(&[90, 0, 1, 2, 3, 4, 5, 91]), shift(1, false));
        assert_eq!(found(&[90, 4, 5, 6, 7, 8, 9, 91]), shift(3, true));
        assert_eq!(found(&[90, 1, 2, 3, 4, 5, 6, 91]), None);
        assert_eq!(found(&[90, 11, 12, 13, 14, 15, 16, 91]), None);
    }

    #[test]
    fn what_stands_beside_and_would_move_too_is_counted() {
        // Two thirds of each row stand still, and no two rows are alike there: moving would only do harm.
        let rows = |first: u32| -> Vec<u32> {
            (0..8)
                .flat_map(|row| (0..60).map(move |column| if column < 20 { first + row } else { 100 + row }))
                .collect()
        };
        assert_eq!(best(&rows(1), &rows(2), COLUMNS, 0), None);
    }

    #[test]
    fn rows_come_from_where_the_range_is() {
        let up = Shift { top: 2, bottom: 5, by: 2, is_up: true };
        let sources: Vec<Source> = (1..7).map(|row| up.source(row)).collect();
        let [one, four, five, six] = [1, 4, 5, 6].map(Source::Row);
        assert_eq!(sources, [one, four, five, Source::Blank, Source::Blank, six]);
        let down = Shift { is_up: false, ..up };
        let [two, three] = [2, 3].map(Source::Row);
        assert_eq!([2, 3, 4, 5].map(|row| down.source(row)), [Source::Blank, Source::Blank, two, three]);
    }

    #[test]
    fn screens_without_cells_have_nothing_to_move() {
        assert_eq!(best(&[], &[], 0, 0), None);
        assert_eq!(best(&[], &[], 5, 0), None);
        assert_eq!(best(&[1, 2, 3], &[2, 3, 4], 3, 0), None);
    }
}
