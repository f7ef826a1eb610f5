//! Bulk runs: stored at their beginning, updated item by item, and found again after a crash. Passwords are never
//! stored; only whether a run needs one.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::database::Journal;
use super::events::append;
use super::instance_lock::InstanceLock;
use crate::domain::bulk::{BulkItem, BulkOperation, InterruptedRun, ItemState, RunNumber};
use crate::domain::event_log::LogEntry;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::privacy::Privacy;

impl Journal {
    /// Stores a run and all its items before the first request is sent.
    pub fn insert_run(
        &self,
        service: &str,
        operation: &BulkOperation,
        items: &[BulkItem],
    ) -> Result<RunNumber, Failure> {
        self.write("store the run", |transaction| {
            let now = Timestamp::now().as_millisecond();
            transaction.execute(
                "INSERT INTO runs (service, owner, deed, begun_at) VALUES (?1, ?2, ?3, ?4)",
                params![service, self.instance_lock.name, word(operation), now],
            )?;
            let run = transaction.last_insert_rowid();
            for (place, item) in items.iter().enumerate() {
                insert(transaction, run, place, item)?;
            }
            Ok(RunNumber(run))
        })
    }

    /// Stores the state of one item, and appends the entries of the event log about it, in one transaction: the program
    /// may be killed at any time, and an item that is done is not repeated.
    pub fn record_item(
        &self,
        run: RunNumber,
        place: usize,
        state: &ItemState,
        service: &str,
        entries: &[LogEntry],
    ) -> Result<(), Failure> {
        let (state, text) = state_words(state);
        self.write("store the progress of the run", |transaction| {
            let sql = "UPDATE run_items SET state = ?3, told = ?4 WHERE run = ?1 AND place = ?2";
            let place = i64::try_from(place).unwrap_or(i64::MAX);
            transaction.prepare_cached(sql)?.execute(params![run.0, place, state, text])?;
            append(transaction, service, entries)
        })
    }

    /// Deletes a run that is finished or no longer wanted.
    pub fn delete_run(&self, run: RunNumber) -> Result<(), Failure> {
        self.execute("delete the finished run", "DELETE FROM runs WHERE id = ?1", params![run.0]).map(drop)
    }

    /// Returns the unfinished runs at this service whose instance has ended, and takes over their ownership.
    pub fn load_interrupted_runs(&self, service: &str) -> Result<Vec<InterruptedRun>, Failure> {
        let what = "look for unfinished runs";
        let sql = "SELECT id, owner, deed FROM runs WHERE service = ?1 ORDER BY id";
        let runs: Vec<(i64, String, String)> =
            self.rows(what, sql, [service], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let mut found = Vec::new();
        for (run, owner, operation) in runs {
            if owner == self.instance_lock.name || InstanceLock::is_open(&self.folder, &owner) {
                continue;
            }
            // Two instances may look at the same time: the one that changes the owner gets the run.
            let sql = "UPDATE runs SET owner = ?3 WHERE id = ?1 AND owner = ?2";
            if self.execute(what, sql, params![run, owner, self.instance_lock.name])? != 1 {
                continue;
            }
            let sql = "SELECT report, url, before, audited_at, failing, state, told FROM run_items WHERE run = ?1 \
                       ORDER BY place";
            let items = self.rows(what, sql, [run], item)?;
            // A later version's operation cannot be continued.
            found.extend(operation_of(&operation).map(|(operation, needs_password)| InterruptedRun {
                run: RunNumber(run),
                operation,
                needs_password,
                items,
            }));
        }
        Ok(found)
    }
}

fn insert(connection: &Connection, run: i64, place: usize, item: &BulkItem) -> rusqlite::Result<()> {
    let (state, text) = state_words(&item.state);
    let failing = item.failing.as_ref().map(|ids| ids.join("\n"));
    connection
        .prepare_cached(
            "INSERT INTO run_items (run, place, report, url, before, audited_at, failing, state, told) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            run,
            i64::try_from(place).unwrap_or(i64::MAX),
            item.id.raw(),
            item.url,
            item.before,
            item.audited_at.map(|at| at.to_string()),
            failing,
            state,
            text
        ])?;
    Ok(())
}

fn item(row: &Row<'_>) -> rusqlite::Result<BulkItem> {
    let (report, audited_at, failing): (String, Option<String>, Option<String>) =
        (row.get(0)?, row.get(3)?, row.get(4)?);
    let (state, text): (String, String) = (row.get(5)?, row.get(6)?);
    Ok(BulkItem {
        id: ReportId::new(&report),
        url: row.get(1)?,
        before: row.get(2)?,
        audited_at: audited_at.and_then(|at| at.parse().ok()),
        failing: failing.map(|ids| ids.lines().map(CheckId::from).collect()),
        change: None,
        state: match state.as_str() {
            "done" => ItemState::Done(text),
            "failed" => ItemState::Failed(text),
            "skipped" => ItemState::Skipped(text),
            "sent" => ItemState::Lost,
            _ => ItemState::Waiting,
        },
    })
}

fn state_words(state: &ItemState) -> (&'static str, &str) {
    match state {
        ItemState::Waiting => ("waiting", ""),
        ItemState::Sent | ItemState::Lost => ("sent", ""),
        ItemState::Done(text) => ("done", text),
        ItemState::Failed(text) => ("failed", text),
        ItemState::Skipped(text) => ("skipped", text),
    }
}

fn word(operation: &BulkOperation) -> String {
    match operation {
        BulkOperation::Rerun => "rerun".to_owned(),
        BulkOperation::Privacy { privacy, password: None } => format!("privacy {}", privacy.code()),
        BulkOperation::Privacy { privacy, password: Some(_) } => format!("privacy {} with a password", privacy.code()),
        BulkOperation::Delete => "delete".to_owned(),
    }
}

/// Parses the operation, and whether it needs a password that was not stored.
fn operation_of(text: &str) -> Option<(BulkOperation, bool)> {
    let mut words = text.split(' ');
    Some(match (words.next()?, words.next()) {
        ("rerun", None) => (BulkOperation::Rerun, false),
        ("delete", None) => (BulkOperation::Delete, false),
        ("privacy", Some(code)) => {
            let privacy = Privacy::from_code(code.parse().ok()?)?;
            (BulkOperation::Privacy { privacy, password: None }, words.next().is_some())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str) -> BulkItem {
        BulkItem {
            id: ReportId::new(id),
            url: format!("shop.example/{id}"),
            before: "bad 31".to_owned(),
            audited_at: Timestamp::from_second(12).ok(),
            failing: Some(vec!["title".into(), "csp".into()]),
            change: None,
            state: ItemState::Waiting,
        }
    }

    #[test]
    fn a_run_is_found_again_when_its_instance_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Journal::open(&folder.path().join("journal.sqlite")).unwrap();
        let first = open();
        let items = [item("1"), item("2"), item("3"), item("4")];
        let run = first.insert_run("a", &BulkOperation::Rerun, &items).unwrap();
        first.record_item(run, 0, &ItemState::Done("good 92".to_owned()), "a", &[]).unwrap();
        first.record_item(run, 1, &ItemState::Sent, "a", &[]).unwrap();
        first.record_item(run, 2, &ItemState::Failed("no".to_owned()), "a", &[]).unwrap();
        let second = open();
        assert!(second.load_interrupted_runs("a").unwrap().is_empty(), "its instance still works on it");
        drop(first);
        assert!(second.load_interrupted_runs("b").unwrap().is_empty(), "another service");
        let found = second.load_interrupted_runs("a").unwrap();
        let states: Vec<ItemState> = found[0].items.iter().map(|item| item.state.clone()).collect();
        let expected = [
            ItemState::Done("good 92".to_owned()),
            ItemState::Lost,
            ItemState::Failed("no".to_owned()),
            ItemState::Waiting,
        ];
        assert_eq!(states, expected);
        assert_eq!(found[0].items[3], items[3]);
        assert!(open().load_interrupted_runs("a").unwrap().is_empty(), "it has an owner again");
        second.delete_run(run).unwrap();
        drop(second);
        assert!(open().load_interrupted_runs("a").unwrap().is_empty());
    }

    #[test]
    fn an_item_is_stored_with_its_log_entries_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Journal::open(&folder.path().join("journal.sqlite")).unwrap();
        let first = open();
        let run = first.insert_run("a", &BulkOperation::Delete, &[item("1"), item("2")]).unwrap();
        let record = |place, id| {
            let entry = LogEntry::of_deletion(&ReportId::new(id), Timestamp::UNIX_EPOCH);
            first.record_item(run, place, &ItemState::Done("deleted".to_owned()), "a", &[entry])
        };
        record(0, "1").unwrap();
        assert_eq!(first.load_events("a", 9).unwrap().len(), 1);
        first.connection.execute_batch("ALTER TABLE events RENAME TO elsewhere").unwrap();
        assert!(record(1, "2").unwrap_err().message.contains("store the progress of the run"));
        first.connection.execute_batch("ALTER TABLE elsewhere RENAME TO events").unwrap();
        drop(first);
        let states: Vec<ItemState> =
            open().load_interrupted_runs("a").unwrap().remove(0).items.into_iter().map(|item| item.state).collect();
        assert_eq!(states, [ItemState::Done("deleted".to_owned()), ItemState::Waiting]);
    }

    #[test]
    fn every_operation_is_decoded_again_and_no_password_is_stored() {
        let password = |password: Option<&str>| BulkOperation::Privacy {
            privacy: Privacy::Password,
            password: password.map(Into::into),
        };
        for (operation, needs_password) in [
            (BulkOperation::Rerun, false),
            (BulkOperation::Delete, false),
            (password(None), false),
            (password(Some("tea")), true),
        ] {
            let text = word(&operation);
            assert!(!text.contains("tea"));
            let (known, needs) = operation_of(&text).unwrap();
            assert_eq!((known.verb(), needs), (operation.verb(), needs_password));
        }
        for odd in ["", "fly", "privacy 9", "privacy x", "rerun twice"] {
            assert!(operation_of(odd).is_none(), "{odd}");
        }
    }
}
