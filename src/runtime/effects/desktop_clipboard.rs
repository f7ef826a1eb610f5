//! The desktop's clipboard on a thread of its own: a desktop that hangs blocks nothing else.
//!
//! On X11 and Wayland a copied text exists only as long as the program that owns it, so the thread keeps the clipboard.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio::sync::oneshot;

/// How long quitting waits for the thread, which hands the text to a clipboard manager.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// A text to copy, and where the result goes.
pub(super) struct CopyJob {
    text: String,
    copied: oneshot::Sender<bool>,
}

/// Sends texts to the thread.
pub(super) type ClipboardSender = Sender<CopyJob>;

/// The thread; it runs from the first copy on.
#[derive(Default)]
pub(super) struct DesktopClipboard {
    thread: Option<(ClipboardSender, oneshot::Receiver<()>)>,
}

impl DesktopClipboard {
    /// A sender to the thread, which is started by the first call.
    pub(super) fn sender(&mut self) -> ClipboardSender {
        let (sender, _) = self.thread.get_or_insert_with(|| {
            let (jobs, asked) = channel();
            let (ended, end) = oneshot::channel();
            std::thread::spawn(move || {
                serve(&asked);
                // Nobody waits for it after a timeout.
                let _ = ended.send(());
            });
            (jobs, end)
        });
        sender.clone()
    }

    /// Ends the thread and waits a moment for it.
    pub(super) async fn shut_down(&mut self) {
        if let Some((jobs, ended)) = self.thread.take() {
            drop(jobs);
            let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, ended).await;
        }
    }
}

/// Copies a text; false where that failed or took too long.
pub(super) async fn copy(sender: &ClipboardSender, text: &str, patience: Duration) -> bool {
    let (result, copied) = oneshot::channel();
    if sender.send(CopyJob { text: text.to_owned(), copied: result }).is_err() {
        return false;
    }
    matches!(tokio::time::timeout(patience, copied).await, Ok(Ok(true)))
}

#[cfg(feature = "clipboard")]
fn serve(asked: &Receiver<CopyJob>) {
    let mut clipboard = None;
    while let Ok(CopyJob { text, copied }) = asked.recv() {
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
fn serve(asked: &Receiver<CopyJob>) {
    while let Ok(CopyJob { text, copied }) = asked.recv() {
        drop(text);
        let _ = copied.send(false);
    }
}
