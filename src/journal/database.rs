//! What this machine remembers: drafts of forms, actions on many reports, what people make of reports, and what their
//! lists looked like. Must not know the screen, the client or the service.
//!
//! One small SQLite file in the state directory, safe with several windows open. Never holds a key or a password.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use crate::domain::draft::Draft;
use crate::domain::failure::{Failure, FailureKind};
use crate::journal::instance_lock::InstanceLock;
use crate::journal::owner_only;

/// The schema, one step per version that was ever released.
pub(super) const MIGRATIONS: [&str; 6] = [
    include_str!("../../assets/journal/0001_drafts.sql"),
    include_str!("../../assets/journal/0002_runs.sql"),
    include_str!("../../assets/journal/0003_triage.sql"),
    include_str!("../../assets/journal/0004_settings.sql"),
    include_str!("../../assets/journal/0005_row_parts.sql"),
    include_str!("../../assets/journal/0006_postcard.sql"),
];
/// Another window may be writing for a moment.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// What SQLite may remember of the file, in kibibytes.
const CACHE_KIBIBYTES: i64 = 256;

/// The open journal of this machine. One connection; used from one task at a time.
pub struct Journal {
    pub(super) connection: Connection,
    pub(super) folder: PathBuf,
    pub(super) instance_lock: InstanceLock,
    /// What SQLite said last about changes by others.
    pub(super) data_version: Cell<Option<i64>>,
    /// How many changes of ours had been made when the log was put away last.
    checkpointed_changes: Cell<u64>,
}

impl Journal {
    /// Opens or creates the journal. Its directory is made when it is not there. A journal that a newer version of the
    /// program wrote is left as it is, and the failure says so.
    pub fn open(file: &Path) -> Result<Self, Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            let message = format!("The journal {} cannot be opened: {why}", file.display());
            let advice =
                "Nothing is remembered until it can: no drafts, states, notes or views. Check the directory's rights";
            Failure::new(FailureKind::Local, message, advice)
        };
        let folder = file.parent().unwrap_or(Path::new(".")).to_owned();
        owner_only::make_directory(&folder).map_err(|error| failed(&error))?;
        owner_only::make_file(file).map_err(|error| failed(&error))?;
        let connection = Connection::open(file).map_err(|error| failed(&error))?;
        let (version, is_ours) = schema_version(&connection).map_err(|error| failed(&error))?;
        if version > MIGRATIONS.len() {
            return Err(newer_version_failure(file, version));
        }
        if !is_ours {
            return Err(failed(&"it is the database of another program, and left as it is"));
        }
        let connection = Self::prepare(connection).map_err(|error| failed(&error))?;
        let instance_lock = InstanceLock::open(&folder).map_err(|error| failed(&error))?;
        let journal = Self {
            connection,
            folder,
            instance_lock,
            data_version: Cell::new(None),
            checkpointed_changes: Cell::new(0),
        };
        journal.changed_elsewhere()?;
        Ok(journal)
    }

    fn prepare(mut connection: Connection) -> rusqlite::Result<Connection> {
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // Large things are written once and read once, from the first part to the last: nothing is worth remembering.
        connection.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another window may have done it since it was last looked at.
        let version = user_version(&transaction)?;
        for (migration, step) in MIGRATIONS.iter().zip(1_i64..).skip(version) {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", step)?;
        }
        transaction.commit()?;
        Ok(connection)
    }

    /// Puts the log away and gives memory back after something large was written, so that the end of the program,
    /// which is waited for, has nothing of it left to do.
    pub(super) fn checkpoint_and_shrink(&self) {
        // Another window may be reading: then its end, or ours, does it.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.execute_batch("PRAGMA shrink_memory");
        self.checkpointed_changes.set(self.connection.total_changes());
    }

    /// Whether anything was written since the log was put away.
    pub fn has_log(&self) -> bool {
        self.connection.total_changes() != self.checkpointed_changes.get()
    }

    /// Puts the log away after something small was written, so that the end of the program finds it done.
    ///
    /// PASSIVE, as it waits for nobody and nobody waits for it: TRUNCATE would wait for windows that read, at a time when
    /// this one may be asked to leave, and seem to them like a change. The log stays as long as it is, which is no more
    /// work to delete. What a reading window keeps from going into the file goes there with the next writing, or at the
    /// end: it is not tried again, so that nothing runs while nothing happens.
    pub fn put_log_away(&self) {
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        self.checkpointed_changes.set(self.connection.total_changes());
    }

    /// All drafts of forms for one service.
    pub fn drafts(&self, service: &str) -> Result<Vec<Draft>, Failure> {
        let read = || -> rusqlite::Result<Vec<Draft>> {
            let mut statement =
                self.connection.prepare("SELECT content FROM drafts WHERE service = ?1 ORDER BY form")?;
            let texts = statement.query_map([service], |row| row.get::<_, String>(0))?;
            // A draft that cannot be read any more is not worth stopping for.
            Ok(texts.flatten().filter_map(|text| serde_json::from_str(&text).ok()).collect())
        };
        read().map_err(|error| journal_failure("read drafts", &error))
    }

    /// Keeps a draft in place of an older one of the same form.
    pub fn keep(&self, service: &str, draft: &Draft) -> Result<(), Failure> {
        let content = serde_json::to_string(draft).map_err(|error| journal_failure("write a draft", &error))?;
        let sql = "INSERT INTO drafts (service, form, content) VALUES (?1, ?2, ?3)
                   ON CONFLICT (service, form) DO UPDATE SET content = excluded.content";
        self.execute_without_sync(sql, params![service, draft.form, content])
            .map_err(|error| journal_failure("write a draft", &error))
    }

    /// Forgets the draft of a form.
    pub fn forget(&self, service: &str, form: &str) -> Result<(), Failure> {
        let sql = "DELETE FROM drafts WHERE service = ?1 AND form = ?2";
        self.execute_without_sync(sql, params![service, form])
            .map_err(|error| journal_failure("forget a draft", &error))
    }

    /// A write that does not wait for the disk, at which a service in this process waits at the same time: the system
    /// has it, whatever happens to the program. If the power goes, a draft of the last seconds goes with it.
    fn execute_without_sync(&self, sql: &str, values: impl rusqlite::Params) -> rusqlite::Result<()> {
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        let done = self.connection.execute(sql, values).map(drop);
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        done
    }

    /// Whether a draft of this form is kept.
    pub fn has(&self, service: &str, form: &str) -> bool {
        let sql = "SELECT 1 FROM drafts WHERE service = ?1 AND form = ?2";
        matches!(self.connection.query_row(sql, params![service, form], |_| Ok(())).optional(), Ok(Some(())))
    }
}

/// How many steps of the schema were done, and whether it is one of ours at all: a new file, or one with our tables.
fn schema_version(connection: &Connection) -> rusqlite::Result<(usize, bool)> {
    // Both on one state of the file: another window may be making the tables.
    let snapshot = connection.unchecked_transaction()?;
    let version = user_version(&snapshot)?;
    let tables = "SELECT count(*), total(name = 'drafts') FROM sqlite_schema \
                  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let (all, ours): (i64, f64) = snapshot.query_row(tables, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let is_ours = if version == 0 { all == 0 } else { ours > 0.0 };
    Ok((version, is_ours))
}

/// How many steps of the schema were done.
fn user_version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(0))
}

fn newer_version_failure(file: &Path, version: usize) -> Failure {
    let (name, ours) = (file.display(), MIGRATIONS.len());
    let message =
        format!("The journal {name} was written by a newer version of the program ({version}; this one knows {ours})");
    let advice = "It is left as it is, and nothing is remembered. Use the newer version, or another state directory";
    Failure::new(FailureKind::Local, message, advice)
}

pub(super) fn journal_failure(what: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Local, format!("The journal could not {what}: {why}"), "Check the disk and its rights")
}
