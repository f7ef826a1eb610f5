//! Groups by URL: the same host, project or path prefix, with numbers and ids folded.

use std::collections::{BTreeMap, HashMap};

use super::group::CauseGroup;
use crate::domain::list::filter::quoted;
use crate::domain::report::Report;
use crate::domain::text::url_shape;

/// The minimum size of a group.
const LEAST: usize = 2;

/// Groups by path: `shop.example/blog/…` for everything below it, `shop.example/product/{number}` for pages that differ
/// only in a number. Of two paths with the same reports only the longer is listed.
pub(super) fn groups(reports: &[(u32, &Report)]) -> Vec<CauseGroup> {
    let mut found: HashMap<String, Vec<u32>> = HashMap::new();
    for (place, report) in reports {
        for label in url_shape::shapes(report.url.shown()) {
            found.entry(label).or_default().push(*place);
        }
    }
    found.retain(|_, members| members.len() >= LEAST);
    let mut longest: HashMap<Vec<u32>, String> = HashMap::new();
    for (label, members) in found {
        let kept = longest.entry(members).or_insert_with(|| label.clone());
        if (label.matches('/').count(), &label) > (kept.matches('/').count(), kept) {
            *kept = label;
        }
    }
    let found = longest.into_iter().map(|(members, label)| (label, members));
    CauseGroup::all(found, reports.len(), |label| format!("path:{}", quoted(label)))
}

/// Groups by host, without groups of one report.
pub(super) fn hosts(reports: &[(u32, &Report)]) -> Vec<CauseGroup> {
    let mut groups = by(
        reports,
        |report| url_shape::host(report.url.shown()).to_lowercase(),
        |host| format!("path:{}", quoted(&format!("{host}/…"))),
    );
    groups.retain(|group| group.members.len() >= LEAST);
    groups
}

/// Groups by project.
pub(super) fn projects(reports: &[(u32, &Report)]) -> Vec<CauseGroup> {
    by(reports, |report| report.project.raw().to_owned(), |name| format!("project:{}", quoted(name)))
}

fn by(
    reports: &[(u32, &Report)],
    name: impl Fn(&Report) -> String,
    filter: impl Fn(&str) -> String,
) -> Vec<CauseGroup> {
    let mut found: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (place, report) in reports {
        found.entry(name(report)).or_default().push(*place);
    }
    found.retain(|name, _| !name.is_empty());
    CauseGroup::all(found, reports.len(), filter)
}
