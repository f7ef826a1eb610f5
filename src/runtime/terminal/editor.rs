//! Runs the user's editor, which has the terminal until it ends.

use std::process::{Command, ExitStatus};

use crate::runtime::terminal::signals::{self, SignalEvent, Signals};

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
                SignalEvent::Stop | SignalEvent::End => return Ok(EditorExit::Terminated),
            },
        }
    }
}
