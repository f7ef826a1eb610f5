//! OpenAPI operations of the desk.

use axum::http::Method;
use serde_json::{Value, json};

use super::desk_schemas::{change, handle, nullable, state};
use super::operations::{OperationBuilder, in_path, one, query, word};
use super::schemas::{schema, time};
use crate::api::contract::{self, parameter};
use crate::domain::triage::LONGEST_NOTE;
use crate::service::handlers::desk::changes::ACTIVITIES;
use crate::service::handlers::desk::input::{
    LONGEST_BASE, LONGEST_CAUSE, LONGEST_LABEL, LONGEST_REASON, LONGEST_REPORT, LONGEST_SERVICE_ID,
};

/// No control characters.
const ONE_LINE: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";
/// Not only white space.
const NOT_BLANK: &str = r"\S";

fn service_in_path() -> Value {
    in_path("service", &json!({ "type": "integer", "minimum": 1 }))
}

fn place() -> Vec<Value> {
    vec![service_in_path(), in_path("report", &line(LONGEST_REPORT))]
}

fn required(name: &str, allowed: &Value, description: &str) -> Value {
    json!({ "name": name, "in": "query", "required": true, "schema": allowed, "description": description })
}

fn service_parameter() -> Value {
    required(parameter::SERVICE, &json!({ "type": "integer", "minimum": 1 }), "The number of the service.")
}

fn number() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn object(required: &[&str], properties: &Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn line(most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most, "pattern": ONE_LINE })
}

fn read(name: &'static str, summary: &'static str, parameters: Vec<Value>, answer: &str, needs_key: bool) -> Value {
    let refusals: &[&str] = if parameters.is_empty() { &[] } else { &["404", "422"] };
    OperationBuilder { name, summary, parameters, body: None, success: ("200", one(&schema(answer))), refusals }
        .describe(needs_key)
}

fn write(
    name: &'static str,
    summary: &'static str,
    (parameters, body): (Vec<Value>, Value),
    (answer, refusals): (&str, &'static [&'static str]),
    needs_key: bool,
) -> Value {
    let success = ("200", one(&schema(answer)));
    OperationBuilder { name, summary, parameters, body: Some(body), success, refusals }
        .describe_with(contract::JSON, needs_key)
}

/// `GET /desk`
pub fn overview(needs_key: bool, _: &Method) -> Value {
    read("desk", "Overview of the desk", Vec::new(), "DeskOverview", needs_key)
}

/// `POST /desk/services`
pub fn service(needs_key: bool, _: &Method) -> Value {
    let base = json!({ "type": "string", "maxLength": LONGEST_BASE, "pattern": "^https?://",
        "description": "Without user name, password, query and fragment." });
    let id = json!({ "type": "string", "pattern": format!("^[A-Za-z0-9._-]{{1,{LONGEST_SERVICE_ID}}}$") });
    let properties =
        json!({ "change": change(), "base": base, "service_id": nullable(&id), "label": line(LONGEST_LABEL) });
    let summary = "Find a service by its id or base URL, or create it";
    let body = object(&["change", "base", "label"], &properties);
    write("deskService", summary, (Vec::new(), body), ("DeskService", &["413", "415", "422", "507"]), needs_key)
}

/// `POST /desk/services/{service}/merge`
pub fn merge(needs_key: bool, _: &Method) -> Value {
    let properties = json!({ "change": change(), "into": { "type": "integer", "minimum": 1 } });
    let body = object(&["change", "into"], &properties);
    let refusals = &["404", "413", "415", "422", "507"];
    let summary = "Merge a service into another one with a different address";
    write("mergeDeskServices", summary, (vec![service_in_path()], body), ("DeskService", refusals), needs_key)
}

/// `GET /desk/states`
pub fn rows(needs_key: bool, _: &Method) -> Value {
    let after = query(parameter::AFTER, &line(LONGEST_REPORT), "The report of the last row of the previous page.");
    read("deskRows", "State and holder of reports", vec![service_parameter(), after], "DeskRows", needs_key)
}

/// `GET /desk/notes`
pub fn notes(needs_key: bool, _: &Method) -> Value {
    let after = query(parameter::AFTER, &number(), "The id of the last note of the previous page.");
    read("deskNotes", "Notes, oldest first", vec![service_parameter(), after], "DeskNotes", needs_key)
}

/// `PUT /desk/states/{service}/{report}`
pub fn write_row(needs_key: bool, _: &Method) -> Value {
    let header = |name: &str, pattern: &str, description: &str| {
        let schema = json!({ "type": "string", "pattern": pattern });
        json!({ "name": name, "in": "header", "required": false, "schema": schema, "description": description })
    };
    let mut parameters = place();
    parameters.push(header("If-Match", "^\"[0-9]+\"$", "The version that the row must have, in quotes: \"7\"."));
    parameters.push(header("If-None-Match", r"^\*$", "* if there must be no row yet."));
    let reason = json!({ "type": "string", "maxLength": LONGEST_REASON, "pattern": NOT_BLANK });
    let mut cause = nullable(&line(LONGEST_CAUSE));
    cause["description"] =
        json!("What the program observed: of writes with the same cause one is applied, others get the row.");
    let properties = json!({
        "change": change(), "state": state(), "until": nullable(&time()), "holder": nullable(&handle()),
        "baseline": schema("DeskBaseline"), "reason": nullable(&reason), "cause": cause,
        "decided_at": nullable(&time()),
    });
    let body = object(&["change", "state", "baseline"], &properties);
    let refusals = &["404", "412", "413", "415", "422", "428", "507"];
    write("writeDeskRow", "Set state and holder of a report", (parameters, body), ("DeskRow", refusals), needs_key)
}

/// `POST /desk/states/{service}/{report}/notes`
pub fn add_note(needs_key: bool, _: &Method) -> Value {
    let text = json!({ "type": "string", "maxLength": LONGEST_NOTE, "pattern": NOT_BLANK });
    let properties = json!({ "change": change(), "text": text, "decided_at": nullable(&time()) });
    let body = object(&["change", "text"], &properties);
    let refusals = &["404", "413", "415", "422", "507"];
    write("addDeskNote", "Add a note to a report", (place(), body), ("DeskNote", refusals), needs_key)
}

/// `DELETE /desk/states/{service}/{report}/notes/{id}`
pub fn withdraw(needs_key: bool, _: &Method) -> Value {
    let mut parameters = place();
    parameters.push(in_path("id", &json!({ "type": "integer", "minimum": 1 })));
    parameters.push(required(parameter::CHANGE, &change(), "The id of the write."));
    OperationBuilder {
        name: "withdrawDeskNote",
        summary: "Withdraw your own note, or any note as an admin",
        parameters,
        body: None,
        success: ("200", one(&schema("DeskNote"))),
        refusals: &["404", "422", "507"],
    }
    .describe(needs_key)
}

/// `GET /desk/states/{service}/{report}/events`
pub fn history(needs_key: bool, _: &Method) -> Value {
    let mut parameters = place();
    parameters.push(query(parameter::BEFORE, &number(), "The revision of the last event of the previous page."));
    read("deskHistory", "Events of a report, newest first", parameters, "DeskHistory", needs_key)
}

/// `GET /desk/changes`
pub fn changes(needs_key: bool, _: &Method) -> Value {
    let parameters = vec![
        query(
            parameter::SERVICE,
            &json!({ "type": "integer", "minimum": 1 }),
            "Only events of this service and those of no service.",
        ),
        query(
            parameter::AFTER,
            &number(),
            "The revision of the last known event; without it, from the oldest retained event.",
        ),
        query(parameter::CHANGE, &change(), "The change id of that event, to detect a different log."),
        query(parameter::WAIT, &number(), "How many seconds to wait for an event, at most 55."),
        query(parameter::AT, &line(LONGEST_REPORT), "The report that the person has open."),
        query(parameter::DOING, &word(&ACTIVITIES), "What the person does there; without it no presence is shared."),
    ];
    let summary = "Events after a revision, immediately or as soon as there are any, and presence";
    read("deskChanges", summary, parameters, "DeskChanges", needs_key)
}
