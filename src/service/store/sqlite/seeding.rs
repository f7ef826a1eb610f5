//! Writes for tests and samples: rows without audits, and audits shifted into the past.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use super::database::connection;
use super::database::error::store_error;
use super::tables::{bulk, history};
use crate::service::store::error::SeedError;
use crate::service::store::rows::NewReportRow;

/// Shifts the times of all audits since `since` into the past by `by`, plus up to an hour each so that they differ. A
/// service may be running on the directory. Blocks.
pub fn shift_audits(data: &Path, since: Timestamp, by: SignedDuration) -> Result<(), SeedError> {
    let mut connection = connection::open(data)?;
    let mut shift = || {
        let transaction = connection.transaction()?;
        history::shift_audits(&transaction, since.as_millisecond(), by.as_secs() * 1_000)?;
        transaction.commit()
    };
    Ok(shift().map_err(|error| store_error(error, data))?)
}

/// Inserts reports with their times in one transaction, and returns their number. Blocks.
pub fn insert_all(data: &Path, rows: impl Iterator<Item = (i64, NewReportRow)>) -> Result<usize, SeedError> {
    let mut connection = connection::open(data)?;
    Ok(bulk::insert(&mut connection, rows).map_err(|error| store_error(error, data))?)
}
