//! Triage states and notes: setting them, and what a new audit does to them.
//!
//! They belong to this machine; the service does not know them. The rules are in `domain::triage`.

use crate::app::overlays::note::NoteField;
use crate::domain::triage::state_choice::StateChoice;
use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tui_input::Input as TextField;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::{MenuChoice, Overlay};
use crate::app::undo::UndoStep;
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::counted;
use crate::domain::triage::{Note, State, Triage, TriageChange, Triages, observe, wants_checks};
use crate::input::Action;

/// The states of the menu, in the order in which work goes; snoozes with how long.
const STATES: [(&str, StateChoice); 8] = [
    ("looking: I am at it", StateChoice::State(State::Looking)),
    ("waiting: somebody else is at it", StateChoice::State(State::Waiting)),
    ("to verify: said to be repaired, the next audit decides", StateChoice::State(State::ToVerify)),
    ("won't fix: known, and left as it is", StateChoice::State(State::WontFix)),
    ("snoozed until tomorrow", StateChoice::DAY),
    ("snoozed for a week", StateChoice::WEEK),
    ("snoozed for 30 days", StateChoice::Snooze(SignedDuration::from_hours(30 * 24))),
    ("new: as if nobody had looked", StateChoice::State(State::New)),
];

impl App {
    /// Takes the stored states and notes.
    pub(crate) fn on_triage_states(&mut self, triages: Triages, notes: HashMap<ReportId, Note>) {
        self.triage.states.triages = Arc::new(triages);
        self.triage.states.notes = notes;
        self.states_changed();
        let all: Vec<Report> = self.rows_with_state();
        self.observe(all.iter());
    }

    /// The loaded rows that have a state.
    fn rows_with_state(&self) -> Vec<Report> {
        self.triage.states.triages.iter().filter_map(|(id, _)| self.reports.listing.row(id).cloned()).collect()
    }

    fn states_changed(&mut self) {
        let states = &mut self.triage.states;
        let snoozed = |triage: &Triage| if let State::Snoozed { until } = triage.state { Some(until) } else { None };
        states.next_snooze = states.triages.iter().filter_map(|(_, triage)| snoozed(triage)).min();
        if self.reports.filter.depends_on_states() {
            self.arrange();
        }
    }

    /// The state of a report, where it has one, and whether there is a note: `looking`, `to verify ✎`.
    pub fn tag(&self, id: &ReportId) -> Option<String> {
        let triage = self.triage.states.triages.get(id);
        let note = self.triage.states.notes.contains_key(id).then_some("✎");
        let parts: Vec<&str> = triage.map(Triage::label).into_iter().chain(note).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Opens the menu of states, for the marked reports or the one under the cursor.
    pub(crate) fn offer_states(&mut self) {
        let rows = STATES.iter().map(|(text, choice)| ((*text).to_owned(), MenuChoice::State(*choice))).collect();
        self.open_menu("State", rows, 0);
    }

    /// Sets the state of the marked reports, or of the one under the cursor.
    pub(crate) fn set_state(&mut self, choice: StateChoice) {
        let state = match choice {
            StateChoice::State(state) => state,
            StateChoice::Snooze(time) => {
                State::Snoozed { until: self.ctx.now.saturating_add(time).unwrap_or(self.ctx.now) }
            }
        };
        self.reports.end_range(&mut self.ctx);
        let mut ids = self.targets();
        if ids.is_empty() {
            ids.extend(self.subject().map(|report| report.id.clone()));
        }
        let now = self.ctx.now;
        let whole = self.report.whole.value();
        let decide = |id: &ReportId| {
            // An opened report knows its checks; a row may not.
            let report = whole.filter(|whole| whole.id == *id).or_else(|| self.reports.listing.row(id))?;
            Some((id.clone(), Triage::set(state, report, now)))
        };
        let decided: Vec<(ReportId, Triage)> = ids.iter().filter_map(decide).collect();
        let before = decided.iter().map(|(id, _)| (id.clone(), self.triage.states.triages.get(id).cloned())).collect();
        self.ctx.undo.remember(UndoStep::States(before));
        self.put_states(&decided);
        let label = state.kind().label();
        self.ctx.tell(match decided.as_slice() {
            [(id, _)] => format!("{} is {label}", self.name_of(id)),
            many => format!("{} {label}", counted(many.len() as u64, "report")),
        });
        self.ctx.effects.push(Effect::StoreStates(decided));
        if !state.kind().is_open() {
            self.next_open_in_queue();
        }
    }

    /// Replaces states. Returns the former ones.
    pub(crate) fn swap_states(&mut self, states: Vec<(ReportId, Option<Triage>)>) -> Vec<(ReportId, Option<Triage>)> {
        let now = self.ctx.now;
        let before = states.iter().map(|(id, _)| (id.clone(), self.triage.states.triages.get(id).cloned())).collect();
        let stands = |id: &ReportId| self.reports.listing.row(id).map(|row| Triage::set(State::New, row, now));
        let wanted = |(id, triage): (ReportId, Option<Triage>)| Some((id.clone(), triage.or_else(|| stands(&id))?));
        let decided: Vec<(ReportId, Triage)> = states.into_iter().filter_map(wanted).collect();
        self.put_states(&decided);
        self.ctx.effects.push(Effect::StoreStates(decided));
        before
    }

    fn put_states(&mut self, states: &[(ReportId, Triage)]) {
        let triages = Arc::make_mut(&mut self.triage.states.triages);
        for (id, triage) in states {
            triages.put(id.clone(), triage.clone());
        }
        self.states_changed();
    }

    /// Applies new audits to states: some reopen, some are done.
    pub(crate) fn observe<'a>(&mut self, reports: impl Iterator<Item = &'a Report>) {
        if self.triage.states.triages.is_empty() {
            return;
        }
        let now = self.ctx.now;
        let mut changed = Vec::new();
        let mut told: Vec<String> = Vec::new();
        let mut unclear = Vec::new();
        for report in reports {
            let Some(stored) = self.triage.states.triages.get(&report.id) else { continue };
            if wants_checks(stored, report) {
                unclear.push(report.id.clone());
            }
            let Some(change) = observe(stored, report, now) else { continue };
            match &change {
                TriageChange::Reopened(triage) | TriageChange::Closed(triage) => {
                    let reason = triage.reason.clone().unwrap_or_default();
                    told.push(format!("{} {reason}", report.short_url()));
                }
                TriageChange::Learned(_) => {}
            }
            changed.push((report.id.clone(), stored.set_at, change.triage().clone()));
        }
        if !unclear.is_empty() {
            // Whether these are repaired, only their checks say.
            self.fetch_checks(unclear);
        }
        if changed.is_empty() {
            return;
        }
        let states: Vec<_> = changed.iter().map(|(id, _, triage)| (id.clone(), triage.clone())).collect();
        self.put_states(&states);
        self.ctx.effects.push(Effect::UpdateStates(changed));
        match told.as_slice() {
            [] => {}
            [one] => self.ctx.tell(one.clone()),
            [first, rest @ ..] => self.ctx.tell(format!("{first} · and {} more", rest.len())),
        }
    }

    /// Snoozes that have run out reopen.
    pub(crate) fn wake_snoozed(&mut self) {
        if self.triage.states.next_snooze.is_some_and(|at| at <= self.ctx.now) {
            self.triage.states.next_snooze = None;
            let touched = self.rows_with_state();
            self.observe(touched.iter());
        }
    }

    pub(crate) fn snooze_wakes_at(&self) -> Option<Timestamp> {
        self.triage.states.next_snooze
    }

    /// Opens the field for the note of the marked reports, or of the one under the cursor.
    pub(crate) fn open_note(&mut self) {
        self.reports.end_range(&mut self.ctx);
        let marked = self.targets();
        let Some(report) = self.subject() else { return };
        let (ids, about) = match marked.as_slice() {
            [] => (vec![report.id.clone()], report.short_url().to_owned()),
            [one] => (marked.clone(), self.name_of(one)),
            many => (marked.clone(), counted(many.len() as u64, "report")),
        };
        let kept = self.former_note(&ids);
        let key = DraftKey::note(&ids);
        let draft = self.draft(&key).map(|draft| draft.text.as_str());
        let field = TextField::new(draft.unwrap_or(kept).to_owned());
        self.overlays.push(Overlay::Note(NoteField { ids, about, field }));
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
        let Some(Overlay::Note(NoteField { ids, about, field })) = self.overlays.pop() else { return };
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
                    self.ctx.tell(format!("The note about {about} is gone"));
                }
                None => continue,
            }
            self.ctx.effects.push(Effect::StoreNote(id, note));
        }
        if kept > 0 {
            self.ctx.tell(format!("The note about {about} is kept"));
        }
    }
}
