//! The filter line as a text: its words, and how keys change it without losing what was typed.
//!
//! Must not know what a term means.

/// Splits at spaces outside double quotes; the quotes stay, they mean "the whole value".
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '"' => {
                quoted = !quoted;
                words.last_mut().map(|word| word.push('"')).unwrap_or_default();
            }
            _ if character.is_whitespace() && !quoted => words.push(String::new()),
            _ => words.last_mut().map(|word| word.push(character)).unwrap_or_default(),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(super) fn unquote(value: &str) -> (&str, bool) {
    match value.strip_prefix('"') {
        Some(rest) => (rest.strip_suffix('"').unwrap_or(rest), value.len() > 1 && value.ends_with('"')),
        None => (value, false),
    }
}

/// The filter text with its positive `qualifier` terms replaced by `value`, or only removed when `value` is `None`.
pub fn with_qualifier(text: &str, qualifier: &str, value: Option<&str>) -> String {
    let mut words = split(text);
    words.retain(|word| !word.to_lowercase().starts_with(qualifier));
    words.extend(value.map(|value| format!("{qualifier}{value}")));
    words.join(" ")
}

/// The filter text with one more term, unless it is there already; a term that says the opposite is taken out.
pub fn with_term(text: &str, term: &str) -> String {
    let opposite = term.strip_prefix('!').map_or_else(|| format!("!{term}"), str::to_owned);
    let mut words = split(text);
    words.retain(|word| *word != opposite && word != term);
    words.push(term.to_owned());
    words.join(" ")
}

/// The value of the first positive `qualifier` term.
pub fn qualifier_value(text: &str, qualifier: &str) -> Option<String> {
    split(text).iter().find_map(|word| word.to_lowercase().strip_prefix(qualifier).map(str::to_owned))
}

/// A value as it stands behind a qualifier so that exactly it is meant.
pub fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_changed_without_losing_the_rest() {
        assert_eq!(with_qualifier("tea result:bad", "result:", Some("good")), "tea result:good");
        assert_eq!(with_qualifier("tea result:bad", "result:", None), "tea");
        assert_eq!(with_term("tea !result:bad", "result:bad"), "tea result:bad");
        assert_eq!(with_term("tea", "tea"), "tea");
        assert_eq!(qualifier_value("tea Result:Bad", "result:").as_deref(), Some("bad"));
    }
}
