//! Setting triage states, and changing them after new audits.
//!
//! They belong to a team's desk, or else to this machine. The rules are in `domain::triage`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::app::App;
use crate::app::desk::state::Desk;
use crate::app::effect::Effect;
use crate::app::undo::{FormerNote, FormerState, UndoStep};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::list::columns::Column;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::counted;
use crate::domain::text::{fit, width};
use crate::domain::triage::state_choice::StateChoice;
use crate::domain::triage::{
    Notes, State, StateKind, Triage, TriageChange, Triages, observe, to_the_millisecond, wants_checks,
};

/// The fewest cells of a state that is shortened: `loo…`.
const NARROWEST_STATE: usize = 4;

impl App {
    /// Handles the stored states and notes.
    pub(crate) fn on_triage_states(&mut self, triages: Triages, notes: Notes) {
        if self.desk.is_some() {
            // This machine's own states predate the desk.
            return;
        }
        if self.triage.states.changed_since_request {
            return self.read_states();
        }
        self.triage.states.triages = Arc::new(triages);
        self.triage.states.notes = Arc::new(notes);
        self.states_changed();
        self.sort_by_states();
        self.observe_all();
    }

    /// Sorts a list whose order depends on states after all of them were read. Single changes leave the rows in place.
    pub(crate) fn sort_by_states(&mut self) {
        if matches!(self.reports.sort.0, Column::State | Column::Urgency) {
            self.arrange();
        }
    }

    /// Requests the states and notes of this machine, unless a desk is in use.
    pub(crate) fn read_states(&mut self) {
        if self.desk.is_none() {
            self.triage.states.changed_since_request = false;
            self.ctx.effects.push(Effect::ReadStates);
        }
    }

    /// Applies the audits of all loaded rows to their states.
    pub(crate) fn observe_all(&mut self) {
        let triages = &self.triage.states.triages;
        let rows: Vec<Report> = triages.iter().filter_map(|(id, _)| self.reports.listing.row(id).cloned()).collect();
        self.observe(rows.iter());
    }

    pub(crate) fn states_changed(&mut self) {
        // The history lists notes too.
        self.log.is_read = false;
        let states = &mut self.triage.states;
        states.next_snooze = states.triages.iter().filter_map(|(_, triage)| triage.state.until()).min();
        if self.reports.filter.depends_on_states() {
            self.arrange();
        }
    }

    /// Returns a report's state, holder, and whether it has a note: `looking ben`, `to verify ✎`.
    pub fn tag(&self, id: &ReportId) -> Option<String> {
        self.tag_within(id, usize::MAX)
    }

    /// Returns [`Self::tag`] for this many cells: the state is shortened, not the person or the mark of a note.
    pub fn tag_within(&self, id: &ReportId, cells: usize) -> Option<String> {
        let triage = self.triage.states.triages.get(id);
        let note = self.triage.states.notes.latest(id).is_some().then_some("✎");
        let holder = self.desk.as_ref().and_then(|desk| {
            let holder = desk.holder(id)?;
            Some(if *holder == desk.me { "you" } else { holder.as_str() })
        });
        let rest: usize = holder.into_iter().chain(note).map(|part| width(part) + 1).sum();
        let label = triage.map(|triage| fit(triage.label(), cells.saturating_sub(rest).max(NARROWEST_STATE)));
        let parts: Vec<&str> = label.as_deref().into_iter().chain(holder).chain(note).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Sets the state of the marked reports, or of the one under the cursor.
    pub(crate) fn set_state(&mut self, choice: StateChoice) {
        let ids = self.marked_or_current();
        self.set_state_with_note(&ids, choice, Vec::new());
    }

    /// Sets the state of these reports. `notes` are the notes before, which belong to the same undo step. In the queue, a
    /// state that is not open advances to the next report.
    pub(crate) fn set_state_with_note(&mut self, ids: &[ReportId], choice: StateChoice, notes: Vec<FormerNote>) {
        let now = self.ctx.now;
        let state = choice.state(now, &self.screen.zone);
        let whole = self.report.whole.value.as_ref();
        let decide = |id: &ReportId| {
            // An opened report has known checks; a row may not.
            let report =
                whole.map(Arc::as_ref).filter(|whole| whole.id == *id).or_else(|| self.reports.listing.row(id))?;
            Some((id.clone(), Triage::set(state, report, now)))
        };
        let decided = ids.iter().filter_map(decide);
        let (repeated, decided): (Vec<_>, Vec<_>) = decided.partition(|(id, triage)| self.is_repeated(id, triage));
        if repeated.is_empty() && decided.is_empty() && notes.is_empty() {
            return self.ctx.notify("Nothing was set: no longer in the list");
        }
        let parts = [self.set_text(state, &decided, ""), self.set_text(state, &repeated, "already ")];
        self.ctx.notify(parts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
        let states = self.former_states(&decided);
        let entries = self.state_entries(&states, &decided);
        if !states.is_empty() || !notes.is_empty() {
            self.ctx.undo.remember(UndoStep::Triage { states, notes });
        }
        if !decided.is_empty() {
            self.store_states(decided, entries, None);
        }
        if !state.kind().is_open() {
            self.next_open_in_queue();
        }
    }

    /// Whether a report has this state already, so that setting it again is neither stored nor logged.
    fn is_repeated(&self, id: &ReportId, wanted: &Triage) -> bool {
        let stored = self.triage.states.triages.get(id);
        let is_same = stored.map_or(wanted.is_plain(), |stored| stored.is_repeated_by(wanted));
        let changes_row = |desk: &Desk| desk.changes_row(id, wanted.state.kind(), self.ctx.now);
        is_same && !self.desk.as_ref().is_some_and(changes_row)
    }

    /// Describes a state that was set: `shop.example/tea: snoozed until Sat 28 Nov 06:00`; `None` for no report.
    fn set_text(&self, state: State, reports: &[(ReportId, Triage)], already: &str) -> Option<String> {
        let about = match reports {
            [] => return None,
            [(id, _)] => self.name_of(id),
            many => counted(many.len() as u64, "report"),
        };
        let label = state.kind().label();
        Some(match (state.kind(), state.until()) {
            (StateKind::Looking, _) => format!("You are {already}looking at {about}"),
            (_, Some(until)) => {
                let until = until.to_zoned(self.screen.zone.clone()).strftime("%a %-d %b %H:%M");
                format!("{about}: {already}{label} until {until}")
            }
            (_, None) => format!("{about}: {already}{label}"),
        })
    }

    /// Returns the states and holders that these decisions replace.
    fn former_states(&self, decided: &[(ReportId, Triage)]) -> Vec<FormerState> {
        let holder = |id: &ReportId| self.desk.as_ref().and_then(|desk| desk.holder(id).cloned());
        let former = |(id, replaced_by): &(ReportId, Triage)| FormerState {
            report: id.clone(),
            triage: self.triage.states.triages.get(id).cloned(),
            holder: holder(id),
            replaced_by: replaced_by.state.kind(),
        };
        decided.iter().map(former).collect()
    }

    /// Replaces states and returns the previous ones.
    pub(crate) fn swap_states(&mut self, states: Vec<FormerState>) -> Vec<FormerState> {
        let now = self.ctx.now;
        // The report need not be loaded.
        let as_new = |id: &ReportId| {
            let stored = self.triage.states.triages.get(id).map(|stored| stored.baseline.clone());
            let baseline = stored.or_else(|| self.reports.listing.row(id).map(Report::state))?;
            Some(Triage { state: State::New, set_at: to_the_millisecond(now), baseline, reason: None })
        };
        let wanted = |FormerState { report, triage, holder, .. }: FormerState| {
            let triage = triage.or_else(|| as_new(&report))?;
            Some(((report, triage), holder))
        };
        let (decided, holders): (Vec<_>, Vec<_>) = states.into_iter().filter_map(wanted).unzip();
        let before = self.former_states(&decided);
        let entries = self.state_entries(&before, &decided);
        self.store_states(decided, entries, Some(holders));
        before
    }

    /// Returns the log entries of state changes. `before` covers the same reports.
    fn state_entries(&self, before: &[FormerState], after: &[(ReportId, Triage)]) -> Vec<LogEntry> {
        let former: HashMap<&ReportId, &Triage> =
            before.iter().filter_map(|state| Some((&state.report, state.triage.as_ref()?))).collect();
        let now = self.ctx.now;
        let entry = |(id, triage): &(ReportId, Triage)| {
            let after = Some(triage).filter(|triage| !triage.is_plain());
            self.entry_about(LogKind::State, id, now).with_states(former.get(id).copied(), after)
        };
        after.iter().map(entry).collect()
    }

    pub(crate) fn put_states(&mut self, states: &[(ReportId, Triage)]) {
        let triages = Arc::make_mut(&mut self.triage.states.triages);
        for (id, triage) in states {
            triages.put(id.clone(), triage.clone());
        }
        self.triage.states.changed_since_request = true;
        self.triage.states.changed_in_run = true;
        self.states_changed();
    }

    /// Applies new audits to states, which may reopen or close reports.
    pub(crate) fn observe<'a>(&mut self, reports: impl Iterator<Item = &'a Report>) {
        // Users who may not write to the desk leave this to others who see the same audit.
        if self.triage.states.triages.is_empty() || self.triage_disabled_reason().is_some() {
            return;
        }
        let now = self.ctx.now;
        let mut changed = Vec::new();
        let mut notices: Vec<String> = Vec::new();
        let mut unclear = Vec::new();
        let mut entries = Vec::new();
        for report in reports {
            let Some(stored) = self.triage.states.triages.get(&report.id) else { continue };
            if wants_checks(stored, report) {
                unclear.push(report.id.clone());
            }
            let Some(change) = observe(stored, report, now) else { continue };
            match &change {
                TriageChange::Reopened(triage) | TriageChange::Closed(triage) => {
                    let reason = triage.reason.clone().unwrap_or_default();
                    notices.push(format!("{} {reason}", report.brief_url()));
                    entries.push(LogEntry::of_state(report, Some(stored), Some(triage), now));
                }
                TriageChange::Learned(_) => {}
            }
            changed.push((report.id.clone(), stored.set_at, change.triage().clone(), change.name()));
        }
        if !unclear.is_empty() {
            // Only their checks tell whether these are repaired.
            self.fetch_checks(unclear);
        }
        if changed.is_empty() {
            return;
        }
        self.store_observed(changed, entries);
        match notices.as_slice() {
            [] => {}
            [one] => self.ctx.notify(one.clone()),
            [first, rest @ ..] => self.ctx.notify(format!("{first} · and {} more", rest.len())),
        }
    }

    /// Reopens reports whose snooze has expired.
    pub(crate) fn wake_snoozed(&mut self) {
        if self.triage.states.next_snooze.is_some_and(|at| at <= self.ctx.now) {
            self.triage.states.next_snooze = None;
            if self.desk.is_some() {
                // On a desk, the end of a snooze is derived.
                return self.show_desk();
            }
            self.observe_all();
        }
    }
}
