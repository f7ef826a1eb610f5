//! Rows without audits, for benches and tests: a hundred thousand in seconds.
//!
//! Not for production code.

use std::path::Path;

use jiff::Timestamp;

use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;

use super::database::connection;
use super::tables::bulk;
use crate::service::store::error::OpenError;
use crate::service::store::rows::{AuditRecord, NewReportRow};
use crate::service::store::values;

/// A report without checks.
#[derive(Debug, Clone)]
pub struct SeedRow {
    /// The page.
    pub url: String,
    /// The project's name.
    pub project: String,
    /// 0–100; the result follows from it.
    pub score: u8,
    /// When it was created and generated.
    pub generated_at: Timestamp,
    /// The ids of failed checks.
    pub failed: Vec<String>,
}

/// Why rows could not be inserted.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database failed.
    #[error("the database: {0}")]
    Database(#[from] rusqlite::Error),
}

/// Inserts rows in one transaction, and returns their number.
pub fn seed(data: &Path, rows: impl Iterator<Item = SeedRow>) -> Result<usize, SeedError> {
    let mut connection = connection::open(data)?;
    let rows = rows.map(|row| (row.generated_at.as_millisecond(), unaudited(row)));
    Ok(bulk::insert(&mut connection, rows)?)
}

fn unaudited(row: SeedRow) -> NewReportRow {
    let score = row.score.min(100);
    let findings = AuditRecord {
        project: row.project,
        rank: values::rank(&Outcome::from_score(f64::from(score)), score),
        score,
        failed: row.failed.join("\n"),
        fetch_failure: None,
        checks: String::new(),
    };
    NewReportRow { url: row.url, findings, privacy: Privacy::Public.code(), password_hash: None }
}
