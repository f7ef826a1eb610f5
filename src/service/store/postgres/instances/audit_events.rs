//! Notifications of ended audits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use super::audit_jobs::CHANNEL;
use crate::service::store::postgres::PostgresStore;
use crate::service::store::postgres::notifications::{ListenError, listen, send};

/// The timeout of the self-test: the first notification is our own.
const SELF_TEST: Duration = Duration::from_secs(2);
/// The payload of the self-test.
const TEST_PAYLOAD: &str = "self-test";

/// The pause before reconnecting.
const RECONNECT_PAUSE: Duration = Duration::from_secs(1);
/// The pause when notifications do not arrive although the connection works.
const UNHEARD_PAUSE: Duration = Duration::from_mins(5);

impl PostgresStore {
    /// Calls `heard` for each notification of an ended audit, and reconnects when the connection fails. Never ends. An
    /// outage and its end are logged once.
    pub async fn listen_for_audits(&self, heard: impl Fn()) {
        let is_connected = AtomicBool::new(true);
        let heard = || {
            if !is_connected.swap(true, Ordering::Relaxed) {
                tracing::info!("database notifications arrive again");
            }
            heard();
        };
        loop {
            let pause = match self.listen_until_failure(heard).await {
                ListenError::Unheard => {
                    tracing::warn!(
                        "database notifications do not arrive, as behind a pooler in transaction mode: the end of an \
                         audit is noticed up to a second later"
                    );
                    UNHEARD_PAUSE
                }
                ListenError::Store(error) => {
                    if is_connected.swap(false, Ordering::Relaxed) {
                        tracing::warn!(%error, "no connection for database notifications; retrying every second");
                    }
                    RECONNECT_PAUSE
                }
                ListenError::Tls(error) => {
                    tracing::error!(%error, "database notifications are not available");
                    UNHEARD_PAUSE
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Calls `heard` for each notification until the connection fails. Starts with a notification to itself as a
    /// self-test.
    async fn listen_until_failure(&self, heard: impl Fn()) -> ListenError {
        let arrived = Notify::new();
        let begun = async {
            let receives_notifications = send(&self.0, CHANNEL, TEST_PAYLOAD.to_owned()).await.is_err()
                || tokio::time::timeout(SELF_TEST, arrived.notified()).await.is_ok();
            if receives_notifications {
                tracing::debug!("notifications of audits arrive");
            }
            receives_notifications
        };
        let receive = |_: &str, payload: &str| {
            if payload == TEST_PAYLOAD {
                arrived.notify_one();
            }
            heard();
        };
        listen(&self.1, &[CHANNEL], begun, receive).await
    }

    /// Whether notifications arrive.
    pub async fn receives_notifications(&self) -> bool {
        let heard = Notify::new();
        tokio::select! {
            _ = self.listen_until_failure(|| heard.notify_one()) => false,
            () = heard.notified() => true,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::service::store::postgres::PostgresAddress;
    use crate::service::store::postgres::transactions::Transactions;
    use std::sync::Arc;

    #[tokio::test(start_paused = true)]
    async fn an_outage_of_the_database_is_logged_once() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let log = tempfile::NamedTempFile::new().unwrap();
        let subscriber = tracing_subscriber::fmt().with_writer(Arc::new(log.reopen().unwrap()));
        let _guard = tracing::subscriber::set_default(subscriber.finish());
        let address = PostgresAddress::parse(&"postgres://nobody@%2Fno-such-folder/reports".into()).unwrap();
        let store = PostgresStore(Transactions::connect_to(&address).unwrap(), Arc::new(address));
        let listening = store.listen_for_audits(|| panic!("nothing is received"));
        assert!(tokio::time::timeout(Duration::from_mins(1), listening).await.is_err(), "it never ends");
        let lines = std::fs::read_to_string(log.path()).unwrap();
        assert_eq!(lines.matches("no connection for database notifications").count(), 1, "{lines}");
    }
}
