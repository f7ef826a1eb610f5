//! A bar of the shares of bad, decent and good reports. Bad comes first, so that it starts in the same column in every
//! row.
//!
//! The parts differ in shade as well as in colour.

use crate::domain::report::result_counts::ResultCounts;
use crate::view::canvas::StyledText;
use crate::view::theme::Theme;

/// Draws the bar in exactly `cells` cells; empty without reports.
pub(crate) fn shares(tally: ResultCounts, cells: usize, theme: &Theme) -> StyledText {
    let counts = [tally.bad, tally.decent, tally.good];
    let parts = [("█", theme.bad), ("▒", theme.decent), ("░", theme.good)];
    let wide = split(counts, cells);
    parts.iter().zip(wide).map(|((symbol, style), wide)| (symbol.repeat(wide), *style)).collect()
}

/// Splits the cells among the parts. Non-zero parts get at least one cell, if there are enough.
fn split(counts: [u64; 3], cells: usize) -> [usize; 3] {
    let sum: u64 = counts.iter().sum();
    if sum == 0 {
        return [0; 3];
    }
    let mut wide = counts.map(|count| (count * cells as u64 / sum) as usize);
    for at in 0..wide.len() {
        wide[at] = wide[at].max(usize::from(counts[at] > 0));
    }
    // Missing cells are given to the largest part, excess ones taken from the widest.
    while wide.iter().sum::<usize>() != cells {
        let missing = wide.iter().sum::<usize>() < cells;
        let by = |at: &usize| if missing { counts[*at] } else { wide[*at] as u64 };
        let Some(at) = (0..wide.len()).max_by_key(by) else { break };
        wide[at] = if missing { wide[at] + 1 } else { wide[at] - 1 };
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_width_of_a_part_follows_its_count() {
        assert_eq!(split([3, 3, 0], 6), [3, 3, 0]);
        assert_eq!(split([1, 0, 999], 6), [1, 0, 5]);
        assert_eq!(split([1, 1, 999], 6), [1, 1, 4]);
        assert_eq!(split([2, 1, 4], 6), [1, 1, 4]);
        assert_eq!(split([0, 0, 0], 6), [0, 0, 0]);
    }

    proptest! {
        #[test]
        fn a_bar_fills_its_cells_and_shows_every_part(bad in 0_u64..100_000, decent in 0_u64..100_000, good in 1_u64..100_000, cells in 3_usize..20) {
            let wide = split([bad, decent, good], cells);
            prop_assert_eq!(wide.iter().sum::<usize>(), cells);
            for (wide, count) in wide.iter().zip([bad, decent, good]) {
                prop_assert_eq!(*wide > 0, count > 0);
            }
        }
    }
}
