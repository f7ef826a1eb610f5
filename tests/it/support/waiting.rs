//! Waits for what another process, thread or server does: checks a condition again and again, with pauses, for a
//! limited time.

use std::time::{Duration, Instant};

/// Time limit of every wait; generous, for machines that are many times slower than usual.
pub const PATIENCE: Duration = Duration::from_mins(5);
/// The pause between checks, so that waiting takes no processor time from what is awaited.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until a condition holds; `what` completes the message "not in time: …".
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "not in time: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Like [`wait_until`], for asynchronous tests and conditions.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(PAUSE).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "not in time: {what}");
}
