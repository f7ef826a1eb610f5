//! OpenAPI schemas of responses. They are closed: responses have no other fields.

use serde_json::{Map, Value, json};
use strum::IntoEnumIterator as _;

use crate::api::contract::field;
use crate::domain::report::fetch_failure::FetchFailure;

/// Returns a reference to one of [`all`].
pub fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Returns an object schema with exactly these fields, the `optional` ones not required.
pub fn closed(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        required.iter().chain(optional).map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let names: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

/// Returns all schemas by name.
pub fn all() -> Value {
    json!({
        "Report": closed(&report(), &[fetch_error()]),
        "WholeReport": closed(&whole_report(), &[fetch_error()]),
        "Check": check(),
        "FormerResult": former_result(),
        "Project": project(),
        "Links": links(),
        "Meta": meta(),
        "Error": refusal(),
    })
}

pub fn time() -> Value {
    json!({ "type": "string", "format": "date-time" })
}

pub fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn score() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 100 })
}

fn result() -> Value {
    json!({ "enum": ["good", "decent", "bad"] })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn report() -> Vec<(&'static str, Value)> {
    vec![
        (field::ID, json!({ "type": "integer", "minimum": 1 })),
        (field::URL, json!({ "type": "string", "description": "The page as requested, normalised." })),
        (field::PROJECT, json!({ "type": "string", "description": "The host of the final URL, without www." })),
        (field::RESULT, result()),
        (field::SCORE, score()),
        (field::GENERATED_AT, time()),
        (field::CREATED_AT, time()),
        (field::UPDATED_AT, time()),
        (field::PRIVACY, json!({ "enum": [0, 1, 2], "description": "0 public, 1 private, 2 password." })),
        (field::PASSWORD, json!({ "type": "boolean", "description": "Whether one is set; it is never returned." })),
        (field::FAILED, texts("The ids of failed checks.")),
    ]
}

/// Not part of the reports API, so clients may not rely on it.
fn fetch_error() -> (&'static str, Value) {
    let description = "Why the page could not be fetched: its host name has no address, TLS failed, no connection, no \
                       response in time, its status, or otherwise. Null if it was fetched or nothing is known.";
    let classes = FetchFailure::iter().map(|class| Value::from(class.name())).chain([Value::Null]);
    (field::FETCH_ERROR, json!({ "enum": classes.collect::<Vec<_>>(), "description": description }))
}

fn whole_report() -> Vec<(&'static str, Value)> {
    let mut fields = report();
    let history = json!({ "type": "array", "items": schema("FormerResult") });
    fields.push((field::RESULTS, json!({ "type": "object", "additionalProperties": schema("Check") })));
    fields.push((field::HISTORY, history));
    fields
}

fn check() -> Value {
    closed(
        &[
            (field::PASSED, json!({ "type": ["boolean", "null"], "description": "null if nothing was judged." })),
            (field::IMPORTANCE, json!({ "enum": ["high", "medium", "low", "note", null] })),
            (field::CATEGORY, json!({ "type": ["string", "null"] })),
            (field::OUTCOME, json!({ "enum": ["passed", "failed", "note", "not_applicable"] })),
            (field::VALUE, json!({ "description": "What was measured or found; any JSON." })),
            (field::ERRORS, texts("What is wrong.")),
        ],
        &[],
    )
}

fn former_result() -> Value {
    closed(
        &[
            (field::GENERATED_AT, time()),
            (field::RESULT, result()),
            (field::SCORE, score()),
            (field::FAILED, texts("The ids of the checks that failed then.")),
        ],
        &[],
    )
}

fn project() -> Value {
    closed(
        &[
            (field::PROJECT, json!({ "type": "string" })),
            (field::CREATED_AT, time()),
            (field::REPORTS, count()),
            (field::GOOD, count()),
            (field::DECENT, count()),
            (field::BAD, count()),
        ],
        &[],
    )
}

fn links() -> Value {
    let perhaps = json!({ "type": ["string", "null"] });
    let always = json!({ "type": "string" });
    closed(&[("first", always), ("last", perhaps.clone()), ("prev", perhaps.clone()), ("next", perhaps)], &[])
}

fn meta() -> Value {
    let perhaps = |least: u8, description: &str| json!({ "type": ["integer", "null"], "minimum": least, "description": description });
    let by_cursor = "Null on a page requested by cursor.";
    let by_search = "Null on a page of a search requested by cursor.";
    closed(
        &[
            ("current_page", perhaps(1, by_cursor)),
            ("from", perhaps(1, by_cursor)),
            ("last_page", perhaps(1, by_search)),
            (
                field::NEXT_CURSOR,
                json!({ "type": ["string", "null"], "description": "Where the next page begins; null on the last page." }),
            ),
            ("path", json!({ "type": "string" })),
            ("per_page", count()),
            ("to", perhaps(1, by_cursor)),
            ("total", perhaps(0, by_search)),
        ],
        &[],
    )
}

fn refusal() -> Value {
    let errors = json!({ "type": "object", "additionalProperties": texts("What is wrong with this field.") });
    let status = json!({ "type": "integer", "description": "The HTTP status again." });
    closed(&[(field::MESSAGE, json!({ "type": "string" })), (field::STATUS, status)], &[(field::ERRORS, errors)])
}

/// The meaning of each error status.
const REFUSALS: [(&str, &str); 13] = [
    ("400", "The request is malformed: two Host headers, or a body that has invalid HTTP framing."),
    ("401", "No API key, or one that is not active."),
    ("403", "The role of the key may not do this, or the Host header names another machine."),
    ("404", "The resource does not exist."),
    ("405", "The path does not support this method; Allow lists those it supports."),
    ("413", "The body is longer than 64 KiB."),
    ("415", "The body has a content type other than this one."),
    ("422", "Some fields are invalid; errors lists which and why."),
    ("428", "A write of a row needs If-Match or If-None-Match."),
    ("429", "The rate limit of the key is used up, or too many audits are queued; Retry-After says when to try again."),
    ("500", "The service failed. Its message says so if a write may have been saved nevertheless."),
    (
        "503",
        "The service is stopping or overloaded, cannot reach its database, is locked out of it by another program, or \
         could not finish an audit. Nothing was changed; Retry-After says when to try again, except when it is stopping.",
    ),
    ("507", "The disk of the service is full; nothing was changed."),
];

/// Returns all error responses by status.
pub fn refusals() -> Value {
    let response = |description: &str| json!({ "description": description, "content": content(&schema("Error")) });
    let conflict = json!({
        "description": "The row has changed meanwhile. Nothing was changed; data is the current row.",
        "content": content(&schema("DeskConflict")),
    });
    let all = REFUSALS.iter().map(|(status, description)| ((*status).to_owned(), response(description)));
    all.chain([("412".to_owned(), conflict)]).collect()
}

/// Returns the content of a JSON body.
pub fn content(schema: &Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

/// Returns the rate limit headers.
pub fn headers() -> Value {
    let number = |description: &str| json!({ "description": description, "schema": { "type": "integer" } });
    json!({
        "X-RateLimit-Limit": number("Requests per minute."),
        "X-RateLimit-Remaining": number("How many of them remain."),
        "X-RateLimit-Reset": number("When the next minute begins, in seconds since 1970."),
    })
}
