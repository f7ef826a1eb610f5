//! What is at a database URL, found out without changing it.

use secrecy::SecretString;
use tokio_postgres::Error;

use super::address::PostgresAddress;
use super::migrations;
use super::transactions::{PgConnection, Transactions};
use crate::service::store::error::OpenError;
use crate::service::store::probe::DatabaseProbe;

/// Connects and reads the versions of the server and of the tables.
pub async fn probe(url: &SecretString) -> Result<DatabaseProbe, OpenError> {
    let address = PostgresAddress::parse(url)?;
    let place = address.place.clone();
    let found = Transactions::to(&address)?.read(versions).await;
    let (server, format) = found.map_err(|error| OpenError::Server { place: place.clone(), error: error.into() })?;
    let known = migrations::newest();
    match format {
        Some((found, compatible_from)) if compatible_from > known => Err(OpenError::Newer { place, found, known }),
        Some((found, _)) => Ok(DatabaseProbe { place, server, format: Some(found), known }),
        None => Ok(DatabaseProbe { place, server, format: None, known }),
    }
}

async fn versions(connection: PgConnection) -> Result<(String, Option<(i64, i64)>), Error> {
    let sql = "SELECT current_setting('server_version'), to_regclass('store_format') IS NOT NULL";
    let row = connection.query_typed_one(sql, &[]).await?;
    let format = if row.try_get(1)? { Some(migrations::format(&connection).await?) } else { None };
    Ok((row.try_get(0)?, format))
}
