//! The outbox of a desk: sends writes in order, and leaves conflicts to the user.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedReceiver;

use super::context::{DeskContext, OutboxOrder};
use crate::api::desk::RowWriteFailure;
use crate::app::message::DeskMessage;
use crate::domain::desk::{DeskContent, DeskNote, DeskRow, DeskWrite, OutboxEntry, RowPrecondition};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::ReportId;
use crate::journal::{ConfirmedWrite, DeskCopy};

/// How often a write fails, while the desk responds to other requests in between, before it may be set aside.
const MOST_ATTEMPTS: usize = 4;

/// Writes that the desk has not confirmed, in the order they were decided.
pub(super) struct Outbox {
    entries: VecDeque<OutboxEntry>,
    /// How often the first write has failed.
    attempts: usize,
    /// The versions of each row from before this client's latest consecutive writes to the last of them.
    own_versions: HashMap<ReportId, Range<i64>>,
}

impl Outbox {
    pub(super) fn new(entries: Vec<OutboxEntry>) -> Self {
        Self { entries: entries.into(), attempts: 0, own_versions: HashMap::new() }
    }

    pub(super) fn into_entries(self) -> Vec<OutboxEntry> {
        self.entries.into()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a write, replacing an earlier version of it, or drops one.
    pub(super) fn take(&mut self, order: OutboxOrder) {
        let change = match &order {
            OutboxOrder::Send(entry) => entry.write.change(),
            OutboxOrder::Forget(change) => *change,
        };
        if self.entries.front().is_some_and(|first| first.write.change() == change) {
            self.attempts = 0;
        }
        self.entries.retain(|entry| entry.write.change() != change);
        if let OutboxOrder::Send(entry) = order {
            self.entries.push_back(*entry);
        }
    }

    /// Asks the user to confirm all writes instead of sending them, also after a restart.
    pub(super) async fn confirm_all(&mut self, context: &DeskContext, copy: &DeskCopy) {
        let entries: Vec<OutboxEntry> =
            self.entries.drain(..).map(|entry| OutboxEntry { must_ask: true, is_confirmed: false, ..entry }).collect();
        self.own_versions.clear();
        for entry in &entries {
            context.send(conflict(entry, copy));
        }
        context.with_journal(move |journal, service| journal.store_outgoing(service, &entries)).await;
    }

    /// Sends all writes in order, and those that are ordered meanwhile. Fails if the desk is unreachable or rejects the
    /// user; the remaining writes stay.
    pub(super) async fn send(
        &mut self,
        context: &DeskContext,
        copy: &mut DeskCopy,
        orders: &mut UnboundedReceiver<OutboxOrder>,
    ) -> Result<(), Failure> {
        loop {
            self.rebase_and_store(context).await;
            let Some(entry) = self.entries.front().cloned() else { return Ok(()) };
            if must_be_confirmed(&entry, copy) {
                // Another key may be in use since the desk received it.
                let reply = applied(&entry, copy).unwrap_or_else(|| conflict(&entry, copy));
                self.settle(reply, &entry, (context, copy, orders)).await;
                continue;
            }
            let reply = match self.send_one(context, copy, &entry).await {
                Ok(reply) => reply,
                // A firewall may forbid the text of a note, which the user can change.
                Err(failure) if failure.kind == FailureKind::Forbidden && context.may_write().await => {
                    match &entry.write {
                        DeskWrite::Note { write, .. } => DeskMessage::Refused(write.change, failure),
                        DeskWrite::Row { .. } | DeskWrite::Withdrawal { .. } => set_aside(&entry, copy, failure),
                    }
                }
                Err(failure) if !may_be_about(&failure) => return Err(failure),
                Err(failure) => {
                    self.attempts += 1;
                    if self.attempts < MOST_ATTEMPTS {
                        return Err(failure);
                    }
                    if !is_unreadable(&failure) {
                        // The desk may fail every write, until its disk has room again: then all decisions stay.
                        let Some(other) = self.another(copy).and_then(|at| self.entries.get(at).cloned()) else {
                            return Err(failure);
                        };
                        let reply = self.send_one(context, copy, &other).await?;
                        self.settle(reply, &other, (context, copy, orders)).await;
                    }
                    set_aside(&entry, copy, failure)
                }
            };
            self.attempts = 0;
            self.settle(reply, &entry, (context, copy, orders)).await;
        }
    }

    /// Reports the response to a write, and removes the write from the outbox.
    async fn settle(
        &mut self,
        reply: DeskMessage,
        entry: &OutboxEntry,
        (context, copy, orders): (&DeskContext, &DeskCopy, &mut UnboundedReceiver<OutboxOrder>),
    ) {
        let change = entry.write.change();
        self.entries.retain(|entry| entry.write.change() != change);
        let confirmed = confirmed(&reply, &copy.content);
        // A conflict, and a write that was set aside, stays in the journal until the user has chosen.
        let is_refused = matches!(reply, DeskMessage::Refused(..));
        context.send(reply);
        // Decisions that were made before the dashboard knew the new version. They are stored before the confirmed
        // write leaves the journal: until then a restart sends it again, and so learns of its version.
        while let Ok(order) = orders.try_recv() {
            self.take(order);
        }
        self.rebase_and_store(context).await;
        if let Some(confirmed) = confirmed {
            context.with_journal(move |journal, name| journal.confirm_outgoing(name, change, &confirmed)).await;
        } else if is_refused {
            context.with_journal(move |journal, _| journal.delete_outgoing(change)).await;
        }
    }

    /// Returns the position of a write that can be sent before the first one, another one after each attempt: not a
    /// later write of a row that an earlier one is about.
    fn another(&self, copy: &DeskCopy) -> Option<usize> {
        let row = |entry: &OutboxEntry| match &entry.write {
            DeskWrite::Row { report, .. } => Some(report.clone()),
            DeskWrite::Note { .. } | DeskWrite::Withdrawal { .. } => None,
        };
        let mut rows: HashSet<ReportId> = self.entries.front().and_then(row).into_iter().collect();
        let mut is_independent = |entry: &OutboxEntry| row(entry).is_none_or(|report| rows.insert(report));
        let later = self.entries.iter().enumerate().skip(1);
        let independent = later.filter(|(_, entry)| is_independent(entry) && !must_be_confirmed(entry, copy));
        let positions: Vec<usize> = independent.map(|(at, _)| at).collect();
        positions.get(self.attempts % positions.len().max(1)).copied()
    }

    /// Rebases decisions, and stores them, or after a restart this client's own writes would be taken for conflicting
    /// ones.
    async fn rebase_and_store(&mut self, context: &DeskContext) {
        let rebased = self.rebase();
        if !rebased.is_empty() {
            context.with_journal(move |journal, service| journal.store_outgoing(service, &rebased)).await;
        }
    }

    /// Bases the decisions that were made before the desk had confirmed this client's latest write to the same row on
    /// that write. Returns them.
    fn rebase(&mut self) -> Vec<OutboxEntry> {
        let mut rebased = Vec::new();
        for entry in &mut self.entries {
            if let DeskWrite::Row { report, expected, .. } = &mut entry.write
                && let Some(own) = self.own_versions.get(report)
                && own.contains(&expected.version())
            {
                *expected = RowPrecondition::Version(own.end);
                rebased.push(entry.clone());
            }
        }
        rebased
    }

    /// Records a row that this client wrote.
    fn record_own(&mut self, expected: RowPrecondition, row: &DeskRow) {
        let before = expected.version();
        let own = self.own_versions.entry(row.report.clone()).or_insert(before..before);
        let start = if own.end == before { own.start } else { before };
        *own = start..row.version;
    }

    /// Sends a write. Fails if the desk is unreachable, rejects the user, or fails to carry it out.
    async fn send_one(
        &mut self,
        context: &DeskContext,
        copy: &mut DeskCopy,
        entry: &OutboxEntry,
    ) -> Result<DeskMessage, Failure> {
        match self.request(context, copy, entry).await {
            Err(failure) if is_about(&failure, entry) => Ok(DeskMessage::Refused(entry.write.change(), failure)),
            replied => replied,
        }
    }

    async fn request(
        &mut self,
        context: &DeskContext,
        copy: &mut DeskCopy,
        entry: &OutboxEntry,
    ) -> Result<DeskMessage, Failure> {
        let (service, change) = (copy.service, entry.write.change());
        match entry.to_send(Timestamp::now()) {
            DeskWrite::Row { report, expected, write } => {
                match context.clients.desk.write_desk_row(service, &report, expected, &write).await {
                    Ok(row) => {
                        self.record_own(expected, &row);
                        copy.content.put_row(row.clone());
                        Ok(DeskMessage::Written(change, Box::new(row)))
                    }
                    Err(RowWriteFailure::Conflict(Some(row))) if entry.is_fulfilled_by(&row) => {
                        copy.content.put_row((*row).clone());
                        Ok(DeskMessage::Written(change, row))
                    }
                    Err(RowWriteFailure::Conflict(row)) => {
                        if let Some(row) = &row {
                            copy.content.put_row((**row).clone());
                        }
                        Ok(DeskMessage::Conflict(change, row))
                    }
                    Err(RowWriteFailure::Failed(failure)) => Err(failure),
                }
            }
            DeskWrite::Note { report, write } => {
                let note = context.clients.desk.write_desk_note(service, &report, &write).await?;
                copy.content.put_note(note.clone());
                Ok(DeskMessage::Noted(change, Box::new(note)))
            }
            DeskWrite::Withdrawal { report, note, change } => {
                let note = context.clients.desk.withdraw_desk_note(service, &report, note, change).await?;
                copy.content.put_note(note.clone());
                Ok(DeskMessage::Noted(change, Box::new(note)))
            }
        }
    }
}

/// Whether a failure concerns this write only: it is invalid, or the note is gone or another person's.
fn is_about(failure: &Failure, entry: &OutboxEntry) -> bool {
    let is_withdrawal = matches!(entry.write, DeskWrite::Withdrawal { .. });
    match failure.kind {
        FailureKind::Invalid | FailureKind::Local => true,
        FailureKind::NotFound | FailureKind::Forbidden => is_withdrawal,
        FailureKind::Unauthorised
        | FailureKind::WrongAddress
        | FailureKind::Unreadable
        | FailureKind::TooLarge
        | FailureKind::Unreachable
        | FailureKind::TimedOut
        | FailureKind::Service
        | FailureKind::RateLimited => false,
    }
}

/// Whether a failure may concern one write only. The failures of a desk that is unreachable look the same.
fn may_be_about(failure: &Failure) -> bool {
    let has_failed = matches!(failure.kind, FailureKind::Service | FailureKind::TimedOut | FailureKind::Unreachable);
    has_failed || is_unreadable(failure)
}

fn is_unreadable(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Unreadable | FailureKind::TooLarge)
}

/// Whether the user must confirm a write before it is sent.
fn must_be_confirmed(entry: &OutboxEntry, copy: &DeskCopy) -> bool {
    copy.me.handle.as_ref().is_some_and(|me| entry.must_be_confirmed(Timestamp::now(), me))
}

/// Returns what the copy has of a confirmed write; `None` if the reply is no confirmation. The reply to a write that is
/// sent again is its first result, and the copy may be newer.
fn confirmed(reply: &DeskMessage, content: &DeskContent) -> Option<ConfirmedWrite> {
    if let DeskMessage::Written(_, row) = reply {
        content.rows.get(&row.report).cloned().map(Box::new).map(ConfirmedWrite::Row)
    } else if let DeskMessage::Noted(_, note) = reply {
        let withdrawn = || DeskNote { withdrawn: true, ..(**note).clone() };
        let present = content.notes.get(&note.id).cloned().unwrap_or_else(withdrawn);
        Some(ConfirmedWrite::Note(Box::new(present)))
    } else {
        None
    }
}

/// The message that a write has been applied, if its row says so.
fn applied(entry: &OutboxEntry, copy: &DeskCopy) -> Option<DeskMessage> {
    let row = copy.content.rows.get(entry.write.report()).filter(|row| entry.is_fulfilled_by(row))?;
    Some(DeskMessage::Written(entry.write.change(), Box::new(row.clone())))
}

/// The message about a write that fails again and again. It may have been applied.
fn set_aside(entry: &OutboxEntry, copy: &DeskCopy, failure: Failure) -> DeskMessage {
    applied(entry, copy).unwrap_or_else(|| DeskMessage::SetAside(entry.write.change(), failure))
}

/// The message that a write needs the user's choice.
fn conflict(entry: &OutboxEntry, copy: &DeskCopy) -> DeskMessage {
    let theirs = copy.content.rows.get(entry.write.report()).cloned().map(Box::new);
    DeskMessage::Conflict(entry.write.change(), theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::desk::ChangeId;
    use serde_json::json;

    fn row(version: i64) -> DeskRow {
        let row = json!({
            "report": "7", "state": "looking", "holder": null, "baseline": {}, "reason": null, "version": version,
            "set_by": "anna", "set_at": "2026-01-02T03:04:05Z",
        });
        serde_json::from_value(row).unwrap()
    }

    fn note(withdrawn: bool) -> DeskNote {
        let at = "2026-01-02T03:04:05Z";
        let note =
            json!({ "id": 3, "report": "7", "author": "anna", "text": "asked", "at": at, "withdrawn": withdrawn });
        serde_json::from_value(note).unwrap()
    }

    #[test]
    fn an_old_reply_to_a_repeated_write_does_not_replace_what_the_copy_has_since() {
        let change = ChangeId::from_random([1; 16]);
        let mut content = DeskContent::default();
        for version in [5, 9, 5] {
            content.put_row(row(version));
        }
        let written = confirmed(&DeskMessage::Written(change, Box::new(row(5))), &content);
        assert!(matches!(written, Some(ConfirmedWrite::Row(row)) if row.version == 9));
        for (withdrawn, is_gone) in [(false, false), (true, true), (false, true)] {
            content.put_note(note(withdrawn));
            let noted = confirmed(&DeskMessage::Noted(change, Box::new(note(false))), &content);
            assert!(matches!(noted, Some(ConfirmedWrite::Note(note)) if note.withdrawn == is_gone));
        }
        assert!(confirmed(&DeskMessage::Conflict(change, None), &content).is_none());
    }
}
