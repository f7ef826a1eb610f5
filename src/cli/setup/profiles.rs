//! Connections to services: the selected one, and every profile to switch to at run time.
//!
//! A profile's key is read when it is switched to, never before, and again when it is reconnected.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt as _;
use secrecy::SecretString;

use super::embedded::{EmbeddedSlot, start_embedded};
use crate::api::address::BaseUrl;
use crate::app::session::state::ProfileChoice;
use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::CommandError;
use crate::config::choice::{RemoteService, of_profile};
use crate::config::environment::Environment;
use crate::config::error::ConfigError;
use crate::config::model::ConfigFile;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::clean;
use crate::runtime::{Connect, ConnectRequest, DeskAccess, ServiceConnection};

/// The available connections to services.
pub struct ConnectionChoices {
    /// Connects to one of them.
    pub connect: Connect,
    /// The profiles to switch to.
    pub profiles: Vec<ProfileChoice>,
    /// The profile to start with, if any.
    pub first: Option<String>,
    /// The initial service's name in the journal.
    pub remembered_as: String,
}

/// The service without a profile.
#[derive(Clone)]
enum DefaultService {
    Embedded(PathBuf, String),
    Remote(Box<ServiceConnection>),
}

/// The data needed to switch to a profile.
struct ProfileSwitch {
    nameless: DefaultService,
    /// The initial connection, until it is used.
    first: Mutex<Option<ServiceConnection>>,
    environment: Environment,
    file: ConfigFile,
    slot: EmbeddedSlot,
}

/// Returns the connections available in this context.
pub fn connection_choices(context: &CommandContext<'_>, slot: EmbeddedSlot) -> Result<ConnectionChoices, CommandError> {
    let embedded = |data: PathBuf| {
        let name = context.name_of_embedded(&data);
        DefaultService::Embedded(data, name)
    };
    let (nameless, first) = match context.target()? {
        Target::Embedded(data) => (embedded(data), None),
        Target::Elsewhere(base, elsewhere) => {
            let (is_named, connection) = (!elsewhere.name.is_empty(), connection(base, *elsewhere)?);
            let nameless =
                if is_named { embedded(context.data()?) } else { DefaultService::Remote(Box::new(connection.clone())) };
            (nameless, is_named.then_some(connection))
        }
    };
    let remembered_as = match (&first, &nameless) {
        (Some(connection), _) => connection.base.as_str().to_owned(),
        (None, DefaultService::Remote(connection)) => connection.base.as_str().to_owned(),
        (None, DefaultService::Embedded(_, name)) => name.clone(),
    };
    let file = context.config()?.clone();
    let profiles = std::iter::once(of_nameless(&nameless)).chain(of_file(&file)).collect();
    let first_name = first.as_ref().map(|connection| connection.name.clone());
    let (first, environment) = (Mutex::new(first), context.environment.clone());
    let known = Arc::new(ProfileSwitch { nameless, first, environment, file, slot });
    let connect: Connect = Arc::new(move |request| switch_to(Arc::clone(&known), request).boxed());
    Ok(ConnectionChoices { connect, profiles, first: first_name, remembered_as })
}

fn of_nameless(nameless: &DefaultService) -> ProfileChoice {
    let text = match nameless {
        DefaultService::Embedded(_, name) => format!("{name} · on this machine"),
        DefaultService::Remote(connection) => format!("{} · {}", connection.name, connection.host),
    };
    ProfileChoice { name: None, text }
}

fn of_file(file: &ConfigFile) -> impl Iterator<Item = ProfileChoice> {
    file.profiles.iter().map(|(name, profile)| {
        let url = profile.base_url.as_ref().map_or("no base_url", |url| url.value.as_str());
        let read_only = if profile.read_only { " · read-only" } else { "" };
        ProfileChoice { name: Some(name.clone()), text: format!("{} · {}{read_only}", clean(name), clean(url)) }
    })
}

/// Connects to the service of a profile. Reading its key may run a command; the source of a typed key is not read.
async fn switch_to(known: Arc<ProfileSwitch>, request: ConnectRequest) -> Result<ServiceConnection, Failure> {
    match request.profile {
        None => match known.nameless.clone() {
            DefaultService::Embedded(data, name) => start_embedded(data, name, known.slot.clone()).await,
            DefaultService::Remote(connection) => Ok(*connection),
        },
        Some(name) => {
            let resolved = tokio::task::spawn_blocking(move || resolved(&known, &name, request.key)).await;
            resolved.map_err(|error| Failure::new(FailureKind::Local, error.to_string(), "Try it again"))?
        }
    }
}

fn resolved(known: &ProfileSwitch, name: &str, key: Option<SecretString>) -> Result<ServiceConnection, Failure> {
    let first = known.first.lock().unwrap_or_else(PoisonError::into_inner).take_if(|first| first.name == name);
    if let Some(first) = first {
        return Ok(first);
    }
    let local = |error: ConfigError| Failure::new(FailureKind::Local, error.sentence(), error.advice);
    let Some(profile) = known.file.profiles.get(name) else {
        let message = format!("The profile {} no longer exists", clean(name));
        return Err(Failure::new(FailureKind::Local, message, "Choose another one"));
    };
    let elsewhere = of_profile((name, profile), key, &known.environment, &known.file).map_err(local)?;
    let base = BaseUrl::parse(&elsewhere.base_url, elsewhere.allow_insecure)?;
    connection(base, elsewhere)
}

fn connection(base: BaseUrl, elsewhere: RemoteService) -> Result<ServiceConnection, Failure> {
    let desk = Some(desk_of(&base, &elsewhere)?);
    let name = if elsewhere.name.is_empty() { "service".to_owned() } else { elsewhere.name };
    let (host, read_only, accent) = (base.host(), elsewhere.read_only, elsewhere.accent);
    Ok(ServiceConnection { name, host, base, key: elsewhere.key, read_only, accent, directory: None, desk })
}

/// Returns the desk of a service: the profile's desk, or else the service itself.
pub fn desk_of(base: &BaseUrl, elsewhere: &RemoteService) -> Result<DeskAccess, Failure> {
    let presence = !elsewhere.hides_presence;
    let Some(desk) = &elsewhere.desk else {
        return Ok(DeskAccess { base: base.clone(), key: elsewhere.key.clone(), is_own: true, presence });
    };
    let desk_base = BaseUrl::parse(&desk.base_url, elsewhere.allow_insecure).map_err(|mut failure| {
        failure.message = format!("{}: desk: {}", desk.place, failure.message);
        failure
    })?;
    let is_own = desk_base.as_str() == base.as_str();
    Ok(DeskAccess { base: desk_base, key: desk.key.clone(), is_own, presence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret as _;

    #[test]
    fn a_typed_key_is_used_without_reading_the_source_of_the_profile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "[profiles.work]\nbase_url = \"https://work.example\"\napi_key_env = \"UNSET\"\n")
            .unwrap();
        let environment = Environment::of([("REPORTDECK_CONFIG", path.to_str().unwrap())], None);
        let file = ConfigFile::load(&environment).unwrap();
        let nameless = DefaultService::Embedded(PathBuf::new(), String::new());
        let known =
            ProfileSwitch { nameless, first: Mutex::default(), environment, file, slot: EmbeddedSlot::default() };
        assert!(resolved(&known, "work", None).unwrap_err().message.contains("UNSET"));
        let connection = resolved(&known, "work", Some("typed".into())).unwrap();
        let desk = connection.desk.unwrap();
        assert_eq!((connection.key.expose_secret(), desk.key.expose_secret()), ("typed", "typed"));
    }

    #[tokio::test]
    async fn the_key_of_the_first_profile_is_read_again_for_its_next_connection() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let text = "[profiles.work]\nbase_url = \"https://work.example\"\napi_key_command = [\"echo\", \"renewed\"]\n";
        std::fs::write(&path, text).unwrap();
        let environment = Environment::of([("REPORTDECK_CONFIG", path.to_str().unwrap())], None);
        let file = ConfigFile::load(&environment).unwrap();
        let nameless = DefaultService::Embedded(PathBuf::new(), String::new());
        let known =
            ProfileSwitch { nameless, first: Mutex::default(), environment, file, slot: EmbeddedSlot::default() };
        let first = resolved(&known, "work", Some("first".into())).unwrap();
        *known.first.lock().unwrap() = Some(first);
        let known = Arc::new(known);
        for expected in ["first", "renewed"] {
            let request = ConnectRequest { profile: Some("work".to_owned()), key: None };
            let connection = switch_to(Arc::clone(&known), request).await.unwrap();
            assert_eq!(connection.key.expose_secret(), expected);
        }
    }
}
