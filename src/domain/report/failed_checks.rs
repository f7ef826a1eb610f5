//! Sets of failed check ids, shared between reports.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::domain::text::by_content;

/// A check's id.
pub type CheckId = Arc<str>;

/// The ids of failed checks, shared between reports with the same outcome; eight bytes per row.
#[derive(Clone, Default)]
pub struct FailedChecks(Option<Arc<Box<[CheckId]>>>);

impl Deref for FailedChecks {
    type Target = [CheckId];

    fn deref(&self) -> &[CheckId] {
        self.0.as_ref().map_or(&[], |ids| ids)
    }
}

by_content!(FailedChecks, deref);

impl FromIterator<CheckId> for FailedChecks {
    fn from_iter<I: IntoIterator<Item = CheckId>>(ids: I) -> Self {
        ids.into_iter().collect::<Box<[CheckId]>>().into()
    }
}

impl From<Box<[CheckId]>> for FailedChecks {
    fn from(ids: Box<[CheckId]>) -> Self {
        Self((!ids.is_empty()).then(|| Arc::new(ids)))
    }
}

impl<const N: usize> From<[&str; N]> for FailedChecks {
    fn from(ids: [&str; N]) -> Self {
        ids.into_iter().map(CheckId::from).collect()
    }
}

/// Looked up in sets by content.
impl Borrow<[CheckId]> for FailedChecks {
    fn borrow(&self) -> &[CheckId] {
        self
    }
}

impl fmt::Debug for FailedChecks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}
