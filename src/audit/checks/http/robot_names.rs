//! Checks of rules for individual robots, and of misspelt rules.

use serde_json::json;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::checks::http::crawling::{answered, hides, rules};
use crate::audit::fetch::response::HttpResponse;
use crate::audit::page::AuditedPage;
use crate::audit::robots;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "ai_robots",
        importance: Importance::Note,
        title: "Robots of AI services",
        rule: Rule::Response(ai_robots),
        passes_when: "Neither robots.txt nor the page excludes a known robot of AI services. Does not affect the score.",
        remedy: "Decide whether services for artificial intelligence may read the page, and say so in robots.txt.",
        why: "Answers of such services then neither use nor name the page.",
        source: "RFC 9309; the operators' lists of their robots",
    },
    CheckEntry {
        id: "robot_directives",
        importance: Importance::Medium,
        title: "Spelling of rules for robots",
        rule: Rule::Response(robot_directives),
        passes_when: "No word in robots metas, X-Robots-Tag or robots.txt is a misspelling of a known rule.",
        remedy: "Write the rules as the search engines document them, for example noindex.",
        why: "Robots skip a word that they do not know, and do what it should forbid.",
        source: "Google Search Central: robots meta tag; RFC 9309, 2.2",
    },
];

/// Robots that read pages for training or answers. The last two are names for rules only.
const AI_ROBOTS: [&str; 14] = [
    "GPTBot",
    "OAI-SearchBot",
    "ChatGPT-User",
    "ClaudeBot",
    "Claude-SearchBot",
    "anthropic-ai",
    "PerplexityBot",
    "CCBot",
    "Bytespider",
    "Amazonbot",
    "meta-externalagent",
    "cohere-ai",
    "Google-Extended",
    "Applebot-Extended",
];
/// Rules for robots that a misspelling may mean.
const DIRECTIVES: [&str; 7] =
    ["noindex", "nofollow", "noarchive", "nosnippet", "noimageindex", "notranslate", "indexifembedded"];
/// Words that resemble other rules but are correct, or that mean the default.
const CORRECT_WORDS: [&str; 10] =
    ["index", "follow", "archive", "snippet", "all", "none", "nocache", "noodp", "doindex", "dofollow"];
/// Fields of robots.txt that a misspelling may mean, letters only.
const FIELDS: [(&str, &str); 4] =
    [("useragent", "User-agent"), ("disallow", "Disallow"), ("dissalow", "Disallow"), ("sitemap", "Sitemap")];
/// The most lines of robots.txt, and words of one meta, that are examined.
const MOST_WORDS: usize = 2_000;

fn ai_robots(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let url = page.url();
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    // Rules for all robots are reported by another check.
    let rules = rules(page).filter(|rules| rules.disallowed_by("*", path).is_none());
    let excluded = |name: &&str| rules.as_ref().is_some_and(|rules| rules.disallowed_by(name, path).is_some());
    let by_file: Vec<&str> = AI_ROBOTS.into_iter().filter(excluded).collect();
    let by_page: Vec<&str> = AI_ROBOTS.into_iter().filter(|name| is_hidden_from(page, name)).collect();
    if by_file.is_empty() && by_page.is_empty() {
        return if rules.is_some() { CheckResult::passed(json!([])) } else { CheckResult::not_applicable() };
    }
    let places = [("robots.txt", &by_file), ("the page", &by_page)].into_iter().filter(|(_, names)| !names.is_empty());
    let remarks: Vec<String> = places.map(|(place, names)| format!("{place} excludes {}", names.join(", "))).collect();
    CheckResult::note(json!([by_file, by_page].concat()), remarks.join("; "))
}

/// Whether a meta or X-Robots-Tag header of the page is for this robot and excludes it.
fn is_hidden_from(page: &AuditedPage, name: &str) -> bool {
    let headers = page.header_values("x-robots-tag").into_iter().filter_map(|value| value.split_once(':'));
    let named = headers.filter(|(own, _)| own.trim().eq_ignore_ascii_case(name)).map(|(_, rules)| rules);
    page.metas(name).into_iter().chain(named).any(hides)
}

fn robot_directives(page: &AuditedPage, _: &HttpResponse) -> CheckResult {
    let metas = ["robots", "googlebot", "bingbot"].into_iter().flat_map(|name| {
        page.metas(name).into_iter().map(move |content| (format!("the meta {name}"), content.to_owned()))
    });
    let headers = page.header_values("x-robots-tag").into_iter();
    let headers = headers.map(|value| ("the X-Robots-Tag header".to_owned(), value.to_owned()));
    let (mut count, mut errors) = (0_usize, Vec::new());
    for (place, content) in metas.chain(headers) {
        count += 1;
        for word in content.split(',').take(MOST_WORDS).map(str::trim) {
            if let Some(meant) = similar_directive(word) {
                errors.push(format!(
                    "{place} says \u{201c}{word}\u{201d}, which means nothing; {meant} is probably meant"
                ));
            }
        }
    }
    for misspelt in ["robot", "google-bot", "bing-bot"] {
        if !page.metas(misspelt).is_empty() {
            count += 1;
            errors.push(format!("no robot reads a meta with the name \u{201c}{misspelt}\u{201d}"));
        }
    }
    let text = answered(page.probes.robots.as_ref()).and_then(robots::text_of).unwrap_or_default();
    for line in text.lines().take(MOST_WORDS) {
        let Some((field, _)) = line.split('#').next().unwrap_or_default().split_once(':') else { continue };
        if let Some(meant) = similar_field(field.trim()) {
            count += 1;
            errors.push(format!("robots.txt says \u{201c}{}\u{201d}; {meant} is probably meant", field.trim()));
        }
    }
    CheckResult::of_parts(count, errors)
}

/// Returns the rule that a misspelt word resembles; `None` for a correct word, and for one that resembles none.
fn similar_directive(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    // Removes a robot's name before its rule.
    let word = word.rsplit_once(':').map_or(word.as_str(), |(_, rule)| rule).trim();
    if DIRECTIVES.contains(&word) || CORRECT_WORDS.contains(&word) {
        return None;
    }
    near(&letters_of(word), DIRECTIVES.iter().map(|known| (*known, *known)))
}

fn similar_field(field: &str) -> Option<&'static str> {
    let is_known = |(_, known): &(&str, &'static str)| known.eq_ignore_ascii_case(field);
    if FIELDS.iter().any(is_known) || field.eq_ignore_ascii_case("allow") {
        return None;
    }
    near(&letters_of(field), FIELDS.into_iter())
}

fn letters_of(word: &str) -> String {
    const LONGEST: usize = 24;
    word.chars().filter(char::is_ascii_alphabetic).take(LONGEST).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Returns the known word that differs by at most one inserted, removed or changed letter, or two swapped ones.
fn near(letters: &str, mut known: impl Iterator<Item = (&'static str, &'static str)>) -> Option<&'static str> {
    known.find(|(own, _)| strsim::osa_distance(letters, own) <= 1).map(|(_, meant)| meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_distinguished_from_rules_and_other_words() {
        for (word, expected) in [
            ("no-index", Some("noindex")),
            ("no index", Some("noindex")),
            ("noidnex", Some("noindex")),
            ("nofolow", Some("nofollow")),
            ("googlebot: no_follow", Some("nofollow")),
            ("noindex;nofollow", None),
            ("noindex", None),
            ("NOINDEX", None),
            ("index", None),
            ("none", None),
            ("max-snippet:-1", None),
            ("unavailable_after: 25 Jun 2010 15:00:00 GMT", None),
            ("noai", None),
            ("", None),
        ] {
            assert_eq!(similar_directive(word), expected, "{word}");
        }
        for (field, expected) in [
            ("Useragent", Some("User-agent")),
            ("User agent", Some("User-agent")),
            ("Dissallow", Some("Disallow")),
            ("Dissalow", Some("Disallow")),
            ("site-map", Some("Sitemap")),
            ("Disallow", None),
            ("Allow", None),
            ("Crawl-delay", None),
        ] {
            assert_eq!(similar_field(field), expected, "{field}");
        }
    }
}
