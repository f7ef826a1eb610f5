//! Write handlers of the desk. The writer comes from the key, the time from the store.

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use futures_util::TryFutureExt as _;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::input::{self, JsonBody, LONGEST_CAUSE, LONGEST_LABEL, LONGEST_REASON};
use super::reads::{NO_SERVICE, PlaceInPath, place_of, service_number};
use crate::api::contract::parameter;
use crate::domain::desk::{ChangeId, NoteWrite, RowWrite, ServiceLookup};
use crate::domain::text::Text;
use crate::domain::triage::LONGEST_NOTE;
use crate::service::handlers::errors::{self, ErrorResponse};
use crate::service::handlers::list_page::ListRequest;
use crate::service::server::state::SharedState;
use crate::service::store::Store;
use crate::service::store::desk::decide::DeskWriter;
use crate::service::store::error::{DeskRefusal, StoreError};
use crate::service::store::key_rows::RequestKey;

fn writer(key: &RequestKey, change: ChangeId, decided_at: Option<Timestamp>) -> DeskWriter {
    DeskWriter { actor: key.actor(), role: key.role, change, decided_at }
}

/// Performs a write, wakes requests that wait for changes, and builds the response.
async fn answer<T: Serialize + Send + 'static, W: Future<Output = Result<T, StoreError>> + Send + 'static>(
    state: &SharedState,
    write: impl FnOnce(Store) -> W,
) -> Result<Response, ErrorResponse> {
    let written = state.tasks.finish(write(state.store.clone()).map_err(refused)).await?;
    state.desk.wake();
    Ok(errors::one(StatusCode::OK, written))
}

fn refused(error: StoreError) -> ErrorResponse {
    let StoreError::Desk(refusal) = error else { return error.into() };
    match refusal {
        DeskRefusal::UnknownService => NO_SERVICE,
        DeskRefusal::UnknownNote => ErrorResponse::NotFound("Note"),
        DeskRefusal::UnknownPerson => {
            ErrorResponse::invalid("holder", "The holder must be a person of this desk who has not left.")
        }
        DeskRefusal::NotYours => ErrorResponse::NotYours,
        DeskRefusal::Conflict(present) => ErrorResponse::Conflict(present),
        DeskRefusal::ChangeReused => {
            ErrorResponse::invalid(parameter::CHANGE, "Another write already used this change id. Generate a new one.")
        }
        DeskRefusal::Unmergeable => ErrorResponse::invalid(
            "into",
            "A service cannot be merged into itself, nor the desk's own service into another one.",
        ),
        DeskRefusal::TooManyServices => {
            ErrorResponse::invalid("base", "This desk has reached its limit of services. Merge some of them.")
        }
        DeskRefusal::KeyTaken | DeskRefusal::UnknownKey => StoreError::Desk(refusal).into(),
    }
}

/// `PUT /desk/states/{service}/{report}`
pub async fn row(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    place: PlaceInPath,
    headers: HeaderMap,
    JsonBody(write): JsonBody<RowWrite>,
) -> Result<Response, ErrorResponse> {
    let place = place_of(place)?;
    let expected = input::precondition(&headers)?;
    if let Some(reason) = &write.reason {
        input::long_text("reason", reason.raw(), LONGEST_REASON)?;
    }
    if let Some(cause) = &write.cause {
        input::one_line("cause", cause.raw(), LONGEST_CAUSE)?;
    }
    input::time("until", write.state.until())?;
    input::time("baseline.generated_at", write.baseline.generated_at)?;
    input::time("decided_at", write.decided_at)?;
    let writer = writer(&key, write.change, write.decided_at);
    answer(&state, |store| async move { store.write_desk_row(writer, place, expected, write).await }).await
}

/// `POST /desk/states/{service}/{report}/notes`
pub async fn note(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    place: PlaceInPath,
    JsonBody(write): JsonBody<NoteWrite>,
) -> Result<Response, ErrorResponse> {
    let place = place_of(place)?;
    input::long_text("text", write.text.raw(), LONGEST_NOTE)?;
    input::time("decided_at", write.decided_at)?;
    let writer = writer(&key, write.change, write.decided_at);
    answer(&state, |store| async move { store.write_desk_note(writer, place, write.text).await }).await
}

/// `DELETE /desk/states/{service}/{report}/notes/{id}`
pub async fn withdraw(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    place: Result<Path<(String, String, String)>, PathRejection>,
    request: ListRequest,
) -> Result<Response, ErrorResponse> {
    let Path((service, report, note)) = place.map_err(|_| NO_SERVICE)?;
    let place = (service_number(&service)?, input::report(&report)?);
    let note = service_number(&note).map_err(|_| ErrorResponse::NotFound("Note"))?;
    let form = request.form();
    let change = form.text(parameter::CHANGE).and_then(|change| change.parse().ok());
    let missing = || ErrorResponse::invalid(parameter::CHANGE, "The change must be a UUID that you generate.");
    let writer = writer(&key, change.ok_or_else(missing)?, None);
    answer(&state, |store| async move { store.withdraw_desk_note(writer, place, note).await }).await
}

/// `POST /desk/services`
pub async fn service(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    JsonBody(mut lookup): JsonBody<ServiceLookup>,
) -> Result<Response, ErrorResponse> {
    lookup.base = Text::from_outside(input::base(lookup.base.raw())?);
    input::one_line("label", lookup.label.raw(), LONGEST_LABEL)?;
    lookup.service_id.as_ref().map(Text::raw).map(input::service_id).transpose()?;
    let writer = writer(&key, lookup.change, None);
    answer(&state, |store| async move { store.desk_service(writer, lookup).await }).await
}

/// The body of a merge.
#[derive(Deserialize)]
pub struct MergeBody {
    change: ChangeId,
    into: i64,
}

/// `POST /desk/services/{service}/merge`
pub async fn merge(
    State(state): State<SharedState>,
    Extension(key): Extension<RequestKey>,
    from: Result<Path<String>, PathRejection>,
    JsonBody(body): JsonBody<MergeBody>,
) -> Result<Response, ErrorResponse> {
    let Path(from) = from.map_err(|_| NO_SERVICE)?;
    let (writer, services) = (writer(&key, body.change, None), (service_number(&from)?, body.into));
    answer(&state, |store| async move { store.merge_desk_services(writer, services).await }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_write_names_the_field_to_correct() {
        for (refusal, status, field) in [
            (DeskRefusal::UnknownService, 404, None),
            (DeskRefusal::UnknownNote, 404, None),
            (DeskRefusal::NotYours, 403, None),
            (DeskRefusal::Conflict(None), 412, None),
            (DeskRefusal::UnknownPerson, 422, Some("holder")),
            (DeskRefusal::ChangeReused, 422, Some("change")),
            (DeskRefusal::Unmergeable, 422, Some("into")),
            (DeskRefusal::TooManyServices, 422, Some("base")),
            (DeskRefusal::UnknownKey, 500, None),
        ] {
            let refused = refused(refusal.into());
            assert_eq!(refused.status().as_u16(), status, "{refused:?}");
            let errors = if let ErrorResponse::Invalid(errors) = &refused { Some(errors) } else { None };
            let named = errors.and_then(|errors| errors.keys().next()).map(String::as_str);
            assert_eq!(named, field, "{refused:?}");
        }
    }
}
