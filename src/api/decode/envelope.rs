//! Unwraps the envelopes of lists and single results, as listed in `assets/docs/interface.md`.

use serde_json::{Map, Value};

use crate::api::contract::field;

/// The keys that may contain a list, besides `data`.
const LIST_KEYS: [&str; 4] = ["reports", "projects", "items", "results"];

/// Whether a key may contain the rows.
pub(super) fn may_hold_rows(key: &str) -> bool {
    key == "data" || LIST_KEYS.contains(&key)
}

/// The envelope without its rows; `None` for a bare list.
pub type Rest = Option<Map<String, Value>>;

/// Extracts the rows of a list; `None` if it is not a list in any known form.
pub fn rows(root: Value) -> Option<(Vec<Value>, Rest)> {
    match root {
        Value::Array(rows) => Some((rows, None)),
        Value::Object(mut root) => {
            let rows = take_rows(&mut root)?;
            Some((rows, Some(root)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn take_rows(root: &mut Map<String, Value>) -> Option<Vec<Value>> {
    match root.get_mut("data") {
        Some(Value::Array(rows)) => return Some(std::mem::take(rows)),
        // Some frameworks serialise a list with gaps in its keys as a map.
        Some(Value::Object(map)) if map.keys().all(|key| key.parse::<u64>().is_ok()) => {
            return Some(std::mem::take(map).into_iter().map(|(_, row)| row).collect());
        }
        Some(Value::Object(inner)) => return list_under_a_key(inner),
        _ => {}
    }
    list_under_a_key(root)
}

fn list_under_a_key(map: &mut Map<String, Value>) -> Option<Vec<Value>> {
    let key = LIST_KEYS.into_iter().find(|key| map.get(*key).is_some_and(Value::is_array))?;
    match map.remove(key)? {
        Value::Array(rows) => Some(rows),
        _ => None,
    }
}

/// Extracts the fields of a single result: the `data` or `report` map, or the root itself if it has an `id` or a `url`.
pub fn single(root: Value) -> Option<Map<String, Value>> {
    let Value::Object(mut root) = root else { return None };
    match root.remove("data") {
        // A map that is no report, but has one under `report`.
        Some(Value::Object(fields)) if fields.get("report").is_some_and(Value::is_object) => single(fields.into()),
        Some(Value::Object(fields)) => Some(fields),
        _ if root.contains_key("id") || root.contains_key("url") => Some(root),
        _ => match root.remove("report") {
            Some(Value::Object(fields)) => Some(fields),
            _ => None,
        },
    }
}

/// Returns how a successful response says that the request was not carried out: one of the fields is false, or it has
/// an error instead of a report.
pub fn denial(root: &Value, fields: &[&str]) -> Option<String> {
    if let Some(denied) = fields.iter().find(|key| root.get(**key) == Some(&Value::Bool(false))) {
        return Some(format!("says that `{denied}` is false"));
    }
    let sent = |key: &&str| root.get(*key).is_some_and(is_set);
    if ["id", "url", "data", "report"].iter().any(sent) {
        return None;
    }
    let status = || root.get(field::STATUS).filter(|status| is_error_status(status));
    let error = ["error", "errors"].iter().find(|key| sent(key)).map(|error| format!("sent `{error}`"));
    error.or_else(|| Some(format!("its `status` is {}", status()?)))
}

fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_true) => *is_true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// Whether a body's own status is that of an HTTP error, or a word of `JSend` for one.
fn is_error_status(status: &Value) -> bool {
    let number = status.as_u64().or_else(|| status.as_str()?.parse().ok());
    number.is_some_and(|number| number >= 400) || matches!(status.as_str(), Some("error" | "fail"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_envelope_is_decoded() {
        let table = [
            json!([{"id": 1}]),
            json!({"data": [{"id": 1}], "meta": {"current_page": 1}}),
            json!({"data": [{"id": 1}], "current_page": 1, "next_page_url": null}),
            json!({"reports": [{"id": 1}]}),
            json!({"items": [{"id": 1}], "status": 200}),
            json!({"data": {"0": {"id": 1}}}),
            json!({"data": {"17": {"id": 1}}}),
            json!({"data": {"reports": [{"id": 1}], "total": 1}}),
            json!({"data": {"1": "page", "items": [{"id": 1}]}}),
        ];
        for body in table {
            assert_eq!(rows(body.clone()).map(|(rows, _)| rows), Some(vec![json!({"id": 1})]), "{body}");
        }
    }

    #[test]
    fn values_of_a_wrong_type_are_no_empty_list() {
        for body in [
            json!(null),
            json!("x"),
            json!(3),
            json!({}),
            json!({"data": null}),
            json!({"data": "x"}),
            json!({"data": {"id": 1}}),
        ] {
            assert!(rows(body.clone()).is_none(), "{body}");
        }
    }

    #[test]
    fn single_reports_are_found_in_their_envelope() {
        assert!(single(json!({"data": {"id": 1}})).is_some());
        assert!(single(json!({"id": 1})).is_some());
        assert!(single(json!({"url": "x"})).is_some());
        for body in [
            json!({"report": {"id": 1}}),
            json!({"report": {"id": 1}, "status": 200}),
            json!({"data": {"report": {"id": 1}}}),
            json!({"data": null, "report": {"id": 1}}),
        ] {
            assert_eq!(single(body.clone()).map(Value::from), Some(json!({"id": 1})), "{body}");
        }
        let report = json!({"id": 1, "report": {"id": 2}});
        assert_eq!(single(report.clone()).map(Value::from), Some(report.clone()), "a field of the report");
        assert_eq!(single(json!({ "data": report.clone() })).map(Value::from), Some(report));
        let other = json!({"url": "x", "data": {"size": 3}});
        assert_eq!(single(json!({ "data": other.clone() })).map(Value::from), Some(other), "a field of the report");
        for body in [json!({}), json!([]), json!({"data": []}), json!({"message": "x"})] {
            assert!(single(body.clone()).is_none(), "{body}");
        }
    }
}
