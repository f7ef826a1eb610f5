//! What is answered about projects: list and delete.
//!
//! Must not know SQL.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;

use crate::api::contract::parameter;
use crate::domain::list::query::{ProjectQuery, ProjectSort};

use super::errors::{self, Refusal};
use super::json;
use super::list_page::{self, Asked, DIRECTIONS, PageAsked, Written};
use crate::service::server::state::Shared;
use crate::service::store::lists;
use crate::service::store::tables::projects as stored;

pub const SEARCHABLE: [(&str, ()); 1] = [("project", ())];
pub const SORTABLE: [(&str, ProjectSort); 2] = [("created_at", ProjectSort::CreatedAt), ("project", ProjectSort::Name)];
const NOT_FOUND: Refusal = Refusal::NotFound("Project");

/// `GET /projects`
pub async fn list(State(shared): State<Shared>, asked: Asked) -> Result<Response, Refusal> {
    let (kept, look) = shared.kept.page(&asked.name);
    if let Some(envelope) = kept {
        return Ok(list_page::answer(envelope));
    }
    let form = &mut asked.form();
    let page = PageAsked::read(form);
    form.choice(parameter::SEARCH_BY, &SEARCHABLE);
    let sort_by = form.choice(parameter::SORT_BY, &SORTABLE).unwrap_or_default();
    let direction = form.choice(parameter::SORT, &DIRECTIONS).unwrap_or_default();
    let query = ProjectQuery {
        search: form.text(parameter::SEARCH).map(str::to_owned),
        sort: Some((sort_by, direction)),
        per_page: Some(page.size()),
    };
    form.check()?;
    let listed = shared.store.read(move |connection| lists::projects(connection, &query, page.window())).await?;
    let mut written = Written::new(page);
    listed.rows.into_iter().for_each(|row| written.push(&json::Project(row)));
    let envelope = list_page::envelope(&asked, page, written, listed.total)?;
    shared.kept.keep_page(asked.name, &envelope, look);
    Ok(list_page::answer(envelope))
}

/// `DELETE /projects/{project}`
pub async fn delete(
    State(shared): State<Shared>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(name) = name.map_err(|_| NOT_FOUND)?;
    let wanted = name.clone();
    let deleted = shared.store.write_deletion(move |transaction| stored::delete(transaction, &wanted)).await?;
    if deleted { Ok(errors::deleted(name, "project")) } else { Err(NOT_FOUND) }
}
