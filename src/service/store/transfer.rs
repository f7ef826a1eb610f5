//! Copies between stores: which tables and columns are copied, their rows as plain values, and digests to verify copies.
//!
//! A store sends the rows of [`TABLES`] in order, then the last assigned ids. Search texts and counts are not sent: each
//! engine computes its own.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use super::error::CopyRefusal;
use super::values::hex;

/// The capacity of the channel, in rows.
const QUEUED: usize = 1024;

/// The type of a column in both engines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Integer,
    Text,
    Bytes,
}

/// A table of both engines. Lists of columns are separated by commas.
pub struct TableColumns {
    pub name: &'static str,
    integers: &'static str,
    texts: &'static str,
    bytes: &'static str,
    /// What rows are sorted by: unique, and each row after those of its table that it refers to.
    pub order: &'static str,
    /// The column whose search text is stored in the column `search_text`.
    searched: Option<&'static str>,
}

impl TableColumns {
    /// Returns the copied columns.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, ColumnType)> + use<> {
        let lists =
            [(self.integers, ColumnType::Integer), (self.texts, ColumnType::Text), (self.bytes, ColumnType::Bytes)];
        let columns = lists.into_iter().flat_map(|(list, kind)| list.split(", ").map(move |name| (name, kind)));
        columns.filter(|(name, _)| !name.is_empty())
    }

    /// Returns the columns that an inserted row sets: the copied ones and its search text, if there is one.
    pub fn inserted(&self) -> Vec<(&'static str, ColumnType)> {
        let search_text = self.searched.map(|_| ("search_text", ColumnType::Text));
        self.columns().chain(search_text).collect()
    }
}

/// Returns a table with its columns of integers and texts, and its order.
const fn table(name: &'static str, [integers, texts]: [&'static str; 2], order: &'static str) -> TableColumns {
    TableColumns { name, integers, texts, bytes: "", order, searched: None }
}

const REPORT_COLUMNS: [&str; 2] = [
    "id, project_id, result, score, generated_at, created_at, updated_at, privacy",
    "url, password_hash, failed, fetch_error",
];

/// The copied tables, each after those it refers to.
pub static TABLES: [TableColumns; 12] = [
    TableColumns { searched: Some("name"), ..table("projects", ["id, created_at", "name"], "id") },
    TableColumns { searched: Some("url"), ..table("reports", REPORT_COLUMNS, "id") },
    table("results", ["report_id", "checks"], "report_id"),
    table("history", ["id, report_id, result, score, generated_at", "failed, checks"], "id"),
    table("desk", ["id, revision, pruned", "service_id"], "id"),
    table("people", ["left_at", "handle, name"], "handle"),
    table("desk_services", ["id, merged_into", "base, service_id, label"], "merged_into IS NOT NULL, id"),
    table("desk_states", ["service, version", "report, content"], "service, report"),
    table("desk_notes", ["id, service, withdrawn", "report, content"], "id"),
    table("desk_events", ["revision, service, at", "change, report, cause, content"], "revision"),
    TableColumns {
        bytes: "digest",
        ..table("keys", ["id, created_at, last_used_at, expires_at, revoked_at", "name, role, person"], "id")
    },
    TableColumns { bytes: "value", ..table("secrets", ["", "name"], "name") },
];

/// The last id that each of [`TABLES_WITH_IDS`] assigned, so that ids are not reused. Each engine stores it in its own
/// way.
static LAST_IDS: TableColumns = table("last ids", ["id", "name"], "name");

/// The tables whose ids are never reused.
pub const TABLES_WITH_IDS: [&str; 3] = ["projects", "reports", "keys"];

/// Empties the tables that a new store has rows in, before those of another store are inserted.
pub const CLEAR: &str = "DELETE FROM desk_services; DELETE FROM desk";

/// Whether a store contains anything that a copy would mix with.
pub const IS_FILLED: &str = "SELECT EXISTS (SELECT 1 FROM projects) OR EXISTS (SELECT 1 FROM keys) \
                             OR EXISTS (SELECT 1 FROM secrets) OR EXISTS (SELECT 1 FROM people) \
                             OR EXISTS (SELECT 1 FROM desk_events)";

/// A value of a column.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub enum ColumnValue {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl ColumnValue {
    /// Returns the number; `None` for NULL.
    pub fn into_integer(self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(number) } else { None }
    }

    /// Returns the text; `None` for NULL.
    pub fn into_text(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the bytes; `None` for NULL.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }
}

impl From<Option<String>> for ColumnValue {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

/// A row of a table. Not `Debug`, because it may contain a secret.
#[derive(Clone)]
pub struct TransferRow {
    pub table: &'static TableColumns,
    /// In the order of the table's columns.
    pub values: Vec<ColumnValue>,
}

impl TransferRow {
    /// Returns the last id that a table assigned.
    pub fn last_id(table: &str, id: i64) -> Self {
        Self { table: &LAST_IDS, values: vec![ColumnValue::Integer(id), ColumnValue::Text(table.to_owned())] }
    }

    /// Returns the table and the id of a row that [`TransferRow::last_id`] made.
    pub fn as_last_id(&self) -> Option<(&str, i64)> {
        if self.table.name == LAST_IDS.name { self.text("name").zip(self.integer("id")) } else { None }
    }

    fn place(&self, column: &str) -> Option<usize> {
        self.table.columns().position(|(name, _)| name == column)
    }

    /// Returns a number; `None` if it is NULL or the table has no such column.
    pub fn integer(&self, column: &str) -> Option<i64> {
        let ColumnValue::Integer(number) = self.values.get(self.place(column)?)? else { return None };
        Some(*number)
    }

    /// Returns a text; `None` if it is NULL or the table has no such column.
    pub fn text(&self, column: &str) -> Option<&str> {
        let ColumnValue::Text(text) = self.values.get(self.place(column)?)? else { return None };
        Some(text)
    }

    /// Sets a column, if the table has it.
    pub fn set(&mut self, column: &str, to: ColumnValue) {
        if let Some(value) = self.place(column).and_then(|place| self.values.get_mut(place)) {
            *value = to;
        }
    }

    /// Returns the text that the row's search text is made from, if it has one.
    pub fn searched(&self) -> Option<&str> {
        self.text(self.table.searched?)
    }
}

/// Sends the rows of a store, then `None`. Without the final `None` they count as cut off.
pub type RowSender = mpsc::Sender<Option<TransferRow>>;

/// Receives the rows of a store, then `None`.
pub type RowReceiver = mpsc::Receiver<Option<TransferRow>>;

/// Creates a channel for the rows of one store into another.
pub fn channel() -> (RowSender, RowReceiver) {
    mpsc::channel(QUEUED)
}

/// A table in a copy: its number of rows, and a digest of their content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
        let Ok(bytes) = postcard::to_stdvec(&row.values) else { return false };
        let (rows, digest) = self.0.entry(row.table.name).or_default();
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

/// Fails with the first table that differs between two stores.
pub fn compare(source: Vec<TableDigest>, target: &[TableDigest]) -> Result<Vec<TableDigest>, CopyRefusal> {
    let differing = source.iter().find(|table| !target.contains(table));
    let added = || target.iter().find(|table| !source.contains(table));
    match differing.or_else(added) {
        Some(found) => Err(CopyRefusal::Differs(found.table)),
        None => Ok(source),
    }
}

/// The outcome of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ImportCounts {
    /// The number of inserted reports.
    pub reports: u64,
    /// The number of their earlier results.
    #[serde(rename = "former_results")]
    pub former: u64,
    /// Reports skipped because their project already has their URL.
    pub skipped: u64,
}
