//! Stored keys in the system's keyring: Secret Service, Keychain, Credential Manager.
//!
//! No keyring is no failure: [`KeyringError::None`] says why, and the caller goes on without.

use crate::config::environment::{Environment, KEYRING};

/// Why the keyring gave nothing.
pub(super) enum KeyringError {
    /// There is none, or it is not to be asked.
    None(String),
    /// There is one, and it refused.
    #[cfg_attr(not(feature = "keyring"), expect(dead_code, reason = "without a keyring nothing can refuse"))]
    Failed(String),
}

/// The text that is stored for a profile.
pub(super) fn read(profile: &str, environment: &Environment) -> Result<Option<String>, KeyringError> {
    allowed(environment)?;
    system::read(profile)
}

/// Stores a text in place of an older one.
pub(super) fn write(profile: &str, text: &str, environment: &Environment) -> Result<(), KeyringError> {
    allowed(environment)?;
    system::write(profile, text)
}

/// Whether there was one.
pub(super) fn remove(profile: &str, environment: &Environment) -> Result<bool, KeyringError> {
    allowed(environment)?;
    system::remove(profile)
}

/// Whether there is one.
pub(super) fn status(environment: &Environment) -> Result<(), KeyringError> {
    allowed(environment)?;
    system::status()
}

fn allowed(environment: &Environment) -> Result<(), KeyringError> {
    match environment.text(KEYRING) {
        Some("off") => Err(KeyringError::None(format!("{KEYRING} is off"))),
        Some(_) | None => Ok(()),
    }
}

#[cfg(feature = "keyring")]
mod system {
    //! The keyring itself, asked on a thread of its own: it may wait for a person who unlocks it.

    use std::sync::mpsc;
    use std::time::Duration;

    use keyring::{Entry, Error};
    use secrecy::zeroize::Zeroizing;

    use crate::config::credentials::keyring::KeyringError;

    /// The name under which the keyring lists our entries.
    const OURS: &str = "reportdeck";
    /// Long enough to type the keyring's password.
    const LONGEST: Duration = Duration::from_mins(1);

    pub(super) fn read(profile: &str) -> Result<Option<String>, KeyringError> {
        none_is_none(ask(profile, Entry::get_password))
    }

    pub(super) fn write(profile: &str, text: &str) -> Result<(), KeyringError> {
        let text = Zeroizing::new(text.to_owned());
        ask(profile, move |entry| entry.set_password(&text)).map_err(Refusal::trouble)
    }

    pub(super) fn remove(profile: &str) -> Result<bool, KeyringError> {
        let removed = none_is_none(ask(profile, Entry::delete_credential))?;
        Ok(removed.is_some())
    }

    pub(super) fn status() -> Result<(), KeyringError> {
        // An entry is made in the keyring when something is stored in it, not before.
        ask("doctor", |_| Ok(())).map_err(Refusal::trouble)
    }

    enum Refusal {
        Library(Error),
        NotInTime,
    }

    impl Refusal {
        fn trouble(self) -> KeyringError {
            match self {
                Self::Library(Error::NoDefaultStore) => {
                    let why = Entry::store_status().as_ref().err().map(ToString::to_string);
                    KeyringError::None(why.unwrap_or_else(|| "the system has none".to_owned()))
                }
                // The texts of the library name no stored value; its Debug form would.
                Self::Library(error) => KeyringError::Failed(error.to_string()),
                Self::NotInTime => KeyringError::Failed(format!("no answer within {} s", LONGEST.as_secs())),
            }
        }
    }

    fn none_is_none<T>(asked: Result<T, Refusal>) -> Result<Option<T>, KeyringError> {
        match asked {
            Ok(value) => Ok(Some(value)),
            Err(Refusal::Library(Error::NoEntry)) => Ok(None),
            Err(refusal) => Err(refusal.trouble()),
        }
    }

    fn ask<T: Send + 'static>(
        profile: &str,
        question: impl FnOnce(&Entry) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (answer, answered) = mpsc::channel();
        let profile = profile.to_owned();
        std::thread::spawn(move || {
            let asked = Entry::new(OURS, &profile).and_then(|entry| question(&entry));
            // The receiver has timed out: the answer is dropped.
            let _ = answer.send(asked);
        });
        match answered.recv_timeout(LONGEST) {
            Ok(asked) => asked.map_err(Refusal::Library),
            Err(_) => Err(Refusal::NotInTime),
        }
    }
}

#[cfg(not(feature = "keyring"))]
mod system {
    //! A build without the keyring.

    use crate::config::credentials::keyring::KeyringError;

    fn none<T>() -> Result<T, KeyringError> {
        Err(KeyringError::None("this build of reportdeck does without".to_owned()))
    }

    pub(super) fn status() -> Result<(), KeyringError> {
        none()
    }

    pub(super) fn read(_: &str) -> Result<Option<String>, KeyringError> {
        none()
    }

    pub(super) fn write(_: &str, _: &str) -> Result<(), KeyringError> {
        none()
    }

    pub(super) fn remove(_: &str) -> Result<bool, KeyringError> {
        none()
    }
}
