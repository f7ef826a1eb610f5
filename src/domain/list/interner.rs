//! Shares equal values between rows: project names, check ids, sets of failed checks.

use std::collections::HashSet;
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
    pub fn project(&mut self, name: Text) -> Arc<Text> {
        if let Some(known) = self.projects.get(&name) {
            return Arc::clone(known);
        }
        let name = Arc::new(name);
        remember(&mut self.projects, Arc::clone(&name));
        name
    }

    /// Returns the shared allocation of a check id.
    pub fn check(&mut self, id: &str) -> CheckId {
        if let Some(known) = self.checks.get(id) {
            return Arc::clone(known);
        }
        let id = CheckId::from(id);
        remember(&mut self.checks, Arc::clone(&id));
        id
    }

    /// Returns the shared allocation of a list of failed checks, in the same order.
    pub fn set(&mut self, ids: &[CheckId]) -> FailedChecks {
        if let Some(known) = self.sets.get(ids) {
            return known.clone();
        }
        let set: FailedChecks = ids.iter().cloned().collect();
        remember(&mut self.sets, set.clone());
        set
    }
}

fn remember<T: std::hash::Hash + Eq>(known: &mut HashSet<T>, new: T) {
    if known.len() == MOST {
        known.clear();
    }
    known.insert(new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_one_allocation() {
        let mut shared = Interner::default();
        let (first, second) = (shared.project("shop.example".into()), shared.project("shop.example".into()));
        assert!(Arc::ptr_eq(&first, &second) && first.shown() == "shop.example");
        assert!(!Arc::ptr_eq(&first, &shared.project("other.example".into())));
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
            assert_eq!(shared.project(number.to_string().as_str().into()).raw(), number.to_string());
        }
        assert!(shared.projects.len() <= MOST);
    }
}
