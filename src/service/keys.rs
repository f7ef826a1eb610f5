//! API keys: creating, listing and revoking them in the store.
//!
//! A key is shown once, at creation; only its digest is stored.

use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

use crate::domain::desk::{ChangeId, Handle, LONGEST_PERSON_NAME, Person};
use crate::domain::text::is_name;

use super::server::auth;
use super::store::Store;
use super::store::address::StoreAddress;
use super::store::error::{OpenError, StoreError};
use super::store::values::hex;

pub use super::store::desk::administer::PersonChange;
pub use super::store::key_rows::{KeyRow, NewKey};

/// The prefix of every key, for people and secret scanners.
const PREFIX: &str = "rdk_";
const LONGEST_NAME: usize = 100;

/// Why an operation on keys or people failed.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no store at the address.
    #[error(
        "there is no database of reportdeck in {0}. Name another one with --data or REPORTDECK_DATABASE_URL; \
         `keys create` creates one"
    )]
    NoDatabase(String),
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}. Without them no key can be created")]
    Random(#[from] getrandom::Error),
    /// The name is invalid.
    #[error("a key's name has 1 to {LONGEST_NAME} characters and no invisible ones. Choose another name")]
    Name,
    /// A key that is not revoked has the name; whether it has expired, in words.
    #[error("{0}. Revoke it first with `keys revoke`, or choose another name")]
    Taken(String),
    /// The person's name is invalid.
    #[error("a person's name has 1 to {LONGEST_PERSON_NAME} characters and no invisible ones. Choose another name")]
    PersonName,
    /// The person does not exist.
    #[error("there is no person {0}. `keys people` lists everyone; `keys create NAME --person {0}` adds one")]
    NoPerson(Handle),
    /// No active key has this name.
    #[error("there is no active key named {0}. `keys list` lists all keys")]
    Missing(String),
}

/// Creates a key of 256 random bits that is not stored: for the service inside the dashboard's own process.
pub fn for_this_run() -> Result<SecretString, KeyError> {
    let mut bits = [0_u8; 32];
    getrandom::fill(&mut bits)?;
    Ok(format!("{PREFIX}{}", hex(&bits)).into())
}

/// Creates a random id for a write.
pub(super) fn change_id() -> Result<ChangeId, getrandom::Error> {
    let mut bits = [0_u8; 16];
    getrandom::fill(&mut bits)?;
    Ok(ChangeId::from_random(bits))
}

/// Creates a key, storing its digest, and its person if new. This is the only time the key itself is returned.
pub async fn create(store: impl Into<StoreAddress>, new: NewKey) -> Result<SecretString, KeyError> {
    let name = new.name.clone();
    if !is_name(&name, LONGEST_NAME) {
        return Err(KeyError::Name);
    }
    let key = for_this_run()?;
    let store = Store::open(store.into()).await?;
    let created = store.insert_key(new, auth::digest(key.expose_secret()), change_id()?).await;
    match created {
        Err(StoreError::Desk(_)) => {
            let now = Timestamp::now();
            let is_taken = |taken: &KeyRow| taken.name == name && taken.is_active(now);
            let is_active = store.keys().await?.iter().any(is_taken);
            Err(KeyError::Taken(if is_active {
                format!("a key named {name} already exists")
            } else {
                format!("the key named {name} has expired, but its name is taken until it is revoked")
            }))
        }
        created => Ok(created.map(|()| key)?),
    }
}

/// Fails if there is no store at an address, which may be mistyped. Creates nothing.
pub async fn require_store(address: &StoreAddress) -> Result<(), KeyError> {
    if Store::exists(address).await? { Ok(()) } else { Err(KeyError::NoDatabase(address.place()?)) }
}

async fn open_existing(address: StoreAddress) -> Result<Store, KeyError> {
    require_store(&address).await?;
    Ok(Store::open(address).await?)
}

/// Returns the error of a failed write: `refusal` if the store refused it.
fn refused(error: StoreError, refusal: KeyError) -> KeyError {
    if matches!(error, StoreError::Desk(_)) { refusal } else { error.into() }
}

/// Returns all keys, oldest first, including revoked ones.
pub async fn list(store: impl Into<StoreAddress>) -> Result<Vec<KeyRow>, KeyError> {
    Ok(open_existing(store.into()).await?.keys().await?)
}

/// Revokes a key by name. Running services refuse it from the next request on.
pub async fn revoke(store: impl Into<StoreAddress>, name: &str) -> Result<(), KeyError> {
    let missing = KeyError::Missing(name.to_owned());
    // PostgreSQL rejects NUL in text, and no key has such a name.
    if name.contains('\0') {
        return Err(missing);
    }
    let revoked = open_existing(store.into()).await?.revoke_key(name.to_owned(), change_id()?).await;
    revoked.map_err(|error| refused(error, missing))
}

/// Returns all people with the roles of their keys, by handle.
pub async fn people(store: impl Into<StoreAddress>) -> Result<Vec<Person>, KeyError> {
    Ok(open_existing(store.into()).await?.people().await?)
}

/// Renames a person, or marks one as left or returned. Leaving revokes all of the person's keys.
pub async fn change_person(
    store: impl Into<StoreAddress>,
    handle: &Handle,
    change: PersonChange,
) -> Result<Person, KeyError> {
    if !change.name.iter().all(|name| is_name(name, LONGEST_PERSON_NAME)) {
        return Err(KeyError::PersonName);
    }
    let store = open_existing(store.into()).await?;
    let changed = store.change_person(handle.clone(), change, change_id()?).await;
    changed.map_err(|error| refused(error, KeyError::NoPerson(handle.clone())))
}
