//! Sets of failed check ids, shared between reports.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A check's id.
pub type CheckId = Arc<str>;

/// The ids of failed checks, each once though a service may list it twice; shared between reports with the same outcome,
/// eight bytes per row. An empty set means that none failed; the default is that they are unknown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct FailedChecks(Option<Arc<Box<[CheckId]>>>);

impl FailedChecks {
    /// The ids; `None` if they are unknown.
    pub fn known(&self) -> Option<&[CheckId]> {
        self.0.as_ref().map(|ids| &***ids)
    }
}

impl Deref for FailedChecks {
    type Target = [CheckId];

    fn deref(&self) -> &[CheckId] {
        self.known().unwrap_or_default()
    }
}

impl Hash for FailedChecks {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl FromIterator<CheckId> for FailedChecks {
    fn from_iter<I: IntoIterator<Item = CheckId>>(ids: I) -> Self {
        let mut seen = HashSet::new();
        Self(Some(Arc::new(ids.into_iter().filter(|id| seen.insert(CheckId::clone(id))).collect())))
    }
}

impl From<Box<[CheckId]>> for FailedChecks {
    fn from(ids: Box<[CheckId]>) -> Self {
        ids.into_iter().collect()
    }
}

impl<const N: usize> From<[&str; N]> for FailedChecks {
    fn from(ids: [&str; N]) -> Self {
        ids.into_iter().map(CheckId::from).collect()
    }
}

/// Looked up by content, in sets of known ones.
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
