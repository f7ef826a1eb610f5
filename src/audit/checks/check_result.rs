//! The result of one check.

use serde_json::Value;

use crate::domain::report::check::CheckOutcome;

/// The most errors in a result; further ones are only counted.
const MOST_ERRORS: usize = 20;
/// The most characters of one error.
const LONGEST_ERROR: usize = 300;
/// The most entries of a list or map in a value.
const MOST_ENTRIES: usize = 50;

/// The result of one check on one page.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// Passed, failed, note or not applicable.
    pub outcome: CheckOutcome,
    /// What was measured or found.
    pub value: Value,
    /// What to fix, one text each.
    pub errors: Vec<String>,
}

impl CheckResult {
    /// Creates a passed result.
    pub fn passed(value: impl Into<Value>) -> Self {
        Self { outcome: CheckOutcome::Passed, value: bounded(value.into()), errors: Vec::new() }
    }

    /// Creates a failed result with one error.
    pub fn failed(value: impl Into<Value>, error: impl Into<String>) -> Self {
        Self::from_errors(value, vec![error.into()])
    }

    /// Creates a note, which has no weight in the score.
    pub fn note(value: impl Into<Value>, remark: impl Into<String>) -> Self {
        Self::notes(value, vec![remark.into()])
    }

    /// As `note`, with several remarks.
    pub fn notes(value: impl Into<Value>, remarks: Vec<String>) -> Self {
        Self { outcome: CheckOutcome::Note, ..Self::from_errors(value, remarks) }
    }

    /// Creates the result for a page to which the check does not apply.
    pub fn not_applicable() -> Self {
        Self { outcome: CheckOutcome::NotApplicable, value: Value::Null, errors: Vec::new() }
    }

    /// Creates a passed result if there are no errors, else a failed one.
    pub fn from_errors(value: impl Into<Value>, errors: Vec<String>) -> Self {
        Self::from_first_errors(value, errors, 0)
    }

    /// Creates the result of a check that examines parts of a page, whose value is their number; not applicable without
    /// any.
    pub fn of_parts(count: usize, errors: Vec<String>) -> Self {
        if count == 0 { Self::not_applicable() } else { Self::from_errors(count, errors) }
    }

    /// As `from_errors`, with the number of errors that are not in the list.
    pub fn from_first_errors(value: impl Into<Value>, mut errors: Vec<String>, further: usize) -> Self {
        let outcome = if errors.is_empty() { CheckOutcome::Passed } else { CheckOutcome::Failed };
        let more = errors.len().saturating_sub(MOST_ERRORS) + further;
        errors.truncate(MOST_ERRORS);
        for error in &mut errors {
            *error = shortened(error, LONGEST_ERROR);
        }
        if more > 0 {
            errors.push(format!("and {more} more"));
        }
        Self { outcome, value: bounded(value.into()), errors }
    }

    /// Creates a passed result if the condition holds, else a failed one with the error.
    pub fn when(holds: bool, value: impl Into<Value>, error: impl FnOnce() -> String) -> Self {
        if holds { Self::passed(value) } else { Self::failed(value, error()) }
    }
}

/// Returns a text, or its first `most` characters and an ellipsis.
pub(in crate::audit) fn shortened(text: &str, most: usize) -> String {
    text.char_indices().nth(most).map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))
}

/// Truncates long texts and lists in a value, because results are stored and listed.
fn bounded(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(shortened(&text, LONGEST_ERROR)),
        Value::Array(items) => items.into_iter().take(MOST_ENTRIES).map(bounded).collect(),
        Value::Object(entries) => {
            Value::Object(entries.into_iter().take(MOST_ENTRIES).map(|(name, value)| (name, bounded(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_and_errors_of_a_result_are_bounded() {
        let long = "ü".repeat(5_000);
        let many: Vec<String> = (0..500).map(|_| long.clone()).collect();
        let result = CheckResult::from_errors(json!({ "texts": many.clone(), "text": long }), many);
        assert_eq!(result.errors.len(), MOST_ERRORS + 1);
        assert_eq!(result.errors[MOST_ERRORS], "and 480 more");
        assert!(result.value.to_string().len() < 50_000);
        assert_eq!(result.value["texts"].as_array().unwrap().len(), MOST_ENTRIES);
        assert_eq!(result.outcome, CheckOutcome::Failed);
    }
}
