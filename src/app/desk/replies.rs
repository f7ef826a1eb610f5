//! Applies messages from the desk to the state.

use std::collections::HashSet;

use jiff::SignedDuration;

use super::state::{Desk, DeskAbsence, DeskLink};
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::message::{DeskJoined, DeskMessage};
use crate::app::panes::reports::listing::LoadState;
use crate::domain::desk::{
    ChangeId, Conflict, DeskEvent, DeskNews, DeskNewsKind, DeskNote, DeskRow, DeskWrite, EventDetail, LogPosition,
    OutboxEntry, Presence,
};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::failure::Failure;
use crate::domain::text::numbers::counted;
use crate::domain::triage::State;
use crate::input::Action;

/// The beginning of the notice that leaves when the desk responds again.
const UNREACHABLE: &str = "The desk cannot be reached";

impl App {
    /// Describes problems of the desk, for the status line; `None` without any.
    pub fn desk_problem(&self) -> Option<String> {
        if let Some(desk) = &self.desk {
            return desk.connection_problem(self.ctx.now, self.ctx.read_only);
        }
        let text = match self.desk_absence {
            DeskAbsence::None => return None,
            DeskAbsence::Unusable => "desk: not in use",
            DeskAbsence::Unannounced | DeskAbsence::Announced => "desk: no response",
        };
        self.service_responds().then(|| text.to_owned())
    }

    /// Whether the desk has refused the user, or the one that the profile names cannot be used. It is not asked again by
    /// itself.
    pub(crate) fn is_refused_by_desk(&self) -> bool {
        match &self.desk {
            Some(desk) => matches!(desk.link, DeskLink::Ended(_)),
            None => self.desk_absence == DeskAbsence::Unusable,
        }
    }

    /// Whether the service sent the rows that are shown. One that does not respond at all is reported with its list, and
    /// may have no desk.
    fn service_responds(&self) -> bool {
        self.reports.failure.is_none()
            && self.reports.listing.load != LoadState::Idle
            && !self.reports.listing.is_cached
    }

    /// Handles messages from the desk.
    pub(crate) fn on_desk(&mut self, messages: Vec<DeskMessage>) {
        let is_changed = messages.iter().any(changes_states);
        for message in messages {
            self.take_desk_message(message);
        }
        // Once for all messages: it takes time proportional to the rows of the desk.
        if is_changed {
            self.show_desk();
        }
    }

    fn take_desk_message(&mut self, message: DeskMessage) {
        let absence = std::mem::take(&mut self.desk_absence);
        match message {
            DeskMessage::Joined(joined) => self.on_joined(*joined, absence),
            DeskMessage::Absent(reason) => {
                // A cached copy may have shown a desk that is no longer available to this person.
                if self.desk.take().is_some() {
                    self.ctx.undo.forget_triage();
                    self.read_states();
                }
                if let Some(reason) = reason {
                    let again = self.ctx.key(Action::RefreshAll);
                    let notice = format!("! {reason}. States and notes stay on this machine; {again} tries again");
                    self.ctx.notify(notice);
                    self.desk_absence = DeskAbsence::Unusable;
                }
            }
            DeskMessage::Read(content, people) => {
                if let Some(desk) = &mut self.desk {
                    // Revisions only grow.
                    if content.position.revision < desk.content.position.revision {
                        let yours = self.ctx.key(Action::History);
                        let gone = "! The desk was restored from a backup: decisions made since then are gone";
                        self.ctx.notify(format!("{gone}. {yours} shows the states that you set"));
                    }
                    (desk.content, desk.people) = (*content, people);
                    for Conflict { mine, theirs } in &mut desk.conflicts {
                        *theirs = desk.content.rows.get(mine.write.report()).cloned();
                    }
                    desk.link = DeskLink::Live;
                }
            }
            DeskMessage::Changes { events, present, position } => self.on_desk_changes(&events, present, position),
            DeskMessage::Written(change, row) => self.on_row_written(change, *row),
            DeskMessage::Noted(change, note) => self.on_note_written(change, *note),
            DeskMessage::Conflict(change, theirs) => self.on_conflict(change, theirs.map(|row| *row)),
            DeskMessage::SetAside(change, failure) => self.on_decision_set_aside(change, &failure),
            DeskMessage::Refused(change, failure) => self.on_decision_refused(change, &failure),
            DeskMessage::Unreachable(failure, _) if self.desk.is_none() => {
                self.desk_absence = absence.max(DeskAbsence::Unannounced);
                // Another notice, such as that of a failure, is left for the user to read: the desk is asked again soon.
                if absence != DeskAbsence::Announced && self.service_responds() && self.ctx.notice.is_none() {
                    let why = &failure.message;
                    self.ctx.notify(format!(
                        "The desk does not respond: states and notes stay on this machine until it does ({why})"
                    ));
                    self.desk_absence = DeskAbsence::Announced;
                }
            }
            DeskMessage::Unreachable(failure, read_at) => {
                if let Some(desk) = self.desk.as_mut().filter(|desk| desk.link == DeskLink::Live) {
                    desk.link = DeskLink::Away(read_at.unwrap_or(self.ctx.now));
                    let why = &failure.message;
                    self.ctx.notify(format!("{UNREACHABLE}: decisions are sent later ({why})"));
                }
            }
            DeskMessage::Ended(failure) => {
                let is_own = self.desk.as_ref().is_none_or(|desk| desk.is_own);
                if let Some(desk) = &mut self.desk {
                    desk.link = DeskLink::Ended(failure.to_string());
                }
                if is_own {
                    self.ctx.notify_failure(&failure);
                } else {
                    // The banner about a rejected key is about that of the service.
                    self.ctx.notify(format!("! {failure}. {} tries again", self.ctx.key(Action::RefreshAll)));
                }
            }
        }
    }

    fn on_joined(&mut self, mut joined: DeskJoined, absence: DeskAbsence) {
        let states = &self.triage.states;
        let noted = states.notes.iter().map(|(id, _)| id);
        let own = states.triages.iter().map(|(id, _)| id).chain(noted).collect::<HashSet<_>>().len();
        // What was decided before the first response is not on the desk.
        let is_decided_here = states.changed_in_run || absence != DeskAbsence::None;
        let former = self.desk.take();
        let is_new = former.is_none();
        if is_new {
            // They are about the states of this machine.
            self.ctx.undo.forget_triage();
        }
        if joined.is_reached {
            // Decided while only the stored copy was shown, perhaps that of another person.
            let known: HashSet<ChangeId> = joined.outbox.iter().map(|entry| entry.write.change()).collect();
            let is_missing = |entry: &OutboxEntry| !known.contains(&entry.write.change());
            let decided: Vec<_> = former.into_iter().flat_map(|desk| desk.outbox).filter(is_missing).collect();
            joined.outbox.extend(decided);
        }
        self.desk = Desk::new(joined, self.session.claim);
        let Some(desk) = &self.desk else { return };
        let (is_empty, me) = (desk.content.rows.is_empty(), desk.me.clone());
        let now = self.ctx.now;
        let tomorrow = now.saturating_add(SignedDuration::from_hours(24)).unwrap_or(now);
        let ends = desk.held_by_me().filter(|id| {
            let state = desk.content.rows.get(id).map(|row| row.state);
            matches!(state, Some(State::Snoozed { until }) if until > now && until < tomorrow)
        });
        let ending = ends.count() as u64;
        if is_new && (is_empty || is_decided_here) && own > 0 {
            let own = counted(own as u64, "report");
            self.ctx.notify(format!(
                "You are {me} on the desk. This machine has states or notes of {own}: `reportdeck desk import` imports \
                 them"
            ));
        } else if is_new && ending > 0 {
            let end = if ending == 1 { "ends" } else { "end" };
            self.ctx.notify(format!("You are {me} on the desk · {} {end} within 24 h", counted(ending, "snooze")));
        }
        self.show_desk();
        self.sort_by_states();
        self.observe_all();
    }

    fn on_desk_changes(&mut self, events: &[DeskEvent], present: Vec<Presence>, position: LogPosition) {
        let Some(desk) = &mut self.desk else { return };
        let was_away = !matches!(desk.link, DeskLink::Live);
        desk.link = DeskLink::Live;
        desk.present = present;
        desk.content.apply_changes(&mut desk.people, events, position);
        if was_away {
            self.ctx.notice.take_if(|(text, _)| text.starts_with(UNREACHABLE));
            // It probably failed for the same reason.
            self.report.drop_failed();
        }
        if !events.is_empty() {
            self.log_events(events);
            self.notify_news(events);
        }
    }

    /// Logs the events of others in this machine's history. The user's own were logged when decided.
    fn log_events(&mut self, events: &[DeskEvent]) {
        let Some(desk) = &self.desk else { return };
        let entry = |event: &DeskEvent| {
            let is_mine = event.cause.is_none() && event.person.person() == Some(&desk.me);
            // The history lists notes separately.
            let is_note = matches!(event.detail, EventDetail::Note { .. });
            let report = event.report.as_ref().and_then(|id| self.reports.listing.row(id));
            event.log_entry(report).filter(|_| !is_mine && !is_note)
        };
        self.log(events.iter().filter_map(entry).collect());
    }

    fn notify_news(&mut self, events: &[DeskEvent]) {
        let Some(desk) = &mut self.desk else { return };
        let news: Vec<DeskNews> = events.iter().filter_map(|event| DeskNews::of(event, &desk.me)).collect();
        let Some(latest) = news.last().cloned() else { return };
        // The changes of one action arrive in several responses: what the shown notice counts is counted on.
        let (announced, mut all) = std::mem::take(&mut desk.announced);
        if self.ctx.notice.as_ref().is_none_or(|(notice, _)| *notice != announced) {
            all.clear();
        }
        for news in news {
            all.retain(|earlier| !news.replaces(earlier));
            all.push(news);
        }
        let (by, about) = (&latest.by, self.name_of(&latest.report));
        let text = match &latest.kind {
            DeskNewsKind::Assigned => format!("{by} assigned {about} to you"),
            DeskNewsKind::Taken(Some(holder)) if holder == by => format!("{by} took over {about} from you"),
            DeskNewsKind::Taken(Some(holder)) => format!("{by} reassigned {about} from you to {holder}"),
            DeskNewsKind::Taken(None) => format!("{by} unassigned {about} from you"),
            DeskNewsKind::StateSet(state) => format!("{by} set {} on your report {about}", state.label()),
            DeskNewsKind::Mentioned(note) => format!("{by} mentioned you on {about}: {note}"),
        };
        let more = if all.len() > 1 { format!(" · and {} more", all.len() - 1) } else { String::new() };
        let text = format!("{text}{more}");
        if let Some(desk) = &mut self.desk {
            desk.announced = (text.clone(), all);
        }
        self.ctx.notify(text);
    }

    fn on_row_written(&mut self, change: ChangeId, row: DeskRow) {
        let Some(desk) = &mut self.desk else { return };
        desk.outbox.retain(|entry| entry.write.change() != change);
        desk.outbox.iter_mut().for_each(|entry| entry.rebase(&row));
        desk.content.put_row(row);
    }

    fn on_note_written(&mut self, change: ChangeId, note: DeskNote) {
        let Some(desk) = &mut self.desk else { return };
        let entry = desk.take_unsent(change);
        if let Some(entry) = entry.filter(|entry| matches!(entry.write, DeskWrite::Note { .. })) {
            desk.written_notes.insert(note.id, entry.decided_at);
        }
        let withdrawn = desk.dropped_notes.remove(&change).then(|| (note.report.clone(), note.id));
        desk.content.put_note(note);
        if let Some((report, note)) = withdrawn {
            self.withdraw_note(report, note);
        }
    }

    fn on_conflict(&mut self, change: ChangeId, theirs: Option<DeskRow>) {
        let Some(desk) = &mut self.desk else { return };
        let Some(mine) = desk.take_unsent(change) else { return };
        if let Some(row) = &theirs {
            desk.content.put_row(row.clone());
        }
        let is_of_the_program = matches!(&mine.write, DeskWrite::Row { write, .. } if write.cause.is_some());
        if is_of_the_program {
            // The conflicting change is later than the audit that the program saw.
            self.ctx.effects.push(Effect::ForgetDecision(change));
            return;
        }
        let (about, key) = (self.name_of(mine.write.report()), self.ctx.key(Action::DeskCollisions));
        let other = self.desk.as_ref().and_then(|desk| Some((mine.author_besides(&desk.me)?, &desk.me)));
        let notice = match (other, &theirs) {
            (Some((author, me)), _) => {
                format!(
                    "{author}'s decision about {about} was not sent, because the key belongs to {me}: {key} shows it"
                )
            }
            (None, Some(row)) if !mine.expects(row) => {
                let (who, state) = (row.set_by.shown(), row.state.kind().label());
                format!("{who} had set {state} on {about} before you: {key} shows both")
            }
            // The decision is old, or the desk was restored from a backup.
            (None, _) => format!("Your decision about {about} was not sent: {key} shows it"),
        };
        self.add_conflict(Conflict { mine, theirs });
        self.notify_unsent(notice);
    }

    fn on_decision_set_aside(&mut self, change: ChangeId, failure: &Failure) {
        let Some(desk) = &mut self.desk else { return };
        let Some(mine) = desk.take_unsent(change) else { return };
        let report = mine.write.report().clone();
        let theirs = desk.content.rows.get(&report).cloned();
        self.add_conflict(Conflict { mine, theirs });
        let (about, key) = (self.name_of(&report), self.ctx.key(Action::DeskCollisions));
        self.notify_unsent(format!("Your decision about {about} was set aside: {key} shows it ({})", failure.message));
    }

    fn on_decision_refused(&mut self, change: ChangeId, failure: &Failure) {
        let Some(desk) = &mut self.desk else { return };
        let refused = desk.take_unsent(change).map(|mine| Conflict { mine, theirs: None });
        // Keeps the typed text as a draft.
        if let Some(OutboxEntry { write: DeskWrite::Note { report, write }, .. }) = refused.as_ref().map(|of| &of.mine)
        {
            let key = DraftKey::note(std::slice::from_ref(report));
            self.store_draft(Draft::of_text(key, write.text.raw()));
        }
        self.log_dropped(refused.as_slice());
        self.call_off_quitting(failure);
        self.ctx.notify_failure(failure);
    }
}

/// Whether states or notes may change by a message, without being shown by its handler.
fn changes_states(message: &DeskMessage) -> bool {
    match message {
        DeskMessage::Changes { events, .. } => !events.is_empty(),
        DeskMessage::Read(..)
        | DeskMessage::Written(..)
        | DeskMessage::Noted(..)
        | DeskMessage::Conflict(..)
        | DeskMessage::SetAside(..)
        | DeskMessage::Refused(..) => true,
        DeskMessage::Joined(_) | DeskMessage::Absent(_) | DeskMessage::Unreachable(..) | DeskMessage::Ended(_) => false,
    }
}
