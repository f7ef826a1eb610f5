//! The service in use: its client, its desk, its name in the journal, and a typed key.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};

use crate::api::client::Client;
use crate::api::limits::Limits;
use crate::app::message::{Connected, Message};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::clean;
use crate::runtime::launch::{DeskAccess, ServiceConnection};
use crate::runtime::replies::{ReplySender, ServiceNumber};

/// The service in use, shared with the task that connects to it.
#[derive(Default)]
pub(super) struct CurrentService {
    number: ServiceNumber,
    /// The client, once connected.
    pub(super) client: Option<Client>,
    /// The key of the client.
    key: Option<SecretString>,
    /// The key that the user typed. It replaces the profile's until the user quits or switches to another profile.
    typed_key: Option<SecretString>,
    /// The desk of its reports, and whether the service is used read-only.
    pub(super) desk: Option<(DeskAccess, bool)>,
    /// Its name in the journal: its URL, or its name if the URL differs in each run. Empty if unknown.
    pub(super) journal_name: String,
}

impl CurrentService {
    /// Returns a service that is not connected yet, with its name in the journal.
    pub(super) fn named(journal_name: String) -> Self {
        Self { journal_name, ..Self::default() }
    }

    /// Forgets the client, before the service with this number is connected. Returns the typed key if it is the same.
    pub(super) fn leave(&mut self, number: ServiceNumber) -> Option<SecretString> {
        self.client = None;
        if std::mem::replace(&mut self.number, number) != number {
            self.typed_key = None;
            // Nothing is stored under the name of the former service meanwhile.
            self.journal_name.clear();
        }
        self.typed_key.clone()
    }

    /// Connects to a service, with the typed key if there is one. Fails if another one was chosen meanwhile.
    pub(super) fn enter(
        &mut self,
        mut connection: ServiceConnection,
        sender: ReplySender,
        (limits, read_only): (Limits, bool),
    ) -> Result<Connected, Failure> {
        if sender.service != self.number {
            return Err(Failure::new(FailureKind::Local, "Another service was chosen", ""));
        }
        if let Some(key) = self.typed_key.clone() {
            connection = connection.with_key(key);
        }
        let ServiceConnection { name, host, base, key, read_only: by_service, accent, directory, desk } = connection;
        let read_only = read_only || by_service;
        self.journal_name = if host.is_empty() { name.clone() } else { base.as_str().to_owned() };
        self.key = Some(key.clone());
        self.desk = desk.map(|desk| (desk, read_only));
        let observer = Arc::new(move |exchange| sender.send(Message::Exchange(exchange)));
        self.client = Some(Client::new(base, key, observer, limits)?);
        let directory = directory.map(|directory| clean(&directory.to_string_lossy()).into_owned());
        Ok(Connected { name, host, read_only, accent, directory })
    }

    /// Uses a typed key from now on. Returns whether the desk uses it too.
    pub(super) fn use_key(&mut self, key: SecretString) -> bool {
        self.typed_key = Some(key.clone());
        let Some(client) = &mut self.client else { return false };
        *client = client.with_key(key.clone());
        let former = self.key.replace(key.clone());
        let shared = |desk: &DeskAccess| former.is_some_and(|former| desk.shares_key(&former));
        match &mut self.desk {
            Some((desk, _)) if shared(desk) => {
                desk.key = key;
                true
            }
            Some(_) | None => false,
        }
    }
}

impl DeskAccess {
    /// Whether the desk belongs to the service with this key, and uses the same key.
    fn shares_key(&self, key: &SecretString) -> bool {
        self.is_own && self.key.expose_secret() == key.expose_secret()
    }
}

impl ServiceConnection {
    /// Replaces the key, also that of the service's own desk unless that has a key of its own.
    fn with_key(mut self, key: SecretString) -> Self {
        if let Some(desk) = self.desk.as_mut().filter(|desk| desk.shares_key(&self.key)) {
            desk.key = key.clone();
        }
        self.key = key;
        self
    }
}
