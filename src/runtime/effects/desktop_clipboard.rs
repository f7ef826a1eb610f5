//! The desktop's clipboard on a thread of its own, which may hang there without anybody noticing.
//!
//! On X11 and Wayland a copied text is there only as long as the program that copied it: the thread keeps it. Must not
//! know what is copied or which other ways there are.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio::sync::oneshot;

/// How long the end of the thread is waited for: a manager of clipboards is given the text then.
const FAREWELL: Duration = Duration::from_millis(500);

/// A text to copy, and who wants to know whether it was.
pub(super) struct Job {
    text: String,
    copied: oneshot::Sender<bool>,
}

/// The way to the thread, for tasks.
pub(super) type Desk = Sender<Job>;

/// The thread, once something was copied.
#[derive(Default)]
pub(super) struct Desktop {
    thread: Option<(Desk, oneshot::Receiver<()>)>,
}

impl Desktop {
    /// The way to the thread, which is started when it is first asked for.
    pub(super) fn desk(&mut self) -> Desk {
        let (desk, _) = self.thread.get_or_insert_with(|| {
            let (jobs, asked) = channel();
            let (ended, end) = oneshot::channel();
            std::thread::spawn(move || {
                serve(&asked);
                // Who asked may have left.
                let _ = ended.send(());
            });
            (jobs, end)
        });
        desk.clone()
    }

    /// Ends the thread and waits a moment for it.
    pub(super) async fn leave(&mut self) {
        if let Some((jobs, ended)) = self.thread.take() {
            drop(jobs);
            let _ = tokio::time::timeout(FAREWELL, ended).await;
        }
    }
}

/// Copies a text; false where that failed or took too long.
pub(super) async fn copy(desk: &Desk, text: &str, patience: Duration) -> bool {
    let (sender, copied) = oneshot::channel();
    if desk.send(Job { text: text.to_owned(), copied: sender }).is_err() {
        return false;
    }
    matches!(tokio::time::timeout(patience, copied).await, Ok(Ok(true)))
}

#[cfg(feature = "clipboard")]
fn serve(asked: &Receiver<Job>) {
    let mut clipboard = None;
    while let Ok(Job { text, copied }) = asked.recv() {
        if copied.is_closed() {
            // It took another way meanwhile.
            continue;
        }
        if clipboard.is_none() {
            clipboard = arboard::Clipboard::new().ok();
        }
        let done = clipboard.as_mut().is_some_and(|clipboard| clipboard.set_text(text).is_ok());
        if !done {
            // The desktop may be another one when it is tried again.
            clipboard = None;
        }
        let _ = copied.send(done);
    }
}

#[cfg(not(feature = "clipboard"))]
fn serve(asked: &Receiver<Job>) {
    while let Ok(Job { text, copied }) = asked.recv() {
        drop(text);
        let _ = copied.send(false);
    }
}
