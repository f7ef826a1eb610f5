//! Groups by address: the same host, project, or path up to a point, numbers and ids in it counted as one.

use std::collections::{BTreeMap, HashMap};

use super::group::{Cause, CauseGroup, largest_first};
use crate::domain::list::filter::quoted;
use crate::domain::report::Report;
use crate::domain::text::url_shape;

/// Fewer reports share nothing.
const LEAST: usize = 2;

/// The groups by path: `shop.example/blog/…` for what is under it, `shop.example/product/{number}` for pages that
/// differ in a number only. Of a path and a longer one with the same reports only the longer is listed.
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
    let group = |(members, label): (Vec<u32>, String)| {
        let mut group = CauseGroup::new(Cause::Address, &label, members, reports.len());
        group.select_by(&format!("path:{}", quoted(&label)), &label);
        group
    };
    let mut groups: Vec<CauseGroup> = longest.into_iter().map(group).collect();
    largest_first(&mut groups);
    groups
}

/// The groups by host, those of one report left out.
pub(super) fn hosts(reports: &[(u32, &Report)]) -> Vec<CauseGroup> {
    let mut groups = by(
        reports,
        Cause::Host,
        |report| url_shape::host(report.url.shown()).to_lowercase(),
        |host| format!("path:{}", quoted(&format!("{host}/…"))),
    );
    groups.retain(|group| group.members.len() >= LEAST);
    groups
}

/// The groups by project.
pub(super) fn projects(reports: &[(u32, &Report)]) -> Vec<CauseGroup> {
    by(reports, Cause::Project, |report| report.project.raw().to_owned(), |name| format!("project:{}", quoted(name)))
}

fn by(
    reports: &[(u32, &Report)],
    cause: Cause,
    name: impl Fn(&Report) -> String,
    filter: impl Fn(&str) -> String,
) -> Vec<CauseGroup> {
    let mut found: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (place, report) in reports {
        found.entry(name(report)).or_default().push(*place);
    }
    found.retain(|name, _| !name.is_empty());
    let group = |(name, members): (String, Vec<u32>)| {
        let mut group = CauseGroup::new(cause, &name, members, reports.len());
        group.select_by(&filter(&name), &name);
        group
    };
    let mut groups: Vec<CauseGroup> = found.into_iter().map(group).collect();
    largest_first(&mut groups);
    groups
}
