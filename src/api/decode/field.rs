//! The forms that one field may come in (SERVICE.md B), each read to one domain value.

use jiff::civil::DateTime;
use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

use crate::domain::outcome::Outcome;
use crate::domain::privacy::Privacy;
use crate::domain::text::Text;

/// Epoch numbers from here on are milliseconds: as seconds they would lie in the year 5138.
const MILLISECONDS_FROM: f64 = 100_000_000_000.0;

/// A text, or a number or truth value written as text.
pub(super) fn text(value: &Value) -> Option<Text> {
    match value {
        Value::String(text) => Some(Text::from_outside(text.as_str())),
        Value::Number(number) => Some(Text::from_outside(number.to_string())),
        Value::Bool(truth) => Some(Text::from_outside(truth.to_string())),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A number, also when it is written as a text.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
    .filter(|number| number.is_finite())
}

/// A count that is not negative.
pub(super) fn count(value: &Value) -> Option<u64> {
    number(value).filter(|number| *number >= 0.0 && *number < 9e15).map(|number| {
        #[allow(clippy::cast_sign_loss)] // checked one line above
        let count = number as u64;
        count
    })
}

/// A result: a word in any case, a number from 0 to 100, a numeric text, or an unknown word. Also its score, if it is one.
pub(super) fn outcome(value: &Value) -> (Outcome, Option<u8>) {
    if let Some(number) = number(value) {
        let Some(score) = score(number) else {
            return (text(value).map_or(Outcome::Missing, |word| Outcome::Other(Box::new(word))), None);
        };
        return (Outcome::from_score(number), Some(score));
    }
    match value {
        Value::String(word) => (Outcome::from_word(word), None),
        _ => (Outcome::Missing, None),
    }
}

/// A score from 0 to 100, rounded; `None` outside.
pub(super) fn score(number: f64) -> Option<u8> {
    (0.0..=100.0).contains(&number).then(|| {
        #[allow(clippy::cast_sign_loss)] // 0 to 100
        let score = number.round() as u8;
        score
    })
}

/// A privacy: 0, 1, 2, the same as text, or its word.
pub(super) fn privacy(value: &Value) -> Option<Privacy> {
    match (number(value), value) {
        (Some(code), _) if code.fract() == 0.0 => Privacy::from_code(code as i64),
        (None, Value::String(word)) => word.trim().parse().ok(),
        _ => None,
    }
}

/// Whether a password is set. A text is dropped right here: only that there is one goes further.
pub(super) fn has_password(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => Some(!text.is_empty()),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::Null => Some(false),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// RFC 3339, `YYYY-MM-DD HH:MM:SS` (taken as UTC), epoch seconds or milliseconds, the numbers also as text.
pub(super) fn time(value: &Value) -> Option<Timestamp> {
    if let Some(number) = number(value) {
        let milliseconds = if number.abs() >= MILLISECONDS_FROM { number } else { number * 1000.0 };
        return Timestamp::from_millisecond(milliseconds as i64).ok();
    }
    let text = value.as_str()?.trim();
    text.parse::<Timestamp>().ok().or_else(|| {
        let civil: DateTime = text.parse().ok()?;
        civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_come_as_words_and_numbers() {
        let table = [
            (json!("Good"), "good", None),
            (json!(80), "good", Some(80)),
            (json!(79), "decent", Some(79)),
            (json!(79.4), "good", Some(79)),
            (json!("48.9"), "bad", Some(49)),
            (json!("31"), "bad", Some(31)),
            (json!(null), "none", None),
            (json!("superb"), "superb", None),
            (json!(250), "250", None),
            (json!([]), "none", None),
            (json!(true), "none", None),
        ];
        for (value, word, expected) in table {
            let (outcome, score) = outcome(&value);
            assert_eq!((outcome.word(), score), (word, expected), "{value}");
        }
    }

    #[test]
    fn times_come_in_five_forms() {
        let expected = "2024-05-02T09:15:00Z".parse::<Timestamp>().unwrap();
        for value in [
            json!("2024-05-02T09:15:00Z"),
            json!("2024-05-02T11:15:00.000+02:00"),
            json!("2024-05-02 09:15:00"),
            json!(1_714_641_300),
            json!(1_714_641_300_000_u64),
            json!("1714641300"),
        ] {
            assert_eq!(time(&value), Some(expected), "{value}");
        }
        for value in [json!(null), json!("yesterday"), json!({}), json!(1e300), json!("")] {
            assert_eq!(time(&value), None, "{value}");
        }
    }

    #[test]
    fn privacy_and_password_come_in_several_forms() {
        assert_eq!(privacy(&json!("2")), Some(Privacy::Password));
        assert_eq!(privacy(&json!(1)), Some(Privacy::Private));
        assert_eq!(privacy(&json!("private")), Some(Privacy::Private));
        for value in [json!(null), json!(3), json!(0.5), json!("secret")] {
            assert_eq!(privacy(&value), None, "{value}");
        }
        assert_eq!(has_password(&json!("hunter2")), Some(true));
        assert_eq!(has_password(&json!(null)), Some(false));
        assert_eq!(has_password(&json!(false)), Some(false));
    }
}
