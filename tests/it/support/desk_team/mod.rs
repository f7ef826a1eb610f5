//! Members of a desk: keys, clients, and the bodies of their writes.

pub mod dashboards;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use reportdeck::api::address::BaseUrl;
use reportdeck::api::client::Client as ApiClient;
use reportdeck::api::limits::Limits;
use reportdeck::domain::desk::{ChangeId, NoteWrite, Role, RowWrite};
use reportdeck::domain::report::outcome::Outcome;
use reportdeck::domain::report::report_state::ReportState;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::State;
use reportdeck::service::keys::{self, NewKey};
use secrecy::{ExposeSecret as _, SecretString};

use crate::support::embedded_service::{Running, store_of};

/// Creates a key in the store of a data directory, for a person or for a robot.
pub async fn new_key(data: &Path, person: Option<&str>, role: Role) -> SecretString {
    static KEYS: AtomicU64 = AtomicU64::new(0);
    let name = format!("key {}", KEYS.fetch_add(1, Ordering::SeqCst));
    let person = person.map(|handle| handle.parse().unwrap());
    keys::create(store_of(data).await, NewKey { role, person, ..NewKey::admin(name) }).await.unwrap()
}

/// Creates keys of two people, anna and ben, who may triage.
pub async fn two_keys(data: &Path) -> (SecretString, SecretString) {
    (new_key(data, Some("anna"), Role::Triage).await, new_key(data, Some("ben"), Role::Triage).await)
}

/// Returns an API client with this key.
pub fn api_client(base: &str, key: &SecretString) -> ApiClient {
    let base = BaseUrl::parse(base, false).unwrap();
    let key = key.expose_secret().into();
    ApiClient::new(base, key, Arc::new(|_| {}), Limits::default()).unwrap()
}

/// Returns an API client with a new key of this person.
pub async fn member(running: &Running, data: &Path, handle: &str, role: Role) -> ApiClient {
    api_client(&running.service.base_url(), &new_key(data, Some(handle), role).await)
}

/// Returns a change id that is unique within this process.
pub fn change() -> ChangeId {
    static CHANGES: AtomicU64 = AtomicU64::new(1);
    let number = u128::from(CHANGES.fetch_add(1, Ordering::SeqCst));
    ChangeId::from_random((number << 80).to_be_bytes())
}

/// Returns a report's result as stored with a decision.
pub fn baseline() -> ReportState {
    ReportState {
        outcome: Outcome::Bad,
        score: Some(31),
        failing: Some(["title".into()].into()),
        generated_at: Some(Timestamp::from_second(1_795_000_000).unwrap()),
    }
}

/// Returns a row with a state and a holder.
pub fn row(state: State, holder: Option<&str>) -> RowWrite {
    RowWrite {
        change: change(),
        state,
        holder: holder.map(|holder| holder.parse().unwrap()),
        baseline: baseline(),
        reason: None,
        cause: None,
        decided_at: None,
    }
}

/// Returns a new note.
pub fn note(text: &str) -> NoteWrite {
    NoteWrite { change: change(), text: Text::from_outside(text), decided_at: None }
}
