//! Notifications of ended audits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use super::audit_jobs::CHANNEL;
use crate::service::store::error::StoreError;
use crate::service::store::postgres::address::PostgresAddress;
use crate::service::store::postgres::notifications::{ListenError, listen};
use crate::service::store::postgres::transaction::PgTransaction;
use crate::service::store::postgres::transactions::Transactions;
use crate::service::store::sql::{SqlTransaction as _, bind};

/// The timeout of the self-test: the first notification is our own.
const SELF_TEST: Duration = Duration::from_secs(2);
/// The payload of the self-test.
const TEST_PAYLOAD: &str = "self-test";

/// The pause before reconnecting.
const RECONNECT_PAUSE: Duration = Duration::from_secs(1);
/// The pause when notifications do not arrive although the connection works.
const UNHEARD_PAUSE: Duration = Duration::from_mins(5);

/// Listens for notifications of ended audits.
#[derive(Clone)]
pub struct AuditEvents {
    transactions: Transactions,
    address: Arc<PostgresAddress>,
}

impl AuditEvents {
    pub fn new(transactions: Transactions, address: Arc<PostgresAddress>) -> Self {
        Self { transactions, address }
    }

    /// Calls `heard` for each notification, and reconnects when the connection fails. Never ends. An outage is logged
    /// once.
    pub async fn listen_forever(&self, heard: impl Fn()) {
        let is_connected = AtomicBool::new(true);
        let heard = || {
            is_connected.store(true, Ordering::Relaxed);
            heard();
        };
        loop {
            let pause = match self.listen(heard).await {
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
    pub async fn listen(&self, heard: impl Fn()) -> ListenError {
        let arrived = Notify::new();
        let begun = async {
            let receives_notifications = self.notify_ourselves().await.is_err()
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
        listen(&self.address, &[CHANNEL], begun, receive).await
    }

    /// Whether notifications arrive.
    pub async fn receives_notifications(&self) -> bool {
        let heard = Notify::new();
        tokio::select! {
            _ = self.listen(|| heard.notify_one()) => false,
            () = heard.notified() => true,
        }
    }

    async fn notify_ourselves(&self) -> Result<(), StoreError> {
        let notify = |transaction: PgTransaction| async move {
            transaction.execute("SELECT pg_notify(?1, ?2)", bind![CHANNEL, TEST_PAYLOAD]).await.map(drop)
        };
        self.transactions.write_beside(notify).await
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_outage_of_the_database_is_logged_once() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let log = tempfile::NamedTempFile::new().unwrap();
        let subscriber = tracing_subscriber::fmt().with_writer(Arc::new(log.reopen().unwrap()));
        let _guard = tracing::subscriber::set_default(subscriber.finish());
        let address = PostgresAddress::parse(&"postgres://nobody@%2Fno-such-folder/reports".into()).unwrap();
        let events = AuditEvents::new(Transactions::connect_to(&address).unwrap(), Arc::new(address));
        let listening = events.listen_forever(|| panic!("nothing is received"));
        assert!(tokio::time::timeout(Duration::from_mins(1), listening).await.is_err(), "it never ends");
        let lines = std::fs::read_to_string(log.path()).unwrap();
        assert_eq!(lines.matches("no connection for database notifications").count(), 1, "{lines}");
    }
}
