//! Results of writes: done, refused, or unknown and then looked up.

use crate::cli::bulk::results::ItemResult;
use crate::cli::exit::print_note;
use crate::cli::output::record::Record;
use crate::domain::failure::{Failure, LookupOutcome, WriteFailure};
use crate::domain::report::check::CheckOutcome;
use crate::domain::report::{Report, ReportChange};
use crate::domain::text::Text;

/// Returns the result of a create.
pub fn created(result: Result<Report, WriteFailure>) -> ItemResult {
    match result {
        Ok(report) => {
            if let Some(why) = not_fetched(&report) {
                print_note(&format!("warning: {}: {why}; the report is stored nevertheless", report.url.shown()));
            }
            Ok(Record::report(&report)).into()
        }
        Err(WriteFailure::Refused(failure)) => ItemResult::Refused(failure),
        Err(WriteFailure::Unsure { failure, found: LookupOutcome::Report(report) }) => {
            print_note(&format!("note: {}; the report was created nevertheless", failure.message));
            Ok(Record::report(&report)).into()
        }
        Err(WriteFailure::Unsure { mut failure, found }) => {
            if failure.may_be_created_later() {
                "List the newest reports before you create it again".clone_into(&mut failure.advice);
            }
            let text = found.after_create(&failure);
            unsure(failure, &text)
        }
    }
}

/// Returns why a report's page could not be fetched, if the embedded service says so.
fn not_fetched(report: &Report) -> Option<&str> {
    let status = report.checks()?.iter().find(|check| check.id.raw() == "http_status")?;
    let failed = status.outcome == CheckOutcome::Failed && status.value.get("trouble").is_some();
    status.errors.first().filter(|_| failed).map(Text::shown)
}

/// Returns the result of an update or re-run. After a lost reply, the report as read afterwards decides if it can. When it
/// was audited before is not known here.
pub fn updated(change: &ReportChange, result: Result<Report, WriteFailure>) -> ItemResult {
    let is_shown = |report: &Report| change.is_visible_in(report, None) == Some(true);
    match result {
        Ok(report) => Ok(Record::report(&report)).into(),
        Err(WriteFailure::Refused(failure)) => ItemResult::Refused(failure),
        Err(WriteFailure::Unsure { failure, found: LookupOutcome::Report(report) }) if is_shown(&report) => {
            print_note(&format!("note: {}; the change was made nevertheless", failure.message));
            Ok(Record::report(&report)).into()
        }
        Err(WriteFailure::Unsure { failure, found }) => unsure(failure, &found.after_change()),
    }
}

/// Returns the result of a delete.
pub fn deleted(id: &str, result: Result<(), WriteFailure>) -> ItemResult {
    match result {
        Ok(()) => Ok(Record::deleted(id)).into(),
        Err(WriteFailure::Refused(failure)) => ItemResult::Refused(failure),
        Err(WriteFailure::Unsure { failure, found: LookupOutcome::Nothing }) => {
            print_note(&format!("note: {}; it was deleted nevertheless", failure.message));
            Ok(Record::deleted(id)).into()
        }
        Err(WriteFailure::Unsure { failure, found }) => unsure(failure, &found.after_change()),
    }
}

/// Returns the result of a write whose reply was lost, with the state found afterwards. It is not sent again.
fn unsure(mut failure: Failure, truth: &str) -> ItemResult {
    failure.message = format!("{}. {truth}", failure.message);
    ItemResult::Finished { record: None, failure: Some(failure) }
}
