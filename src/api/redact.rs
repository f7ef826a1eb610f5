//! Removes the API key from a response that repeats it, and the sent page password from an error response, in any
//! encoding: plain, JSON-escaped, percent-encoded, or both.

use std::ops::Range;

/// Replaces the secret.
pub(super) const HIDDEN: &str = "••••";
/// Shorter secrets are not searched for: hiding a common word would break the JSON.
const SHORTEST: usize = 12;

/// Returns the bytes without a key or password.
pub(super) fn without_secret(bytes: Vec<u8>, secret: &str) -> Vec<u8> {
    if secret.len() < SHORTEST {
        return bytes;
    }
    let mut found = occurrences(&bytes, secret.as_bytes()).peekable();
    if found.peek().is_none() {
        drop(found);
        return bytes;
    }
    let (mut redacted, mut end) = (Vec::with_capacity(bytes.len()), 0);
    for place in found {
        redacted.extend_from_slice(&bytes[end..place.start]);
        redacted.extend_from_slice(HIDDEN.as_bytes());
        end = place.end;
    }
    redacted.extend_from_slice(&bytes[end..]);
    redacted
}

/// Returns a text without a key or password.
pub(super) fn text_without_secret(text: String, secret: &str) -> String {
    String::from_utf8_lossy(&without_secret(text.into_bytes(), secret)).into_owned()
}

/// Returns the ranges that spell the secret.
fn occurrences<'a>(bytes: &'a [u8], secret: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
    let first = secret.first().copied().unwrap_or_default();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            // Most bytes are neither the secret's first byte nor the start of an escape.
            if (*byte == first || matches!(byte, b'\\' | b'%'))
                && let Some(end) = end_of_secret(bytes, at, secret)
            {
                let start = std::mem::replace(&mut at, end);
                return Some(start..end);
            }
            at += 1;
        }
        None
    })
}

/// Returns the end of the secret, if it starts here: plain, JSON-escaped, or also percent-encoded. A secret may itself
/// contain text that looks like an escape, so each encoding is tried separately.
fn end_of_secret(bytes: &[u8], start: usize, secret: &[u8]) -> Option<usize> {
    [as_it_is, unescaped, percent_decoded].into_iter().find_map(|read| {
        secret.iter().try_fold(start, |at, expected| {
            let (byte, next) = read(bytes, at)?;
            (byte == *expected).then_some(next)
        })
    })
}

/// Reads a plain byte; returns it and the next index.
fn as_it_is(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    Some((*bytes.get(at)?, at + 1))
}

/// Reads a percent-encoded, possibly JSON-escaped byte; returns it and the next index.
fn percent_decoded(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let (byte, next) = unescaped(bytes, at)?;
    if byte != b'%' {
        return Some((byte, next));
    }
    let digit = |at| unescaped(bytes, at).and_then(|(byte, next)| Some((char::from(byte).to_digit(16)?, next)));
    let decoded = digit(next).and_then(|(high, at)| Some((high, digit(at)?)));
    Some(decoded.map_or((byte, next), |(high, (low, next))| ((high << 4 | low) as u8, next)))
}

/// Reads a JSON-escaped byte; returns it and the next index. Characters beyond one byte become zero.
fn unescaped(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    match (bytes.get(at)?, bytes.get(at + 1)) {
        (b'\\', Some(b'u')) => {
            let digits = bytes.get(at + 2..at + 6).and_then(|digits| std::str::from_utf8(digits).ok());
            let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())?;
            Some((u8::try_from(unit).unwrap_or_default(), at + 6))
        }
        (b'\\', Some(escaped @ (b'"' | b'\\' | b'/'))) => Some((*escaped, at + 2)),
        (byte, _) => Some((*byte, at + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: &str = "rdk_ab/cd+efgh12";

    fn redacted(text: &str) -> String {
        String::from_utf8(without_secret(text.as_bytes().to_vec(), KEY)).unwrap()
    }

    #[test]
    fn a_key_is_hidden_in_every_spelling() {
        for spelt in [
            "rdk_ab/cd+efgh12",
            "rdk_ab\\/cd+efgh12",
            "\\u0072dk_ab/cd+efgh1\\u0032",
            "rdk_ab%2Fcd%2Befgh12",
            "rdk%5fab%2fcd%2befgh12",
            "rdk_ab\\u00252fcd+efgh12",
        ] {
            assert_eq!(redacted(&format!("{{\"url\":\"x{spelt}y{spelt}\"}}")), "{\"url\":\"x••••y••••\"}", "{spelt}");
        }
        for other in ["", "rdk_ab/cd+efgh1", "rdk_ab\\u12", "%", "%7", "\\", "RDK_AB/CD+EFGH12"] {
            assert_eq!(redacted(other), other);
        }
        assert_eq!(without_secret(b"short short".to_vec(), "short"), b"short short", "a short key could be any word");
        assert_eq!(without_secret(b"is twelve_chars".to_vec(), "twelve_chars"), "is ••••".as_bytes());
    }

    #[test]
    fn a_key_that_resembles_an_escape_is_hidden_too() {
        let key = "rdk_%41b\\u0041/cd";
        for spelt in ["rdk_%41b\\u0041/cd", "rdk_%41b\\\\u0041\\/cd", "rdk_%2541b%5Cu0041%2Fcd"] {
            let text = format!("before {spelt} behind").into_bytes();
            assert_eq!(String::from_utf8(without_secret(text, key)).unwrap(), "before •••• behind", "{spelt}");
        }
    }

    /// One character of a key, in one of its possible encodings.
    fn spelling(character: char, way: u8) -> String {
        match way {
            0 => character.to_string(),
            1 => format!("\\u{:04x}", character as u32),
            2 => format!("%{:02X}", character as u32),
            _ => format!("\\u0025{:02x}", character as u32),
        }
    }

    proptest! {
        #[test]
        fn no_spelling_of_a_key_remains(ways in prop::collection::vec(0..4_u8, KEY.len()), before in "[a-z%\\\\u0-9]{0,8}", after in ".{0,8}") {
            let spelt: String = KEY.chars().zip(ways).map(|(character, way)| spelling(character, way)).collect();
            // An open escape before it would consume its first character.
            let text = format!("{before} {spelt} {after}");
            prop_assert_eq!(redacted(&text), format!("{before} {HIDDEN} {after}"));
        }

        #[test]
        fn any_bytes_are_searched_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(&without_secret(bytes.clone(), KEY), &bytes);
        }
    }
}
