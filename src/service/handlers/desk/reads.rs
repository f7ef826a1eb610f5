//! Read handlers of the desk.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::input;
use crate::api::contract::parameter;
use crate::domain::desk::DeskMe;
use crate::service::handlers::errors::{self, ErrorResponse};
use crate::service::handlers::form::{self, RequestForm};
use crate::service::handlers::list_page::ListRequest;
use crate::service::server::state::SharedState;
use crate::service::store::key_rows::RequestKey;

/// The service does not exist on this desk, or was merged into another one.
pub const NO_SERVICE: ErrorResponse = ErrorResponse::NotFound("Service");

/// `GET /desk`
pub async fn overview(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
) -> Result<Response, ErrorResponse> {
    let me = DeskMe { handle: key.person.clone(), actor: key.actor(), role: key.role };
    Ok(errors::one(StatusCode::OK, state.store.desk(me).await?))
}

/// `GET /desk/states`
pub async fn rows(State(state): State<SharedState>, request: ListRequest) -> Result<Response, ErrorResponse> {
    let mut form = request.form();
    let after = input::report_field(&mut form, parameter::AFTER).unwrap_or_default();
    let service = required_service(&mut form)?;
    let page = state.store.desk_rows(service, after).await?.ok_or(NO_SERVICE)?;
    Ok(errors::one(StatusCode::OK, page))
}

/// `GET /desk/notes`
pub async fn notes(State(state): State<SharedState>, request: ListRequest) -> Result<Response, ErrorResponse> {
    let mut form = request.form();
    let after = form.number(parameter::AFTER, 0).unwrap_or_default();
    let service = required_service(&mut form)?;
    let page = state.store.desk_notes(service, after).await?.ok_or(NO_SERVICE)?;
    Ok(errors::one(StatusCode::OK, page))
}

/// `GET /desk/states/{service}/{report}/events`
pub async fn history(
    State(state): State<SharedState>,
    place: PlaceInPath,
    request: ListRequest,
) -> Result<Response, ErrorResponse> {
    let (service, report) = place_of(place)?;
    let mut form = request.form();
    let before = form.number(parameter::BEFORE, 0).unwrap_or(i64::MAX);
    form.check()?;
    let page = state.store.desk_history(service, report, before).await?.ok_or(NO_SERVICE)?;
    Ok(errors::one(StatusCode::OK, page))
}

fn required_service(form: &mut RequestForm) -> Result<i64, ErrorResponse> {
    let service = form.number(parameter::SERVICE, 1);
    form.check()?;
    service.ok_or_else(|| ErrorResponse::invalid(parameter::SERVICE, "The service is required."))
}

pub type PlaceInPath = Result<Path<(String, String)>, axum::extract::rejection::PathRejection>;

/// Parses service and report from a path.
pub fn place_of(place: PlaceInPath) -> Result<(i64, String), ErrorResponse> {
    let Path((service, report)) = place.map_err(|_| NO_SERVICE)?;
    Ok((service_number(&service)?, input::report(&report)?))
}

/// Parses a service's number. Anything else is a service that does not exist.
pub fn service_number(text: &str) -> Result<i64, ErrorResponse> {
    form::whole_number(text).ok_or(NO_SERVICE)
}
