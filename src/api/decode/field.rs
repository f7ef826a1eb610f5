//! Decodes fields: each domain value from the various JSON forms that services use.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::DateTime;
use jiff::{Timestamp, tz::TimeZone};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::Text;

/// Epoch numbers from here on are milliseconds: as seconds they would be in the year 5138 or later.
const MILLISECONDS_FROM: f64 = 100_000_000_000.0;

/// From here on, floating-point numbers do not represent every integer.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The longest text of a row's field, in bytes; common servers accept no longer URLs.
const LONGEST_TEXT: usize = 8 * 1024;

/// The JSON value of a field, without the contents of lists and maps.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::api) enum FieldValue<'a> {
    Null,
    Truth(bool),
    Number(Number),
    Text(Cow<'a, str>),
    /// A list, a map, or a text that is too long for a field.
    Parts,
}

impl<'a> From<&'a Value> for FieldValue<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) if text.len() > LONGEST_TEXT => Self::Parts,
            Value::String(text) => Self::Text(text.as_str().into()),
            Value::Array(_) | Value::Object(_) => Self::Parts,
        }
    }
}

impl<'a> From<&FieldValue<'a>> for FieldValue<'a> {
    fn from(value: &FieldValue<'a>) -> Self {
        value.clone()
    }
}

impl<'de> Deserialize<'de> for FieldValue<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyScalar)
    }
}

/// Accepts any value. The contents of lists and maps are parsed and dropped.
struct AnyScalar;

impl<'de> Visitor<'de> for AnyScalar {
    type Value = FieldValue<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(FieldValue::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Self::Value, E> {
        Ok(FieldValue::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(FieldValue::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(FieldValue::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Number::from_f64(number).map_or(FieldValue::Null, FieldValue::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(if text.len() > LONGEST_TEXT { FieldValue::Parts } else { FieldValue::Text(text.to_owned().into()) })
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(if text.len() > LONGEST_TEXT { FieldValue::Parts } else { FieldValue::Text(text.into()) })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<FieldValue<'_>>()?.is_some() {}
        Ok(FieldValue::Parts)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<FieldValue<'_>, FieldValue<'_>>()?.is_some() {}
        Ok(FieldValue::Parts)
    }
}

/// Decodes a text, or a number or boolean as text.
pub(super) fn text<'a>(value: impl Into<FieldValue<'a>>) -> Option<Text> {
    word(value).map(Text::from_outside)
}

/// Like [`text`], but unsanitised.
pub(super) fn word<'a>(value: impl Into<FieldValue<'a>>) -> Option<Cow<'a, str>> {
    match value.into() {
        FieldValue::Text(text) => Some(text),
        FieldValue::Number(number) => Some(number.to_string().into()),
        FieldValue::Truth(truth) => Some(if truth { "true" } else { "false" }.into()),
        FieldValue::Null | FieldValue::Parts => None,
    }
}

/// Decodes an id; `None` for a number that was rounded because it is too large for JSON numbers: it would name another
/// report.
pub(super) fn id<'a>(value: impl Into<FieldValue<'a>>) -> Option<Cow<'a, str>> {
    let value = value.into();
    let is_rounded = matches!(&value, FieldValue::Number(number)
        if number.is_f64() && number.as_f64().is_none_or(|number| number.abs() >= LARGEST_EXACT));
    word(value).filter(|id| !is_rounded && !id.is_empty())
}

/// Decodes a number, also from text.
pub(super) fn number<'a>(value: impl Into<FieldValue<'a>>) -> Option<f64> {
    match value.into() {
        FieldValue::Number(number) => number.as_f64(),
        FieldValue::Text(text) => text.trim().parse().ok(),
        FieldValue::Null | FieldValue::Truth(_) | FieldValue::Parts => None,
    }
    .filter(|number: &f64| number.is_finite())
}

/// Decodes a non-negative count.
pub(in crate::api) fn count<'a>(value: impl Into<FieldValue<'a>>) -> Option<u64> {
    number(value).filter(|number| *number >= 0.0 && *number < 9e15).map(|number| {
        #[allow(clippy::cast_sign_loss)] // checked one line above
        let count = number as u64;
        count
    })
}

/// Decodes a result: a name in any case, a number from 0 to 100, a numeric text, or an unknown word. Also returns the
/// score, if it is one.
pub(super) fn outcome<'a>(value: impl Into<FieldValue<'a>>) -> (Outcome, Option<u8>) {
    let value = value.into();
    if let Some(number) = number(&value) {
        let Some(score) = score(number) else {
            return (text(&value).map_or(Outcome::Missing, |word| Outcome::Other(Box::new(word))), None);
        };
        return (Outcome::from_score(number), Some(score));
    }
    match value {
        FieldValue::Text(word) => (Outcome::from_name(&word), None),
        FieldValue::Null | FieldValue::Truth(_) | FieldValue::Number(_) | FieldValue::Parts => (Outcome::Missing, None),
    }
}

/// Rounds a score from 0 to 100 to the nearest integer of the same result: 48.9 is bad, like 48 and unlike 49. `None` if
/// out of range.
pub(super) fn score(number: f64) -> Option<u8> {
    let result = Outcome::from_score(number);
    let nearest_first = [number.round(), number.floor(), number.ceil()];
    let score = nearest_first.into_iter().find(|score| Outcome::from_score(*score) == result)?;
    #[allow(clippy::cast_sign_loss)] // 0 to 100
    (0.0..=100.0).contains(&number).then_some(score as u8)
}

/// Decodes a privacy setting: 0, 1, 2, the same as text, or its name.
pub(super) fn privacy<'a>(value: impl Into<FieldValue<'a>>) -> Option<Privacy> {
    let value = value.into();
    match (number(&value), value) {
        (Some(code), _) if code.fract() == 0.0 => Privacy::from_code(code as i64),
        (None, FieldValue::Text(word)) => word.trim().parse().ok(),
        _ => None,
    }
}

/// Decodes a fetch failure: the name of a class in any case, or an HTTP status.
pub(super) fn fetch_failure<'a>(value: impl Into<FieldValue<'a>>) -> Option<FetchFailure> {
    let value = value.into();
    match (count(&value), value) {
        (Some(status), _) => FetchFailure::of_status(status),
        (None, FieldValue::Text(word)) => word.trim().parse().ok(),
        _ => None,
    }
}

/// Decodes whether a password is set. A password text is dropped here; only its presence is passed on.
pub(super) fn has_password<'a>(value: impl Into<FieldValue<'a>>) -> Option<bool> {
    match value.into() {
        FieldValue::Truth(truth) => Some(truth),
        FieldValue::Text(text) => Some(!text.is_empty()),
        FieldValue::Number(number) => Some(number.as_f64() != Some(0.0)),
        FieldValue::Null => Some(false),
        FieldValue::Parts => None,
    }
}

/// Decodes a time: RFC 3339, `YYYY-MM-DD HH:MM:SS` (as UTC, or with an offset), or epoch seconds or milliseconds, also
/// as text.
pub(super) fn time<'a>(value: impl Into<FieldValue<'a>>) -> Option<Timestamp> {
    let value = value.into();
    if let Some(number) = number(&value) {
        let milliseconds = if number.abs() >= MILLISECONDS_FROM { number } else { number * 1000.0 };
        return Timestamp::from_millisecond(milliseconds as i64).ok();
    }
    let FieldValue::Text(text) = value else { return None };
    let text = text.trim();
    let civil = || {
        let civil: DateTime = text.parse().ok()?;
        civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    };
    let spaced = || text.replace(" UTC", "Z").replace(" +", "+").replace(" -", "-").parse().ok();
    text.parse::<Timestamp>().ok().or_else(civil).or_else(spaced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_has_at_most_8_kib() {
        let long = "x".repeat(8 * 1024);
        assert!(text(&json!(long)).is_some() && text(&json!(format!("{long}x"))).is_none());
    }

    #[test]
    fn ids_are_texts_and_exact_numbers() {
        assert_eq!(id(&json!("a7")).as_deref(), Some("a7"));
        assert_eq!(id(&json!(u64::MAX)).as_deref(), Some("18446744073709551615"));
        for value in [json!(""), json!(9_007_199_254_740_992.0), json!(-1e300), json!(null), json!([])] {
            assert_eq!(id(&value), None, "{value}");
        }
    }

    #[test]
    fn counts_are_not_negative_and_not_endless() {
        let table = [
            (json!(0), Some(0)),
            (json!("12"), Some(12)),
            (json!(-1), None),
            (json!(9e15), None),
            (json!("inf"), None),
            (json!(null), None),
        ];
        for (value, expected) in table {
            assert_eq!(count(&value), expected, "{value}");
        }
    }

    #[test]
    fn results_are_decoded_from_words_and_numbers() {
        let table = [
            (json!("Good"), "good", None),
            (json!(80), "good", Some(80)),
            (json!(79), "decent", Some(79)),
            (json!(79.4), "good", Some(80)),
            (json!(78.6), "decent", Some(79)),
            (json!("48.9"), "bad", Some(48)),
            (json!(49.4), "decent", Some(49)),
            (json!("31"), "bad", Some(31)),
            (json!(null), "none", None),
            (json!("superb"), "superb", None),
            (json!(250), "250", None),
            (json!([]), "none", None),
            (json!(true), "none", None),
        ];
        for (value, word, expected) in table {
            let (outcome, score) = outcome(&value);
            assert_eq!((outcome.name(), score), (word, expected), "{value}");
        }
    }

    #[test]
    fn times_are_decoded_from_five_formats() {
        let expected = "2024-05-02T09:15:00Z".parse::<Timestamp>().unwrap();
        for value in [
            json!("2024-05-02T09:15:00Z"),
            json!("2024-05-02T11:15:00.000+02:00"),
            json!("2024-05-02 09:15:00"),
            json!("2024-05-02 09:15:00 UTC"),
            json!("2024-05-02 11:15:00 +0200"),
            json!("2024-05-02 05:15:00 -04:00"),
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
    fn privacy_and_password_are_decoded_from_several_formats() {
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
