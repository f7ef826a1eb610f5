//! Validates language tags: syntax by RFC 5646, subtags by the IANA Language Subtag Registry.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Pairs of kind and subtag; `language_subtags.txt` describes its format.
static REGISTRY: LazyLock<HashSet<(&'static str, String)>> = LazyLock::new(|| {
    let lines = include_str!("language_subtags.txt").lines().filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(|line| {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        rest.split(' ').map(move |word| (kind, word))
    });
    words.flat_map(|(kind, word)| entries(kind, word)).collect()
});

fn entries(kind: &'static str, word: &'static str) -> Vec<(&'static str, String)> {
    match word.split_once(':') {
        Some((first, lasts)) => lasts.chars().map(|last| ("language", format!("{first}{last}"))).collect(),
        None if kind == "language2" => vec![("language", word.to_owned())],
        None => vec![(kind, word.to_owned())],
    }
}

fn is_registered(kind: &'static str, subtag: &str) -> bool {
    REGISTRY.contains(&(kind, subtag.to_owned()))
}

/// Whether a tag is valid (RFC 5646, 2.2.9), in upper or lower case.
pub(in crate::audit) fn is_language_tag(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let parts: Vec<&str> = tag.split('-').collect();
    let well_formed = |part: &&str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    parts.iter().all(well_formed) && (is_registered("grandfathered", &tag) || is_private(&parts) || is_langtag(&parts))
}

/// Whether the tag is `x-` and at least one private subtag.
fn is_private(parts: &[&str]) -> bool {
    parts.len() > 1 && parts[0] == "x"
}

/// Whether the parts are language, extended language, script, region, variants, extensions and private use, in this
/// order.
fn is_langtag(parts: &[&str]) -> bool {
    let Some((language, mut rest)) = parts.split_first() else { return false };
    if !is_registered("language", language) && !within(language, "qaa", "qtz") {
        return false;
    }
    take(&mut rest, |part| is_registered("extlang", part));
    take(&mut rest, |part| is_registered("script", part) || within(part, "qaaa", "qabx"));
    take(&mut rest, |part| is_registered("region", part) || within(part, "qm", "qz") || within(part, "xa", "xz"));
    while take(&mut rest, |part| is_registered("variant", part)) {}
    loop {
        match rest {
            [] => return true,
            [single, _, ..] if *single == "x" => return true,
            [single, first, after @ ..] if single.len() == 1 && first.len() > 1 => {
                rest = after;
                while take(&mut rest, |part| part.len() > 1) {}
            }
            [..] => return false,
        }
    }
}

/// Removes the next subtag if it fits.
fn take(rest: &mut &[&str], fits: impl Fn(&str) -> bool) -> bool {
    let Some((_, after)) = rest.split_first().filter(|(first, _)| fits(first)) else { return false };
    *rest = after;
    true
}

/// Whether a subtag is in a range, ends included: the private-use ranges of the registry.
fn within(part: &str, first: &str, last: &str) -> bool {
    part.len() == first.len() && part.bytes().all(|byte| byte.is_ascii_lowercase()) && (first..=last).contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_registered_tags_are_valid() {
        for tag in [
            "en",
            "EN-us",
            "de-CH",
            "de-CH-1996",
            "zh-Hant-TW",
            "zh-yue-HK",
            "sr-Latn",
            "es-419",
            "gsw",
            "x-klingon",
            "en-GB-oxendict",
            "i-klingon",
            "qaa-Qaaa-QM-x-southern",
            "de-u-co-phonebk",
            "en-a-bbb-x-a",
            "sl-rozaj-biske",
        ] {
            assert!(is_language_tag(tag), "{tag}");
        }
        for tag in [
            "",
            "e",
            "english",
            "english_US",
            "en_US",
            "en-",
            "-en",
            "12",
            "deutschland",
            "x",
            "xx",
            "zzq",
            "en-UK",
            "de-de-de",
            "en-Latn-Latn",
            "en-x",
            "en-a",
            "en-a-x-b",
            "en-abcdefghi",
            "fr-419-xyzzy",
            "qzz",
            "us",
        ] {
            assert!(!is_language_tag(tag), "{tag}");
        }
    }
}
