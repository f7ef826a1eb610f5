//! The pool of connections of a client. They are given up together once one fails, or after a sleep of the machine.
//!
//! Connections do not survive a sleep or a change of the network, and often nothing reports that: a request on such a
//! connection waits for its timeout, and its retry may use another dead one. The idle timeout of the HTTP library does
//! not help, because its clock stands still during a sleep.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use reqwest::redirect::Policy;

use super::address::BaseUrl;
use super::limits::Limits;

/// The keep-alive timeout: shorter than the minute of our service and the 75 seconds of nginx, so that they close no
/// connection during a write.
const REST: Duration = Duration::from_secs(45);

/// The HTTP client, whose connections can be given up.
pub(super) struct HttpPool {
    base: BaseUrl,
    connect_timeout: Duration,
    current: Mutex<CurrentClient>,
}

struct CurrentClient {
    http: reqwest::Client,
    generation: u64,
    used: (Instant, SystemTime),
}

impl HttpPool {
    /// Opens none yet. Fails only if the system has no root certificates.
    pub(super) fn new(base: BaseUrl, limits: &Limits) -> reqwest::Result<Self> {
        let http = http_client(&base, limits.connect)?;
        let current = CurrentClient { http, generation: 0, used: (Instant::now(), SystemTime::now()) };
        Ok(Self { base, connect_timeout: limits.connect, current: Mutex::new(current) })
    }

    /// Returns the client for a request, and the generation of its connections.
    pub(super) fn client(&self) -> (reqwest::Client, u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (Instant::now(), SystemTime::now());
        let (used, used_at) = std::mem::replace(&mut current.used, now);
        if has_slept(now.0.duration_since(used), now.1.duration_since(used_at).unwrap_or_default()) {
            self.renew(&mut current);
        }
        (current.http.clone(), current.generation)
    }

    /// Gives up the connections of a generation after one has failed. Running requests keep theirs.
    pub(super) fn give_up(&self, generation: u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.generation == generation {
            self.renew(&mut current);
        }
    }

    fn renew(&self, current: &mut CurrentClient) {
        // The certificates could be read before: if that fails now, the old connections are the better choice.
        if let Ok(http) = http_client(&self.base, self.connect_timeout) {
            current.http = http;
            current.generation += 1;
        }
    }
}

/// Whether the machine has slept, by the time that a clock which stands still meanwhile and the system's clock count.
fn has_slept(awake: Duration, passed: Duration) -> bool {
    passed > awake + Duration::from_secs(5)
}

fn http_client(base: &BaseUrl, connect_timeout: Duration) -> reqwest::Result<reqwest::Client> {
    let mut builder = reqwest::Client::builder()
        .redirect(Policy::none())
        .connect_timeout(connect_timeout)
        .pool_idle_timeout(REST)
        .user_agent(concat!("reportdeck/", env!("CARGO_PKG_VERSION")));
    if base.is_loopback() {
        builder = builder.no_proxy();
    }
    if !base.uses_https() {
        // Skips reading the system's root certificates, which takes time.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_of_the_machine_is_noticed_and_a_pause_is_not() {
        let hours = |count| Duration::from_hours(count);
        assert!(has_slept(Duration::from_secs(2), hours(8)));
        assert!(!has_slept(hours(8), hours(8) + Duration::from_secs(1)), "an idle dashboard");
        assert!(!has_slept(hours(8), Duration::ZERO), "the clock was set back");
    }

    #[test]
    fn connections_are_given_up_once_after_a_sleep_or_several_failures() {
        let base = BaseUrl::parse("http://127.0.0.1:9", false).unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let pool = HttpPool::new(base, &Limits::default()).unwrap();
        assert_eq!(pool.client().1, 0);
        pool.current.lock().unwrap().used.1 -= Duration::from_hours(8);
        assert_eq!([pool.client().1, pool.client().1], [1, 1]);
        pool.give_up(1);
        pool.give_up(1);
        assert_eq!(pool.client().1, 2);
    }
}
