//! The selected ("marked") reports. Kept by id, so that no refresh, sort or filter moves the selection.

use std::collections::HashSet;
use std::sync::Arc;

use crate::domain::report::ReportId;

/// A set of selected reports; cheap to keep for undo.
pub type SelectedIds = Arc<HashSet<ReportId>>;

/// The selection, and the range that is being drawn. Only visible rows count; the filter may hide selected ones.
#[derive(Debug, Default)]
pub struct Selection {
    /// The selected reports.
    pub ids: SelectedIds,
    /// Where the range began; its other end is the cursor.
    pub(crate) anchor: Option<ReportId>,
    /// The anchor's place among the shown rows.
    pub(crate) anchor_at: Option<usize>,
    /// How many of the shown rows are selected, the range not counted.
    pub(crate) visible: usize,
}

impl Selection {
    /// True while a range follows the cursor.
    pub fn draws_range(&self) -> bool {
        self.anchor_at.is_some()
    }

    /// True when nothing is selected, visible or hidden.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.anchor_at.is_none()
    }
}
