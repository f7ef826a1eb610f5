//! Panics while the screen is ours: remembered, not printed over it, and told when the terminal is back.

use std::sync::{Arc, Mutex, PoisonError};

/// The last panic's text.
#[derive(Clone, Default)]
pub(super) struct Broken(Arc<Mutex<Option<String>>>);

impl Broken {
    /// Takes the text out.
    pub(super) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// From now on panics are remembered instead of printed. The hook stays for the rest of the process.
pub(super) fn remember() -> Broken {
    let broken = Broken::default();
    let inside = broken.clone();
    std::panic::set_hook(Box::new(move |information| {
        *inside.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(information.to_string());
    }));
    broken
}
