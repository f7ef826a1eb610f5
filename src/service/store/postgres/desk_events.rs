//! Notifications of the desk between instances: writes and presence.
//!
//! A pooler may not pass notifications on, and a broken connection loses some; so the log is also polled every second
//! while requests wait. Behind such a pooler, an instance sees only the presence of its own clients.

use std::time::Duration;

use super::engine::PostgresStore;
use super::notifications;
use crate::service::store::desk::writes::CHANNEL;
use crate::service::store::error::StoreError;

/// The channel of presence.
const PRESENCE: &str = "desk_presence";
/// The pause before reconnecting.
const RECONNECT_PAUSE: Duration = Duration::from_secs(5);

impl PostgresStore {
    /// Calls `wake` on every write of the desk and after each connect, since writes may have been missed, and `seen`
    /// with each heartbeat. Never ends.
    pub async fn listen_desk(&self, wake: impl Fn(), seen: impl Fn(&str)) {
        loop {
            let begun = async {
                wake();
                true
            };
            let heard = |channel: &str, payload: &str| if channel == PRESENCE { seen(payload) } else { wake() };
            let ended = notifications::listen(&self.1, &[CHANNEL, PRESENCE], begun, heard).await;
            tracing::debug!(?ended, "the desk is not notified of other instances");
            tokio::time::sleep(RECONNECT_PAUSE).await;
        }
    }

    /// Sends a heartbeat to the other instances; nothing is stored.
    pub async fn publish_presence(&self, heartbeat: String) -> Result<(), StoreError> {
        notifications::send(&self.0, PRESENCE, heartbeat).await
    }
}
