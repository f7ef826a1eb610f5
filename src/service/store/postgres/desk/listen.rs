//! Listening for writes of the desk by other instances, on a connection of its own.
//!
//! A pooler may not pass notifications on, and a broken connection loses some: whoever waits looks every second besides.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::{AsyncMessage, Client, Connection, Error, NoTls};

use crate::service::store::error::OpenError;
use crate::service::store::postgres::address::PostgresAddress;
use crate::service::store::postgres::transactions::tls;

/// The pause before another connection.
const PAUSE: Duration = Duration::from_secs(5);

/// Calls `wake` at every notification, and after every connection, for what was missed. Never ends.
pub async fn listen(address: &PostgresAddress, wake: impl Fn()) {
    loop {
        if let Err(error) = connect_and_listen(address, &wake).await {
            tracing::debug!(%error, "the desk does not hear of other instances at once");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn connect_and_listen(address: &PostgresAddress, wake: &impl Fn()) -> Result<(), OpenError> {
    let failed = |error: Error| OpenError::Server { place: address.place.clone(), error: error.into() };
    match tls(address)? {
        None => {
            let (client, connection) = address.config.connect(NoTls).await.map_err(failed)?;
            receive(client, connection, wake).await.map_err(failed)
        }
        Some(tls) => {
            let (client, connection) = address.config.connect(tls).await.map_err(failed)?;
            receive(client, connection, wake).await.map_err(failed)
        }
    }
}

async fn receive<S, T>(client: Client, mut connection: Connection<S, T>, wake: &impl Fn()) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    let listening = async {
        client.batch_execute("LISTEN desk").await?;
        wake();
        // The client is kept: without it the connection ends.
        std::future::pending::<Result<(), Error>>().await
    };
    let received = async {
        while let Some(message) = messages.next().await {
            if matches!(message?, AsyncMessage::Notification(_)) {
                wake();
            }
        }
        Ok(())
    };
    tokio::select! {
        ended = listening => ended,
        ended = received => ended,
    }
}
