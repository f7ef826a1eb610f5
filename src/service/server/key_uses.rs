//! When the last use of each key was stored, to limit writes to one per minute.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The precision of a key's stored last use.
const LAST_USE_PRECISION: Duration = Duration::from_mins(1);

/// When storing the last use of each key was last attempted. Failures are retried after a minute, too.
#[derive(Default)]
pub struct KeyUses(Mutex<HashMap<i64, Instant>>);

impl KeyUses {
    /// Whether the use of a key should be stored now; at most once a minute.
    pub fn is_due(&self, key: i64) -> bool {
        let now = Instant::now();
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = stored.get(&key).is_none_or(|at| now.duration_since(*at) >= LAST_USE_PRECISION);
        if is_due {
            stored.insert(key, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_use_of_a_key_is_stored_once_a_minute() {
        let uses = KeyUses::default();
        assert_eq!([uses.is_due(1), uses.is_due(1), uses.is_due(2)], [true, false, true]);
        tokio::time::advance(LAST_USE_PRECISION).await;
        assert_eq!([uses.is_due(1), uses.is_due(1)], [true, false]);
    }
}
