//! `keys`: the API keys of the embedded service. A key is shown once, when it is created.

use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::column::{CREATED_KEY, LISTED_KEY, LISTED_PERSON, REVOKED_KEY};
use crate::cli::output::record::Record;
use crate::cli::service_args::KeyCommand;
use crate::domain::desk::{Handle, Person, Role};
use crate::domain::export::json::time;
use crate::domain::failure::{Failure, FailureKind};
use crate::service::keys::{self, KeyError, KeyRow, NewKey, PersonChange};
use crate::service::{OpenError, StoreAddress, StoreError};

/// Runs a `keys` command.
pub async fn run(context: &CommandContext<'_>, command: KeyCommand) -> Result<(), CommandError> {
    let (store, read_only) = (context.store()?, context.options.read_only);
    if read_only && matches!(command, KeyCommand::Revoke { .. } | KeyCommand::Person { .. }) {
        return Err(CommandError::usage(
            "this would change keys, but only reading is allowed",
            "Leave --read-only out",
        ));
    }
    match command {
        KeyCommand::Create { name, person, role, expires } => {
            let role = match (role, read_only) {
                (Some(Role::Triage | Role::Admin), true) => {
                    return Err(CommandError::usage("--read-only means --role viewer", "Leave one of them out"));
                }
                (Some(Role::Viewer) | None, true) => Role::Viewer,
                (Some(role), false) => role,
                // A person's key triages by default; a program's may do everything.
                (None, false) if person.is_some() => Role::Triage,
                (None, false) => Role::Admin,
            };
            create(context, store, NewKey { name, role, person, expires_at: expires }).await
        }
        KeyCommand::List => {
            let keys = keys::list(store).await?;
            Ok(context.print_list(LISTED_KEY, keys.iter().map(listed), "keys")?)
        }
        KeyCommand::Revoke { name } => {
            keys::revoke(store, &name).await?;
            Ok(context.print_one(REVOKED_KEY, &Record::new(json!({ "name": name, "revoked": true })))?)
        }
        KeyCommand::People => {
            let people = keys::people(store).await?;
            Ok(context.print_list(LISTED_PERSON, people.iter().map(listed_person), "people")?)
        }
        KeyCommand::Person { handle, name, left, back } => {
            let change = PersonChange { name, is_here: (left || back).then_some(back) };
            let person = keys::change_person(store, &handle, change).await?;
            Ok(context.print_one(LISTED_PERSON, &listed_person(&person))?)
        }
    }
}

/// Creates a key and prints it.
async fn create(context: &CommandContext<'_>, store: StoreAddress, new: NewKey) -> Result<(), CommandError> {
    let name = new.name.clone();
    let key = keys::create(store.clone(), new).await?;
    let record = Record::new(json!({ "name": name, "key": key.expose_secret() }));
    if let Err(error) = context.print_one(CREATED_KEY, &record) {
        return Err(revoke_unprinted(store, name, &error).await);
    }
    print_note("note: save the key now; it is not shown again");
    Ok(())
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

fn listed(key: &KeyRow) -> Record {
    Record::new(json!({
        "name": key.name,
        "number": key.id,
        "role": key.role.name(),
        "person": key.person.as_ref().map(Handle::as_str),
        "created_at": time(Some(key.created_at)),
        "last_used_at": time(key.last_used_at),
        "expires_at": time(key.expires_at),
        "revoked_at": time(key.revoked_at),
    }))
}

fn listed_person(person: &Person) -> Record {
    Record::new(json!({
        "handle": person.handle.as_str(),
        "name": person.name.raw(),
        "role": person.role.map(Role::name),
        "left_at": time(person.left_at),
    }))
}

impl From<KeyError> for CommandError {
    fn from(error: KeyError) -> Self {
        let kind = match error {
            KeyError::Missing(_) | KeyError::NoPerson(_) => FailureKind::NotFound,
            KeyError::Name | KeyError::PersonName | KeyError::Taken(_) => FailureKind::Invalid,
            KeyError::Open(OpenError::Server { .. }) | KeyError::Store(StoreError::Unavailable(_)) => {
                FailureKind::Unreachable
            }
            KeyError::Open(_) | KeyError::Store(_) | KeyError::NoDatabase(_) | KeyError::Random(_) => {
                FailureKind::Local
            }
        };
        Failure::new(kind, error.to_string(), "").into()
    }
}
