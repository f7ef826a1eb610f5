//! The qualifiers of the filter language, and detection of unknown ones.

use super::line::follows_qualifier;
use crate::domain::text::nearest::nearest;

/// The value of `fetch:` that matches every failure.
pub const ANY_FAILURE: &str = "any";

/// The qualifiers, each with what it selects, for help and hints.
pub const QUALIFIERS: [(&str, &str); 10] = [
    ("url:", "the URL contains this"),
    ("project:", "the project's name contains this (in quotes: is this)"),
    ("result:", "good, decent, bad"),
    ("privacy:", "public, private, password"),
    ("check:", "a failing check's id contains this (in quotes: is this)"),
    ("fetch:", "dns, tls, refused, timeout, 4xx, 5xx, other, any: why the page could not be fetched"),
    ("path:", "a URL pattern: shop.example/blog/… or shop.example/product/{number}"),
    ("score:", "<50, >=80, 31"),
    ("age:", ">30d, <2h: since the page was audited"),
    ("state:", "new, looking, waiting, verify, wontfix, snoozed, done: the triage state"),
];

/// Returns the word's leading `name:` if it looks like a qualifier but is unknown: letters and a colon, but neither a
/// URL scheme nor a host with a port. `None` for words searched in URLs.
pub(super) fn unknown_qualifier(word: &str) -> Option<&str> {
    let (name, rest) = word.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_');
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_port = host_end > 0 && rest[..host_end].bytes().all(|byte| byte.is_ascii_digit());
    let known = QUALIFIERS.iter().any(|(qualifier, _)| follows_qualifier(word, qualifier));
    (is_name && !rest.starts_with("//") && !is_port && !known).then(|| &word[..=name.len()])
}

/// The term that a leading hyphen, which excludes in other filter languages, probably stands for: `!result:bad`.
pub(super) fn meant_by_hyphen(word: &str) -> Option<String> {
    let term = word.strip_prefix('-')?;
    QUALIFIERS.iter().any(|(qualifier, _)| follows_qualifier(term, qualifier)).then(|| format!("!{term}"))
}

/// The qualifier's name and the probable term of a word with an operator in place of the colon: `score<50`, `result=bad`.
pub(super) fn meant_by_operator(word: &str) -> Option<(&'static str, String)> {
    let term = word.trim_start_matches('!');
    QUALIFIERS.iter().find_map(|(qualifier, _)| {
        let name = qualifier.trim_end_matches(':');
        let value = term.get(name.len()..).filter(|_| follows_qualifier(term, name))?;
        let value = value.strip_prefix('=').or_else(|| Some(value).filter(|value| value.starts_with(['<', '>'])))?;
        let excludes = &word[..word.len() - term.len()];
        Some((name, format!("{excludes}{qualifier}{value}")))
    })
}

/// The known qualifier most similar to an unknown one.
pub(super) fn nearest_qualifier(unknown: &str) -> Option<&'static str> {
    nearest(unknown, &QUALIFIERS.map(|(qualifier, _)| qualifier))
}
