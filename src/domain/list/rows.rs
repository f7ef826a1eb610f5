//! The loaded rows of a list, in chunks that clones share.
//!
//! Slots of a chunk are contiguous. A clone costs a pointer per chunk, so that other threads can read one while the list
//! grows; changing a row of a clone copies one chunk.

use std::sync::Arc;

use crate::domain::report::Report;

/// Slots per chunk.
const CHUNK: usize = 128;

/// The rows of a list in order of arrival. A deleted row leaves an empty slot, so that positions never move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// All but the last are full.
    chunks: Vec<Arc<Vec<Option<Report>>>>,
}

impl Rows {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of slots, including empty ones.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Whether there never was a row.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The row at a position; `None` if deleted or out of range.
    pub fn get(&self, place: u32) -> Option<&Report> {
        let place = place as usize;
        self.chunks.get(place / CHUNK)?.get(place % CHUNK)?.as_ref()
    }

    /// All rows, without empty slots.
    pub fn iter(&self) -> impl Iterator<Item = &Report> + Clone {
        self.from(0)
    }

    /// The rows from a position on, without empty slots.
    pub fn from(&self, place: usize) -> impl Iterator<Item = &Report> + Clone {
        let chunks = self.chunks.get(place / CHUNK..).unwrap_or_default();
        chunks.iter().flat_map(|chunk| chunk.iter()).skip(place % CHUNK).flatten()
    }

    /// Appends a row.
    pub fn push(&mut self, row: Report) {
        if self.len().is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Vec::with_capacity(CHUNK)));
        }
        let Some(chunk) = self.chunks.last_mut().map(Arc::make_mut) else { return };
        // `Arc::make_mut` clones a vector without its spare capacity.
        chunk.reserve_exact(CHUNK - chunk.len());
        chunk.push(Some(row));
    }

    /// Replaces the slot at a position and returns its previous row. Does nothing if out of range.
    pub fn put(&mut self, place: u32, row: Option<Report>) -> Option<Report> {
        let place = place as usize;
        let chunk = Arc::make_mut(self.chunks.get_mut(place / CHUNK)?);
        std::mem::replace(chunk.get_mut(place % CHUNK)?, row)
    }
}

impl FromIterator<Report> for Rows {
    fn from_iter<I: IntoIterator<Item = Report>>(rows: I) -> Self {
        let mut all = Self::new();
        rows.into_iter().for_each(|row| all.push(row));
        all
    }
}

/// Iterates over the rows, without empty slots. Frees each chunk after its last row.
impl IntoIterator for Rows {
    type Item = Report;
    type IntoIter = Box<dyn Iterator<Item = Report>>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.chunks.into_iter().flat_map(Arc::unwrap_or_clone).flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;

    fn numbered(number: u32) -> Report {
        row(&number.to_string(), &format!("https://shop.example/{number}"), Outcome::Good)
    }

    #[test]
    fn a_slot_is_no_larger_than_its_row() {
        assert_eq!(size_of::<Option<Report>>(), size_of::<Report>());
    }

    #[test]
    fn a_chunk_has_a_fixed_capacity() {
        let mut first: Rows = (0..3).map(numbered).collect();
        let copy = first.clone();
        first.push(numbered(4));
        assert!([&first, &copy].iter().all(|rows| rows.chunks[0].capacity() == CHUNK));
        assert_eq!((first.len(), copy.len()), (4, 3));
    }

    #[test]
    fn a_deleted_row_keeps_its_slot_and_a_clone_is_unchanged() {
        let mut rows: Rows = (0..300).map(numbered).collect();
        let before = rows.clone();
        assert_eq!(rows.put(7, None), Some(numbered(7)));
        assert_eq!((rows.put(7, Some(numbered(900))), rows.put(300, Some(numbered(1)))), (None, None));
        rows.put(200, None);
        assert_eq!((rows.len(), rows.iter().count(), rows.from(200).count()), (300, 299, 99));
        assert_eq!((rows.get(7), rows.get(200), rows.get(300)), (Some(&numbered(900)), None, None));
        assert!(before.into_iter().eq((0..300).map(numbered)), "a copy stays as it was");
    }

    proptest! {
        #[test]
        fn rows_behave_like_a_plain_list(count in 0_u32..400, changes: Vec<(u32, Option<u32>)>, from in 0_usize..450) {
            let mut rows: Rows = (0..count).map(numbered).collect();
            let mut plain: Vec<Option<Report>> = (0..count).map(numbered).map(Some).collect();
            let before = (rows.clone(), plain.clone());
            for (place, new) in changes {
                let (place, new) = (place % (count + 20), new.map(numbered));
                let former = plain.get_mut(place as usize).and_then(|slot| std::mem::replace(slot, new.clone()));
                prop_assert_eq!(rows.put(place, new), former);
            }
            rows.push(numbered(9));
            plain.push(Some(numbered(9)));
            for (rows, plain) in [(rows, plain), before] {
                prop_assert_eq!((rows.len(), rows.is_empty()), (plain.len(), plain.is_empty()));
                for place in 0..plain.len() + 2 {
                    prop_assert_eq!(rows.get(place as u32), plain.get(place).and_then(Option::as_ref));
                }
                prop_assert!(rows.iter().eq(plain.iter().flatten()));
                prop_assert!(rows.from(from).eq(plain.iter().skip(from).flatten()));
                prop_assert!(rows.clone().into_iter().eq(plain.into_iter().flatten()));
            }
        }
    }
}
