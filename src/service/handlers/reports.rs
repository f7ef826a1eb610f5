//! Handlers of reports: list, show, create, update, delete.

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::api::contract::{self, parameter};
use crate::domain::desk::Role;
use crate::domain::list::query::{Direction, ReportQuery, ReportSort, ResultFilter};
use crate::domain::report::ReportChange;
use crate::domain::report::privacy::Privacy;

use super::cursor::ListIdentity;
use super::errors::{self, ErrorResponse};
use super::form::{self, RequestForm};
use super::json::{FormerResultJson, ReportJson};
use super::list_page::{self, ListRequest, PageParameters};
use super::report_form;
use crate::service::audits::job::{AuditJob, AuditPurpose};
use crate::service::server::state::SharedState;
use crate::service::store::key_rows::RequestKey;
use crate::service::store::rows::{ReportRow, RowUpdate, SHOWN_FORMER, StoredReport};

pub const SEARCHABLE: [(&str, ()); 1] = [("url", ())];
const NOT_FOUND: ErrorResponse = ErrorResponse::NotFound("Report");

/// `GET /reports`
pub async fn list(State(state): State<SharedState>, request: ListRequest) -> Result<Response, ErrorResponse> {
    let form = &mut request.form();
    let page = PageParameters::read(form);
    form.choice(parameter::SEARCH_BY, &SEARCHABLE);
    let sort = form.word::<ReportSort>(parameter::SORT_BY).unwrap_or_default();
    let direction = form.word::<Direction>(parameter::SORT).unwrap_or_default();
    let query = ReportQuery {
        search: form.text(parameter::SEARCH).map(str::to_owned),
        project: form.text(parameter::PROJECT).map(str::to_owned),
        result: form.word(parameter::RESULT),
        sort: Some((sort, direction)),
        per_page: None,
    };
    let parts = [
        Some(contract::REPORTS),
        Some(sort.name()),
        Some(direction.name()),
        query.search.as_deref(),
        query.project.as_deref(),
        query.result.map(ResultFilter::name),
    ];
    let list = ListIdentity::of(&parts, sort == ReportSort::Url);
    let window = page.window(form, &list);
    form.check()?;
    let listed = state.store.reports_page(query, window).await?;
    Ok(list_page::answer((&request, &page, &list), &listed, ReportJson::listed))
}

/// `GET /reports/{id}`
pub async fn show(State(state): State<SharedState>, id: IdInPath) -> Result<Response, ErrorResponse> {
    let id = number(id)?;
    let found = state.store.opened(id, SHOWN_FORMER).await?;
    answer_with(StatusCode::OK, found)
}

/// `GET /reports/{id}/history`
pub async fn history(State(state): State<SharedState>, id: IdInPath) -> Result<Response, ErrorResponse> {
    let id = number(id)?;
    let former = state.store.former(id).await?.ok_or(NOT_FOUND)?;
    Ok(errors::one(StatusCode::OK, former.iter().map(FormerResultJson::of).collect::<Vec<_>>()))
}

/// `POST /reports`
pub async fn create(State(state): State<SharedState>, form: RequestForm) -> Result<Response, ErrorResponse> {
    let new = report_form::create(form)?;
    let password_hash = hash(&state, new.password).await?;
    let privacy = new.privacy.unwrap_or(Privacy::Public).code();
    let purpose = AuditPurpose::Create { privacy, password_hash };
    let made = state.audits.audit(AuditJob { url: new.url, purpose }).await?;
    answer_with(StatusCode::CREATED, Some(made))
}

/// `PUT` and `PATCH /reports/{id}`. Changing privacy or password needs the admin role; a re-run does not.
pub async fn update(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    id: IdInPath,
    form: RequestForm,
) -> Result<Response, ErrorResponse> {
    if key.role < Role::Admin && [parameter::PRIVACY, parameter::PASSWORD].iter().any(|name| form.text(name).is_some())
    {
        return Err(ErrorResponse::RoleTooLow(key.role, Role::Admin));
    }
    let id = number(id)?;
    let present = state.store.report(id).await?.ok_or(NOT_FOUND)?;
    let stored_privacy = Privacy::from_code(present.privacy.into()).ok_or(ErrorResponse::Internal)?;
    let update = report_form::update(form, stored_privacy, present.has_password)?;
    let found = if update.is_empty() {
        state.store.opened(id, SHOWN_FORMER).await?
    } else {
        Some(make(&state, present, update).await?)
    };
    answer_with(StatusCode::OK, found)
}

/// Performs an update and returns the report as it is afterwards.
async fn make(state: &SharedState, present: ReportRow, update: ReportChange) -> Result<StoredReport, ErrorResponse> {
    let password_hash = hash(state, update.password).await?;
    let (report, privacy) = (present.id, update.privacy.map(Privacy::code));
    if update.rerun {
        let purpose = AuditPurpose::Rerun { report, privacy, password_hash };
        return state.audits.audit(AuditJob { url: present.url, purpose }).await;
    }
    let change = RowUpdate { privacy, password_hash, findings: None };
    let store = state.store.clone();
    state.tasks.finish(async move { report_form::changed(store.change(report, change).await?) }).await
}

/// `DELETE /reports/{id}`
pub async fn delete(State(state): State<SharedState>, id: IdInPath) -> Result<Response, ErrorResponse> {
    let id = number(id)?;
    let store = state.store.clone();
    let deleted = state.tasks.finish(async move { Ok(store.delete_report(id).await?) }).await?;
    if deleted { Ok(errors::deleted(id, "report")) } else { Err(NOT_FOUND) }
}

pub type IdInPath = Result<Path<String>, PathRejection>;

/// Parses a report id. Anything but a number is a report that does not exist.
pub fn number(id: IdInPath) -> Result<i64, ErrorResponse> {
    id.ok().and_then(|Path(id)| form::whole_number(&id)).ok_or(NOT_FOUND)
}

async fn hash(state: &SharedState, password: Option<secrecy::SecretString>) -> Result<Option<String>, ErrorResponse> {
    match password {
        Some(password) => Ok(Some(state.passwords.hash(password).await?)),
        None => Ok(None),
    }
}

fn answer_with(status: StatusCode, found: Option<StoredReport>) -> Result<Response, ErrorResponse> {
    let (row, checks, former) = found.ok_or(NOT_FOUND)?;
    Ok(errors::one(status, ReportJson::single(&row, &checks, &former)?))
}
