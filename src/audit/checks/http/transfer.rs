//! Checks of response time, size, compression and caching.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::fetch::response::HttpResponse;
use crate::audit::page::AuditedPage;
use crate::audit::page::parser::Syntax;
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "text_compression",
        importance: Importance::High,
        title: "Compression",
        rule: Rule::Html(text_compression),
        passes_when: "gzip, deflate, br or zstd for more than 14.6 kB; under 1.4 kB it saves nothing; in between, a note.",
        remedy: "Let the server compress HTML with gzip, br or zstd.",
        why: "The page takes several times as long to load as it could.",
        source: "Lighthouse: uses-text-compression; RFC 6928, 2: ten segments at once",
    },
    CheckEntry {
        id: "load_time",
        importance: Importance::Medium,
        title: "Load time of the page",
        rule: Rule::Html(load_time),
        passes_when: "The HTML is loaded within 2 s.",
        remedy: "Make the server respond faster: cache, compress, do less per request.",
        why: "Many visitors leave before a slow page appears.",
        source: "Common budget of 2 s for the document",
    },
    CheckEntry {
        id: "page_size",
        importance: Importance::Medium,
        title: "Size on the wire",
        rule: Rule::Html(page_size),
        passes_when: "At most 330 kB of HTML on the wire.",
        remedy: "Send at most 330 kB of HTML: compress it, move data elsewhere.",
        why: "The page loads slowly on phones and uses up mobile data.",
        source: "Web Almanac: weight of heavy documents",
    },
    CheckEntry {
        id: "doctype",
        importance: Importance::Medium,
        title: "Doctype",
        rule: Rule::Html(doctype),
        passes_when: "The doctype html, and no quirks mode.",
        remedy: "Begin the page with <!DOCTYPE html>.",
        why: "Browsers show the page by the rules of the nineties: parts may be out of place.",
        source: "HTML standard: the doctype",
    },
    CheckEntry {
        id: "ttfb",
        importance: Importance::Medium,
        title: "Time to first byte",
        rule: Rule::Response(ttfb),
        passes_when: "The first byte arrives within 0.8 s.",
        remedy: "Respond within 0.8 s: cache what takes long to generate.",
        why: "Visitors see nothing until the server responds; many leave before that.",
        source: "web.dev: TTFB, good up to 0.8 s",
    },
    CheckEntry {
        id: "html_decoded_size",
        importance: Importance::Medium,
        title: "Size of the HTML",
        rule: Rule::Html(html_decoded_size),
        passes_when: "At most 2 MB of HTML after decompression.",
        remedy: "Keep the HTML under 2 MB: robots stop reading there.",
        why: "Search engines do not read the page to its end.",
        source: "Googlebot reads the first 2 MB of HTML",
    },
    CheckEntry {
        id: "cache_headers",
        importance: Importance::Low,
        title: "Caching",
        rule: Rule::Response(cache_headers),
        passes_when: "A Cache-Control header that does not contradict itself.",
        remedy: "Send one Cache-Control header that does not contradict itself.",
        why: "Returning visitors load everything again.",
        source: "RFC 9111, 5.2",
    },
];

/// The size in bytes below which compression saves no packet.
const WORTH_COMPRESSING: usize = 1_400;
/// The bytes a server sends before it waits for the browser: ten segments of 1,460 bytes (RFC 6928, 2). Compressing a
/// smaller page saves packets, but no time.
const INITIAL_WINDOW: usize = 14_600;
const SLOWEST_LOAD: f64 = 2.0;
const SLOWEST_FIRST_BYTE: f64 = 0.8;
const HEAVIEST_ON_THE_WIRE: usize = 330_000;
const LARGEST_HTML: usize = 2_000_000;

/// Returns the words before the size of a response that was not read to its end.
fn at_least(response: &HttpResponse) -> &'static str {
    if response.cut { "at least " } else { "" }
}

fn text_compression(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let Some(response) = page.response() else { return CheckResult::not_applicable() };
    if response.body.len() < WORTH_COMPRESSING {
        return CheckResult::not_applicable();
    }
    let encoding = response.header("content-encoding").unwrap_or_default().trim().to_ascii_lowercase();
    let is_compressed = matches!(encoding.as_str(), "gzip" | "x-gzip" | "deflate" | "br" | "zstd");
    // `identity` means no encoding (RFC 9110, 12.5.3).
    let named = if encoding.is_empty() { "identity" } else { encoding.as_str() };
    let value = json!({ "encoding": named, "wire": response.wire_bytes, "decoded": response.body.len() });
    let error = format!("{}{} bytes of HTML are sent uncompressed", at_least(response), response.body.len());
    match (is_compressed, response.body.len()) {
        (true, _) => CheckResult::passed(value),
        (false, ..=INITIAL_WINDOW) => {
            CheckResult::note(value, format!("{error}, which still fit into the first packets"))
        }
        (false, _) => CheckResult::failed(value, error),
    }
}

fn seconds(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn load_time(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let Some(response) = page.response() else { return CheckResult::not_applicable() };
    let took = seconds(response.phases.total().as_secs_f64());
    let phases = json!({
        "seconds": took,
        "resolve": seconds(response.phases.resolve.as_secs_f64()),
        "connect": seconds(response.phases.connect.as_secs_f64()),
        "tls": seconds(response.phases.tls.as_secs_f64()),
        "first_byte": seconds(response.phases.first_byte.as_secs_f64()),
        "body": seconds(response.phases.body.as_secs_f64()),
    });
    CheckResult::when(took <= SLOWEST_LOAD, phases, || {
        format!("the HTML took {took} s, at most {SLOWEST_LOAD} s recommended")
    })
}

fn ttfb(_: &AuditedPage, response: &HttpResponse) -> CheckResult {
    let took = seconds(response.phases.until_first_byte().as_secs_f64());
    CheckResult::when(took <= SLOWEST_FIRST_BYTE, json!(took), || {
        format!("the first byte came after {took} s, at most {SLOWEST_FIRST_BYTE} s recommended")
    })
}

fn page_size(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let Some(response) = page.response() else { return CheckResult::not_applicable() };
    let bytes = response.wire_bytes;
    CheckResult::when(bytes <= HEAVIEST_ON_THE_WIRE, json!(bytes), || {
        let at_least = at_least(response);
        format!("the page is {at_least}{bytes} bytes on the wire, at most {HEAVIEST_ON_THE_WIRE} recommended")
    })
}

fn html_decoded_size(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let Some(response) = page.response() else { return CheckResult::not_applicable() };
    let bytes = response.body.len();
    let at_least = at_least(response);
    CheckResult::when(bytes <= LARGEST_HTML && !response.cut, json!(bytes), || {
        format!("the HTML has {at_least}{bytes} bytes, at most {LARGEST_HTML} recommended")
    })
}

fn doctype(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    // XML pages have no quirks mode.
    if tree.syntax != Syntax::Html {
        return CheckResult::not_applicable();
    }
    let named = tree.doctype.as_deref();
    let is_fine = named.is_some_and(|name| name.eq_ignore_ascii_case("html")) && !tree.quirks;
    CheckResult::when(is_fine, json!(named), || match named {
        None if has_late_doctype(&page.source) => {
            "the doctype is not at the beginning, so browsers ignore it and use quirks mode".to_owned()
        }
        None => "the page has no doctype, so browsers use quirks mode".to_owned(),
        Some(name) => {
            let declared = format!("{name} {}", tree.public_id);
            format!("the doctype {} puts browsers into quirks mode", declared.trim_end())
        }
    })
}

/// Whether the source has a doctype after something else, such as the warning of a program or a second byte order mark.
fn has_late_doctype(source: &str) -> bool {
    let lower = source.to_ascii_lowercase();
    let start = lower.split("<html").next().unwrap_or_default();
    let before = start.split_once("<!doctype").map(|(before, _)| before);
    // One in a comment or in an attribute is none.
    before.is_some_and(|before| before.rsplit_once('<').is_none_or(|(_, tag)| tag.contains('>')))
}

fn cache_headers(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let values = page.header_values("cache-control").join(", ");
    if values.is_empty() {
        return CheckResult::failed(json!(null), "there is no Cache-Control header");
    }
    let directives: Vec<String> = values.split(',').map(|part| part.trim().to_ascii_lowercase()).collect();
    let has = |name: &str| directives.iter().any(|directive| directive == name);
    let stores = |directive: &&String| {
        let age = directive.strip_prefix("max-age=").or_else(|| directive.strip_prefix("s-maxage="));
        matches!(directive.as_str(), "public" | "immutable") || age.is_some_and(|age| age.trim_matches('"') != "0")
    };
    let mut errors = Vec::new();
    if has("public") && has("private") {
        errors.push("Cache-Control says both public and private".to_owned());
    }
    let stored = directives.iter().find(stores).filter(|_| has("no-store"));
    errors.extend(stored.map(|directive| format!("Cache-Control says both no-store and {directive}")));
    CheckResult::from_errors(json!(values), errors)
}
