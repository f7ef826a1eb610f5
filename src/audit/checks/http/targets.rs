//! Checks of a page's canonical URL, its other languages, and its alternative addresses.

use serde_json::json;
use url::Url;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::checks::http::crawling::{index_rules, rules};
use crate::audit::fetch::redirects::RedirectChain;
use crate::audit::limits::AuditLimits;
use crate::audit::page::AuditedPage;
use crate::audit::page::head_links::{Alternate, without_fragment};
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "canonical_target",
        importance: Importance::Medium,
        title: "Target of the canonical URL",
        rule: Rule::Html(canonical_target),
        passes_when: "The canonical URL responds with status 2xx, without a redirect, may be indexed and names no other one.",
        remedy: "Name a canonical URL that responds with the page, without a redirect, and may be indexed.",
        why: "Search engines leave out this page in favour of one that they cannot show.",
        source: "Google Search Central: canonical URLs",
    },
    CheckEntry {
        id: "hreflang_targets",
        importance: Importance::Low,
        title: "Targets of other languages",
        rule: Rule::Html(hreflang_targets),
        passes_when: "The page lists itself, and up to 3 pages in other languages respond, may be indexed and link back to it.",
        remedy: "List this page itself, and make each page in another language respond, be indexable, and link back to it.",
        why: "Search engines ignore one-sided links, and visitors get the page in the wrong language.",
        source: "Google Search Central: localized versions",
    },
    CheckEntry {
        id: "duplicate_addresses",
        importance: Importance::Low,
        title: "One address",
        rule: Rule::Html(duplicate_addresses),
        passes_when: "With or without www and a final slash, other addresses redirect, are missing, or name one canonical URL.",
        remedy: "Redirect the other forms of the address to this one, or name one canonical URL on all of them.",
        why: "Search engines see the same page twice and split its ranking.",
        source: "Google Search Central: duplicate URLs",
    },
];

/// Parses a probe as a page; `None` if there is no response or parsing takes too long.
fn page_of(probe: &RedirectChain) -> Option<AuditedPage> {
    probe.response()?;
    AuditedPage::read(probe.clone(), &AuditLimits::default()).ok()
}

/// Returns what keeps a search engine from showing the target of a link.
fn obstacles(page: &AuditedPage, probe: &RedirectChain, target: &AuditedPage) -> Vec<String> {
    let start = probe.first();
    let mut errors = Vec::new();
    if let Some(hop) = probe.hops.first() {
        errors.push(format!("{start} redirects to {}", hop.to));
    }
    let status = target.response().map_or(0, |response| response.status);
    if !(200..300).contains(&status) {
        errors.push(format!("{} responds with status {status}", probe.last));
    }
    errors.extend(index_rules(target).1.into_iter().map(|error| format!("{}: {error}", probe.last)));
    // Only the rules of this host are known.
    if start.host_str() == page.url().host_str() {
        let path = &start[url::Position::BeforePath..url::Position::AfterQuery];
        let rules = rules(page);
        let rule = rules.as_ref().and_then(|rules| rules.disallowed_by("googlebot", path));
        errors.extend(rule.map(|rule| format!("robots.txt disallows {rule}, and with it {start}")));
    }
    errors
}

fn canonical_target(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let Some(probe) = &page.probes.canonical else { return CheckResult::not_applicable() };
    let url = probe.last.as_str();
    if let Err(fetch_error) = &probe.result {
        return CheckResult::note(url, format!("{url} could not be read: {fetch_error}"));
    }
    let Some(target) = page_of(probe) else { return CheckResult::not_applicable() };
    let mut errors = obstacles(page, probe, &target);
    let own = without_fragment(probe.last.clone());
    if let Some(further) = target.canonical_url().filter(|further| *further != own && errors.is_empty()) {
        errors.push(format!("{own} names another canonical URL: {further}"));
    }
    CheckResult::from_errors(url, errors)
}

fn hreflang_targets(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let (mut judged, mut errors, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    let own = without_fragment(page.url().clone());
    let ways_back = [Some(own), page.canonical_url()];
    let names_page = |alternate: &Alternate| {
        let url = Url::parse(&alternate.href).ok().map(without_fragment);
        url.is_some() && ways_back.contains(&url)
    };
    for probe in &page.probes.alternates {
        let Some(target) = page_of(probe) else {
            unread.push(probe.last.as_str());
            continue;
        };
        judged.push(probe.last.as_str());
        let obstacles = obstacles(page, probe, &target);
        // The links may be after the part that was read.
        let is_whole = target.response().is_some_and(|response| !response.cut);
        if obstacles.is_empty() && is_whole && !target.alternates().iter().any(names_page) {
            errors.push(format!("{} does not name this page among its languages", probe.last));
        }
        errors.extend(obstacles);
    }
    let own = page.alternates();
    if !own.is_empty() && !own.iter().any(names_page) {
        errors.push("no hreflang link names this page itself".to_owned());
    }
    match (judged.is_empty(), unread.first()) {
        (true, None) => CheckResult::not_applicable(),
        (true, Some(first)) => CheckResult::note(json!(unread), format!("{first} could not be read")),
        (false, _) => CheckResult::from_errors(json!(judged), errors),
    }
}

fn duplicate_addresses(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let forms: Vec<&RedirectChain> = page.probes.www_form.iter().chain(&page.probes.slash_form).collect();
    if forms.is_empty() {
        return CheckResult::not_applicable();
    }
    let canonical = page.canonical_url().unwrap_or_else(|| without_fragment(page.url().clone()));
    let errors = forms.iter().filter_map(|probe| {
        let answers = probe.hops.is_empty() && probe.response().is_some_and(|response| response.status == 200);
        let other = page_of(probe).filter(|_| answers)?;
        // A page with another title is another page.
        let is_same = other.title().is_some_and(|title| Some(title) == page.title());
        let names_one = other.canonical_url().is_some_and(|named| named == canonical);
        (is_same && !names_one).then(|| format!("{} responds with the same page and does not redirect", probe.last))
    });
    let urls: Vec<&str> = forms.iter().map(|probe| probe.last.as_str()).collect();
    CheckResult::from_errors(json!(urls), errors.collect())
}
