//! The sections and lines of the changes view.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use strum::IntoEnumIterator as _;

use crate::app::effect::RequestId;
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::changes::comparison::ComparisonResult;
use crate::domain::triage::changes::{ListScope, OverdueReport};

/// Options for the number of days after which a report without an audit is listed.
pub(crate) const UNTESTED_DAYS: [u16; 4] = [7, 30, 90, 365];
/// The default number of days.
const USUAL_DAYS: u16 = 30;

/// A section of the changes view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum ChangeSection {
    /// Got worse.
    Regressed,
    /// Got better.
    Improved,
    /// Not in the earlier list.
    New,
    /// No longer listed: gone, or missing until the service confirms that.
    Missing,
    /// Not audited for a long time.
    Untested,
}

/// A line of the changes view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeLine {
    /// The heading of a section.
    Heading(ChangeSection),
    /// A report, by its index in the section's list.
    Item(ChangeSection, usize),
}

impl ChangeLine {
    /// The section of the line.
    pub(crate) fn section(self) -> ChangeSection {
        let (Self::Heading(section) | Self::Item(section, _)) = self;
        section
    }
}

/// The comparison with an earlier list.
#[derive(Debug, Default)]
pub struct Changes {
    /// The latest comparison.
    pub compared: Option<ComparisonResult>,
    /// Why the latest list could not be compared.
    pub failure: Option<String>,
    /// The scope of the comparison.
    pub scope: ListScope,
    /// Points lost by report, for the urgency.
    pub fallen: Arc<HashMap<ReportId, u16>>,
    /// The number of reports without an audit for more than `untested_days`.
    pub(crate) untested: usize,
    /// Lists taken before this count as earlier.
    pub(crate) before: Timestamp,
    /// Compare with the list last seen, instead of the last one before `before`.
    pub(crate) unseen: bool,
    /// Baselines that were left for an earlier one, to return to.
    pub(crate) later: Vec<(Timestamp, bool)>,
    /// The number of days after which a report without an audit is listed.
    pub untested_days: u16,
    pub(crate) request: Option<(RequestId, ListScope)>,
    /// Requests for reports that are no longer listed.
    pub(crate) missing_requests: HashMap<RequestId, ReportId>,
    /// Those for which the service returned 404.
    pub(crate) gone: HashSet<ReportId>,
}

impl Changes {
    /// The state before any comparison; everything before `now` counts as earlier.
    pub fn new(now: Timestamp) -> Self {
        Self { before: now, unseen: true, untested_days: USUAL_DAYS, ..Self::default() }
    }

    /// When the earlier list was taken; `None` if there is none.
    pub fn baseline(&self) -> Option<Timestamp> {
        self.compared.as_ref()?.baseline
    }

    /// Whether the user chose a look before the last one.
    pub fn is_before_last_look(&self) -> bool {
        !self.later.is_empty()
    }

    /// Whether a missing report is known to be gone.
    pub fn is_gone(&self, id: &ReportId) -> bool {
        self.gone.contains(id)
    }

    /// The number of missing reports known to be gone.
    pub fn gone_count(&self) -> usize {
        let missing = self.compared.as_ref().map(|compared| compared.comparison.gone.as_slice()).unwrap_or_default();
        missing.iter().filter(|one| self.is_gone(&one.id)).count()
    }

    /// Keeps the URLs of reports that are deleted: their lines stay until the next comparison.
    pub(crate) fn keep_names<'a>(&mut self, deleted: impl Iterator<Item = &'a Report>) {
        if let Some(compared) = &mut self.compared {
            compared.names.extend(deleted.map(|row| (row.id.clone(), row.short_url().to_owned())));
        }
    }

    /// The number of reports in a section.
    pub fn count(&self, section: ChangeSection) -> usize {
        let Some(ComparisonResult { comparison, .. }) = &self.compared else { return 0 };
        match section {
            ChangeSection::Regressed => comparison.regressed.len(),
            ChangeSection::Improved => comparison.improved.len(),
            ChangeSection::New => comparison.new.len(),
            ChangeSection::Missing => comparison.gone.len(),
            ChangeSection::Untested => self.untested,
        }
    }

    /// The number of lines of the view, including a heading per section.
    pub fn line_count(&self) -> usize {
        if self.compared.is_none() { 0 } else { ChangeSection::iter().map(|section| self.count(section) + 1).sum() }
    }

    /// Returns the line at an index. Lines are derived from the counts, as there may be 100,000.
    pub fn line(&self, at: usize) -> Option<ChangeLine> {
        self.compared.as_ref()?;
        let mut left = at;
        for section in ChangeSection::iter() {
            let count = self.count(section);
            match left.checked_sub(1) {
                None => return Some(ChangeLine::Heading(section)),
                Some(item) if item < count => return Some(ChangeLine::Item(section, item)),
                Some(item) => left = item - count,
            }
        }
        None
    }

    /// Returns the report of a line.
    pub fn id(&self, line: ChangeLine) -> Option<&ReportId> {
        let ChangeLine::Item(section, at) = line else { return None };
        let comparison = &self.compared.as_ref()?.comparison;
        Some(match section {
            ChangeSection::Regressed => &comparison.regressed.get(at)?.id,
            ChangeSection::Improved => &comparison.improved.get(at)?.id,
            ChangeSection::New => &comparison.new.get(at)?.id,
            ChangeSection::Missing => &comparison.gone.get(at)?.id,
            ChangeSection::Untested => &comparison.untested.get(at)?.id,
        })
    }

    /// Counts the reports without an audit for too long.
    pub(crate) fn count_untested(&mut self, now: Timestamp) {
        let Some(compared) = &self.compared else { return };
        let limit = SignedDuration::from_hours(24 * i64::from(self.untested_days));
        // The oldest come first.
        let is_old = |one: &OverdueReport| now.duration_since(one.generated_at) > limit;
        self.untested = compared.comparison.untested.partition_point(is_old);
    }
}
