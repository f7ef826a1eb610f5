//! `login` and `logout`: store a profile's key after its service has accepted it, and delete it.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

use secrecy::SecretString;

use crate::api::address::BaseUrl;
use crate::cli::args::LoginOptions;
use crate::cli::context::{CommandContext, parse_address};
use crate::cli::exit::{CommandError, print_note};
use crate::cli::input::confirm::answered_line;
use crate::cli::input::{password, secret_prompt};
use crate::cli::output::column::FINDING;
use crate::cli::setup::service_probe::{self, Finding, LastExchange};
use crate::config::choice::profile_name;
use crate::config::credentials::{self, Credential, StorePreference};
use crate::config::environment::PROFILE;
use crate::config::key::desk_credential;
use crate::config::model::{ConfigFile, EMBEDDED, KeySource, Located, ProfileConfig};
use crate::domain::failure::{Failure, FailureKind};

/// The default name of a profile.
const UNNAMED: &str = "default";

/// Reads a key, tries it, and stores it.
pub async fn run(context: &CommandContext<'_>, options: &LoginOptions) -> Result<(), CommandError> {
    let file = context.config()?;
    let name = named(context, options.name.as_deref(), file)?;
    let profile = file.profiles.get(&name);
    if options.desk {
        return desk_key(context, options, &name, profile).await;
    }
    let stores = profile.map_or(Ok(StorePreference::Any), |profile| stores(&name, "", &profile.keys))?;
    let (written, known) = base_url(context, &name, profile)?;
    let base = parse_address(&written, "", profile.is_some_and(|profile| profile.allow_insecure))?;
    let (key, origin) = (key(options.key_stdin, base.as_str())?, base.origin());
    let findings = try_out(context, base, key.clone()).await?;
    // The key is stored even if nobody can read this.
    let printed = context.print_list(FINDING, findings.iter().map(Finding::record), "findings");
    store(context, &format!("the key of {name}"), stores, &Credential { profile: name.clone(), origin, key })?;
    if !known {
        print_lines_to_add(context, &name, &written, file);
    }
    Ok(printed?)
}

/// Reads the key of a profile's desk, tries it, and stores it.
async fn desk_key(
    context: &CommandContext<'_>,
    options: &LoginOptions,
    name: &str,
    profile: Option<&ProfileConfig>,
) -> Result<(), CommandError> {
    if context.options.base_url.is_some() {
        let message = "--desk stores a key for the desk of the profile, whose address is in the configuration";
        return Err(CommandError::usage(message, "Leave --base-url out"));
    }
    let Some((profile, desk)) = profile.and_then(|profile| Some((profile, profile.desk.as_ref()?))) else {
        let advice = "Add desk = \"https://desk.example.com\" to it first";
        return Err(CommandError::usage(format!("the profile {name} has no desk"), advice));
    };
    let stores = stores(&format!("{name}'s desk"), "desk_", &profile.desk_keys)?;
    let base = parse_address(&desk.value, "", profile.allow_insecure)?;
    let (key, origin) = (key(options.key_stdin, base.as_str())?, base.origin());
    let found = context.client(base, key.clone(), Arc::new(|_| {}))?.desk().await.map_err(not_stored)?;
    let Some(overview) = found else {
        return Err(CommandError::local(
            "there is no desk at this address; nothing was stored",
            "Check `desk` in the profile",
        ));
    };
    let who = overview.me.handle.map_or_else(|| "no person".to_owned(), |handle| handle.to_string());
    print_note(&format!("note: the key belongs to {who}, with the role {}", overview.me.role.name()));
    let credential = Credential { profile: desk_credential(name), origin, key };
    store(context, &format!("the desk's key of {name}"), stores, &credential)
}

/// Stores a key, and prints where.
fn store(
    context: &CommandContext<'_>,
    what: &str,
    stores: StorePreference,
    credential: &Credential,
) -> Result<(), CommandError> {
    let stored = credentials::store(credential, stores, context.environment)?;
    print_note(&format!("note: {what} is stored in {}", stored.place));
    if let Some(why) = stored.no_keyring {
        print_note(&format!("note: the keyring was not used: {why}"));
    }
    Ok(())
}

/// Deletes the stored keys of a profile and its desk.
pub fn forget(context: &CommandContext<'_>, profile: Option<&str>) -> Result<(), CommandError> {
    let file = context.config()?;
    let name = named(context, profile, file)?;
    let places = credentials::forget(&name, context.environment)?;
    let of_desk = credentials::forget(&desk_credential(&name), context.environment)?;
    if places.is_empty() && of_desk.is_empty() {
        print_note(&format!("note: no key was stored for {name}"));
    }
    let desk = format!("{name}'s desk");
    for (whose, places) in [(&name, places), (&desk, of_desk)] {
        for place in places {
            print_note(&format!("note: the key of {whose} was deleted from {place}"));
        }
    }
    let Some(profile) = file.profiles.get(&name) else { return Ok(()) };
    for (whose, prefix, sources) in [(&name, "", &profile.keys), (&desk, "desk_", &profile.desk_keys)] {
        let source = sources.first().map(|source| &source.value).filter(|source| **source != KeySource::Keyring);
        if let Some(source) = source {
            let field = source.field();
            print_note(&format!("note: {whose} takes its key from {prefix}{field}, which was not changed"));
        }
    }
    Ok(())
}

/// Returns the given profile's name, or else that of the profile in use.
fn named(context: &CommandContext<'_>, given: Option<&str>, file: &ConfigFile) -> Result<String, CommandError> {
    let option = context.options.profile.as_deref();
    if given.is_some() && option.is_some() && given != option {
        return Err(CommandError::usage("two different profiles are given", "Leave one of them out"));
    }
    if given.or(option) == Some(EMBEDDED) {
        return Err(CommandError::usage(
            format!("{EMBEDDED} is the program's own service, which needs no key"),
            "Name a profile",
        ));
    }
    let name = profile_name(given.or(option), context.environment, file).filter(|name| *name != EMBEDDED);
    Ok(name.unwrap_or(UNNAMED).to_owned())
}

/// Returns where to store the key of a profile or desk. Fails if a stored key would not be used. `prefix` is that of
/// the key's options.
fn stores(whose: &str, prefix: &str, sources: &[Located<KeySource>]) -> Result<StorePreference, CommandError> {
    match sources.first().map(|source| &source.value) {
        None => Ok(StorePreference::Any),
        Some(KeySource::Keyring) => Ok(StorePreference::KeyringOnly),
        Some(source @ (KeySource::Variable(_) | KeySource::File(_) | KeySource::Command(_))) => {
            let field = source.field();
            let message = format!("{whose} takes its key from {prefix}{field}: a stored one would not be used");
            Err(CommandError::usage(message, "Remove that line from the configuration first"))
        }
    }
}

/// Returns the base URL, and whether the configuration already has it.
fn base_url(
    context: &CommandContext<'_>,
    name: &str,
    profile: Option<&ProfileConfig>,
) -> Result<(String, bool), CommandError> {
    let written = profile.and_then(|profile| profile.base_url.as_ref()).map(|placed| placed.value.clone());
    match (written, context.options.base_url.clone()) {
        (Some(written), Some(option)) if credentials::origin_of(&written) != credentials::origin_of(&option) => {
            let message = format!("the base_url of {name} in the configuration differs from --base-url");
            Err(CommandError::usage(message, "Leave --base-url out, or choose another name for the profile"))
        }
        (Some(written), _) => Ok((written, true)),
        (None, Some(option)) => Ok((option, false)),
        (None, None) => {
            if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
                let advice = "Give it with --base-url URL, or add the profile to the configuration";
                return Err(CommandError::usage(
                    format!("there is no terminal to prompt for the base URL of {name}"),
                    advice,
                ));
            }
            Ok((ask_base_url(name, profile.is_some_and(|profile| profile.allow_insecure))?, false))
        }
    }
}

/// Prompts for a base URL until a valid one is entered. Fails at an empty line, and at the end of the input.
fn ask_base_url(name: &str, allow_insecure: bool) -> Result<String, CommandError> {
    loop {
        write!(std::io::stderr().lock(), "Base URL for profile {name}: ")?;
        let line = answered_line()?;
        let typed = line.trim();
        if typed.is_empty() {
            return Err(CommandError::usage("no base URL was given", "Give the address of the service"));
        }
        match BaseUrl::parse(typed, allow_insecure) {
            Ok(_) => return Ok(typed.to_owned()),
            Err(failure) => print_note(&failure.to_string()),
        }
    }
}

/// Reads the key from stdin, or from a prompt without echo.
fn key(from_stdin: bool, service: &str) -> Result<SecretString, CommandError> {
    let text = if from_stdin {
        password::read_secret(std::io::stdin().lock()).map_err(|error| {
            CommandError::usage(format!("the key on stdin cannot be read: {error}"), "Give the API key alone")
        })?
    } else if std::io::stdin().is_terminal() {
        secret_prompt::ask(&format!("API key for {service} (not shown): "))?
    } else {
        return Err(CommandError::usage(
            "there is no terminal to prompt for the key",
            "Pass it on stdin with --key-stdin",
        ));
    };
    match text.trim() {
        "" => Err(CommandError::usage("no key was given", "Give the API key of the account")),
        key if key.contains(char::is_control) => {
            Err(CommandError::usage("a key is a single line", "Give the API key alone"))
        }
        key => Ok(SecretString::from(key)),
    }
}

/// Sends one request with the key and returns the findings.
async fn try_out(context: &CommandContext<'_>, base: BaseUrl, key: SecretString) -> Result<Vec<Finding>, CommandError> {
    let last = LastExchange::default();
    let client = context.client(base, key, last.observer())?;
    let (_, findings) = service_probe::first_page(&client, &last).await.map_err(not_stored)?;
    Ok(findings)
}

/// Adds to a failure that the key was not stored. A refused key is the one that was just given.
fn not_stored(mut failure: Failure) -> Failure {
    failure.message.push_str("; nothing was stored");
    if failure.kind == FailureKind::Unauthorised {
        "Check that the whole key was given, and that this server created it".clone_into(&mut failure.advice);
    }
    failure
}

/// Prints the lines to add to the file, which the program never writes.
fn print_lines_to_add(context: &CommandContext<'_>, name: &str, base_url: &str, file: &ConfigFile) {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let key = if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) };
    let path = file.path.as_ref().map_or_else(|| "config.toml".to_owned(), |path| path.display().to_string());
    print_note(&format!("note: the profile {name} is used when {path} has these lines:"));
    if file.default_profile.is_none() && context.environment.text(PROFILE).is_none() {
        print_note(&format!("  default_profile = {}    (at the beginning, if it is the default)", quoted(name)));
    }
    if !file.profiles.contains_key(name) {
        print_note(&format!("  [profiles.{key}]"));
    }
    print_note(&format!("  base_url = {}", quoted(base_url)));
}
