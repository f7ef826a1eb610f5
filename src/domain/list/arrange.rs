//! Selects and orders the shown rows: filter, then sort.
//!
//! A pure function, so that it can run on another thread and be benchmarked in isolation.

use std::ops::Range;

use crate::domain::list::columns::{Column, SortKey};
use crate::domain::list::filter::Filter;
use crate::domain::list::query::Direction;
use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::triage::urgency::{RowContext, by_urgency};

/// The filter and sort order of the shown rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    /// Only this project, by raw name; `None` for all.
    pub project: Option<String>,
    /// The filter.
    pub filter: Filter,
    /// The sort order; `None` keeps the order of arrival.
    pub sort: Option<(Column, Direction)>,
    /// Context for ages, triage states and urgency.
    pub around: RowContext,
    /// Candidate positions, already in the requested order; `None` for all rows, still to be sorted.
    pub among: Option<Vec<u32>>,
}

impl Arrangement {
    /// Whether rows must be inspected one by one; otherwise all are shown in order of arrival.
    pub fn looks_at_rows(&self) -> bool {
        self.project.is_some() || !self.filter.is_empty() || self.sort.is_some()
    }

    /// Whether this arrangement's rows are an ordered subset of those of `wider`, so that only those need inspecting,
    /// as when a letter is added to the filter.
    pub fn narrows(&self, wider: &Self) -> bool {
        // Filters on time or states may match other rows by now, and these sort orders change.
        let has_moved = wider.filter.depends_on_time() || wider.filter.depends_on_states();
        let moves = matches!(self.sort, Some((Column::Urgency | Column::State, _)));
        !has_moved
            && !moves
            && self.sort == wider.sort
            && self.project == wider.project
            && self.filter.narrows(&wider.filter)
    }
}

/// Returns the positions in `rows` of the shown rows, in order. Equal rows keep their order of arrival.
pub fn arrange(rows: &Rows, arrangement: &Arrangement) -> Vec<u32> {
    if let Some(among) = &arrangement.among {
        let keeps = |place: &u32| keeps(rows.get(*place), arrangement);
        return among.iter().copied().filter(keeps).collect();
    }
    let shown = matching(rows, 0..rows.len(), arrangement);
    match arrangement.sort {
        // Urgency compares more than points. Its last comparison is that of ids, so no two rows are equal.
        Some((Column::Urgency, Direction::Descending)) => by_urgency(rows, &shown, &arrangement.around),
        Some((Column::Urgency, Direction::Ascending)) => {
            let mut shown = by_urgency(rows, &shown, &arrangement.around);
            shown.reverse();
            shown
        }
        Some((column, direction)) => sorted(rows, &shown, (column, direction), &arrangement.around),
        None => shown,
    }
}

/// Returns those of these positions whose rows match the filter.
pub fn matching(rows: &Rows, places: Range<usize>, arrangement: &Arrangement) -> Vec<u32> {
    places.map(|place| place as u32).filter(|place| keeps(rows.get(*place), arrangement)).collect()
}

fn keeps(row: Option<&Report>, arrangement: &Arrangement) -> bool {
    let in_project = |report: &Report| arrangement.project.as_ref().is_none_or(|name| report.project.raw() == name);
    let RowContext { triages, now, .. } = &arrangement.around;
    let fits = |report: &Report| in_project(report) && arrangement.filter.keeps(report, triages, *now);
    row.is_some_and(fits)
}

fn sorted(rows: &Rows, shown: &[u32], (column, direction): (Column, Direction), around: &RowContext) -> Vec<u32> {
    let key = column.entry().key;
    let mut keyed = Vec::with_capacity(shown.len());
    let mut unknown = Vec::new();
    for place in shown {
        match rows.get(*place).map(|row| key(row, around)) {
            Some(SortKey::Unknown) => unknown.push(*place),
            Some(key) => keyed.push((key, *place)),
            None => {}
        }
    }
    // In both directions equal rows keep the order in which they came.
    keyed.sort_unstable_by(|a, b| {
        let by_key = match direction {
            Direction::Ascending => a.0.cmp(&b.0),
            Direction::Descending => b.0.cmp(&a.0),
        };
        by_key.then(a.1.cmp(&b.1))
    });
    // Unknown values are last, in both directions.
    keyed.into_iter().map(|(_, place)| place).chain(unknown).collect()
}

/// Whether rows are in the requested order; a service may ignore `sort_by`.
pub fn is_sorted<'a>(
    rows: impl Iterator<Item = &'a Report>,
    column: Column,
    direction: Direction,
    around: &RowContext,
) -> bool {
    let key = column.entry().key;
    let keys = rows.map(|row| key(row, around)).filter(|key| !matches!(key, SortKey::NoEvidence | SortKey::Unknown));
    keys.is_sorted_by(|a, b| match direction {
        Direction::Ascending => a <= b,
        Direction::Descending => a >= b,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::failed_checks::FailedChecks;
    use crate::domain::report::outcome::Outcome;
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
                report
            })
            .collect()
    }

    proptest! {
        #[test]
        fn an_arrangement_is_a_sorted_subset_without_duplicates(
            specification in proptest::collection::vec((0_u8..=100, 0_u8..26), 0..60),
            which in 0_usize..10, descending: bool, filter in "[ab]?( result:bad)?( score:<60)?",
        ) {
            let rows = rows(&specification);
            let column = Column::iter().nth(which).unwrap();
            let direction = if descending { Direction::Descending } else { Direction::Ascending };
            let arrangement =
                Arrangement { project: None, filter: Filter::parse(&filter), sort: Some((column, direction)), around: RowContext::default(), among: None };
            let shown = arrange(&rows, &arrangement);
            let picked = shown.iter().filter_map(|place| rows.get(*place));
            prop_assert!(is_sorted(picked, column, direction, &arrangement.around));
            let mut places = shown.clone();
            places.sort_unstable();
            places.dedup();
            prop_assert_eq!(places.len(), shown.len());
            prop_assert_eq!(places, matching(&rows, 0..rows.len(), &arrangement));
        }
    }

    proptest! {
        #[test]
        fn a_narrower_filter_gives_the_same_rows_among_the_previous_ones(
            specification in proptest::collection::vec((0_u8..=100, 0_u8..26), 0..60),
            which in 0_usize..10, descending: bool,
            wide in "(e/[ab]?)?( result:b| score:<60| !ab| age:<3d)?", more in "[a-c]?( ?(result:bad|b|!c|score:<60))?",
        ) {
            let rows = rows(&specification);
            let column = Column::iter().nth(which).unwrap();
            let direction = if descending { Direction::Descending } else { Direction::Ascending };
            let wanted = |filter: &str| {
                let filter = Filter::parse(filter);
                Arrangement { project: None, filter, sort: Some((column, direction)), around: RowContext::default(), among: None }
            };
            let (wider, narrower) = (wanted(&wide), wanted(&format!("{wide}{more}")));
            if narrower.narrows(&wider) {
                let among = Some(arrange(&rows, &wider));
                prop_assert_eq!(arrange(&rows, &Arrangement { among, ..narrower.clone() }), arrange(&rows, &narrower));
            }
        }
    }

    #[test]
    fn a_longer_word_narrows_and_a_value_that_changes_with_time_does_not() {
        let wanted = |filter: &str, sort| Arrangement {
            project: None,
            filter: Filter::parse(filter),
            sort,
            around: RowContext::default(),
            among: None,
        };
        let by = |column| Some((column, Direction::Ascending));
        let narrows = |from: &str, to: &str, sort| wanted(to, sort).narrows(&wanted(from, sort));
        assert!(narrows("te", "tea", None) && narrows("tea", "tea result:bad", by(Column::Url)));
        assert!(!narrows("tea", "te", None) && !narrows("!te", "!tea", None) && !narrows("age:<3d", "age:<3d t", None));
        assert!(!narrows("state:new", "state:new t", None) && !narrows("te", "tea", by(Column::Urgency)));
        assert!(!wanted("tea", by(Column::Id)).narrows(&wanted("te", by(Column::Url))));
        let within = |project: &str| Arrangement { project: Some(project.to_owned()), ..wanted("tea", None) };
        assert!(within("shop").narrows(&within("shop")) && !within("shop").narrows(&within("blog")));
    }

    #[test]
    fn unknown_scores_settings_and_failed_checks_come_last_in_both_directions() {
        let mut rows = rows(&[(31, 0), (0, 1), (90, 2), (0, 3)]);
        for place in [0, 2] {
            let row = rows.get(place).cloned().unwrap();
            rows.put(place, Some(Report { failed: [].into(), ..row }));
        }
        for place in [1, 3] {
            let row = rows.get(place).cloned().unwrap();
            rows.put(place, Some(Report { score: None, privacy: None, failed: FailedChecks::default(), ..row }));
        }
        for column in [Column::Score, Column::Privacy, Column::Failed] {
            for direction in [Direction::Ascending, Direction::Descending] {
                let shown = arrange(&rows, &Arrangement { sort: Some((column, direction)), ..all() });
                assert_eq!(shown[2..], [1, 3], "{column:?} {direction:?}");
            }
        }
    }

    #[test]
    fn ids_of_any_kind_can_be_sorted() {
        let names = ["5", "x", "3", "y", "10", "z", "1"];
        let id = |place: usize| names[place % names.len()];
        let rows: Rows = (0..200).map(|place| row(id(place), "https://shop.example/", Outcome::Good)).collect();
        let sort = Some((Column::Id, Direction::Ascending));
        let arrangement = Arrangement { sort, ..all() };
        let ids: Vec<&str> = arrange(&rows, &arrangement).into_iter().map(|place| id(place as usize)).collect();
        assert_eq!(ids[..3], ["x", "y", "z"], "as they came");
        assert!(ids.is_sorted_by_key(|id| id.parse::<u32>().ok()));
    }

    fn all() -> Arrangement {
        Arrangement { project: None, filter: Filter::default(), sort: None, around: RowContext::default(), among: None }
    }

    #[test]
    fn deleted_rows_are_never_shown() {
        let mut rows = rows(&[(10, 0), (20, 1)]);
        rows.put(0, None);
        assert_eq!(arrange(&rows, &all()), [1]);
    }
}
