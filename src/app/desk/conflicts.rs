//! Conflicting decisions: shows both sides, and lets the user choose.

use std::collections::HashSet;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::MenuChoice;
use crate::domain::desk::{ChangeId, Conflict, DeskRow, DeskWrite, Handle, OutboxEntry, RowPrecondition, RowWrite};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::State;
use crate::input::Action;

impl App {
    /// Opens a menu for the first conflict. A decision made with another person's key is left to them by default.
    pub(crate) fn offer_conflict(&mut self) {
        if let Some(desk) = &mut self.desk {
            for Conflict { mine, theirs } in &mut desk.conflicts {
                // The row may have been changed again since.
                let now = desk.content.rows.get(mine.write.report());
                if let (Some(theirs), Some(now)) = (theirs, now)
                    && now.version > theirs.version
                {
                    theirs.clone_from(now);
                }
            }
        }
        let Some((desk, conflict)) = self.desk.as_ref().and_then(|desk| Some((desk, desk.conflicts.first()?))) else {
            return self.ctx.notify("No conflicting decisions");
        };
        let change = conflict.mine.write.change();
        let theirs = conflict.theirs.as_ref();
        let theirs = theirs
            .map(|row| format!("{}, by {} {}", of_row(row), row.set_by.shown(), relative(self.ctx.now, row.set_at)));
        let decided = format!("{}, {}", of_decision(&conflict.mine), relative(self.ctx.now, conflict.mine.decided_at));
        // Decisions made with another person's key are chosen one at a time.
        let is_mine = |conflict: &&Conflict| conflict.mine.author_besides(&desk.me).is_none();
        let all: Vec<ChangeId> =
            desk.conflicts.iter().filter(is_mine).map(|conflict| conflict.mine.write.change()).collect();
        let (theirs, mine, later, at) = if let Some(author) = conflict.mine.author_besides(&desk.me) {
            let drop = theirs.map_or("drop it".to_owned(), |theirs| format!("drop it, keep {theirs}"));
            (drop, format!("send it as {}: {decided}", desk.me), format!("leave it to {author}"), 2)
        } else {
            let theirs = format!("theirs: {}", theirs.as_deref().unwrap_or("no longer set"));
            (theirs, format!("mine: {decided}"), "decide later".to_owned(), 0)
        };
        let title = self.name_of(conflict.mine.write.report());
        let mut rows = vec![
            (theirs, MenuChoice::Resolve(vec![change], false)),
            (mine, MenuChoice::Resolve(vec![change], true)),
            (later, MenuChoice::Postpone(change)),
        ];
        if all.len() > 1 {
            let count = grouped(all.len() as u64);
            rows.push((format!("theirs for all {count} decisions of mine"), MenuChoice::Resolve(all.clone(), false)));
            rows.push((format!("mine for all {count}"), MenuChoice::Resolve(all, true)));
        }
        self.open_menu(title, rows, at);
    }

    /// Adds a conflict. Of one person's decisions about a report, only the last one is left to choose.
    pub(super) fn add_conflict(&mut self, conflict: Conflict) {
        let Some(desk) = &mut self.desk else { return };
        let row = |conflict: &Conflict| match &conflict.mine.write {
            DeskWrite::Row { report, .. } => Some((report.clone(), conflict.mine.decided_by.clone())),
            DeskWrite::Note { .. } | DeskWrite::Withdrawal { .. } => None,
        };
        let replaced = row(&conflict);
        let is_replaced = |earlier: &mut Conflict| replaced.is_some() && row(earlier) == replaced;
        let earlier: Vec<Conflict> = desk.conflicts.extract_if(.., is_replaced).collect();
        desk.conflicts.push(conflict);
        self.drop_decisions(&earlier);
    }

    /// Forgets decisions that are not sent again.
    fn drop_decisions(&mut self, dropped: &[Conflict]) {
        let forget = |conflict: &Conflict| Effect::ForgetDecision(conflict.mine.write.change());
        self.ctx.effects.extend(dropped.iter().map(forget));
        self.log_dropped(dropped);
    }

    /// Moves a conflict behind the others, which are shown first then.
    pub(crate) fn postpone_conflict(&mut self, change: ChangeId) {
        if let Some(desk) = &mut self.desk {
            desk.conflicts.sort_by_key(|conflict| conflict.mine.write.change() == change);
        }
    }

    /// Resolves conflicts: keeps the desk's rows, or resends the user's decisions on top of them.
    pub(crate) fn resolve_conflicts(&mut self, changes: &[ChangeId], use_mine: bool) {
        let Some(desk) = &mut self.desk else { return };
        let chosen: HashSet<&ChangeId> = changes.iter().collect();
        let is_chosen = |conflict: &mut Conflict| chosen.contains(&conflict.mine.write.change());
        let resolved: Vec<Conflict> = desk.conflicts.extract_if(.., is_chosen).collect();
        let count = counted(resolved.len() as u64, "decision");
        let done = if use_mine {
            self.resend(resolved);
            "sent again"
        } else {
            self.drop_decisions(&resolved);
            "dropped"
        };
        let left = self.desk.as_ref().map_or(0, |desk| desk.conflicts.len());
        self.ctx.notify(match left {
            0 => format!("{count} {done}"),
            _ => format!(
                "{}: {} shows the next",
                counted(left as u64, "more conflict"),
                self.ctx.key(Action::DeskCollisions)
            ),
        });
    }

    /// Sends decisions again, on top of the desk's rows.
    fn resend(&mut self, resolved: Vec<Conflict>) {
        let Some(desk) = &mut self.desk else { return };
        let mut resent = Vec::new();
        for Conflict { mine, theirs } in resolved {
            let change = mine.write.change();
            let mut entry = OutboxEntry { is_confirmed: true, decided_by: Some(desk.me.clone()), ..mine };
            // The desk has already responded to the rejected change id, so the decision needs a new one.
            if let DeskWrite::Row { expected, write, .. } = &mut entry.write {
                *expected =
                    theirs.as_ref().map_or(RowPrecondition::Absent, |row| RowPrecondition::Version(row.version));
                write.change = desk.next_change();
                self.ctx.effects.push(Effect::ForgetDecision(change));
            }
            resent.push(entry);
        }
        self.decide(resent);
    }

    /// Logs that decisions were dropped: they were logged when they were made. Notes are listed only while they exist.
    pub(super) fn log_dropped(&mut self, dropped: &[Conflict]) {
        let entry = |Conflict { mine, theirs }: &Conflict| {
            let DeskWrite::Row { report, write: RowWrite { cause: None, .. }, .. } = &mine.write else { return None };
            let after = theirs.as_ref().map(of_row).unwrap_or_default();
            let entry = self.entry_about(LogKind::Dropped, report, self.ctx.now);
            Some(LogEntry { before: of_decision(mine), after, ..entry })
        };
        self.log(dropped.iter().filter_map(entry).collect());
    }
}

fn of_row(row: &DeskRow) -> String {
    of_state(row.state, row.holder.as_ref())
}

fn of_state(state: State, holder: Option<&Handle>) -> String {
    let holder = holder.map(|holder| format!(", with {holder}")).unwrap_or_default();
    format!("{}{holder}", state.kind().label())
}

fn of_decision(entry: &OutboxEntry) -> String {
    match &entry.write {
        DeskWrite::Row { write, .. } => of_state(write.state, write.holder.as_ref()),
        DeskWrite::Note { write, .. } => format!("note “{}”", write.text),
        DeskWrite::Withdrawal { .. } => "note withdrawn".to_owned(),
    }
}
