//! Notes, and the dialog that sets a state and a note together.

use std::sync::Arc;

use jiff::Timestamp;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::note::{NoteEntry, NoteField, StateNote};
use crate::app::overlays::{ListCursor, Overlay};
use crate::app::undo::{FormerNote, UndoStep};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::report::ReportId;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::state_choice::StateChoice;
use crate::domain::triage::{LONGEST_NOTE, Note, NoteChange, State};
use crate::input::Action;

/// The states of the dialog in workflow order.
pub const STATES: [(&str, StateChoice); 8] = [
    ("looking: I am working on it", StateChoice::State(State::Looking)),
    ("waiting: for the customer or a colleague", StateChoice::State(State::Waiting)),
    ("to verify: reported as fixed, the next re-run decides", StateChoice::State(State::ToVerify)),
    ("won't fix: known, and left as it is", StateChoice::State(State::WontFix)),
    ("snoozed until tomorrow", StateChoice::DAY),
    ("snoozed for a week", StateChoice::WEEK),
    ("snoozed for 30 days", StateChoice::MONTH),
    ("new: not looked at yet", StateChoice::State(State::New)),
];

impl App {
    /// Opens the note field for the marked reports, or for the one under the cursor, whose earlier notes can be edited
    /// there.
    pub(crate) fn open_note(&mut self) {
        if let Some(mut note) = self.note_field() {
            let earlier = self.earlier_notes(&note.ids);
            note.entries.extend(earlier);
            self.overlays.push(Overlay::Note(note));
        }
    }

    /// Opens the states with a note field, for the marked reports or the one under the cursor.
    pub(crate) fn open_state_note(&mut self) {
        if let Some(note) = self.note_field() {
            self.overlays.push(Overlay::StateNote(StateNote { note, cursor: ListCursor::default() }));
        }
    }

    /// Creates a note field for the marked reports or the one under the cursor, prefilled from its draft.
    fn note_field(&mut self) -> Option<NoteField> {
        let ids = self.marked_or_current();
        if ids.is_empty() {
            return None;
        }
        let about = self.describe(&ids, "marked report");
        let entries = vec![NoteEntry::new(self.note_draft(&DraftKey::note(&ids)))];
        Some(NoteField { ids, about, entries, cursor: ListCursor::default() })
    }

    /// Notifies why the open note cannot be saved now. Returns true if so: the field keeps its text.
    fn notify_note_refused(&mut self) -> bool {
        let entry = self.overlays.last().and_then(Overlay::note).map(NoteField::entry);
        let length = entry.map_or(0, |entry| entry.field.value().trim().chars().count());
        let too_long = || {
            let (given, most) = (counted(length as u64, "character"), grouped(LONGEST_NOTE as u64));
            format!("Not saved: the note has {given}, and a note has at most {most}. Shorten it")
        };
        let reason = self.triage_disabled_reason().or_else(|| (length > LONGEST_NOTE).then(too_long));
        reason.map(|reason| self.ctx.notify(reason)).is_some()
    }

    /// Returns the editable notes of a report, latest first. None for several reports.
    fn earlier_notes(&self, ids: &[ReportId]) -> Vec<NoteEntry> {
        let [id] = ids else { return Vec::new() };
        let entry = |note: &Note| NoteEntry::of(note, self.note_draft(&edit_key(id, note.written_at)));
        // On a desk, notes of others cannot be edited.
        let is_mine = |note: &&Note| self.desk.is_none() || note.author.is_empty();
        self.triage.states.notes.of(id).iter().rev().filter(is_mine).map(entry).collect()
    }

    fn note_draft(&self, key: &DraftKey) -> Option<&str> {
        self.draft(key).map(|draft| draft.text.as_str())
    }

    /// Sets the chosen state and saves the note, if one was typed, for all reports of the dialog.
    pub(crate) fn save_state_note(&mut self) {
        if self.notify_note_refused() {
            return;
        }
        let Some(Overlay::StateNote(StateNote { note, cursor })) = self.overlays.pop() else { return };
        let Some((_, choice)) = STATES.get(cursor.at) else { return };
        let ids = note.ids.clone();
        let changes = self.store_note(note);
        let of_note = self.ctx.notice.take().filter(|_| !changes.is_empty()).map(|(text, _)| text);
        self.set_state_with_note(&ids, *choice, changes);
        if let Some(of_note) = of_note {
            let of_state = self.ctx.notice.take().map(|(text, _)| text).unwrap_or_default();
            self.ctx.notify(format!("{of_state} · {of_note}"));
        }
    }

    /// Stores unsaved texts as drafts. Returns whether there are any.
    pub(crate) fn store_note_drafts(&mut self, note: &NoteField) -> bool {
        let mut is_any = false;
        for entry in &note.entries {
            let key = entry_key(&note.ids, entry);
            if !entry.is_changed() || entry.field.value().trim().is_empty() {
                self.delete_draft(&key);
                continue;
            }
            self.store_draft(Draft::of_text(key, entry.field.value()));
            is_any = true;
        }
        is_any
    }

    /// Saves the text being edited: a new note on each report, or a change of an earlier one. An empty text deletes the
    /// note.
    pub(crate) fn save_note(&mut self) {
        if self.notify_note_refused() {
            return;
        }
        let Some(Overlay::Note(note)) = self.overlays.pop() else { return };
        let notes = self.store_note(note);
        if !notes.is_empty() {
            self.ctx.undo.remember(UndoStep::Triage { states: Vec::new(), notes });
        }
    }

    /// Saves the entry being edited, and keeps text in other entries as drafts. Returns the notes before.
    fn store_note(&mut self, mut note: NoteField) -> Vec<FormerNote> {
        let entry = note.entries.remove(note.cursor.at.min(note.entries.len() - 1));
        self.store_note_drafts(&note);
        self.delete_draft(&entry_key(&note.ids, &entry));
        if !entry.is_changed() {
            return Vec::new();
        }
        let now = self.ctx.now;
        let change = |report: &ReportId| {
            let written_at = entry.written_at.unwrap_or_else(|| self.triage.states.notes.next_time(report, now));
            let note = Note::new(entry.field.value(), now).map(|note| Note { written_at, ..note });
            NoteChange { report: report.clone(), written_at, note }
        };
        let changes: Vec<NoteChange> = note.ids.iter().map(change).collect();
        let done = match (entry.written_at, changes.first().and_then(|change| change.note.as_ref())) {
            (None, _) => "saved",
            (Some(_), Some(_)) => "updated",
            (Some(_), None) => "deleted",
        };
        self.ctx.notify(format!("Note about {} {done} · {} undoes", note.about, self.ctx.key(Action::Undo)));
        self.swap_notes(changes)
    }

    /// Applies and stores note changes. Returns the notes before.
    pub(crate) fn swap_notes(&mut self, changes: Vec<NoteChange>) -> Vec<FormerNote> {
        let notes = Arc::make_mut(&mut self.triage.states.notes);
        let former =
            |change: &NoteChange| FormerNote { change: notes.apply(change.clone()), replaced_by: change.note.clone() };
        let before = changes.iter().map(former).collect();
        self.triage.states.changed_since_request = true;
        self.triage.states.changed_in_run = true;
        self.log.is_read = false;
        if self.desk.is_some() {
            self.store_desk_notes(&changes);
        } else {
            self.ctx.effects.push(Effect::StoreNotes(changes));
        }
        before
    }
}

/// The draft key of an edited note.
fn edit_key(id: &ReportId, written_at: Timestamp) -> DraftKey {
    DraftKey::EditNote(written_at.as_millisecond(), id.raw().to_owned())
}

/// The draft key of an entry of a note field for these reports.
fn entry_key(ids: &[ReportId], entry: &NoteEntry) -> DraftKey {
    match (entry.written_at, ids) {
        (Some(written_at), [id]) => edit_key(id, written_at),
        _ => DraftKey::note(ids),
    }
}
