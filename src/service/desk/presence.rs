//! Who is where at this moment. Kept in memory, told to other instances on the same database, never stored and never logged.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::domain::desk::{Handle, Presence, PresenceActivity};
use crate::domain::report::ReportId;
use crate::domain::triage::to_the_millisecond;

/// How long somebody is there after the last sign of life: longer than a request waits, with time to send the next.
const LIFETIME: Duration = Duration::from_secs(75);

/// A sign of life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignOfLife {
    /// The number of the service.
    pub service: i64,
    /// The person.
    pub handle: Handle,
    /// At which report; `None` for somebody who is only there.
    pub report: Option<ReportId>,
    /// What the person does there.
    pub doing: PresenceActivity,
}

/// A sign of life as instances tell each other.
#[derive(Serialize, Deserialize)]
struct ToldSign {
    instance: u64,
    sign: SignOfLife,
}

/// Where people are, by service and handle. It has at most as many entries as there are people and services.
pub struct PresenceBoard {
    /// What tells the signs of life of this instance from those of others.
    instance: u64,
    entries: Mutex<BTreeMap<(i64, Handle), PresenceEntry>>,
    changes: watch::Sender<PresenceChanges>,
}

/// Counts changes of what others see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PresenceChanges {
    /// All of them.
    moves: u64,
    /// Those by which somebody began or ended to write: others should know before they do the same.
    pub writing: u64,
}

impl PresenceChanges {
    fn and_one(self, is_writing: bool) -> Self {
        Self { moves: self.moves.wrapping_add(1), writing: self.writing.wrapping_add(is_writing.into()) }
    }
}

struct PresenceEntry {
    presence: Presence,
    seen: Instant,
    /// The count of changes when this person was last told who is where.
    told: Option<PresenceChanges>,
}

impl Default for PresenceBoard {
    fn default() -> Self {
        let instance = RandomState::new().hash_one("instance");
        Self { instance, entries: Mutex::default(), changes: watch::Sender::default() }
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
    pub fn touch(&self, sign: SignOfLife) {
        let SignOfLife { service, handle, report, doing } = sign;
        let (seen, since) = (Instant::now(), to_the_millisecond(Timestamp::now()));
        let mut entries = self.entries();
        entries.retain(|_, entry| entry.seen + LIFETIME > seen);
        let entry = entries.get(&(service, handle.clone()));
        let was_writing = entry.is_some_and(|entry| entry.presence.doing == PresenceActivity::Writing);
        let is_writing = was_writing || doing == PresenceActivity::Writing;
        let told = entry.and_then(|entry| entry.told);
        let same =
            entry.map(|entry| &entry.presence).filter(|earlier| earlier.report == report && earlier.doing == doing);
        let (has_moved, since) = (same.is_none(), same.map_or(since, |same| same.since));
        // A person's own move is no news to that person.
        let told = if has_moved { told.map(|told| told.and_one(is_writing)) } else { told };
        let presence = Presence { handle: handle.clone(), report, doing, since };
        entries.insert((service, handle.clone()), PresenceEntry { presence, seen, told });
        drop(entries);
        if has_moved {
            self.changes.send_modify(|changes| *changes = changes.and_one(is_writing));
        }
    }

    /// The text that tells other instances a sign of life.
    pub fn to_told(&self, sign: &SignOfLife) -> String {
        // Writing plain data as JSON cannot fail.
        serde_json::to_string(&ToldSign { instance: self.instance, sign: sign.clone() }).unwrap_or_default()
    }

    /// Takes what an instance told. What this one told itself is known, and what this version cannot read is skipped.
    pub fn take_told(&self, text: &str) {
        if let Ok(told) = serde_json::from_str::<ToldSign>(text)
            && told.instance != self.instance
        {
            self.touch(told.sign);
        }
    }

    /// The count of changes when a person was last told who is where.
    pub fn told(&self, service: i64, handle: &Handle) -> Option<PresenceChanges> {
        self.entries().get(&(service, handle.clone()))?.told
    }

    /// This person is told who is where.
    pub fn tell(&self, service: i64, handle: &Handle) {
        let changes = *self.changes.borrow();
        if let Some(entry) = self.entries().get_mut(&(service, handle.clone())) {
            entry.told = Some(changes);
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
        let (board, anna) = (PresenceBoard::default(), "anna".parse::<Handle>().unwrap());
        let mut changes = board.subscribe();
        let sign = |doing| SignOfLife { service: 1, handle: anna.clone(), report: Some(ReportId::new("812")), doing };
        let here = |board: &PresenceBoard| board.others(1, None).len();
        board.touch(sign(PresenceActivity::Viewing));
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        assert_eq!((here(&board), board.others(1, Some(&anna)).len(), board.others(2, None).len()), (1, 0, 0));
        tokio::time::advance(Duration::from_secs(74)).await;
        board.touch(sign(PresenceActivity::Viewing));
        assert!(!changes.has_changed().unwrap(), "the same place is no change");
        tokio::time::advance(Duration::from_secs(74)).await;
        assert_eq!(here(&board), 1);
        board.touch(sign(PresenceActivity::Writing));
        assert!(changes.has_changed().unwrap());
        tokio::time::advance(Duration::from_secs(75)).await;
        assert_eq!(here(&board), 0);
    }
}
