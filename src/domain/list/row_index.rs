//! A hash index from report ids to positions in the rows of a list.
//!
//! It stores positions only, about six bytes each; every call takes the rows that hold the ids.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;

/// Positions by report id. Ids are untrusted input, so the hasher is seeded against provoked collisions.
#[derive(Debug, Clone, Default)]
pub struct RowIndex {
    table: HashTable<u32>,
    hasher: RandomState,
}

impl RowIndex {
    /// Indexes all rows; empty slots are skipped.
    pub fn of_all(rows: &Rows) -> Self {
        let mut places = Self { table: HashTable::with_capacity(rows.len()), hasher: RandomState::new() };
        let there = (0..rows.len() as u32).filter(|place| rows.get(*place).is_some());
        there.for_each(|place| places.add(place, rows));
        places
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
    pub fn of(&self, id: &ReportId, rows: &Rows) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), |place| has_id(rows, *place, id)).copied()
    }

    /// Indexes the last row, whose id must be new.
    pub fn add_last(&mut self, rows: &Rows) {
        if let Some(last) = rows.len().checked_sub(1) {
            self.add(last as u32, rows);
        }
    }

    fn add(&mut self, place: u32, rows: &Rows) {
        let hash = |place: &u32| hash(&self.hasher, *place, rows);
        self.table.insert_unique(hash(&place), place, hash);
    }

    /// Removes an id, which must still be in the rows. Returns its position.
    pub fn remove(&mut self, id: &ReportId, rows: &Rows) -> Option<u32> {
        let hash = self.hasher.hash_one(id);
        let entry = self.table.find_entry(hash, |place| has_id(rows, *place, id)).ok()?;
        Some(entry.remove().0)
    }
}

fn has_id(rows: &Rows, place: u32, id: &ReportId) -> bool {
    rows.get(place).is_some_and(|row| row.id == *id)
}

/// Indexed rows have ids; the hash of a removed row is irrelevant.
fn hash(hasher: &RandomState, place: u32, rows: &Rows) -> u64 {
    rows.get(place).map_or(0, |row| hasher.hash_one(&row.id))
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let all = RowIndex::of_all(&rows);
            prop_assert_eq!(all.len(), map.len());
            prop_assert!(map.iter().all(|(id, place)| all.of(id, &rows) == Some(*place)));
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
