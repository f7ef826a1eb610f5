//! Handlers for monitoring: `/metrics` for Prometheus, `/health` for load balancers.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::errors::ErrorResponse;
use crate::api::contract::field;
use crate::service::server::state::SharedState;
use crate::service::store::tables::projects::{how_many, totals};
use crate::service::store::tables::reports::newest;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /metrics`
pub async fn metrics(State(state): State<SharedState>) -> Result<Response, ErrorResponse> {
    let read = state.store.read(|connection| Ok((totals(connection)?, how_many(connection)?)));
    let (counts, projects) = read.await?;
    let text = state.metrics.text(counts, projects, state.audits.busy()).map_err(|_| ErrorResponse::Internal)?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}

/// `GET /health`: succeeds when the database can be read and was not found to be damaged.
pub async fn health(State(state): State<SharedState>) -> Result<Json<Value>, ErrorResponse> {
    state.store.read(|connection| totals(connection).and_then(|_| newest(connection))).await?;
    if state.store.is_damaged() {
        return Err(ErrorResponse::Damaged);
    }
    Ok(Json(json!({ field::STATUS: 200 })))
}
