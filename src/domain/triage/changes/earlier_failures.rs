//! How many bad reports failed each check at an earlier look, overall and by project.

use std::collections::HashMap;

use super::snapshot::Snapshot;
use crate::domain::list::row_index::RowIndex;
use crate::domain::list::rows::Rows;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::outcome::Outcome;

/// The number of bad reports that failed each check at an earlier look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FormerFailures {
    /// Of all reports.
    pub all: HashMap<CheckId, u64>,
    /// Of each project, by raw name. Gone reports are not included: snapshots do not store projects.
    pub projects: HashMap<String, HashMap<CheckId, u64>>,
}

impl FormerFailures {
    /// Counts the bad reports of a snapshot; `rows` supply the projects. `None` if the snapshot is incomplete or the
    /// checks of a bad report were unknown, as the counts would not be comparable.
    pub fn of(look: &Snapshot, rows: &Rows) -> Option<Self> {
        if !look.is_complete {
            return None;
        }
        let places = RowIndex::of_all(rows);
        let mut counts = Self::default();
        for entry in look.entries.iter().filter(|entry| *look.outcome(entry) == Outcome::Bad) {
            let failing = look.failing(entry)?;
            let row = places.of(&entry.id, rows).and_then(|place| rows.get(place));
            let mut of_project = row.map(|row| counts.projects.entry(row.project.raw().to_owned()).or_default());
            for id in failing {
                *counts.all.entry(id.clone()).or_default() += 1;
                if let Some(counts) = &mut of_project {
                    *counts.entry(id.clone()).or_default() += 1;
                }
            }
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::Report;
    use crate::domain::report::failed_checks::FailedChecks;
    use crate::domain::report::tests::row;
    use crate::domain::triage::changes::ListScope;
    use jiff::Timestamp;
    use std::sync::Arc;

    fn report(id: &str, project: &str, failed: &[&str]) -> Report {
        let mut report = row(id, "https://shop.example/", Outcome::Bad);
        report.project = Arc::new(project.into());
        report.failed = failed.iter().map(|id| CheckId::from(*id)).collect();
        report
    }

    fn look(reports: &[Report], is_complete: bool) -> Snapshot {
        Snapshot::take(reports.iter(), ListScope::default(), is_complete, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn bad_reports_are_counted_by_check_and_project() {
        let now = [report("1", "a", &[]), report("2", "b", &[])];
        let rows: Rows = now.iter().cloned().collect();
        let good = Report { outcome: Outcome::Good, ..report("5", "a", &["title"]) };
        let before = [report("1", "a", &["csp", "title"]), report("9", "gone", &["title"]), good];
        let counts = FormerFailures::of(&look(&before, true), &rows).unwrap();
        assert_eq!((counts.all["title"], counts.all["csp"]), (2, 1));
        assert_eq!((counts.projects.len(), counts.projects["a"]["title"]), (1, 1));
    }

    #[test]
    fn a_part_of_a_list_and_unknown_checks_are_not_counted() {
        let rows = Rows::new();
        assert_eq!(FormerFailures::of(&look(&[report("1", "a", &["csp"])], false), &rows), None);
        let unknown = Report { failed: FailedChecks::default(), ..report("1", "a", &[]) };
        assert_eq!(FormerFailures::of(&look(&[unknown], true), &rows), None);
    }
}
