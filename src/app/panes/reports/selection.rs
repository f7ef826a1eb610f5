//! The selected ("marked") reports. Stored by id, so that refreshing, sorting and filtering keep the selection.

use std::collections::HashSet;
use std::sync::Arc;

use crate::domain::report::ReportId;

/// A set of marked reports; cheap to keep for undo.
pub type SelectedIds = Arc<HashSet<ReportId>>;

/// The selection, and the current range. Actions apply to visible rows only; the filter may hide marked ones.
#[derive(Debug, Default)]
pub struct Selection {
    /// The marked reports.
    pub ids: SelectedIds,
    /// Where the range started; its other end is the cursor.
    pub(crate) anchor: Option<ReportId>,
    /// The anchor's index among the shown rows.
    pub(crate) anchor_at: Option<usize>,
    /// How many shown rows are marked, not counting the range.
    pub(crate) visible: usize,
}

impl Selection {
    /// Whether a range is following the cursor.
    pub fn draws_range(&self) -> bool {
        self.anchor_at.is_some()
    }

    /// Whether nothing is marked, visible or hidden.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.anchor_at.is_none()
    }
}
