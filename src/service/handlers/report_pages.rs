//! Handlers of report pages: HTML without scripts, visible as the report's privacy allows.
//!
//! Without access, a private page gets the same response as a page that does not exist.

use axum::extract::{Extension, FromRequest as _, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::json;
use url::form_urlencoded;

use crate::api::contract::{self, field, parameter};
use crate::domain::report::privacy::Privacy;

use super::errors::{self, ErrorResponse};
use super::form::RequestForm;
use super::reports::{IdInPath, number};
use crate::service::pages::access::{PassPurpose, SESSION_LASTS, SignedPass};
use crate::service::pages::html::{self, HtmlPage, PasswordProblem};
use crate::service::pages::language::PageLanguage;
use crate::service::pages::report::download::{self, DownloadFormat};
use crate::service::pages::report::preview::stored_texts;
use crate::service::pages::report::{self, checks};
use crate::service::server::proxies::ClientInfo;
use crate::service::server::state::SharedState;
use crate::service::store::rows::{DuplicateCounts, HistoryRow, ReportRow};

/// The most earlier results on a page.
const FORMER: u16 = 20;
const PUBLIC: u8 = Privacy::Public as u8;
const PRIVATE: u8 = Privacy::Private as u8;
const PASSWORD: u8 = Privacy::Password as u8;

/// `GET /reports/{id}`: the page, its password form, or 404; with `format`, the report as a file.
pub async fn show(
    State(state): State<SharedState>,
    id: IdInPath,
    Extension(visitor): Extension<ClientInfo>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let found = async {
        let (row, hash) = row(&state, id, &uri).await?;
        let asked = query_value(&uri, parameter::FORMAT);
        let format = asked.as_deref().and_then(|word| word.parse().ok());
        open(&state, (row, hash), &visitor, &headers, &uri, format).await
    };
    found.await.unwrap_or_else(|why| refused(&why, PageLanguage::of_request(&headers)))
}

/// `POST /reports/{id}`: checks the password, or sends the report as a file. The download button posts to the address
/// the page was opened with, so that the pass of a signed link need not be in the page.
pub async fn unlock(
    State(state): State<SharedState>,
    id: IdInPath,
    Extension(visitor): Extension<ClientInfo>,
    request: Request,
) -> Response {
    let (headers, uri) = (request.headers().clone(), request.uri().clone());
    let language = PageLanguage::of_request(&headers);
    let unlocked = async {
        // Before the row is read: its privacy may change while the form is being sent.
        let form = RequestForm::from_request(request, &()).await?;
        let (row, hash) = row(&state, id, &uri).await?;
        if let Some(format) = form.text(parameter::FORMAT).and_then(|word| word.parse().ok()) {
            return open(&state, (row, hash), &visitor, &headers, &uri, Some(format)).await;
        }
        if row.privacy == PUBLIC {
            return Ok(see(row.id).into_response());
        }
        if row.privacy != PASSWORD {
            return Err(NOT_THERE);
        }
        let sent = form.text(parameter::PASSWORD).unwrap_or_default();
        let hash = hash.ok_or(NOT_THERE)?;
        check_password(&state, (row.id, hash), &visitor, SecretString::from(sent), language).await
    };
    unlocked.await.unwrap_or_else(|why| refused(&why, language))
}

/// `GET /api/v1/reports/{id}/link`: a signed address that opens the page in a browser.
pub async fn link(
    State(state): State<SharedState>,
    id: IdInPath,
    Extension(visitor): Extension<ClientInfo>,
) -> Result<Response, ErrorResponse> {
    let id = number(id)?;
    let found = state.store.protected(id).await?;
    let (row, hash) = found.ok_or(NOT_THERE)?;
    let mut address = format!("{}{}", visitor.origin, contract::report_page_path(&id.to_string()));
    let mut expires_at = None;
    if row.privacy != PUBLIC {
        let purpose = PassPurpose::Link { privacy: row.privacy, password_hash: hash.as_deref() };
        let pass = state.page_signer.pass(purpose, id, Timestamp::now());
        expires_at = Timestamp::from_second(pass.expires).ok().map(|at| at.to_string());
        address = format!("{address}?{}={pass}", parameter::PASS);
    }
    Ok(errors::one(StatusCode::OK, json!({ field::URL: address, field::EXPIRES_AT: expires_at })))
}

/// The report does not exist, or its existence must not be revealed.
const NOT_THERE: ErrorResponse = ErrorResponse::NotFound("Report");

fn refused(refusal: &ErrorResponse, language: &'static PageLanguage) -> Response {
    if matches!(refusal, ErrorResponse::NotFound(_)) {
        return html::not_there(language).into_response();
    }
    (refusal.headers(), html::failed(refusal, language)).into_response()
}

/// Reads a report's row and its password hash, if it has one.
async fn row(state: &SharedState, id: IdInPath, uri: &Uri) -> Result<(ReportRow, Option<String>), ErrorResponse> {
    let id = number(id)?;
    let found = state.store.protected(id).await?;
    if let (None, Some(pass)) = (&found, pass_in(uri)) {
        // Verified for missing reports too, so that timing does not tell private from missing.
        let nobodys = PassPurpose::Link { privacy: PRIVATE, password_hash: None };
        state.page_signer.accepts(nobodys, id, &pass, Timestamp::now());
    }
    found.ok_or(NOT_THERE)
}

/// Whether this visitor may see the page.
fn may_see(state: &SharedState, row: &ReportRow, hash: Option<&str>, headers: &HeaderMap, uri: &Uri) -> bool {
    let (signer, now) = (&state.page_signer, Timestamp::now());
    let link = PassPurpose::Link { privacy: row.privacy, password_hash: hash };
    let by_link = || pass_in(uri).is_some_and(|pass| signer.accepts(link, row.id, &pass, now));
    let by_password = || {
        let cookie = (row.privacy == PASSWORD).then(|| cookie_in(headers, row.id)).flatten();
        let session = hash.map(|password_hash| PassPurpose::Session { password_hash });
        session.zip(cookie).is_some_and(|(session, cookie)| signer.accepts(session, row.id, &cookie, now))
    };
    row.privacy == PUBLIC || by_link() || by_password()
}

fn pass_in(uri: &Uri) -> Option<SignedPass> {
    query_value(uri, parameter::PASS)?.parse().ok()
}

fn query_value(uri: &Uri, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(uri.query()?.as_bytes());
    Some(pairs.find(|(found, _)| found == name)?.1.into_owned())
}

fn cookie_in(headers: &HeaderMap, id: i64) -> Option<SignedPass> {
    let name = cookie_name(id);
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = sent.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name)?.1.parse().ok()
}

fn cookie_name(id: i64) -> String {
    format!("report-session-{id}")
}

/// Counts the attempt, compares the password, and starts a session or returns the form with an error.
async fn check_password(
    state: &SharedState,
    (id, hash): (i64, String),
    visitor: &ClientInfo,
    sent: SecretString,
    language: &'static PageLanguage,
) -> Result<Response, ErrorResponse> {
    let (attempts, peer) = (&state.attempts, visitor.address);
    if let Err(wait) = attempts.begin(id, peer).await? {
        return Ok(html::too_many_attempts(id, wait, language));
    }
    let fits = state.passwords.fits(sent, hash.clone()).await;
    if matches!(fits, Err(ErrorResponse::Overloaded)) {
        // The password was not compared, so this does not count as a guess.
        attempts.refund(id, peer).await;
    }
    if !fits? {
        return Ok(html::password(id, PasswordProblem::Wrong, language).into_response());
    }
    attempts.succeeded(id, peer).await;
    let pass = state.page_signer.pass(PassPurpose::Session { password_hash: &hash }, id, Timestamp::now());
    let (name, lasts) = (cookie_name(id), SESSION_LASTS.as_secs());
    // Without `Path`, the browser uses this page's directory, whatever prefix a proxy adds.
    let over = if visitor.uses_https() { "; Secure" } else { "" };
    let cookie = format!("{name}={pass}; Max-Age={lasts}; HttpOnly; SameSite=Strict{over}");
    Ok(([(header::SET_COOKIE, cookie)], see(id)).into_response())
}

/// Redirects to the page. The address is relative, so that it works behind any proxy.
fn see(id: i64) -> impl IntoResponse {
    (StatusCode::SEE_OTHER, [(header::LOCATION, id.to_string())])
}

/// Returns the page or file of a report; without access, the password form or 404.
async fn open(
    state: &SharedState,
    (row, hash): (ReportRow, Option<String>),
    visitor: &ClientInfo,
    headers: &HeaderMap,
    uri: &Uri,
    format: Option<DownloadFormat>,
) -> Result<Response, ErrorResponse> {
    let language = PageLanguage::of_request(headers);
    if !may_see(state, &row, hash.as_deref(), headers, uri) {
        let form = (row.privacy == PASSWORD).then(|| html::password(row.id, PasswordProblem::None, language));
        // A program that requested a file must not mistake the form for it.
        let status = if format.is_some() { StatusCode::FORBIDDEN } else { StatusCode::OK };
        return form.map(|form| (status, form).into_response()).ok_or(NOT_THERE);
    }
    let (row, stored, former) = state.store.opened(row.id, FORMER).await?.ok_or(NOT_THERE)?;
    let checks = checks::read(&stored).map_err(|error| {
        tracing::error!(%error, report = row.id, "stored checks cannot be read");
        ErrorResponse::Internal
    })?;
    if let Some(format) = format {
        return download::file(format, &row, &checks, &former);
    }
    let (title, description) = stored_texts(&checks);
    let duplicates = state.store.duplicates(row.id, title, description).await?;
    Ok(report::report(&row, &checks, &former, duplicates, &visitor.origin, language)?.into_response())
}

/// Returns the HTML of a page with arbitrary values, for tests and fuzzing. `failed` lists the failed checks of an
/// earlier result, `checks` is the JSON of the current one; `None` if that is invalid.
pub fn page_of(url: &str, project: &str, failed: &str, checks: &str) -> Option<String> {
    let (url, project, failed) = (url.to_owned(), project.to_owned(), failed.to_owned());
    let former = HistoryRow { rank: 0, score: 31, generated_at: 0, failed: failed.clone() };
    let row = ReportRow {
        id: 1,
        url,
        project,
        rank: 1,
        score: 64,
        generated_at: 1,
        created_at: 0,
        updated_at: 1,
        privacy: PUBLIC,
        has_password: false,
        fetch_error: None,
        failed,
    };
    let checks = checks::read(checks).ok()?;
    let (duplicates, language) = (DuplicateCounts::default(), PageLanguage::english());
    let page = report::report(&row, &checks, &[former], duplicates, "http://127.0.0.1", language);
    page.ok().map(HtmlPage::into_html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_and_passes_are_found_among_others() {
        let pass = SignedPass { expires: 12, signature: "ab".to_owned() };
        let headers = HeaderMap::from_iter([
            (header::COOKIE, "a=b; report-session-1=9.x".parse().unwrap()),
            (header::COOKIE, "odd;report-session-12=12.ab ; c=d".parse().unwrap()),
        ]);
        assert_eq!(cookie_in(&headers, 12), Some(pass.clone()));
        assert_eq!(cookie_in(&headers, 2), None);
        assert_eq!(pass_in(&"/reports/1?x=1&pass=12.ab".parse().unwrap()), Some(pass));
        for nothing in ["/reports/1", "/reports/1?pass=", "/reports/1?pass=x.ab", "/reports/1?pass=12"] {
            assert_eq!(pass_in(&nothing.parse().unwrap()), None, "{nothing}");
        }
    }
}
