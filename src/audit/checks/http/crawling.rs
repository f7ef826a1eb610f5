//! Checks of crawling: robots.txt, noindex, sitemaps.

use jiff::Timestamp;
use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::fetch::redirects::RedirectChain;
use crate::audit::fetch::response::HttpResponse;
use crate::audit::page::AuditedPage;
use crate::audit::robots::{LONGEST_ROBOTS, RobotsTxt};
use crate::audit::sitemap::Sitemap;
use crate::domain::report::check::Importance;

pub(in crate::audit) const SEO_ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "robots",
        importance: Importance::High,
        title: "Allowed for robots",
        rule: Rule::Response(robots),
        passes_when: "No rule of robots.txt forbids the path to all robots, to Googlebot or to Bingbot.",
        remedy: "Allow the path of the page in robots.txt.",
        why: "Search engines may not read the page, so no one finds it there.",
        source: "RFC 9309",
    },
    CheckEntry {
        id: "noindex",
        importance: Importance::High,
        title: "Allowed in search results",
        rule: Rule::Response(noindex),
        passes_when: "No noindex or none in robots metas and X-Robots-Tag, and no past unavailable_after.",
        remedy: "Remove noindex from the robots meta and from the X-Robots-Tag header.",
        why: "Search engines leave the page out, so no one finds it there.",
        source: "Google Search Central: robots meta tag",
    },
    CheckEntry {
        id: "robots_txt_valid",
        importance: Importance::Medium,
        title: "robots.txt",
        rule: Rule::Response(robots_txt_valid),
        passes_when: "Fields and values in at most 500 KiB, or status 4xx other than 429.",
        remedy: "Serve robots.txt as plain text of fields and values, or respond with 404.",
        why: "Search engines may read pages that they should not, or skip those that they should read.",
        source: "RFC 9309, 2.2 and 2.5",
    },
    CheckEntry {
        id: "sitemap_valid",
        importance: Importance::Low,
        title: "Contents of the sitemap",
        rule: Rule::Response(sitemap_valid),
        passes_when: "Status 200, and XML or lines of text with at most 50,000 absolute URLs in 50 MB.",
        remedy: "Serve the sitemap as XML or text with absolute URLs, at most 50,000 of them.",
        why: "Search engines find new and changed pages later.",
        source: "sitemaps.org protocol",
    },
];

pub(in crate::audit) const OTHER_ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "sitemap",
    importance: Importance::Low,
    title: "Sitemap",
    rule: Rule::Response(sitemap),
    passes_when: "robots.txt names a sitemap, or /sitemap.xml is one.",
    remedy: "Name a sitemap in robots.txt, or serve one as /sitemap.xml.",
    why: "Search engines find new and changed pages later.",
    source: "sitemaps.org protocol",
}];

/// The most URLs of one sitemap (sitemaps.org).
const MOST_LOCATIONS: usize = 50_000;
const TOO_MANY_REQUESTS: u16 = 429;
/// The name of this program in robots.txt, and the search engines whose own rules count.
const ROBOTS: [(&str, &str); 3] = [("reportdeck", "robots"), ("googlebot", "Googlebot"), ("bingbot", "Bingbot")];
/// Search engine crawlers whose own directives count.
const SEARCH_ROBOTS: [&str; 4] = ["robots", "googlebot", "bingbot", "*"];

/// Returns the response of a probe, if any.
pub(super) fn answered(probe: Option<&RedirectChain>) -> Option<&HttpResponse> {
    probe.and_then(RedirectChain::response)
}

/// Returns the rules of robots.txt, if it could be read.
pub(super) fn rules(page: &AuditedPage) -> Option<RobotsTxt> {
    answered(page.probes.robots.as_ref()).and_then(RobotsTxt::of_response)
}

fn robots(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(probe) = &page.probes.robots else { return CheckResult::not_applicable() };
    let response = match &probe.result {
        Ok(response) => response,
        Err(fetch_error) => {
            return CheckResult::note(json!(null), format!("robots.txt could not be read: {fetch_error}"));
        }
    };
    if response.status >= 500 {
        let error = format!("robots.txt responds with status {}, so robots stay away", response.status);
        return CheckResult::failed(json!(response.status), error);
    }
    // Search engines treat this status as one of the server (Google Search Central: robots.txt). It may pass soon.
    if response.status == TOO_MANY_REQUESTS {
        return CheckResult::note(json!(response.status), "robots.txt responds with status 429, so robots stay away");
    }
    let url = page.url();
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let rules = rules(page).unwrap_or_default();
    let forbidden = ROBOTS.iter().filter_map(|(name, word)| Some((rules.disallowed_by(name, path)?, *word)));
    let forbidden: Vec<(&str, &str)> = forbidden.collect();
    let Some((rule, first)) = forbidden.first() else { return CheckResult::passed(json!(null)) };
    // A rule for all robots is reported once.
    let errors = match *first {
        "robots" => vec![format!("robots.txt disallows {rule}")],
        _ => forbidden.iter().map(|(rule, word)| format!("robots.txt disallows {rule} to {word}")).collect(),
    };
    CheckResult::from_errors(json!(rule), errors)
}

fn robots_txt_valid(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(response) = answered(page.probes.robots.as_ref()) else { return CheckResult::not_applicable() };
    let value = json!({ "status": response.status, "bytes": response.body.len() });
    if (400..500).contains(&response.status) && response.status != TOO_MANY_REQUESTS {
        return CheckResult::passed(value);
    }
    let is_success = (200..300).contains(&response.status);
    if is_success && response.is_html_page() {
        return CheckResult::failed(value, "robots.txt is an HTML page");
    }
    let mut errors = Vec::new();
    if !is_success {
        errors.push(format!("robots.txt responds with status {}", response.status));
    }
    if response.body.len() > LONGEST_ROBOTS || response.cut {
        errors.push("robots.txt is longer than 500 KiB".to_owned());
    }
    let rules = rules(page).unwrap_or_default();
    let invalid = rules.invalid_lines.iter();
    errors.extend(invalid.map(|bad| format!("line {} of robots.txt {}: {}", bad.number, bad.why, bad.line)));
    CheckResult::from_first_errors(value, errors, rules.further_invalid_lines)
}

fn noindex(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let (declared, errors) = index_rules(page);
    CheckResult::from_errors(json!(declared), errors)
}

/// Returns the directives for robots in metas and headers, and errors for those that keep the page out of search
/// results.
pub(super) fn index_rules(page: &AuditedPage) -> (Vec<&str>, Vec<String>) {
    let metas = SEARCH_ROBOTS.iter().flat_map(|name| page.metas(name));
    let metas = metas.map(|content| ("the robots meta", content));
    let headers = page.header_values("x-robots-tag").into_iter().filter_map(|value| for_search(value));
    let headers = headers.map(|content| ("the X-Robots-Tag header", content));
    let declared: Vec<(&str, &str)> = metas.chain(headers).collect();
    let errors =
        declared.iter().filter(|(_, content)| hides(content)).map(|(place, content)| format!("{place} says {content}"));
    (declared.iter().map(|(_, content)| *content).collect(), errors.collect())
}

/// Returns the directives of a header that apply to search engine crawlers.
fn for_search(value: &str) -> Option<&str> {
    match value.split_once(':') {
        Some((name, rest)) if !name.contains(',') => {
            let name = name.trim().to_ascii_lowercase();
            let is_directive = name.starts_with("max-") || name == "unavailable_after";
            if is_directive { Some(value) } else { SEARCH_ROBOTS.contains(&name.as_str()).then(|| rest.trim()) }
        }
        Some(_) | None => Some(value),
    }
}

/// Whether directives keep a page out of search results.
pub(super) fn hides(content: &str) -> bool {
    let lower = content.to_ascii_lowercase();
    let named = lower.split(',').any(|directive| matches!(directive.trim(), "noindex" | "none"));
    named
        || lower
            .find("unavailable_after")
            .is_some_and(|at| is_past(content[at..].split_once(':').map_or("", |(_, date)| date)))
}

/// Date formats that search engines accept besides RFC 3339 and RFC 822.
const TIMES: [&str; 3] = ["%d-%b-%Y %H:%M:%S", "%d %b %Y %H:%M:%S", "%A, %d-%b-%y %H:%M:%S"];
/// The most directives after a date that are examined; real pages have two or three.
const MOST_DIRECTIVES: usize = 20;
const DAYS: [&str; 4] = ["%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%Y-%m-%d"];

/// Whether the text begins with a past date in any of the usual formats. Other directives may follow it.
fn is_past<'a>(date: &'a str) -> bool {
    // Some formats contain a comma, so the longest prefix that is a date counts.
    let shorter = |text: &&'a str| text.rsplit_once(',').map(|(start, _)| start);
    let mut texts = std::iter::successors(Some(date), shorter).take(MOST_DIRECTIVES);
    texts.find_map(|text| time_of(text.trim())).is_some_and(|until| until < Timestamp::now())
}

fn time_of(text: &str) -> Option<Timestamp> {
    let bare = ["GMT", "UTC", "Z"].into_iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(text).trim_end();
    let as_time = || TIMES.iter().find_map(|form| jiff::civil::DateTime::strptime(form, bare).ok());
    let as_day = || DAYS.iter().find_map(|form| jiff::civil::Date::strptime(form, bare).ok());
    let civil = || as_time().or_else(|| as_day().map(jiff::civil::DateTime::from));
    let rfc2822 = || jiff::fmt::rfc2822::parse(text).map(|zoned| zoned.timestamp());
    let parsed = text.parse::<Timestamp>().or_else(|_| rfc2822()).ok();
    parsed.or_else(|| civil()?.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp()))
}

/// Whether a response is a sitemap. A gzip file counts as one; it is not decompressed.
fn is_sitemap(response: &HttpResponse) -> bool {
    is_gzip(response) || contents(response).is_one()
}

fn is_gzip(response: &HttpResponse) -> bool {
    response.body.starts_with(&[0x1f, 0x8b])
}

fn contents(response: &HttpResponse) -> Sitemap {
    Sitemap::parse(&String::from_utf8_lossy(&response.body), response.cut)
}

fn sitemap(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    if page.probes.robots.is_none() {
        return CheckResult::not_applicable();
    }
    let named = rules(page).map(|rules| rules.sitemaps).unwrap_or_default();
    if let Some(first) = named.first() {
        return CheckResult::passed(json!(first));
    }
    let found =
        answered(page.probes.sitemap.as_ref()).filter(|response| response.status == 200).is_some_and(is_sitemap);
    let value = if found { json!("/sitemap.xml") } else { json!(null) };
    CheckResult::when(found, value, || "robots.txt names no sitemap and there is no /sitemap.xml".to_owned())
}

fn sitemap_valid(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(response) = answered(page.probes.sitemap.as_ref()) else { return CheckResult::not_applicable() };
    let is_named = rules(page).is_some_and(|rules| !rules.sitemaps.is_empty());
    match response.status {
        200 => {}
        status if is_named => return CheckResult::failed(status, format!("the sitemap responds with status {status}")),
        _ => return CheckResult::not_applicable(),
    }
    if response.is_html_page() {
        return CheckResult::failed(json!("HTML"), "the sitemap is an HTML page");
    }
    if is_gzip(response) {
        return CheckResult::note(json!("gzip"), "the sitemap is a compressed file, which is not examined");
    }
    let by_line = Sitemap::of_lines(&String::from_utf8_lossy(&response.body), response.cut);
    let is_text = by_line.is_some();
    let sitemap = by_line.unwrap_or_else(|| contents(response));
    if sitemap.is_feed() {
        return CheckResult::note(json!("feed"), "the sitemap is a feed, which is not examined");
    }
    let mut errors = Vec::new();
    if !is_text && !sitemap.is_one() {
        errors.push("the sitemap contains neither a urlset nor a sitemapindex".to_owned());
    }
    if sitemap.locations > MOST_LOCATIONS {
        errors.push(format!("the sitemap lists {} URLs, at most {MOST_LOCATIONS} are allowed", sitemap.locations));
    }
    errors.extend(sitemap.errors);
    CheckResult::from_errors(json!({ "urls": sitemap.locations, "whole": !response.cut }), errors)
}
