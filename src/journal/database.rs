//! The open journal: its schema, its transactions and the drafts of forms.
//!
//! One small SQLite file in the state directory, safe for several instances of the program. It never contains a key or
//! a password.

use std::cell::Cell;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, Params, Row, ToSql, Transaction, TransactionBehavior, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::domain::draft::{Draft, DraftKey};
use crate::domain::failure::{Failure, FailureKind};
use crate::journal::instance_lock::InstanceLock;
use crate::journal::owner_only;

/// The schema, one migration per released version.
pub(super) const MIGRATIONS: [&str; 9] = [
    include_str!("../../assets/journal/0001_drafts.sql"),
    include_str!("../../assets/journal/0002_runs.sql"),
    include_str!("../../assets/journal/0003_triage.sql"),
    include_str!("../../assets/journal/0004_settings.sql"),
    include_str!("../../assets/journal/0005_row_parts.sql"),
    include_str!("../../assets/journal/0006_postcard.sql"),
    include_str!("../../assets/journal/0007_notes_as_entries.sql"),
    include_str!("../../assets/journal/0008_events.sql"),
    include_str!("../../assets/journal/0009_desk.sql"),
];
/// How long a statement waits for another instance that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// The advice if another program is writing for longer.
const LOCKED_ADVICE: &str = "Another program is writing to it: try again once that has finished";
/// SQLite's page cache, in kibibytes.
const CACHE_KIBIBYTES: i64 = 256;

/// The open journal of this machine. One connection, used by one task at a time.
pub struct Journal {
    pub(super) connection: Connection,
    pub(super) folder: PathBuf,
    pub(super) instance_lock: InstanceLock,
    /// `total_changes` of the connection at the last checkpoint.
    checkpointed_changes: Cell<u64>,
}

/// A draft with the instance that stored it; `None` in drafts of earlier versions.
#[derive(Serialize, Deserialize)]
struct StoredDraft {
    #[serde(flatten)]
    draft: Draft,
    owner: Option<String>,
}

impl Journal {
    /// Opens or creates the journal and its directory. Fails, without changing the file, if it was written by a newer
    /// version or another program.
    pub fn open(file: &Path) -> Result<Self, Failure> {
        let folder = file.parent().unwrap_or(Path::new(".")).to_owned();
        owner_only::make_directory(&folder).map_err(|error| open_failure(file, error))?;
        owner_only::make_file(file).map_err(|error| open_failure(file, error))?;
        let (connection, _) = connect(file)?;
        let connection = Self::prepare(connection).map_err(|error| open_failure(file, error))?;
        let instance_lock = InstanceLock::open(&folder).map_err(|error| open_failure(file, error))?;
        Ok(Self { connection, folder, instance_lock, checkpointed_changes: Cell::new(0) })
    }

    fn prepare(mut connection: Connection) -> rusqlite::Result<Connection> {
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // Otherwise SQLite plans a statement with a bound `LIMIT` again for each value.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // Large values are written once and read once, in order, so a larger cache would not be hit.
        connection.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        if user_version(&connection)? == MIGRATIONS.len() {
            // Nothing is written, so that opening does not wait behind another instance that is writing.
            return Ok(connection);
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another instance may have migrated the file since its version was read.
        let version = user_version(&transaction)?;
        for (migration, step) in MIGRATIONS.iter().zip(1_i64..).skip(version) {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", step)?;
        }
        transaction.commit()?;
        Ok(connection)
    }

    /// Reads the whole file of a journal, without migrating it. Fails if it is damaged, or cannot be opened for writing.
    /// Returns whether [`Self::open`] will migrate it.
    pub fn check(file: &Path) -> Result<bool, Failure> {
        OpenOptions::new().read(true).write(true).open(file).map_err(|error| open_failure(file, error))?;
        let (connection, version) = connect(file)?;
        let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        match found {
            Ok(found) if found == "ok" => Ok((1..MIGRATIONS.len()).contains(&version)),
            Ok(damage) => Err(failure(&connection, "be read", anyhow!(damage))),
            Err(error) => Err(failure(&connection, "be checked", error)),
        }
    }

    /// Empties the write-ahead log and releases memory after a large write, so that no checkpoint is left for quitting.
    pub(super) fn checkpoint_and_shrink(&self) {
        // Fails while another instance reads; the log is then emptied when either of them closes the file.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.execute_batch("PRAGMA shrink_memory");
        self.checkpointed_changes.set(self.connection.total_changes());
    }

    /// Whether anything was written since the last checkpoint.
    pub fn has_log(&self) -> bool {
        self.connection.total_changes() != self.checkpointed_changes.get()
    }

    /// Checkpoints the write-ahead log after a small write, so that no checkpoint is left for quitting.
    ///
    /// PASSIVE does not wait for readers, and readers do not see it as a change. Pages still in use by a reader are
    /// copied at the next checkpoint; there is no retry, so that an idle program stays idle.
    pub fn checkpoint(&self) {
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        self.checkpointed_changes.set(self.connection.total_changes());
    }

    /// Returns all drafts of forms for one service, and the pending deletions of instances that have ended.
    pub fn load_drafts(&self, service: &str) -> Result<Vec<Draft>, Failure> {
        let sql = "SELECT content FROM drafts WHERE service = ?1 ORDER BY form";
        let stored: Vec<StoredDraft> = self.contents("read drafts", sql, service)?;
        let is_pending = |stored: &StoredDraft| {
            let is_open = |owner: &String| InstanceLock::is_open(&self.folder, owner);
            matches!(stored.draft.key, DraftKey::DeleteProject(_)) && stored.owner.as_ref().is_some_and(is_open)
        };
        Ok(stored.into_iter().filter(|stored| !is_pending(stored)).map(|stored| stored.draft).collect())
    }

    /// Stores a draft, replacing that of the same form.
    pub fn upsert_draft(&self, service: &str, draft: &Draft) -> Result<(), Failure> {
        let stored = StoredDraft { draft: draft.clone(), owner: Some(self.instance_lock.name.clone()) };
        let content = serde_json::to_string(&stored).map_err(|error| self.failure("store a draft", error))?;
        let sql = "INSERT INTO drafts (service, form, content) VALUES (?1, ?2, ?3)
                   ON CONFLICT (service, form) DO UPDATE SET content = excluded.content";
        self.execute("store a draft", sql, params![service, draft.key.to_string(), content]).map(drop)
    }

    /// Deletes the draft of a form.
    pub fn delete_draft(&self, service: &str, key: &DraftKey) -> Result<(), Failure> {
        let sql = "DELETE FROM drafts WHERE service = ?1 AND form = ?2";
        self.execute("delete a draft", sql, params![service, key.to_string()]).map(drop)
    }

    /// Reads all rows of a query. `what` completes the sentence "The journal could not …", here and below.
    pub(super) fn rows<T>(
        &self,
        what: &str,
        sql: &str,
        values: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Failure> {
        let read = || self.connection.prepare_cached(sql)?.query_map(values, row)?.collect::<rusqlite::Result<_>>();
        read().map_err(|error| self.failure(what, error))
    }

    /// Reads the JSON of a query's first column. What cannot be decoded, as from another version, is skipped.
    pub(super) fn contents<T: DeserializeOwned>(
        &self,
        what: &str,
        sql: &str,
        service: &str,
    ) -> Result<Vec<T>, Failure> {
        let texts = self.rows(what, sql, [service], |row| Ok(row.get::<_, String>(0).ok()))?;
        Ok(texts.into_iter().flatten().filter_map(|text| serde_json::from_str(&text).ok()).collect())
    }

    /// Executes one statement; returns the number of changed rows.
    pub(super) fn execute(&self, what: &str, sql: &str, values: &[&dyn ToSql]) -> Result<usize, Failure> {
        self.write(what, |transaction| Ok(transaction.prepare_cached(sql)?.execute(values)?))
    }

    /// Writes in one transaction, all or nothing.
    pub(super) fn write<T>(
        &self,
        what: &str,
        write: impl FnOnce(&Transaction<'_>) -> anyhow::Result<T>,
    ) -> Result<T, Failure> {
        let committed = || {
            // Acquires the write lock now, so that it cannot fail halfway because of another instance.
            let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
            let version = user_version(&transaction)?;
            let file = Path::new(self.connection.path().unwrap_or_default());
            anyhow::ensure!(version <= MIGRATIONS.len(), newer_version_failure(file, version));
            let written = write(&transaction)?;
            transaction.commit()?;
            Ok(written)
        };
        committed().map_err(|error| error.downcast().unwrap_or_else(|error| self.failure(what, error)))
    }

    pub(super) fn failure(&self, what: &str, why: impl Into<anyhow::Error>) -> Failure {
        failure(&self.connection, what, why)
    }
}

/// Converts a stored time; one out of range becomes the epoch.
pub(super) fn time(millisecond: i64) -> Timestamp {
    Timestamp::from_millisecond(millisecond).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Opens a connection to a file that this version can migrate, and returns its schema version.
fn connect(file: &Path) -> Result<(Connection, usize), Failure> {
    let connection = Connection::open(file).map_err(|error| open_failure(file, error))?;
    let (version, is_ours) = schema_version(&connection).map_err(|error| open_failure(file, error))?;
    if version > MIGRATIONS.len() {
        return Err(newer_version_failure(file, version));
    }
    if !is_ours {
        return Err(open_failure(file, anyhow!("it is the database of another program; it was not changed")));
    }
    Ok((connection, version))
}

fn failure(connection: &Connection, what: &str, why: impl Into<anyhow::Error>) -> Failure {
    let (file, why) = (connection.path().unwrap_or_default(), why.into());
    let message = format!("The journal could not {what}: {why}");
    let damaged = format!("Check the free space and permissions of {file}, and move it away if it is damaged");
    let advice = if is_locked(&why) { LOCKED_ADVICE.to_owned() } else { damaged };
    Failure::new(FailureKind::Local, message, advice)
}

fn open_failure(file: &Path, why: impl Into<anyhow::Error>) -> Failure {
    let why = why.into();
    let message = format!("The journal {} cannot be opened: {why}", file.display());
    let damaged = "Drafts, states, notes and views are not stored until then. Check the free space and its \
                   permissions, or move a damaged file away";
    let advice = if is_locked(&why) { LOCKED_ADVICE } else { damaged };
    Failure::new(FailureKind::Local, message, advice)
}

/// Whether another program has locked the file. It is then in use, and must not be moved away.
fn is_locked(why: &anyhow::Error) -> bool {
    why.downcast_ref().and_then(rusqlite::Error::sqlite_error_code) == Some(ErrorCode::DatabaseBusy)
}

/// Returns the schema version, and whether the file is a journal: empty, or with our tables.
fn schema_version(connection: &Connection) -> rusqlite::Result<(usize, bool)> {
    // Read from one snapshot, since another instance may be creating the tables.
    let snapshot = connection.unchecked_transaction()?;
    let version = user_version(&snapshot)?;
    let tables = "SELECT count(*), total(name = 'drafts') FROM sqlite_schema \
                  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let (all, ours): (i64, f64) = snapshot.query_row(tables, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let is_ours = if version == 0 { all == 0 } else { ours > 0.0 };
    Ok((version, is_ours))
}

/// Returns the number of applied migrations.
fn user_version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(0))
}

fn newer_version_failure(file: &Path, version: usize) -> Failure {
    let (name, ours) = (file.display(), MIGRATIONS.len());
    let message =
        format!("The journal {name} was written by a newer version of the program ({version}; this one knows {ours})");
    let advice = "It was not changed, and nothing is stored. Use the newer version, or another state directory";
    Failure::new(FailureKind::Local, message, advice)
}
