//! Handlers of projects: list and delete.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;

use crate::api::contract::{self, parameter};
use crate::domain::list::query::{Direction, ProjectQuery, ProjectSort};

use super::cursor::ListIdentity;
use super::errors::{self, ErrorResponse};
use super::json::ProjectJson;
use super::list_page::{self, ListRequest, PageParameters};
use crate::service::server::state::SharedState;
use crate::service::store::Store;

pub const SEARCHABLE: [(&str, ()); 1] = [("project", ())];
const NOT_FOUND: ErrorResponse = ErrorResponse::NotFound("Project");

/// `GET /projects`
pub async fn list(State(state): State<SharedState>, request: ListRequest) -> Result<Response, ErrorResponse> {
    let form = &mut request.form();
    let page = PageParameters::read(form);
    form.choice(parameter::SEARCH_BY, &SEARCHABLE);
    let sort = form.word::<ProjectSort>(parameter::SORT_BY).unwrap_or_default();
    let direction = form.word::<Direction>(parameter::SORT).unwrap_or_default();
    let search = form.text(parameter::SEARCH).map(str::to_owned);
    let query = ProjectQuery { search, sort: Some((sort, direction)), per_page: None };
    let parts = [Some(contract::PROJECTS), Some(sort.name()), Some(direction.name()), query.search.as_deref()];
    let list = ListIdentity::of(&parts, sort == ProjectSort::Name);
    let window = page.window(form, &list);
    form.check()?;
    let listed = state.store.projects_page(query, window).await?;
    Ok(list_page::answer((&request, &page, &list), &listed, ProjectJson::of))
}

/// `DELETE /projects/{project}`
pub async fn delete(
    State(state): State<SharedState>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ErrorResponse> {
    let Path(name) = name.map_err(|_| NOT_FOUND)?;
    let deleted = state.tasks.finish(delete_all(state.store.clone(), name.clone())).await?;
    if deleted { Ok(errors::deleted(name, "project")) } else { Err(NOT_FOUND) }
}

/// Deletes a project part by part; false if it does not exist.
async fn delete_all(store: Store, name: String) -> Result<bool, ErrorResponse> {
    let mut has_begun = false;
    loop {
        match store.delete_project_part(name.clone()).await.map_err(ErrorResponse::from) {
            Ok(Some(true)) => has_begun = true,
            Ok(Some(false)) => return Ok(true),
            Ok(None) => return Ok(has_begun),
            Err(_) if has_begun => return Err(ErrorResponse::PartlyDeleted),
            Err(failed) => return Err(failed),
        }
    }
}
