//! `audit`: audits pages and prints their reports; nothing is stored. A bad page is a result, or exit code 8 with a
//! threshold. A page that cannot be fetched is a failure, or bad with a threshold; its report says why.

use std::cell::RefCell;

use crate::audit::{Audit, Auditor, NotAudited, Policy, Reach};
use crate::cli::args::AuditOptions;
use crate::cli::bulk::{self, BulkCommand, ItemResult};
use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::input::operands::{self, Operand};
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::domain::failure::{Failure, FailureKind, FieldError};
use crate::domain::list::query::ResultFilter;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::text::numbers::counted;

/// Audits the given pages, or those on stdin.
pub async fn run(context: &CommandContext<'_>, options: &AuditOptions) -> Result<(), CommandError> {
    let is_one = options.urls.len() == 1 && !operands::are_on_stdin(&options.urls);
    let urls = operands::read(Operand::Url, &options.urls)?;
    let has_threshold = options.fail_on.is_some() || options.fail_under.is_some();
    if urls.is_empty() && has_threshold {
        // The command that was to write the URLs may have failed.
        let advice = "Check the command that writes the URLs, or leave --fail-on and --fail-under out";
        return Err(CommandError::usage("no page was checked against the threshold", advice));
    }
    let auditor = Auditor::new(Policy::new(Reach::LocalUser));
    let printer = context.printer(if is_one { Shape::One } else { Shape::Many }, column::REPORT);
    let command = BulkCommand { needs_all: has_threshold, ..BulkCommand::read("auditing") };
    let verdicts = RefCell::new(Vec::new());
    let ended = bulk::perform(command, &urls, printer, async |url| match audit(&auditor, url).await {
        Ok(audit) => {
            verdicts.borrow_mut().push(Verdict::of(url, &audit));
            // With a threshold, a page that cannot be fetched is judged instead.
            let failure = audit.failure.as_ref().filter(|_| !has_threshold).map(|why| {
                let message = format!("the page could not be fetched: {why}");
                Failure::new(FailureKind::Unreachable, message, advice(&audit))
            });
            ItemResult::Finished { record: Some(Record::audit(&audit)), failure }
        }
        Err(failure) => Err(failure).into(),
    })
    .await;
    let verdicts = verdicts.into_inner();
    // The error of a single page says the same as its summary would.
    if verdicts.len() > 1 || (verdicts.len() == 1 && ended.is_ok()) {
        print_note(&summary(&verdicts));
    }
    let pages = pages_below(options, &verdicts);
    if pages.is_empty() {
        return ended;
    }
    // That a page is below the threshold holds whatever happened to other pages or to the output.
    Err(CommandError::Threshold { pages, of: verdicts.len(), besides: ended.err().map(Box::new) })
}

/// Returns what to do about a page that could not be fetched.
fn advice(audit: &Audit) -> &'static str {
    match FetchFailure::of_checks(&audit.checks) {
        Some(class @ (FetchFailure::Tls | FetchFailure::Other)) => class.remedy().trim_end_matches('.'),
        Some(_) | None => "Check its address and the network",
    }
}

async fn audit(auditor: &Auditor, url: &str) -> Result<Audit, Failure> {
    auditor.audit(url).await.map_err(|error| match error {
        NotAudited::Unfinished(_) | NotAudited::Panicked => {
            let advice = "The page was not audited; try again, or audit a smaller page";
            Failure::new(FailureKind::Local, error.to_string(), advice)
        }
        NotAudited::Refused(_) => {
            let text = error.to_string();
            let mut failure = Failure::new(FailureKind::Invalid, text.clone(), "Name a web page that may be audited");
            failure.fields.push(FieldError { field: "url".to_owned(), texts: vec![text] });
            failure
        }
    })
}

/// The result of one page.
struct Verdict {
    url: String,
    outcome: Outcome,
    score: u8,
    /// Why the page could not be fetched.
    failure: Option<String>,
}

impl Verdict {
    fn of(url: &str, audit: &Audit) -> Self {
        let Audit { outcome, score, failure, .. } = audit;
        Self { url: url.to_owned(), outcome: outcome.clone(), score: *score, failure: failure.clone() }
    }

    /// Formats the result: `bad 31`, or why the page could not be fetched.
    fn in_words(&self) -> String {
        match &self.failure {
            Some(why) => format!("could not be fetched: {why}"),
            None => self.outcome.verdict(Some(self.score)),
        }
    }
}

/// Formats a summary: `audited 12 pages: 8 good, 3 decent, 1 bad (1 could not be fetched)`.
fn summary(verdicts: &[Verdict]) -> String {
    let pages = counted(verdicts.len() as u64, "page");
    if let [only] = verdicts {
        return format!("audited {pages}: {}", only.in_words());
    }
    let count = |outcome: &Outcome| verdicts.iter().filter(|verdict| verdict.outcome == *outcome).count();
    let counts = [Outcome::Good, Outcome::Decent, Outcome::Bad].map(|kind| format!("{} {}", count(&kind), kind.name()));
    let unreachable = verdicts.iter().filter(|verdict| verdict.failure.is_some()).count();
    let note = if unreachable > 0 { format!(" ({unreachable} could not be fetched)") } else { String::new() };
    format!("audited {pages}: {}{note}", counts.join(", "))
}

/// Prints and returns the pages below the threshold of the options.
fn pages_below(options: &AuditOptions, verdicts: &[Verdict]) -> Vec<String> {
    let is_under = |verdict: &&Verdict| {
        options.fail_under.is_some_and(|least| verdict.score < least)
            || match options.fail_on {
                Some(ResultFilter::Bad) => verdict.outcome == Outcome::Bad,
                Some(ResultFilter::Decent) => matches!(verdict.outcome, Outcome::Bad | Outcome::Decent),
                Some(ResultFilter::Good) | None => false,
            }
    };
    let below = verdicts.iter().filter(is_under).inspect(|verdict| {
        print_note(&format!("below the threshold: {}: {}", verdict.url, verdict.in_words()));
    });
    below.map(|verdict| verdict.url.clone()).collect()
}
