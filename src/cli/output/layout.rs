//! The layout of a table on a terminal: which columns fit, and their widths. Pure functions over widths in cells.

use super::column::{Fit, TableColumn};

/// Cells between two columns.
pub const GAP: usize = 2;

/// A column that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FittedColumn {
    /// The index among all columns.
    pub at: usize,
    /// The width in cells.
    pub width: usize,
}

/// Returns the columns that fit into `room` cells. `needed` is the width of each column's widest value; columns without
/// any value (0) are not shown.
pub fn fitted(columns: &[TableColumn], needed: &[usize], room: usize) -> Vec<FittedColumn> {
    let least = |at: usize| match columns[at].fit {
        Fit::Whole | Fit::Time | Fit::Below => needed[at],
        Fit::End(least) | Fit::Middle(least) | Fit::Wrap(least) => needed[at].min(least),
    };
    let is_shown = |at: &usize| needed[*at] > 0 && columns[*at].fit != Fit::Below;
    let mut shown: Vec<FittedColumn> =
        (0..columns.len()).filter(is_shown).map(|at| FittedColumn { at, width: least(at) }).collect();
    while shown.len() > 1 && total(&shown) > room {
        let last = shown.iter().enumerate().max_by_key(|(_, column)| columns[column.at].rank);
        if let Some((place, _)) = last {
            shown.remove(place);
        }
    }
    if let [only] = shown.as_mut_slice() {
        only.width = needed[only.at].min(room);
        return shown;
    }
    // The remaining width goes to the columns with the lowest ranks.
    let mut left = room.saturating_sub(total(&shown));
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.sort_by_key(|place| columns[shown[*place].at].rank);
    for place in order {
        let more = (needed[shown[place].at] - shown[place].width).min(left);
        shown[place].width += more;
        left -= more;
    }
    shown
}

fn total(shown: &[FittedColumn]) -> usize {
    shown.iter().map(|column| column.width).sum::<usize>() + GAP * shown.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::output::column::{DELETED, FINDING, LISTED_KEY, PROJECT, REPORT, SETTING};
    use proptest::prelude::*;

    fn names(needed: [usize; 8], room: usize) -> Vec<(&'static str, usize)> {
        fitted(REPORT, &needed, room).iter().map(|shown| (REPORT[shown.at].name, shown.width)).collect()
    }

    #[test]
    fn columns_drop_and_shorten_by_rank() {
        let needed = [4, 60, 20, 6, 5, 12, 8, 12];
        assert_eq!(names(needed, 200).len(), 8);
        assert_eq!(
            names(needed, 80),
            [("id", 4), ("url", 33), ("project", 10), ("result", 6), ("score", 5), ("generated_at", 12)]
        );
        assert_eq!(names(needed, 48), [("id", 4), ("url", 34), ("result", 6)]);
        assert_eq!(names(needed, 40), [("url", 32), ("result", 6)]);
        assert_eq!(names(needed, 10), [("url", 10)]);
        assert_eq!(names([4, 20, 0, 6, 0, 0, 0, 0], 80), [("id", 4), ("url", 20), ("result", 6)], "no empty columns");
    }

    #[test]
    fn forty_columns_still_show_why_a_check_failed() {
        let needed = ["configuration".len(), "failed".len(), 90, 60];
        let names: Vec<&str> = fitted(FINDING, &needed, 40).iter().map(|shown| FINDING[shown.at].name).collect();
        assert_eq!(names, ["check", "state", "found"]);
    }

    #[test]
    fn eighty_columns_show_whose_each_key_is() {
        let times = ["created_at", "last_used_at", "13 min ago", "revoked_at"].map(str::len);
        let needed = [&["ana-phone", "number", "viewer", "person"].map(str::len)[..], &times].concat();
        let names: Vec<&str> = fitted(LISTED_KEY, &needed, 80).iter().map(|shown| LISTED_KEY[shown.at].name).collect();
        assert!(names.contains(&"person") && !names.contains(&"created_at"), "{names:?}");
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_the_terminal(needed in proptest::collection::vec(0_usize..120, 8), room in 1_usize..200) {
            for columns in [REPORT, PROJECT, DELETED, FINDING, SETTING] {
                let shown = fitted(columns, &needed, room);
                prop_assert!(total(&shown) <= room, "{shown:?}");
                prop_assert!(shown.iter().all(|column| column.width <= needed[column.at]));
            }
        }
    }
}
