//! A check of a report, and its outcome.

use std::collections::HashMap;

use serde_json::Value;

use crate::domain::text::{Text, clean, fit};

/// The longest displayed value, in cells; the JSON output has the full value.
const LONGEST_VALUE: usize = 400;

/// The weight of a check in the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
pub enum Importance {
    /// Weight 10.
    High,
    /// Weight 5.
    Medium,
    /// Weight 1.
    Low,
    /// Not counted, only shown.
    Note,
}

impl Importance {
    /// The weight in the score.
    pub fn weight(self) -> u32 {
        match self {
            Self::High => 10,
            Self::Medium => 5,
            Self::Low => 1,
            Self::Note => 0,
        }
    }

    /// The name on the wire and on screen.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The outcome of a check. The order is the display order: problems first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum CheckOutcome {
    /// A problem; the check's errors describe it.
    Failed,
    /// Worth knowing, but not counted.
    Note,
    /// No problem.
    Passed,
    /// The check does not apply to this page.
    NotApplicable,
}

impl CheckOutcome {
    /// The name in JSON output.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One check of one report.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The check's id on the wire, for example `meta_description`.
    pub id: Text,
    /// seo, performance, security, accessibility, other, or the service's own. `None` if it was not sent.
    pub category: Option<Text>,
    /// `None` if it was not sent or is unknown.
    pub importance: Option<Importance>,
    /// The outcome.
    pub outcome: CheckOutcome,
    /// The measured value; any JSON.
    pub value: Value,
    /// One text per problem, worded by the auditing service.
    pub errors: Vec<Text>,
}

impl Check {
    /// The importance that was sent, or else that of the built-in explanation.
    pub fn known_importance(&self, explanations: &Explanations) -> Option<Importance> {
        self.importance.or_else(|| explanations.get(self.id.raw()).map(|known| known.importance))
    }
}

/// The key that sorts by importance: unknown importance comes last.
pub fn importance_order(importance: Option<Importance>) -> impl Ord {
    (importance.is_none(), importance)
}

/// The built-in explanation of a known check, independent of the service that ran it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The category the check belongs to.
    pub category: &'static str,
    /// Its importance.
    pub importance: Importance,
    /// The display name.
    pub title: &'static str,
    /// What to do when it fails, in one sentence.
    pub remedy: &'static str,
    /// Why it matters to the visitors of the page, in one sentence.
    pub why: &'static str,
    /// When it passes, with its threshold, in one sentence.
    pub passes_when: &'static str,
    /// The source of the threshold.
    pub source: &'static str,
}

/// The explanations of all known checks, by id. Filled from the audit's table at program start, so that the screen does
/// not depend on the audit layer. Hashed, because sorting by urgency looks up every failing check of every row.
pub type Explanations = HashMap<&'static str, Explanation>;

/// Formats JSON as text: strings without quotes, lists with commas, nothing for null and for members that are null.
pub fn value_text(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(list) => list.iter().map(value_text).collect::<Vec<_>>().join(", "),
        Value::Object(map) => {
            let known = map.iter().filter(|(_, value)| !value.is_null());
            known.map(|(name, value)| format!("{name} {}", value_text(value))).collect::<Vec<_>>().join(", ")
        }
    };
    fit(&clean(&text), LONGEST_VALUE).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_formatted_without_what_is_null() {
        let texts = [
            (json!(null), ""),
            (json!("a"), "a"),
            (json!(["a", 2]), "a, 2"),
            (json!({"main": 0, "nav": true}), "main 0, nav true"),
            (json!({"opener": null, "resource": "same-origin"}), "resource same-origin"),
            (json!({"opener": null, "resource": null}), ""),
        ];
        for (value, text) in texts {
            assert_eq!(value_text(&value), text);
        }
    }
}
