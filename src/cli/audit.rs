//! `audit`: one page, its report printed, nothing stored. A bad or unreachable page is a result, not a failure.
//!
//! Must not start a service.

use super::args::Format;
use super::format::Shape;
use super::format::record::{self, Record};
use super::problem::{Problem, say};
use super::setting::Setting;
use crate::audit::{Auditor, NotAudited, Policy, Reach};
use crate::domain::failure::{Failure, FailureKind, FieldError};

/// Audits the page.
pub(super) async fn run(setting: &Setting<'_>, url: &str) -> Result<(), Problem> {
    let auditor = Auditor::new(Policy::new(Reach::PersonsMachine))
        .map_err(|error| Problem::local(format!("no audit is possible: {error}"), "Report this"))?;
    let audit = auditor.audit(url).await.map_err(|not_audited| {
        let text = not_audited.to_string();
        if !matches!(not_audited, NotAudited::Refused(_)) {
            return Problem::local(text, "Nothing was found out about the page; try again, or audit a smaller one");
        }
        let mut failure = Failure::new(FailureKind::Invalid, text.clone(), "Name a web page that may be audited");
        failure.fields.push(FieldError { field: "url".to_owned(), texts: vec![text] });
        failure.into()
    })?;
    if let Some(failure) = &audit.failure {
        say(&format!("note: the page could not be fetched: {failure}"));
    }
    let mut printer = Format::chosen(setting.options.format).printer(Shape::One, record::REPORT);
    printer.record(&Record::audit(&audit))?;
    Ok(printer.finish()?)
}
