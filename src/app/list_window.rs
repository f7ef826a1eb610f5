//! Scrolling and cursor movement in a list of rows.

/// The visible range of a list; always contains the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListWindow {
    /// The index of the first visible row.
    pub top: usize,
}

/// A cursor movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorMove {
    /// By this many rows, down when positive.
    By(isize),
    /// Half pages, down when positive.
    HalfPages(isize),
    /// Pages, down when positive.
    Pages(isize),
    /// To the row with this index.
    To(usize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

impl CursorMove {
    /// Returns the new position of a cursor at `at` of `count` rows, if `fit` rows are visible.
    pub fn from(self, at: usize, count: usize, fit: usize) -> usize {
        let last = count.saturating_sub(1);
        // One row of the previous page stays visible for orientation.
        let page = fit.saturating_sub(1).max(1).cast_signed();
        let target = match self {
            Self::By(rows) => at.saturating_add_signed(rows),
            Self::HalfPages(pages) => at.saturating_add_signed(pages * (page / 2).max(1)),
            Self::Pages(pages) => at.saturating_add_signed(pages * page),
            Self::To(row) => row,
            Self::First => 0,
            Self::Last => last,
        };
        target.min(last)
    }
}

impl ListWindow {
    /// Moves the window as little as needed to show `at` and to leave no empty space below the last row.
    pub fn follow(&mut self, at: usize, count: usize, fit: usize) {
        let fit = fit.max(1);
        self.top = self.top.min(count.saturating_sub(fit));
        self.top = self.top.clamp((at + 1).saturating_sub(fit), at);
    }

    /// Moves the window along with the cursor's row, so that it keeps its screen line.
    pub fn follow_row(&mut self, old_at: usize, new_at: usize) {
        self.top = (self.top + new_at).saturating_sub(old_at);
    }

    /// Scrolls by lines within `lines` of text.
    pub fn scroll(&mut self, movement: CursorMove, lines: usize, fit: usize) {
        let last_top = lines.saturating_sub(fit);
        self.top = movement.from(self.top, last_top + 1, fit);
    }
}

/// A cursor in a list whose rows are computed on demand.
#[derive(Debug, Clone, Default)]
pub struct ListCursor {
    /// The index of the row.
    pub at: usize,
    /// The visible rows.
    pub window: ListWindow,
}

impl ListCursor {
    /// Moves within `count` rows.
    pub fn go(&mut self, movement: CursorMove, count: usize, fit: usize) {
        self.at = movement.from(self.at, count, fit);
        self.window.follow(self.at, count, fit);
    }

    /// Moves along with its row, which is at index `at` of `count` now, so that it keeps its screen line.
    pub fn follow_row(&mut self, at: usize, count: usize, fit: usize) {
        self.window.follow_row(self.at, at);
        self.go(CursorMove::To(at), count, fit);
    }

    /// Moves to the first line of the next or previous block, wrapping around. `starts` are the first lines of blocks.
    pub fn step_block(&mut self, mut starts: Vec<usize>, forward: bool) {
        let current = starts.iter().rposition(|start| *start <= self.at).unwrap_or_default();
        starts.rotate_left(current);
        let target = if forward { starts.get(1) } else { starts.last() };
        self.at = target.copied().unwrap_or_default();
    }
}

/// Returns the first line of each block; `lines` pairs each line with its block.
pub fn block_starts<B: PartialEq, T>(lines: &[(B, T)]) -> Vec<usize> {
    (0..lines.len()).filter(|at| *at == 0 || lines[at - 1].0 != lines[*at].0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cursor_is_always_inside_the_window(top in 0_usize..200, at in 0_usize..100, count in 1_usize..100, fit in 1_usize..50) {
            let at = at.min(count - 1);
            let mut window = ListWindow { top };
            window.follow(at, count, fit);
            prop_assert!(window.top <= at && at < window.top + fit);
        }

        #[test]
        fn cursor_moves_stay_within_the_rows(at in 0_usize..100, count in 0_usize..100, fit in 0_usize..50, by in -200_isize..200) {
            for movement in [CursorMove::By(by), CursorMove::HalfPages(by), CursorMove::Pages(by), CursorMove::To(at), CursorMove::First, CursorMove::Last] {
                prop_assert!(movement.from(at, count, fit) <= count.saturating_sub(1));
            }
        }
    }
}
