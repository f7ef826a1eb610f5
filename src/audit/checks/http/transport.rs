//! Checks of encryption: https, the certificate, HSTS and mixed content.

use serde_json::json;
use url::Url;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::checks::http::headers::policies;
use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::response::HttpResponse;
use crate::audit::fetch::tls::CertificateStatus;
use crate::audit::headers::csp;
use crate::audit::headers::transport_security::{YEAR, counts_for, max_age};
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::srcset::candidates_of;
use crate::audit::page::stylesheet::{addresses_of_style, without_comments};
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;
use crate::domain::text::numbers::counted;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "https_encryption",
        importance: Importance::High,
        title: "Encryption",
        rule: Rule::Response(https_encryption),
        passes_when: "The final address is https.",
        remedy: "Serve the page over https.",
        why: "Browsers warn that the page is not secure, and others can read what is typed.",
        source: "Chrome: HTTPS as a standard; RFC 2818",
    },
    CheckEntry {
        id: "https_redirect",
        importance: Importance::High,
        title: "Redirect to https",
        rule: Rule::Response(https_redirect),
        passes_when: "The http address redirects to https on the same host first.",
        remedy: "Redirect the http address to https on the same host.",
        why: "Visitors who type the address get the page without encryption.",
        source: "hstspreload.org: submission requirements",
    },
    CheckEntry {
        id: "tls_valid",
        importance: Importance::High,
        title: "Certificate",
        rule: Rule::Page(tls_valid),
        passes_when: "A valid chain for this host; less than 14 days left is a note.",
        remedy: "Renew the certificate, with all names and the whole chain.",
        why: "Browsers show a warning instead of the page.",
        source: "RFC 5280; CA/Browser Forum",
    },
    CheckEntry {
        id: "http2",
        importance: Importance::Medium,
        title: "HTTP/2",
        rule: Rule::Response(http2),
        passes_when: "HTTP/2 or HTTP/3.",
        remedy: "Turn on HTTP/2 or HTTP/3 at the server.",
        why: "The page loads more slowly than it could, above all on phones.",
        source: "RFC 9113",
    },
    CheckEntry {
        id: "mixed_content",
        importance: Importance::Medium,
        title: "Mixed content",
        rule: Rule::Html(mixed_content),
        passes_when: "No resource and no form target of an https page is http; with upgrade-insecure-requests, a note.",
        remedy: "Load every part of the page and send every form over https.",
        why: "Browsers block such parts or warn about them, and others can change them.",
        source: "W3C Mixed Content",
    },
    CheckEntry {
        id: "hsts",
        importance: Importance::Medium,
        title: "Strict transport security",
        rule: Rule::Response(hsts),
        passes_when: "max-age of at least 31,536,000 s; from 15,552,000 s, a note.",
        remedy: "Send Strict-Transport-Security with a max-age of a year.",
        why: "The first visit can be redirected to a forged page.",
        source: "RFC 6797; hstspreload.org",
    },
];

/// A certificate with fewer days left than this gets a note.
const EXPIRY_NOTE_DAYS: i64 = 14;
const HALF_A_YEAR: u64 = 15_552_000;

fn https_encryption(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    if page.is_plain_loopback() {
        return CheckResult::not_applicable();
    }
    let scheme = page.url().scheme();
    CheckResult::when(scheme == "https", json!(scheme), || format!("{} is not encrypted", page.url()))
}

fn https_redirect(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let Some(probe) = &page.probes.http_form else { return CheckResult::not_applicable() };
    if let (Err(fetch_error), true) = (&probe.result, probe.hops.is_empty()) {
        // Nothing listens on plain http.
        return match fetch_error {
            FetchError::Connect { .. } => CheckResult::passed(json!("closed")),
            other => CheckResult::note(json!(null), format!("could not be requested: {other}")),
        };
    }
    let Some(first) = probe.hops.first() else {
        return CheckResult::failed(json!(null), format!("{} responds without redirecting to https", probe.last));
    };
    let is_encrypted = first.to.scheme() == "https";
    let is_fine = is_encrypted && first.to.host_str() == first.from.host_str();
    CheckResult::when(is_fine, json!(first.to.as_str()), || {
        let consequence = ", on another host: strict transport security then does not protect this one";
        let consequence = if is_encrypted { consequence } else { "" };
        format!("{} redirects to {} first{consequence}", first.from, first.to)
    })
}

fn tls_valid(page: &AuditedPage) -> CheckResult {
    let response = match &page.redirects.result {
        Ok(response) => response,
        Err(fetch_error @ FetchError::Tls(_)) => return CheckResult::failed(json!(null), fetch_error.to_string()),
        Err(_) => return CheckResult::not_applicable(),
    };
    let Some(certificate) = &response.certificate else { return CheckResult::not_applicable() };
    let days = json!({ "days_left": certificate.days_left });
    match (&certificate.status, certificate.days_left) {
        (CertificateStatus::Invalid(why), _) => CheckResult::failed(days, why.clone()),
        (CertificateStatus::Unverified(why), _) => {
            CheckResult::note(days, format!("the certificate could not be verified: {why}"))
        }
        (CertificateStatus::Valid, Some(left)) if left < EXPIRY_NOTE_DAYS => {
            CheckResult::note(days, format!("the certificate expires in {}", counted(left.unsigned_abs(), "day")))
        }
        (CertificateStatus::Valid, _) => CheckResult::passed(days),
    }
}

fn http2(page: &AuditedPage, response: &HttpResponse) -> CheckResult {
    if page.is_plain_loopback() {
        return CheckResult::not_applicable();
    }
    let offers_http3 = response.header("alt-svc").is_some_and(|value| value.contains("h3"));
    let version = if response.http2 { "HTTP/2" } else { "HTTP/1.1" };
    CheckResult::when(response.http2 || offers_http3, json!(version), || format!("the page is served over {version}"))
}

fn hsts(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    if !counts_for(page.url()) {
        return CheckResult::not_applicable();
    }
    let Some(header) = page.header("strict-transport-security") else {
        return CheckResult::failed(json!(null), "there is no Strict-Transport-Security header");
    };
    match max_age(header) {
        Some(YEAR..) => CheckResult::passed(json!(header)),
        Some(HALF_A_YEAR..) => CheckResult::note(json!(header), "max-age is under a year"),
        Some(age) => CheckResult::failed(json!(header), format!("max-age is {age} s, a year is {YEAR} s")),
        None => CheckResult::failed(json!(header), "the header has no max-age"),
    }
}

/// Attributes whose URL an element loads or submits to.
const LOADING: [(&str, &str); 14] = [
    ("img", "src"),
    ("script", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("audio", "src"),
    ("embed", "src"),
    ("track", "src"),
    ("object", "data"),
    ("form", "action"),
    ("button", "formaction"),
    ("input", "formaction"),
    ("input", "src"),
];

/// Elements of drawings that load the file in their `href` or `xlink:href`.
const LOADING_IN_DRAWINGS: [&str; 4] = ["image", "use", "feImage", "script"];

/// Relations of links whose files browsers load.
const LOADING_RELATIONS: [&str; 7] =
    ["stylesheet", "icon", "apple-touch-icon", "preload", "modulepreload", "prefetch", "manifest"];

/// Returns the URL that an attribute leads to if it is plain http. An empty attribute loads nothing, or submits to the
/// page itself.
fn plain_url(base: &Url, address: &str) -> Option<Url> {
    let address = Some(address.trim()).filter(|address| !address.is_empty())?;
    base.join(address).ok().filter(|url| url.scheme() == "http")
}

fn mixed_content(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    if page.url().scheme() != "https" {
        return CheckResult::not_applicable();
    }
    let base = page.base();
    let plain = |place: &str, address: &str| plain_url(&base, address).map(|url| format!("{place}: {url}"));
    let mut found: Vec<String> = Vec::new();
    for (name, attribute) in LOADING {
        let addresses = tree.named(name).filter_map(|element| element.attribute(attribute));
        found.extend(addresses.filter_map(|address| plain(name, address)));
    }
    // A lone fragment is a part of the page itself (CSS Values 4, 4.5.1; SVG 2, 16.1.2).
    let is_file = |address: &&str| !address.trim_start().starts_with('#');
    for part in tree.elements.iter().filter(|element| element.foreign && LOADING_IN_DRAWINGS.contains(&&*element.name))
    {
        let address = part.attribute("href").filter(is_file);
        found.extend(address.and_then(|address| plain(&part.name, address)));
    }
    for element in ["img", "source"].into_iter().flat_map(|name| tree.named(name)) {
        let candidates = candidates_of(element.attribute("srcset").unwrap_or_default());
        found.extend(candidates.into_iter().filter_map(|address| plain("srcset", address)));
    }
    let loads = |link: &&Element| LOADING_RELATIONS.iter().any(|rel| link.names("rel", rel));
    let links = tree.named("link").filter(loads).filter_map(|link| link.attribute("href"));
    found.extend(links.filter_map(|address| plain("link", address)));
    for css in tree.styles() {
        let css = without_comments(&css);
        found.extend(addresses_of_style(&css).filter(is_file).filter_map(|address| plain("style", address)));
    }
    if !found.is_empty() && policies(page).restrict(&csp::UPGRADES) {
        let parts = counted(found.len() as u64, "part");
        let remark = format!("upgrade-insecure-requests makes browsers load {parts} over https: {}", found.join(", "));
        return CheckResult::note(json!(found.len()), remark);
    }
    CheckResult::from_errors(json!(found.len()), found)
}
