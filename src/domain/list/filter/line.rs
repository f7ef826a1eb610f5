//! The filter line as text: splits it into words, and edits terms while preserving the rest.

use std::borrow::Cow;
use std::ops::Range;

/// Splits at spaces outside double quotes. Quotes are kept: they request a whole-value match.
pub(super) fn split(text: &str) -> Vec<String> {
    split_with_places(text).into_iter().map(|(_, word)| word).collect()
}

/// Like [`split`], with each word's position in characters.
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

/// Closes an open quote, so that appended text does not become part of it.
fn closed(mut words: Vec<String>) -> Vec<String> {
    let is_open = |word: &&mut String| word.matches('"').count() % 2 == 1;
    words.last_mut().filter(is_open).map(|word| word.push('"')).unwrap_or_default();
    words
}

/// The text without its quotes, and whether they are closed. Inside quotes, two double quotes stand for one.
pub(super) fn unquote(value: &str) -> (Cow<'_, str>, bool) {
    let Some(rest) = value.strip_prefix('"') else { return (value.into(), false) };
    let closed = rest.strip_suffix('"').filter(|_| value.matches('"').count().is_multiple_of(2));
    (unescape(closed.unwrap_or(rest)), closed.is_some())
}

fn unescape(text: &str) -> Cow<'_, str> {
    if text.contains("\"\"") { text.replace("\"\"", "\"").into() } else { text.into() }
}

/// Whether a word starts with this qualifier, ignoring ASCII case. Unicode lower-casing would also map characters such
/// as the Kelvin sign to ASCII letters, with a different byte length.
pub(super) fn follows_qualifier(word: &str, qualifier: &str) -> bool {
    word.get(..qualifier.len()).is_some_and(|start| start.eq_ignore_ascii_case(qualifier))
}

/// The filter text with its positive `qualifier` terms replaced by `value`, or removed if `value` is `None`.
pub fn with_qualifier(text: &str, qualifier: &str, value: Option<&str>) -> String {
    let mut words = closed(split(text));
    words.retain(|word| !follows_qualifier(word, qualifier));
    words.extend(value.map(|value| format!("{qualifier}{value}")));
    words.join(" ")
}

/// The filter text with one more term, unless present already; the opposite term is removed.
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
    let word = words.iter().find(|word| follows_qualifier(word, qualifier))?;
    Some(word[qualifier.len()..].to_lowercase())
}

/// Quotes a value for an exact match after a qualifier. A quote within it is doubled.
pub fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "\"\""))
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
