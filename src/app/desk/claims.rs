//! Claims and assignments on the desk, and the user's share of the queue.

use crate::app::App;
use crate::app::overlays::MenuChoice;
use crate::app::undo::{FormerHolder, UndoStep};
use crate::domain::desk::{DeskRow, Handle, Person, PresenceActivity, Role};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::report::ReportId;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::counted;
use crate::domain::triage::State;
use crate::domain::triage::state_choice::StateChoice;
use crate::input::{Action, Context};

const NOTHING_TO_HAND_OVER: &str = "You hold no reports to hand over";

/// Whose share a report of the queue belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum QueueShare {
    /// The user's.
    Mine,
    /// Nobody's, or its claim has expired.
    Free,
    /// Another person's.
    Others,
}

impl App {
    /// Returns whose share a report belongs to.
    pub(crate) fn share_of(&self, id: &ReportId) -> QueueShare {
        match &self.desk {
            Some(desk) if desk.is_mine(id) => QueueShare::Mine,
            Some(desk) if desk.claim_of_another(id, self.ctx.now).is_some() => QueueShare::Others,
            Some(_) | None => QueueShare::Free,
        }
    }

    /// Claims the current report. If another person holds it, tells so first, and takes it over if repeated.
    pub(crate) fn claim_current(&mut self) {
        let in_queue = self.desk.as_ref().filter(|_| self.context() == Context::Queue);
        let claimed = in_queue.zip(self.subject()).and_then(|(desk, report)| {
            let row = desk.claim_of_another(&report.id, self.ctx.now)?;
            Some((row.report.clone(), row.version))
        });
        let seen = self.desk.as_mut().and_then(|desk| desk.seen_claim.take());
        let Some(claim) = claimed.filter(|claim| seen.as_ref() != Some(claim)) else {
            return self.set_state(StateChoice::State(State::Looking));
        };
        let text = self.claim_text(&claim.0).unwrap_or_default();
        self.ctx.notify(format!("{text}: {} again takes over", self.ctx.key(Action::StateLooking)));
        if let Some(desk) = &mut self.desk {
            desk.seen_claim = Some(claim);
        }
    }

    /// Describes who holds a report, since when, and what others are doing there: `ben is looking at it (4 min ago) ·
    /// ben is writing a note`.
    pub fn claim_text(&self, id: &ReportId) -> Option<String> {
        let desk = self.desk.as_ref()?;
        let held = |row: &DeskRow| {
            let holder = row.holder.as_ref().filter(|holder| **holder != desk.me)?;
            let age = relative(self.ctx.now, row.set_at);
            Some(if row.state == State::Looking {
                format!("{holder} is looking at it ({age})")
            } else {
                format!("it is with {holder} ({age})")
            })
        };
        let held = desk.content.rows.get(id).and_then(held);
        let there = desk.present_at(id).map(|presence| match presence.doing {
            PresenceActivity::Writing => format!("{} is writing a note", presence.handle),
            PresenceActivity::Viewing | PresenceActivity::Other => format!("{} has it open", presence.handle),
        });
        let parts: Vec<String> = held.into_iter().chain(there).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// Opens a menu of people to assign the marked reports to, or else the one under the cursor.
    pub(crate) fn offer_people(&mut self) {
        let ids = self.marked_or_current();
        if !ids.is_empty() {
            let rows = self.people_rows(&ids, MenuChoice::Assign);
            self.open_menu(format!("Assign {} to", self.describe(&ids, "report")), rows, 0);
        }
    }

    /// Opens a menu of people to hand over all reports held by the user.
    pub(crate) fn offer_handover(&mut self) {
        let Some(desk) = &self.desk else { return };
        let ids: Vec<ReportId> = desk.held_by_me().cloned().collect();
        if ids.is_empty() {
            return self.ctx.notify(NOTHING_TO_HAND_OVER);
        }
        let count = counted(ids.len() as u64, "report");
        let me = Some(desk.me.clone());
        let is_mine = |choice: &MenuChoice| matches!(choice, MenuChoice::HandOver(_, holder) if *holder == me);
        let rows =
            self.people_rows(&ids, MenuChoice::HandOver).into_iter().filter(|(_, choice)| !is_mine(choice)).collect();
        self.open_menu(format!("Hand over {count}"), rows, 0);
    }

    fn people_rows(
        &self,
        ids: &[ReportId],
        choice: fn(Vec<ReportId>, Option<Handle>) -> MenuChoice,
    ) -> Vec<(String, MenuChoice)> {
        let Some(desk) = &self.desk else { return Vec::new() };
        let name = |person: &Person| {
            let you = if person.handle == desk.me { " (you)" } else { "" };
            let full =
                if person.name.raw() == person.handle.as_str() { String::new() } else { format!("  {}", person.name) };
            format!("{}{you}{full}", person.handle)
        };
        let may_work = |person: &&Person| person.left_at.is_none() && person.role != Some(Role::Viewer);
        let here = desk.people.iter().filter(may_work);
        let people = here.map(|person| (name(person), choice(ids.to_vec(), Some(person.handle.clone()))));
        people.chain([("nobody: free for anyone".to_owned(), choice(ids.to_vec(), None))]).collect()
    }

    /// Hands over those of these reports that the user still holds.
    pub(crate) fn hand_over(&mut self, mut ids: Vec<ReportId>, holder: Option<&Handle>) {
        ids.retain(|id| self.desk.as_ref().is_some_and(|desk| desk.is_mine(id)));
        if ids.is_empty() {
            return self.ctx.notify(NOTHING_TO_HAND_OVER);
        }
        self.assign(&ids, holder);
    }

    /// Assigns reports to a person, or to nobody.
    pub(crate) fn assign(&mut self, ids: &[ReportId], holder: Option<&Handle>) {
        if let Some(reason) = self.triage_disabled_reason() {
            return self.ctx.notify(reason);
        }
        let former = self.swap_holders(ids.iter().map(|id| (id.clone(), holder.cloned())).collect());
        let changed: Vec<ReportId> = former.iter().map(|former| former.report.clone()).collect();
        let about = self.describe(if changed.is_empty() { ids } else { &changed }, "report");
        self.ctx.notify(match holder {
            Some(holder) if former.is_empty() => format!("{about}: already with {holder}"),
            Some(holder) => format!("{about}: assigned to {holder}"),
            None if former.is_empty() => format!("{about}: already free"),
            None => format!("{about}: unassigned"),
        });
        if !former.is_empty() {
            self.ctx.undo.remember(UndoStep::Holders(former));
        }
    }

    /// Replaces the holders of reports, and returns the former ones of the reports whose holder differs.
    pub(crate) fn swap_holders(&mut self, mut holders: Vec<(ReportId, Option<Handle>)>) -> Vec<FormerHolder> {
        let Some(desk) = &self.desk else { return Vec::new() };
        holders.retain(|(id, holder)| desk.holder(id) != holder.as_ref() || desk.may_differ(id));
        let now = self.ctx.now;
        let handle = |holder: Option<&Handle>| holder.map(ToString::to_string).unwrap_or_default();
        let (mut former, mut entries) = (Vec::new(), Vec::new());
        for (id, holder) in &holders {
            let held_by = desk.holder(id);
            let entry = self.entry_about(LogKind::Assigned, id, now);
            entries.push(LogEntry { before: handle(held_by), after: handle(holder.as_ref()), ..entry });
            let (report, holder, replaced_by) = (id.clone(), held_by.cloned(), holder.clone());
            former.push(FormerHolder { report, holder, replaced_by });
        }
        self.log(entries);
        self.store_holders(holders);
        former
    }
}
