//! Notes about the software behind a page, and about home screen icons.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::checks::http::headers::names_a_version;
use crate::audit::page::AuditedPage;
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

pub(in crate::audit) const SECURITY_ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "software_versions",
    importance: Importance::Note,
    title: "Versions of software",
    rule: Rule::Html(software_versions),
    passes_when: "No version in generator metas and URLs of libraries. Does not affect the score.",
    remedy: "Keep this software up to date, and leave its version out of the page.",
    why: "Attackers see immediately which known vulnerabilities may be present.",
    source: "OWASP Top 10: vulnerable and outdated components",
}];

pub(in crate::audit) const OTHER_ENTRIES: &[CheckEntry] = &[CheckEntry {
    id: "icons",
    importance: Importance::Note,
    title: "Icons for home screens",
    rule: Rule::Tree(icons),
    passes_when: "An apple-touch-icon or a manifest is linked. Does not affect the score.",
    remedy: "Link an icon with rel=apple-touch-icon, or a manifest with icons.",
    why: "On the home screen of a phone the icon of the page is a screenshot or a letter.",
    source: "W3C Web Application Manifest; Apple: configuring web applications",
}];

/// Libraries whose versions often appear in URLs.
const LIBRARIES: [&str; 22] = [
    "jquery-migrate",
    "jquery-ui",
    "jquery",
    "bootstrap",
    "angularjs",
    "angular",
    "react-dom",
    "react",
    "vue",
    "lodash",
    "underscore",
    "backbone",
    "moment",
    "d3",
    "three",
    "swiper",
    "handlebars",
    "knockout",
    "mootools",
    "prototype",
    "dojo",
    "font-awesome",
];

fn software_versions(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let generators = page.metas("generator").into_iter().filter(|content| names_a_version(content)).map(str::to_owned);
    let scripts = tree.named("script").filter_map(|script| script.attribute("src"));
    let styles = tree.named("link").filter(|link| link.names("rel", "stylesheet"));
    let addresses = scripts.chain(styles.filter_map(|link| link.attribute("href")));
    let mut found: Vec<String> = generators.chain(addresses.filter_map(library_version)).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return CheckResult::passed(json!(found));
    }
    let remark = format!("the page names its software: {}", found.join(", "));
    CheckResult::note(json!(found), remark)
}

/// Returns name and version of a library in a URL: `jquery-1.12.4.min.js`, `/vue@2.6.0/`, `/jquery/3.3.1/`.
fn library_version(address: &str) -> Option<String> {
    let lower = address.to_ascii_lowercase();
    LIBRARIES.into_iter().find_map(|name| {
        let mut rest = lower.as_str();
        while let Some(at) = rest.find(name) {
            let is_word = !rest[..at].ends_with(|sign: char| sign.is_ascii_alphanumeric());
            rest = &rest[at + name.len()..];
            let version = rest.strip_prefix(".min").unwrap_or(rest).strip_prefix(['-', '@', '/', '.']).map(version_at);
            if let Some(version) = version.filter(|version| is_word && version.contains('.')) {
                return Some(format!("{name} {version}"));
            }
        }
        None
    })
}

/// Returns the digits and dots at the start of a text, after an optional `v`.
fn version_at(text: &str) -> &str {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
    text[..end].trim_matches('.')
}

fn icons(tree: &PageTree) -> CheckResult {
    let is_one = |word: &&str| tree.named("link").any(|link| link.names("rel", word));
    match ["apple-touch-icon", "apple-touch-icon-precomposed", "manifest"].iter().find(|word| is_one(word)) {
        Some(word) => CheckResult::passed(json!(word)),
        None => CheckResult::note(json!(null), "the page links neither an apple-touch-icon nor a manifest"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_usual_urls() {
        for (address, expected) in [
            ("/js/jquery-1.12.4.min.js", Some("jquery 1.12.4")),
            ("https://cdn.example/npm/vue@2.6.0/dist/vue.js", Some("vue 2.6.0")),
            ("https://cdn.example/ajax/libs/jquery/3.3.1/jquery.min.js", Some("jquery 3.3.1")),
            ("/bootstrap/v4.1.0/css/bootstrap.css", Some("bootstrap 4.1.0")),
            ("/jquery-ui-1.8.js", Some("jquery-ui 1.8")),
            ("/jquery.js", None),
            ("/app-1.2.3.js", None),
            ("/myreact-1.2.3.js", None),
        ] {
            assert_eq!(library_version(address).as_deref(), expected, "{address}");
        }
    }
}
