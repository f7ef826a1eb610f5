//! Checks of security headers, and of headers that disclose software versions.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::scripts::is_program;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::fetch::guard::{host_name, is_below, site_name};
use crate::audit::fetch::response::HttpResponse;
use crate::audit::headers::cookie::Cookie;
use crate::audit::headers::csp::{self, CspPolicies};
use crate::audit::headers::frame_options;
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "server_signature",
        importance: Importance::Low,
        title: "Version of the server",
        rule: Rule::Response(server_signature),
        passes_when: "No version number in the Server header.",
        remedy: "Leave the version number out of the Server header.",
        why: "Attackers see immediately which known vulnerabilities may be present.",
        source: "OWASP Secure Headers Project",
    },
    CheckEntry {
        id: "csp",
        importance: Importance::Medium,
        title: "Content security policy",
        rule: Rule::Response(csp),
        passes_when: "An enforced policy that sets script-src and object-src, without unsafe-inline, unsafe-eval, and sources that anyone can use.",
        remedy: "Send a Content-Security-Policy with script-src and object-src, without unsafe-inline, unsafe-eval and sources that anyone can use.",
        why: "Injected code that gets into the page can read what visitors type.",
        source: "W3C Content Security Policy Level 3",
    },
    CheckEntry {
        id: "clickjacking",
        importance: Importance::Medium,
        title: "Framing by other sites",
        rule: Rule::Html(clickjacking),
        passes_when: "frame-ancestors, or X-Frame-Options with DENY or SAMEORIGIN.",
        remedy: "Send frame-ancestors in the policy, or X-Frame-Options: SAMEORIGIN.",
        why: "A forged page can show yours invisibly and make visitors click on it.",
        source: "OWASP Clickjacking Defense",
    },
    CheckEntry {
        id: "nosniff",
        importance: Importance::Medium,
        title: "Content type guessing",
        rule: Rule::Response(nosniff),
        passes_when: "X-Content-Type-Options: nosniff.",
        remedy: "Send X-Content-Type-Options: nosniff.",
        why: "Browsers may run an uploaded file as a program.",
        source: "Fetch standard: X-Content-Type-Options",
    },
    CheckEntry {
        id: "cookie_flags",
        importance: Importance::Medium,
        title: "Protection of cookies",
        rule: Rule::Response(cookie_flags),
        passes_when: "Secure on every cookie, HttpOnly on those of sessions, a valid SameSite.",
        remedy: "Set Secure on all cookies, HttpOnly on those of sessions, and a valid SameSite.",
        why: "Others on the same network may take over the sessions of visitors.",
        source: "RFC 6265bis, with the prefixes of 4.1.3",
    },
    CheckEntry {
        id: "referrer_policy",
        importance: Importance::Low,
        title: "Referrer policy",
        rule: Rule::Response(referrer_policy),
        passes_when: "Not unsafe-url, origin or no-referrer-when-downgrade; none is a note.",
        remedy: "Choose strict-origin-when-cross-origin or a stricter policy.",
        why: "Other sites learn which addresses visitors have looked at here.",
        source: "W3C Referrer Policy",
    },
    CheckEntry {
        id: "sri",
        importance: Importance::Low,
        title: "Integrity of third-party scripts",
        rule: Rule::Html(sri),
        passes_when: "Every script of another site has an integrity attribute, except those of services that change them at any time.",
        remedy: "Give scripts of other sites an integrity attribute, except those that their company changes at any time, such as for analytics or payments.",
        why: "If another company is attacked, its changed script runs for your visitors.",
        source: "W3C Subresource Integrity",
    },
    CheckEntry {
        id: "info_headers",
        importance: Importance::Low,
        title: "Disclosing headers",
        rule: Rule::Response(info_headers),
        passes_when: "No X-Powered-By, X-AspNet-Version, X-Runtime or X-Version header.",
        remedy: "Remove headers that name the software behind the page.",
        why: "Attackers see immediately which known vulnerabilities may be present.",
        source: "OWASP Secure Headers Project",
    },
];

/// Headers that only help attackers; a name ending in `-` is a prefix.
const DISCLOSING_HEADERS: [&str; 5] = ["x-powered-by", "x-runtime", "x-version", "x-aspnet-", "x-aspnetmvc-"];
const POLICIES: [&str; 8] = [
    "no-referrer",
    "no-referrer-when-downgrade",
    "origin",
    "origin-when-cross-origin",
    "same-origin",
    "strict-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
];
/// Domains of services that change their scripts at any time, so that the hash of an integrity attribute would soon be
/// wrong: analytics, advertisements, consent, payments, maps, captchas, videos, and the scripts of AMP and Shopify.
const CHANGING_SCRIPTS: [&str; 31] = [
    "ampproject.org",
    "bing.com",
    "cdn.shopify.com",
    "challenges.cloudflare.com",
    "clarity.ms",
    "cloudflareinsights.com",
    "consentmanager.net",
    "cookiebot.com",
    "cookiebot.eu",
    "cookielaw.org",
    "doubleclick.net",
    "facebook.net",
    "google-analytics.com",
    "google.com",
    "googlesyndication.com",
    "googletagmanager.com",
    "gstatic.com",
    "hcaptcha.com",
    "hotjar.com",
    "linkedin.com",
    "maps.googleapis.com",
    "paypal.com",
    "pinimg.com",
    "privacy-mgmt.com",
    "stats.wp.com",
    "stripe.com",
    "tiktok.com",
    "twitter.com",
    "usercentrics.eu",
    "vimeo.com",
    "youtube.com",
];
const WEAK_POLICIES: [&str; 3] = ["unsafe-url", "origin", "no-referrer-when-downgrade"];

fn server_signature(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let server = page.header("server").unwrap_or_default();
    CheckResult::when(!names_a_version(server), json!(server), || format!("the Server header says {server}"))
}

/// Whether a header or meta tells a version: the part after the slash of a product (RFC 9110, 10.2.4), a number alone, or
/// a number with a dot. A digit inside a name, as in `h2o`, is not one.
pub(in crate::audit) fn names_a_version(text: &str) -> bool {
    let starts_version = |text: &str| {
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
        rest.len() < text.len() && !rest.starts_with(char::is_alphanumeric)
    };
    let has_point = |word: &str| {
        let point = |window: &[u8]| window[0].is_ascii_digit() && window[1] == b'.' && window[2].is_ascii_digit();
        word.as_bytes().windows(3).any(point)
    };
    let mut words = text.split([' ', '\t', '(', ')', ',', ';']);
    words.any(|word| has_point(word) || starts_version(word) || word.split('/').skip(1).any(starts_version))
}

/// Returns all enforced policies of the page. A meta counts only in the head.
pub(super) fn policies(page: &AuditedPage) -> CspPolicies {
    let is_policy = |meta: &&Element| meta.keyword("http-equiv") == "content-security-policy";
    let metas = page.tree.iter().flat_map(|tree| {
        let metas = tree.named("meta").filter(is_policy).filter(|meta| tree.is_in_head(meta));
        metas.filter_map(|meta| meta.attribute("content"))
    });
    CspPolicies::parse(page.header_values("content-security-policy"), metas)
}

fn csp(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let policies = policies(page);
    let names = policies.names();
    if names.is_empty() {
        let reports = page.header("content-security-policy-report-only").is_some();
        let error = if reports {
            "the policy only reports: Content-Security-Policy-Report-Only blocks nothing"
        } else {
            "there is no Content-Security-Policy"
        };
        return CheckResult::failed(json!(null), error);
    }
    let mut errors = Vec::new();
    if policies.restrict(&csp::SCRIPT_ELEMENTS) {
        if [csp::SCRIPT_ELEMENTS, csp::SCRIPT_ATTRIBUTES].iter().any(|chain| policies.allow_inline(chain)) {
            errors.push("scripts may be unsafe-inline".to_owned());
        }
        if policies.allow_eval() {
            errors.push("scripts may use unsafe-eval".to_owned());
        }
        let open = policies.open_source(&csp::SCRIPT_ELEMENTS);
        errors.extend(open.map(|source| format!("scripts may come from anywhere: {source}")));
        let plain = policies.plain_source(&csp::SCRIPT_ELEMENTS).filter(|_| page.url().scheme() == "https");
        errors.extend(plain.map(|source| format!("scripts may come without encryption: {source}")));
    } else {
        errors.push("the policy says nothing about scripts".to_owned());
    }
    if policies.restrict(&csp::PLUGINS) {
        let open = policies.open_source(&csp::PLUGINS);
        errors.extend(open.map(|source| format!("plugins (object-src) may come from anywhere: {source}")));
    } else {
        errors.push("the policy says nothing about object-src".to_owned());
    }
    // With a nonce, a changed base URL makes trusted scripts load from another host. Host lists do not have this
    // problem.
    if errors.is_empty() && policies.trust_by_nonce() && !policies.restrict(&csp::BASES) {
        return CheckResult::note(json!(names), "the policy trusts scripts by a nonce and has no base-uri");
    }
    CheckResult::from_errors(json!(names), errors)
}

fn clickjacking(page: &AuditedPage, _: &PageTree) -> CheckResult {
    let policies = CspPolicies::parse(page.header_values("content-security-policy"), []);
    let options = page.header_values("x-frame-options");
    // Browsers ignore X-Frame-Options if there is frame-ancestors (HTML standard, 7.4.2.5).
    if policies.restrict(&csp::FRAME_ANCESTORS) {
        let open = policies.open_source(&csp::FRAME_ANCESTORS);
        let error = open.map(|source| format!("frame-ancestors {source} lets any site frame this page"));
        return CheckResult::from_errors("frame-ancestors", error.into_iter().collect());
    }
    let value = json!(options.join(", ").trim().to_ascii_lowercase());
    CheckResult::when(frame_options::keep_others_out(options), value, || {
        "any site may show this page in a frame".to_owned()
    })
}

fn nosniff(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let value = page.header_values("x-content-type-options").join(", ");
    // The first value counts (Fetch standard, "determine nosniff").
    let first = value.split(',').next().unwrap_or_default().trim();
    CheckResult::when(first.eq_ignore_ascii_case("nosniff"), json!(value.trim()), || {
        "X-Content-Type-Options is not nosniff".to_owned()
    })
}

fn cookie_flags(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    // A deleted cookie holds nothing to protect.
    let cookies = page.header_values("set-cookie").into_iter().map(Cookie::parse).filter(|cookie| !cookie.is_deleted());
    let cookies: Vec<Cookie> = cookies.collect();
    let errors: Vec<String> =
        cookies.iter().flat_map(|cookie| cookie_errors(cookie, page.is_plain_loopback())).collect();
    CheckResult::of_parts(cookies.len(), errors)
}

fn cookie_errors(cookie: &Cookie, plain_is_fine: bool) -> Vec<String> {
    let name = &cookie.name;
    let mut errors: Vec<String> =
        cookie.rejections().iter().map(|error| format!("browsers reject the cookie {name}: it {error}")).collect();
    if !cookie.secure && !plain_is_fine && errors.is_empty() {
        errors.push(format!("the cookie {name} is not Secure"));
    }
    if cookie.is_session_like() && !cookie.http_only {
        errors.push(format!("the cookie {name} is not HttpOnly"));
    }
    match cookie.same_site.as_deref() {
        None | Some("lax" | "strict" | "none") => {}
        Some(other) => errors.push(format!("browsers do not know SameSite={other} of the cookie {name}")),
    }
    errors
}

fn referrer_policy(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let header = page.header_values("referrer-policy").join(",").to_ascii_lowercase();
    let in_header = header.split(',').map(|word| word.trim().to_owned());
    // A meta names one policy, perhaps by a word of earlier drafts (HTML standard, 4.2.5.1).
    let in_metas = page.metas("referrer").into_iter().map(|word| match word.to_ascii_lowercase().as_str() {
        "always" => "unsafe-url".to_owned(),
        "never" => "no-referrer".to_owned(),
        "default" => "strict-origin-when-cross-origin".to_owned(),
        "origin-when-crossorigin" => "origin-when-cross-origin".to_owned(),
        other => other.to_owned(),
    });
    let declared: Vec<String> = in_header.chain(in_metas).collect();
    // The last value that browsers know counts.
    let Some(policy) = declared.into_iter().rfind(|word| POLICIES.contains(&word.as_str())) else {
        return CheckResult::note(
            json!(null),
            "no referrer policy is set; browsers use strict-origin-when-cross-origin",
        );
    };
    let is_fine = !WEAK_POLICIES.contains(&policy.as_str());
    CheckResult::when(is_fine, json!(policy), || format!("{policy} tells other sites where visitors come from"))
}

fn sri(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let base = page.base();
    let own = &site_name(page.url());
    let is_foreign = |address: &str| {
        let host = base.join(address.trim()).map(|url| host_name(&url)).unwrap_or_default();
        let is_own = is_below(&host, own) || is_below(own, &host);
        !host.is_empty() && !is_own && !CHANGING_SCRIPTS.iter().any(|service| is_below(&host, service))
    };
    let (mut count, mut errors) = (0, Vec::new());
    for script in tree.named("script").filter(|script| is_program(script)) {
        let Some(address) = script.attribute("src").filter(|address| is_foreign(address)) else { continue };
        count += 1;
        if script.attribute("integrity").is_none_or(|value| value.trim().is_empty()) {
            errors.push(format!("no integrity: {address}"));
        }
    }
    CheckResult::of_parts(count, errors)
}

fn info_headers(_: &AuditedPage, response: &HttpResponse) -> CheckResult {
    let is_disclosing = |name: &str| {
        DISCLOSING_HEADERS
            .iter()
            .any(|talkative| name == *talkative || (talkative.ends_with('-') && name.starts_with(talkative)))
    };
    let disclosing = response.headers.iter().filter(|(name, _)| is_disclosing(name.as_str()));
    let errors: Vec<String> =
        disclosing.map(|(name, value)| format!("the header {name} says {}", value.to_str().unwrap_or("…"))).collect();
    CheckResult::from_errors(json!(errors), errors)
}
