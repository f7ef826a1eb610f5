//! Decodes the checks of a report: a map by id, or a list; known and unknown checks alike.

use serde_json::{Map, Value};

use super::field;
use crate::domain::report::check::{Check, CheckOutcome};
use crate::domain::text::Text;

/// Decodes the checks in `results`; `None` if the service sends none.
pub(super) fn checks(value: &Value) -> Option<Vec<Check>> {
    match value {
        Value::Object(map) => Some(map.iter().map(|(id, check)| one(Text::from_outside(id.as_str()), check)).collect()),
        Value::Array(list) => Some(list.iter().filter_map(listed).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn listed(value: &Value) -> Option<Check> {
    let fields = value.as_object()?;
    let id = ["id", "check", "name", "key"].iter().find_map(|key| fields.get(*key).and_then(field::text))?;
    Some(one(id, value))
}

fn one(id: Text, value: &Value) -> Check {
    let nothing = Map::new();
    let fields = value.as_object().unwrap_or(&nothing);
    let word = |key: &str| fields.get(key).and_then(Value::as_str);
    Check {
        id,
        category: fields.get("category").and_then(field::text),
        importance: word("importance").and_then(|word| word.parse().ok()),
        outcome: word("outcome").and_then(|word| word.parse().ok()).unwrap_or_else(|| outcome(fields, value)),
        value: fields.get("value").cloned().unwrap_or(Value::Null),
        errors: fields.get("errors").map(errors).unwrap_or_default(),
    }
}

fn outcome(fields: &Map<String, Value>, value: &Value) -> CheckOutcome {
    let passed = fields.get("passed").unwrap_or(value);
    match passed {
        Value::Bool(true) => CheckOutcome::Passed,
        Value::Bool(false) => CheckOutcome::Failed,
        Value::Number(_) | Value::String(_) => match field::number(passed) {
            Some(0.0) => CheckOutcome::Failed,
            Some(_) => CheckOutcome::Passed,
            None => CheckOutcome::Note,
        },
        Value::Null | Value::Array(_) | Value::Object(_) => CheckOutcome::Note,
    }
}

/// Decodes errors: a list, a map of name to detail, or a single text.
fn errors(value: &Value) -> Vec<Text> {
    match value {
        Value::Array(list) => list.iter().map(|error| field::text(error).unwrap_or_else(|| compact(error))).collect(),
        Value::Object(map) => map.iter().map(|(name, detail)| named(name, detail)).collect(),
        Value::String(text) if !text.is_empty() => vec![Text::from_outside(text.as_str())],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn named(name: &str, detail: &Value) -> Text {
    match detail {
        Value::Null | Value::Bool(_) => Text::from_outside(name),
        Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            let detail = field::text(detail).unwrap_or_else(|| compact(detail));
            Text::from_outside(format!("{name}: {}", detail.raw()))
        }
    }
}

fn compact(value: &Value) -> Text {
    Text::from_outside(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn maps_and_lists_give_the_same_checks() {
        let entry = json!({"id": "title", "passed": false, "importance": "high", "value": 3, "errors": ["too long"]});
        let by_list = checks(&json!([entry])).unwrap();
        let by_map = checks(&json!({"title": entry})).unwrap();
        assert_eq!(by_list, by_map);
        assert_eq!(by_list[0].outcome, CheckOutcome::Failed);
        assert_eq!(by_list[0].errors[0].shown(), "too long");
    }

    #[test]
    fn unknown_checks_are_shown_generically() {
        let found = checks(
            &json!({"new_check": true, "other": {"passed": "0", "errors": {"missing": null, "long": {"max": 60}}}, "x": null}),
        );
        let found = found.unwrap();
        assert_eq!(
            found.iter().map(|check| check.outcome).collect::<Vec<_>>(),
            [CheckOutcome::Passed, CheckOutcome::Failed, CheckOutcome::Note]
        );
        assert_eq!(found[1].errors.iter().map(Text::shown).collect::<Vec<_>>(), ["missing", "long: {\"max\":60}"]);
        assert_eq!(checks(&json!(null)), None);
        assert_eq!(checks(&json!("none")), None);
    }
}
