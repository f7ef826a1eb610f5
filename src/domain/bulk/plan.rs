//! The plan of a bulk operation: what it would do to each report, shown before anything is sent.

use std::time::Duration;

use secrecy::SecretString;

use super::item::{BulkItem, ItemState};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{Report, ReportChange, ReportId};
use crate::domain::text::numbers::counted;

/// The reports that a bulk operation applies to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BulkTargets {
    /// The reports, in screen order.
    pub ids: Vec<ReportId>,
    /// Their common description: a project with the number of its loaded reports, or a cause.
    pub about: Option<String>,
}

impl BulkTargets {
    /// Describes the reports: `shop.example: 12 reports`, `3 reports`.
    pub fn described(&self) -> String {
        self.about.clone().unwrap_or_else(|| counted(self.ids.len() as u64, "report"))
    }
}

/// An operation on many reports.
#[derive(Debug, Clone)]
pub enum BulkOperation {
    /// Re-run the report.
    Rerun,
    /// Set who may see the report page.
    Privacy {
        /// The new setting.
        privacy: Privacy,
        /// The page's password, if the setting needs one. Never stored.
        password: Option<SecretString>,
    },
    /// Delete the report.
    Delete,
}

impl BulkOperation {
    /// The verb that precedes a count: `re-run 12 reports`.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Rerun => "re-run",
            Self::Privacy { privacy: Privacy::Public, .. } => "make public",
            Self::Privacy { privacy: Privacy::Private, .. } => "make private",
            Self::Privacy { privacy: Privacy::Password, .. } => "password-protect",
            Self::Delete => "delete",
        }
    }

    /// The verb in titles and on buttons: `Re-run`.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Rerun => "Re-run",
            Self::Privacy { privacy: Privacy::Public, .. } => "Make public",
            Self::Privacy { privacy: Privacy::Private, .. } => "Make private",
            Self::Privacy { privacy: Privacy::Password, .. } => "Password-protect",
            Self::Delete => "Delete",
        }
    }

    /// The verb of the progress line: `re-running`.
    pub fn progress_verb(&self) -> &'static str {
        match self {
            Self::Rerun => "re-running",
            Self::Privacy { .. } => "setting the privacy of",
            Self::Delete => "deleting",
        }
    }

    /// The change to send for each report; `None` for a deletion.
    pub fn change(&self) -> Option<ReportChange> {
        match self {
            Self::Rerun => Some(ReportChange::rerun()),
            Self::Privacy { privacy, password } => {
                Some(ReportChange { privacy: Some(*privacy), password: password.clone(), rerun: false })
            }
            Self::Delete => None,
        }
    }

    /// Whether the operation cannot be undone.
    pub fn destroys(&self) -> bool {
        matches!(self, Self::Delete)
    }

    /// Returns why this report needs no change, if so.
    pub(super) fn skip_reason(&self, report: &Report) -> Option<String> {
        match self {
            // A new password is a change even if the report already has one.
            Self::Privacy { privacy, password: None } if report.privacy == Some(*privacy) => {
                Some(format!("is already {}", privacy.name()))
            }
            Self::Rerun | Self::Privacy { .. } | Self::Delete => None,
        }
    }

    pub(super) fn before(&self, report: &Report) -> String {
        match self {
            Self::Rerun | Self::Delete => report.verdict(),
            Self::Privacy { .. } => report.privacy.map_or("unknown", Privacy::name).to_owned(),
        }
    }

    /// The value after the operation.
    pub fn after(&self) -> &'static str {
        match self {
            Self::Rerun => "re-run",
            Self::Privacy { privacy, .. } => privacy.name(),
            Self::Delete => "deleted",
        }
    }
}

/// A plan for many reports.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The operation.
    pub operation: BulkOperation,
    /// One item for each report, in the order of the screen; skipped if nothing is sent for it.
    pub items: Vec<BulkItem>,
}

impl Plan {
    /// Plans the operation for these reports. `busy` returns why a report cannot be changed now: `is being updated`.
    pub fn new<'a>(
        operation: BulkOperation,
        reports: impl Iterator<Item = &'a Report>,
        busy: impl Fn(&ReportId) -> Option<&'static str>,
    ) -> Self {
        let item = |report: &Report| {
            let busy = busy(&report.id).map(str::to_owned);
            BulkItem {
                id: report.id.clone(),
                url: report.short_url().to_owned(),
                before: operation.before(report),
                audited_at: report.generated_at,
                failing: report.failing(),
                change: None,
                state: busy.or_else(|| operation.skip_reason(report)).map_or(ItemState::Waiting, ItemState::Skipped),
            }
        };
        let items = reports.map(item).collect();
        Self { operation, items }
    }

    /// The number of reports to change.
    pub fn changes(&self) -> usize {
        self.items.iter().filter(|item| item.state == ItemState::Waiting).count()
    }

    /// The number of requests to send. A change of privacy reads the report first.
    pub fn requests(&self) -> usize {
        self.changes() * if matches!(self.operation, BulkOperation::Privacy { .. }) { 2 } else { 1 }
    }

    /// An estimate of the total duration, if a request takes `each` and at most `at_once` are in flight. `limit` is the
    /// number of requests per minute that the service allows, and how many are left.
    pub fn duration(&self, each: Duration, at_once: usize, limit: Option<(u64, u64)>) -> Duration {
        let requests = self.requests() as u64;
        let rounds = requests.div_ceil(at_once.max(1) as u64);
        let working = each.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX));
        let waiting = limit.map_or(Duration::ZERO, |(limit, left)| {
            Duration::from_mins(requests.saturating_sub(left).div_ceil(limit.max(1)))
        });
        working.max(waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::row;

    fn plan(operation: BulkOperation) -> Plan {
        let mut private = row("2", "https://shop.example/b", Outcome::Good);
        private.privacy = Some(Privacy::Private);
        let reports = [row("1", "https://shop.example/a", Outcome::Bad), private, row("3", "c", Outcome::Bad)];
        Plan::new(operation, reports.iter(), |id| (id.raw() == "3").then_some("is being updated"))
    }

    #[test]
    fn unchanged_reports_are_skipped_with_a_reason() {
        let skips = |operation| {
            let reason = |item: BulkItem| match item.state {
                ItemState::Skipped(reason) => reason,
                state => format!("{state:?}"),
            };
            plan(operation).items.into_iter().map(reason).collect::<Vec<_>>()
        };
        assert_eq!(skips(BulkOperation::Rerun), ["Waiting", "Waiting", "is being updated"]);
        let private = BulkOperation::Privacy { privacy: Privacy::Private, password: None };
        assert_eq!(skips(private.clone()), ["Waiting", "is already private", "is being updated"]);
        let plan = plan(private);
        assert_eq!((plan.items[0].before.as_str(), plan.operation.after(), plan.changes()), ("public", "private", 1));
    }

    #[test]
    fn the_time_follows_the_slower_of_service_and_limit() {
        let reports: Vec<Report> = (0..87).map(|number| row(&number.to_string(), "a", Outcome::Bad)).collect();
        let plan = Plan::new(BulkOperation::Rerun, reports.iter(), |_| None);
        let each = Duration::from_secs(3);
        assert_eq!(plan.duration(each, 4, None), Duration::from_secs(66));
        assert_eq!(plan.duration(each, 1, None), Duration::from_secs(261));
        assert_eq!(plan.duration(each, 4, Some((60, 100))), Duration::from_secs(66));
        assert_eq!(plan.duration(each, 4, Some((20, 7))), Duration::from_mins(4));
        assert_eq!(plan.duration(each, 4, Some((1, 0))), Duration::from_mins(87));
        let private = BulkOperation::Privacy { privacy: Privacy::Private, password: None };
        let plan = Plan::new(private, reports.iter(), |_| None);
        assert_eq!(plan.duration(each, 4, None), Duration::from_secs(132), "each report is read first");
    }
}
