//! Message templates in Jinja syntax: the user's own file, or the built-in one.
//!
//! `{% set words = {"bad": "schlecht", "title.why": "…"} %}` replaces built-in words, so that a message is in one
//! language.

use std::collections::HashMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value, context};

use super::{CheckMessage, CustomerMessage, ReportMessage, page_texts};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::nearest::nearest;

/// The built-in template.
pub(super) const OURS: &str = include_str!("../../../assets/config/message.txt");

/// The work limit of a template, in minijinja's fuel: about one unit per instruction and one per 64 bytes. A test
/// ensures that it is enough for the built-in template with 5,000 reports of 30 failing checks each.
const FUEL: u64 = 10_000_000;

/// The names available in a template; those of reports and checks as the built-in template's loops call them.
pub(super) const NAMES: [&str; 20] = [
    "count",
    "any_fails",
    "reports",
    "report.url",
    "report.project",
    "report.result",
    "report.score",
    "report.capped",
    "report.audited",
    "report.before",
    "report.page_problem",
    "report.page_remedy",
    "report.unknown",
    "report.fails",
    "report.improved",
    "check.id",
    "check.title",
    "check.why",
    "check.remedy",
    "check.details",
];

/// The names of results that `words` can replace. A service may have others.
const RESULTS: [&str; 4] = ["good", "decent", "bad", "none"];

/// The texts of a check or of a fetch failure that `words` can replace.
const TEXTS: [&str; 4] = ["title", "why", "remedy", "problem"];

/// An error in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be correct.
    pub message: String,
}

/// A validated template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate {
    source: String,
    words: HashMap<String, String>,
}

impl MessageTemplate {
    /// The built-in template.
    pub fn built_in() -> Self {
        Self { source: OURS.to_owned(), words: HashMap::new() }
    }

    /// Parses a template and test-renders it with a full and an empty message, so that most errors are found now.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let environment = environment();
        let full = CustomerMessage { reports: vec![full_report(), ReportMessage::default()] };
        let mut template = Self { source: text.to_owned(), words: HashMap::new() };
        let tried = environment
            .template_from_str(text)
            .and_then(|compiled| compiled.render_captured(template.context(&full)))
            .map_err(|error| template_error(&error))?;
        if let Some(words) = tried.state().lookup("words") {
            let mistake = |part: &str, message: String| TemplateError {
                line: 1 + text.lines().position(|line| line.contains(part)).unwrap_or_default(),
                message,
            };
            let example = "replace words like this: {% set words = {\"bad\": \"schlecht\"} %}";
            template.words = replaced_words(&words).ok_or_else(|| mistake("words", example.to_owned()))?;
            if let Some((key, message)) = template.words.keys().find_map(|key| Some((key, wrong_text(key)?))) {
                return Err(mistake(key, message));
            }
        }
        template.render(&CustomerMessage { reports: vec![ReportMessage::default()] })?;
        Ok(template)
    }

    /// Renders a message. Errors that only this message triggers are returned.
    pub fn render(&self, message: &CustomerMessage) -> Result<String, TemplateError> {
        environment().render_str(&self.source, self.context(message)).map_err(|error| template_error(&error))
    }

    fn context(&self, message: &CustomerMessage) -> Value {
        context! {
            count => message.reports.len(),
            any_fails => message.reports.iter().any(ReportMessage::needs_repair),
            reports => message.reports.iter().map(|report| self.report(report)).collect::<Vec<_>>(),
        }
    }

    fn report(&self, report: &ReportMessage) -> Value {
        let before = match report.before.split_once(' ') {
            Some((result, score)) => format!("{} {score}", self.word(result, result)),
            None => self.word(&report.before, &report.before).to_owned(),
        };
        let page = |key: &str, text: fn((&'static str, &'static str)) -> &'static str| {
            let word =
                |failure: FetchFailure| self.word(&format!("{}.{key}", failure.name()), text(page_texts(failure)));
            report.page_failure.map(word).unwrap_or_default().to_owned()
        };
        let checks = |checks: &[CheckMessage]| checks.iter().map(|check| self.check(check)).collect::<Vec<_>>();
        context! {
            url => report.url.as_str(),
            project => report.project.as_str(),
            result => self.word(&report.result, &report.result),
            score => report.score.as_str(),
            capped => report.capped.as_str(),
            audited => report.audited.as_str(),
            before,
            page_problem => page("problem", |(problem, _)| problem),
            page_remedy => page("remedy", |(_, remedy)| remedy),
            unknown => report.is_unknown,
            fails => checks(&report.fails),
            improved => checks(&report.improved),
        }
    }

    fn check(&self, check: &CheckMessage) -> Value {
        let word = |key: &str, text: &str| self.word(&format!("{}.{key}", check.id), text).to_owned();
        context! {
            id => check.id.as_str(),
            title => word("title", &check.title),
            why => word("why", &check.why),
            remedy => word("remedy", &check.remedy),
            details => check.details.as_str(),
        }
    }

    fn word<'a>(&'a self, key: &str, text: &'a str) -> &'a str {
        self.words.get(key).map_or(text, String::as_str)
    }
}

/// Creates an engine for plain text: no escaping, undefined names are errors, no includes, bounded work.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_debug(true);
    environment.set_fuel(Some(FUEL));
    environment.set_formatter(|out, state, value| match value.kind() {
        ValueKind::Seq | ValueKind::Map | ValueKind::Iterable => {
            Err(Error::new(ErrorKind::InvalidOperation, "write lists with {% for … in … %}"))
        }
        _ => minijinja::escape_formatter(out, state, value),
    });
    // A line that contains only a tag leaves no empty line.
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    if let Ok(syntax) = syntax {
        environment.set_syntax(syntax);
    }
    environment
}

/// A report with every field set.
fn full_report() -> ReportMessage {
    let text = || "text".to_owned();
    let check = CheckMessage { id: text(), title: text(), why: text(), remedy: text(), details: text() };
    ReportMessage {
        url: text(),
        project: text(),
        result: text(),
        score: text(),
        capped: text(),
        audited: text(),
        before: text(),
        page_failure: Some(FetchFailure::Dns),
        is_unknown: true,
        fails: vec![check.clone()],
        improved: vec![check],
    }
}

/// The value of `words`, if it is a map of texts.
fn replaced_words(words: &Value) -> Option<HashMap<String, String>> {
    let pair = |key: Value| Some((key.as_str()?.to_owned(), words.get_item(&key).ok()?.as_str()?.to_owned()));
    words.try_iter().ok()?.map(pair).collect()
}

/// Returns the error of a `words` key that names no replaceable text. Check ids are not validated: they depend on the
/// service.
fn wrong_text(key: &str) -> Option<String> {
    let Some((of, text)) = key.rsplit_once('.') else {
        let near = nearest(key, &RESULTS).filter(|near| *near != key)?;
        return Some(format!("there is no text {key}; did you mean {near}?"));
    };
    if TEXTS.contains(&text) {
        return None;
    }
    let near = nearest(text, &TEXTS).map(|near| format!("; did you mean {of}.{near}?")).unwrap_or_default();
    Some(format!("there is no text {key}{near}"))
}

fn template_error(error: &Error) -> TemplateError {
    let detail = error.detail().unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::UndefinedError => {
            let name = detail.split('`').nth(1).unwrap_or(detail);
            let near = near_name(name).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            format!("there is no {name}{near}")
        }
        ErrorKind::OutOfFuel => "the message is too long".to_owned(),
        kind if detail.is_empty() => kind.to_string(),
        _ => detail.to_owned(),
    };
    TemplateError { line: error.line().unwrap_or(1), message }
}

/// The known name that is most similar to an unknown one, compared by the part after the last dot.
fn near_name(name: &str) -> Option<&'static str> {
    let near = nearest(last_part(name), &NAMES.map(last_part))?;
    NAMES.into_iter().find(|name| last_part(name) == near)
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
