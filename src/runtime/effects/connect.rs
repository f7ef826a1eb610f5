//! Connects to services, with the profile's key or the one that the user typed.

use std::sync::Arc;

use secrecy::SecretString;

use crate::app::message::Message;
use crate::runtime::effects::{Effects, locked};
use crate::runtime::launch::ConnectRequest;

impl Effects {
    /// Connects to a service. Reads from the previous one, and connecting to it, are cancelled.
    pub(super) fn connect(&mut self, profile: Option<String>) {
        self.abort_reads();
        self.desk = None;
        if std::mem::replace(&mut self.profile, profile.clone()) != profile {
            self.sender.service += 1;
        }
        let key = locked(&self.current).leave(self.sender.service);
        let (current, sender) = (Arc::clone(&self.current), self.sender.clone());
        let connecting = (self.connector)(ConnectRequest { profile, key });
        let (limits, read_only) = (self.limits, self.read_only);
        self.connecting = Some(self.spawn(async move {
            let connected = match connecting.await {
                Ok(connection) => locked(&current).enter(connection, sender, (limits, read_only)),
                Err(failure) => Err(failure),
            };
            Message::Connected(connected)
        }));
    }

    /// Uses another key for the service and, if it has the service's key, for its desk.
    pub(super) fn use_key(&mut self, key: SecretString) {
        let is_for_desk = locked(&self.current).use_key(key);
        if is_for_desk {
            self.join_desk();
        }
    }
}
