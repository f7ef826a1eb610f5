//! `audit`: audits pages and prints their reports; nothing is stored. A bad page is a result; a page that cannot
//! be fetched is a failure too, and its report says why.

use crate::audit::{Auditor, NotAudited, Policy, Reach};
use crate::cli::bulk::{self, BulkCommand, ItemResult, ResultOrder};
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::input::operands::{self, Operand};
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::domain::failure::{Failure, FailureKind, FieldError};

/// Audits the page, or the pages on stdin.
pub async fn run(context: &CommandContext<'_>, url: String) -> Result<(), CommandError> {
    let arguments = [url];
    let shape = if operands::are_on_stdin(&arguments) { Shape::Many } else { Shape::One };
    let urls = operands::read(Operand::Url, &arguments)?;
    let auditor = Auditor::new(Policy::new(Reach::LocalUser))
        .map_err(|error| CommandError::local(format!("no audit is possible: {error}"), "Report this"))?;
    let mut printer = context.printer(shape, column::REPORT);
    let order = ResultOrder::InTurn;
    let command = BulkCommand { doing: "auditing", at_once: bulk::AT_ONCE, order, is_write: false };
    bulk::perform(command, &urls, printer.as_mut(), async |url| audit(&auditor, url).await).await
}

async fn audit(auditor: &Auditor, url: &str) -> ItemResult {
    match auditor.audit(url).await {
        Ok(audit) => {
            let failure = audit.failure.as_ref().map(|why| {
                let message = format!("the page could not be fetched: {why}");
                Failure::new(FailureKind::Unreachable, message, "Check its address and the network")
            });
            ItemResult::Finished { record: Some(Record::audit(&audit)), failure }
        }
        Err(not_audited @ (NotAudited::Unfinished(_) | NotAudited::Panicked)) => {
            let advice = "Nothing was found out about the page; try again, or audit a smaller one";
            let failure = Failure::new(FailureKind::Local, not_audited.to_string(), advice);
            Err(failure).into()
        }
        Err(NotAudited::Refused(refusal)) => {
            let text = refusal.to_string();
            let mut failure = Failure::new(FailureKind::Invalid, text.clone(), "Name a web page that may be audited");
            failure.fields.push(FieldError { field: "url".to_owned(), texts: vec![text] });
            Err(failure).into()
        }
    }
}
