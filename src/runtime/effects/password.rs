//! Generates page passwords.

use secrecy::SecretString;

use crate::app::message::Message;
use crate::domain::failure::{Failure, FailureKind};

/// The alphabet of generated passwords, without characters that look alike.
const PASSWORD_LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// 20 characters of 56 are 116 bits.
const PASSWORD_LENGTH: usize = 20;

/// Generates a random password, or returns the failure as a notice.
pub(super) fn generate() -> Message {
    let mut letters = String::with_capacity(PASSWORD_LENGTH);
    let mut bytes = [0_u8; 64];
    while letters.len() < PASSWORD_LENGTH {
        if let Err(error) = getrandom::fill(&mut bytes) {
            return Message::Notice(Err(Failure::new(
                FailureKind::Local,
                format!("The random number source failed: {error}"),
                "Type a password",
            )));
        }
        // Bytes beyond a multiple of the alphabet's size are dropped, so that all letters are equally likely.
        let fair = u8::try_from(256 / PASSWORD_LETTERS.len() * PASSWORD_LETTERS.len()).unwrap_or(u8::MAX);
        let picked = bytes
            .iter()
            .filter(|byte| **byte < fair)
            .map(|byte| char::from(PASSWORD_LETTERS[usize::from(*byte) % PASSWORD_LETTERS.len()]));
        letters.extend(picked.take(PASSWORD_LENGTH - letters.len()));
    }
    Message::Password(SecretString::from(letters))
}
