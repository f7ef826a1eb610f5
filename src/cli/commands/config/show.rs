//! `config show`: every setting in force, and its origin.

use std::fmt::Display;

use secrecy::SecretString;
use serde_json::json;
use url::Url;

use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::CommandError;
use crate::cli::manual::VARIABLES;
use crate::cli::output::column::SETTING;
use crate::cli::output::record::Record;
use crate::cli::setup::DEFAULT_LISTEN;
use crate::config::choice::{RemoteService, ServiceSource};
use crate::config::environment::{API_KEY, BASE_URL, DATABASE_URL, Environment};
use crate::config::key;
use crate::config::model::{ConfigFile, DatabaseSource, ProfileConfig};
use crate::domain::text::clean;
use crate::service::{DEFAULT_DESK_KEEP_DAYS, DEFAULT_REQUESTS_PER_MINUTE, StoreAddress};

const HIDDEN: &str = "set, not shown";
const OPTION: &str = "option";
const DEFAULT: &str = "default";

/// Creates the record of a setting, its value, and the value's origin.
fn row(name: impl Into<String>, value: impl Display, from: impl Into<String>) -> Record {
    Record::new(json!({ "setting": name.into(), "value": value.to_string(), "from": from.into() }))
}

/// Returns the position of an option in the file, by a name such as `look.theme`, or `default`.
fn origin(file: &ConfigFile, option: &str) -> String {
    file.place_of(option).map_or_else(|| DEFAULT.to_owned(), |place| place.to_string())
}

/// Prints all settings: those in use first, then the whole file, then the environment. If the service cannot be chosen,
/// the others are printed before the error.
pub fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let file = context.config()?;
    let used = in_use(context, file);
    let rows = used.iter().flatten().cloned().chain(of_file(context, file)).chain(of_environment(context.environment));
    context.print_list(SETTING, rows, "settings")?;
    used.map(drop)
}

/// Returns the service in use, and where files are stored.
fn in_use(context: &CommandContext<'_>, file: &ConfigFile) -> Result<Vec<Record>, CommandError> {
    let target = context.target()?;
    let read_only = context.is_read_only(&target);
    let read_only_from = match &target {
        Target::Elsewhere(_, elsewhere) if !context.options.read_only => {
            origin_in_profile(file, elsewhere, "read_only")
        }
        Target::Elsewhere(..) | Target::Embedded(_) => (if read_only { OPTION } else { DEFAULT }).to_owned(),
    };
    let mut rows = match target {
        Target::Embedded(_) => {
            let data = context.data_directory()?;
            vec![row("service", "embedded", ""), row("data", data.path.display(), data.from)]
        }
        Target::Elsewhere(base, elsewhere) => elsewhere_rows(base.as_str(), &elsewhere, file),
    };
    rows.push(row("read_only", read_only, read_only_from));
    if let Some(timeout) = context.options.timeout {
        rows.push(row("timeout", format!("{} s", timeout.as_secs()), OPTION));
    }
    if let Some(journal) = context.journal() {
        rows.push(row("journal", journal.display(), ""));
    }
    if let Some(path) = &file.path {
        let from = if file.exists { "" } else { "does not exist" };
        rows.push(row("config", path.display(), from));
    }
    Ok(rows)
}

/// Returns the origin of an option of the profile in use; without a profile it has its default.
fn origin_in_profile(file: &ConfigFile, elsewhere: &RemoteService, option: &str) -> String {
    origin(file, &format!("profiles.{}.{option}", elsewhere.name))
}

fn elsewhere_rows(base: &str, elsewhere: &RemoteService, file: &ConfigFile) -> Vec<Record> {
    let from = match &elsewhere.source {
        ServiceSource::Option => "--base-url".to_owned(),
        ServiceSource::Variable => BASE_URL.to_owned(),
        ServiceSource::Profile(place) => place.to_string(),
    };
    let service = if elsewhere.name.is_empty() { "elsewhere" } else { elsewhere.name.as_str() };
    let mut rows = vec![
        row("service", service, from.clone()),
        row("base_url", base, from),
        row("api_key", HIDDEN, elsewhere.key_from.clone()),
        row("allow_insecure", elsewhere.allow_insecure, origin_in_profile(file, elsewhere, "allow_insecure")),
        row("presence", !elsewhere.hides_presence, origin_in_profile(file, elsewhere, "presence")),
    ];
    if let Some(desk) = &elsewhere.desk {
        rows.push(row("desk", shown_url(&desk.base_url), desk.place.to_string()));
        rows.push(row("desk_api_key", HIDDEN, desk.key_from.clone()));
    }
    rows
}

/// Returns every option of the file, with its line or as a default.
fn of_file(context: &CommandContext<'_>, file: &ConfigFile) -> Vec<Record> {
    let look = &file.look;
    let (theme, density, times): (&str, &str, &str) = (look.theme.into(), look.density.into(), look.times.into());
    let (start, preset): (&str, &str) = (look.start.into(), file.keys.preset.unwrap_or_default().into());
    let allowed: Vec<&str> = file.audit_allow.iter().map(|entry| entry.value.as_str()).collect();
    let proxies: Vec<String> = file.trusted_proxies.iter().map(ToString::to_string).collect();
    let (data, data_from) = data_of_serve(context, file);
    let most = file.requests_per_minute.unwrap_or(DEFAULT_REQUESTS_PER_MINUTE);
    let mut rows: Vec<Record> = [
        ("default_profile", file.default_profile.as_ref().map(|name| name.value.clone()).unwrap_or_default()),
        ("look.theme", theme.to_owned()),
        ("look.ascii_frame", look.ascii_frame.to_string()),
        ("look.show_cursor", look.show_cursor.to_string()),
        ("look.density", density.to_owned()),
        ("look.times", times.to_owned()),
        ("look.start", start.to_owned()),
        ("triage.untested_days", file.triage.untested_days.to_string()),
        ("triage.claim_hours", file.triage.claim_hours.to_string()),
        ("triage.refresh_minutes", file.triage.refresh_minutes.to_string()),
        ("serve.listen", file.listen.unwrap_or(DEFAULT_LISTEN).to_string()),
        ("serve.audit_allow", allowed.join(", ")),
        ("serve.requests_per_minute", most.to_string()),
        ("serve.desk_keep_days", file.desk_keep_days.unwrap_or(DEFAULT_DESK_KEEP_DAYS).to_string()),
        ("serve.public_url", file.public_url.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("serve.trusted_proxies", proxies.join(", ")),
        ("keys.preset", preset.to_owned()),
    ]
    .into_iter()
    .map(|(name, value)| row(name, value, origin(file, name)))
    .collect();
    rows.push(row("serve.data", data, data_from));
    rows.extend(file.databases.iter().map(|source| {
        let shown = match &source.value {
            DatabaseSource::Url(url) => shown_database(url.clone()),
            DatabaseSource::Command(words) => clean(words.first().map_or("", String::as_str)).into_owned(),
        };
        row(format!("serve.{}", source.value.field()), shown, file.place(source.line).to_string())
    }));
    for choice in &file.keys.actions {
        let keys: Vec<&str> = choice.keys.iter().map(|key| key.value.as_str()).collect();
        let keys = if keys.is_empty() { "off".to_owned() } else { keys.join(", ") };
        let place = file.place(choice.action.line).to_string();
        rows.push(row(format!("keys.actions.{}", choice.action.value), keys, place));
    }
    rows.extend(file.profiles.iter().flat_map(|(name, profile)| of_profile(name, profile, file)));
    rows
}

/// Returns the data directory that the file names, or else the one that is used; and its origin.
fn data_of_serve(context: &CommandContext<'_>, file: &ConfigFile) -> (String, String) {
    if let Some(named) = &file.data {
        return (named.value.clone(), file.place(named.line).to_string());
    }
    let used = context.data_directory().map(|used| (used.path.display().to_string(), used.from));
    used.unwrap_or_else(|_| (String::new(), DEFAULT.to_owned()))
}

/// Returns the settings of a profile.
fn of_profile(name: &str, profile: &ProfileConfig, file: &ConfigFile) -> Vec<Record> {
    let place = |line: usize| file.place(line).to_string();
    let mut rows = Vec::new();
    let mut add =
        |field: &str, value: String, line| rows.push(row(format!("profiles.{name}.{field}"), value, place(line)));
    if let Some(url) = &profile.base_url {
        add("base_url", shown_url(&url.value), url.line);
    }
    for source in &profile.keys {
        add(source.value.field(), key::shown_source(&source.value).into_owned(), source.line);
    }
    if let Some(url) = &profile.desk {
        add("desk", shown_url(&url.value), url.line);
    }
    for source in &profile.desk_keys {
        let field = format!("desk_{}", source.value.field());
        add(&field, key::shown_source(&source.value).into_owned(), source.line);
    }
    let mut add = |field: &str, value: &str| {
        let option = format!("profiles.{name}.{field}");
        let from = origin(file, &option);
        rows.push(row(option, value, from));
    };
    let switches = [
        ("read_only", profile.read_only, "true"),
        ("allow_insecure", profile.allow_insecure, "true"),
        ("presence", profile.hides_presence, "false"),
    ];
    for (field, _, value) in switches.into_iter().filter(|(_, is_set, _)| *is_set) {
        add(field, value);
    }
    if let Some(accent) = profile.accent {
        add("accent", accent.into());
    }
    rows
}

/// Returns the variables that are set. Secrets are named but not shown.
fn of_environment(environment: &Environment) -> Vec<Record> {
    let set = VARIABLES.into_iter().filter_map(|(name, _)| Some((name, environment.text(name)?)));
    let value = |name: &str, text: &str| match name {
        API_KEY => HIDDEN.to_owned(),
        BASE_URL => shown_url(text),
        DATABASE_URL => shown_database(SecretString::from(text)),
        _ => text.to_owned(),
    };
    set.map(|(name, text)| row(name, value(name, text), "environment")).collect()
}

/// Returns a database URL's database and server, without user and password.
fn shown_database(url: SecretString) -> String {
    StoreAddress::Postgres(url).place().unwrap_or_else(|_| HIDDEN.to_owned())
}

/// Returns a URL unless it contains credentials.
fn shown_url(text: &str) -> String {
    match Url::parse(text) {
        Ok(url) if !url.username().is_empty() || url.password().is_some() => HIDDEN.to_owned(),
        Ok(_) | Err(_) => text.to_owned(),
    }
}
