//! Passwords of report pages: what they may be, and what is kept of them.
//!
//! Must not know which report a password belongs to.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;

use crate::domain::privacy::LONGEST_PASSWORD;

use super::answer::Refusal;

/// 19 MiB: what a guess costs.
const MEMORY_KIB: u32 = 19 * 1024;
/// How often that memory is gone through.
const PASSES: u32 = 2;
/// Hashing takes a whole core and much memory: this many at the same time, the rest wait.
static TURNS: Semaphore = Semaphore::const_new(2);

/// What is wrong with a password, if anything.
pub(super) fn problem(password: &str) -> Option<String> {
    (password.chars().count() > LONGEST_PASSWORD)
        .then(|| format!("The password must have at most {LONGEST_PASSWORD} characters."))
}

/// Hashes a password, on a thread made for waiting.
pub(super) async fn hash(password: SecretString) -> Result<String, Refusal> {
    let _turn = TURNS.acquire().await.map_err(|_| Refusal::Internal)?;
    let hashed = tokio::task::spawn_blocking(move || hash_now(&password)).await;
    hashed.ok().and_then(Result::ok).ok_or_else(|| {
        tracing::error!("a password could not be hashed");
        Refusal::Internal
    })
}

/// Whether a password is the one that was hashed. Takes as long for a wrong one as for the right one.
pub(super) async fn fits(password: SecretString, hash: String) -> Result<bool, Refusal> {
    let _turn = TURNS.acquire().await.map_err(|_| Refusal::Internal)?;
    let compared = tokio::task::spawn_blocking(move || {
        let hash = PasswordHash::new(&hash).ok()?;
        Some(Argon2::default().verify_password(password.expose_secret().as_bytes(), &hash).is_ok())
    });
    compared.await.ok().flatten().ok_or_else(|| {
        tracing::error!("a password could not be compared: what is kept is no hash");
        Refusal::Internal
    })
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
        let hash = hash("tea".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(fits("tea".into(), hash.clone()).await.unwrap());
        assert!(!fits("Tea".into(), hash.clone()).await.unwrap());
        assert!(!fits("".into(), hash).await.unwrap());
        assert!(fits("tea".into(), "tea".into()).await.is_err(), "only hashes are kept");
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(problem(&"ü".repeat(LONGEST_PASSWORD)), None);
        assert!(problem(&"ü".repeat(LONGEST_PASSWORD + 1)).is_some());
    }
}
