//! A hash index from report ids to positions in a list.
//!
//! It stores positions only, about six bytes each; every call takes the list that holds the ids.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::domain::report::ReportId;

/// A list with unique ids.
pub trait Identified {
    /// The id at a position; `None` where it is empty.
    fn id_at(&self, place: u32) -> Option<&ReportId>;
    /// The number of positions.
    fn count(&self) -> usize;
}

/// Positions by report id. Ids are untrusted input, so the hasher is seeded against provoked collisions.
#[derive(Debug, Clone, Default)]
pub struct RowIndex {
    table: HashTable<u32>,
    hasher: RandomState,
}

impl RowIndex {
    /// Indexes all rows of a list; empty positions are skipped.
    pub fn of_all(list: &impl Identified) -> Self {
        let mut places = Self { table: HashTable::with_capacity(list.count()), hasher: RandomState::new() };
        let there = (0..list.count() as u32).filter(|place| list.id_at(*place).is_some());
        there.for_each(|place| places.add(place, list));
        places
    }

    /// Reserves capacity for this many more rows.
    pub fn reserve(&mut self, more: usize, list: &impl Identified) {
        let hasher = &self.hasher;
        self.table.reserve(more, |place| list.id_at(*place).map_or(0, |id| hasher.hash_one(id)));
    }

    /// The number of indexed rows.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether nothing is indexed.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The position of this id.
    pub fn of(&self, id: &ReportId, list: &impl Identified) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), |place| list.id_at(*place) == Some(id)).copied()
    }

    /// Indexes the last row, whose id must be new.
    pub fn add_last(&mut self, list: &impl Identified) {
        if let Some(last) = list.count().checked_sub(1) {
            self.add(last as u32, list);
        }
    }

    fn add(&mut self, place: u32, list: &impl Identified) {
        // Indexed rows have ids; the hash of a removed row is irrelevant.
        let hash = |place: &u32| list.id_at(*place).map_or(0, |id| self.hasher.hash_one(id));
        self.table.insert_unique(hash(&place), place, hash);
    }

    /// Removes an id, which must still be in the list. Returns its position.
    pub fn remove(&mut self, id: &ReportId, list: &impl Identified) -> Option<u32> {
        let hash = self.hasher.hash_one(id);
        let entry = self.table.find_entry(hash, |place| list.id_at(*place) == Some(id)).ok()?;
        Some(entry.remove().0)
    }

    /// The positions, in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.table.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::list::rows::Rows;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn the_index_behaves_like_a_map(ids in proptest::collection::vec(0_u16..300, 0..400), removed: Vec<u16>) {
            let (mut rows, mut places, mut map) = (Rows::new(), RowIndex::default(), HashMap::new());
            for id in &ids {
                let report = row(&id.to_string(), "https://shop.example", Outcome::Good);
                if places.of(&report.id, &rows).is_none() {
                    map.insert(report.id.clone(), rows.len() as u32);
                    rows.push(report);
                    places.add_last(&rows);
                }
            }
            let (mut all, mut both) = (RowIndex::of_all(&rows).iter().collect::<Vec<_>>(), places.iter().collect::<Vec<_>>());
            all.sort_unstable();
            both.sort_unstable();
            prop_assert_eq!(all, both);
            for id in removed.iter().map(|id| ReportId::new(&(id % 300).to_string())) {
                let place = places.remove(&id, &rows);
                prop_assert_eq!(place, map.remove(&id));
                if let Some(place) = place {
                    rows.put(place, None);
                }
            }
            prop_assert_eq!((places.len(), places.is_empty()), (map.len(), map.is_empty()));
            for id in (0..300).map(|id| ReportId::new(&id.to_string())) {
                prop_assert_eq!(places.of(&id, &rows), map.get(&id).copied());
            }
        }
    }
}
