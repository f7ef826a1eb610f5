//! Parses untrusted JSON to a tree of values of bounded size.
//!
//! Values beyond a bound are parsed and dropped, so that the rest of the response is not lost.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::envelope::may_hold_rows;

/// The most values of one response. A page of 100 reports with checks has about 40,000; a million take at most 200 MB.
const MOST_VALUES: usize = 1_000_000;
/// The most elements of a list, and so of rows in a response.
pub(super) const MOST_ELEMENTS: usize = 100_000;
/// The longest text, in bytes.
const LONGEST_TEXT: usize = 64 * 1024;

/// A tree of values, and the number of dropped rows.
#[derive(Debug, PartialEq)]
pub struct BoundedJson {
    /// The values.
    pub value: Value,
    /// Dropped elements of a list that may contain the rows.
    pub dropped: usize,
}

/// Parses a complete JSON text.
pub fn read(json: &str) -> serde_json::Result<BoundedJson> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let mut budget = ValueBudget::default();
    let value = BoundedTree { budget: &mut budget, has_rows: true }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(BoundedJson { value, dropped: budget.dropped })
}

/// The remaining budget of values, and the number of dropped elements.
#[derive(Debug)]
pub(super) struct ValueBudget {
    values: usize,
    dropped: usize,
}

impl Default for ValueBudget {
    fn default() -> Self {
        Self { values: MOST_VALUES, dropped: 0 }
    }
}

/// Deserialises one value within the budget.
pub(super) struct BoundedTree<'b> {
    budget: &'b mut ValueBudget,
    /// Whether the value may contain the rows, so that dropped elements are counted.
    has_rows: bool,
}

impl<'b> BoundedTree<'b> {
    /// For a value beside or inside rows.
    pub(super) fn without_rows(budget: &'b mut ValueBudget) -> Self {
        Self { budget, has_rows: false }
    }

    /// For the value of a key of this map.
    fn under<'a>(&'a mut self, key: &str) -> BoundedTree<'a> {
        BoundedTree { budget: self.budget, has_rows: self.has_rows && may_hold_rows(key) }
    }

    fn is_spent(&self) -> bool {
        self.budget.values == 0
    }
}

impl<'de> DeserializeSeed<'de> for BoundedTree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.budget.values = self.budget.values.saturating_sub(1);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedTree<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(truth.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        // A truncated text would be a different one, so it becomes null.
        Ok(if text.len() > LONGEST_TEXT { Value::Null } else { text.into() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while elements.len() < MOST_ELEMENTS && !self.is_spent() {
            let element = list.next_element_seed(BoundedTree::without_rows(self.budget))?;
            let Some(element) = element else { return Ok(elements.into()) };
            elements.push(element);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {
            self.budget.dropped += usize::from(self.has_rows);
        }
        Ok(elements.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if fields.len() < MOST_ELEMENTS && !self.is_spent() && key.len() <= LONGEST_TEXT {
                let value = map.next_value_seed(self.under(&key))?;
                fields.insert(key, value);
            } else {
                map.next_value::<IgnoredAny>()?;
                self.budget.dropped += usize::from(self.has_rows);
            }
        }
        Ok(fields.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn json_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".{0,6}", inner), 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_within_the_bounds_are_read_unchanged(value in json_value()) {
            let text = value.to_string();
            let expected: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(read(&text).unwrap(), BoundedJson { value: expected, dropped: 0 });
        }
    }

    #[test]
    fn values_beyond_a_bound_are_dropped_and_the_rest_is_read() {
        let many = format!("{{\"data\":[{}],\"meta\":{{\"total\":3}}}}", vec!["{}"; 100_007].join(","));
        let found = read(&many).unwrap();
        assert_eq!(found.value["data"].as_array().unwrap().len(), 100_000);
        assert_eq!((found.dropped, &found.value["meta"]["total"]), (7, &json!(3)));
        let long = format!("{{\"url\":\"{}\",\"id\":7}}", "a".repeat(64 * 1024 + 1));
        assert_eq!(read(&long).unwrap().value, json!({"url": null, "id": 7}));
        let longest = "a".repeat(64 * 1024);
        assert_eq!(read(&json!({ &longest: &longest }).to_string()).unwrap().value, json!({ &longest: &longest }));
        assert_eq!(read(&format!("{{\"{longest}a\":1,\"id\":7}}")).unwrap().value, json!({"id": 7}));
        let keys = (0..100_007).map(|key| format!("\"{key}\":1")).collect::<Vec<_>>().join(",");
        assert_eq!(read(&format!("{{{keys}}}")).unwrap().value.as_object().unwrap().len(), 100_000);
        let flood =
            format!("{{\"x\":[{}],\"y\":[{}],\"id\":7}}", "[],".repeat(90_000) + "1", "[[]],".repeat(600_000) + "1");
        let found = read(&flood).unwrap();
        assert_eq!(found.value["x"].as_array().unwrap().len(), 90_001);
        assert_eq!(found.dropped, 0, "no rows were lost");
        let large = format!("{{\"data\":[{}]}}", vec![format!("[{}1]", "0,".repeat(499)); 3_000].join(","));
        let found = read(&large).unwrap();
        let kept = found.value["data"].as_array().unwrap().len();
        assert!((1_900..2_000).contains(&kept) && kept + found.dropped == 3_000, "{kept} {}", found.dropped);
    }

    #[test]
    fn invalid_json_is_rejected() {
        for text in ["", "[1", "[1]x", "{\"a\"}", "nul"] {
            assert!(read(text).is_err(), "{text}");
        }
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        assert!(read(&deep).is_err());
    }
}
