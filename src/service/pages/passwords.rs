//! Passwords of report pages: validation, hashing, comparison.

use std::sync::Arc;

use anyhow::Context as _;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{Mutex, Semaphore};

use crate::domain::report::privacy::LONGEST_PASSWORD;

use crate::service::handlers::errors::ErrorResponse;
use crate::service::server::metrics::Metrics;

/// Argon2 memory: 19 MiB.
const MEMORY_KIB: u32 = 19 * 1024;
/// Argon2 passes.
const PASSES: u32 = 2;
/// The most passwords in one queue, including the one being hashed.
const PLACES: usize = 64;

/// Returns the validation error of a password, if any.
pub fn problem(password: &str) -> Option<String> {
    (password.chars().count() > LONGEST_PASSWORD)
        .then(|| format!("The password must have at most {LONGEST_PASSWORD} characters."))
}

/// Hashes and compares passwords. Visitors' guesses and owners' changes wait in separate queues, so that guesses do not
/// block an owner.
pub struct PasswordHasher {
    guesses: Queue,
    changes: Queue,
    metrics: Arc<Metrics>,
}

/// One password at a time, with a limited number waiting. The lock holds argon2's working memory: it is allocated once
/// and reused, because 19 MiB freed on one of many threads stay with that thread's allocator.
struct Queue {
    places: Arc<Semaphore>,
    memory: Arc<Mutex<Vec<Block>>>,
}

impl Default for Queue {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(PLACES)), memory: Arc::default() }
    }
}

impl PasswordHasher {
    pub fn new(metrics: Arc<Metrics>) -> Self {
        Self { guesses: Queue::default(), changes: Queue::default(), metrics }
    }

    /// Hashes a new password.
    pub async fn hash(&self, password: SecretString) -> Result<String, ErrorResponse> {
        self.in_turn(&self.changes, move |memory| hash_now(&password, memory)).await
    }

    /// Compares a visitor's password with a hash, in constant time.
    pub async fn fits(&self, password: SecretString, hash: String) -> Result<bool, ErrorResponse> {
        self.in_turn(&self.guesses, move |memory| matches_now(&password, &hash, memory)).await
    }

    /// Runs `work` on a blocking thread when it is its turn. Why it failed is logged.
    async fn in_turn<T: Send + 'static>(
        &self,
        queue: &Queue,
        work: impl FnOnce(&mut Vec<Block>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let place = Arc::clone(&queue.places).try_acquire_owned().map_err(|_| ErrorResponse::Overloaded)?;
        let mut memory = Arc::clone(&queue.memory).lock_owned().await;
        self.metrics.passwords.inc();
        // The work continues when its client disconnects, so it owns its turn: otherwise clients who connect and
        // disconnect could start many at once.
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&mut memory);
            drop((memory, place));
            done
        });
        done.await.map_err(anyhow::Error::from).flatten().map_err(|error| {
            tracing::error!(%error, "a password could not be hashed or compared");
            ErrorResponse::Internal
        })
    }
}

/// Computes the argon2id output of a password with these parameters and this salt.
fn derive(
    argon2: &Argon2<'_>,
    password: &SecretString,
    salt: &Salt,
    memory: &mut Vec<Block>,
) -> argon2::password_hash::Result<Output> {
    let mut bytes = [0; Params::DEFAULT_OUTPUT_LEN];
    memory.resize(argon2.params().block_count(), Block::new());
    argon2.hash_password_into_with_memory(password.expose_secret().as_bytes(), salt, &mut bytes, memory)?;
    Ok(Output::new(&bytes)?)
}

fn hash_now(password: &SecretString, memory: &mut Vec<Block>) -> anyhow::Result<String> {
    let mut random = [0; argon2::RECOMMENDED_SALT_LEN];
    getrandom::fill(&mut random)?;
    let salt = Salt::new(&random)?;
    let parameters = Params::new(MEMORY_KIB, PASSES, 1, None)?;
    let (algorithm, version) = (Algorithm::Argon2id, Version::V0x13);
    let params = ParamsString::try_from(&parameters)?;
    let output = derive(&Argon2::new(algorithm, version, parameters), password, &salt, memory)?;
    let hash = PasswordHash {
        algorithm: algorithm.ident(),
        version: Some(version.into()),
        params,
        salt: Some(salt),
        hash: Some(output),
    };
    Ok(hash.to_string())
}

/// Whether a hash belongs to this password. Fails if the stored value is not a hash.
fn matches_now(password: &SecretString, hash: &str, memory: &mut Vec<Block>) -> anyhow::Result<bool> {
    let hash = PasswordHash::new(hash)?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
    let version = Version::try_from(hash.version.context("the hash names no version")?)?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash)?);
    let (salt, output) = hash.salt.zip(hash.hash).context("the hash is incomplete")?;
    // `Output` compares in constant time.
    Ok(derive(&argon2, password, &salt, memory)? == output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_matches_its_password_only_and_names_its_parameters() {
        let passwords = PasswordHasher::new(Arc::default());
        let hash = passwords.hash("tea".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.fits("tea".into(), hash.clone()).await.unwrap());
        assert!(!passwords.fits("Tea".into(), hash.clone()).await.unwrap());
        assert!(!passwords.fits("".into(), hash).await.unwrap());
        assert!(passwords.fits("tea".into(), "tea".into()).await.is_err(), "only hashes are kept");
    }

    #[tokio::test]
    async fn one_password_is_hashed_at_a_time_even_after_its_client_disconnected() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let (passwords, running, most) =
            (PasswordHasher::new(Arc::default()), AtomicUsize::new(0), AtomicUsize::new(0));
        let (counts, go_on) = (Arc::new((running, most)), Arc::new(std::sync::Barrier::new(2)));
        for _ in 0..50 {
            let (counts, go_on) = (Arc::clone(&counts), Arc::clone(&go_on));
            let asked = passwords.in_turn(&passwords.guesses, move |_| {
                counts.1.fetch_max(counts.0.fetch_add(1, SeqCst) + 1, SeqCst);
                go_on.wait();
                counts.0.fetch_sub(1, SeqCst);
                Ok(())
            });
            // Requested, perhaps started, and dropped.
            let _ = futures_util::poll!(std::pin::pin!(asked));
        }
        assert!(passwords.guesses.memory.try_lock().is_err(), "what runs has its turn still");
        assert_eq!(passwords.guesses.places.available_permits(), PLACES - 1, "and nobody waits");
        tokio::task::spawn_blocking(move || go_on.wait()).await.unwrap();
        let waiting = passwords.guesses.places.acquire_many(u32::try_from(PLACES).unwrap()).await.unwrap();
        assert_eq!(counts.1.load(SeqCst), 1);
        let hash = passwords.hash("tea".into()).await.expect("guesses do not stand in the way of the owner");
        assert!(matches!(passwords.fits("tea".into(), hash.clone()).await, Err(ErrorResponse::Overloaded)));
        drop(waiting);
        assert!(passwords.fits("tea".into(), hash).await.unwrap());
    }

    #[test]
    fn memory_is_allocated_once() {
        let mut memory = Vec::new();
        let hash = hash_now(&"tea".into(), &mut memory).unwrap();
        let before = (memory.as_ptr(), memory.len());
        assert!(matches_now(&"tea".into(), &hash, &mut memory).unwrap());
        assert!(!matches_now(&"Tea".into(), &hash, &mut memory).unwrap());
        assert_eq!((memory.as_ptr(), memory.len()), before);
        assert_eq!(before.1, MEMORY_KIB as usize);
    }

    #[test]
    fn hashes_are_compatible_with_the_library() {
        use argon2::{PasswordHasher as _, PasswordVerifier as _};
        let theirs = Argon2::default().hash_password(b"tea").unwrap().to_string();
        assert!(matches_now(&"tea".into(), &theirs, &mut Vec::new()).unwrap());
        let ours = hash_now(&"tea".into(), &mut Vec::new()).unwrap();
        assert!(Argon2::default().verify_password(b"tea", ours.as_str()).is_ok());
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(problem(&"ü".repeat(LONGEST_PASSWORD)), None);
        assert!(problem(&"ü".repeat(LONGEST_PASSWORD + 1)).is_some());
    }
}
