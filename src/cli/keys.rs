//! `keys`: the API keys of the embedded service. A key is shown once, when it is made.
//!
//! Must not log a key.

use std::io::Write as _;

use secrecy::ExposeSecret as _;

use super::args::Keys;
use super::problem::Problem;
use super::setting::Setting;
use crate::service::keys;

/// Makes, lists or revokes keys.
pub(super) async fn run(setting: &Setting<'_>, command: Keys) -> Result<(), Problem> {
    let data = setting.data()?;
    match command {
        Keys::Create { name } => {
            let made = tokio::task::spawn_blocking(move || keys::create(&data, &name)).await;
            let made =
                made.map_err(|error| Problem::local(format!("making the key broke off: {error}"), "Try again"))?;
            let key = made.map_err(|error| Problem::local(error.to_string(), ""))?;
            writeln!(std::io::stdout().lock(), "{}", key.expose_secret())?;
            Ok(())
        }
    }
}
