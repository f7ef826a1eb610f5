//! Checks of further security headers, and of security.txt.

use jiff::Timestamp;
use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::fetch::response::HttpResponse;
use crate::audit::headers::transport_security::{YEAR, counts_for, max_age};
use crate::audit::page::AuditedPage;
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "hsts_preload",
        importance: Importance::Note,
        title: "Preloading of strict transport security",
        rule: Rule::Response(hsts_preload),
        passes_when: "max-age of a year, includeSubDomains and preload. Does not affect the score.",
        remedy: "Add includeSubDomains and preload, once all subdomains are encrypted.",
        why: "Only browsers that already know the site are safe on their very first visit.",
        source: "hstspreload.org: submission requirements",
    },
    CheckEntry {
        id: "cors",
        importance: Importance::Low,
        title: "Access by other sites",
        rule: Rule::Response(cors),
        passes_when: "Access-Control-Allow-Origin names one origin; * is a note.",
        remedy: "Name the sites that may read the page in Access-Control-Allow-Origin, or leave the header out.",
        why: "Any other site may read what the page shows to a visitor.",
        source: "Fetch standard: CORS protocol",
    },
    CheckEntry {
        id: "permissions_policy",
        importance: Importance::Note,
        title: "Permissions policy",
        rule: Rule::Html(permissions_policy),
        passes_when: "A Permissions-Policy header. Does not affect the score.",
        remedy: "Switch off what the page does not use, for example Permissions-Policy: camera=(), geolocation=().",
        why: "Third-party code in the page can request the camera or the location of visitors.",
        source: "W3C Permissions Policy",
    },
    CheckEntry {
        id: "isolation",
        importance: Importance::Note,
        title: "Isolation from other windows",
        rule: Rule::Html(isolation),
        passes_when: "Cross-Origin-Opener-Policy with same-origin or a variant of it. Does not affect the score.",
        remedy: "Send Cross-Origin-Opener-Policy: same-origin, and Cross-Origin-Resource-Policy where it fits.",
        why: "A page that opens this one keeps a reference to its window.",
        source: "HTML standard: cross-origin opener policies",
    },
    CheckEntry {
        id: "security_txt",
        importance: Importance::Note,
        title: "Security contact",
        rule: Rule::Response(security_txt),
        passes_when: "/.well-known/security.txt with Contact and a future Expires. Does not affect the score.",
        remedy: "Serve /.well-known/security.txt with Contact and an Expires date that is not past.",
        why: "People who find a vulnerability do not know whom to contact.",
        source: "RFC 9116",
    },
];

/// The most lines of security.txt that are examined.
const MOST_LINES: usize = 200;

fn hsts_preload(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(header) = page.header("strict-transport-security").filter(|_| counts_for(page.url())) else {
        return CheckResult::not_applicable();
    };
    let lower = header.to_ascii_lowercase();
    let directives: Vec<&str> = lower.split(';').map(str::trim).collect();
    let mut missing = Vec::new();
    if max_age(header).is_none_or(|age| age < YEAR) {
        missing.push("a max-age of a year");
    }
    for (directive, word) in [("includesubdomains", "includeSubDomains"), ("preload", "preload")] {
        if !directives.contains(&directive) {
            missing.push(word);
        }
    }
    if missing.is_empty() {
        return CheckResult::passed(json!(header));
    }
    CheckResult::note(json!(header), format!("not eligible for the preload lists: without {}", missing.join(", ")))
}

fn cors(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(origin) = page.header("access-control-allow-origin").map(str::trim) else {
        return CheckResult::not_applicable();
    };
    let with_credentials = page.header("access-control-allow-credentials").is_some_and(|value| value.trim() == "true");
    match origin {
        "null" => CheckResult::failed(json!(origin), "Access-Control-Allow-Origin is null, which any site can claim"),
        "*" if with_credentials => CheckResult::failed(
            json!(origin),
            "Access-Control-Allow-Origin is * together with Allow-Credentials, which browsers reject",
        ),
        "*" => CheckResult::note(json!(origin), "Access-Control-Allow-Origin is *: any site may read this page"),
        _ if url::Url::parse(origin).is_err() => {
            CheckResult::failed(json!(origin), format!("Access-Control-Allow-Origin is not an origin: {origin}"))
        }
        _ => CheckResult::passed(json!(origin)),
    }
}

fn permissions_policy(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let policy = page.header_values("permissions-policy").join(", ");
    // The syntax is `name=list`; a value without `=` uses the syntax of the old Feature-Policy header and has no
    // effect.
    if policy.contains('=') {
        return CheckResult::passed(json!(policy));
    }
    let remark = match page.header("feature-policy") {
        _ if !policy.is_empty() => "the Permissions-Policy header cannot be read",
        Some(_) => "there is only the obsolete header Feature-Policy",
        None => "there is no Permissions-Policy header",
    };
    CheckResult::note(json!(null), remark)
}

fn isolation(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let of = |name: &str| {
        page.header(name).unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    };
    let opener = of("cross-origin-opener-policy");
    let resource = of("cross-origin-resource-policy");
    let named = |value: &str| if value.is_empty() { json!(null) } else { json!(value) };
    let value = json!({ "opener": named(&opener), "resource": named(&resource) });
    if matches!(opener.as_str(), "same-origin" | "same-origin-allow-popups" | "noopener-allow-popups") {
        return CheckResult::passed(value);
    }
    CheckResult::note(value, "no Cross-Origin-Opener-Policy separates this page from windows of other sites")
}

fn security_txt(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(probe) = &page.probes.security_txt else { return CheckResult::not_applicable() };
    let Some(response) = probe.response().filter(|response| response.status == 200 && !response.is_html_page()) else {
        return CheckResult::note(json!(null), "there is no /.well-known/security.txt");
    };
    let text = String::from_utf8_lossy(&response.body);
    let field = |name: &str| {
        text.lines().take(MOST_LINES).find_map(|line| {
            let (own, value) = line.split_once(':')?;
            own.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let (contact, expires) = (field("contact"), field("expires"));
    let until = expires.as_deref().map(str::parse::<Timestamp>);
    let wrong = match (&contact, until) {
        (None, _) => "security.txt names no Contact",
        (Some(_), None) => "security.txt has no Expires",
        (Some(_), Some(Err(_))) => "Expires in security.txt is not an RFC 3339 date",
        (Some(_), Some(Ok(until))) if until < Timestamp::now() => "security.txt has expired",
        (Some(_), Some(Ok(_))) => return CheckResult::passed(json!({ "contact": contact, "expires": expires })),
    };
    CheckResult::note(json!({ "contact": contact, "expires": expires }), wrong)
}
