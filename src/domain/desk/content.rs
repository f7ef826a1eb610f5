//! The rows and notes of one service on a desk, kept up to date from the log.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::event::{DeskEvent, EventDetail};
use super::overview::LogPosition;
use super::person::{Person, put_person};
use super::row::{DeskNote, DeskRow};
use crate::domain::report::ReportId;

/// The rows and notes of one service on a desk.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeskContent {
    /// The rows by report.
    pub rows: HashMap<ReportId, DeskRow>,
    /// The notes by id, without withdrawn ones.
    pub notes: BTreeMap<i64, DeskNote>,
    /// The ids of notes whose withdrawal is known. The response to a withdrawal may precede the event of the note itself.
    pub(crate) withdrawn: HashSet<i64>,
    /// The log position that these rows and notes reflect.
    pub position: LogPosition,
}

impl DeskContent {
    /// Inserts or replaces a row, unless the present one is at least as new.
    pub fn put_row(&mut self, row: DeskRow) {
        let is_newer = |known: &DeskRow| known.version < row.version;
        if self.rows.get(&row.report).is_none_or(is_newer) {
            self.rows.insert(row.report.clone(), row);
        }
    }

    /// Inserts or replaces a note; removes a withdrawn one, for good.
    pub fn put_note(&mut self, note: DeskNote) {
        if note.withdrawn {
            self.notes.remove(&note.id);
            self.withdrawn.insert(note.id);
        } else if !self.withdrawn.contains(&note.id) {
            self.notes.insert(note.id, note);
        }
    }

    /// Applies a response of the log: its events, also to the people of the desk, and the position after them.
    pub fn apply_changes(&mut self, people: &mut Vec<Person>, events: &[DeskEvent], position: LogPosition) {
        for event in events {
            self.apply(event);
            if let EventDetail::Person { after, .. } = &event.detail {
                put_person(people, after);
            }
        }
        if position.revision > self.position.revision {
            self.position = position;
        }
    }

    /// Applies an event of this service. Events already applied, and those about anything but rows and notes, are
    /// ignored.
    pub fn apply(&mut self, event: &DeskEvent) {
        if event.revision <= self.position.revision {
            return;
        }
        self.position = LogPosition { revision: event.revision, change: Some(event.change) };
        match &event.detail {
            EventDetail::State { after, .. } => self.put_row((**after).clone()),
            EventDetail::Note { after, .. } => self.put_note((**after).clone()),
            EventDetail::Service { .. }
            | EventDetail::Merged { .. }
            | EventDetail::Key { .. }
            | EventDetail::Person { .. }
            | EventDetail::Unknown => {}
        }
    }
}
