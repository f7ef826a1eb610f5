//! States and notes of reports. Each write is one transaction; the last write to a report wins, and writes to different
//! reports do not affect each other, even from several instances. `snapshots` deletes those that no list has contained
//! for a year.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::clock_jump;
use super::database::{Journal, time};
use super::events;
use crate::domain::event_log::LogEntry;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::text::{Text, clean};
use crate::domain::triage::{Note, NoteChange, Notes, State, Triage, Triages};

impl Journal {
    /// Returns all states of one service. Unknown states are skipped, but stay in the file.
    pub fn load_states(&self, service: &str) -> Result<Triages, Failure> {
        let sql = "SELECT report, state, until, set_at, reason, outcome, score, failing, generated_at \
                   FROM triages WHERE service = ?1";
        Ok(self.rows("read the states of reports", sql, [service], triage)?.into_iter().flatten().collect())
    }

    /// Stores a person's decisions and their log entries in one transaction. [`State::New`] deletes the stored state.
    pub fn upsert_states(
        &self,
        service: &str,
        decided: &[(ReportId, Triage)],
        entries: &[LogEntry],
    ) -> Result<(), Failure> {
        self.write("store the state of a report", |transaction| {
            let last_reading = clock_jump::last_reading(transaction)?;
            for (id, triage) in decided {
                if triage.is_plain() {
                    let sql = "DELETE FROM triages WHERE service = ?1 AND report = ?2";
                    transaction.prepare_cached(sql)?.execute([service, id.raw()])?;
                } else {
                    put(transaction, service, (id, triage), last_reading)?;
                }
            }
            events::append(transaction, service, entries)
        })
    }

    /// Stores changes made by the program: for each report the time of the state it replaces, and the new state.
    ///
    /// Returns for each change whether it was stored. If another state was set in the meantime, perhaps by another
    /// instance, it is kept and the change is dropped: read [`Journal::load_states`] again.
    pub fn update_states(
        &self,
        service: &str,
        changed: &[(ReportId, Timestamp, Triage)],
    ) -> Result<Vec<bool>, Failure> {
        self.write("store the state of a report", |transaction| {
            let last_reading = clock_jump::last_reading(transaction)?;
            let mut kept = Vec::with_capacity(changed.len());
            for (id, former, triage) in changed {
                let sql = "SELECT EXISTS (SELECT 1 FROM triages WHERE service = ?1 AND report = ?2 AND set_at = ?3)";
                let is_as_it_was: bool = transaction
                    .prepare_cached(sql)?
                    .query_row(params![service, id.raw(), former.as_millisecond()], |row| row.get(0))?;
                if is_as_it_was {
                    put(transaction, service, (id, triage), last_reading)?;
                }
                kept.push(is_as_it_was);
            }
            Ok(kept)
        })
    }

    /// Returns all notes of one service.
    pub fn load_notes(&self, service: &str) -> Result<Notes, Failure> {
        let sql = "SELECT report, content, written_at, author FROM notes WHERE service = ?1";
        let note = |row: &Row<'_>| {
            let (id, content, author): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(3)?);
            let author = clean(&author).into_owned();
            let note = Note { text: Text::from_outside(content), author, written_at: time(row.get(2)?) };
            Ok((ReportId::new(&id), note))
        };
        Ok(self.rows("read the notes", sql, [service], note)?.into_iter().collect())
    }

    /// Adds, replaces and deletes notes in one transaction.
    pub fn store_notes(&self, service: &str, changes: &[NoteChange]) -> Result<(), Failure> {
        self.write("store a note", |transaction| {
            let last_reading = clock_jump::last_reading(transaction)?;
            for NoteChange { report, written_at, note } in changes {
                let written_at = written_at.as_millisecond();
                if let Some(note) = note {
                    let sql = "INSERT INTO notes (service, report, written_at, author, content, seen_at) \
                               VALUES (?1, ?2, ?3, ?4, ?5, max(?3, ?6)) \
                               ON CONFLICT DO UPDATE SET author = excluded.author, content = excluded.content";
                    let values = params![service, report.raw(), written_at, note.author, note.text.raw(), last_reading];
                    transaction.prepare_cached(sql)?.execute(values)?;
                } else {
                    let sql = "DELETE FROM notes WHERE service = ?1 AND report = ?2 AND written_at = ?3";
                    transaction.prepare_cached(sql)?.execute(params![service, report.raw(), written_at])?;
                }
            }
            Ok(())
        })
    }
}

/// Stores a state. It counts as seen now, that is, not before the last reading of the clock: its own time may be years
/// ago, for example that of a state that was restored by undo.
fn put(
    connection: &Connection,
    service: &str,
    (id, triage): (&ReportId, &Triage),
    last_reading: i64,
) -> rusqlite::Result<()> {
    let baseline = &triage.baseline;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO triages (service, report, state, until, set_at, reason, outcome, score, failing, \
             generated_at, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, max(?5, ?11))",
        )?
        .execute(params![
            service,
            id.raw(),
            triage.state.kind().name(),
            triage.state.until().map(|until| until.to_string()),
            triage.set_at.as_millisecond(),
            triage.reason,
            baseline.outcome.sent().unwrap_or_default(),
            baseline.score,
            baseline.failing.as_ref().map(|ids| ids.join("\n")),
            baseline.generated_at.map(|at| at.to_string()),
            last_reading,
        ])?;
    Ok(())
}

fn triage(row: &Row<'_>) -> rusqlite::Result<Option<(ReportId, Triage)>> {
    let (id, word, until): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (outcome, failing, generated_at): (String, Option<String>, Option<String>) =
        (row.get(5)?, row.get(7)?, row.get(8)?);
    let baseline = ReportState {
        outcome: Outcome::from_name(&outcome),
        score: row.get(6)?,
        failing: failing.map(|ids| ids.lines().map(CheckId::from).collect()),
        generated_at: generated_at.and_then(|at| at.parse().ok()),
    };
    let (set_at, reason) = (time(row.get(3)?), row.get(4)?);
    let until = until.and_then(|until| until.parse().ok());
    let state = word.parse().ok().and_then(|kind| State::of(kind, until));
    Ok(state.map(|state| (ReportId::new(&id), Triage { state, set_at, baseline, reason })))
}
