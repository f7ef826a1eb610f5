//! Sample pages for the tests of the table, in a line-based notation before the HTML. Those of every check are in
//! `samples.toml`.
//!
//! ```text
//! url https://shop.example/tea        URL of the page (this is the default)
//! status 404 · wire 5000 · ttfb 900 · took 2500 · http1 · trouble      facts about the response
//! header Server: nginx/1.2           one header (Content-Type is text/html; charset=utf-8 unless given)
//! certificate the reason             an invalid certificate; `days 5` a valid one with days left; `unverified why`
//! step 301 http://shop.example/      a redirect before the page
//! robots|missing|sitemap|favicon|http 200 [type] [body, \n for new lines]     the response to a probe
//! canonical|alternate|www|slash|security 200 [type] [body] the same, for /canonical, /de, www., /tea/ and security.txt
//! repeat 151 <a href=/a>Tea</a>     repeats the HTML that many times before the page
//! images 51                          that many different images before the page
//! kilobytes 2100                     that much text before the page
//! http-step 301 https://…            a redirect of the http probe; `http-closed` if nothing listens there
//! canonical-step 301 https://…       a redirect of the canonical probe
//!
//! <html>…                            after an empty line: the page
//! ```

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::audit::fetch::fetch_error::FetchError;
use crate::audit::fetch::redirects::{RedirectChain, RedirectHop};
use crate::audit::fetch::response::{HttpResponse, Phases};
use crate::audit::fetch::tls::{Certificate, CertificateStatus};
use crate::audit::limits::AuditLimits;
use crate::audit::page::AuditedPage;
use crate::audit::probes::Probes;

/// The sample pages of one check.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckSamples {
    pub(crate) passing: String,
    pub(crate) failing: String,
}

/// Returns the sample pages of a check.
pub(crate) fn of(id: &str) -> &'static CheckSamples {
    SAMPLES.get(id).unwrap_or_else(|| panic!("samples.toml has no [{id}]: add a page that passes and one that fails"))
}

/// The sample pages of all checks by id.
pub(crate) static SAMPLES: LazyLock<BTreeMap<String, CheckSamples>> =
    LazyLock::new(|| toml::from_str(include_str!("samples.toml")).unwrap());

fn response() -> HttpResponse {
    HttpResponse {
        status: 200,
        http2: true,
        headers: HeaderMap::new(),
        body: Vec::new(),
        wire_bytes: 0,
        cut: false,
        phases: Phases::default(),
        certificate: Some(Certificate { status: CertificateStatus::Valid, days_left: Some(60) }),
    }
}

fn header(response: &mut HttpResponse, line: &str) {
    let (name, value) = line.split_once(':').unwrap();
    let name = HeaderName::from_bytes(name.trim().as_bytes()).unwrap();
    response.headers.append(name, HeaderValue::from_str(value.trim()).unwrap());
}

fn probe(url: &Url, path: &str, rest: &str) -> RedirectChain {
    let last = url.join(path).unwrap();
    let mut words = rest.splitn(3, ' ');
    let mut found = response();
    found.status = words.next().unwrap().parse().unwrap();
    if let Some(kind) = words.next() {
        header(&mut found, &format!("content-type: {kind}"));
    }
    found.body = words.next().unwrap_or_default().replace("\\n", "\n").into_bytes();
    RedirectChain { hops: Vec::new(), last, result: Ok(found) }
}

fn step(from: &Url, rest: &str) -> RedirectHop {
    let (status, to) = rest.split_once(' ').unwrap();
    RedirectHop { from: from.clone(), status: status.parse().unwrap(), to: from.join(to).unwrap() }
}

/// Returns the HTML of a sample, preceded by the content that its `repeat`, `images` and `kilobytes` lines generate.
fn html_of(facts: &str, html: &str) -> String {
    let repeated = facts.lines().find_map(|line| line.trim().strip_prefix("repeat ")?.split_once(' '));
    let number = |word| facts.lines().find_map(|line| line.trim().strip_prefix(word)?.parse::<usize>().ok());
    let mut front = repeated.map_or_else(String::new, |(times, piece)| piece.repeat(times.parse().unwrap()));
    front.extend((0..number("images ").unwrap_or(0)).map(|index| format!("<img src=/{index}.png>")));
    front.push_str(&"x".repeat(1000 * number("kilobytes ").unwrap_or(0)));
    front + html
}

/// Sets a fact about the response; returns false for other facts.
fn set_response_fact(found: &mut HttpResponse, word: &str, rest: &str) -> bool {
    let certificate = |status, days_left| Some(Certificate { status, days_left });
    match word {
        "status" => found.status = rest.parse().unwrap(),
        "wire" => found.wire_bytes = rest.parse().unwrap(),
        "ttfb" => found.phases.first_byte = Duration::from_millis(rest.parse().unwrap()),
        "took" => found.phases.body = Duration::from_millis(rest.parse().unwrap()),
        "http1" => found.http2 = false,
        "header" => header(found, rest),
        "certificate" => found.certificate = certificate(CertificateStatus::Invalid(rest.to_owned()), None),
        "unverified" => found.certificate = certificate(CertificateStatus::Unverified(rest.to_owned()), Some(60)),
        "days" => found.certificate = certificate(CertificateStatus::Valid, rest.parse().ok()),
        _ => return false,
    }
    true
}

/// Sets a fact about a probe; returns false for other facts.
fn set_probe_fact(probes: &mut Probes, url: &Url, word: &str, rest: &str) -> bool {
    match word {
        "robots" => probes.robots = Some(probe(url, "/robots.txt", rest)),
        "missing" => probes.missing = Some(probe(url, "/reportdeck-1", rest)),
        "sitemap" => probes.sitemap = Some(probe(url, "/sitemap.xml", rest)),
        "favicon" => probes.favicon = Some(probe(url, "/favicon.ico", rest)),
        "canonical" => probes.canonical = Some(probe(url, "/canonical", rest)),
        "alternate" => probes.alternates.push(probe(url, "/de", rest)),
        "www" => probes.www_form = Some(probe(url, "https://www.shop.example/tea", rest)),
        "slash" => probes.slash_form = Some(probe(url, "/tea/", rest)),
        "security" => probes.security_txt = Some(probe(url, "/.well-known/security.txt", rest)),
        "http" => probes.http_form = Some(probe(url, "/tea", rest)),
        "http-step" => {
            let mut plain = url.clone();
            plain.set_scheme("http").unwrap();
            let probe = probes.http_form.get_or_insert_with(|| probe(url, "/tea", "200"));
            probe.hops.push(step(&plain, rest));
        }
        "http-closed" => {
            let refused =
                FetchError::Connect { address: "93.184.216.34:80".parse().unwrap(), reason: "refused".into() };
            probes.http_form = Some(RedirectChain { result: Err(refused), ..probe(url, "/tea", "200") });
        }
        "canonical-step" => {
            let probe = probes.canonical.get_or_insert_with(|| probe(url, "/canonical", "200"));
            probe.hops.push(step(url, rest));
        }
        _ => return false,
    }
    true
}

/// Builds the page that a sample describes.
pub(crate) fn page(sample: &str) -> AuditedPage {
    let has_facts = !sample.trim_start().starts_with('<');
    let (facts, html) = if has_facts { sample.split_once("\n\n").unwrap_or((sample, "")) } else { ("", sample) };
    let html = html_of(facts, html);
    let written = facts.lines().find_map(|line| line.trim().strip_prefix("url "));
    let url = Url::parse(written.unwrap_or("https://shop.example/tea")).unwrap();
    let mut found = response();
    found.wire_bytes = html.len();
    if url.scheme() == "http" {
        found.certificate = None;
    }
    let (mut hops, mut probes, mut fetch_error) = (Vec::new(), Probes::default(), None);
    for line in facts.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "url" | "repeat" | "images" | "kilobytes" => {}
            "trouble" => fetch_error = Some(FetchError::Protocol("it is a sample".into())),
            "step" => hops.push(step(&url, rest)),
            _ if set_response_fact(&mut found, word, rest) || set_probe_fact(&mut probes, &url, word, rest) => {}
            other => panic!("a sample says {other}"),
        }
    }
    if !found.headers.contains_key("content-type") {
        header(&mut found, "content-type: text/html; charset=utf-8");
    }
    found.body = html.into_bytes();
    let chain = RedirectChain { hops, last: url, result: fetch_error.map_or(Ok(found), Err) };
    let mut page = AuditedPage::read(chain, &AuditLimits::default()).unwrap();
    page.probes = probes;
    page
}
