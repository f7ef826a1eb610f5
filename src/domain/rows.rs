//! The loaded rows of a list.
//!
//! They lie side by side, a hundred or so together, and so do their URLs: 100,000 rows cost neither an allocation nor a
//! pointer each, and whoever goes through all of them finds the next one beside the last. A copy shares every chunk until it is written to, so that
//! arranging, exporting and keeping rows beside the loop takes no copy of them. Must not know who holds one.

use std::sync::Arc;

use crate::domain::report::Report;
use crate::domain::text::Text;

/// Rows of a chunk: what is copied when a row changes while somebody else still looks at the former ones.
const CHUNK: usize = 128;

/// A row, or the empty place of one that was deleted.
type Chunk = Vec<Option<Report>>;

/// The rows of a list in the order in which they came. A row that was deleted leaves its place empty, so that places never
/// move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// All but the last are full.
    chunks: Vec<Arc<Chunk>>,
    len: usize,
}

impl Rows {
    /// No rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many places there are, empty ones too.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there never was a row.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row at a place; `None` where it was deleted, and behind the end.
    pub fn get(&self, place: u32) -> Option<&Report> {
        let place = place as usize;
        self.chunks.get(place / CHUNK)?.get(place % CHUNK)?.as_ref()
    }

    /// All rows that are there.
    pub fn iter(&self) -> impl Iterator<Item = &Report> + Clone {
        self.from(0)
    }

    /// The rows that are there, from a place on.
    pub fn from(&self, place: usize) -> impl Iterator<Item = &Report> + Clone {
        let chunks = self.chunks.get(place / CHUNK..).unwrap_or_default();
        chunks.iter().flat_map(|chunk| chunk.iter()).skip(place % CHUNK).flatten()
    }

    /// Adds a row behind the others.
    pub fn push(&mut self, row: Report) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Vec::with_capacity(CHUNK)));
        }
        if let Some(last) = self.chunks.last_mut() {
            let last = writable(last);
            last.push(Some(row));
            self.len += 1;
            if last.len() == CHUNK {
                Text::gather(last.iter_mut().flatten().map(|row| &mut row.url));
            }
        }
    }

    /// Puts a row, or none, where another was, and gives that back. Behind the end nothing is put.
    pub fn put(&mut self, place: u32, row: Option<Report>) -> Option<Report> {
        let place = place as usize;
        let chunk = writable(self.chunks.get_mut(place / CHUNK)?);
        std::mem::replace(chunk.get_mut(place % CHUNK)?, row)
    }
}

/// The chunk, or a copy of it if somebody else holds it, with room for all its rows.
fn writable(chunk: &mut Arc<Chunk>) -> &mut Chunk {
    let chunk = Arc::make_mut(chunk);
    chunk.reserve_exact(CHUNK - chunk.len());
    chunk
}

impl FromIterator<Report> for Rows {
    fn from_iter<I: IntoIterator<Item = Report>>(rows: I) -> Self {
        let mut all = Self::new();
        rows.into_iter().for_each(|row| all.push(row));
        all
    }
}

/// The rows that are there, each chunk let go of behind its last one.
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
    use crate::domain::outcome::Outcome;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;

    fn numbered(number: u16) -> Report {
        row(&number.to_string(), "https://shop.example", Outcome::Good)
    }

    #[test]
    fn a_place_takes_no_more_than_its_row() {
        assert_eq!(size_of::<Option<Report>>(), size_of::<Report>());
        let rows: Rows = (0..3).map(numbered).collect();
        assert_eq!(rows.chunks[0].capacity(), CHUNK);
    }

    proptest! {
        #[test]
        fn as_a_plain_list_would_hold_them(count in 0_u16..400, changes: Vec<(u16, Option<u16>)>, from in 0_usize..450) {
            let mut rows: Rows = (0..count).map(numbered).collect();
            let mut plain: Vec<Option<Report>> = (0..count).map(|number| Some(numbered(number))).collect();
            let before = (rows.clone(), plain.clone());
            for (place, number) in changes {
                let (place, new) = (place % (count + 20), number.map(numbered));
                let former = plain.get_mut(usize::from(place)).and_then(|former| std::mem::replace(former, new.clone()));
                prop_assert_eq!(rows.put(u32::from(place), new), former);
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
