//! OpenAPI operations with parameters and responses. Allowed values come from the tables that parse them.

use axum::http::Method;
use serde_json::{Map, Value, json};

use super::schemas::{content, schema};
use crate::api::contract::{self, field, parameter};
use crate::audit::MAX_URL_LENGTH;
use crate::domain::list::query::PAGE_SIZES;
use crate::domain::report::privacy::LONGEST_PASSWORD;
use crate::service::handlers::list_page::DIRECTIONS;
use crate::service::handlers::{projects, reports};

/// The parts of an operation.
pub struct OperationBuilder {
    pub name: &'static str,
    pub summary: &'static str,
    pub parameters: Vec<Value>,
    pub body: Option<Value>,
    pub success: (&'static str, Value),
    /// Error statuses besides those that every request may get.
    pub refusals: &'static [&'static str],
}

impl OperationBuilder {
    /// Describes the operation with a form-encoded body.
    pub fn describe(self, needs_key: bool) -> Value {
        self.describe_with(contract::FORM, needs_key)
    }

    /// Describes the operation with a body of this content type.
    pub fn describe_with(self, content_type: &str, needs_key: bool) -> Value {
        let (status, shape) = self.success;
        let mut responses = Map::new();
        let mut success = json!({ "description": self.summary, "content": content(&shape) });
        if needs_key {
            let limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
            success["headers"] = limits.iter().map(|name| ((*name).to_owned(), header(name))).collect();
        }
        responses.insert(status.to_owned(), success);
        let of_keys: &[&str] = if needs_key { &["401", "429"] } else { &[] };
        for status in of_keys.iter().chain(self.refusals).chain(&["400", "403", "500", "503"]) {
            let name = format!("#/components/responses/{status}");
            responses.insert((*status).to_owned(), json!({ "$ref": name }));
        }
        let security = if needs_key { json!([{ "key": [] }]) } else { json!([]) };
        let mut operation = json!({
            "operationId": self.name,
            "summary": self.summary,
            "parameters": self.parameters,
            "responses": responses,
            "security": security,
        });
        if let Some(body) = self.body {
            // Required only if a field is: an update without fields is valid.
            let required = body.get("required").is_some();
            operation["requestBody"] = json!({ "required": required, "content": { content_type: { "schema": body } } });
        }
        operation
    }
}

fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// Describes a query parameter that may be missing or empty.
pub fn query(name: &str, allowed: &Value, description: &str) -> Value {
    let schema = json!({ "anyOf": [allowed, { "const": "" }] });
    json!({ "name": name, "in": "query", "required": false, "allowEmptyValue": true, "schema": schema,
            "description": description })
}

/// Returns a schema that allows the words of a table.
pub fn word<T>(table: &[(&str, T)]) -> Value {
    json!({ "enum": table.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
}

pub fn in_path(name: &str, allowed: &Value) -> Value {
    json!({ "name": name, "in": "path", "required": true, "schema": allowed })
}

fn id() -> Value {
    in_path("id", &json!({ "type": "integer", "minimum": 1 }))
}

fn list_parameters(search_by: &Value, sort_by: &Value) -> Vec<Value> {
    vec![
        query(parameter::SEARCH, &json!({ "type": "string" }), "Only rows that contain this text."),
        query(parameter::SEARCH_BY, search_by, "The field that the search applies to."),
        query(parameter::SORT_BY, sort_by, "The sort key."),
        query(parameter::SORT, &word(&DIRECTIONS), "The sort direction."),
        query(parameter::PER_PAGE, &json!({ "enum": PAGE_SIZES }), "Rows per page."),
        query(
            parameter::PAGE,
            &json!({ "type": "integer", "minimum": 1 }),
            "The number of the page; past the end it is empty.",
        ),
        query(
            parameter::CURSOR,
            &json!({ "type": "string" }),
            "The next_cursor of the preceding page, instead of a page number, with the same order and \
             filters. Concurrent inserts and deletions do not shift rows.",
        ),
    ]
}

fn envelope(properties: Value, required: &[&str]) -> Value {
    let mut properties = properties;
    properties[field::STATUS] = json!({ "type": "integer" });
    let required: Vec<&str> = required.iter().copied().chain([field::STATUS]).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub fn one(shape: &Value) -> Value {
    envelope(json!({ field::DATA: shape }), &[field::DATA])
}

fn many(name: &str) -> Value {
    let rows = json!({ "type": "array", "items": schema(name) });
    let parts = json!({ field::DATA: rows, field::LINKS: schema("Links"), field::META: schema("Meta") });
    envelope(parts, &[field::DATA, field::LINKS, field::META])
}

fn deleted(id: &Value, object: &str) -> Value {
    let parts = json!({ field::ID: id, "object": { "const": object }, "deleted": { "const": true } });
    envelope(parts, &[field::ID, "object", "deleted"])
}

fn privacy() -> Value {
    json!({ "enum": [0, 1, 2, ""], "description": "0 public, 1 private, 2 password." })
}

fn password() -> Value {
    json!({ "type": "string", "maxLength": LONGEST_PASSWORD,
            "description": "The password of the report page. Only works with privacy set to 2, which requires one." })
}

/// `GET /reports`
pub fn list_reports(needs_key: bool, _: &Method) -> Value {
    let mut parameters = list_parameters(&word(&reports::SEARCHABLE), &word(&reports::SORTABLE));
    parameters.push(query(parameter::PROJECT, &json!({ "type": "string" }), "Only this project, by its full name."));
    parameters.push(query(parameter::RESULT, &word(&reports::RESULTS), "Only this result."));
    let (name, summary) = ("listReports", "List reports");
    let success = ("200", many("Report"));
    OperationBuilder { name, summary, parameters, body: None, success, refusals: &["422"] }.describe(needs_key)
}

/// `POST /reports`
pub fn create_report(needs_key: bool, _: &Method) -> Value {
    let url = json!({ "type": "string", "minLength": 1, "maxLength": MAX_URL_LENGTH,
        "description": "The page to audit. Without a scheme it is requested over https. 422 if it is not an address of \
                        the web, or one that may not be audited." });
    let properties = json!({ parameter::URL: url, parameter::PRIVACY: privacy(), parameter::PASSWORD: password() });
    let body = json!({ "type": "object", "required": [parameter::URL], "properties": properties });
    OperationBuilder {
        name: "createReport",
        summary: "Audit a page and store the report",
        parameters: Vec::new(),
        body: Some(body),
        success: ("201", one(&schema("WholeReport"))),
        refusals: &["413", "415", "422", "507"],
    }
    .describe(needs_key)
}

/// `GET /reports/{id}`
pub fn show_report(needs_key: bool, _: &Method) -> Value {
    OperationBuilder {
        name: "showReport",
        summary: "Show a report with all its results",
        parameters: vec![id()],
        body: None,
        success: ("200", one(&schema("WholeReport"))),
        refusals: &["404"],
    }
    .describe(needs_key)
}

/// `PUT` and `PATCH /reports/{id}`
pub fn update_report(needs_key: bool, method: &Method) -> Value {
    let again =
        json!({ "enum": [0, 1, ""], "description": "1 re-runs the audit; the previous result goes into the history." });
    let properties =
        json!({ parameter::PRIVACY: privacy(), parameter::PASSWORD: password(), parameter::RESULTS: again });
    let body = json!({ "type": "object", "properties": properties });
    OperationBuilder {
        name: if *method == Method::PUT { "updateReport" } else { "changeReport" },
        summary: "Change the privacy of a report, or re-run it",
        parameters: vec![id()],
        body: Some(body),
        success: ("200", one(&schema("WholeReport"))),
        refusals: &["404", "413", "415", "422", "507"],
    }
    .describe(needs_key)
}

/// `DELETE /reports/{id}`
pub fn delete_report(needs_key: bool, _: &Method) -> Value {
    OperationBuilder {
        name: "deleteReport",
        summary: "Delete a report",
        parameters: vec![id()],
        body: None,
        success: ("200", deleted(&json!({ "type": "integer" }), "report")),
        refusals: &["404", "507"],
    }
    .describe(needs_key)
}

/// `GET /reports/{id}/history`
pub fn report_history(needs_key: bool, _: &Method) -> Value {
    OperationBuilder {
        name: "reportHistory",
        summary: "Earlier results of a report, newest first",
        parameters: vec![id()],
        body: None,
        success: ("200", one(&json!({ "type": "array", "items": schema("FormerResult") }))),
        refusals: &["404"],
    }
    .describe(needs_key)
}

/// `GET /reports/{id}/link`
pub fn report_link(needs_key: bool, _: &Method) -> Value {
    let expires = json!({ "type": ["string", "null"], "format": "date-time" });
    let properties = json!({ field::URL: { "type": "string" }, field::EXPIRES_AT: expires });
    let link = json!({ "type": "object", "properties": properties, "required": [field::URL, field::EXPIRES_AT],
                       "additionalProperties": false });
    OperationBuilder {
        name: "reportLink",
        summary: "A link that opens the report page in a browser, valid for ten minutes unless the report is public",
        parameters: vec![id()],
        body: None,
        success: ("200", one(&link)),
        refusals: &["404"],
    }
    .describe(needs_key)
}

/// `GET /projects`
pub fn list_projects(needs_key: bool, _: &Method) -> Value {
    OperationBuilder {
        name: "listProjects",
        summary: "List projects",
        parameters: list_parameters(&word(&projects::SEARCHABLE), &word(&projects::SORTABLE)),
        body: None,
        success: ("200", many("Project")),
        refusals: &["422"],
    }
    .describe(needs_key)
}

/// `DELETE /projects/{project}`
pub fn delete_project(needs_key: bool, _: &Method) -> Value {
    OperationBuilder {
        name: "deleteProject",
        summary: "Delete a project with all its reports",
        parameters: vec![in_path("project", &json!({ "type": "string", "minLength": 1 }))],
        body: None,
        success: ("200", deleted(&json!({ "type": "string" }), "project")),
        refusals: &["404", "507"],
    }
    .describe(needs_key)
}

/// `GET /health`
pub fn health(needs_key: bool, _: &Method) -> Value {
    OperationBuilder {
        name: "health",
        summary: "Whether the service and its database respond",
        parameters: Vec::new(),
        body: None,
        success: ("200", envelope(json!({}), &[])),
        refusals: &[],
    }
    .describe(needs_key)
}
