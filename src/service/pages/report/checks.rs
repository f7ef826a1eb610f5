//! The checks of a report page: parsed from stored JSON, grouped by category, in the page's language.

use askama::Template;
use askama::filters::HtmlSafe;
use serde::Deserialize;
use serde_json::Value;

use crate::audit::EXPLANATIONS;
use crate::domain::report::check::{Check, CheckOutcome, Importance, value_text};
use crate::domain::report::error_groups::{ErrorGroup, group_errors};
use crate::domain::report::score::{self, Repair};
use crate::domain::text::Text;
use crate::service::pages::language::{PageLanguage, PageTexts, fill};
use crate::service::store::values;

/// The categories in page order.
pub const CATEGORIES: [&str; 5] = ["seo", "performance", "security", "accessibility", "other"];
/// The most repairs under "fix first".
const MOST_REPAIRS: usize = 3;
/// How many findings of a check, and places of a finding, are shown without expanding.
const SHOWN: usize = 3;
/// The check whose findings are email addresses.
const MAIL_CHECK: &str = "plaintext_email";

/// A stored check. Reports of earlier versions lack some fields.
#[derive(Deserialize)]
struct StoredCheck {
    importance: Option<String>,
    category: Option<String>,
    outcome: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    errors: Vec<String>,
}

/// Parses stored checks. Email addresses are obfuscated, so that harvesters do not find them on this page either.
pub fn read(checks: &str) -> serde_json::Result<Vec<Check>> {
    let stored: serde_json::Map<String, Value> = serde_json::from_str(checks)?;
    let check = |(id, check): (String, Value)| {
        let check: StoredCheck = serde_json::from_value(check)?;
        let (mut value, mut errors) = (check.value, check.errors);
        if id == MAIL_CHECK {
            value = if value.is_number() { value } else { Value::Null };
            errors = errors.iter().map(|error| error.replace('@', " [at] ")).collect();
        }
        Ok(Check {
            id: Text::from_outside(id),
            category: check.category.map(Text::from_outside),
            importance: check.importance.and_then(|word| word.parse().ok()),
            outcome: check.outcome.parse().unwrap_or(CheckOutcome::Note),
            value,
            errors: errors.into_iter().map(Text::from_outside).collect(),
        })
    };
    stored.into_iter().map(check).collect()
}

/// A check on the page.
#[derive(Template)]
#[template(path = "check.html", config = "assets/askama.toml")]
pub struct PageCheck<'a> {
    /// The texts of its language.
    pub t: &'a PageTexts,
    /// The anchor that "fix first" links to. Checks are numbered, because an id may be any text.
    pub anchor: usize,
    pub title: &'a str,
    /// high, medium, low or note, for filters; empty if unknown.
    pub importance: &'static str,
    /// The importance in the page's language.
    pub importance_text: &'a str,
    /// What the score gains if the check passes: `+5 points`, or empty.
    pub points: String,
    /// The outcome: class, sign and word.
    pub outcome: &'static str,
    pub sign: &'static str,
    pub outcome_text: &'a str,
    pub findings: Findings<'a>,
    pub value: String,
    pub passes_when: &'a str,
    pub source: &'static str,
    pub remedy: &'a str,
}

/// The findings of a check: the first few, and the rest.
pub struct Findings<'a> {
    pub first: Vec<PageFinding<'a>>,
    pub rest: Vec<PageFinding<'a>>,
    /// `17 more`.
    pub more: String,
}

/// Findings of one kind: their number, the first places, and the rest.
#[derive(Template)]
#[template(path = "finding.html", config = "assets/askama.toml")]
pub struct PageFinding<'a> {
    /// `40 × `, or empty for a single one.
    pub times: String,
    pub text: &'a str,
    pub first: Vec<&'a str>,
    pub rest: Vec<&'a str>,
    pub more: String,
    /// `and 20 more`, or empty if the audit listed all places.
    pub not_listed: String,
    /// The number of findings, including those that the audit did not list.
    pub count: usize,
}

// Their templates already escape.
impl HtmlSafe for PageCheck<'_> {}
impl HtmlSafe for PageFinding<'_> {}

/// A category: its gauge and its checks.
pub struct PageCategory<'a> {
    pub anchor: String,
    pub name: &'a str,
    /// The passed share of the weights, 0 to 100; `None` if nothing was judged.
    pub score: Option<u8>,
    /// good, decent or bad.
    pub class: &'static str,
    /// The gauge in words.
    pub label: String,
    pub failed: Vec<PageCheck<'a>>,
    pub notes: Vec<PageCheck<'a>>,
    pub passed: Vec<PageCheck<'a>>,
    pub inapplicable: Vec<PageCheck<'a>>,
    pub failed_text: String,
    pub passed_text: String,
    pub inapplicable_text: String,
}

/// An entry of "fix first".
pub struct PageRepair<'a> {
    pub anchor: usize,
    pub title: &'a str,
    pub remedy: &'a str,
    pub points: String,
}

/// The checks of one report in one language.
pub struct PageChecks<'a> {
    checks: &'a [Check],
    language: &'a PageLanguage,
    /// What the score gains by each repair, if our formula explains the score.
    gains: Option<Vec<u8>>,
}

impl<'a> PageChecks<'a> {
    pub fn new(checks: &'a [Check], score: i64, language: &'a PageLanguage) -> Self {
        Self { checks, language, gains: score::gains(checks, u8::try_from(score).ok()) }
    }

    fn texts(&self) -> &'a PageTexts {
        &self.language.page
    }

    /// Returns how many checks have this outcome.
    pub fn count(&self, outcome: CheckOutcome) -> usize {
        self.checks.iter().filter(|check| check.outcome == outcome).count()
    }

    /// Returns the check's name in this language.
    pub fn title(&self, check: &'a Check) -> &'a str {
        self.language.checks.get(check.id.raw()).map_or(check.id.shown(), |texts| &texts.title)
    }

    /// Returns the failed check that caps the score.
    pub fn capping(&self) -> Option<&'a Check> {
        score::capping(self.checks).filter(|_| self.gains.is_some())
    }

    /// Returns the score without its cap.
    pub fn uncapped(&self) -> u8 {
        score::uncapped(self.checks)
    }

    /// Returns what the score gains if this check passes; `None` if our formula does not explain the score.
    pub fn gain(&self, place: usize) -> Option<u8> {
        self.gains.as_ref()?.get(place).copied()
    }

    /// Returns the repairs that gain most.
    pub fn repairs(&self) -> Vec<PageRepair<'a>> {
        let repairs = score::first_repairs(self.checks, MOST_REPAIRS).into_iter();
        let repair = |Repair { place, gain }| {
            let check = &self.checks[place];
            let remedy = self.language.checks.get(check.id.raw()).map_or("", |texts| &texts.remedy);
            PageRepair { anchor: place, title: self.title(check), remedy, points: self.points(gain) }
        };
        repairs.map(repair).collect()
    }

    /// Returns the categories that have checks: the known ones in page order, then others.
    pub fn categories(&self) -> Vec<PageCategory<'a>> {
        let mut names = CATEGORIES.to_vec();
        for check in self.checks {
            if !names.contains(&category_name(check)) {
                names.push(category_name(check));
            }
        }
        let has_checks = |name: &str| self.checks.iter().any(|check| category_name(check) == name);
        let present = names.into_iter().enumerate().filter(|(_, name)| has_checks(name));
        present.map(|(number, name)| self.category(number, name)).collect()
    }

    fn category(&self, number: usize, name: &'a str) -> PageCategory<'a> {
        let texts = self.texts();
        let members = || self.checks.iter().enumerate().filter(|(_, check)| category_name(check) == name);
        let list = |outcome: CheckOutcome| {
            let mut found: Vec<(usize, &Check)> = members().filter(|(_, check)| check.outcome == outcome).collect();
            // At equal weight, the check that caps the score comes first; the sort is stable.
            found.sort_by_key(|(place, check)| {
                std::cmp::Reverse((check.importance.map_or(0, Importance::weight), self.gain(*place)))
            });
            found.into_iter().map(|(place, check)| self.check(place, check)).collect::<Vec<_>>()
        };
        let own: Vec<Check> = members().map(|(_, check)| check.clone()).collect();
        let (failed, passed) = (list(CheckOutcome::Failed), list(CheckOutcome::Passed));
        let inapplicable = list(CheckOutcome::NotApplicable);
        let score = (failed.len() + passed.len() > 0).then(|| score::uncapped(&own));
        let shown = match name {
            "seo" => &texts.seo,
            "performance" => &texts.performance,
            "security" => &texts.security,
            "accessibility" => &texts.accessibility,
            "other" | "" => &texts.other,
            other => other,
        };
        let label = score.map_or_else(
            || texts.gauge_empty.clone(),
            |score| fill(&texts.gauge, &[("score", &score), ("failed", &failed.len())]),
        );
        let counted = |text: &str, count: usize| fill(text, &[("count", &count), ("failed", &count)]);
        PageCategory {
            anchor: CATEGORIES.get(number).map_or_else(|| format!("category-{number}"), |name| (*name).to_owned()),
            name: shown,
            score,
            class: score.map_or("", class_of),
            label,
            failed_text: counted(&texts.failed_count, failed.len()),
            passed_text: counted(&texts.passed_checks, passed.len()),
            inapplicable_text: counted(&texts.inapplicable_checks, inapplicable.len()),
            notes: list(CheckOutcome::Note),
            failed,
            passed,
            inapplicable,
        }
    }

    fn check(&self, place: usize, check: &'a Check) -> PageCheck<'a> {
        let (texts, known) = (self.texts(), self.language.checks.get(check.id.raw()));
        let (outcome, sign, outcome_text) = match check.outcome {
            CheckOutcome::Failed => ("bad", "✗", &texts.outcome_failed),
            CheckOutcome::Note => ("note", "i", &texts.outcome_note),
            CheckOutcome::Passed => ("good", "✓", &texts.outcome_passed),
            CheckOutcome::NotApplicable => ("none", "·", &texts.outcome_not_applicable),
        };
        PageCheck {
            t: texts,
            anchor: place,
            title: self.title(check),
            importance: check.importance.map_or("", Importance::name),
            importance_text: check.importance.map_or("", |importance| importance_text(texts, importance)),
            points: self.points(self.gain(place).unwrap_or(0)),
            outcome,
            sign,
            outcome_text,
            findings: self.findings(check),
            value: value_text(&check.value),
            passes_when: known.map_or("", |known| &known.passes_when),
            source: EXPLANATIONS.get(check.id.raw()).map_or("", |known| known.source),
            remedy: known.filter(|_| check.outcome == CheckOutcome::Failed).map_or("", |known| &known.remedy),
        }
    }

    fn findings(&self, check: &'a Check) -> Findings<'a> {
        let mut first: Vec<PageFinding<'a>> =
            group_errors(&check.errors).into_iter().map(|group| self.finding(group)).collect();
        let rest = first.split_off(first.len().min(SHOWN));
        let more: usize = rest.iter().map(|finding| finding.count).sum();
        Findings { more: fill(&self.texts().more, &[("count", &more)]), first, rest }
    }

    fn finding(&self, group: ErrorGroup<'a>) -> PageFinding<'a> {
        let (count, texts) = (group.total(), self.texts());
        let mut first = group.places;
        let rest = first.split_off(first.len().min(SHOWN));
        let not_listed = group.count.saturating_sub(first.len() + rest.len());
        PageFinding {
            times: if group.count > 1 { format!("{} × ", group.count) } else { String::new() },
            text: group.text,
            more: fill(&texts.more, &[("count", &(rest.len() + not_listed))]),
            not_listed: if not_listed > 0 { fill(&texts.and_more, &[("count", &not_listed)]) } else { String::new() },
            count,
            first,
            rest,
        }
    }

    /// Returns a gain in words; empty if it is zero or unknown.
    fn points(&self, gain: u8) -> String {
        match gain {
            _ if self.gains.is_none() => String::new(),
            0 => String::new(),
            1 => self.texts().one_point.clone(),
            more => fill(&self.texts().points, &[("points", &more)]),
        }
    }
}

fn category_name(check: &Check) -> &str {
    check.category.as_ref().map_or("", Text::shown)
}

fn importance_text(texts: &PageTexts, importance: Importance) -> &str {
    match importance {
        Importance::High => &texts.high,
        Importance::Medium => &texts.medium,
        Importance::Low => &texts.low,
        Importance::Note => &texts.note,
    }
}

/// Returns the CSS class of a score: its result.
pub fn class_of(score: u8) -> &'static str {
    values::result_name(values::rank_of_score(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(outcome: &str, importance: &str, category: &str) -> serde_json::Value {
        json!({"outcome": outcome, "importance": importance, "category": category, "errors": ["x\u{202e}y"]})
    }

    #[test]
    fn checks_are_in_their_categories_and_the_heaviest_comes_first() {
        let kept = json!({
            "title_quality": check("failed", "low", "seo"),
            "title": check("failed", "high", "seo"),
            "brand_new": check("passed", "low", "style"),
            "csp": check("not_applicable", "medium", "security"),
            "headings": check("note", "high", "seo"),
        });
        let checks = read(&kept.to_string()).unwrap();
        let page = PageChecks::new(&checks, 8, PageLanguage::english());
        let categories = page.categories();
        let counted: Vec<_> = categories
            .iter()
            .map(|row| (&*row.anchor, row.score, row.failed.len(), row.notes.len(), row.passed.len()))
            .collect();
        assert_eq!(
            counted,
            [("seo", Some(0), 2, 1, 0), ("security", None, 0, 0, 0), ("category-5", Some(100), 0, 0, 1)]
        );
        let titles: Vec<&str> = categories[0].failed.iter().map(|check| check.title).collect();
        assert_eq!(titles, [EXPLANATIONS["title"].title, EXPLANATIONS["title_quality"].title]);
        assert_eq!(categories[0].failed[0].findings.first[0].text, "xy", "nothing reorders its neighbours");
        assert_eq!((categories[2].name, categories[2].passed[0].title), ("style", "brand_new"));
        let repairs: Vec<_> = page.repairs().into_iter().map(|repair| (repair.anchor, repair.points)).collect();
        assert_eq!(repairs, [(1, "+84 points".to_owned()), (0, "+9 points".to_owned())]);
    }

    #[test]
    fn points_are_claimed_only_where_the_score_is_ours() {
        let checks = read(&json!({ "title": check("failed", "high", "seo") }).to_string()).unwrap();
        let foreign = PageChecks::new(&checks, 31, PageLanguage::english());
        assert!(foreign.repairs().iter().all(|repair| repair.points.is_empty()));
        assert!(foreign.categories()[0].failed[0].points.is_empty());
    }

    #[test]
    fn mail_addresses_of_audited_pages_are_not_shown() {
        let kept = json!({ "plaintext_email": {"outcome": "failed", "value": ["me@tea.example"], "errors": ["me@tea.example"]} });
        let checks = read(&kept.to_string()).unwrap();
        assert_eq!((checks[0].errors[0].shown(), &checks[0].value), ("me [at] tea.example", &Value::Null));
    }
}
