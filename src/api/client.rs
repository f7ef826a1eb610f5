//! The HTTP client of a service: one function per endpoint.
//!
//! Cheap to clone; one per service and run. Reads are here, writes in `writes.rs`.

use std::sync::{Arc, Mutex, PoisonError};

use hyper_util::client::proxy::matcher::Matcher;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use url::Url;

use super::address::BaseUrl;
use super::answer::{Answer, root_cause};
use super::contract::{self, PROJECTS, REPORTS, field, parameter, report_path};
use super::decode::bounded::BoundedJson;
use super::decode::{self, RowDetail, envelope};
use super::error::{self, Operation};
use super::http_pool::HttpPool;
use super::limits::Limits;
use super::paging::{PageNumbers, next_page};
use super::rate_budget::RateBudget;
use super::send::Sender;
pub use super::send::{Observer, Priority};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::interner::Interner;
use crate::domain::list::paging::{MOST_ROWS, Page, PageToken};
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::domain::project::Project;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::{Report, ReportId};

/// A client of one service.
#[derive(Clone)]
pub struct Client {
    pub(super) sender: Arc<Sender>,
    /// Interned values of the rows of all lists.
    shared: Arc<Mutex<Interner>>,
}

impl Client {
    /// Creates a client, which sends the key to the base URL's origin only and calls `observer` for every exchange. Fails
    /// only if the system has no root certificates.
    pub fn new(base: BaseUrl, key: SecretString, observer: Observer, limits: Limits) -> Result<Self, Failure> {
        // Installing twice is rejected, which is harmless.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let pool = HttpPool::new(base.clone(), &limits).map_err(|error| {
            let why = root_cause(&error, key.expose_secret());
            let message = format!("The system's certificates cannot be read ({why})");
            let advice = "Install the package ca-certificates, or correct SSL_CERT_FILE or SSL_CERT_DIR if one is set";
            Failure::new(FailureKind::Local, message, advice)
        })?;
        let host = host_and_proxy(&base);
        let pool = Arc::new(pool);
        let sender = Sender { pool, base, host, key, observer, limits, rate_budget: RateBudget::default() };
        Ok(Self { sender: Arc::new(sender), shared: Arc::default() })
    }

    /// Returns a client of the same service with another key.
    #[must_use]
    pub fn with_key(&self, key: SecretString) -> Self {
        let sender = Sender { key, rate_budget: RateBudget::default(), ..Sender::clone(&self.sender) };
        Self { sender: Arc::new(sender), shared: Arc::clone(&self.shared) }
    }

    /// The base URL.
    pub fn base(&self) -> &BaseUrl {
        &self.sender.base
    }

    /// `GET /reports`: one page.
    pub async fn list_reports(
        &self,
        query: &ReportQuery,
        token: &PageToken,
        detail: RowDetail,
        priority: Priority,
    ) -> Result<Page<Report>, Failure> {
        let operation = Operation::ListReports;
        let mut url = self.endpoint(operation, REPORTS)?;
        put(&mut url, report_parameters(query), token);
        let answer = self.sender.read(operation, &url, priority).await.map_err(|failure| match &query.project {
            Some(project) => error::of_project(failure, project),
            None => failure,
        })?;
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let quick = answer.text().ok().filter(|_| detail == RowDetail::Row);
        if let Some(read) = quick.and_then(|text| decode::rows(&text, &mut shared)) {
            return page_of(operation, &answer, (read.rows, read.sent), Some(&read.rest));
        }
        let read = |row: Value| decode::report(row.as_object()?, detail, &mut shared);
        page(operation, &answer, url.path(), (MOST_ROWS, read))
    }

    /// `GET /projects`: one page.
    pub async fn list_projects(&self, query: &ProjectQuery, token: &PageToken) -> Result<Page<Project>, Failure> {
        let operation = Operation::ListProjects;
        let mut url = self.endpoint(operation, PROJECTS)?;
        let sort = query.sort.map(|(key, direction)| (key.name(), direction.name()));
        put(&mut url, list_parameters(query.search.as_deref(), "project", sort, query.per_page), token);
        let answer = self.sender.read(operation, &url, Priority::Person).await?;
        page(operation, &answer, url.path(), (MOST_PROJECTS, decode::project))
    }

    /// `GET /reports/{id}`: one report with all details.
    pub async fn show_report(&self, id: &ReportId) -> Result<Report, Failure> {
        self.show(id, Priority::Person).await
    }

    /// Background variant: yields the rate budget to interactive requests.
    pub async fn show_report_behind(&self, id: &ReportId) -> Result<Report, Failure> {
        self.show(id, Priority::Background).await
    }

    async fn show(&self, id: &ReportId, priority: Priority) -> Result<Report, Failure> {
        let operation = Operation::ShowReport;
        let url = self.endpoint(operation, &report_path(id.raw()))?;
        let answer = self.sender.read(operation, &url, priority).await?;
        one_report(operation, &answer)
    }

    /// `GET /reports/{id}/history`: all earlier results that the service keeps, latest first; `None` if it has no such
    /// list.
    pub async fn former_results(&self, id: &ReportId) -> Result<Option<Vec<ReportState>>, Failure> {
        let operation = Operation::ShowReport;
        let url = self.endpoint(operation, &contract::history_path(id.raw()))?;
        let answer = match self.sender.read(operation, &url, Priority::Person).await {
            Err(failure) if matches!(failure.kind, FailureKind::NotFound | FailureKind::WrongAddress) => {
                return Ok(None);
            }
            answer => answer?,
        };
        let unreadable = |why: &str| error::of_body(operation, &answer, why, "the service");
        let root = answer.json().map_err(|why| unreadable(&why))?.value;
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let read = root.get(field::DATA).and_then(|results| decode::history(results, &mut shared));
        read.map(Some).ok_or_else(|| unreadable("it contains no list of results"))
    }

    /// `GET /reports/{id}/link`: a URL that opens the report page in a browser; a signed one that is valid for a few
    /// minutes if the page is not public. Only reportdeck's own service supports it.
    ///
    /// Only the pass is taken from the response; the URL itself is always built here.
    pub async fn report_page(&self, id: &ReportId) -> Result<Url, Failure> {
        let operation = Operation::OpenPage;
        let mut page = self.endpoint(operation, &contract::report_page_path(id.raw()))?;
        let link = self.endpoint(operation, &contract::link_path(id.raw()))?;
        let answer = self.sender.read(operation, &link, Priority::Person).await.map_err(|failure| {
            let unknown = matches!(failure.kind, FailureKind::NotFound | FailureKind::WrongAddress);
            // A redirect to another origin says nothing about the pages of this service.
            let status = failure.status.filter(|status| unknown && *status >= 400);
            status.map_or(failure, |status| error::no_page(&status.to_string()))
        })?;
        let root = answer.json().ok().map(|json| json.value);
        let sent = root.as_ref().and_then(|root| root.get(field::DATA)?.get(field::URL)?.as_str());
        let sent = sent.and_then(|text| Url::parse(text).ok()).ok_or_else(|| error::no_page("no URL was returned"))?;
        if let Some((_, pass)) = sent.query_pairs().find(|(name, _)| name == parameter::PASS) {
            page.query_pairs_mut().append_pair(parameter::PASS, &pass);
        }
        Ok(page)
    }

    pub(super) fn endpoint(&self, operation: Operation, path: &str) -> Result<Url, Failure> {
        self.sender.base.endpoint(path).ok_or_else(|| error::unencodable_path(operation, path))
    }
}

/// The most projects read from one response, so that the UI is not blocked. Further ones count as unreadable. A
/// conforming service sends at most 100.
const MOST_PROJECTS: usize = 10_000;

/// Decodes a response with a single report.
pub(super) fn one_report(operation: Operation, answer: &Answer) -> Result<Report, Failure> {
    let unreadable = |why: &str| error::of_body(operation, answer, why, "the service");
    let root = answer.json().map_err(|why| unreadable(&why))?.value;
    let fields = envelope::single(root).ok_or_else(|| unreadable("it contains no report"))?;
    decode::report(&fields, RowDetail::Everything, &mut Interner::default())
        .ok_or_else(|| unreadable("its report has neither id nor url"))
}

fn page<Row>(
    operation: Operation,
    answer: &Answer,
    tried: &str,
    (most, mut read): (usize, impl FnMut(Value) -> Option<Row>),
) -> Result<Page<Row>, Failure> {
    let BoundedJson { value, dropped } = answer.json().map_err(|why| error::of_body(operation, answer, &why, tried))?;
    let Some((values, root)) = envelope::rows(value) else {
        return Err(error::of_body(operation, answer, "it contains no list", tried));
    };
    let sent = values.len() + dropped;
    let rows = values.into_iter().filter_map(&mut read).take(most).collect();
    page_of(operation, answer, (rows, sent), root.as_ref())
}

/// Builds a page, with the evidence for the next one from envelope and headers. Fails if it is empty because of an error.
fn page_of<Row>(
    operation: Operation,
    answer: &Answer,
    (rows, sent): (Vec<Row>, usize),
    root: Option<&Map<String, Value>>,
) -> Result<Page<Row>, Failure> {
    // Some services report errors with an empty list.
    if sent == 0
        && let Some(failure) = error::of_denial(operation, answer, &["success", "ok"])
    {
        return Err(failure);
    }
    let numbers = root.map(PageNumbers::read).unwrap_or_default();
    Ok(Page {
        unreadable: sent - rows.len(),
        next: next_page(root, answer.link().as_deref(), sent),
        total: numbers.total,
        last_page: numbers.last_page,
        per_page: numbers.per_page,
        rows,
    })
}

type Parameters = Vec<(&'static str, String)>;

fn report_parameters(query: &ReportQuery) -> Parameters {
    let sort = query.sort.map(|(key, direction)| (key.name(), direction.name()));
    let mut parameters = list_parameters(query.search.as_deref(), "url", sort, query.per_page);
    parameters.extend(query.project.clone().map(|project| (parameter::PROJECT, project)));
    parameters.extend(query.result.map(|result| (parameter::RESULT, result.name().to_owned())));
    parameters
}

/// Returns the host as failures name it: with the proxy that requests go through, which the environment or the system
/// sets.
fn host_and_proxy(base: &BaseUrl) -> String {
    let host = base.host();
    let proxy = || base.origin().parse().ok().and_then(|origin| Matcher::from_system().intercept(&origin));
    // A service on this machine is reached directly.
    let Some(proxy) = (!base.is_loopback()).then(proxy).flatten() else { return host };
    // Not its authority, which may contain a password.
    let port = proxy.uri().port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{host} through the proxy {}{port}", proxy.uri().host().unwrap_or_default())
}

fn list_parameters(
    search: Option<&str>,
    search_by: &str,
    sort: Option<(&str, &str)>,
    per_page: Option<u16>,
) -> Parameters {
    let mut parameters = Vec::new();
    if let Some(search) = search {
        parameters.extend([(parameter::SEARCH, search.to_owned()), (parameter::SEARCH_BY, search_by.to_owned())]);
    }
    if let Some((key, direction)) = sort {
        parameters.extend([(parameter::SORT_BY, key.to_owned()), (parameter::SORT, direction.to_owned())]);
    }
    parameters.extend(per_page.map(|size| (parameter::PER_PAGE, size.to_string())));
    parameters
}

fn put(url: &mut Url, parameters: Parameters, token: &PageToken) {
    let page = match token {
        PageToken::First => None,
        PageToken::Number(page) => Some((parameter::PAGE, page.to_string())),
        PageToken::Cursor(cursor) => Some((parameter::CURSOR, cursor.clone())),
        PageToken::Offset(offset) => Some((parameter::OFFSET, offset.to_string())),
    };
    if !parameters.is_empty() || page.is_some() {
        url.query_pairs_mut().extend_pairs(parameters.into_iter().chain(page));
    }
}
