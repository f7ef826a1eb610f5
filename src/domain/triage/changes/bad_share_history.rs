//! The share of bad reports at each earlier look, overall and by project.

use std::collections::HashMap;

use jiff::Timestamp;

use super::snapshot::Snapshot;
use crate::domain::list::row_index::RowIndex;
use crate::domain::list::rows::Rows;
use crate::domain::report::outcome::Outcome;

/// Shares of bad reports in percent, oldest look first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BadShareHistory {
    /// Of all reports.
    pub all: Vec<u8>,
    /// Of each project, by raw name. Looks at which it had no report are omitted.
    pub projects: HashMap<String, Vec<u8>>,
    /// The number of bad reports at each look.
    pub bad: Vec<(Timestamp, u64)>,
}

impl BadShareHistory {
    /// Adds the next snapshot, in order from the oldest: one by one, because a snapshot of 100,000 reports takes five
    /// megabytes. Takes about 10 ms for 100,000 reports.
    ///
    /// `rows` supply the projects, which snapshots do not store; `places` is their index. Reports missing from the rows
    /// count only overall. Incomplete looks are omitted, because their numbers cannot be compared.
    pub fn add(&mut self, look: &Snapshot, rows: &Rows, places: &RowIndex) {
        if !look.is_complete {
            return;
        }
        let mut all = (0, 0);
        let mut projects: HashMap<&str, (u64, u64)> = HashMap::new();
        for entry in &look.entries {
            let bad = u64::from(*look.outcome(entry) == Outcome::Bad);
            all = (all.0 + bad, all.1 + 1);
            let row = places.of(&entry.id, rows).and_then(|place| rows.get(place));
            if let Some(row) = row {
                let counted = projects.entry(row.project.raw()).or_default();
                *counted = (counted.0 + bad, counted.1 + 1);
            }
        }
        self.all.extend(percent(all));
        self.bad.push((look.taken_at, all.0));
        for (project, counted) in projects {
            self.projects.entry(project.to_owned()).or_default().extend(percent(counted));
        }
    }
}

/// Rounds up, so that one bad report in a thousand is not 0 %.
fn percent((bad, of): (u64, u64)) -> Option<u8> {
    u8::try_from((bad * 100).checked_add(of.checked_sub(1)?)? / of).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::tests::row;
    use crate::domain::text::Text;
    use crate::domain::triage::changes::ListScope;
    use jiff::Timestamp;
    use std::sync::Arc;

    #[test]
    fn the_share_of_bad_reports_is_computed_overall_and_for_each_project() {
        let report = |id: &str, project: &str, outcome| {
            let mut report = row(id, "https://shop.example/", outcome);
            report.project = Arc::new(Text::from_outside(project));
            report
        };
        let look = |reports: &[crate::domain::report::Report]| {
            Snapshot::take(reports.iter(), ListScope::default(), true, Timestamp::UNIX_EPOCH)
        };
        let before =
            [report("1", "a", Outcome::Bad), report("2", "a", Outcome::Bad), report("9", "gone", Outcome::Good)];
        let now = [report("1", "a", Outcome::Good), report("2", "a", Outcome::Bad), report("3", "b", Outcome::Good)];
        let rows: Rows = now.iter().cloned().collect();
        let (mut trends, places) = (BadShareHistory::default(), RowIndex::of_all(&rows));
        trends.add(&look(&before), &rows, &places);
        trends.add(&look(&now), &rows, &places);
        assert_eq!(trends.all, [67, 34]);
        assert_eq!(trends.projects["a"], [100, 50]);
        assert_eq!(trends.projects["b"], [0], "it had no report before");
        assert!(!trends.projects.contains_key("gone"));
        let part = Snapshot { is_complete: false, ..look(&now[1..2]) };
        trends.add(&part, &rows, &places);
        assert_eq!((trends.all.len(), trends.bad.len(), trends.projects["a"].len()), (2, 2, 2), "a part of a list");
    }
}
