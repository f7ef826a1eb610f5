//! A note about a program that the start waits for, such as a password manager that is locked.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::config::model::{KeySource, Located, ProfileConfig};
use crate::domain::text::clean;

/// How long a program may take before the user is told.
pub const UNNOTICED: Duration = Duration::from_secs(2);

/// Describes what reading the keys of a profile may wait for; `None` if it runs no command. The text of the command is
/// left out, because it may contain secrets.
pub fn awaited(name: &str, profile: &ProfileConfig) -> Option<String> {
    let is_command = |keys: &[Located<KeySource>]| matches!(keys, [Located { value: KeySource::Command(_), .. }]);
    let fields = match (is_command(&profile.keys), is_command(&profile.desk_keys)) {
        (true, true) => "api_key_command or desk_api_key_command",
        (true, false) => "api_key_command",
        (false, true) => "desk_api_key_command",
        (false, false) => return None,
    };
    Some(format!("{fields} of the profile {}", clean(name)))
}

/// Performs work, and calls `tell` once if it takes longer than this.
pub fn telling_after<T>(limit: Duration, tell: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (ended, end) = mpsc::channel::<()>();
        scope.spawn(move || {
            if end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        let result = work();
        drop(ended);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_that_takes_long_is_told() {
        let (told, is_told) = mpsc::channel();
        telling_after(Duration::ZERO, move || told.send(()).unwrap(), move || is_told.recv().unwrap());
        telling_after(Duration::MAX, || panic!("told"), || ());
    }
}
