//! Throttling of page passwords: attempts are counted per report and peer.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::service::store::Store;
use crate::service::store::error::StoreError;
#[cfg(feature = "postgres")]
use crate::service::store::postgres::PostgresStore;

/// The most wrong passwords that one peer may send for one report within [`WINDOW`]. The last of them starts it anew.
const MOST: u32 = 5;
/// How long wrong passwords count, from the first one on.
const WINDOW: Duration = Duration::from_mins(15);
/// The most counters. Beyond this the oldest is dropped, so that memory stays bounded.
const COUNTERS: usize = 10_000;

/// Counts password attempts: in this process, or in the database that instances share, so that more instances do not
/// mean more guesses.
pub enum PasswordAttempts {
    /// In this process.
    Local(LocalAttempts),
    /// In the shared database.
    #[cfg(feature = "postgres")]
    Shared(PostgresStore),
}

impl PasswordAttempts {
    /// Creates the counters where the store is.
    pub fn new(store: &Store) -> Self {
        match store {
            Store::Sqlite(_) => Self::Local(LocalAttempts::default()),
            #[cfg(feature = "postgres")]
            Store::Postgres(store) => Self::Shared(store.clone()),
        }
    }

    /// Counts an attempt before its password is compared, so that parallel attempts count. After too many, the inner
    /// error is the time to wait.
    pub async fn begin(&self, report: i64, peer: IpAddr) -> Result<Result<(), Duration>, StoreError> {
        match self {
            Self::Local(attempts) => Ok(attempts.begin(report, peer)),
            #[cfg(feature = "postgres")]
            Self::Shared(store) => store.begin_attempt(report, network(peer).to_string(), (MOST, WINDOW)).await,
        }
    }

    /// Uncounts an attempt whose password was not compared. If the database fails, it stays counted.
    pub async fn refund(&self, report: i64, peer: IpAddr) {
        match self {
            Self::Local(attempts) => attempts.refund(report, peer),
            #[cfg(feature = "postgres")]
            Self::Shared(store) => log_failure(store.refund_attempt(report, network(peer).to_string()).await),
        }
    }

    /// Clears the attempts of a peer who then knew the password. If the database fails, they stay counted.
    pub async fn succeeded(&self, report: i64, peer: IpAddr) {
        match self {
            Self::Local(attempts) => attempts.succeeded(report, peer),
            #[cfg(feature = "postgres")]
            Self::Shared(store) => log_failure(store.forget_attempts(report, network(peer).to_string()).await),
        }
    }
}

#[cfg(feature = "postgres")]
fn log_failure(changed: Result<(), StoreError>) {
    if let Err(error) = changed {
        tracing::warn!(%error, "password attempts could not be cleared");
    }
}

/// Counts password attempts in this process, with the same methods as [`PasswordAttempts`].
#[derive(Default)]
pub struct LocalAttempts {
    counters: Mutex<HashMap<(i64, IpAddr), Counter>>,
}

struct Counter {
    since: Instant,
    attempts: u32,
}

impl LocalAttempts {
    fn begin(&self, report: i64, peer: IpAddr) -> Result<(), Duration> {
        let now = Instant::now();
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (report, network(peer));
        if !counters.contains_key(&key) && counters.len() >= COUNTERS {
            make_room(&mut counters, now);
        }
        let counter = counters.entry(key).or_insert(Counter { since: now, attempts: 0 });
        if now.duration_since(counter.since) >= WINDOW {
            *counter = Counter { since: now, attempts: 0 };
        }
        if counter.attempts >= MOST {
            return Err(WINDOW.saturating_sub(now.duration_since(counter.since)));
        }
        counter.attempts += 1;
        if counter.attempts == MOST {
            counter.since = now;
        }
        Ok(())
    }

    fn refund(&self, report: i64, peer: IpAddr) {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = counters.get_mut(&(report, network(peer))) {
            counter.attempts = counter.attempts.saturating_sub(1);
        }
    }

    fn succeeded(&self, report: i64, peer: IpAddr) {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner).remove(&(report, network(peer)));
    }
}

fn make_room(counters: &mut HashMap<(i64, IpAddr), Counter>, now: Instant) {
    counters.retain(|_, counter| now.duration_since(counter.since) < WINDOW);
    let oldest = counters.iter().min_by_key(|(_, counter)| counter.since).map(|(key, _)| *key);
    if let Some(oldest) = oldest.filter(|_| counters.len() >= COUNTERS) {
        counters.remove(&oldest);
    }
}

/// Returns the unit that is throttled: an IPv4 address, a whole IPv6 /64, since one customer has all of its addresses,
/// or all loopback addresses together.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        address if address.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_peer_with_several_wrong_passwords_has_to_wait() {
        let (attempts, one) = (LocalAttempts::default(), peer("2001:db8::1"));
        for _ in 0..MOST {
            assert_eq!(attempts.begin(1, one), Ok(()));
        }
        tokio::time::advance(Duration::from_mins(5)).await;
        assert_eq!(attempts.begin(1, one), Err(Duration::from_mins(10)));
        assert_eq!(attempts.begin(1, peer("2001:db8::2")), Err(Duration::from_mins(10)), "the same network");
        assert_eq!(attempts.begin(2, one), Ok(()), "another report");
        assert_eq!(attempts.begin(1, peer("192.0.2.1")), Ok(()), "another peer");
        tokio::time::advance(Duration::from_mins(10)).await;
        assert_eq!(attempts.begin(1, one), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_begins_with_the_last_wrong_password() {
        let (attempts, one) = (LocalAttempts::default(), peer("192.0.2.1"));
        for _ in 0..MOST {
            assert_eq!(attempts.begin(1, one), Ok(()));
            tokio::time::advance(Duration::from_mins(1)).await;
        }
        assert_eq!(attempts.begin(1, one), Err(Duration::from_mins(14)));
    }

    #[tokio::test(start_paused = true)]
    async fn all_loopback_addresses_are_one_peer() {
        let attempts = LocalAttempts::default();
        for address in ["127.0.0.1", "127.0.0.2", "127.200.3.4", "::1", "::ffff:127.0.0.9"] {
            assert_eq!(attempts.begin(1, peer(address)), Ok(()), "{address}");
        }
        assert!(attempts.begin(1, peer("127.0.0.77")).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn the_right_password_clears_the_count() {
        let (attempts, one) = (LocalAttempts::default(), peer("192.0.2.1"));
        for _ in 0..3 {
            for _ in 1..MOST {
                assert_eq!(attempts.begin(1, one), Ok(()));
            }
            attempts.succeeded(1, peer("::ffff:192.0.2.1"));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_unchecked_password_does_not_count_as_an_attempt() {
        let (attempts, one) = (LocalAttempts::default(), peer("192.0.2.1"));
        for _ in 0..3 * MOST {
            assert_eq!(attempts.begin(1, one), Ok(()));
            attempts.refund(1, one);
        }
        attempts.refund(2, one);
        assert_eq!(attempts.counters.lock().unwrap().len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_peers_takes_no_more_room_than_there_is() {
        let attempts = LocalAttempts::default();
        for number in 0..u32::try_from(COUNTERS).unwrap() + 500 {
            assert_eq!(attempts.begin(1, IpAddr::V4(number.into())), Ok(()));
        }
        assert_eq!(attempts.counters.lock().unwrap().len(), COUNTERS);
    }
}
