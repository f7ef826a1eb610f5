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
    /// Counts changes of what others see.
    changes: watch::Sender<u64>,
}

struct PresenceEntry {
    presence: Presence,
    seen: Instant,
}

impl Default for PresenceBoard {
    fn default() -> Self {
        Self { entries: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl PresenceBoard {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<(i64, Handle), PresenceEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells when somebody comes or moves.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Takes a sign of life.
    pub fn touch(&self, service: i64, handle: &Handle, report: Option<ReportId>, doing: PresenceActivity) {
        let (seen, since) = (Instant::now(), to_the_millisecond(Timestamp::now()));
        let mut entries = self.entries();
        entries.retain(|_, entry| entry.seen + LIFETIME > seen);
        let earlier = entries.get(&(service, handle.clone())).map(|entry| &entry.presence);
        let same = earlier.filter(|earlier| earlier.report == report && earlier.doing == doing);
        let (has_moved, since) = (same.is_none(), same.map_or(since, |same| same.since));
        let presence = Presence { handle: handle.clone(), report, doing, since };
        entries.insert((service, handle.clone()), PresenceEntry { presence, seen });
        drop(entries);
        if has_moved {
            self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
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
