//! Groups of bad reports as filters to choose from.

use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::triage::causes::{Breadth, CauseGroup, Causes, causes};

/// Groups of one kind in the menu: the first ones explain most.
const MOST: usize = 6;

/// A group as the menu offers it.
#[derive(Debug, Clone)]
pub struct CauseFilter {
    /// What the reports share, in words.
    pub text: String,
    /// The filter that shows it.
    pub filter: String,
    /// Its reports, where the filter would show others too.
    pub members: Option<Vec<ReportId>>,
}

/// Groups of bad reports that share something.
#[derive(Debug, Clone, Default)]
pub struct FoundCauses {
    /// The groups, what explains most first.
    pub groups: Vec<CauseFilter>,
    /// How many bad reports there are.
    pub all: usize,
    /// Those whose checks are not known.
    pub unknown: Vec<ReportId>,
}

/// Looks for what the bad ones of these rows share. Some 40 ms for 10,000 bad reports.
pub fn find_causes(rows: &Rows, places: &[u32]) -> FoundCauses {
    let Causes { checks, addresses, hosts, projects, unknown, all } = causes(rows, places, Breadth::Bad);
    let kinds = [checks, addresses, hosts, projects];
    let groups = kinds.iter().flat_map(|groups| groups.iter().take(MOST)).map(|group| shared(rows, group)).collect();
    let unknown = unknown.iter().filter_map(|place| Some(rows.get(*place)?.id.clone())).collect();
    FoundCauses { groups, all, unknown }
}

fn shared(rows: &Rows, group: &CauseGroup) -> CauseFilter {
    let id = |place: &u32| Some(rows.get(*place)?.id.clone());
    let members = (!group.is_exact).then(|| group.members.iter().filter_map(id).collect());
    CauseFilter { text: group.in_words(), filter: format!("{} {}", Breadth::Bad.filter(), group.filter), members }
}
