//! Decodes a project row in its various forms.

use serde_json::{Map, Value};

use super::field;
use crate::domain::project::Project;
use crate::domain::text::Text;

const KNOWN: [&str; 7] = ["project", "name", "created_at", "reports", "good", "decent", "bad"];

/// Decodes a project; `None` if it has no name.
pub fn project(row: Value) -> Option<Project> {
    let fields = match row {
        Value::Object(fields) => fields,
        Value::String(name) if !name.is_empty() => Map::from_iter([("project".to_owned(), Value::String(name))]),
        _ => return None,
    };
    let name = ["project", "name"].iter().find_map(|key| fields.get(*key).and_then(field::text))?;
    let count = |key: &str| fields.get(key).and_then(field::count);
    Some(Project {
        created_at: fields.get("created_at").and_then(field::time),
        reports: count("reports"),
        good: count("good"),
        decent: count("decent"),
        bad: count("bad"),
        extra: fields
            .iter()
            .filter(|(key, _)| !KNOWN.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        name: Some(name).filter(|name: &Text| !name.is_empty())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_with_and_without_counts_are_read() {
        let plain = project(json!({"project": "shop.example", "created_at": "2024-05-02 09:15:00"})).unwrap();
        assert_eq!((plain.name.shown(), plain.reports, plain.bad), ("shop.example", None, None));
        let counted = project(json!({"project": "shop.example", "reports": "12", "bad": 3, "result": "812"})).unwrap();
        assert_eq!((counted.reports, counted.bad), (Some(12), Some(3)));
        assert_eq!(counted.extra["result"], "812");
        for row in [json!({}), json!(null), json!({"project": ""}), json!({"project": null}), json!([])] {
            assert_eq!(project(row.clone()), None, "{row}");
        }
    }
}
