//! Presence of people, kept in memory and sent to other instances on the same database. Never stored or logged.

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

/// How long a person counts as present after the last heartbeat: longer than a request waits, plus time to send the
/// next.
const LIFETIME: Duration = Duration::from_secs(75);

/// A heartbeat: a person's presence at a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The service's number.
    pub service: i64,
    /// The person.
    pub handle: Handle,
    /// The report that the person has open; `None` for a person who is only present.
    pub report: Option<ReportId>,
    /// What the person does there.
    pub doing: PresenceActivity,
}

/// A heartbeat as sent between instances, which may be of different versions.
#[derive(Serialize, Deserialize)]
struct SentHeartbeat {
    instance: u64,
    #[serde(rename = "sign")]
    heartbeat: Heartbeat,
}

/// Who is present, by service and handle. It has at most one entry per person and service.
pub struct PresenceBoard {
    /// Identifies heartbeats of this instance.
    instance: u64,
    entries: Mutex<BTreeMap<(i64, Handle), PresenceEntry>>,
    changes: watch::Sender<PresenceChanges>,
}

/// Counters of visible presence changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PresenceChanges {
    /// All changes.
    moves: u64,
    /// Changes in which a person began or stopped writing; others should know before doing the same.
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
    /// The counters when this person was last sent the presence list.
    sent: Option<PresenceChanges>,
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

    /// Subscribes to presence changes.
    pub fn subscribe(&self) -> watch::Receiver<PresenceChanges> {
        self.changes.subscribe()
    }

    /// Records a heartbeat.
    pub fn touch(&self, heartbeat: Heartbeat) {
        let Heartbeat { service, handle, report, doing } = heartbeat;
        let (seen, since) = (Instant::now(), to_the_millisecond(Timestamp::now()));
        let mut entries = self.entries();
        entries.retain(|_, entry| entry.seen + LIFETIME > seen);
        let entry = entries.get(&(service, handle.clone()));
        let was_writing = entry.is_some_and(|entry| entry.presence.doing == PresenceActivity::Writing);
        let is_writing = was_writing || doing == PresenceActivity::Writing;
        let sent = entry.and_then(|entry| entry.sent);
        let same =
            entry.map(|entry| &entry.presence).filter(|earlier| earlier.report == report && earlier.doing == doing);
        let (has_moved, since) = (same.is_none(), same.map_or(since, |same| same.since));
        // A person's own move is not news to that person.
        let sent = if has_moved { sent.map(|sent| sent.and_one(is_writing)) } else { sent };
        let presence = Presence { handle: handle.clone(), report, doing, since };
        entries.insert((service, handle.clone()), PresenceEntry { presence, seen, sent });
        drop(entries);
        if has_moved {
            self.changes.send_modify(|changes| *changes = changes.and_one(is_writing));
        }
    }

    /// Encodes a heartbeat for other instances.
    pub fn encoded(&self, heartbeat: &Heartbeat) -> String {
        let sent = SentHeartbeat { instance: self.instance, heartbeat: heartbeat.clone() };
        // Writing plain data as JSON cannot fail.
        serde_json::to_string(&sent).unwrap_or_default()
    }

    /// Applies a heartbeat from another instance. Its own heartbeats and texts that cannot be parsed are skipped.
    pub fn apply_encoded(&self, text: &str) {
        if let Ok(sent) = serde_json::from_str::<SentHeartbeat>(text)
            && sent.instance != self.instance
        {
            self.touch(sent.heartbeat);
        }
    }

    /// Returns the counters when a person was last sent the presence list.
    pub fn last_sent(&self, service: i64, handle: &Handle) -> Option<PresenceChanges> {
        self.entries().get(&(service, handle.clone()))?.sent
    }

    /// Records that this person was just sent the presence list.
    pub fn mark_sent(&self, service: i64, handle: &Handle) {
        let changes = *self.changes.borrow();
        if let Some(entry) = self.entries().get_mut(&(service, handle.clone())) {
            entry.sent = Some(changes);
        }
    }

    /// Returns who is present at a service, by handle, except the person `asking`.
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
        let heartbeat =
            |doing| Heartbeat { service: 1, handle: anna.clone(), report: Some(ReportId::new("812")), doing };
        let here = |board: &PresenceBoard| board.others(1, None).len();
        board.touch(heartbeat(PresenceActivity::Viewing));
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        assert_eq!((here(&board), board.others(1, Some(&anna)).len(), board.others(2, None).len()), (1, 0, 0));
        tokio::time::advance(Duration::from_secs(74)).await;
        board.touch(heartbeat(PresenceActivity::Viewing));
        assert!(!changes.has_changed().unwrap(), "the same place is no change");
        tokio::time::advance(Duration::from_secs(74)).await;
        assert_eq!(here(&board), 1);
        board.touch(heartbeat(PresenceActivity::Writing));
        assert!(changes.has_changed().unwrap());
        tokio::time::advance(Duration::from_secs(75)).await;
        assert_eq!(here(&board), 0);
    }
}
