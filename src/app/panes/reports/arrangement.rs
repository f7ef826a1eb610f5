//! The arrangement that produced the shown rows.

use std::sync::{Arc, Weak};

use crate::domain::list::arrange::Arrangement;
use crate::domain::list::rows::Rows;

/// An arrangement, and the rows it was applied to. `Weak`, so it does not block copy-on-write; pointer inequality means
/// the rows changed.
#[derive(Debug, Clone)]
pub struct AppliedArrangement {
    pub(crate) by: Arrangement,
    rows: Weak<Rows>,
}

impl AppliedArrangement {
    pub(crate) fn new(by: Arrangement, rows: &Arc<Rows>) -> Self {
        Self { by: Arrangement { among: None, ..by }, rows: Arc::downgrade(rows) }
    }

    /// Whether it was applied to exactly these rows.
    pub(crate) fn is_of(&self, rows: &Arc<Rows>) -> bool {
        std::ptr::eq(self.rows.as_ptr(), Arc::as_ptr(rows))
    }
}
