//! Notes, and the dialog that sets a state and a note together. Notes stay on this machine.

use jiff::SignedDuration;
use tui_input::Input as TextField;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::note::{NoteField, StateNote};
use crate::app::overlays::{ListCursor, Overlay};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::report::ReportId;
use crate::domain::text::numbers::counted;
use crate::domain::triage::state_choice::StateChoice;
use crate::domain::triage::{Note, State};
use crate::input::Action;

/// The states of the dialog, in the order in which work goes; snoozes with how long.
pub const STATES: [(&str, StateChoice); 8] = [
    ("looking: I am at it", StateChoice::State(State::Looking)),
    ("waiting: for the customer or a colleague", StateChoice::State(State::Waiting)),
    ("to verify: said to be repaired, the next re-run decides", StateChoice::State(State::ToVerify)),
    ("won't fix: known, and left as it is", StateChoice::State(State::WontFix)),
    ("snoozed until tomorrow", StateChoice::DAY),
    ("snoozed for a week", StateChoice::WEEK),
    ("snoozed for 30 days", StateChoice::Snooze(SignedDuration::from_hours(30 * 24))),
    ("new: as if nobody had looked", StateChoice::State(State::New)),
];

impl App {
    /// Opens the field for the note of the marked reports, or of the one under the cursor.
    pub(crate) fn open_note(&mut self) {
        if let Some(note) = self.note_field() {
            self.overlays.push(Overlay::Note(note));
        }
    }

    /// Opens the states with a line for a note, for the marked reports or the one under the cursor.
    pub(crate) fn open_state_note(&mut self) {
        if let Some(note) = self.note_field() {
            self.overlays.push(Overlay::StateNote(StateNote { note, cursor: ListCursor::default() }));
        }
    }

    /// A field for the note of the marked reports, or of the one under the cursor, with what it holds or its draft.
    fn note_field(&mut self) -> Option<NoteField> {
        self.reports.end_range(&mut self.ctx);
        let marked = self.targets();
        let (ids, about) = match marked.as_slice() {
            [] => {
                let report = self.subject()?;
                (vec![report.id.clone()], report.short_url().to_owned())
            }
            [one] => (marked.clone(), self.name_of(one)),
            many => (marked.clone(), counted(many.len() as u64, "marked report")),
        };
        let draft = self.draft(&DraftKey::note(&ids)).map(|draft| draft.text.as_str());
        let field = TextField::new(draft.unwrap_or_else(|| self.former_note(&ids)).to_owned());
        Some(NoteField { ids, about, field })
    }

    /// Sets the chosen state and saves the note, where one was typed, for all reports of the dialog.
    pub(crate) fn save_state_note(&mut self) {
        let Some(Overlay::StateNote(StateNote { note, cursor })) = self.overlays.pop() else { return };
        let Some((_, choice)) = STATES.get(cursor.at) else { return };
        let text = note.field.value().trim();
        let is_changed = if note.ids.len() == 1 { text != self.former_note(&note.ids) } else { !text.is_empty() };
        let ids = note.ids.clone();
        if is_changed {
            self.store_note(note);
        }
        let of_note = self.ctx.notice.take().filter(|_| is_changed).map(|(text, _)| text);
        self.set_state_of(&ids, *choice);
        if let Some(of_note) = of_note {
            let of_state = self.ctx.notice.take().map(|(text, _)| text).unwrap_or_default();
            self.ctx.tell(format!("{of_state} · {of_note}"));
        }
    }

    /// The text that the field starts with: the report's note. Notes of several reports differ, and none is edited.
    fn former_note(&self, ids: &[ReportId]) -> &str {
        let note = if let [id] = ids { self.triage.states.notes.get(id) } else { None };
        note.map_or("", |note| note.text.raw())
    }

    /// Stores the typed text as a draft of the note.
    pub(crate) fn store_note_draft(&mut self, note: &NoteField) {
        let (text, key) = (note.field.value(), DraftKey::note(&note.ids));
        if text == self.former_note(&note.ids) || text.trim().is_empty() {
            return self.delete_draft(&key);
        }
        self.store_draft(Draft::of_text(key, text));
        self.ctx
            .tell(format!("What you typed is kept as a draft: {} goes on with it", self.ctx.key(Action::WriteNote)));
    }

    /// Saves the typed text: as the note of one report, where an empty text deletes the note, or appended to the notes of
    /// all marked reports.
    pub(crate) fn save_note(&mut self) {
        if let Some(Overlay::Note(note)) = self.overlays.pop() {
            self.store_note(note);
        }
    }

    fn store_note(&mut self, NoteField { ids, about, field }: NoteField) {
        self.delete_draft(&DraftKey::note(&ids));
        let is_one = ids.len() == 1;
        let mut kept = 0;
        for id in ids {
            let former = self.triage.states.notes.get(&id).filter(|_| !is_one).map(|note| note.text.raw());
            let text = match (former, field.value().trim()) {
                (Some(_), "") => continue,
                (Some(former), text) => format!("{former} · {text}"),
                (None, text) => text.to_owned(),
            };
            let note = Note::new(&text, self.ctx.now);
            match &note {
                Some(note) => {
                    self.triage.states.notes.insert(id.clone(), note.clone());
                    kept += 1;
                }
                None if self.triage.states.notes.remove(&id).is_some() => {
                    self.ctx.tell(format!("Note about {about} deleted"));
                }
                None => continue,
            }
            self.ctx.effects.push(Effect::StoreNote(id, note));
        }
        if kept > 0 {
            self.ctx.tell(format!("Note about {about} saved"));
        }
    }
}
