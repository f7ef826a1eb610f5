//! Notifications of ended audits.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_postgres::types::Type;

use super::audit_jobs::CHANNEL;
use crate::service::store::error::StoreError;
use crate::service::store::postgres::address::PostgresAddress;
use crate::service::store::postgres::notifications::{ListenError, listen};
use crate::service::store::postgres::transactions::{PgConnection, Transactions};

/// The timeout of the self-test: the first notification is our own.
const SELF_TEST: Duration = Duration::from_secs(2);
/// The payload of the self-test.
const TEST_PAYLOAD: &str = "self-test";

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
        let notify = |connection: PgConnection, _| async move {
            let values = [(&CHANNEL as _, Type::TEXT), (&TEST_PAYLOAD as _, Type::TEXT)];
            connection.query_typed_one("SELECT pg_notify($1, $2)", &values).await.map(drop)
        };
        self.transactions.write_beside(notify).await
    }
}
