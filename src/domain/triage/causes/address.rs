//! Groups by address: the same host, project, or path up to a point, numbers and ids in it counted as one.

use std::collections::{BTreeMap, HashMap};

use super::group::{Cause, CauseGroup, largest_first};
use crate::domain::list::filter::quoted;
use crate::domain::report::Report;

/// Parts of a path that are looked at.
const DEEPEST: usize = 4;
/// Fewer reports share nothing.
const LEAST: usize = 2;
const NUMBER: &str = "{number}";
const ID: &str = "{id}";

/// The groups by path: `shop.example/blog/…` for what is under it, `shop.example/product/{number}` for pages that
/// differ in a number only. Of a path and a longer one with the same reports only the longer is listed.
pub(super) fn groups(reports: &[(u32, &Report)]) -> Vec<CauseGroup> {
    let mut found: HashMap<String, Vec<u32>> = HashMap::new();
    for (place, report) in reports {
        for label in labels(report) {
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
        group.filter = terms(&label);
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
        |report| host_and_path(report).0.to_lowercase(),
        |host| format!("url:{}", quoted(&format!("{host}/"))),
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

fn host_and_path(report: &Report) -> (&str, &str) {
    let url = report.url.shown();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    rest.split_once('/').unwrap_or((rest, ""))
}

/// The groups a report belongs to, in lower case as the filter compares: each beginning of its path, and its shape.
fn labels(report: &Report) -> Vec<String> {
    let (host, path) = host_and_path(report);
    let parts: Vec<String> = path.split('/').map(|part| folded(&part.to_lowercase())).collect();
    let mut labels = Vec::new();
    let mut label = host.to_lowercase();
    for (depth, part) in parts.iter().enumerate().take(DEEPEST) {
        label.push('/');
        label.push_str(part);
        if depth + 1 < parts.len() {
            labels.push(format!("{label}/…"));
        } else if part == NUMBER || part == ID {
            labels.push(label.clone());
        }
    }
    labels
}

/// A part of a path; `{number}` where it is nothing else, `{id}` where it is a long word with digits in it.
fn folded(part: &str) -> String {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let is_id = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') && part.len() >= 16;
    if digits > 0 && digits == part.len() {
        NUMBER.to_owned()
    } else if digits > 0 && is_id(part) {
        ID.to_owned()
    } else {
        part.to_owned()
    }
}

/// The texts between the folded parts, a term each: the filter has no patterns, so it may select more.
fn terms(label: &str) -> String {
    let whole = label.trim_end_matches('…');
    let pieces = whole.split(NUMBER).flat_map(|piece| piece.split(ID));
    let terms = pieces.filter(|piece| piece.chars().any(|character| character != '/'));
    terms.map(|piece| format!("url:{}", quoted(piece))).collect::<Vec<_>>().join(" ")
}
