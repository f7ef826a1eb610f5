//! What instances tell each other of the desk: that something was written, and who is where.
//!
//! A pooler may not pass notifications on, and a broken connection loses some: whoever waits for a write looks every second
//! besides. Behind such a pooler each instance knows only who is there through itself.

use std::time::Duration;

use tokio_postgres::types::Type;

use crate::service::store::error::StoreError;
use crate::service::store::postgres::address::PostgresAddress;
use crate::service::store::postgres::notifications;
use crate::service::store::postgres::transactions::{PgConnection, Transactions};

/// The channel of writes.
pub const WRITES: &str = "desk";
/// The channel of who is where.
const PRESENCE: &str = "desk_presence";
/// The pause before another connection.
const PAUSE: Duration = Duration::from_secs(5);

/// Calls `wake` at every write, and after every connection, for what was missed, and `seen` with each sign of life. Never
/// ends.
pub async fn listen(address: &PostgresAddress, wake: impl Fn(), seen: impl Fn(&str)) {
    loop {
        let begun = async {
            wake();
            true
        };
        let heard = |channel: &str, payload: &str| if channel == PRESENCE { seen(payload) } else { wake() };
        let ended = notifications::listen(address, &[WRITES, PRESENCE], begun, heard).await;
        tracing::debug!(?ended, "the desk does not hear of other instances at once");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Tells the other instances a sign of life. It is in no table.
pub async fn tell_presence(transactions: &Transactions, sign: String) -> Result<(), StoreError> {
    let notify = |connection: PgConnection, _| async move {
        let values = [(&PRESENCE as _, Type::TEXT), (&sign as _, Type::TEXT)];
        connection.query_typed_one("SELECT pg_notify($1, $2)", &values).await.map(drop)
    };
    transactions.write_beside(notify).await
}
