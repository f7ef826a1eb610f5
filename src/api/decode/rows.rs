//! Fast decoder for the rows of a list in its usual form, without an intermediate tree of values: decoding rows is most
//! of a client's work.
//!
//! Only the usual form is handled: a map with the rows under `data`. All others are left to [`super::envelope`] and
//! [`super::report`], and the result equals theirs: fields are decoded by the same code, and whatever they reject is
//! rejected here too.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::bounded::{BoundedTree, MOST_ELEMENTS, ValueBudget};
use super::field::FieldValue;
use super::report::{MOST_CHECKS, ReportFields, check, failing_of, failure_by_checks};
use crate::domain::list::interner::Interner;
use crate::domain::report::Report;
use crate::domain::report::failed_checks::{CheckId, FailedChecks};

/// A decoded list.
#[derive(Debug, PartialEq)]
pub struct DecodedRows {
    /// The rows that could be decoded.
    pub rows: Vec<Report>,
    /// The number of rows sent.
    pub sent: usize,
    /// The envelope without its rows.
    pub rest: Map<String, Value>,
}

/// Decodes a list of reports for a table; `None` if it has another form.
pub fn rows(json: &str, shared: &mut Interner) -> Option<DecodedRows> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let rows = deserializer.deserialize_map(Envelope(shared)).ok()?;
    deserializer.end().ok()?;
    rows
}

/// Deserialises a list or a map with a visitor.
struct With<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for With<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self.0)
    }
}

/// Visits the envelope.
struct Envelope<'s>(&'s mut Interner);

impl<'de> Visitor<'de> for Envelope<'_> {
    type Value = Option<DecodedRows>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list in a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut data, mut rest, mut budget) = (None, Map::new(), ValueBudget::default());
        while let Some(key) = map.next_key::<String>()? {
            if key != "data" {
                rest.insert(key, map.next_value_seed(BoundedTree::without_rows(&mut budget))?);
            } else if data.replace(map.next_value_seed(With(List(self.0)))?).is_some() {
                return Err(A::Error::custom("two lists"));
            }
        }
        Ok(data.map(|(rows, sent)| DecodedRows { rows, sent, rest }))
    }
}

/// Visits the list.
struct List<'s>(&'s mut Interner);

impl<'de> Visitor<'de> for List<'_> {
    type Value = (Vec<Report>, usize);

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut rows, mut sent) = (Vec::new(), 0);
        let mut checks = Vec::new();
        while rows.len() < MOST_ELEMENTS {
            let Some(row) = list.next_element_seed(With(Row(self.0, &mut checks)))? else { return Ok((rows, sent)) };
            sent += 1;
            rows.extend(row);
        }
        // Rows beyond the limit count as unreadable.
        while list.next_element::<IgnoredAny>()?.is_some() {
            sent += 1;
        }
        Ok((rows, sent))
    }
}

/// The fields of a row; others are skipped.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Key {
    Id,
    Url,
    Project,
    Result,
    Score,
    GeneratedAt,
    Privacy,
    Password,
    Results,
    Failed,
    FetchError,
    #[serde(other)]
    Other,
}

/// Visits a row, with a reusable buffer for check ids.
struct Row<'s>(&'s mut Interner, &'s mut Vec<CheckId>);

impl<'de> Visitor<'de> for Row<'_> {
    type Value = Option<Report>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Self(shared, checks) = self;
        let (mut fields, mut failed, mut results) = (ReportFields::default(), None, None);
        while let Some(key) = map.next_key()? {
            // The last occurrence of a repeated field wins.
            match key {
                Key::Id => fields.id = Some(map.next_value()?),
                Key::Url => fields.url = Some(map.next_value()?),
                Key::Project => fields.project = Some(map.next_value()?),
                Key::Result => fields.result = Some(map.next_value()?),
                Key::Score => fields.score = Some(map.next_value()?),
                Key::GeneratedAt => fields.generated_at = Some(map.next_value()?),
                Key::Privacy => fields.privacy = Some(map.next_value()?),
                Key::Password => fields.password = Some(map.next_value()?),
                Key::Results => {
                    results = Some(map.next_value_seed(BoundedTree::without_rows(&mut ValueBudget::default()))?);
                }
                Key::Failed => failed = Some(map.next_value_seed(With(Checks(shared, checks)))?),
                Key::FetchError => fields.fetch_error = Some(map.next_value()?),
                Key::Other => drop(map.next_value::<FieldValue<'_>>()?),
            }
        }
        fields.failure_by_checks = results.as_ref().and_then(failure_by_checks);
        let failed = failed.or_else(|| Some(failing_of(results.as_ref()?, shared)));
        Ok(fields.report(failed.unwrap_or_default(), None, shared))
    }
}

/// Visits the ids of failed checks.
struct Checks<'s>(&'s mut Interner, &'s mut Vec<CheckId>);

impl<'de> Visitor<'de> for Checks<'_> {
    type Value = FailedChecks;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ids of checks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let Self(shared, checks) = self;
        checks.clear();
        while let Some(id) = list.next_element::<FieldValue<'_>>()? {
            if checks.len() < MOST_CHECKS {
                checks.extend(check(&id, shared));
            }
        }
        Ok(shared.set(checks))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RowDetail, envelope, report};
    use super::*;
    use crate::domain::report::fetch_failure::FetchFailure;
    use proptest::prelude::*;

    /// Decodes through a tree of values, for comparison.
    fn closely(json: &str) -> Option<DecodedRows> {
        let (values, rest) = envelope::rows(super::super::bounded::read(json).ok()?.value)?;
        let (sent, mut shared) = (values.len(), Interner::default());
        let rows = values.iter().filter_map(|row| report(row.as_object()?, RowDetail::Row, &mut shared)).collect();
        let mut rest = rest.unwrap_or_default();
        rest.shift_remove("data");
        Some(DecodedRows { rows, sent, rest })
    }

    fn quickly(json: &str) -> Option<DecodedRows> {
        rows(json, &mut Interner::default())
    }

    const ROW: &str = r#"{"id":7,"url":"https:\/\/shop.example\/tea","project":"shop.example","result":"bad","score":31,
        "generated_at":"2026-11-20T10:00:00.000Z","created_at":"x","privacy":2,"password":true,"failed":["title",3,null],"fetch_error":"4xx",
        "more":{"a":[1,{"b":"\u00fc"}],"id":9}}"#;

    #[test]
    fn ordinary_lists_are_decoded_by_the_fast_decoder() {
        for json in [
            format!(r#"{{"data":[{ROW},{ROW}],"links":{{"next":null}},"meta":{{"current_page":1}},"status":200}}"#),
            format!(
                r#" {{ "meta" : {{"total": 1}}, "meta": 2, "data" : [ {ROW}, {{"url":"a.example"}}, {{"x":1}} ] }} "#
            ),
            r#"{"data":[]}"#.to_owned(),
        ] {
            let quick = quickly(&json).unwrap();
            assert_eq!(Some(&quick), closely(&json).as_ref(), "{json}");
        }
        let row = &quickly(&format!(r#"{{"data":[{ROW}]}}"#)).unwrap().rows[0];
        assert_eq!((row.url.raw(), row.failed.len()), ("https://shop.example/tea", 2));
        assert_eq!(row.fetch_failure, Some(FetchFailure::ClientError));
    }

    #[test]
    fn a_row_that_fails_no_check_is_told_from_one_without_its_checks() {
        let failing = |fields: &str| {
            let list = quickly(&format!(r#"{{"data":[{{"id":1,{fields}}}]}}"#)).unwrap();
            list.rows[0].failing().map(|ids| ids.len())
        };
        assert_eq!(failing(r#""failed":[],"score":97"#), Some(0));
        assert_eq!(failing(r#""failed":["title"]"#), Some(1));
        assert_eq!(failing(r#""failed":["title","csp","title"]"#), Some(2));
        assert_eq!(failing(r#""score":97"#), None);
    }

    #[test]
    fn unusual_lists_are_left_to_the_full_decoder() {
        for json in [
            r#"[{"id":1}]"#,
            r#"{"reports":[{"id":1}]}"#,
            r#"{"data":{"0":{"id":1}}}"#,
            r#"{"data":[{"id":1}],"data":[]}"#,
            r#"{"data":[{"id":1},2]}"#,
            r#"{"data":[{"id":1,"failed":null}]}"#,
            r#"{"data":[{"id":1e999}]}"#,
            r#"{"data":[{"x":1e999}]}"#,
            r#"{"data":[{"x":"\ud83d"}]}"#,
            r#"{"data":[{"id":1}]}x"#,
            r#"{"data":[{"id":1}]"#,
            "",
        ] {
            assert_eq!(quickly(json), None, "{json}");
        }
        let deep = format!(r#"{{"data":[{{"x":{}1{}}}]}}"#, "[".repeat(200), "]".repeat(200));
        assert_eq!((quickly(&deep), closely(&deep)), (None, None), "so deep that nobody reads it");
    }

    /// Values in all forms of fields, and in others.
    fn value() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            4 => prop::sample::select(vec![
                "null", "true", "false", "0", "1", "2", "31", "-0", "-1", "79.4", "1e400", "18446744073709551616", "1714641300",
                "1714641300000", r#""""#, r#""bad""#, r#""Good""#, r#"" 2 ""#, r#""31""#, r#""private""#, r#""\ud83d""#,
                r#""\u00fc\n""#, r#""2026-11-20T10:00:00Z""#, r#""2026-11-20 10:00:00""#, r#""title""#, r#""hunter2""#,
                r#""https:\/\/a.example""#, r#""\u001b[31m""#, "\"\u{7f}é\u{202e}\"", r#""dns""#, "404", r#"{"http_status":{"passed":false,"value":503}}"#,
            ]).prop_map(str::to_owned),
            1 => any::<f64>().prop_map(|number| number.to_string()),
            1 => any::<String>().prop_map(|text| Value::from(text).to_string()),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
                map(key(), inner, 0..3),
            ]
        })
    }

    fn key() -> impl Strategy<Value = String> {
        let known = [
            "id",
            "url",
            "project",
            "result",
            "score",
            "generated_at",
            "privacy",
            "password",
            "failed",
            "results",
            "fetch_error",
        ];
        prop_oneof![9 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => "[a-z\\\\\"]{0,3}"]
    }

    fn map(
        key: impl Strategy<Value = String>,
        value: impl Strategy<Value = String>,
        size: std::ops::Range<usize>,
    ) -> impl Strategy<Value = String> {
        let pair = (key, value).prop_map(|(key, value)| format!("{}:{value}", Value::from(key)));
        prop::collection::vec(pair, size).prop_map(|pairs| format!("{{{}}}", pairs.join(",")))
    }

    fn list() -> impl Strategy<Value = String> {
        let row = prop_oneof![12 => map(key(), value(), 0..10), 1 => value()];
        let rows = prop::collection::vec(row, 0..4).prop_map(|rows| format!("[{}]", rows.join(",")));
        let data = prop_oneof![8 => rows, 1 => value()];
        let beside = prop::sample::select(vec!["meta", "links", "reports", "data", "next"]).prop_map(str::to_owned);
        (data, map(beside, value(), 0..3), any::<bool>()).prop_map(|(data, beside, first)| {
            let beside = &beside[1..beside.len() - 1];
            let comma = if beside.is_empty() { "" } else { "," };
            if first {
                format!(r#"{{"data":{data}{comma}{beside}}}"#)
            } else {
                format!(r#"{{{beside}{comma}"data":{data}}}"#)
            }
        })
    }

    proptest! {
        #[test]
        fn the_fast_decoder_agrees_with_the_full_one(json in list(), cut in 0..400_usize) {
            if let Some(quick) = quickly(&json) {
                prop_assert_eq!(Some(quick), closely(&json));
            }
            let short: String = json.chars().take(cut).collect();
            if short.len() < json.len() {
                prop_assert_eq!(quickly(&short), None);
            }
        }
    }
}
