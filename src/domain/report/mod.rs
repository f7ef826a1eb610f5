//! A report about one web page, and the changes that a user can request.
//!
//! Rows are kept small (a service may have 100,000): fields that only an opened report has are boxed.

pub mod check;
pub mod error_groups;
pub mod failed_checks;
pub mod fetch_failure;
pub mod history;
pub mod outcome;
pub mod privacy;
pub mod report_state;
pub mod rerun;
pub mod result_counts;
pub mod score;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use compact_str::CompactString;
use jiff::Timestamp;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::domain::report::check::{Check, CheckOutcome};
use crate::domain::report::failed_checks::{CheckId, FailedChecks};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::history::Flips;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::report_state::ReportState;
use crate::domain::text::{Text, by_content, clean, fit_middle};

/// The longest [`Report::brief_url`], in cells: with a few words it fits the three lines of a notice on a narrow screen.
const MOST_BRIEF_CELLS: usize = 50;

/// The opaque id that a service gives a report: a number, a word, a UUID. Never parsed.
///
/// 24 bytes; ids of up to 24 bytes are stored inline.
#[derive(Clone)]
pub struct ReportId(Id);

/// Hardly any id needs a separate sanitised copy.
#[derive(Clone)]
enum Id {
    Safe(CompactString),
    Cleaned(Arc<Text>),
}

impl ReportId {
    /// Creates an id from the service's text.
    pub fn new(id: &str) -> Self {
        Self(match clean(id) {
            Cow::Borrowed(_) => Id::Safe(CompactString::new(id)),
            Cow::Owned(_) => Id::Cleaned(Arc::new(Text::from_outside(id))),
        })
    }

    /// The id as sent, for requests and comparison.
    pub fn raw(&self) -> &str {
        match &self.0 {
            Id::Safe(id) => id,
            Id::Cleaned(id) => id.raw(),
        }
    }

    /// The id in display form.
    pub fn shown(&self) -> &str {
        match &self.0 {
            Id::Safe(id) => id,
            Id::Cleaned(id) => id.shown(),
        }
    }
}

by_content!(ReportId, raw);

/// Serialised as the service wrote it.
impl Serialize for ReportId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.raw())
    }
}

impl<'de> Deserialize<'de> for ReportId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|id| Self::new(&id))
    }
}

/// Shows the sanitised id: debug output ends up in logs and terminals.
impl fmt::Debug for ReportId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ReportId({:?})", self.shown())
    }
}

/// A report as listed; `details` is set once it was opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The service's id.
    pub id: ReportId,
    /// The audited page.
    pub url: Text,
    /// The project's name, shared between rows. Empty if none was sent.
    pub project: Arc<Text>,
    /// Good, decent, bad, or another word.
    pub outcome: Outcome,
    /// 0–100, if reported.
    pub score: Option<u8>,
    /// Why the page could not be fetched; `None` if it was fetched, or the service does not say.
    pub fetch_failure: Option<FetchFailure>,
    /// When the page was last audited.
    pub generated_at: Option<Timestamp>,
    /// `None` if omitted or unknown.
    pub privacy: Option<Privacy>,
    /// Whether a page password is set; the password itself is never received.
    pub has_password: Option<bool>,
    /// The ids of failed checks, unknown if the list does not include them.
    pub failed: FailedChecks,
    /// Checks and unknown fields. In lists only if the service sends more fields than the API defines.
    pub details: Option<Box<Details>>,
}

/// The fields that only an opened report has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Details {
    /// `None` if the service sends no checks.
    pub checks: Option<Vec<Check>>,
    /// The earlier results, latest first, if the service keeps them.
    pub history: Vec<ReportState>,
    /// Fields unknown to the API, in the service's order.
    pub extra: Map<String, Value>,
}

/// Returns a URL without `http(s)://` and a lone final slash.
pub fn short_url(url: &str) -> &str {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
    rest.strip_suffix('/').filter(|rest| !rest.contains('/')).unwrap_or(rest)
}

/// Returns a short URL for a sentence, which a long one must not hide: its middle is left out.
pub fn brief_url(short_url: &str) -> Cow<'_, str> {
    fit_middle(short_url, MOST_BRIEF_CELLS)
}

impl Report {
    /// The state at the latest audit.
    pub fn state(&self) -> ReportState {
        ReportState {
            outcome: self.outcome.clone(),
            score: self.score,
            failing: self.failing().map(Vec::into_boxed_slice),
            generated_at: self.generated_at,
        }
    }

    /// The result with its score: `bad 31`.
    pub fn verdict(&self) -> String {
        self.outcome.verdict(self.score)
    }

    /// The result of the audit: the verdict, or `could not be fetched: no such host`.
    pub fn audit_result(&self) -> String {
        self.fetch_failure.map_or_else(|| self.verdict(), FetchFailure::sentence)
    }

    /// The URL without its scheme and, if the project is named like the host, without the host: `/tea?page=2`.
    pub fn url_in_project(&self) -> &str {
        let short = self.short_url();
        let host = self.project.shown();
        let starts = short.get(..host.len()).is_some_and(|start| !host.is_empty() && start.eq_ignore_ascii_case(host));
        match short.get(host.len()..).filter(|_| starts) {
            Some("") => "/",
            Some(rest) if rest.starts_with(['/', '?', ':']) => rest,
            Some(_) | None => short,
        }
    }

    /// The checks, if they were sent.
    pub fn checks(&self) -> Option<&[Check]> {
        self.details.as_ref()?.checks.as_deref()
    }

    /// The earlier results, latest first.
    pub fn history(&self) -> &[ReportState] {
        self.details.as_ref().map_or(&[], |details| &details.history)
    }

    /// The ids of the failing checks, each once; `None` if unknown.
    pub fn failing(&self) -> Option<Vec<CheckId>> {
        let Some(checks) = self.checks().filter(|_| self.failed.is_empty()) else {
            return self.failed.known().map(<[CheckId]>::to_vec);
        };
        let failed = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
        Some(failed.map(|check| check.id.shown().into()).collect::<FailedChecks>().to_vec())
    }

    /// Whether it is known which checks fail.
    pub fn knows_failing(&self) -> bool {
        self.failed.known().is_some() || self.checks().is_some()
    }

    /// The checks whose outcome changed since the previous result in the service's history, or else since `known`, the
    /// checks known to fail. `None` if either side is unknown, and for a page that could not be fetched: most checks
    /// have no verdict without a page.
    pub fn flips(&self, known: Option<&[CheckId]>) -> Option<Flips> {
        if self.fetch_failure.is_some() {
            return None;
        }
        let kept = self.history().first().and_then(|former| former.failing.as_deref());
        Some(Flips::between(kept.or(known)?, &self.failing()?))
    }

    /// The URL as a list shows it.
    pub fn short_url(&self) -> &str {
        short_url(self.url.shown())
    }

    /// The URL in a sentence.
    pub fn brief_url(&self) -> Cow<'_, str> {
        brief_url(self.short_url())
    }

    /// The URL for a browser: `https://` is added if the scheme is missing; `None` unless it is http(s) without
    /// credentials.
    pub fn web_url(&self) -> Option<url::Url> {
        let raw = self.url.raw().trim();
        let lower = raw.to_ascii_lowercase();
        let whole = if lower.starts_with("http://") || lower.starts_with("https://") {
            raw.to_owned()
        } else {
            format!("https://{raw}")
        };
        let url = url::Url::parse(&whole).ok()?;
        (url.has_host() && url.username().is_empty() && url.password().is_none()).then_some(url)
    }
}

/// The parameters of a new report.
#[derive(Debug, Clone)]
pub struct NewReport {
    /// The page to audit, as typed by the user.
    pub url: String,
    /// Sent only if set; the service's default is public.
    pub privacy: Option<Privacy>,
    /// Only together with [`Privacy::Password`].
    pub password: Option<SecretString>,
}

/// A change of a report. Only the set fields are sent.
#[derive(Debug, Clone, Default)]
pub struct ReportChange {
    /// A new privacy setting.
    pub privacy: Option<Privacy>,
    /// A new page password.
    pub password: Option<SecretString>,
    /// Whether to re-run the report.
    pub rerun: bool,
}

impl ReportChange {
    /// A change that only re-runs the report.
    pub fn rerun() -> Self {
        Self { rerun: true, ..Self::default() }
    }

    /// Whether a report read after a lost response shows that the change was applied; `None` if it cannot tell.
    /// `audited_at` is the time of the audit before.
    pub fn is_visible_in(&self, report: &Report, audited_at: Option<Timestamp>) -> Option<bool> {
        let rerun = match (audited_at, report.generated_at) {
            _ if !self.rerun => Some(true),
            (Some(before), Some(now)) => Some(now > before),
            // Without an earlier audit time, the current one proves nothing.
            (None, _) | (_, None) => None,
        };
        let privacy = match (self.privacy, report.privacy) {
            (Some(wanted), Some(now)) if wanted != now => Some(false),
            // A changed password is not visible in the report.
            _ if self.password.is_some() => None,
            (Some(_), None) => None,
            (Some(_), Some(_)) | (None, _) => Some(true),
        };
        match (rerun, privacy) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            (None, _) | (_, None) => None,
        }
    }

    /// Whether nothing would be sent.
    pub fn is_empty(&self) -> bool {
        self.privacy.is_none() && self.password.is_none() && !self.rerun
    }
}

/// A write that can be sent, or resent at the user's request.
#[derive(Debug, Clone)]
pub enum WriteRequest {
    /// Change or re-run a report.
    Update(ReportId, ReportChange),
    /// Delete a report.
    DeleteReport(ReportId),
    /// Delete a project with all its reports.
    DeleteProject(Text),
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::domain::report::check::{Explanation, Importance};

    /// A row for tests; all other fields as a minimal service would send them.
    pub(crate) fn row(id: &str, url: &str, outcome: Outcome) -> Report {
        Report {
            id: ReportId::new(id),
            url: Text::from_outside(url),
            project: Arc::new(Text::from_outside("shop.example")),
            outcome,
            score: None,
            fetch_failure: None,
            generated_at: None,
            privacy: Some(Privacy::Public),
            has_password: None,
            failed: FailedChecks::default(),
            details: None,
        }
    }

    /// An explanation for tests, without texts.
    pub(crate) fn explained(importance: Importance) -> Explanation {
        Explanation { category: "seo", importance, title: "", remedy: "", why: "", passes_when: "", source: "" }
    }

    #[test]
    fn a_row_is_small() {
        // A list may hold 100,000 rows.
        assert!(size_of::<Report>() <= 128, "{}", size_of::<Report>());
    }

    #[test]
    fn nothing_is_repaired_on_a_page_that_could_not_be_fetched() {
        let before = [CheckId::from("title"), CheckId::from("csp")];
        let mut after = row("1", "https://shop.example/", Outcome::Bad);
        after.failed = [CheckId::from("title")].into_iter().collect();
        assert_eq!(after.flips(Some(&before)).unwrap().in_words(3), "repaired csp");
        after.fetch_failure = Some(FetchFailure::Dns);
        assert_eq!(after.flips(Some(&before)), None);
    }

    #[test]
    fn urls_are_short_in_lists_and_whole_for_browsers() {
        let table = [
            ("https://shop.example/", "shop.example", "https://shop.example/"),
            ("shop.example/tea", "shop.example/tea", "https://shop.example/tea"),
            ("http://shop.example/tea/", "shop.example/tea/", "http://shop.example/tea/"),
        ];
        for (url, short, web) in table {
            let report = row("1", url, Outcome::Good);
            assert_eq!(report.short_url(), short);
            assert_eq!(report.web_url().unwrap().as_str(), web);
        }
    }

    #[test]
    fn the_host_is_left_out_where_the_project_is_named_like_it() {
        let table = [
            ("https://shop.example/", "/"),
            ("https://Shop.Example/tea", "/tea"),
            ("https://shop.example?page=2", "?page=2"),
            ("https://shop.example.org/tea", "shop.example.org/tea"),
            ("https://shop.example:8080/tea", ":8080/tea"),
            ("https://www.shop.example/tea", "www.shop.example/tea"),
            ("https://blog.example/tea", "blog.example/tea"),
        ];
        for (url, short) in table {
            assert_eq!(row("1", url, Outcome::Good).url_in_project(), short, "{url}");
        }
    }

    #[test]
    fn only_web_addresses_reach_a_browser() {
        for url in [
            "",
            "https://user:secret@shop.example/",
            "https://user@shop.example/",
            "https://:secret@shop.example/",
            "https://",
        ] {
            assert_eq!(row("1", url, Outcome::Good).web_url(), None, "{url}");
        }
        // Other schemes get `https://` in front like any text, so that they are never opened as such.
        for url in ["javascript:alert(1)", "file:///etc/passwd"] {
            let opened = row("1", url, Outcome::Good).web_url();
            assert!(opened.is_none_or(|opened| opened.scheme() == "https"), "{url}");
        }
    }
}
