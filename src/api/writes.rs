//! Create, update, delete. Each is sent once; without a response, the report is looked up.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use secrecy::ExposeSecret;
use url::Url;

use super::answer::Trouble;
use super::client::{Client, one_report};
use super::contract::{REPORTS, parameter, project_path, report_path};
use super::decode::RowDetail;
use super::error::{self, Operation};
use super::send::{FormFields, Priority, WriteTrouble};
use crate::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, ReportQuery, ReportSort};
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::text::Text;

/// A service's clock may be this far behind ours and its new report still count as made by our request.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(120);

impl Client {
    /// `POST /reports`. Never sent twice: without an answer, the URL is looked up among the newest reports.
    pub async fn create_report(&self, new: &NewReport) -> Result<Report, WriteFailure> {
        let operation = Operation::CreateReport;
        let started = Timestamp::now();
        let url = self.endpoint(operation, REPORTS).map_err(WriteFailure::Refused)?;
        let mut form: FormFields = vec![(parameter::URL, new.url.clone())];
        form.extend(new.privacy.map(|privacy| (parameter::PRIVACY, privacy.code().to_string())));
        form.extend(new.password.as_ref().map(|password| (parameter::PASSWORD, password.expose_secret().to_owned())));
        match self.sender.write(operation, &Method::POST, &url, Some(&form)).await {
            Ok(answer) => match one_report(operation, &answer) {
                Ok(report) if !report.url.is_empty() => Ok(report),
                // Some services answer with the new id alone. It was made, whether or not it can be read.
                Ok(report) => Ok(self.show_report(&report.id).await.unwrap_or_else(|_| named(report, &new.url))),
                Err(failure) => Err(WriteFailure::Unsure { failure, found: self.look_up(&new.url, started).await }),
            },
            Err(trouble) => self.after(operation, trouble, async { self.look_up(&new.url, started).await }).await,
        }
    }

    /// `PUT /reports/{id}`. An empty or partial success is read again, so that what is shown is what the service has.
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
            Ok(answer) => match one_report(operation, &answer) {
                Ok(report) if report.id == *id && !report.url.is_empty() => Ok(report),
                // Nothing, a part of it or something else: the report is read again.
                Ok(_) | Err(_) => self.show_report(id).await.map_err(unsure_of_reading),
            },
            Err(trouble) => self.after(operation, trouble, self.re_read(id)).await,
        }
    }

    /// `DELETE /reports/{id}`. Any success but a web page will do; a report that is gone already counts as deleted only by its 404.
    pub async fn delete_report(&self, id: &ReportId) -> Result<(), WriteFailure> {
        let operation = Operation::DeleteReport;
        let url = self.endpoint(operation, &report_path(id.raw())).map_err(WriteFailure::Refused)?;
        self.delete(operation, &url, self.re_read(id)).await
    }

    /// `DELETE /projects/{project}`: the project and all its reports.
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
            Ok(answer) => match answer.html_title() {
                // A page for people answers everything with 200, also where nothing was deleted.
                Some(why) => {
                    let failure = error::of_body(operation, &answer, &why, url.path());
                    Err(WriteFailure::Unsure { failure, found: look.await })
                }
                None => Ok(()),
            },
            Err(trouble) => self.after::<()>(operation, trouble, look).await,
        }
    }

    /// Tells a write that was refused from one that may have happened; only then something is looked up.
    async fn after<T>(
        &self,
        operation: Operation,
        trouble: WriteTrouble,
        look: impl Future<Output = LookupOutcome>,
    ) -> Result<T, WriteFailure> {
        let failure = match trouble {
            WriteTrouble::Refused(failure) if !may_have_happened(&failure) => {
                return Err(WriteFailure::Refused(failure));
            }
            WriteTrouble::Refused(failure) => failure,
            WriteTrouble::NoAnswer(trouble) => {
                let failure = error::of_trouble(operation, &trouble, &self.sender.base.host());
                if matches!(trouble, Trouble::NotConnected(_) | Trouble::KeyUnsendable | Trouble::RequestTooLong) {
                    return Err(WriteFailure::Refused(failure));
                }
                failure
            }
        };
        Err(WriteFailure::Unsure { failure, found: look.await })
    }

    async fn re_read(&self, id: &ReportId) -> LookupOutcome {
        match self.show_report(id).await {
            Ok(report) => LookupOutcome::Report(Box::new(report)),
            Err(failure) if failure.kind == FailureKind::NotFound => LookupOutcome::Nothing,
            Err(failure) => LookupOutcome::Unknown(failure),
        }
    }

    /// Whether a project still has reports: one of them, or nothing.
    async fn project_rows(&self, name: &str) -> LookupOutcome {
        let query = ReportQuery { project: Some(name.to_owned()), per_page: Some(10), ..ReportQuery::default() };
        self.newest(&query, |report| report.project.raw() == name).await
    }

    /// A report of this URL among the newest, made since `started`.
    async fn look_up(&self, url: &str, started: Timestamp) -> LookupOutcome {
        let wanted = comparable(url);
        let query = ReportQuery {
            // Typed in other letters than a service may keep it, it is looked for among the newest without searching.
            search: Some(wanted.clone()).filter(|wanted| url.contains(wanted)),
            sort: Some((ReportSort::Id, Direction::Descending)),
            per_page: Some(DEFAULT_PAGE_SIZE),
            ..ReportQuery::default()
        };
        let fresh = |report: &Report| report.generated_at.is_none_or(|at| at >= started - CLOCK_SKEW);
        self.newest(&query, |report| comparable(report.url.raw()) == wanted && fresh(report)).await
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

/// A report that was made but cannot be read, with the address that was sent.
fn named(report: Report, url: &str) -> Report {
    Report { url: Text::from_outside(url), ..report }
}

/// The change was accepted, and what it came to cannot be read.
fn unsure_of_reading(failure: Failure) -> WriteFailure {
    let found = if failure.kind == FailureKind::NotFound {
        LookupOutcome::Nothing
    } else {
        LookupOutcome::Unknown(failure.clone())
    };
    WriteFailure::Unsure { failure, found }
}

/// A refusal in the 5xx range may come after the work was done, and "see other" mostly does; every other one came before.
fn may_have_happened(failure: &Failure) -> bool {
    let see_other = failure.status == Some(303) && failure.kind == FailureKind::WrongAddress;
    see_other || failure.status.is_some_and(|status| status >= 500)
}

/// URLs are compared without scheme, `www.`, fragment and a final slash, as services with this interface store them.
fn comparable(url: &str) -> String {
    let url = url.trim();
    let whole = if url.contains("://") { url.to_owned() } else { format!("https://{url}") };
    // Parsing writes the host in lower case and drops a port that says nothing.
    let read = Url::parse(&whole).map(|mut read| {
        read.set_fragment(None);
        String::from(read)
    });
    let normal = read.unwrap_or(whole);
    let rest = normal.split_once("://").map_or(normal.as_str(), |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/').to_owned()
}
