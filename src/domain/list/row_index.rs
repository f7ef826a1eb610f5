//! Finds the place of a report in a list by its id.
//!
//! The table holds places only, about six bytes each; every call takes the list that holds the ids.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::domain::report::ReportId;

/// A list whose places have ids, each of them once.
pub trait Identified {
    /// The id at a place.
    fn id_at(&self, place: u32) -> Option<&ReportId>;
    /// How many places there are.
    fn count(&self) -> usize;
}

/// The places of reports by their ids. Ids come from outside: the hasher is seeded, so that collisions cannot be provoked.
#[derive(Debug, Clone, Default)]
pub struct RowIndex {
    table: HashTable<u32>,
    hasher: RandomState,
}

impl RowIndex {
    /// The places of all that are in a list; empty places are left out.
    pub fn of_all(list: &impl Identified) -> Self {
        let mut places = Self { table: HashTable::with_capacity(list.count()), hasher: RandomState::new() };
        let there = (0..list.count() as u32).filter(|place| list.id_at(*place).is_some());
        there.for_each(|place| places.add(place, list));
        places
    }

    /// Makes room for this many more.
    pub fn reserve(&mut self, more: usize, list: &impl Identified) {
        let hasher = &self.hasher;
        self.table.reserve(more, |place| list.id_at(*place).map_or(0, |id| hasher.hash_one(id)));
    }

    /// How many have a place.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// True when nothing has a place.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The place with this id.
    pub fn of(&self, id: &ReportId, list: &impl Identified) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), |place| list.id_at(*place) == Some(id)).copied()
    }

    /// Takes note of the last one, whose id no other may have.
    pub fn add_last(&mut self, list: &impl Identified) {
        if let Some(last) = list.count().checked_sub(1) {
            self.add(last as u32, list);
        }
    }

    fn add(&mut self, place: u32, list: &impl Identified) {
        // What has a place has an id; what a lost one hashes to does not matter.
        let hash = |place: &u32| list.id_at(*place).map_or(0, |id| self.hasher.hash_one(id));
        self.table.insert_unique(hash(&place), place, hash);
    }

    /// Forgets one that is still there.
    pub fn remove(&mut self, id: &ReportId, list: &impl Identified) -> Option<u32> {
        let hash = self.hasher.hash_one(id);
        let entry = self.table.find_entry(hash, |place| list.id_at(*place) == Some(id)).ok()?;
        Some(entry.remove().0)
    }

    /// The places, in no order.
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
