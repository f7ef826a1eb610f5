//! Runs the user's editor, which has the terminal until it ends.

use std::process::{Command, ExitStatus};
use std::time::Duration;

use crate::runtime::terminal::signals::{self, SignalEvent, Signals};

/// How long an editor may take to end after a signal.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// How an editor ended.
pub(crate) enum EditorExit {
    /// It ended by itself, or could not be started.
    Ended(std::io::Result<ExitStatus>),
    /// A signal requires the program to end too.
    Terminated,
}

/// Runs an editor and waits for its end. The terminal must have been restored before.
pub(crate) async fn run(editor: Command, signals: &mut Signals) -> std::io::Result<EditorExit> {
    let mut child = match tokio::process::Command::from(editor).kill_on_drop(true).spawn() {
        Ok(child) => child,
        Err(error) => return Ok(EditorExit::Ended(Err(error))),
    };
    loop {
        tokio::select! {
            ended = child.wait() => return Ok(EditorExit::Ended(ended)),
            signal = signals.next() => match signal {
                // A stopped editor stops its process group: this program is continued together with it.
                SignalEvent::Stop if !signals::can_stop() => {}
                SignalEvent::Stop if signals.stop().await? => {}
                SignalEvent::Stop | SignalEvent::End => {
                    end(&mut child).await;
                    return Ok(EditorExit::Terminated);
                }
            },
        }
    }
}

/// Lets an editor store its text and restore the terminal. One that does not end is killed when dropped.
async fn end(child: &mut tokio::process::Child) {
    #[cfg(unix)]
    if let Some(process) = child.id().and_then(|id| rustix::process::Pid::from_raw(id.try_into().ok()?)) {
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
    let _ = tokio::time::timeout(END_TIMEOUT, child.wait()).await;
}
