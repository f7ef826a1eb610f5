//! The keyrings of macOS (Keychain) and Windows (Credential Manager).

use std::sync::mpsc;
use std::time::Duration;

use keyring::{Entry, Error};
use secrecy::zeroize::Zeroizing;

use crate::config::credentials::keyring::{KeyringError, allowed};
use crate::config::environment::Environment;

/// The name of our entries in the keyring.
const SERVICE_NAME: &str = "reportdeck";
/// Long enough to type the keyring's password.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Returns the text stored for a profile.
pub(super) fn read(profile: &str, environment: &Environment) -> Result<Option<String>, KeyringError> {
    ask(profile, environment, Entry::get_password)
}

/// Stores a text, replacing an older one.
pub(super) fn write(profile: &str, text: &str, environment: &Environment) -> Result<(), KeyringError> {
    let text = Zeroizing::new(text.to_owned());
    ask(profile, environment, move |entry| entry.set_password(&text)).map(drop)
}

/// Removes a profile's entry; false if there was none.
pub(super) fn remove(profile: &str, environment: &Environment) -> Result<bool, KeyringError> {
    Ok(ask(profile, environment, Entry::delete_credential)?.is_some())
}

/// Fails if there is no keyring.
pub(super) fn status(environment: &Environment) -> Result<(), KeyringError> {
    // Creating the handle does not create an entry in the keyring.
    ask("doctor", environment, |_| Ok(())).map(drop)
}

/// Runs `question` on its own thread, since the keyring may wait for a person to unlock it. `None` without an entry.
fn ask<T: Send + 'static>(
    profile: &str,
    environment: &Environment,
    question: impl FnOnce(&Entry) -> Result<T, Error> + Send + 'static,
) -> Result<Option<T>, KeyringError> {
    allowed(environment)?;
    let (sender, receiver) = mpsc::channel();
    let profile = profile.to_owned();
    std::thread::spawn(move || {
        let asked = Entry::new(SERVICE_NAME, &profile).and_then(|entry| question(&entry));
        // If the receiver has timed out, the result is dropped.
        let _ = sender.send(asked);
    });
    match receiver.recv_timeout(TIMEOUT) {
        Ok(Ok(value)) => Ok(Some(value)),
        Ok(Err(Error::NoEntry)) => Ok(None),
        Ok(Err(Error::NoDefaultStore)) => {
            let why = Entry::store_status().as_ref().err().map(ToString::to_string);
            Err(KeyringError::None(why.unwrap_or_else(|| "the system has none".to_owned())))
        }
        // The library's messages do not contain stored values; its Debug output would.
        Ok(Err(error)) => Err(KeyringError::Failed(error.to_string())),
        Err(_) => Err(KeyringError::Failed(format!("no response within {} s", TIMEOUT.as_secs()))),
    }
}
