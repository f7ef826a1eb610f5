//! Where the row with an id is.
//!
//! Holds no ids of its own, only places: some six bytes for each row. So whoever asks brings the rows along.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::domain::report::ReportId;
use crate::domain::rows::Rows;

/// The places of rows by their ids. Ids come from outside: the hasher is one whose collisions nobody can foresee.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    table: HashTable<u32>,
    hasher: RandomState,
}

fn id_at(rows: &Rows, place: u32) -> Option<&ReportId> {
    Some(&rows.get(place)?.id)
}

impl Places {
    /// How many rows have a place.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// The place of the row with this id.
    pub(super) fn of(&self, id: &ReportId, rows: &Rows) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), |place| id_at(rows, *place) == Some(id)).copied()
    }

    /// Takes note of the last row, whose id no other row may have.
    pub(super) fn add_last(&mut self, rows: &Rows) {
        let Some(last) = rows.len().checked_sub(1) else { return };
        // Rows that have a place have an id; what a lost one hashes to does not matter.
        let hash = |place: &u32| id_at(rows, *place).map_or(0, |id| self.hasher.hash_one(id));
        let last = last as u32;
        self.table.insert_unique(hash(&last), last, hash);
    }

    /// Forgets a row that is still there.
    pub(super) fn remove(&mut self, id: &ReportId, rows: &Rows) -> Option<u32> {
        let hash = self.hasher.hash_one(id);
        let entry = self.table.find_entry(hash, |place| id_at(rows, *place) == Some(id)).ok()?;
        Some(entry.remove().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::outcome::Outcome;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn as_a_map_would_find_them(ids in proptest::collection::vec(0_u16..300, 0..400), removed: Vec<u16>) {
            let (mut rows, mut places, mut map) = (Rows::new(), Places::default(), HashMap::new());
            for id in &ids {
                let report = row(&id.to_string(), "https://shop.example", Outcome::Good);
                if places.of(&report.id, &rows).is_none() {
                    map.insert(report.id.clone(), rows.len() as u32);
                    rows.push(report);
                    places.add_last(&rows);
                }
            }
            for id in removed.iter().map(|id| ReportId::new(&(id % 300).to_string())) {
                let place = places.remove(&id, &rows);
                prop_assert_eq!(place, map.remove(&id));
                if let Some(place) = place {
                    rows.put(place, None);
                }
            }
            prop_assert_eq!(places.len(), map.len());
            for id in (0..300).map(|id| ReportId::new(&id.to_string())) {
                prop_assert_eq!(places.of(&id, &rows), map.get(&id).copied());
            }
        }
    }
}
