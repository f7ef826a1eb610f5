//! Notifications of audits that ended, over a connection of its own: a pooled one belongs to a transaction.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio_postgres::tls::TlsStream;
use tokio_postgres::types::Type;
use tokio_postgres::{AsyncMessage, Client, Connection, Error, NoTls};

use super::audit_jobs::CHANNEL;
use crate::service::store::error::{OpenError, StoreError};
use crate::service::store::postgres::address::PostgresAddress;
use crate::service::store::postgres::error::store_error;
use crate::service::store::postgres::transactions::{PgConnection, Transactions, tls};

/// How long the first notification, which is our own, may take.
const SELF_TEST: Duration = Duration::from_secs(2);
/// The payload of that notification.
const TEST_PAYLOAD: &str = "self-test";

/// How listening ended.
#[derive(Debug)]
pub enum ListenError {
    /// The connection failed.
    Store(StoreError),
    /// The system's certificates cannot be read.
    Tls(OpenError),
    /// No notification arrives: a pooler is between.
    Unheard,
}

/// How a connection ended without an error.
enum FollowEnd {
    Closed,
    Unheard,
}

/// Listens to notifications of audits that ended.
#[derive(Clone)]
pub struct AuditEvents {
    transactions: Transactions,
    address: Arc<PostgresAddress>,
}

impl AuditEvents {
    pub fn new(transactions: Transactions, address: Arc<PostgresAddress>) -> Self {
        Self { transactions, address }
    }

    /// Calls `heard` for each notification until the connection fails. Begins with a notification of its own.
    pub async fn listen(&self, heard: impl Fn()) -> ListenError {
        let config = &self.address.config;
        let ended = match tls(&self.address) {
            Ok(None) => match config.connect(NoTls).await {
                Ok((client, connection)) => self.follow(&client, connection, heard).await,
                Err(error) => Err(error),
            },
            Ok(Some(with_tls)) => match config.connect(with_tls).await {
                Ok((client, connection)) => self.follow(&client, connection, heard).await,
                Err(error) => Err(error),
            },
            Err(error) => return ListenError::Tls(error),
        };
        match ended {
            Ok(FollowEnd::Unheard) => ListenError::Unheard,
            Ok(FollowEnd::Closed) => ListenError::Store(StoreError::Unavailable("it closed the connection".into())),
            Err(error) => ListenError::Store(store_error(&error)),
        }
    }

    /// Whether notifications arrive.
    pub async fn is_heard(&self) -> bool {
        let heard = Notify::new();
        tokio::select! {
            _ = self.listen(|| heard.notify_one()) => false,
            () = heard.notified() => true,
        }
    }

    /// Follows a connection until it fails, or until the notification of its own does not arrive.
    async fn follow<S, T>(
        &self,
        client: &Client,
        mut connection: Connection<S, T>,
        heard: impl Fn(),
    ) -> Result<FollowEnd, Error>
    where
        S: AsyncRead + AsyncWrite + Unpin,
        T: TlsStream + Unpin,
    {
        let arrived = Notify::new();
        let messages = async {
            while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(notification) = message? {
                    if notification.payload() == TEST_PAYLOAD {
                        arrived.notify_one();
                    }
                    heard();
                }
            }
            Ok(FollowEnd::Closed)
        };
        let test = async {
            client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
            if self.notify_ourselves().await.is_ok()
                && tokio::time::timeout(SELF_TEST, arrived.notified()).await.is_err()
            {
                return Ok(FollowEnd::Unheard);
            }
            tracing::debug!("notifications of audits arrive");
            pending().await
        };
        tokio::select! {
            ended = pin!(messages) => ended,
            ended = test => ended,
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
