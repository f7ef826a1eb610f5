//! What a check's rule answers. Must not know pages.

use serde_json::Value;

use crate::domain::check::CheckOutcome;

/// Errors beyond this many are counted, not told: nobody repairs the hundredth image from a list.
const MOST_ERRORS: usize = 20;
/// Characters of one error; an address in it may be endless.
const LONGEST_ERROR: usize = 300;

/// What a rule says about a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What it came to.
    pub outcome: CheckOutcome,
    /// What was measured or found.
    pub value: Value,
    /// What to repair, one text each.
    pub errors: Vec<String>,
}

impl Verdict {
    /// All is well.
    pub fn passed(value: impl Into<Value>) -> Self {
        Self { outcome: CheckOutcome::Passed, value: value.into(), errors: Vec::new() }
    }

    /// Wrong in one way.
    pub fn failed(value: impl Into<Value>, error: impl Into<String>) -> Self {
        Self::judge(value, vec![error.into()])
    }

    /// Worth knowing, counted nowhere.
    pub fn note(value: impl Into<Value>, remark: impl Into<String>) -> Self {
        Self { outcome: CheckOutcome::Note, ..Self::judge(value, vec![remark.into()]) }
    }

    /// The page gives the check nothing to judge.
    pub fn not_applicable() -> Self {
        Self { outcome: CheckOutcome::NotApplicable, value: Value::Null, errors: Vec::new() }
    }

    /// Passed when there are no errors.
    pub fn judge(value: impl Into<Value>, mut errors: Vec<String>) -> Self {
        let outcome = if errors.is_empty() { CheckOutcome::Passed } else { CheckOutcome::Failed };
        let more = errors.len().saturating_sub(MOST_ERRORS);
        errors.truncate(MOST_ERRORS);
        for error in &mut errors {
            if let Some((at, _)) = error.char_indices().nth(LONGEST_ERROR) {
                error.truncate(at);
                error.push('…');
            }
        }
        if more > 0 {
            errors.push(format!("and {more} more"));
        }
        Self { outcome, value: value.into(), errors }
    }

    /// Passed when the condition holds, else failed with the error.
    pub fn when(holds: bool, value: impl Into<Value>, error: impl FnOnce() -> String) -> Self {
        if holds { Self::passed(value) } else { Self::failed(value, error()) }
    }
}
