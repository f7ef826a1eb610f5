//! Leases of the audits that run in this process.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::service::store::postgres::instances::job_rows::AttemptKey;

/// How long this process may keep working on an audit.
#[derive(Debug, Clone, Copy)]
pub struct Lease {
    /// The end by this process's clock, counted from before the lease was requested.
    pub ends: Instant,
    /// The end as the database has it.
    pub until: i64,
}

/// The audits that run in this process.
#[derive(Default)]
pub struct RunningAudits(Mutex<HashMap<AttemptKey, watch::Sender<Lease>>>);

/// A running audit, registered until dropped.
pub struct RunningAudit<'a> {
    all: &'a RunningAudits,
    key: AttemptKey,
    lease: watch::Receiver<Lease>,
}

impl RunningAudits {
    fn locked(&self) -> MutexGuard<'_, HashMap<AttemptKey, watch::Sender<Lease>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an audit until the returned guard is dropped.
    pub fn insert(&self, key: AttemptKey, lease: Lease) -> RunningAudit<'_> {
        let (sender, lease) = watch::channel(lease);
        self.locked().insert(key, sender);
        RunningAudit { all: self, key, lease }
    }

    /// Returns the keys of all running audits.
    pub fn keys(&self) -> Vec<AttemptKey> {
        self.locked().keys().copied().collect()
    }

    /// Applies an extended lease. Of the audits in `asked`, those that were not extended end now.
    pub fn extend(&self, asked: &[AttemptKey], extended: &[AttemptKey], to: Lease) {
        let running = self.locked();
        for (key, lease) in asked.iter().filter_map(|key| Some((key, running.get(key)?))) {
            let is_extended = extended.contains(key);
            lease.send_modify(|lease| if is_extended { *lease = to } else { lease.ends = Instant::now() });
        }
    }

    /// Ends all leases of an audit immediately.
    pub fn revoke(&self, id: i64) {
        for (_, lease) in self.locked().iter().filter(|((running, _), _)| *running == id) {
            lease.send_modify(|lease| lease.ends = Instant::now());
        }
    }
}

impl RunningAudit<'_> {
    /// Completes when the lease has ended. Ready at the first poll after the end, even if the runtime has not noticed it
    /// yet because the process was frozen.
    pub async fn ended(&mut self) {
        loop {
            let ends = self.lease.borrow_and_update().ends;
            let mut timer = pin!(tokio::time::sleep_until(ends));
            let is_over =
                poll_fn(|context| if Instant::now() >= ends { Poll::Ready(()) } else { timer.as_mut().poll(context) });
            tokio::select! {
                biased;
                () = is_over => return,
                changed = self.lease.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Returns when the lease ends, as the database has it.
    pub fn until(&self) -> i64 {
        self.lease.borrow().until
    }
}

impl Drop for RunningAudit<'_> {
    fn drop(&mut self) {
        self.all.locked().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const KEY: AttemptKey = (1, 1);

    fn in_seconds(seconds: u64) -> Lease {
        Lease { ends: Instant::now() + Duration::from_secs(seconds), until: 1 }
    }

    #[tokio::test(start_paused = true)]
    async fn an_audit_ends_with_its_lease_unless_that_is_extended() {
        let running = RunningAudits::default();
        let mut audit = running.insert(KEY, in_seconds(30));
        let before = Instant::now();
        tokio::time::advance(Duration::from_secs(20)).await;
        let ends = Instant::now() + Duration::from_secs(30);
        running.extend(&[KEY], &[KEY], Lease { ends, until: 2 });
        audit.ended().await;
        assert_eq!((before.elapsed().as_secs(), audit.until()), (50, 2));
        drop(audit);
        assert!(running.keys().is_empty());
    }

    /// As after SIGSTOP and SIGCONT: the audit must not send another request before the timer fires.
    #[tokio::test]
    async fn an_audit_is_over_at_the_first_poll_after_its_lease() {
        let running = RunningAudits::default();
        let ends = Instant::now() + Duration::from_millis(50);
        let mut audit = running.insert(KEY, Lease { ends, until: 1 });
        let mut ended = pin!(audit.ended());
        assert!(futures_util::poll!(ended.as_mut()).is_pending());
        while Instant::now() < ends {
            std::hint::spin_loop();
        }
        assert!(futures_util::poll!(ended).is_ready());
    }

    #[tokio::test(start_paused = true)]
    async fn an_audit_ends_immediately_when_its_lease_is_not_extended_or_it_is_withdrawn() {
        let running = RunningAudits::default();
        let (mut one, mut other) = (running.insert(KEY, in_seconds(30)), running.insert((2, 1), in_seconds(30)));
        let before = Instant::now();
        running.extend(&[KEY], &[(1, 2)], Lease { ends: before + Duration::from_secs(30), until: 2 });
        one.ended().await;
        running.revoke(2);
        other.ended().await;
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}
