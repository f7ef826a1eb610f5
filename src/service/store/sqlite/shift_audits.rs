//! Puts the audits of the sample into the past.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use super::database::connection;
use super::seed::SeedError;
use super::tables::history;

/// Shifts the times of all audits since `since` into the past, each by up to an hour more so that they differ. A service may
/// be running on the directory. Blocks.
pub fn shift_audits(data: &Path, since: Timestamp, by: SignedDuration) -> Result<(), SeedError> {
    let mut connection = connection::open(data)?;
    let transaction = connection.transaction()?;
    history::shift_audits(&transaction, since.as_millisecond(), by.as_secs() * 1_000)?;
    Ok(transaction.commit()?)
}
