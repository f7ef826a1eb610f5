//! Untrusted text and its display form.
//!
//! Every text from a service, an audited page or a file passes [`Text::from_outside`] or [`Text::of_url`] once. Its display
//! form contains no escape sequences.

pub mod age;
mod cells;
pub mod link_header;
pub mod nearest;
pub mod numbers;
mod readable_url;
pub mod search_text;
pub mod url_scheme;
pub mod url_shape;

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

pub use cells::{cut_lines, fit, fit_middle, fit_start, skip, width, wrap, wrap_within};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Further combining marks on one letter are dropped: no script needs more, and they would overlap neighbouring cells.
const MOST_MARKS_ON_A_LETTER: usize = 4;

/// An untrusted text: the raw form as sent, and the sanitised form that is safe to show, log, copy and export.
///
/// Clones share their texts: a list may have 100,000 rows.
#[derive(Clone)]
pub struct Text(TextCopies);

/// Nearly every text is safe as sent, so only the others need a second copy.
#[derive(Clone)]
enum TextCopies {
    Safe(Arc<str>),
    Cleaned(Arc<(Box<str>, Box<str>)>),
}

impl Text {
    /// Sanitises a raw text; keeps a sanitised copy only if it differs.
    pub fn from_outside(raw: impl Into<String>) -> Self {
        let raw = raw.into();
        match clean(&raw) {
            Cow::Borrowed(_) => Self(TextCopies::Safe(raw.into())),
            Cow::Owned(cleaned) => Self::shown_as(raw, cleaned),
        }
    }

    /// A text with a sanitised display form that differs from it.
    fn shown_as(raw: String, shown: String) -> Self {
        Self(TextCopies::Cleaned(Arc::new((raw.into_boxed_str(), shown.into_boxed_str()))))
    }

    /// The text as sent: for requests, comparison and escaped JSON, never for the screen.
    pub fn raw(&self) -> &str {
        match &self.0 {
            TextCopies::Safe(text) => text,
            TextCopies::Cleaned(both) => &both.0,
        }
    }

    /// The display form, without anything that could move the cursor, change colours or reorder neighbouring text.
    pub fn shown(&self) -> &str {
        match &self.0 {
            TextCopies::Safe(text) => text,
            TextCopies::Cleaned(both) => &both.1,
        }
    }

    /// Whether the raw text is empty.
    pub fn is_empty(&self) -> bool {
        self.raw().is_empty()
    }
}

/// Implements comparison, order and hash of a type by one of its views, so that maps can be queried by that view.
macro_rules! by_content {
    ($name:ty, $content:ident) => {
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.$content() == other.$content()
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.$content().cmp(other.$content())
            }
        }

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.$content().hash(state);
            }
        }
    };
}
pub(crate) use by_content;

// The sanitised copy is derived from the raw text.
by_content!(Text, raw);

impl Default for Text {
    fn default() -> Self {
        Self::from_outside("")
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.shown())
    }
}

/// Shows the sanitised form: debug output ends up in logs and terminals.
impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.shown())
    }
}

/// Serialised as sent.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.raw())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from_outside)
    }
}

impl From<&str> for Text {
    fn from(raw: &str) -> Self {
        Self::from_outside(raw)
    }
}

/// Sanitises a text to one harmless line.
///
/// Control characters become `�` (so that tampering stays visible), line breaks and tabs become a space, and invisible,
/// reordering and excessive combining characters are dropped.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut marks = 0;
    for character in text.chars() {
        if is_combining(character) {
            marks += 1;
            if marks > MOST_MARKS_ON_A_LETTER || cleaned.is_empty() {
                continue;
            }
        } else {
            marks = 0;
        }
        match character {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' | '\u{85}' => cleaned.push(' '),
            _ if is_invisible(character) => {}
            _ if character.is_control() => cleaned.push('\u{fffd}'),
            _ => cleaned.push(character),
        }
    }
    if cleaned == text { Cow::Borrowed(text) } else { Cow::Owned(cleaned) }
}

/// Whether a character reorders text or hides in it: bidirectional controls, zero-width spaces, tag characters.
///
/// The zero-width joiners U+200C and U+200D are excluded: scripts and emoji need them.
pub fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a text can be a name: not blank, at most `most` characters, none that controls or hides.
pub fn is_name(text: &str, most: usize) -> bool {
    let hides = |character: char| character.is_control() || is_invisible(character);
    !text.trim().is_empty() && text.chars().count() <= most && !text.chars().any(hides)
}

fn is_combining(character: char) -> bool {
    !character.is_ascii()
        && !character.is_control()
        && !is_invisible(character)
        && !matches!(character, '\u{200c}' | '\u{200d}')
        && unicode_width::UnicodeWidthChar::width(character) == Some(0)
}

/// Whether shells read a text as one plain word.
pub fn is_plain_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Returns a text as one word of a command for a shell, quoted if necessary.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    if is_plain_word(text) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")).into() }
}

/// Joins a message and its advice, which may be empty, as two sentences.
pub fn with_advice(message: &str, advice: &str) -> String {
    let end = if message.ends_with(['.', '?', '!']) { "" } else { "." };
    if advice.is_empty() { message.to_owned() } else { format!("{message}{end} {advice}") }
}

/// Escapes JSON for terminals: control, invisible and reordering characters become `\u` escapes.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    // Nearly all characters are plain ASCII: one comparison decides them.
    let harmless = |character: char| {
        matches!(character, ' '..='~' | '\n')
            || !(is_invisible(character) || character.is_control() || matches!(character, '\u{2028}' | '\u{2029}'))
    };
    if json.chars().all(harmless) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    let mut units = [0_u16; 2];
    for character in json.chars() {
        if harmless(character) {
            escaped.push(character);
        } else {
            for unit in character.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_become_visible_text() {
        assert_eq!(clean("a\x1b[31mred\x07"), "a�[31mred�");
        assert_eq!(clean("one\ntwo\tthree"), "one two three");
        assert_eq!(clean("abc\u{202e}def\u{2066}"), "abcdef");
        assert_eq!(clean("\u{9b}31m"), "�31m");
    }

    #[test]
    fn ordinary_text_is_returned_without_a_copy() {
        for text in ["https://shop.example/tea", "Grüße", "日本語", "👩‍👩‍👧", "e\u{301}"] {
            assert!(matches!(clean(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn stacked_combining_marks_are_cut() {
        let tower = format!("a{}", "\u{301}".repeat(40));
        assert_eq!(clean(&tower).chars().count(), 1 + MOST_MARKS_ON_A_LETTER);
    }

    #[test]
    fn a_message_and_its_advice_are_two_sentences() {
        assert_eq!(with_advice("there is no bda", "Use bad"), "there is no bda. Use bad");
        assert_eq!(with_advice("did you mean bad?", "Use bad"), "did you mean bad? Use bad");
        assert_eq!(with_advice("there is no bda", ""), "there is no bda");
    }

    #[test]
    fn control_characters_in_json_are_escaped() {
        assert_eq!(escape_json("\"a\u{202e}b\u{9b}\""), "\"a\\u202eb\\u009b\"");
        assert_eq!(escape_json("{\n}"), "{\n}");
    }

    proptest! {
        #[test]
        fn cleaned_text_contains_no_control_characters(text in any::<String>()) {
            let cleaned = clean(&text).into_owned();
            prop_assert!(!cleaned.chars().any(|c| c.is_control() || is_invisible(c)));
            prop_assert_eq!(clean(&cleaned).into_owned(), cleaned.clone());
        }

        #[test]
        fn escaped_json_reads_back_the_same(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&escape_json(&json)).unwrap(), text);
        }
    }
}
