//! OpenAPI schemas of the desk. They are closed: responses have no other fields.

use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use super::schemas::{closed, count, schema, time};
use crate::api::contract::field;
use crate::domain::desk::{PresenceActivity, Role};
use crate::domain::triage::StateKind;

/// Returns all desk schemas by name.
pub fn all() -> Value {
    json!({
        "DeskOverview": overview(),
        "DeskPerson": person(),
        "DeskService": service(),
        "DeskBaseline": baseline(),
        "DeskRow": row(),
        "DeskNote": note(),
        "DeskEvent": event(),
        "DeskPresence": presence(),
        "DeskRows": page("rows", "DeskRow"),
        "DeskNotes": page("notes", "DeskNote"),
        "DeskHistory": history(),
        "DeskChanges": changes(),
        "DeskConflict": conflict(),
    })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn nullable(schema: &Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn list(name: &str) -> Value {
    json!({ "type": "array", "items": schema(name) })
}

/// Returns the schema of a state's name.
pub fn state() -> Value {
    json!({ "enum": StateKind::iter().map(StateKind::word).collect::<Vec<_>>() })
}

/// Returns the schema of a write's id.
pub fn change() -> Value {
    json!({ "type": "string", "format": "uuid", "description": "The id of the write, drawn by the client." })
}

fn role() -> Value {
    json!({ "enum": Role::iter().map(Role::word).collect::<Vec<_>>() })
}

fn handle() -> Value {
    json!({ "type": "string", "pattern": "^[a-z0-9._-]{1,40}$" })
}

fn actor() -> Value {
    json!({ "type": "string", "description": "A person's handle, key: and the name of a key without a person, or @operator." })
}

fn position() -> Vec<(&'static str, Value)> {
    vec![("revision", count()), ("change", nullable(&change()))]
}

fn with_position(more: Vec<(&'static str, Value)>) -> Value {
    closed(&position().into_iter().chain(more).collect::<Vec<_>>(), &[])
}

fn overview() -> Value {
    let me = closed(&[("handle", nullable(&handle())), ("actor", actor()), ("role", role())], &[]);
    with_position(vec![
        ("service_id", text()),
        ("me", me),
        ("people", list("DeskPerson")),
        ("services", list("DeskService")),
        ("time", time()),
    ])
}

fn person() -> Value {
    closed(&[("handle", handle()), ("name", text()), ("role", nullable(&role())), ("left_at", nullable(&time()))], &[])
}

fn service() -> Value {
    let id = json!({ "type": "integer", "minimum": 1 });
    closed(&[("id", id), ("base", nullable(&text())), ("service_id", nullable(&text())), ("label", text())], &[])
}

/// Returns the schema of a report's result at the time its state was set.
fn baseline() -> Value {
    let score = json!({ "type": ["integer", "null"], "minimum": 0, "maximum": 255 });
    let failing = json!({ "type": ["array", "null"], "items": text() });
    closed(
        &[("result", nullable(&text())), ("score", score), ("failing", failing), ("generated_at", nullable(&time()))],
        &[],
    )
}

fn row() -> Value {
    closed(
        &[
            ("report", text()),
            ("state", state()),
            ("until", nullable(&time())),
            ("holder", nullable(&handle())),
            ("baseline", schema("DeskBaseline")),
            ("reason", nullable(&text())),
            ("version", json!({ "type": "integer", "minimum": 1 })),
            ("set_by", actor()),
            ("set_at", time()),
        ],
        &[],
    )
}

fn note() -> Value {
    closed(
        &[
            ("id", json!({ "type": "integer", "minimum": 1 })),
            ("report", text()),
            ("author", actor()),
            ("text", text()),
            ("at", time()),
            ("withdrawn", json!({ "type": "boolean" })),
        ],
        &[],
    )
}

fn event() -> Value {
    let integer = json!({ "type": "integer" });
    let any = |names: &[&str]| {
        let of = names.iter().map(|name| schema(name)).chain([json!({ "type": "null" })]);
        json!({ "anyOf": of.collect::<Vec<_>>() })
    };
    let contents = any(&["DeskRow", "DeskNote", "DeskService", "DeskPerson"]);
    closed(
        &[
            ("revision", count()),
            ("change", change()),
            ("service", nullable(&integer)),
            ("report", nullable(&text())),
            ("person", actor()),
            ("kind", json!({ "enum": ["state", "note", "service", "merged", "key", "person"] })),
            ("cause", nullable(&text())),
            ("at", time()),
            ("decided_at", nullable(&time())),
        ],
        &[
            ("before", contents.clone()),
            ("after", contents),
            ("from", integer.clone()),
            ("into", integer),
            ("name", text()),
            ("role", role()),
            ("owner", nullable(&handle())),
            ("revoked", json!({ "type": "boolean" })),
        ],
    )
}

fn presence() -> Value {
    let doing = json!({ "enum": PresenceActivity::iter().map(PresenceActivity::word).collect::<Vec<_>>() });
    closed(&[("handle", handle()), ("report", nullable(&text())), ("doing", doing), ("since", time())], &[])
}

fn page(name: &'static str, item: &str) -> Value {
    with_position(vec![(name, list(item)), ("more", json!({ "type": "boolean" }))])
}

fn history() -> Value {
    closed(&[("events", list("DeskEvent")), ("more", json!({ "type": "boolean" }))], &[])
}

fn changes() -> Value {
    let boolean = json!({ "type": "boolean" });
    let pause = json!({ "type": "integer", "minimum": 0, "description": "Seconds to wait before the next request." });
    with_position(vec![
        ("reset", boolean.clone()),
        ("events", list("DeskEvent")),
        ("present", list("DeskPresence")),
        ("more", boolean),
        ("pause", pause),
    ])
}

fn conflict() -> Value {
    let (message, status) = (text(), json!({ "type": "integer" }));
    closed(&[(field::MESSAGE, message), (field::DATA, nullable(&schema("DeskRow"))), (field::STATUS, status)], &[])
}
