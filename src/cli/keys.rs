//! `keys`: the API keys of the embedded service. A key is shown once, when it is made.
//!
//! Must not log a key.

use std::path::Path;

use secrecy::ExposeSecret as _;
use serde_json::json;

use super::args::{Format, Keys};
use super::format::Shape;
use super::format::record::Record;
use super::problem::{Problem, say};
use super::setting::Setting;
use crate::domain::export::json::time;
use crate::domain::failure::{Failure, FailureKind};
use crate::service::keys::{self, KeyError, KeyRow};

const CREATED: &[&str] = &["name", "key"];
const LISTED: &[&str] = &["name", "created_at", "revoked_at"];
const REVOKED: &[&str] = &["name", "revoked"];

/// Makes, lists or revokes keys.
pub(super) async fn run(setting: &Setting<'_>, command: Keys) -> Result<(), Problem> {
    let (data, reads) = (setting.data()?, matches!(command, Keys::List));
    if setting.options.read_only && !reads {
        return Err(Problem::usage("this would change keys, and only reading is allowed", "Leave --read-only out"));
    }
    let (shows_key, columns) = match &command {
        Keys::Create { .. } => (true, CREATED),
        Keys::List => (false, LISTED),
        Keys::Revoke { .. } => (false, REVOKED),
    };
    let done = tokio::task::spawn_blocking(move || perform(&data, &command)).await;
    let done = done.map_err(|error| Problem::local(format!("the work on keys broke off: {error}"), "Try again"))?;
    let records = done.map_err(|error| problem(&error))?;
    let shape = if reads { Shape::Many } else { Shape::One };
    let mut printer = Format::chosen(setting.options.format).printer(shape, columns);
    for record in &records {
        printer.record(record)?;
    }
    printer.finish()?;
    if shows_key {
        say("note: keep the key now; it is not shown again");
    }
    Ok(())
}

fn perform(data: &Path, command: &Keys) -> Result<Vec<Record>, KeyError> {
    match command {
        Keys::Create { name } => {
            let key = keys::create(data, name)?;
            let key = key.expose_secret();
            Ok(vec![Record::new(json!({ "name": name, "key": key }), vec![name.clone(), key.to_owned()])])
        }
        Keys::List => Ok(keys::list(data)?.iter().map(listed).collect()),
        Keys::Revoke { name } => {
            keys::revoke(data, name)?;
            Ok(vec![Record::new(json!({ "name": name, "revoked": true }), vec![name.clone(), "true".to_owned()])])
        }
    }
}

fn listed(key: &KeyRow) -> Record {
    let revoked = key.revoked_at.map(|at| at.to_string()).unwrap_or_default();
    let json =
        json!({ "name": key.name, "created_at": time(Some(key.created_at)), "revoked_at": time(key.revoked_at) });
    Record::new(json, vec![key.name.clone(), key.created_at.to_string(), revoked])
}

fn problem(error: &KeyError) -> Problem {
    let kind = match error {
        KeyError::Missing(_) => FailureKind::NotFound,
        KeyError::Name | KeyError::Taken(_) => FailureKind::Invalid,
        KeyError::Open(_) | KeyError::Database(_) | KeyError::Random(_) => FailureKind::Local,
    };
    Failure::new(kind, error.to_string(), "").into()
}
