//! Checks of the headers that protect a page, and of those that tell too much.

use serde_json::json;

use crate::audit::checks::{CheckEntry, Needs};
use crate::audit::page::Page;
use crate::audit::verdict::Verdict;
use crate::domain::check::Importance;

pub(super) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "server_signature",
        category: "security",
        importance: Importance::Medium,
        title: "Version of the server",
        needs: Needs::Answer,
        rule: server_signature,
        remedy: "Leave the version number out of the Server header.",
        source: "OWASP Secure Headers Project",
        passing: "header Server: nginx",
        failing: "header Server: Apache/2.4.1 (Unix)",
    },
    CheckEntry {
        id: "csp",
        category: "security",
        importance: Importance::Medium,
        title: "Content security policy",
        needs: Needs::Answer,
        rule: csp,
        remedy: "Send a Content-Security-Policy without unsafe-inline and unsafe-eval, with object-src.",
        source: "W3C Content Security Policy Level 3",
        passing: "header Content-Security-Policy: default-src 'self'; object-src 'none'",
        failing: "header Content-Security-Policy: script-src 'unsafe-inline'",
    },
    CheckEntry {
        id: "clickjacking",
        category: "security",
        importance: Importance::Medium,
        title: "Framing by others",
        needs: Needs::Html,
        rule: clickjacking,
        remedy: "Send frame-ancestors in the policy, or X-Frame-Options: SAMEORIGIN.",
        source: "OWASP Clickjacking Defense",
        passing: "header X-Frame-Options: DENY\n\n<p>",
        failing: "header X-Frame-Options: ALLOWALL\n\n<p>",
    },
    CheckEntry {
        id: "nosniff",
        category: "security",
        importance: Importance::Medium,
        title: "Guessing of types",
        needs: Needs::Answer,
        rule: nosniff,
        remedy: "Send X-Content-Type-Options: nosniff.",
        source: "Fetch standard: X-Content-Type-Options",
        passing: "header X-Content-Type-Options: nosniff",
        failing: "status 200",
    },
    CheckEntry {
        id: "cookie_flags",
        category: "security",
        importance: Importance::Medium,
        title: "Protection of cookies",
        needs: Needs::Answer,
        rule: cookie_flags,
        remedy: "Set Secure on all cookies, HttpOnly on those of sessions, and a valid SameSite.",
        source: "RFC 6265bis",
        passing: "header Set-Cookie: sid=1; Secure; HttpOnly; SameSite=Lax",
        failing: "header Set-Cookie: sid=1; SameSite=Sometimes",
    },
    CheckEntry {
        id: "referrer_policy",
        category: "security",
        importance: Importance::Low,
        title: "Referrer policy",
        needs: Needs::Answer,
        rule: referrer_policy,
        remedy: "Choose strict-origin-when-cross-origin or a stricter policy.",
        source: "W3C Referrer Policy",
        passing: "header Referrer-Policy: no-referrer",
        failing: "header Referrer-Policy: unsafe-url",
    },
    CheckEntry {
        id: "sri",
        category: "security",
        importance: Importance::Low,
        title: "Integrity of foreign scripts",
        needs: Needs::Html,
        rule: sri,
        remedy: "Give scripts of other hosts an integrity attribute.",
        source: "W3C Subresource Integrity",
        passing: "<script src=https://cdn.example/a.js integrity=sha384-x></script>",
        failing: "<script src=https://cdn.example/a.js></script>",
    },
    CheckEntry {
        id: "info_headers",
        category: "security",
        importance: Importance::Low,
        title: "Talkative headers",
        needs: Needs::Answer,
        rule: info_headers,
        remedy: "Remove headers that name the software behind the page.",
        source: "OWASP Secure Headers Project",
        passing: "header Server: nginx",
        failing: "header X-Powered-By: PHP/5.4",
    },
];

/// Headers that are only of use to attackers; those that end in `-` stand for all that begin so.
const TALKATIVE: [&str; 5] = ["x-powered-by", "x-runtime", "x-version", "x-aspnet-", "x-aspnetmvc-"];
/// Parts of names that sessions go by.
const SESSION_LIKE: [&str; 6] = ["sess", "sid", "auth", "token", "login", "jwt"];
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
const WEAK_POLICIES: [&str; 3] = ["unsafe-url", "origin", "no-referrer-when-downgrade"];

fn server_signature(page: &Page) -> Verdict {
    let server = page.header("server").unwrap_or_default();
    let tells = server.bytes().any(|byte| byte.is_ascii_digit());
    Verdict::when(!tells, json!(server), || format!("the Server header says {server}"))
}

/// The directives of all enforced policies, as name and sources, in lower case.
fn directives(page: &Page) -> Vec<(String, Vec<String>)> {
    let metas = page.tree.iter().flat_map(|tree| tree.named("meta"));
    let metas = metas.filter(|meta| meta.keyword("http-equiv") == "content-security-policy");
    let metas = metas.filter_map(|meta| meta.attribute("content"));
    let policies = page.header_values("content-security-policy").into_iter().chain(metas);
    let parts = policies.flat_map(|policy| policy.split([';', ',']));
    let words = parts.map(|part| part.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>());
    words.filter_map(|words| words.split_first().map(|(name, rest)| (name.clone(), rest.to_vec()))).collect()
}

fn csp(page: &Page) -> Verdict {
    let directives = directives(page);
    if directives.is_empty() {
        return Verdict::failed(json!(null), "there is no Content-Security-Policy");
    }
    let of = |name: &str| directives.iter().find(|(own, _)| own == name).map(|(_, sources)| sources);
    let mut errors = Vec::new();
    match of("script-src").or_else(|| of("default-src")) {
        None => errors.push("the policy says nothing about scripts".to_owned()),
        Some(sources) => {
            // Browsers that know a nonce or a hash ignore unsafe-inline beside it.
            let named = |source: &String| source.starts_with("'nonce-") || source.starts_with("'sha");
            if sources.iter().any(|source| source == "'unsafe-inline'") && !sources.iter().any(named) {
                errors.push("scripts may be unsafe-inline".to_owned());
            }
            if sources.iter().any(|source| source == "'unsafe-eval'") {
                errors.push("scripts may use unsafe-eval".to_owned());
            }
        }
    }
    if of("object-src").or_else(|| of("default-src")).is_none() {
        errors.push("the policy says nothing about object-src".to_owned());
    }
    Verdict::judge(json!(directives.iter().map(|(name, _)| name).collect::<Vec<_>>()), errors)
}

fn clickjacking(page: &Page) -> Verdict {
    let policies = page.header_values("content-security-policy").join(";").to_ascii_lowercase();
    let by_policy = policies.split([';', ',']).any(|part| part.trim().starts_with("frame-ancestors"));
    let options = page.header("x-frame-options").unwrap_or_default().trim().to_ascii_lowercase();
    let by_options = matches!(options.as_str(), "deny" | "sameorigin");
    let value = if by_policy { json!("frame-ancestors") } else { json!(options) };
    Verdict::when(by_policy || by_options, value, || "any site may show this page in a frame".to_owned())
}

fn nosniff(page: &Page) -> Verdict {
    let value = page.header("x-content-type-options").unwrap_or_default().trim().to_owned();
    Verdict::when(value.eq_ignore_ascii_case("nosniff"), json!(value), || {
        "X-Content-Type-Options is not nosniff".to_owned()
    })
}

fn cookie_flags(page: &Page) -> Verdict {
    let cookies = page.header_values("set-cookie");
    if cookies.is_empty() {
        return Verdict::not_applicable();
    }
    let errors: Vec<String> =
        cookies.iter().flat_map(|cookie| cookie_errors(cookie, page.is_plain_loopback())).collect();
    Verdict::judge(json!(cookies.len()), errors)
}

fn cookie_errors(cookie: &str, plain_is_fine: bool) -> Vec<String> {
    let mut parts = cookie.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().split('=').next().unwrap_or_default().to_owned();
    let flags: Vec<String> = parts.map(str::to_ascii_lowercase).collect();
    let has = |flag: &str| flags.iter().any(|own| own == flag);
    let same_site = flags.iter().find_map(|flag| flag.strip_prefix("samesite="));
    let lower = name.to_ascii_lowercase();
    let mut errors = Vec::new();
    if !has("secure") && !plain_is_fine {
        errors.push(format!("the cookie {name} is not Secure"));
    }
    if SESSION_LIKE.iter().any(|part| lower.contains(part)) && !has("httponly") {
        errors.push(format!("the cookie {name} is not HttpOnly"));
    }
    match same_site {
        None | Some("lax" | "strict") => {}
        Some("none") if has("secure") => {}
        Some(other) => errors.push(format!("the cookie {name} has SameSite={other}")),
    }
    errors
}

fn referrer_policy(page: &Page) -> Verdict {
    let header = page.header_values("referrer-policy").join(",");
    let metas = page.metas("referrer");
    let told = std::iter::once(header.as_str()).chain(metas).flat_map(|value| value.split(','));
    let told: Vec<String> = told.map(|word| word.trim().to_ascii_lowercase()).collect();
    // The last word that a browser knows decides.
    let Some(policy) = told.into_iter().rfind(|word| POLICIES.contains(&word.as_str())) else {
        return Verdict::note(json!(null), "no referrer policy is set; browsers use strict-origin-when-cross-origin");
    };
    let is_fine = !WEAK_POLICIES.contains(&policy.as_str());
    Verdict::when(is_fine, json!(policy), || format!("{policy} tells other sites where visitors come from"))
}

fn sri(page: &Page) -> Verdict {
    let Some(tree) = &page.tree else { return Verdict::not_applicable() };
    let base = page.base();
    let is_foreign = |address: &str| {
        base.join(address.trim()).is_ok_and(|url| url.has_host() && url.host_str() != page.url().host_str())
    };
    let (mut count, mut errors) = (0, Vec::new());
    for script in tree.named("script") {
        let Some(address) = script.attribute("src").filter(|address| is_foreign(address)) else { continue };
        count += 1;
        if script.attribute("integrity").is_none_or(|value| value.trim().is_empty()) {
            errors.push(format!("no integrity: {address}"));
        }
    }
    if count == 0 { Verdict::not_applicable() } else { Verdict::judge(json!(count), errors) }
}

fn info_headers(page: &Page) -> Verdict {
    let Some(answer) = page.answer() else { return Verdict::not_applicable() };
    let is_talkative = |name: &str| {
        TALKATIVE
            .iter()
            .any(|talkative| name == *talkative || (talkative.ends_with('-') && name.starts_with(talkative)))
    };
    let told = answer.headers.iter().filter(|(name, _)| is_talkative(name.as_str()));
    let errors: Vec<String> =
        told.map(|(name, value)| format!("the header {name} says {}", value.to_str().unwrap_or("…"))).collect();
    Verdict::judge(json!(errors), errors)
}
