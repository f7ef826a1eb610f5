//! What this machine remembers: drafts of forms, and actions on many reports. Must not know the screen, the client or the service.
//!
//! One small SQLite file in the state directory, safe with several windows open. Never holds a key or a password.

mod runs;
mod window;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use window::Window;

use crate::domain::draft::Draft;
use crate::domain::failure::{Failure, FailureKind};

/// The schema, one step per version that was ever released.
const MIGRATIONS: [&str; 2] =
    [include_str!("../../assets/journal/0001_drafts.sql"), include_str!("../../assets/journal/0002_runs.sql")];
/// Another window may be writing for a moment.
const BUSY: Duration = Duration::from_secs(2);

/// The open journal of this machine. One connection; used from one task at a time.
pub struct Journal {
    connection: Connection,
    folder: PathBuf,
    window: Window,
}

impl Journal {
    /// Opens or creates the journal. Its directory is made when it is not there.
    pub fn open(file: &Path) -> Result<Self, Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            let message = format!("The journal {} cannot be opened: {why}", file.display());
            Failure::new(FailureKind::Local, message, "Drafts are not kept until it can; check the directory's rights")
        };
        let folder = file.parent().unwrap_or(Path::new(".")).to_owned();
        std::fs::create_dir_all(&folder).map_err(|error| failed(&error))?;
        let connection = Connection::open(file).and_then(Self::prepare).map_err(|error| failed(&error))?;
        let window = Window::open(&folder).map_err(|error| failed(&error))?;
        Ok(Self { connection, folder, window })
    }

    fn prepare(mut connection: Connection) -> rusqlite::Result<Connection> {
        connection.busy_timeout(BUSY)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        for (migration, step) in MIGRATIONS.iter().zip(1_i64..).skip(version.max(0).unsigned_abs() as usize) {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", step)?;
        }
        transaction.commit()?;
        Ok(connection)
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
        read().map_err(|error| told("read drafts", &error))
    }

    /// Keeps a draft in place of an older one of the same form.
    pub fn keep(&self, service: &str, draft: &Draft) -> Result<(), Failure> {
        let content = serde_json::to_string(draft).map_err(|error| told("write a draft", &error))?;
        let sql = "INSERT INTO drafts (service, form, content) VALUES (?1, ?2, ?3)
                   ON CONFLICT (service, form) DO UPDATE SET content = excluded.content";
        self.connection
            .execute(sql, params![service, draft.form, content])
            .map_err(|error| told("write a draft", &error))?;
        Ok(())
    }

    /// Forgets the draft of a form.
    pub fn forget(&self, service: &str, form: &str) -> Result<(), Failure> {
        let sql = "DELETE FROM drafts WHERE service = ?1 AND form = ?2";
        self.connection.execute(sql, params![service, form]).map_err(|error| told("forget a draft", &error))?;
        Ok(())
    }

    /// Whether a draft of this form is kept.
    pub fn has(&self, service: &str, form: &str) -> bool {
        let sql = "SELECT 1 FROM drafts WHERE service = ?1 AND form = ?2";
        matches!(self.connection.query_row(sql, params![service, form], |_| Ok(())).optional(), Ok(Some(())))
    }
}

fn told(what: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Local, format!("The journal could not {what}: {why}"), "Check the disk and its rights")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(url: &str) -> Draft {
        Draft { form: "new".into(), url: url.into(), privacy: Some(1), rerun: false }
    }

    #[test]
    fn drafts_survive_a_restart_and_are_kept_per_service() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/journal.sqlite");
        let journal = Journal::open(&file).unwrap();
        journal.keep("a", &draft("one")).unwrap();
        journal.keep("a", &draft("two")).unwrap();
        drop(journal);
        let journal = Journal::open(&file).unwrap();
        assert_eq!(journal.drafts("a").unwrap(), [draft("two")]);
        assert!(journal.drafts("b").unwrap().is_empty());
        journal.forget("a", "new").unwrap();
        assert!(!journal.has("a", "new"));
    }

    #[test]
    fn an_unreadable_journal_is_told_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.sqlite");
        std::fs::write(&file, "this is no database, and it is long enough to be looked at as one").unwrap();
        let failure = Journal::open(&file).err().unwrap();
        assert!(failure.message.contains("journal.sqlite"), "{failure}");
    }
}
