//! The message to the customer: which checks of their pages fail, why it matters to visitors, what to do, what
//! improved.
//!
//! The surrounding text comes from a [`template`]; values are sanitised and contain no secrets.

pub mod template;
#[cfg(test)]
mod template_tests;

use std::collections::HashSet;

use crate::domain::report::Report;
use crate::domain::report::check::{CheckOutcome, Explanations, Importance, importance_order};
use crate::domain::report::error_groups::error_line;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::score;
use crate::domain::text::clean;
use crate::domain::triage::urgency::ResultBefore;

/// The most kinds of errors listed per check, and the most locations per kind.
const MOST_DETAILS: usize = 5;

/// Where a message is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum MessageTarget {
    /// The clipboard.
    Clipboard,
    /// A new file.
    File,
    /// A new file, opened in the editor, and then the clipboard.
    Editor,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CustomerMessage {
    /// The reports, in order.
    pub reports: Vec<ReportMessage>,
}

/// The content about one report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportMessage {
    /// The page.
    pub url: String,
    /// The project.
    pub project: String,
    /// The name of the result.
    pub result: String,
    /// 0–100, or empty.
    pub score: String,
    /// What caps the score: `capped because …`, or empty.
    pub capped: String,
    /// The day of the audit, or empty.
    pub audited: String,
    /// The result before the last change: `bad 31`. Empty if unknown or unchanged.
    pub before: String,
    /// Why the page could not be fetched.
    pub page_failure: Option<FetchFailure>,
    /// Checks fail, but it is unknown which.
    pub is_unknown: bool,
    /// The failing checks, most important first.
    pub fails: Vec<CheckMessage>,
    /// The checks repaired since the previous audit.
    pub improved: Vec<CheckMessage>,
}

/// The content about one check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckMessage {
    /// The check's id, by which a template replaces its texts.
    pub id: String,
    /// The display name.
    pub title: String,
    /// Why it matters to visitors; empty for an unknown check.
    pub why: String,
    /// What to do; empty for an unknown check.
    pub remedy: String,
    /// What was found.
    pub details: String,
}

impl ReportMessage {
    /// Whether something is to be repaired.
    pub fn needs_repair(&self) -> bool {
        !self.fails.is_empty() || self.is_unknown || self.page_failure.is_some()
    }

    /// Builds the content about a report. `before` is its result before the last change; `repaired` are the checks
    /// repaired since, used if the report has no history of its own.
    pub fn of(
        report: &Report,
        before: Option<&ResultBefore>,
        repaired: Option<Vec<String>>,
        explanations: &Explanations,
    ) -> Self {
        let history = report.history().first().map(ReportState::verdict);
        let before = history
            .or_else(|| before.map(ResultBefore::verdict))
            .filter(|before| *before != report.verdict())
            .unwrap_or_default();
        let of_history = report.flips(None).map(|flips| flips.repaired.iter().map(ToString::to_string).collect());
        let repaired: Vec<String> = of_history.or(repaired).unwrap_or_default();
        // Without a page most checks have no verdict: they neither fail nor were they repaired.
        let judged = report.fetch_failure.is_none();
        Self {
            url: report.web_url().map_or_else(|| report.url.shown().to_owned(), String::from),
            project: report.project.shown().to_owned(),
            result: report.outcome.name().to_owned(),
            score: report.score.map(|score| score.to_string()).unwrap_or_default(),
            capped: score::cap_reason_of(report.checks().unwrap_or_default(), report.score).unwrap_or_default(),
            audited: report.generated_at.map(|at| at.strftime("%Y-%m-%d").to_string()).unwrap_or_default(),
            before: clean(&before).into_owned(),
            page_failure: report.fetch_failure,
            is_unknown: !report.knows_failing() && report.fetch_failure.is_none() && report.outcome != Outcome::Good,
            fails: if judged { fails(report, explanations) } else { Vec::new() },
            improved: repaired.iter().filter(|_| judged).map(|id| check(id, explanations).0).collect(),
        }
    }
}

/// The failing checks, most important first, each once.
fn fails(report: &Report, explanations: &Explanations) -> Vec<CheckMessage> {
    let Some(checks) = report.checks() else {
        let mut known: Vec<_> = report.failing().unwrap_or_default().iter().map(|id| check(id, explanations)).collect();
        known.sort_by_key(|(_, importance)| importance_order(*importance));
        return known.into_iter().map(|(check, _)| check).collect();
    };
    let mut seen = HashSet::new();
    let listed = score::listed(checks, report.score, explanations).into_iter().map(|(check, _)| check);
    let failed = listed.filter(|check| check.outcome == CheckOutcome::Failed && seen.insert(check.id.raw()));
    failed
        .map(|failed| CheckMessage {
            details: error_line(&failed.errors, MOST_DETAILS),
            ..check(failed.id.raw(), explanations).0
        })
        .collect()
}

/// The texts of a check; an unknown one is named by its id.
fn check(id: &str, explanations: &Explanations) -> (CheckMessage, Option<Importance>) {
    let shown = clean(id).into_owned();
    let Some(known) = explanations.get(id) else {
        return (CheckMessage { title: shown.replace('_', " "), id: shown, ..CheckMessage::default() }, None);
    };
    let [title, why, remedy] = [known.title, known.why, known.remedy].map(str::to_owned);
    (CheckMessage { id: shown, title, why, remedy, details: String::new() }, Some(known.importance))
}

/// Explains a fetch failure to the page's owner: what happened, and what to do.
fn page_texts(failure: FetchFailure) -> (&'static str, &'static str) {
    match failure {
        FetchFailure::Dns => (
            "The page could not be opened: there is no server with this name.",
            "Check the address, and whether the domain is still registered and set up.",
        ),
        FetchFailure::Tls => (
            "The page could not be opened: its encrypted connection failed.",
            "Ask your hosting provider to renew the certificate and check its settings.",
        ),
        FetchFailure::Refused => (
            "The page could not be opened: the server does not accept connections.",
            "Ask your hosting provider to start the web server.",
        ),
        FetchFailure::Timeout => (
            "The page could not be opened: the server did not respond in time.",
            "Ask your hosting provider why the server is slow.",
        ),
        FetchFailure::ClientError => (
            "The page could not be opened: the server says that it does not exist or is not accessible.",
            "Tell us the right address, or restore the page.",
        ),
        FetchFailure::ServerError => (
            "The page could not be opened: the server reports an internal error.",
            "Ask your hosting provider to check the server's error log.",
        ),
        FetchFailure::Other => (
            "The page could not be opened: the server sent no usable response.",
            "Ask your hosting provider to check the redirects of this address.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::check::Explanation;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::{explained, row};
    use strum::IntoEnumIterator as _;

    fn explanations() -> Explanations {
        let explain = |importance, title, why, remedy| Explanation { title, remedy, why, ..explained(importance) };
        Explanations::from([
            ("csp", explain(Importance::Medium, "Policy", "Foreign code can read what is typed.", "Send one.")),
            ("title", explain(Importance::High, "Title", "People see it first.", "Give the page a title.")),
        ])
    }

    fn message_about(report: &Report) -> String {
        let report = ReportMessage::of(report, ResultBefore::from_verdict("bad 20").as_ref(), None, &explanations());
        template::MessageTemplate::built_in().render(&CustomerMessage { reports: vec![report] }).unwrap()
    }

    #[test]
    fn our_template_says_what_fails_why_and_what_to_do() {
        let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
        report.score = Some(31);
        report.failed = ["csp", "title", "brand_new"].into();
        let message_about = message_about(&report);
        assert_eq!(
            message_about,
            "Hello,\n\nwe have checked this page of your website:\n\nhttps://shop.example/tea\n\
             Result: bad, 31 of 100 points (before: bad 20)\n\n\
             What should be fixed, the most important first:\n\
             - Title: People see it first.\n  What to do: Give the page a title.\n\
             - Policy: Foreign code can read what is typed.\n  What to do: Send one.\n\
             - brand new\n\n\
             Please let us know when this is done, and we will check again.\n"
        );
    }

    #[test]
    fn a_result_that_did_not_change_and_a_check_that_is_listed_twice_are_said_once() {
        let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
        report.score = Some(20);
        report.failed = ["title", "title"].into();
        let message = message_about(&report);
        assert!(!message.contains("before"), "{message}");
        assert_eq!(message.matches("Give the page a title.").count(), 1, "{message}");
    }

    #[test]
    fn a_page_needs_repair_if_it_fails_a_check_has_unknown_checks_or_cannot_be_opened() {
        let mut report = row("1", "https://shop.example/tea", Outcome::Good);
        let needs_repair = |report: &Report| ReportMessage::of(report, None, None, &explanations()).needs_repair();
        assert!(!needs_repair(&report));
        report.failed = ["title"].into();
        assert!(needs_repair(&report));
        report.fetch_failure = Some(FetchFailure::Dns);
        assert!(needs_repair(&report));
        assert!(needs_repair(&row("1", "https://shop.example/tea", Outcome::Bad)));
    }

    #[test]
    fn a_page_without_an_answer_has_improved_in_nothing() {
        let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
        let repaired = || Some(vec!["title".to_owned()]);
        let improved = |report: &Report| ReportMessage::of(report, None, repaired(), &explanations()).improved.len();
        assert_eq!(improved(&report), 1);
        report.fetch_failure = Some(FetchFailure::ServerError);
        assert_eq!(improved(&report), 0);
    }

    #[test]
    fn every_reason_why_a_page_could_not_be_opened_is_described_without_technical_terms() {
        let mut described = HashSet::new();
        for failure in FetchFailure::iter() {
            let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
            report.fetch_failure = Some(failure);
            let message = message_about(&report);
            let (what, remedy) = page_texts(failure);
            assert!(what.starts_with("The page could not be opened: ") && message.contains(what), "{message}");
            assert!(message.contains(remedy), "{message}");
            for term in ["TLS", "DNS", "HTTP", "4xx", "5xx", "handshake"] {
                assert!(!message.contains(term), "{term}: {message}");
            }
            assert!(described.insert(what), "{what} describes two reasons");
        }
    }

    #[test]
    fn a_page_without_known_checks_or_without_an_answer_is_said_so() {
        let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
        assert!(message_about(&report).contains("are not known yet"));
        report.fetch_failure = Some(FetchFailure::Dns);
        report.failed = ["title"].into();
        let message_about = message_about(&report);
        assert!(
            message_about.contains("there is no server with this name. Check the address")
                && !message_about.contains("Title"),
            "{message_about}"
        );
    }
}
