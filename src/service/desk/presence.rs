//! Who is where at this moment, in this process. Never stored and never logged.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::domain::desk::{Handle, Presence, PresenceActivity};
use crate::domain::report::ReportId;
use crate::domain::triage::to_the_millisecond;

/// How long somebody is there after the last sign of life: longer than a request waits, with time to send the next.
const LIFETIME: Duration = Duration::from_secs(75);

/// Where people are, by service and handle. It has at most as many entries as there are people and services.
pub struct PresenceBoard {
    entries: Mutex<BTreeMap<(i64, Handle), PresenceEntry>>,
    changes: watch::Sender<PresenceChanges>,
}

/// Counts changes of what others see.
#[derive(Debug, Clone, Copy, Default)]
pub struct PresenceChanges {
    /// All of them.
    moves: u64,
    /// Those by which somebody began or ended to write: others should know before they do the same.
    pub writing: u64,
}

struct PresenceEntry {
    presence: Presence,
    seen: Instant,
    /// The count of changes when this person was last told who is where.
    told: Option<u64>,
}

impl Default for PresenceBoard {
    fn default() -> Self {
        Self { entries: Mutex::default(), changes: watch::Sender::default() }
    }
}

impl PresenceBoard {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<(i64, Handle), PresenceEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells when somebody comes or moves.
    pub fn subscribe(&self) -> watch::Receiver<PresenceChanges> {
        self.changes.subscribe()
    }

    /// Takes a sign of life.
    pub fn touch(&self, service: i64, handle: &Handle, report: Option<ReportId>, doing: PresenceActivity) {
        let (seen, since) = (Instant::now(), to_the_millisecond(Timestamp::now()));
        let mut entries = self.entries();
        entries.retain(|_, entry| entry.seen + LIFETIME > seen);
        let entry = entries.get(&(service, handle.clone()));
        let told = entry.and_then(|entry| entry.told);
        let same =
            entry.map(|entry| &entry.presence).filter(|earlier| earlier.report == report && earlier.doing == doing);
        let was_writing = entry.is_some_and(|entry| entry.presence.doing == PresenceActivity::Writing);
        let (has_moved, since) = (same.is_none(), same.map_or(since, |same| same.since));
        let presence = Presence { handle: handle.clone(), report, doing, since };
        entries.insert((service, handle.clone()), PresenceEntry { presence, seen, told });
        drop(entries);
        if has_moved {
            let is_writing = was_writing || doing == PresenceActivity::Writing;
            self.changes.send_modify(|changes| {
                changes.moves = changes.moves.wrapping_add(1);
                changes.writing = changes.writing.wrapping_add(is_writing.into());
            });
        }
    }

    /// Whether somebody came or moved since this person was last told who is where. Not so for one who is not here.
    pub fn has_news(&self, service: i64, handle: &Handle) -> bool {
        let told = self.entries().get(&(service, handle.clone())).map(|entry| entry.told);
        told.is_some_and(|told| told != Some(self.changes.borrow().moves))
    }

    /// This person is told who is where.
    pub fn tell(&self, service: i64, handle: &Handle) {
        let moves = self.changes.borrow().moves;
        if let Some(entry) = self.entries().get_mut(&(service, handle.clone())) {
            entry.told = Some(moves);
        }
    }

    /// Who is at a service, by handle, without the one who asks.
    pub fn others(&self, service: i64, asking: Option<&Handle>) -> Vec<Presence> {
        let now = Instant::now();
        let entries = self.entries();
        let there = entries
            .iter()
            .filter(|((at, handle), entry)| *at == service && Some(handle) != asking && entry.seen + LIFETIME > now);
        there.map(|(_, entry)| entry.presence.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_person_is_there_for_75_seconds_after_the_last_sign_of_life() {
        let (board, anna) = (PresenceBoard::default(), "anna".parse().unwrap());
        let mut changes = board.subscribe();
        let here = |board: &PresenceBoard| board.others(1, None).len();
        board.touch(1, &anna, Some(ReportId::new("812")), PresenceActivity::Viewing);
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        assert_eq!((here(&board), board.others(1, Some(&anna)).len(), board.others(2, None).len()), (1, 0, 0));
        tokio::time::advance(Duration::from_secs(74)).await;
        board.touch(1, &anna, Some(ReportId::new("812")), PresenceActivity::Viewing);
        assert!(!changes.has_changed().unwrap(), "the same place is no change");
        tokio::time::advance(Duration::from_secs(74)).await;
        assert_eq!(here(&board), 1);
        board.touch(1, &anna, Some(ReportId::new("812")), PresenceActivity::Writing);
        assert!(changes.has_changed().unwrap());
        tokio::time::advance(Duration::from_secs(75)).await;
        assert_eq!(here(&board), 0);
    }
}
