//! Passwords of report pages: what they may be, and what is kept of them.
//!
//! Must not know which report a password belongs to.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;

use crate::domain::privacy::LONGEST_PASSWORD;

use super::answer::Refusal;
use super::metrics::Metrics;

/// 19 MiB: what a guess costs.
const MEMORY_KIB: u32 = 19 * 1024;
/// How often that memory is gone through.
const PASSES: u32 = 2;
/// Hashing takes a whole core and much memory: so many at the same time.
const TURNS: usize = 2;
/// How many may wait for their turn. More would wait longer than anybody wants to.
const PLACES: usize = 64;

/// What is wrong with a password, if anything.
pub(super) fn problem(password: &str) -> Option<String> {
    (password.chars().count() > LONGEST_PASSWORD)
        .then(|| format!("The password must have at most {LONGEST_PASSWORD} characters."))
}

/// Where passwords are hashed and compared: a bounded number at the same time, and a bounded number that wait.
#[derive(Clone)]
pub(super) struct Passwords {
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

impl Passwords {
    pub(super) fn new(metrics: Arc<Metrics>) -> Self {
        let (places, turns) = (Semaphore::new(TURNS + PLACES), Semaphore::new(TURNS));
        Self { places: Arc::new(places), turns: Arc::new(turns), metrics }
    }

    /// Hashes a password.
    pub(super) async fn hash(&self, password: SecretString) -> Result<String, Refusal> {
        let hashed = self.in_turn(move || hash_now(&password)).await?;
        hashed.and_then(Result::ok).ok_or_else(|| {
            tracing::error!("a password could not be hashed");
            Refusal::Internal
        })
    }

    /// Whether a password is the one that was hashed. Takes as long for a wrong one as for the right one.
    pub(super) async fn fits(&self, password: SecretString, hash: String) -> Result<bool, Refusal> {
        let compared = self.in_turn(move || {
            let hash = PasswordHash::new(&hash).ok()?;
            Some(Argon2::default().verify_password(password.expose_secret().as_bytes(), &hash).is_ok())
        });
        compared.await?.flatten().ok_or_else(|| {
            tracing::error!("a password could not be compared: what is kept is no hash");
            Refusal::Internal
        })
    }

    /// Does the work when it is its turn, on a thread made for waiting; `None` when it panicked.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Refusal> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Refusal::Overloaded)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Refusal::Internal)?;
        self.metrics.password_worked_on();
        // The work goes on when whoever asked has gone, so the turn goes with it: else somebody who asks and leaves, again
        // and again, would have as many run at once as there are threads.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((turn, place));
            done
        });
        Ok(done.await.ok())
    }
}

fn hash_now(password: &SecretString) -> Result<String, argon2::password_hash::Error> {
    let parameters = Params::new(MEMORY_KIB, PASSES, 1, None)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
    Ok(argon2.hash_password(password.expose_secret().as_bytes())?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_fits_its_password_only_and_says_how_it_was_made() {
        let passwords = Passwords::new(Arc::default());
        let hash = passwords.hash("tea".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.fits("tea".into(), hash.clone()).await.unwrap());
        assert!(!passwords.fits("Tea".into(), hash.clone()).await.unwrap());
        assert!(!passwords.fits("".into(), hash).await.unwrap());
        assert!(passwords.fits("tea".into(), "tea".into()).await.is_err(), "only hashes are kept");
    }

    #[tokio::test]
    async fn no_more_work_runs_than_may_also_when_whoever_asked_has_gone() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let (passwords, running, most) = (Passwords::new(Arc::default()), AtomicUsize::new(0), AtomicUsize::new(0));
        let (counts, go_on) = (Arc::new((running, most)), Arc::new(std::sync::Barrier::new(TURNS + 1)));
        for _ in 0..50 {
            let (counts, go_on) = (Arc::clone(&counts), Arc::clone(&go_on));
            let asked = passwords.in_turn(move || {
                counts.1.fetch_max(counts.0.fetch_add(1, SeqCst) + 1, SeqCst);
                go_on.wait();
                counts.0.fetch_sub(1, SeqCst);
            });
            // Asked, begun perhaps, and gone.
            let _ = futures_util::poll!(std::pin::pin!(asked));
        }
        assert_eq!(passwords.turns.available_permits(), 0, "what runs has its turn still");
        assert_eq!(passwords.places.available_permits(), PLACES, "and nobody waits");
        tokio::task::spawn_blocking(move || go_on.wait()).await.unwrap();
        let all = u32::try_from(TURNS + PLACES).unwrap();
        let waiting = passwords.places.acquire_many(all).await.unwrap();
        assert_eq!(counts.1.load(SeqCst), TURNS);
        assert!(matches!(passwords.hash("tea".into()).await, Err(Refusal::Overloaded)));
        drop(waiting);
        assert!(passwords.hash("tea".into()).await.is_ok());
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(problem(&"ü".repeat(LONGEST_PASSWORD)), None);
        assert!(problem(&"ü".repeat(LONGEST_PASSWORD + 1)).is_some());
    }
}
