//! The texts of the report page: one file per language in `assets/report_page/texts`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A language of the report page, read from its file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageLanguage {
    /// The BCP 47 tag.
    #[serde(skip)]
    pub tag: &'static str,
    /// The texts of a report.
    pub page: PageTexts,
    /// The texts of the password form and of errors.
    pub access: AccessTexts,
    /// The texts of known checks by id; those in English are in the table of checks.
    #[serde(default)]
    pub checks: BTreeMap<String, CheckTexts>,
}

/// The texts of one check.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckTexts {
    /// The check's name in words.
    pub title: String,
    /// What to do when it fails.
    pub remedy: String,
    /// When it passes, with its threshold.
    pub passes_when: String,
}

/// The texts of a report.
#[allow(missing_docs)] // the English file says what each text is
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTexts {
    pub title: String,
    pub kind: String,
    pub description: String,
    pub good: String,
    pub decent: String,
    pub bad: String,
    pub score_of: String,
    pub failed_of: String,
    pub capped: String,
    pub uncapped: String,
    pub page: String,
    pub project: String,
    pub audited: String,
    pub made_by: String,
    pub fix_first: String,
    pub fix_order: String,
    pub points: String,
    pub one_point: String,
    pub at_a_glance: String,
    pub gauge: String,
    pub gauge_empty: String,
    pub failed_count: String,
    pub seo: String,
    pub performance: String,
    pub security: String,
    pub accessibility: String,
    pub other: String,
    pub checks: String,
    pub by_category: String,
    pub by_importance: String,
    pub all: String,
    pub high: String,
    pub medium: String,
    pub low: String,
    pub note: String,
    pub nothing_failed: String,
    pub outcome_failed: String,
    pub outcome_note: String,
    pub outcome_passed: String,
    pub outcome_not_applicable: String,
    pub value: String,
    pub passes_when: String,
    pub source: String,
    pub more: String,
    pub passed_checks: String,
    pub inapplicable_checks: String,
    pub found_in_english: String,
    pub history: String,
    pub chart: String,
    pub result: String,
    pub score: String,
    pub then: String,
    pub repaired: String,
    pub broken: String,
    pub and_more: String,
    pub as_before: String,
    pub former_results: String,
    pub preview: String,
    pub in_search: String,
    pub as_link: String,
    pub no_title: String,
    pub no_description: String,
    pub no_image: String,
    pub picture: String,
    pub download: String,
    pub method: String,
    pub method_text: String,
    pub same_title: String,
    pub same_description: String,
}

/// The texts of the password form and of errors.
#[allow(missing_docs)] // the English file says what each text is
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessTexts {
    pub protected: String,
    pub password: String,
    pub open: String,
    pub who_knows: String,
    pub wrong_password: String,
    pub too_many: String,
    pub not_there: String,
    pub not_there_text: String,
    pub error: String,
}

/// Replaces each `{name}` with the value of that name, in one pass: braces in values are left alone.
pub fn fill(text: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        filled.push_str(before);
        let found = from.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        if let Some((value, after)) = found {
            filled.push_str(&value.to_string());
            rest = after;
        } else {
            filled.push('{');
            rest = from;
        }
    }
    filled.push_str(rest);
    filled
}
