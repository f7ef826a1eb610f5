//! Handlers for monitoring: `/metrics` for Prometheus, `/health` for load balancers.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::errors::ErrorResponse;
use crate::api::contract::field;
use crate::service::server::state::SharedState;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /metrics`
pub async fn metrics(State(state): State<SharedState>) -> Result<Response, ErrorResponse> {
    let totals = state.store.totals().await?;
    let text = state.metrics.text(totals, state.audits.busy().await?).map_err(|_| ErrorResponse::Internal)?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}

/// `GET /health`: succeeds if the database is readable and not known to be damaged.
pub async fn health(State(state): State<SharedState>) -> Result<Json<Value>, ErrorResponse> {
    state.store.check_health().await?;
    Ok(Json(json!({ field::STATUS: 200 })))
}
