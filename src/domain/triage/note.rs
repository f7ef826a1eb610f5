//! Notes: texts about a report, each with author and time, kept as a thread.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::state::to_the_millisecond;
use crate::domain::report::ReportId;
use crate::domain::text::Text;

/// The latest time of a note from outside, a day before the last [`Timestamp`].
const LATEST: Timestamp = Timestamp::constant(253_402_120_800, 0);

/// Maximum characters of a note.
pub const LONGEST_NOTE: usize = 2_000;

/// A text about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// When it was written, to the millisecond; unique among the notes of a report.
    pub written_at: Timestamp,
    /// The author; empty for the user of this machine.
    pub author: String,
    /// The text as typed, and in display form.
    pub text: Text,
}

impl Note {
    /// Creates a note by the user of this machine, cut at [`LONGEST_NOTE`] characters; `None` for an empty text.
    pub fn new(text: &str, now: Timestamp) -> Option<Self> {
        let text: String = text.trim().chars().take(LONGEST_NOTE).collect();
        (!text.is_empty()).then(|| Self {
            written_at: to_the_millisecond(now),
            author: String::new(),
            text: Text::from_outside(text),
        })
    }
}

/// The addition, replacement or deletion of a note, identified by report and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteChange {
    /// The report.
    pub report: ReportId,
    /// When the note was written.
    pub written_at: Timestamp,
    /// The new note; `None` deletes it.
    pub note: Option<Note>,
}

/// The notes of one service's reports.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes(HashMap<ReportId, Vec<Note>>);

impl Notes {
    /// The notes of a report, oldest first.
    pub fn of(&self, id: &ReportId) -> &[Note] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }

    /// The latest note of a report.
    pub fn latest(&self, id: &ReportId) -> Option<&Note> {
        self.of(id).last()
    }

    /// Whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All notes with their reports, in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = (&ReportId, &Note)> {
        self.0.iter().flat_map(|(id, notes)| notes.iter().map(move |note| (id, note)))
    }

    /// Returns `now` to the millisecond, or a later time if needed for a new note of the report to come last.
    pub fn next_time(&self, id: &ReportId, now: Timestamp) -> Timestamp {
        let now = to_the_millisecond(now);
        let after = |note: &Note| note.written_at.saturating_add(SignedDuration::from_millis(1)).unwrap_or(now);
        self.latest(id).map_or(now, |last| after(last).max(now))
    }

    /// Returns `at` to the millisecond, or the first later time that no note of the report has. A time at the end of
    /// what a [`Timestamp`] can be counts as a day earlier, so that there is a later one.
    pub fn free_time(&self, id: &ReportId, at: Timestamp) -> Timestamp {
        let at = to_the_millisecond(at).min(LATEST);
        let notes = self.of(id);
        let start = notes.partition_point(|note| note.written_at < at);
        let after = |milliseconds: usize| {
            let distance = SignedDuration::from_millis(i64::try_from(milliseconds).unwrap_or(i64::MAX));
            at.saturating_add(distance).unwrap_or(at)
        };
        // Times are unique and ascending, so those at their distance from `at` are the first ones.
        let (mut taken, mut most) = (0, notes.len() - start);
        while taken < most {
            let middle = taken + (most - taken) / 2;
            if notes[start + middle].written_at == after(middle) { taken = middle + 1 } else { most = middle }
        }
        after(taken)
    }

    /// Adds, replaces or deletes a note. Returns the inverse change.
    pub fn apply(&mut self, change: NoteChange) -> NoteChange {
        let NoteChange { report, written_at, note } = change;
        let notes = self.0.entry(report.clone()).or_default();
        let former = match (notes.binary_search_by_key(&written_at, |note| note.written_at), note) {
            (Ok(at), Some(note)) => Some(std::mem::replace(&mut notes[at], note)),
            (Ok(at), None) => Some(notes.remove(at)),
            (Err(at), Some(note)) => {
                notes.insert(at, note);
                None
            }
            (Err(_), None) => None,
        };
        if notes.is_empty() {
            self.0.remove(&report);
        }
        NoteChange { report, written_at, note: former }
    }
}

impl FromIterator<(ReportId, Note)> for Notes {
    fn from_iter<T: IntoIterator<Item = (ReportId, Note)>>(entries: T) -> Self {
        let mut notes = Self::default();
        for (report, note) in entries {
            notes.apply(NoteChange { report, written_at: note.written_at, note: Some(note) });
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_note_is_cut_and_cleaned_and_never_empty() {
        assert_eq!(Note::new(" \n ", at(1)), None);
        let note = Note::new("asked\n\u{1b}[31mMona", at(1)).unwrap();
        assert_eq!(note.text.shown(), "asked �[31mMona");
        let long = Note::new(&"ü".repeat(LONGEST_NOTE + 5), at(1)).unwrap();
        assert_eq!(long.text.shown().chars().count(), LONGEST_NOTE);
    }

    #[test]
    fn each_change_has_an_inverse() {
        let id = ReportId::new("1");
        let mut notes: Notes = [("b", 2), ("a", 1)]
            .map(|(text, second)| (id.clone(), Note::new(text, at(second)).unwrap()))
            .into_iter()
            .collect();
        let texts =
            |notes: &Notes| notes.of(&id).iter().map(|note| note.text.raw().to_owned()).collect::<Vec<_>>().join(" ");
        assert_eq!((texts(&notes), notes.next_time(&id, at(2)) > at(2)), ("a b".to_owned(), true));
        assert_eq!(notes.next_time(&id, at(9)), at(9), "long after the latest note");
        let before = notes.clone();
        let changes = [(3, Some("c"), "a b c"), (1, Some("x"), "x b"), (2, None, "a"), (9, None, "a b")];
        for (second, text, expected) in changes {
            let note = text.and_then(|text| Note::new(text, at(second)));
            let inverse = notes.apply(NoteChange { report: id.clone(), written_at: at(second), note });
            assert_eq!(texts(&notes), expected);
            notes.apply(inverse);
            assert_eq!(notes, before);
        }
        for second in [1, 2] {
            notes.apply(NoteChange { report: id.clone(), written_at: at(second), note: None });
        }
        assert!(notes.is_empty());
    }
}
