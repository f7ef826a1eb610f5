//! Stores triage decisions: on the desk if there is one, else in this machine's journal.

use std::sync::Arc;

use jiff::Timestamp;

use super::state::{Desk, DeskLink};
use crate::app::App;
use crate::app::effect::Effect;
use crate::domain::desk::{DeskWrite, Handle, NoteWrite, OutboxEntry, Role, RowPrecondition, RowWrite, holder_after};
use crate::domain::event_log::LogEntry;
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::{NoteChange, State, Triage, to_the_millisecond};

impl App {
    /// Returns why no triage decisions are possible now.
    pub(crate) fn triage_disabled_reason(&self) -> Option<String> {
        let desk = self.desk.as_ref()?;
        if let DeskLink::Ended(reason) = &desk.link {
            return Some(format!("Decisions are not possible: {reason}"));
        }
        if self.ctx.read_only {
            return Some("This session is read-only, and decisions are stored on the desk".to_owned());
        }
        desk.role_reason(Role::Triage)
    }

    /// Stores states set by the user, and their log entries. `holders` are given when a step is undone; otherwise each
    /// state determines its holder.
    pub(crate) fn store_states(
        &mut self,
        decided: Vec<(ReportId, Triage)>,
        entries: Vec<LogEntry>,
        holders: Option<Vec<Option<Handle>>>,
    ) {
        let Some(desk) = &self.desk else {
            self.put_states(&decided);
            self.log_changed(&entries);
            return self.ctx.effects.push(Effect::StoreStates(decided, entries));
        };
        let holders = holders.unwrap_or_else(|| {
            decided
                .iter()
                .map(|(id, triage)| holder_after(triage.state.kind(), desk.holder(id), Some(&desk.me)))
                .collect()
        });
        let rows = decided.into_iter().zip(holders).map(|((id, triage), holder)| (id, triage, holder, None));
        self.log(entries);
        self.decide_rows(rows.collect());
    }

    /// Stores states changed by an audit. Their log entries are appended where the states are stored.
    pub(crate) fn store_observed(
        &mut self,
        changed: Vec<(ReportId, Timestamp, Triage, &'static str)>,
        entries: Vec<LogEntry>,
    ) {
        let Some(desk) = &self.desk else {
            let changed: Vec<_> = changed.into_iter().map(|(id, former, triage, _)| (id, former, triage)).collect();
            let states: Vec<_> = changed.iter().map(|(id, _, triage)| (id.clone(), triage.clone())).collect();
            self.put_states(&states);
            self.log_changed(&entries);
            return self.ctx.effects.push(Effect::UpdateStates(changed, entries));
        };
        let row = |(id, _, triage, kind): (ReportId, Timestamp, Triage, &str)| {
            let holder = desk.holder(&id).cloned();
            let cause = triage.baseline.generated_at.map(|at| Text::from_outside(format!("{kind}:{at}")));
            (id, triage, holder, cause)
        };
        let rows = changed.into_iter().map(row).collect();
        self.decide_rows(rows);
    }

    /// Assigns reports to people, or to nobody, without changing their states.
    pub(crate) fn store_holders(&mut self, holders: Vec<(ReportId, Option<Handle>)>) {
        let now = self.ctx.now;
        let row = |(id, holder): (ReportId, Option<Handle>)| {
            let stored = self.triage.states.triages.get(&id).cloned();
            let fresh = || Some(Triage::set(State::New, self.reports.listing.row(&id)?, now));
            let triage = stored.or_else(fresh)?;
            Some((id, triage, holder, None))
        };
        let rows = holders.into_iter().filter_map(row).collect();
        self.decide_rows(rows);
    }

    fn decide_rows(&mut self, rows: Vec<(ReportId, Triage, Option<Handle>, Option<Text>)>) {
        let now = self.ctx.now;
        let Some(desk) = &mut self.desk else { return };
        let entries: Vec<OutboxEntry> = rows
            .into_iter()
            .map(|(report, triage, holder, cause)| {
                let known = desk.content.rows.get(&report);
                let expected = known.map_or(RowPrecondition::Absent, |row| RowPrecondition::Version(row.version));
                let Triage { state, baseline, reason, .. } = triage;
                let reason = reason.map(Text::from_outside);
                let change = desk.next_change();
                let write = RowWrite { change, state, holder, baseline, reason, cause, decided_at: None };
                desk.entry(DeskWrite::Row { report, expected, write }, now)
            })
            .collect();
        self.decide(entries);
    }

    /// Adds decisions to the outbox, shows them, and sends them.
    pub(super) fn decide(&mut self, entries: Vec<OutboxEntry>) {
        let Some(desk) = &mut self.desk else { return };
        desk.outbox.extend(entries.iter().cloned());
        if !entries.is_empty() {
            self.ctx.effects.push(Effect::SendToDesk(entries));
        }
        self.show_desk();
    }

    /// Stores note changes on the desk: an edited note is withdrawn and written again.
    pub(crate) fn store_desk_notes(&mut self, changes: &[NoteChange]) {
        let now = self.ctx.now;
        let Some(desk) = &mut self.desk else { return };
        let (mut entries, mut forgotten) = (Vec::new(), Vec::new());
        for NoteChange { report, written_at, note } in changes {
            let key = (report.clone(), *written_at);
            let unsent = desk.outbox.iter().position(|entry| {
                let is_note = matches!(&entry.write, DeskWrite::Note { report: about, .. } if about == report);
                is_note && entry.decided_at == *written_at
            });
            if let Some(id) = desk.note_ids.get(&key).copied() {
                let change = desk.next_change();
                let write = DeskWrite::Withdrawal { report: report.clone(), note: id, change };
                entries.push(desk.entry(write, now));
            } else if let Some(at) = unsent {
                forgotten.push(desk.outbox.remove(at).write.change());
            }
            if let Some(note) = note {
                let write = NoteWrite { change: desk.next_change(), text: note.text.clone(), decided_at: None };
                let entry = desk.entry(DeskWrite::Note { report: report.clone(), write }, now);
                entries.push(OutboxEntry { decided_at: *written_at, ..entry });
            }
        }
        desk.dropped_notes.extend(forgotten.iter().copied());
        self.ctx.effects.extend(forgotten.into_iter().map(Effect::ForgetDecision));
        self.decide(entries);
    }

    /// Withdraws a note that was edited or deleted while it was being sent.
    pub(super) fn withdraw_note(&mut self, report: ReportId, note: i64) {
        let now = self.ctx.now;
        let Some(desk) = &mut self.desk else { return };
        let change = desk.next_change();
        let entry = desk.entry(DeskWrite::Withdrawal { report, note, change }, now);
        self.decide(vec![entry]);
    }

    /// Updates the displayed states and notes from the desk.
    pub(crate) fn show_desk(&mut self) {
        let now = self.ctx.now;
        let Some(desk) = &mut self.desk else { return };
        let (triages, notes) = desk.states_and_notes(now);
        self.triage.states.triages = Arc::new(triages);
        self.triage.states.notes = Arc::new(notes);
        self.states_changed();
    }
}

impl Desk {
    fn entry(&self, write: DeskWrite, now: Timestamp) -> OutboxEntry {
        let (decided_at, decided_by) = (to_the_millisecond(now), Some(self.me.clone()));
        OutboxEntry { write, decided_at, decided_by, must_ask: false, is_confirmed: false }
    }
}
