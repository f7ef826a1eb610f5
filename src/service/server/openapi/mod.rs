//! The API as an OpenAPI 3.1 document, built from the routes and from the tables of allowed values. A test compares it
//! with real responses.

pub mod desk;
mod desk_schemas;
mod operations;
mod schemas;

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::{Value, json};

pub use operations::{
    create_report, delete_project, delete_report, health, list_projects, list_reports, report_history, report_link,
    show_report, update_report,
};

/// Describes an operation, given whether it needs a key, and its method.
pub type Describe = fn(bool, &Method) -> Value;

/// Returns the schemas of reports, projects and the desk, by name.
fn schemas() -> Value {
    let mut all = schemas::all();
    if let (Value::Object(all), Value::Object(of_desk)) = (&mut all, desk_schemas::all()) {
        all.extend(of_desk);
    }
    all
}

/// Builds the whole document from path, method, whether a key is needed, and description of each operation.
pub fn document<'r>(operations: impl Iterator<Item = (&'r str, &'r Method, bool, Describe)>) -> Value {
    let mut paths: BTreeMap<&str, serde_json::Map<String, Value>> = BTreeMap::new();
    for (path, method, needs_key, describe) in operations {
        let operation = describe(needs_key, method);
        paths.entry(path).or_default().insert(method.as_str().to_ascii_lowercase(), operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Web page reports and projects",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Reports about web pages: created for a URL, audited immediately, grouped into projects. \
                            Every request needs an API key. Empty parameters count as absent; fields that are \
                            not described here are ignored.",
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas(),
            "responses": schemas::refusals(),
            "headers": schemas::headers(),
        },
    })
}
