//! Conflicting decisions: shows both sides, and lets the user choose.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::MenuChoice;
use crate::domain::desk::{ChangeId, DeskRow, DeskWrite, OutboxEntry};
use crate::domain::text::age::relative;
use crate::domain::text::numbers::counted;
use crate::input::Action;

impl App {
    /// Opens a menu for the first conflict.
    pub(crate) fn offer_conflict(&mut self) {
        let Some(conflict) = self.desk.as_ref().and_then(|desk| desk.conflicts.first()) else {
            return self.ctx.notify("No conflicting decisions");
        };
        let change = conflict.mine.write.change();
        let theirs = conflict.theirs.as_ref().map_or_else(
            || "theirs: no longer set".to_owned(),
            |row| format!("theirs: {}, by {} {}", of_row(row), row.set_by.shown(), relative(self.ctx.now, row.set_at)),
        );
        let mine =
            format!("mine: {}, {}", of_decision(&conflict.mine), relative(self.ctx.now, conflict.mine.decided_at));
        let title = self.name_of(conflict.mine.write.report());
        let rows = vec![
            (theirs, MenuChoice::Resolve(change, false)),
            (mine, MenuChoice::Resolve(change, true)),
            ("decide later".to_owned(), MenuChoice::Nothing),
        ];
        self.open_menu(title, rows, 0);
    }

    /// Resolves a conflict: keeps the desk's row, or resends the user's decision on top of it.
    pub(crate) fn resolve_conflict(&mut self, change: ChangeId, use_mine: bool) {
        let Some(desk) = &mut self.desk else { return };
        let Some(at) = desk.conflicts.iter().position(|conflict| conflict.mine.write.change() == change) else {
            return;
        };
        let conflict = desk.conflicts.remove(at);
        if use_mine {
            let mut entry = OutboxEntry { is_confirmed: true, ..conflict.mine };
            if let Some(row) = &conflict.theirs {
                entry.rebase(row);
            }
            // The desk has already responded to the rejected change id, so the decision needs a new one.
            if let DeskWrite::Row { write, .. } = &mut entry.write {
                write.change = desk.next_change();
                self.ctx.effects.push(Effect::ForgetDecision(change));
            }
            desk.outbox.push(entry.clone());
            self.ctx.effects.push(Effect::SendToDesk(vec![entry]));
        } else {
            self.ctx.effects.push(Effect::ForgetDecision(change));
        }
        let left = self.desk.as_ref().map_or(0, |desk| desk.conflicts.len());
        self.show_desk();
        if left > 0 {
            let left = counted(left as u64, "more conflict");
            self.ctx.notify(format!("{left}: {} shows the next", self.ctx.key(Action::DeskCollisions)));
        }
    }
}

fn of_row(row: &DeskRow) -> String {
    let holder = row.holder.as_ref().map(|holder| format!(", with {holder}")).unwrap_or_default();
    format!("{}{holder}", row.state.kind().label())
}

fn of_decision(entry: &OutboxEntry) -> String {
    match &entry.write {
        DeskWrite::Row { write, .. } => {
            let holder = write.holder.as_ref().map(|holder| format!(", with {holder}")).unwrap_or_default();
            format!("{}{holder}", write.state.kind().label())
        }
        DeskWrite::Note { write, .. } => format!("note “{}”", write.text),
        DeskWrite::Withdrawal { .. } => "note withdrawn".to_owned(),
    }
}
