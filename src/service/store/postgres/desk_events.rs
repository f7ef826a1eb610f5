//! Notifications of the desk between instances: writes and presence.
//!
//! A pooler may not pass notifications on, and a broken connection loses some; so the log is also polled every second
//! while requests wait. Behind such a pooler, an instance sees only the presence of its own clients.

use std::time::Duration;

use super::address::PostgresAddress;
use super::notifications;
use super::transaction::PgTransaction;
use super::transactions::Transactions;
use crate::service::store::desk::writes::CHANNEL;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{SqlTransaction as _, bind};

/// The channel of presence.
const PRESENCE: &str = "desk_presence";
/// The pause before reconnecting.
const RECONNECT_PAUSE: Duration = Duration::from_secs(5);

/// Calls `wake` on every write and after each connect, since writes may have been missed, and `seen` with each
/// heartbeat. Never ends.
pub async fn listen(address: &PostgresAddress, wake: impl Fn(), seen: impl Fn(&str)) {
    loop {
        let begun = async {
            wake();
            true
        };
        let heard = |channel: &str, payload: &str| if channel == PRESENCE { seen(payload) } else { wake() };
        let ended = notifications::listen(address, &[CHANNEL, PRESENCE], begun, heard).await;
        tracing::debug!(?ended, "the desk is not notified of other instances");
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

/// Sends a heartbeat to the other instances; nothing is stored.
pub async fn publish_presence(transactions: &Transactions, sign: String) -> Result<(), StoreError> {
    let notify = |transaction: PgTransaction| async move {
        transaction.execute("SELECT pg_notify(?1, ?2)", bind![PRESENCE, sign]).await.map(drop)
    };
    transactions.write_beside(notify).await
}
