//! What the shown rows were arranged by.

use std::sync::{Arc, Weak};

use crate::domain::list::arrange::Arrangement;
use crate::domain::list::rows::Rows;

/// The arrangement of the shown rows, and the rows it was made of. `Weak`, so it does not block copy-on-write; pointer
/// inequality means the rows changed.
#[derive(Debug, Clone)]
pub struct AppliedArrangement {
    pub(crate) by: Arrangement,
    rows: Weak<Rows>,
}

impl AppliedArrangement {
    pub(crate) fn new(by: Arrangement, rows: &Arc<Rows>) -> Self {
        Self { by: Arrangement { among: None, ..by }, rows: Arc::downgrade(rows) }
    }

    /// Whether these are the rows, unchanged.
    pub(crate) fn is_of(&self, rows: &Arc<Rows>) -> bool {
        std::ptr::eq(self.rows.as_ptr(), Arc::as_ptr(rows))
    }
}
