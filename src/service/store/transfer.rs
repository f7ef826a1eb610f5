//! Rows for copying between stores, as plain values that both engines read and write, and digests to verify copies.
//!
//! A store sends its rows in this order: projects, reports, earlier results, the desk with its people, keys, secrets,
//! and the last assigned ids; each kind sorted by id. Search texts and counts are not sent: each engine computes its
//! own.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use super::desk::records::DeskTableRow;
use super::error::StoreError;
use super::values::hex;

/// The capacity of the channel, in rows.
const QUEUED: usize = 1024;

/// A project without its counts.
#[derive(Clone, Serialize)]
pub struct ProjectCopy {
    pub id: i64,
    pub name: String,
    pub created_at: i64,
}

/// A report with its current result.
#[derive(Clone, Serialize)]
pub struct ReportCopy {
    pub id: i64,
    pub project_id: i64,
    pub url: String,
    pub rank: i64,
    pub score: i64,
    pub generated_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub privacy: i64,
    pub password_hash: Option<String>,
    pub failed: String,
    pub fetch_error: Option<String>,
    /// JSON object of check id to findings; `None` if not stored.
    pub checks: Option<String>,
}

/// An earlier result with its findings.
#[derive(Clone, Serialize)]
pub struct FormerCopy {
    pub id: i64,
    pub report_id: i64,
    pub rank: i64,
    pub score: i64,
    pub generated_at: i64,
    pub failed: String,
    pub checks: String,
}

/// An API key, as its digest.
#[derive(Clone, Serialize)]
pub struct KeyCopy {
    pub id: i64,
    pub name: String,
    pub role: String,
    pub digest: Vec<u8>,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
    pub person: Option<String>,
}

/// A signing secret.
#[derive(Clone, Serialize)]
pub struct SecretCopy {
    pub name: String,
    pub value: Vec<u8>,
}

/// The last id that a table assigned, so that ids are not reused.
#[derive(Clone, Serialize)]
pub struct LastId {
    pub table: String,
    pub id: i64,
}

/// A row of any table. Not `Debug`, because it may contain a secret.
#[derive(Clone, Serialize)]
pub enum TransferRow {
    Project(ProjectCopy),
    Report(Box<ReportCopy>),
    Former(FormerCopy),
    Desk(DeskTableRow),
    Key(KeyCopy),
    Secret(SecretCopy),
    LastId(LastId),
}

impl TransferRow {
    /// Returns the row's table.
    pub fn table(&self) -> &'static str {
        match self {
            Self::Project(_) => "projects",
            Self::Report(_) => "reports",
            Self::Former(_) => "history",
            Self::Desk(row) => row.table(),
            Self::Key(_) => "keys",
            Self::Secret(_) => "secrets",
            Self::LastId(_) => "last ids",
        }
    }
}

/// The tables whose ids are never reused.
pub const TABLES_WITH_IDS: [&str; 3] = ["projects", "reports", "keys"];

/// Sends the rows of a store, then `None`. Without the final `None` they count as cut off.
pub type RowSender = mpsc::Sender<Option<TransferRow>>;

/// Receives the rows of a store, then `None`.
pub type RowReceiver = mpsc::Receiver<Option<TransferRow>>;

/// Creates a channel for the rows of one store into another.
pub fn channel() -> (RowSender, RowReceiver) {
    mpsc::channel(QUEUED)
}

/// A table in a copy: its number of rows, and a digest of their content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDigest {
    /// The table.
    pub table: &'static str,
    /// The number of its rows.
    pub rows: u64,
    /// SHA-256 over the rows in order, in hexadecimal digits.
    pub digest: String,
}

/// Accumulates the digests of tables.
#[derive(Default)]
pub struct CopyDigest(BTreeMap<&'static str, (u64, Sha256)>);

impl CopyDigest {
    /// Adds a row; false if it cannot be encoded, which does not happen for rows of a store.
    pub fn add(&mut self, row: &TransferRow) -> bool {
        let Ok(bytes) = postcard::to_stdvec(row) else { return false };
        let (rows, digest) = self.0.entry(row.table()).or_default();
        *rows += 1;
        digest.update(bytes);
        true
    }

    /// Returns the tables that have rows, by name.
    pub fn tables(self) -> Vec<TableDigest> {
        let one =
            |(table, (rows, digest)): (_, (u64, Sha256))| TableDigest { table, rows, digest: hex(&digest.finalize()) };
        self.0.into_iter().map(one).collect()
    }
}

/// Why a copy was rolled back. The target is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CopyRefusal {
    /// The target is not empty.
    #[error("it already contains reports, keys or secrets. Copy into an empty store")]
    NotEmpty,
    /// The source ended early.
    #[error("the rows of the source ended early")]
    CutOff,
    /// The copy differs from the source.
    #[error("its copy of {table} differs from the source")]
    Differs {
        /// The first table that differs.
        table: &'static str,
    },
}

impl CopyRefusal {
    /// Fails with the first table that differs.
    pub fn compare(source: Vec<TableDigest>, target: &[TableDigest]) -> Result<Vec<TableDigest>, Self> {
        let differing = source.iter().find(|table| !target.contains(table));
        let added = || target.iter().find(|table| !source.contains(table));
        match differing.or_else(added) {
            Some(found) => Err(Self::Differs { table: found.table }),
            None => Ok(source),
        }
    }
}

/// The outcome of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportCounts {
    /// The number of inserted reports.
    pub reports: u64,
    /// The number of their earlier results.
    pub former: u64,
    /// Reports skipped because their project already has their URL.
    pub skipped: u64,
}

/// What an engine did with received rows, or why it rolled them back.
pub type Received<T> = Result<Result<T, CopyRefusal>, StoreError>;
