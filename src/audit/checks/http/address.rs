//! Checks of the URL and of redirects.

use std::collections::BTreeSet;

use serde_json::json;
use url::Url;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::guard::site_name;
use crate::audit::fetch::response::HttpResponse;
use crate::audit::page::file_kind::{file_kind, is_image};
use crate::audit::page::head_links::Alternate;
use crate::audit::page::tree::PageTree;
use crate::audit::page::{AuditedPage, content_type};
use crate::audit::text::accents::spellings;
use crate::audit::text::keywords::{keywords, percent_decoded};
use crate::audit::text::language_tag::is_language_tag;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "seo_friendly_url",
        importance: Importance::Medium,
        title: "Readable URL",
        rule: Rule::Response(seo_friendly_url),
        passes_when: "No underscore, space or comma, at most one query key, a word of the title in the path of an inner page.",
        remedy: "Use short words of the title in the path, joined by hyphens, with at most one query key.",
        why: "People trust and remember an address that says what it leads to.",
        source: "Google Search Central: URL structure",
    },
    CheckEntry {
        id: "404_page",
        importance: Importance::High,
        title: "Missing pages",
        rule: Rule::Response(missing_page),
        passes_when: "A path that does not exist responds with status 404 or 410.",
        remedy: "Respond with status 404 or 410 to paths that do not exist.",
        why: "Search engines list pages that do not exist, and visitors land on them.",
        source: "Google Search Central: soft 404 errors",
    },
    CheckEntry {
        id: "http_status",
        importance: Importance::High,
        title: "HTTP status",
        rule: Rule::Page(http_status),
        passes_when: "A status from 200 to 299, and a page with content.",
        remedy: "Make the page respond with a status from 200 to 299 and with content.",
        why: "Visitors and search engines do not get the page.",
        source: "RFC 9110, section 15",
    },
    CheckEntry {
        id: "favicon",
        importance: Importance::Medium,
        title: "Icon",
        rule: Rule::Html(favicon),
        passes_when: "An icon is linked, or /favicon.ico responds with an image.",
        remedy: "Link an icon with rel=icon, or serve an image at /favicon.ico.",
        why: "Visitors recognise the page among many tabs and bookmarks by its icon.",
        source: "HTML standard: rel=icon",
    },
    CheckEntry {
        id: "redirect_chain",
        importance: Importance::Medium,
        title: "Redirects",
        rule: Rule::Page(redirect_chain),
        passes_when: "At most one redirect, and no loop.",
        remedy: "Link to the final address, and redirect at most once.",
        why: "Each detour costs visitors time before they see anything.",
        source: "Google Search Central: redirects",
    },
    CheckEntry {
        id: "canonical",
        importance: Importance::Medium,
        title: "Canonical URL",
        rule: Rule::Html(canonical),
        passes_when: "One absolute URL, the same in header and page; none is a note.",
        remedy: "Name one absolute canonical URL, the same in the header and in the page.",
        why: "Search engines may show another address of the page, or split its ranking between several.",
        source: "RFC 6596",
    },
    CheckEntry {
        id: "meta_refresh",
        importance: Importance::Medium,
        title: "Delayed redirect or reload",
        rule: Rule::Html(meta_refresh),
        passes_when: "No meta element redirects or reloads the page after a delay.",
        remedy: "Let the server redirect, and a script reload only what changes, instead of a meta refresh.",
        why: "The page disappears or starts again while visitors read it.",
        source: "WCAG 2.2, 2.2.1",
    },
    CheckEntry {
        id: "hreflang",
        importance: Importance::Low,
        title: "Other languages",
        rule: Rule::Html(hreflang),
        passes_when: "Registered language codes and absolute URLs.",
        remedy: "Use valid language codes and absolute URLs in hreflang links.",
        why: "Visitors get the page in a language that they do not read.",
        source: "Google Search Central: localized versions",
    },
];

/// The delay in seconds above which a refresh no longer sets a reader a time limit: 20 hours (WCAG 2.2, 2.2.1).
const LONGEST_DELAY: u64 = 20 * 60 * 60;

fn seo_friendly_url(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let url = page.url();
    let path = percent_decoded(url.path());
    let query = percent_decoded(url.query().unwrap_or_default());
    let mut errors = Vec::new();
    for (sign, name) in [('_', "an underscore"), (' ', "a space"), (',', "a comma")] {
        if path.contains(sign) || query.contains(sign) {
            errors.push(format!("the URL contains {name}"));
        }
    }
    let keys: BTreeSet<String> = url.query_pairs().map(|(key, _)| key.into_owned()).collect();
    if keys.len() > 1 {
        errors.push(format!("the URL has {} query keys", keys.len()));
    }
    let words = keywords(&page.title().unwrap_or_default());
    // A path of ASCII letters may contain the words of another script in letters that nobody can compare.
    let is_comparable = |word: &&str| !path.is_ascii() || spellings(word).iter().any(|spelling| spelling.is_ascii());
    let words: Vec<&str> = words.iter().map(String::as_str).filter(is_comparable).collect();
    let lower = path.to_lowercase();
    let says_title = words.iter().any(|word| spellings(word).iter().any(|word| lower.contains(word)));
    if is_inner_page(&path) && !words.is_empty() && !says_title {
        errors.push(format!("no word of the title is in the path: {}", words.join(", ")));
    }
    CheckResult::from_errors(json!(url.as_str()), errors)
}

fn missing_page(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(probe) = &page.probes.missing else { return CheckResult::not_applicable() };
    match &probe.result {
        Ok(response) => CheckResult::when(matches!(response.status, 404 | 410), json!(response.status), || {
            let redirects =
                if probe.hops.is_empty() { String::new() } else { format!("redirects to {}, which ", probe.last) };
            format!("{} does not exist and {redirects}responds with status {}", probe.first(), response.status)
        }),
        Err(fetch_error) => CheckResult::note(json!(null), format!("could not be requested: {fetch_error}")),
    }
}

fn http_status(page: &AuditedPage) -> CheckResult {
    let response = match &page.redirects.result {
        Ok(response) => response,
        Err(fetch_error) => {
            let error = format!("the page could not be fetched: {fetch_error}");
            return CheckResult::failed(json!({ "trouble": fetch_error.name() }), error);
        }
    };
    let status = response.status;
    // The header of Cloudflare's challenge pages, which only browsers pass.
    let is_challenge = response.header("cf-mitigated").is_some_and(|value| value.trim() == "challenge");
    let error = if is_challenge {
        Some(format!("Cloudflare sent a challenge (status {status}), not the page: let the user agent reportdeck pass"))
    } else if !(200..300).contains(&status) {
        Some(format!("the page responds with status {status}"))
    } else if response.body.trim_ascii().is_empty() {
        Some(format!("the page responds with status {status} and without content"))
    } else if page.tree.is_none() {
        unreadable(response)
    } else {
        None
    };
    CheckResult::from_errors(json!(status), error.into_iter().collect())
}

/// Returns why a successful response is not a page in a browser; `None` for a file with its own type.
fn unreadable(response: &HttpResponse) -> Option<String> {
    let status = response.status;
    let Some(declared) = content_type(response) else {
        let error = "but names no content type, and the content is not HTML";
        return Some(format!("the page responds with status {status}, {error}"));
    };
    let essence = declared.essence.as_str();
    let (kind, consequence) = match essence {
        "text/plain" if response.is_html_page() => ("HTML", "show its source"),
        "application/octet-stream" if response.is_html_page() => ("HTML", "save it as a file"),
        _ if declared.is_html() => (file_kind(&response.body)?, "show its bytes as text"),
        // In XML of any type, browsers show the elements of XHTML.
        _ if response.is_html_page() && !essence.ends_with("xml") => ("HTML", "do not show it as a page"),
        _ => return None,
    };
    Some(format!("the content is {kind}, but its type is {essence}: browsers {consequence}"))
}

fn favicon(page: &AuditedPage, _: &PageTree) -> CheckResult {
    if page.links_an_icon() {
        return CheckResult::passed(json!("link"));
    }
    let response = page.probes.favicon.as_ref().and_then(|probe| probe.response());
    let is_image = response.is_some_and(|response| {
        let kind = response.header("content-type").unwrap_or_default().to_ascii_lowercase();
        let has_body = !response.body.is_empty();
        let is_known = kind.starts_with("image/") || is_image(&response.body);
        response.status == 200 && (is_known || (kind.is_empty() && has_body))
    });
    let found = if is_image { "/favicon.ico" } else { "none" };
    CheckResult::when(is_image, json!(found), || "no icon is linked and /favicon.ico is not an image".to_owned())
}

fn redirect_chain(page: &AuditedPage) -> CheckResult {
    let steps = &page.redirects.hops;
    let described: Vec<String> =
        steps.iter().map(|step| format!("{} {} → {}", step.status, step.from, step.to)).collect();
    match &page.redirects.result {
        Err(fetch_error @ (FetchError::Circle(_) | FetchError::TooManyRedirects(_) | FetchError::BadRedirect(_))) => {
            CheckResult::failed(json!(described), fetch_error.to_string())
        }
        Ok(_) | Err(_) if steps.len() > 1 => CheckResult::from_errors(json!(described.clone()), described),
        Ok(_) => CheckResult::passed(json!(described)),
        Err(_) => CheckResult::not_applicable(),
    }
}

fn canonical(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let named = page.canonical_hrefs();
    let Some(first) = named.first() else {
        let is_misplaced = tree.named("link").any(|link| link.names("rel", "canonical") && !tree.is_in_head(link));
        let remark = if is_misplaced { "the canonical URL is in the body" } else { "the page names no canonical URL" };
        return CheckResult::note(json!(null), remark);
    };
    let mut errors = Vec::new();
    for href in &named {
        match Url::parse(href) {
            Err(_) => errors.push(format!("the canonical URL {href:?} is not an absolute URL")),
            Ok(url) if !matches!(url.scheme(), "http" | "https") => {
                errors.push(format!("the canonical URL {href} is not a web address"));
            }
            Ok(url) if is_front_page_of_site(&url, page.url()) && is_inner_page(page.url().path()) => {
                errors.push(format!("the canonical URL of this inner page is the front page {href}"));
            }
            Ok(_) => {}
        }
    }
    // Two spellings of one URL are equal.
    let distinct: BTreeSet<String> =
        named.iter().map(|href| Url::parse(href).map_or_else(|_| href.clone(), String::from)).collect();
    if distinct.len() > 1 {
        errors.push(format!("different canonical URLs: {}", named.join(", ")));
    }
    errors.sort_unstable();
    errors.dedup();
    CheckResult::from_errors(json!(first), errors)
}

/// Whether a URL is that of the front page of the same site, with or without `www.`.
fn is_front_page_of_site(url: &Url, page: &Url) -> bool {
    url.path() == "/" && url.query().is_none() && site_name(url) == site_name(page)
}

/// Whether a path is neither that of the front page nor that of the front page in one language.
fn is_inner_page(path: &str) -> bool {
    !is_front_page(path) && !is_front_page_of_a_language(path)
}

/// Names of the front page, or of the file that servers send for it.
const FRONT_PAGES: [&str; 8] = ["", "index", "default", "home", "homepage", "start", "startseite", "accueil"];

fn is_front_page(path: &str) -> bool {
    let file = path.trim_matches('/');
    let name = file.split('.').next().unwrap_or_default();
    !file.contains('/') && FRONT_PAGES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a path consists of languages or countries, as in `/de/`, `/en-us` and `/ch/fr/`.
fn is_front_page_of_a_language(path: &str) -> bool {
    let is_one = |part: &str| {
        let (code, more) = part.split_at_checked(2).unwrap_or_default();
        let is_code = code.bytes().all(|byte| byte.is_ascii_alphabetic()) && !code.is_empty();
        is_code && (more.is_empty() || (more.starts_with('-') && is_language_tag(part)))
    };
    path.trim_matches('/').split('/').all(is_one)
}

fn meta_refresh(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let refreshes = tree.named("meta").filter(|meta| meta.keyword("http-equiv") == "refresh");
    let mut contents = refreshes.filter_map(|meta| meta.attribute("content"));
    // The first one that browsers can parse counts.
    let Some((content, (delay, target))) = contents.find_map(|content| Some((content.trim(), parse_refresh(content)?)))
    else {
        return CheckResult::passed(json!(null));
    };
    let is_reload = page.base().join(target).is_ok_and(|url| target.is_empty() || url == *page.url());
    match delay {
        0 => CheckResult::note(json!(content), "the page redirects by meta refresh instead of by the server"),
        1..=LONGEST_DELAY if is_reload => {
            CheckResult::failed(json!(content), format!("the page is loaded again every {delay} s"))
        }
        1..=LONGEST_DELAY => CheckResult::failed(json!(content), format!("the page is replaced after {delay} s")),
        _ => CheckResult::passed(json!(content)),
    }
}

/// Returns the delay of a meta refresh in whole seconds, and its URL as written, which is empty for the page itself
/// ("shared declarative refresh steps", HTML standard, 4.2.5.3); `None` for a content that browsers ignore.
fn parse_refresh(content: &str) -> Option<(u64, &str)> {
    let content = content.trim_ascii_start();
    let (digits, rest) = content.split_at(content.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(content.len()));
    let begins_well = !digits.is_empty() || rest.starts_with('.');
    let rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    let goes_on_well = rest.chars().next().is_none_or(|next| matches!(next, ';' | ',') || next.is_ascii_whitespace());
    // A number too large for the type exceeds any limit.
    let delay = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    (begins_well && goes_on_well).then(|| (delay, refresh_target(rest)))
}

/// Returns the URL after the delay of a meta refresh, with or without `url=` and quotes before it.
fn refresh_target(rest: &str) -> &str {
    let rest = rest.trim_ascii_start().trim_start_matches([';', ',']).trim_ascii();
    let named = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url"));
    let value = named.and_then(|_| rest[3..].trim_ascii_start().strip_prefix('='));
    let url = value.map_or(rest, str::trim_ascii_start);
    match url.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(&url[..1]).next().unwrap_or_default(),
        None => url,
    }
}

fn hreflang(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let alternates = page.alternates();
    let (mut languages, mut errors) = (Vec::new(), Vec::new());
    for Alternate { language, href } in &alternates {
        if !language.eq_ignore_ascii_case("x-default") && !is_language_tag(language) {
            errors.push(format!("hreflang={language} is not a registered language tag ({href})"));
        }
        if Url::parse(href).is_err() {
            errors.push(format!("the address for hreflang={language} is not absolute: {href}"));
        }
        languages.push(language.as_str());
    }
    if languages.is_empty() {
        CheckResult::not_applicable()
    } else {
        CheckResult::from_errors(json!(languages), errors)
    }
}
