//! The loaded rows of a list.
//!
//! Clones share all chunks until they are written to, so that other threads can read a clone while the list grows.

use crate::domain::list::chunked::Chunked;
use crate::domain::list::row_index::Identified;
use crate::domain::report::{Report, ReportId};

/// The rows of a list in order of arrival. A deleted row leaves an empty slot, so that positions never move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows(Chunked<Option<Report>>);

impl Rows {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of slots, including empty ones.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there never was a row.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The row at a position; `None` if deleted or out of range.
    pub fn get(&self, place: u32) -> Option<&Report> {
        self.0.get(place)?.as_ref()
    }

    /// All rows, without empty slots.
    pub fn iter(&self) -> impl Iterator<Item = &Report> + Clone {
        self.0.iter().flatten()
    }

    /// The rows from a position on, without empty slots.
    pub fn from(&self, place: usize) -> impl Iterator<Item = &Report> + Clone {
        self.0.from(place).flatten()
    }

    /// Appends a row.
    pub fn push(&mut self, row: Report) {
        self.0.push(Some(row));
    }

    /// Replaces the slot at a position and returns its previous row. Does nothing if out of range.
    pub fn put(&mut self, place: u32, row: Option<Report>) -> Option<Report> {
        std::mem::replace(self.0.get_mut(place)?, row)
    }
}

impl Identified for Rows {
    fn id_at(&self, place: u32) -> Option<&ReportId> {
        Some(&self.get(place)?.id)
    }

    fn count(&self) -> usize {
        self.len()
    }
}

impl FromIterator<Report> for Rows {
    fn from_iter<I: IntoIterator<Item = Report>>(rows: I) -> Self {
        let mut all = Self::new();
        rows.into_iter().for_each(|row| all.push(row));
        all
    }
}

/// Iterates over the rows, without empty slots.
impl IntoIterator for Rows {
    type Item = Report;
    type IntoIter = std::iter::Flatten<Box<dyn Iterator<Item = Option<Report>>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::row;

    #[test]
    fn a_slot_is_no_larger_than_its_row() {
        assert_eq!(size_of::<Option<Report>>(), size_of::<Report>());
    }

    #[test]
    fn a_deleted_row_keeps_its_slot_and_a_clone_is_unchanged() {
        let numbered = |number: u32| row(&number.to_string(), &format!("https://shop.example/{number}"), Outcome::Good);
        let mut rows: Rows = (0..300).map(numbered).collect();
        let before = rows.clone();
        assert_eq!(rows.put(7, None), Some(numbered(7)));
        assert_eq!((rows.put(7, Some(numbered(900))), rows.put(300, Some(numbered(1)))), (None, None));
        rows.put(200, None);
        assert_eq!((rows.len(), rows.iter().count(), rows.from(200).count()), (300, 299, 99));
        assert_eq!((rows.get(7), rows.get(200), rows.get(300)), (Some(&numbered(900)), None, None));
        assert!(before.into_iter().eq((0..300).map(numbered)), "a copy stays as it was");
    }
}
