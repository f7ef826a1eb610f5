//! Shares equal values between rows: project names, check ids, sets of failed checks.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use crate::domain::report::failed_checks::{CheckId, FailedChecks};
use crate::domain::text::Text;

/// The most values remembered per kind. When exceeded, all are forgotten: sharing restarts, and memory stays bounded.
const MOST: usize = 10_000;

/// Values seen earlier. A client keeps its interner across pages, so that all pages of a list share.
#[derive(Debug, Default)]
pub struct Interner {
    projects: HashSet<Arc<Text>>,
    checks: HashSet<CheckId>,
    sets: HashSet<FailedChecks>,
}

impl Interner {
    /// Returns the shared allocation of a project name.
    pub fn project(&mut self, name: &Text) -> Arc<Text> {
        shared(&mut self.projects, name, || Arc::new(name.clone()))
    }

    /// Returns the shared allocation of a check id.
    pub fn check(&mut self, id: &str) -> CheckId {
        shared(&mut self.checks, id, || id.into())
    }

    /// Returns the shared allocation of a list of failed checks, in the same order.
    pub fn set(&mut self, ids: &[CheckId]) -> FailedChecks {
        shared(&mut self.sets, ids, || ids.iter().cloned().collect())
    }
}

/// Returns the known value that equals the wanted one, or else a new one, which is known from now on.
fn shared<T, Q>(known: &mut HashSet<T>, wanted: &Q, new: impl FnOnce() -> T) -> T
where
    T: Borrow<Q> + Clone + Eq + Hash,
    Q: Eq + Hash + ?Sized,
{
    if let Some(known) = known.get(wanted) {
        return known.clone();
    }
    if known.len() == MOST {
        known.clear();
    }
    let new = new();
    known.insert(new.clone());
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_one_allocation() {
        let mut shared = Interner::default();
        let (first, second) = (shared.project(&"shop.example".into()), shared.project(&"shop.example".into()));
        assert!(Arc::ptr_eq(&first, &second) && first.shown() == "shop.example");
        assert!(!Arc::ptr_eq(&first, &shared.project(&"other.example".into())));
        let ids = [shared.check("title"), shared.check("csp")];
        assert!(Arc::ptr_eq(&ids[0], &shared.check("title")));
        let (first, second) = (shared.set(&ids), shared.set(&ids));
        assert!(std::ptr::eq(&raw const *first, &raw const *second) && *first == ids);
        assert!(shared.set(&[]).is_empty());
    }

    #[test]
    fn unique_texts_do_not_accumulate_in_the_interner() {
        let mut shared = Interner::default();
        for number in 0..=(3 * MOST) {
            assert_eq!(shared.project(&number.to_string().as_str().into()).raw(), number.to_string());
        }
        assert!(shared.projects.len() <= MOST);
    }
}
