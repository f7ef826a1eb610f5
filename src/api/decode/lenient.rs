//! Repairs JSON that the parser rejects: numbers out of range, NaN and infinity, lone surrogates, control characters.
//!
//! One such value must not cost a whole list. Numbers become null, lone surrogates become replacement characters, and
//! control characters in texts become spaces.

/// Returns the repaired JSON.
pub fn readable(json: &str) -> String {
    let mut readable = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest),
            '-' | '0'..='9' | 'a'..='z' | 'A'..='Z' => {
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'))).unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let token = &rest[..length];
        match first {
            '"' => readable.push_str(&without_lone_halves(token).replace(|c: char| c < ' ', " ")),
            _ if token.parse().is_ok_and(|number: f64| !number.is_finite()) => readable.push_str("null"),
            _ => readable.push_str(token),
        }
        rest = &rest[length..];
    }
    readable
}

/// The length of the string literal at the start, including quotes.
fn string_length(json: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

fn without_lone_halves(string: &str) -> String {
    let mut sound = String::with_capacity(string.len());
    let mut rest = string;
    while let Some(at) = rest.find('\\') {
        sound.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                sound.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            // The backslash and the character that it escapes.
            (Some(_) | None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        sound.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    sound + rest
}

/// Parses a `\uXXXX` escape at the start.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_invalid_json_is_changed() {
        let table = [
            (r#"{"a": 1e999, "b": -1e999, "c": 2.5}"#, r#"{"a": null, "b": null, "c": 2.5}"#),
            (
                r#"["\ud83d", "\ude00x", "\ud83d\ude00", "\\ud83d"]"#,
                r#"["\ufffd", "\ufffdx", "\ud83d\ude00", "\\ud83d"]"#,
            ),
            (r#"["1e999", "\"1e999"]"#, r#"["1e999", "\"1e999"]"#),
            (r#"["cut \u12"#, r#"["cut \u12"#),
            (r#"[NaN, Infinity, -Infinity, "NaN"]"#, r#"[null, null, null, "NaN"]"#),
            (r"[true,false,null,-1.5e-3, nope]", r"[true,false,null,-1.5e-3, nope]"),
            ("{\n\t\"a\": \"1\n2\t\u{7f}\"}", "{\n\t\"a\": \"1 2 \u{7f}\"}"),
        ];
        for (json, expected) in table {
            assert_eq!(readable(json), expected);
        }
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in any::<String>(), escapes in r#"(\\u[d0][8-f0]?[0-9a-f]{0,2}|\\|"|[0-9e-]|é){0,20}"#) {
            let _ = readable(&text);
            let _ = readable(&escapes);
            let _ = readable(&format!("\"{escapes}"));
        }
    }
}
