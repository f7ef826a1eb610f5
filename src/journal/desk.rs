//! The local copy of a desk, and the outbox: writes that the desk has not confirmed.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::database::Journal;
use crate::domain::desk::{
    ChangeId, DeskContent, DeskEvent, DeskMe, DeskNote, DeskRow, EventDetail, LogPosition, OutboxEntry, Person,
};
use crate::domain::failure::Failure;

/// The local copy of a desk.
#[derive(Debug, Clone, PartialEq)]
pub struct DeskCopy {
    /// The service's number on the desk.
    pub service: i64,
    /// The person using this machine.
    pub me: DeskMe,
    /// All people.
    pub people: Vec<Person>,
    /// Rows and notes, and the position in the log.
    pub content: DeskContent,
    /// When the desk last responded.
    pub read_at: Timestamp,
}

/// The part of a copy that is stored once.
#[derive(Serialize, Deserialize)]
struct CopyOverview {
    service: i64,
    me: DeskMe,
    people: Vec<Person>,
    position: LogPosition,
}

/// What the desk has after a write.
#[derive(Debug, Clone)]
pub enum ConfirmedWrite {
    /// A report's row.
    Row(Box<DeskRow>),
    /// A note.
    Note(Box<DeskNote>),
}

const DELETE_OUTGOING: &str = "DELETE FROM desk_outbox WHERE change = ?1";

impl Journal {
    /// Returns the copy of a service's desk; `None` if there is none, or one of another version.
    pub fn load_desk(&self, service: &str) -> Result<Option<DeskCopy>, Failure> {
        let what = "read the copy of the desk";
        // All tables are read from one snapshot, since another instance may be writing.
        let _snapshot = self.connection.unchecked_transaction().map_err(|error| self.failure(what, error))?;
        let sql = "SELECT overview, read_at FROM desk_copies WHERE service = ?1";
        let found = self.rows(what, sql, [service], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?.pop();
        let overview = found.and_then(|(text, at)| {
            Some((serde_json::from_str::<CopyOverview>(&text).ok()?, Timestamp::from_millisecond(at).ok()?))
        });
        let Some((CopyOverview { service: number, me, people, position }, read_at)) = overview else {
            return Ok(None);
        };
        let mut content = DeskContent { position, ..DeskContent::default() };
        for row in self.contents(what, "SELECT content FROM desk_copy_rows WHERE service = ?1", service)? {
            content.put_row(row);
        }
        for note in self.contents(what, "SELECT content FROM desk_copy_notes WHERE service = ?1", service)? {
            content.put_note(note);
        }
        Ok(Some(DeskCopy { service: number, me, people, content, read_at }))
    }

    /// Replaces the copy of a service's desk.
    pub fn store_desk(&self, service: &str, copy: &DeskCopy) -> Result<(), Failure> {
        self.write("store the copy of the desk", |transaction| {
            for table in ["desk_copies", "desk_copy_rows", "desk_copy_notes"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE service = ?1"), [service])?;
            }
            put_overview(transaction, service, copy)?;
            for row in copy.content.rows.values() {
                put_row(transaction, service, row)?;
            }
            for note in copy.content.notes.values() {
                put_note(transaction, service, note)?;
            }
            Ok(())
        })
    }

    /// Stores the changes made by `events`; `copy` is the state after them. It may be newer than an event: a response to
    /// a write may precede the events before it.
    pub fn update_desk(&self, service: &str, copy: &DeskCopy, events: &[DeskEvent]) -> Result<(), Failure> {
        self.write("store the copy of the desk", |transaction| {
            put_overview(transaction, service, copy)?;
            for event in events {
                match &event.detail {
                    EventDetail::State { after, .. } => {
                        put_row(transaction, service, copy.content.rows.get(&after.report).unwrap_or(after))?;
                    }
                    EventDetail::Note { after, .. } => match copy.content.notes.get(&after.id) {
                        Some(note) => put_note(transaction, service, note)?,
                        None => delete_note(transaction, service, after.id)?,
                    },
                    EventDetail::Service { .. }
                    | EventDetail::Merged { .. }
                    | EventDetail::Key { .. }
                    | EventDetail::Person { .. }
                    | EventDetail::Unknown => {}
                }
            }
            Ok(())
        })
    }

    /// Returns the unconfirmed writes, in the order they were decided.
    pub fn load_outbox(&self, service: &str) -> Result<Vec<OutboxEntry>, Failure> {
        let sql = "SELECT content FROM desk_outbox WHERE service = ?1 ORDER BY id";
        self.contents("read the outbox", sql, service)
    }

    /// Adds or replaces writes in the outbox, all or none.
    pub fn store_outgoing(&self, service: &str, entries: &[OutboxEntry]) -> Result<(), Failure> {
        self.write("store decisions", |transaction| {
            let sql = "INSERT INTO desk_outbox (service, change, content) VALUES (?1, ?2, ?3)
                       ON CONFLICT (change) DO UPDATE SET content = excluded.content";
            for entry in entries {
                let values = params![service, entry.write.change().to_string(), serde_json::to_string(entry)?];
                transaction.prepare_cached(sql)?.execute(values)?;
            }
            Ok(())
        })
    }

    /// Removes a write that the desk has confirmed from the outbox, and stores in the copy what the desk has since. The
    /// event of the write arrives later, or after a restart.
    pub fn confirm_outgoing(&self, service: &str, change: ChangeId, confirmed: &ConfirmedWrite) -> Result<(), Failure> {
        self.write("store a confirmed decision", |transaction| {
            match confirmed {
                ConfirmedWrite::Row(row) => put_row(transaction, service, row)?,
                ConfirmedWrite::Note(note) => put_note(transaction, service, note)?,
            }
            transaction.prepare_cached(DELETE_OUTGOING)?.execute([change.to_string()])?;
            Ok(())
        })
    }

    /// Removes a write from the outbox.
    pub fn delete_outgoing(&self, change: ChangeId) -> Result<(), Failure> {
        self.execute("remove a decision", DELETE_OUTGOING, params![change.to_string()]).map(drop)
    }
}

fn put_overview(connection: &Connection, service: &str, copy: &DeskCopy) -> anyhow::Result<()> {
    let DeskCopy { service: number, me, people, content, read_at } = copy;
    let (me, people) = (me.clone(), people.clone());
    let overview = CopyOverview { service: *number, me, people, position: content.position };
    let sql = "INSERT OR REPLACE INTO desk_copies (service, overview, read_at) VALUES (?1, ?2, ?3)";
    let values = params![service, serde_json::to_string(&overview)?, read_at.as_millisecond()];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

fn put_row(connection: &Connection, service: &str, row: &DeskRow) -> anyhow::Result<()> {
    let sql = "INSERT OR REPLACE INTO desk_copy_rows (service, report, content) VALUES (?1, ?2, ?3)";
    let values = params![service, row.report.raw(), serde_json::to_string(row)?];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

/// Stores a note, or removes a withdrawn one.
fn put_note(connection: &Connection, service: &str, note: &DeskNote) -> anyhow::Result<()> {
    if note.withdrawn {
        return delete_note(connection, service, note.id);
    }
    let sql = "INSERT OR REPLACE INTO desk_copy_notes (service, note, content) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![service, note.id, serde_json::to_string(note)?])?;
    Ok(())
}

fn delete_note(connection: &Connection, service: &str, id: i64) -> anyhow::Result<()> {
    let sql = "DELETE FROM desk_copy_notes WHERE service = ?1 AND note = ?2";
    connection.prepare_cached(sql)?.execute(params![service, id])?;
    Ok(())
}
