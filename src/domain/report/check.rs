//! One check of a report and what it found.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::Value;

use crate::domain::text::{Text, clean, fit};

/// The longest value in cells; the JSON output has the whole of it.
const LONGEST_VALUE: usize = 400;

/// How much a check weighs in the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Importance {
    /// Weight 10.
    High,
    /// Weight 5.
    Medium,
    /// Weight 1.
    Low,
    /// Never counted, only shown.
    Note,
}

impl Importance {
    /// The weight in the score (high 10, medium 5, low 1; notes count nowhere).
    pub fn weight(self) -> u32 {
        match self {
            Self::High => 10,
            Self::Medium => 5,
            Self::Low => 1,
            Self::Note => 0,
        }
    }

    /// The word on the wire and on the screen.
    pub fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Note => "note",
        }
    }
}

impl FromStr for Importance {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word.to_ascii_lowercase().as_str() {
            "high" => Ok(Self::High),
            "medium" => Ok(Self::Medium),
            "low" => Ok(Self::Low),
            "note" => Ok(Self::Note),
            _ => Err(()),
        }
    }
}

/// What a check came to. The order is the order of showing: what is wrong first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckOutcome {
    /// Something is wrong; the check's errors say what.
    Failed,
    /// Worth knowing, counted nowhere.
    Note,
    /// All is well.
    Passed,
    /// The page gives this check nothing to judge.
    NotApplicable,
}

impl CheckOutcome {
    /// The word of JSON output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Note => "note",
            Self::Passed => "passed",
            Self::NotApplicable => "not_applicable",
        }
    }
}

impl FromStr for CheckOutcome {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word {
            "failed" => Ok(Self::Failed),
            "note" => Ok(Self::Note),
            "passed" => Ok(Self::Passed),
            "not_applicable" => Ok(Self::NotApplicable),
            _ => Err(()),
        }
    }
}

/// One check of one report.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The check's name on the wire, for example `meta_description`.
    pub id: Text,
    /// seo, performance, security, accessibility, other, or what the service says. `None` when it was not sent.
    pub category: Option<Text>,
    /// `None` when it was not sent or is not a word we know.
    pub importance: Option<Importance>,
    /// What it came to.
    pub outcome: CheckOutcome,
    /// What was measured or found; any JSON.
    pub value: Value,
    /// What is wrong, one text each, in the words of the auditing service.
    pub errors: Vec<Text>,
}

/// What a person should know about a check whose id we know: the same words wherever the check came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The category the check belongs to.
    pub category: &'static str,
    /// How much it weighs.
    pub importance: Importance,
    /// Its name in words.
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

/// The explanations of all checks we know, by id. Filled from the audit's table when the program starts, so
/// that the screen can explain checks without knowing how they are made.
pub type Explanations = BTreeMap<&'static str, Explanation>;

/// JSON as text: strings without quotes, lists with commas, nothing for null.
pub fn value_text(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(list) => list.iter().map(value_text).collect::<Vec<_>>().join(", "),
        Value::Object(map) => {
            map.iter().map(|(name, value)| format!("{name} {}", value_text(value))).collect::<Vec<_>>().join(", ")
        }
    };
    fit(&clean(&text), LONGEST_VALUE).into_owned()
}
