//! `keys`: the API keys of the embedded service. A key is shown once, when it is created.

use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::column::{CREATED_KEY, LISTED_KEY, LISTED_PERSON, REVOKED_KEY};
use crate::cli::output::paged_list::note_empty_list;
use crate::cli::output::record::{CellValue, Record};
use crate::cli::output::{RecordPrinter, Shape};
use crate::cli::service_args::KeyCommand;
use crate::domain::desk::{Handle, Person, Role};
use crate::domain::export::json::time;
use crate::domain::failure::{Failure, FailureKind};
use crate::service::StoreAddress;
use crate::service::keys::{self, KeyError, KeyRow, NewKey, PersonChange};

/// Runs a `keys` command.
pub async fn run(context: &CommandContext<'_>, command: KeyCommand) -> Result<(), CommandError> {
    let (store, reads) = (context.store()?, matches!(command, KeyCommand::List | KeyCommand::People));
    let command = with_role(command, context.options.read_only)?;
    if context.options.read_only && matches!(command, KeyCommand::Revoke { .. } | KeyCommand::Person { .. }) {
        return Err(CommandError::usage(
            "this would change keys, but only reading is allowed",
            "Leave --read-only out",
        ));
    }
    let lists_people = matches!(command, KeyCommand::People);
    let (created, columns) = match &command {
        KeyCommand::Create { name, .. } => (Some(name.clone()), CREATED_KEY),
        KeyCommand::List => (None, LISTED_KEY),
        KeyCommand::Revoke { .. } => (None, REVOKED_KEY),
        KeyCommand::People | KeyCommand::Person { .. } => (None, LISTED_PERSON),
    };
    let records = perform(store.clone(), command).await.map_err(|error| problem(&error))?;
    let shape = if reads { Shape::Many } else { Shape::One };
    let mut printer = context.printer(shape, columns);
    let printed = print(printer.as_mut(), &records);
    let Some(name) = created else {
        printed?;
        if records.is_empty() {
            note_empty_list(if lists_people { "people" } else { "keys" });
        }
        return Ok(());
    };
    if let Err(error) = printed {
        return Err(revoke_unprinted(store, name, &error).await);
    }
    print_note("note: save the key now; it is not shown again");
    Ok(())
}

/// Applies the role implied by `--read-only`.
fn with_role(command: KeyCommand, read_only: bool) -> Result<KeyCommand, CommandError> {
    match command {
        KeyCommand::Create { role: Some(Role::Triage | Role::Admin), .. } if read_only => {
            Err(CommandError::usage("--read-only means --role viewer", "Leave one of them out"))
        }
        KeyCommand::Create { name, person, expires, .. } if read_only => {
            Ok(KeyCommand::Create { name, person, role: Some(Role::Viewer), expires })
        }
        command => Ok(command),
    }
}

fn print(printer: &mut dyn RecordPrinter, records: &[Record]) -> std::io::Result<()> {
    for record in records {
        printer.record(record)?;
    }
    printer.finish()
}

/// Revokes a key that could not be printed.
async fn revoke_unprinted(store: StoreAddress, name: String, error: &std::io::Error) -> CommandError {
    let message = format!("the key cannot be printed: {error}");
    match keys::revoke(store, &name).await {
        Ok(()) => CommandError::local(
            format!("{message}; {name} was revoked"),
            "Check the destination of the output, then create the key again",
        ),
        Err(why) => {
            let advice = format!("Revoke it with `reportdeck keys revoke {name}`");
            CommandError::local(format!("{message}; and {name} could not be revoked: {why}"), advice)
        }
    }
}

async fn perform(store: StoreAddress, command: KeyCommand) -> Result<Vec<Record>, KeyError> {
    match command {
        KeyCommand::Create { name, person, role, expires } => {
            // A person's key triages by default; a program's may do everything, as before people were introduced.
            let usual = if person.is_some() { Role::Triage } else { Role::Admin };
            let new = NewKey { name: name.clone(), role: role.unwrap_or(usual), person, expires_at: expires };
            let key = keys::create(store, new).await?;
            let key = key.expose_secret();
            Ok(vec![Record::new(json!({ "name": name, "key": key }), vec![name.into(), key.into()])])
        }
        KeyCommand::List => Ok(keys::list(store).await?.iter().map(listed).collect()),
        KeyCommand::Revoke { name } => {
            keys::revoke(store, &name).await?;
            Ok(vec![Record::new(json!({ "name": name, "revoked": true }), vec![name.into(), "true".into()])])
        }
        KeyCommand::People => Ok(keys::people(store).await?.iter().map(listed_person).collect()),
        KeyCommand::Person { handle, name, left, back } => {
            let change = PersonChange { name, is_here: (left || back).then_some(back) };
            Ok(vec![listed_person(&keys::change_person(store, &handle, change).await?)])
        }
    }
}

fn listed(key: &KeyRow) -> Record {
    let json = json!({
        "name": key.name,
        "number": key.id,
        "role": key.role.name(),
        "person": key.person.as_ref().map(Handle::as_str),
        "created_at": time(Some(key.created_at)),
        "last_used_at": time(key.last_used_at),
        "expires_at": time(key.expires_at),
        "revoked_at": time(key.revoked_at),
    });
    let times = [key.last_used_at, key.expires_at, key.revoked_at].map(CellValue::from);
    let person = key.person.as_ref().map(Handle::to_string).unwrap_or_default();
    let words = [key.name.clone(), key.id.to_string(), key.role.name().to_owned(), person].map(CellValue::from);
    Record::new(json, words.into_iter().chain([CellValue::Time(key.created_at)]).chain(times).collect())
}

fn listed_person(person: &Person) -> Record {
    let (handle, role) = (person.handle.as_str(), person.role.map(Role::name));
    let json = json!({ "handle": handle, "name": person.name.raw(), "role": role, "left_at": time(person.left_at) });
    let words = [handle, person.name.shown(), role.unwrap_or_default()].map(|word| CellValue::from(word.to_owned()));
    Record::new(json, words.into_iter().chain([CellValue::from(person.left_at)]).collect())
}

fn problem(error: &KeyError) -> CommandError {
    let kind = match error {
        KeyError::Missing(_) | KeyError::NoPerson(_) => FailureKind::NotFound,
        KeyError::Name | KeyError::PersonName | KeyError::Taken(_) => FailureKind::Invalid,
        KeyError::Open(_) | KeyError::Store(_) | KeyError::Random(_) => FailureKind::Local,
    };
    Failure::new(kind, error.to_string(), "").into()
}
