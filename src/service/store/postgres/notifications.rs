//! Listens for notifications over a dedicated connection; pooled connections are bound to transactions.

use std::future::{pending, poll_fn};
use std::pin::pin;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::tls::TlsStream;
use tokio_postgres::{AsyncMessage, Client, Connection};

use super::address::PostgresAddress;
use super::transaction::PgTransaction;
use super::transactions::{Transactions, tls};
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::sql::{SqlTransaction as _, bind};

/// Why listening ended.
#[derive(Debug)]
pub enum ListenError {
    /// The connection failed.
    Store(StoreError),
    /// The system's certificates cannot be read.
    Tls(OpenError),
    /// Notifications do not arrive: a pooler is in between.
    Unheard,
}

/// Calls `heard` with channel and payload of each notification until the connection fails.
///
/// `begun` runs after `LISTEN` on all channels. If it returns false, notifications do not arrive, and listening ends.
pub async fn listen(
    address: &PostgresAddress,
    channels: &[&str],
    begun: impl Future<Output = bool>,
    heard: impl Fn(&str, &str),
) -> ListenError {
    let config = &address.config;
    let ended = match tls(address) {
        Ok(with_tls) => match config.connect(with_tls).await {
            Ok((client, connection)) => follow(&client, connection, channels, begun, heard).await,
            Err(error) => Err(error.into()),
        },
        Err(error) => return ListenError::Tls(error),
    };
    match ended {
        Ok(error) => error,
        Err(error) => ListenError::Store(error),
    }
}

/// Sends a notification to everyone who listens on a channel.
pub async fn send(transactions: &Transactions, channel: &'static str, payload: String) -> Result<(), StoreError> {
    let notify = move |transaction: PgTransaction| async move {
        transaction.execute("SELECT pg_notify(?1, ?2)", bind![channel, payload]).await.map(drop)
    };
    transactions.write_beside(notify).await
}

async fn follow<S, T>(
    client: &Client,
    mut connection: Connection<S, T>,
    channels: &[&str],
    begun: impl Future<Output = bool>,
    heard: impl Fn(&str, &str),
) -> Result<ListenError, StoreError>
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: TlsStream + Unpin,
{
    let messages = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message? {
                heard(notification.channel(), notification.payload());
            }
        }
        Ok(ListenError::Store(StoreError::Unavailable("it closed the connection".into())))
    };
    let listening = async {
        for channel in channels {
            client.batch_execute(&format!("LISTEN {channel}")).await?;
        }
        if begun.await { pending().await } else { Ok(ListenError::Unheard) }
    };
    tokio::select! {
        ended = pin!(messages) => ended,
        ended = listening => ended,
    }
}
