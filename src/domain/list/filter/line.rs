//! The filter line as text: its words, and how keys change it without losing what was typed.

use std::ops::Range;

/// Splits at spaces outside double quotes; the quotes stay, they mean "the whole value".
pub(super) fn split(text: &str) -> Vec<String> {
    split_with_places(text).into_iter().map(|(_, word)| word).collect()
}

/// The same, each word with its place in characters.
pub(super) fn split_with_places(text: &str) -> Vec<(Range<usize>, String)> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    let (mut start, mut end) = (0, 0);
    for (at, character) in text.chars().enumerate() {
        end = at + 1;
        if character.is_whitespace() && !quoted {
            if !word.is_empty() {
                words.push((start..at, std::mem::take(&mut word)));
            }
            start = at + 1;
        } else {
            quoted ^= character == '"';
            word.push(character);
        }
    }
    if !word.is_empty() {
        words.push((start..end, word));
    }
    words
}

/// The words with an open quote closed: what is put behind it must not become a part of it.
fn closed(mut words: Vec<String>) -> Vec<String> {
    let is_open = |word: &&mut String| word.matches('"').count() % 2 == 1;
    words.last_mut().filter(is_open).map(|word| word.push('"')).unwrap_or_default();
    words
}

pub(super) fn unquote(value: &str) -> (&str, bool) {
    match value.strip_prefix('"') {
        Some(rest) => (rest.strip_suffix('"').unwrap_or(rest), value.len() > 1 && value.ends_with('"')),
        None => (value, false),
    }
}

/// Whether a word stands behind this qualifier, in any case. Compared as ASCII: in lower case other letters too become
/// one of its own, such as the Kelvin sign, and take another length.
pub(super) fn is_behind(word: &str, qualifier: &str) -> bool {
    word.get(..qualifier.len()).is_some_and(|start| start.eq_ignore_ascii_case(qualifier))
}

/// The filter text with its positive `qualifier` terms replaced by `value`, or only removed when `value` is `None`.
pub fn with_qualifier(text: &str, qualifier: &str, value: Option<&str>) -> String {
    let mut words = closed(split(text));
    words.retain(|word| !is_behind(word, qualifier));
    words.extend(value.map(|value| format!("{qualifier}{value}")));
    words.join(" ")
}

/// The filter text with one more term, unless it is there already; a term that says the opposite is taken out.
pub fn with_term(text: &str, term: &str) -> String {
    let opposite = term.strip_prefix('!').map_or_else(|| format!("!{term}"), str::to_owned);
    let mut words = closed(split(text));
    words.retain(|word| *word != opposite && word != term);
    words.push(term.to_owned());
    words.join(" ")
}

/// The value of the first positive `qualifier` term.
pub fn qualifier_value(text: &str, qualifier: &str) -> Option<String> {
    let words = split(text);
    let word = words.iter().find(|word| is_behind(word, qualifier))?;
    Some(word[qualifier.len()..].to_lowercase())
}

/// A value as it stands behind a qualifier so that exactly it is meant.
pub fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_at_their_places() {
        let words = split_with_places(" té !a:\"b c\"  \"open end ");
        let expected = [(1..3, "té"), (4..12, "!a:\"b c\""), (14..24, "\"open end ")];
        assert_eq!(words, expected.map(|(place, word)| (place, word.to_owned())));
    }

    #[test]
    fn the_text_is_changed_without_losing_the_rest() {
        assert_eq!(with_qualifier("tea result:bad", "result:", Some("good")), "tea result:good");
        assert_eq!(with_qualifier("tea result:bad", "result:", None), "tea");
        assert_eq!(with_term("tea !result:bad", "result:bad"), "tea result:bad");
        assert_eq!(with_term("tea", "tea"), "tea");
        assert_eq!(with_term("project:\"a b", "result:bad"), "project:\"a b\" result:bad");
        assert_eq!(with_qualifier("url:\"tea", "result:", Some("bad")), "url:\"tea\" result:bad");
        assert_eq!(qualifier_value("tea Result:Bad", "result:").as_deref(), Some("bad"));
    }
}
