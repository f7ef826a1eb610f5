//! An append-only list in chunks that clones share.
//!
//! Items of a chunk are contiguous. A clone costs a pointer per chunk; changing an item of a clone copies one chunk.

use std::sync::Arc;

/// Items per chunk.
const CHUNK: usize = 128;

/// A list that only grows at its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunked<T> {
    /// All but the last are full.
    chunks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunked<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T> Chunked<T> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item at an index.
    pub fn get(&self, place: u32) -> Option<&T> {
        let place = place as usize;
        self.chunks.get(place / CHUNK)?.get(place % CHUNK)
    }

    /// All items.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.from(0)
    }

    /// The items from an index on.
    pub fn from(&self, place: usize) -> impl Iterator<Item = &T> + Clone {
        let chunks = self.chunks.get(place / CHUNK..).unwrap_or_default();
        chunks.iter().flat_map(|chunk| chunk.iter()).skip(place % CHUNK)
    }
}

impl<T: Clone> Chunked<T> {
    /// Appends an item.
    pub fn push(&mut self, one: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Vec::with_capacity(CHUNK)));
        }
        let Some(chunk) = self.chunks.last_mut().map(Arc::make_mut) else { return };
        // `Arc::make_mut` clones a vector without its spare capacity.
        chunk.reserve_exact(CHUNK - chunk.len());
        chunk.push(one);
        self.len += 1;
    }

    /// Mutable access to the item at an index; copies its chunk if shared.
    pub fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        let place = place as usize;
        Arc::make_mut(self.chunks.get_mut(place / CHUNK)?).get_mut(place % CHUNK)
    }
}

impl<T: Clone> FromIterator<T> for Chunked<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut chunked = Self::default();
        for one in all {
            chunked.push(one);
        }
        chunked
    }
}

/// Frees each chunk after its last item.
impl<T: Clone + 'static> IntoIterator for Chunked<T> {
    type Item = T;
    type IntoIter = Box<dyn Iterator<Item = T>>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.chunks.into_iter().flat_map(Arc::unwrap_or_clone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chunk_has_a_fixed_capacity() {
        let mut first: Chunked<u16> = (0..3).collect();
        let copy = first.clone();
        first.push(4);
        assert!([&first, &copy].iter().all(|list| list.chunks[0].capacity() == CHUNK));
        assert_eq!((first.len(), copy.len()), (4, 3));
    }

    proptest! {
        #[test]
        fn chunked_rows_behave_like_a_plain_list(count in 0_u16..400, changes: Vec<(u16, u16)>, from in 0_usize..450) {
            let mut chunked: Chunked<u16> = (0..count).collect();
            let mut plain: Vec<u16> = (0..count).collect();
            let before = (chunked.clone(), plain.clone());
            for (place, new) in changes {
                let place = place % (count + 20);
                let former = plain.get_mut(usize::from(place)).map(|former| std::mem::replace(former, new));
                prop_assert_eq!(chunked.get_mut(u32::from(place)).map(|former| std::mem::replace(former, new)), former);
            }
            chunked.push(9);
            plain.push(9);
            for (chunked, plain) in [(chunked, plain), before] {
                prop_assert_eq!((chunked.len(), chunked.is_empty()), (plain.len(), plain.is_empty()));
                for place in 0..plain.len() + 2 {
                    prop_assert_eq!(chunked.get(place as u32), plain.get(place));
                }
                prop_assert!(chunked.iter().eq(&plain));
                prop_assert!(chunked.from(from).eq(plain.iter().skip(from)));
                prop_assert!(chunked.clone().into_iter().eq(plain));
            }
        }
    }
}
