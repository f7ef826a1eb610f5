//! Inserts rows without audits, for benches and tests: a hundred thousand within seconds. Not for production code.

use std::path::Path;

use jiff::Timestamp;

use crate::domain::report::privacy::Privacy;

use super::address::StoreAddress;
#[cfg(not(feature = "postgres"))]
use super::error::OpenError;
use super::error::StoreError;
#[cfg(feature = "postgres")]
use super::postgres::PostgresStore;
use super::rows::{AuditRecord, NewReportRow};
use super::{sqlite, values};

/// A report without checks.
#[derive(Debug, Clone)]
pub struct SeedRow {
    /// The page's URL.
    pub url: String,
    /// The project's name.
    pub project: String,
    /// 0 to 100; determines the result.
    pub score: u8,
    /// When it was created and generated.
    pub generated_at: Timestamp,
    /// The ids of failed checks.
    pub failed: Vec<String>,
}

/// Inserts rows into the SQLite store of a data directory in one transaction, and returns their number.
pub fn seed(data: &Path, rows: impl Iterator<Item = SeedRow>) -> anyhow::Result<usize> {
    sqlite::insert_all(data, rows.map(|row| (row.generated_at.as_millisecond(), unaudited(row))))
}

/// Like [`seed`], for a store of any engine.
pub async fn seed_store(address: StoreAddress, rows: Vec<SeedRow>) -> anyhow::Result<usize> {
    match address {
        StoreAddress::Data(data) => {
            let seeded = tokio::task::spawn_blocking(move || seed(&data, rows.into_iter())).await;
            seeded.map_err(|_| StoreError::BrokenOff)?
        }
        #[cfg(feature = "postgres")]
        StoreAddress::Postgres(url) => {
            let rows = rows.into_iter().map(|row| (row.generated_at.as_millisecond(), unaudited(row))).collect();
            Ok(PostgresStore::open(&url).await?.insert_all(rows).await?)
        }
        #[cfg(not(feature = "postgres"))]
        StoreAddress::Postgres(_) => Err(OpenError::WithoutPostgres.into()),
    }
}

fn unaudited(row: SeedRow) -> NewReportRow {
    let score = row.score.min(100);
    let findings = AuditRecord {
        project: row.project,
        rank: values::rank_of_score(score),
        score,
        failed: row.failed.join("\n"),
        fetch_failure: None,
        checks: String::new(),
    };
    NewReportRow { url: row.url, findings, privacy: Privacy::Public.code(), password_hash: None }
}
