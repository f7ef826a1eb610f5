//! The interface as OpenAPI 3.1, made from the tables that answer requests: routes, allowed values, sizes.
//!
//! What it says is compared with real answers by a test. Must not know how anything is answered.

mod operations;
mod schemas;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Value, json};

pub use operations::{
    create_report, delete_project, delete_report, health, list_projects, list_reports, report_history, report_link,
    show_report, update_report,
};

use super::routes::ROUTES;

static DESCRIPTION: LazyLock<String> = LazyLock::new(|| description().to_string());

/// `GET /api/v1/openapi.json`
pub async fn show() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION.as_str())
}

/// The whole document.
fn description() -> Value {
    let mut paths: BTreeMap<&str, serde_json::Map<String, Value>> = BTreeMap::new();
    for route in ROUTES {
        let Some(operation) = route.described else { continue };
        let method = route.method.as_str().to_ascii_lowercase();
        paths.entry(route.path).or_default().insert(method, operation(route.needs_key, &route.method));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Web page reports and projects",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Reports about web pages: created for a URL, audited at once, grouped into projects. Every \
                            request carries an API key. Empty parameters count as absent; fields that are not \
                            described here are ignored.",
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas::all(),
            "responses": schemas::refusals(),
            "headers": schemas::headers(),
        },
    })
}
