//! Which rows are shown and in what order: filter, then sort.
//!
//! A pure function of rows and wishes, so that it can run beside the loop and be measured alone.
//! Must not know who waits for the result.

use std::sync::Arc;

use crate::domain::columns::Column;
use crate::domain::filter::Filter;
use crate::domain::query::Direction;
use crate::domain::report::Report;
use crate::domain::work_order::{Surroundings, in_work_order};

/// The loaded rows of a list in the order in which they came; `None` is a row that was deleted, so that places never move.
pub type Rows = Vec<Option<Arc<Report>>>;

/// What a person wants to see of the loaded rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    /// Only this project, by its raw name; `None` keeps all.
    pub project: Option<String>,
    /// What is kept.
    pub filter: Filter,
    /// The order; `None` keeps the order in which the rows came.
    pub sort: Option<(Column, Direction)>,
    /// What ages, states and the order of work go by.
    pub around: Surroundings,
}

/// The places in `rows` of what is shown, in order. Equal rows keep the order in which they came.
pub fn arrange(rows: &[Option<Arc<Report>>], arrangement: &Arrangement) -> Vec<u32> {
    let mut shown = kept(rows, 0, arrangement);
    if let Some((column, direction)) = arrangement.sort {
        sort(rows, &mut shown, (column, direction), &arrangement.around);
    }
    shown
}

/// The places, from `start` on, of the rows that the filter keeps.
pub fn kept(rows: &[Option<Arc<Report>>], start: usize, arrangement: &Arrangement) -> Vec<u32> {
    let in_project = |report: &Report| arrangement.project.as_ref().is_none_or(|name| report.project.raw() == name);
    let Surroundings { triages, now, .. } = &arrangement.around;
    let fits = |report: &Report| in_project(report) && arrangement.filter.keeps(report, triages, *now);
    let keeps = |place: &usize| rows[*place].as_ref().is_some_and(|report| fits(report));
    (start..rows.len()).filter(keeps).map(|place| place as u32).collect()
}

fn sort(rows: &[Option<Arc<Report>>], shown: &mut Vec<u32>, sort: (Column, Direction), around: &Surroundings) {
    let (column, direction) = sort;
    if column == Column::Work {
        // Sums are made once per row, not once per comparison.
        *shown = in_work_order(rows, shown, around);
        if direction == Direction::Ascending {
            shown.reverse();
        }
        return;
    }
    let compare = column.entry().compare;
    shown.sort_by(|a, b| match (&rows[*a as usize], &rows[*b as usize]) {
        (Some(a), Some(b)) => match direction {
            Direction::Ascending => compare(a, b, around),
            Direction::Descending => compare(b, a, around),
        },
        // Deleted rows were filtered out before.
        (None, _) | (_, None) => std::cmp::Ordering::Equal,
    });
}

/// Whether rows came in the order that was asked for; a service that ignores `sort_by` is found out by this.
pub fn is_sorted(rows: &[Option<Arc<Report>>], column: Column, direction: Direction, around: &Surroundings) -> bool {
    let compare = column.entry().compare;
    rows.iter().flatten().zip(rows.iter().flatten().skip(1)).all(|(a, b)| match direction {
        Direction::Ascending => compare(a, b, around).is_le(),
        Direction::Descending => compare(a, b, around).is_ge(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::outcome::Outcome;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;
    use strum::IntoEnumIterator;

    fn rows(specification: &[(u8, u8)]) -> Rows {
        specification
            .iter()
            .enumerate()
            .map(|(place, (score, letter))| {
                let url = format!("https://shop.example/{}", char::from(b'a' + letter % 26));
                let mut report = row(&place.to_string(), &url, Outcome::from_score(f64::from(*score)));
                report.score = Some(*score);
                Some(Arc::new(report))
            })
            .collect()
    }

    proptest! {
        #[test]
        fn an_arrangement_is_a_sorted_subset_without_doubles(
            specification in proptest::collection::vec((0_u8..=100, 0_u8..26), 0..60),
            which in 0_usize..10, descending: bool, filter in "[ab]?( result:bad)?( score:<60)?",
        ) {
            let rows = rows(&specification);
            let column = Column::iter().nth(which).unwrap();
            let direction = if descending { Direction::Descending } else { Direction::Ascending };
            let arrangement =
                Arrangement { project: None, filter: Filter::parse(&filter), sort: Some((column, direction)), around: Surroundings::default() };
            let shown = arrange(&rows, &arrangement);
            let picked: Rows = shown.iter().map(|place| rows[*place as usize].clone()).collect();
            prop_assert!(is_sorted(&picked, column, direction, &arrangement.around));
            let mut places = shown.clone();
            places.sort_unstable();
            places.dedup();
            prop_assert_eq!(places.len(), shown.len());
            prop_assert_eq!(places, kept(&rows, 0, &arrangement));
        }
    }

    #[test]
    fn deleted_rows_are_never_shown() {
        let mut rows = rows(&[(10, 0), (20, 1)]);
        rows[0] = None;
        let arrangement =
            Arrangement { project: None, filter: Filter::default(), sort: None, around: Surroundings::default() };
        assert_eq!(arrange(&rows, &arrangement), [1]);
    }
}
