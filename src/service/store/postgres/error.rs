//! Maps PostgreSQL errors to store errors.

use std::error::Error as _;

use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::service::store::error::{EngineError, StoreError};

/// Returns the message of the server or the connection, with its causes.
pub fn text(error: &Error) -> EngineError {
    if let Some(database_error) = error.as_db_error() {
        return format!("{} ({})", database_error.message(), database_error.code().code()).into();
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text.into()
}

/// Whether the connection is unusable: it broke, or the server closed it.
pub fn is_connection_lost(error: &Error) -> bool {
    let is_io = || error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
    match error.code() {
        Some(code) => code.code().starts_with("08") || code.code().starts_with("57P"),
        None => error.is_closed() || is_io(),
    }
}

/// Whether the server rejected the user or the password.
fn is_login_refused(error: &Error) -> bool {
    error.code().is_some_and(|code| code.code().starts_with("28"))
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = text(&error);
        if is_connection_lost(&error) {
            return Self::Unavailable(text);
        }
        from_code(error.code(), text)
    }
}

fn from_code(code: Option<&SqlState>, text: EngineError) -> StoreError {
    match code {
        // Another writer, or an administrator's command.
        Some(
            &(SqlState::LOCK_NOT_AVAILABLE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::T_R_SERIALIZATION_FAILURE),
        ) => StoreError::Busy,
        Some(&SqlState::DISK_FULL) => StoreError::Full(text),
        Some(&(SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED)) => StoreError::Damaged(text),
        // A timeout, too many connections, or a read-only server: all of these are temporary. The last code is a
        // standby's, which cannot begin a transaction that writes.
        Some(
            &(SqlState::QUERY_CANCELED
            | SqlState::TOO_MANY_CONNECTIONS
            | SqlState::READ_ONLY_SQL_TRANSACTION
            | SqlState::FEATURE_NOT_SUPPORTED),
        ) => StoreError::Unavailable(text),
        Some(_) | None => StoreError::Database(text),
    }
}

/// Maps the error of getting a connection from the pool.
pub fn pool_error(error: &PoolError) -> StoreError {
    match error {
        PoolError::Backend(error) if is_login_refused(error) => {
            StoreError::Unavailable(format!("its server refuses the login: {}", text(error)).into())
        }
        PoolError::Backend(error) => StoreError::Unavailable(text(error)),
        PoolError::Timeout(TimeoutType::Wait) => StoreError::Overloaded,
        PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => {
            StoreError::Unavailable("it did not respond in time".into())
        }
        PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => StoreError::BrokenOff,
    }
}
