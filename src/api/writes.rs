//! Create, update, delete. Each is sent once; without a response, the report is looked up.

use jiff::{SignedDuration, Timestamp};
use percent_encoding::percent_decode_str;
use reqwest::Method;
use reqwest::header::LOCATION;
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use url::Url;

use super::answer::{Answer, TransportError};
use super::client::{Client, one_report};
use super::contract::{REPORTS, parameter, project_path, report_path};
use super::decode::{self, RowDetail};
use super::error::{self, Operation};
use super::send::{FormFields, Priority, WriteError};
use crate::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use crate::domain::list::interner::Interner;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, ReportQuery, ReportSort};
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::text::Text;
use crate::domain::text::url_scheme::split_scheme;

/// How far a service's clock may lag for a new report to count as created by our request.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(120);

impl Client {
    /// `POST /reports`. Never sent twice: without a response, the URL is looked up among the newest reports.
    pub async fn create_report(&self, new: &NewReport) -> Result<Report, WriteFailure> {
        let operation = Operation::CreateReport;
        let started = Timestamp::now();
        let url = self.endpoint(operation, REPORTS).map_err(WriteFailure::Refused)?;
        let mut form: FormFields = vec![(parameter::URL, new.url.clone())];
        form.extend(new.privacy.map(|privacy| (parameter::PRIVACY, privacy.code().to_string())));
        form.extend(new.password.as_ref().map(|password| (parameter::PASSWORD, password.expose_secret().to_owned())));
        match self.sender.write(operation, &Method::POST, &url, Some(&form)).await {
            Ok(answer) => match created(&answer) {
                Ok(report) if !report.url.is_empty() => Ok(report),
                // Some services return only the new id. The report was created, whether or not it can be read.
                Ok(report) => Ok(self.show_report(&report.id).await.unwrap_or_else(|_| with_url(report, &new.url))),
                Err(failure) => Err(WriteFailure::Unsure { failure, found: self.look_up(new, started).await }),
            },
            Err(trouble) => self.after(operation, trouble, async { self.look_up(new, started).await }).await,
        }
    }

    /// `PUT /reports/{id}`. After an empty or partial response the report is read.
    pub async fn update_report(&self, id: &ReportId, change: &ReportChange) -> Result<Report, WriteFailure> {
        let operation = Operation::UpdateReport;
        let url = self.endpoint(operation, &report_path(id.raw())).map_err(WriteFailure::Refused)?;
        let mut form: FormFields = Vec::new();
        form.extend(change.privacy.map(|privacy| (parameter::PRIVACY, privacy.code().to_string())));
        form.extend(
            change.password.as_ref().map(|password| (parameter::PASSWORD, password.expose_secret().to_owned())),
        );
        form.extend(change.rerun.then(|| (parameter::RESULTS, "1".to_owned())));
        match self.sender.write(operation, &Method::PUT, &url, Some(&form)).await {
            Ok(answer) => {
                // Not "deleted", because a report may say that it is not deleted.
                let denial = error::of_denial(operation, &answer, &["success", "ok"]);
                match (one_report(operation, &answer), denial) {
                    (_, Some(failure)) => Err(WriteFailure::Unsure { failure, found: self.re_read(id).await }),
                    (Ok(report), None) if report.id == *id && !report.url.is_empty() => Ok(report),
                    // Empty, partial or unrelated: the report is read.
                    (Ok(_) | Err(_), None) => {
                        let report = self.show_report(id).await.map_err(|failure| {
                            // Accepted, but it cannot be read.
                            WriteFailure::Unsure { failure: failure.clone(), found: unread(failure) }
                        })?;
                        if change.is_visible_in(&report, None) != Some(false) {
                            return Ok(report);
                        }
                        let failure = error::without_effect(operation, &answer, "the report does not show the change");
                        Err(WriteFailure::Unsure { failure, found: LookupOutcome::Report(Box::new(report)) })
                    }
                }
            }
            Err(trouble) => self.after(operation, trouble, self.re_read(id)).await,
        }
    }

    /// `DELETE /reports/{id}`. Any success counts, except a web page and one that is denied. A 404 is returned as a
    /// failure.
    pub async fn delete_report(&self, id: &ReportId) -> Result<(), WriteFailure> {
        let operation = Operation::DeleteReport;
        let url = self.endpoint(operation, &report_path(id.raw())).map_err(WriteFailure::Refused)?;
        self.delete(operation, &url, self.re_read(id)).await
    }

    /// `DELETE /projects/{project}`: deletes the project and all its reports.
    pub async fn delete_project(&self, name: &str) -> Result<(), WriteFailure> {
        let operation = Operation::DeleteProject;
        let url = self.endpoint(operation, &project_path(name)).map_err(WriteFailure::Refused)?;
        self.delete(operation, &url, self.project_rows(name)).await
    }

    async fn delete(
        &self,
        operation: Operation,
        url: &Url,
        look: impl Future<Output = LookupOutcome>,
    ) -> Result<(), WriteFailure> {
        match self.sender.write(operation, &Method::DELETE, url, None).await {
            Ok(answer) => match error::of_denial(operation, &answer, &["success", "ok", "deleted"]) {
                Some(failure) => Err(WriteFailure::Unsure { failure, found: look.await }),
                None => Ok(()),
            },
            Err(trouble) => self.after::<()>(operation, trouble, look).await,
        }
    }

    /// Distinguishes a rejected write from one that may have been applied, which is then looked up.
    async fn after<T>(
        &self,
        operation: Operation,
        trouble: WriteError,
        look: impl Future<Output = LookupOutcome>,
    ) -> Result<T, WriteFailure> {
        let (is_rejected, failure) = match trouble {
            WriteError::Refused(failure) => (!may_have_been_applied(&failure), failure),
            WriteError::NoAnswer(trouble) => {
                let is_unsent = matches!(
                    trouble,
                    TransportError::NotConnected(_)
                        | TransportError::CertificateRefused(_)
                        | TransportError::CertificateUnfit(_)
                        | TransportError::KeyUnsendable
                        | TransportError::RequestTooLong
                );
                (is_unsent, error::from_transport(operation, &trouble, &self.sender.host))
            }
        };
        if is_rejected {
            return Err(WriteFailure::Refused(failure));
        }
        Err(WriteFailure::Unsure { failure, found: look.await })
    }

    async fn re_read(&self, id: &ReportId) -> LookupOutcome {
        self.show_report(id).await.map_or_else(unread, |report| LookupOutcome::Report(Box::new(report)))
    }

    /// Looks for a report of the project.
    async fn project_rows(&self, name: &str) -> LookupOutcome {
        let query = ReportQuery { project: Some(name.to_owned()), per_page: Some(10), ..ReportQuery::default() };
        self.newest(&query, |report| report.project.raw() == name).await
    }

    /// Looks for a report of this URL, and of the requested privacy, among the newest, created since `started`.
    async fn look_up(&self, new: &NewReport, started: Timestamp) -> LookupOutcome {
        let wanted = comparable(&new.url);
        let query = ReportQuery {
            // Searched only if the normalised URL is part of the typed one: a service may store either form.
            search: Some(wanted.clone()).filter(|wanted| new.url.contains(wanted)),
            sort: Some((ReportSort::Id, Direction::Descending)),
            per_page: Some(DEFAULT_PAGE_SIZE),
            ..ReportQuery::default()
        };
        let fresh = |report: &Report| report.generated_at.is_none_or(|at| at >= started - CLOCK_SKEW);
        let differs = |report: &Report| new.privacy.zip(report.privacy).is_some_and(|(asked, found)| asked != found);
        let fits = |report: &Report| comparable(report.url.raw()) == wanted && fresh(report) && !differs(report);
        self.newest(&query, fits).await
    }

    async fn newest(&self, query: &ReportQuery, fits: impl Fn(&Report) -> bool) -> LookupOutcome {
        match self.list_reports(query, &PageToken::First, RowDetail::Everything, Priority::Person).await {
            Ok(page) => page
                .rows
                .into_iter()
                .find(fits)
                .map_or(LookupOutcome::Nothing, |report| LookupOutcome::Report(Box::new(report))),
            Err(failure) => LookupOutcome::Unknown(failure),
        }
    }
}

/// Returns the report in the response to its creation, or one with only its id if the `Location` header names that.
fn created(answer: &Answer) -> Result<Report, Failure> {
    let operation = Operation::CreateReport;
    // Some services repeat the URL beside an error.
    if let Some(failure) = error::of_denial(operation, answer, &["success", "ok"]) {
        return Err(failure);
    }
    one_report(operation, answer).or_else(|failure| located(answer).ok_or(failure))
}

/// Returns a report with only the id that the `Location` header of a creation names. Nothing else is taken from the header.
fn located(answer: &Answer) -> Option<Report> {
    let path = answer.header(LOCATION)?.split(['?', '#']).next()?;
    let (collection, id) = path.rsplit_once('/')?;
    let id = percent_decode_str(id).decode_utf8().ok().filter(|_| collection.ends_with("reports"))?;
    let fields = Map::from_iter([("id".to_owned(), Value::from(id))]);
    decode::report(&fields, RowDetail::Everything, &mut Interner::default())
}

/// Returns a created report that cannot be read, with the URL that was sent.
fn with_url(report: Report, url: &str) -> Report {
    Report { url: Text::of_url(url), ..report }
}

/// What a failure to read a report says about it.
fn unread(failure: Failure) -> LookupOutcome {
    if failure.kind == FailureKind::NotFound { LookupOutcome::Nothing } else { LookupOutcome::Unknown(failure) }
}

/// Whether a write may have been applied despite its error: a 5xx may follow the work, and a 303 mostly does.
fn may_have_been_applied(failure: &Failure) -> bool {
    let see_other = failure.status == Some(303) && failure.kind == FailureKind::WrongAddress;
    see_other || failure.status.is_some_and(|status| status >= 500)
}

/// Normalises a URL for comparison: without scheme, `www.`, fragment and final slash, as services store them.
fn comparable(url: &str) -> String {
    let url = url.trim();
    let whole = if split_scheme(url).0.is_some() { url.to_owned() } else { format!("https://{url}") };
    // Parsing lower-cases the host and drops a default port.
    let read = Url::parse(&whole).map(|mut read| {
        read.set_fragment(None);
        String::from(read)
    });
    let normal = read.unwrap_or(whole);
    let (_, rest) = split_scheme(&normal);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_compared_without_scheme_and_final_slash() {
        for (one, other) in [
            ("shop.example", "https://www.shop.example/"),
            ("HTTP://Shop.example:80/tea#cup", "shop.example/tea"),
            ("shop.example/login?next=https://x.example", "https://shop.example/login?next=https://x.example"),
        ] {
            assert_eq!(comparable(one), comparable(other), "{one}");
        }
        assert_ne!(comparable("shop.example/login?next=https://x.example"), comparable("x.example"));
    }
}
