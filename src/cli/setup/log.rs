//! The log of `serve` and `worker`, on stderr. A thread writes it, so that a reader that stops reading blocks nothing
//! else.

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

use crate::cli::exit::{CommandError, print_note};
use crate::config::environment::{Environment, LOG};

/// Unwritten bytes of the log, about 4,000 requests. Lines beyond them are dropped, and the log says how many.
const MOST_UNWRITTEN: usize = 1024 * 1024;
/// The time limit for the last lines.
const LAST_LINES: Duration = Duration::from_secs(1);

/// A running log. Dropping it waits, for a limited time, until all lines are written.
pub struct Log(Arc<LogQueue>);

#[derive(Default)]
struct LogQueue {
    state: Mutex<QueueState>,
    /// Signalled when a line is queued, and when all are written.
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    unwritten: Vec<u8>,
    dropped_lines: u64,
    is_writing: bool,
}

impl Log {
    /// Starts logging to stderr: text on a terminal, else JSON lines.
    pub fn start(environment: &Environment) -> Result<Self, CommandError> {
        // The pool logs each lost connection of an outage, without a reason; the service logs the outage.
        let directives = environment.text(LOG).map(normalized).filter(|filter| !filter.is_empty());
        let directives = directives.as_deref().unwrap_or("info,deadpool=error");
        let filter: Targets = directives.parse().map_err(|error| {
            CommandError::usage(format!("{LOG} is invalid: {error}"), "Write it like info or debug")
        })?;
        if let Some(word) = no_level(directives) {
            print_note(&format!(
                "warning: {LOG}: {word} is not a level (error, warn, info, debug, trace, off), so only a module of \
                 that name is logged. Write it like debug or warn,reportdeck=info"
            ));
        }
        let queue = Arc::new(LogQueue::default());
        let thread = Arc::clone(&queue);
        let writer = std::thread::Builder::new().name("log-writer".to_owned());
        writer.spawn(move || thread.write_to(io::stderr())).map_err(|error| {
            CommandError::local(format!("the program cannot start its threads: {error}"), "Try again")
        })?;
        let text = fmt::layer().with_writer(Arc::clone(&queue));
        let logs = if io::stderr().is_terminal() { text.boxed() } else { text.json().boxed() };
        // A second subscriber is rejected; this process has one.
        let _ = tracing_subscriber::registry().with(logs.with_filter(filter)).try_init();
        Ok(Self(queue))
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let is_busy = |state: &mut QueueState| state.is_writing || !state.unwritten.is_empty();
        let _ = self.0.changed.wait_timeout_while(self.0.lock(), LAST_LINES, is_busy);
    }
}

impl LogQueue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is queued, forever. Lines that cannot be written are lost.
    fn write_to(&self, mut out: impl Write) {
        loop {
            let (lines, dropped) = self.next();
            let _ = out.write_all(&lines);
            if dropped > 0 {
                tracing::warn!(lines = dropped, "lines of the log were dropped: its reader is too slow or has stopped");
            }
        }
    }

    /// Waits for lines; also returns how many were dropped after them.
    fn next(&self) -> (Vec<u8>, u64) {
        let mut state = self.lock();
        state.is_writing = false;
        self.changed.notify_all();
        let waiting = self.changed.wait_while(state, |state| state.unwritten.is_empty());
        let mut state = waiting.unwrap_or_else(PoisonError::into_inner);
        state.is_writing = true;
        (std::mem::take(&mut state.unwritten), std::mem::take(&mut state.dropped_lines))
    }
}

/// Queues a line.
impl Write for &LogQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut state = self.lock();
        if state.unwritten.len() + line.len() > MOST_UNWRITTEN {
            state.dropped_lines += 1;
        } else {
            state.unwritten.extend_from_slice(line);
            self.changed.notify_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Removes what would turn a log off unnoticed: spaces around the directives, and empty ones.
fn normalized(filter: &str) -> String {
    filter.split(',').map(str::trim).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(",")
}

/// Returns the first log directive that is neither a level nor one of our modules, and thus would log nothing.
fn no_level(filter: &str) -> Option<&str> {
    let mut words = filter.split(',').filter(|word| !word.contains('=') || word.contains('['));
    words.find(|word| word.parse::<LevelFilter>().is_err() && !word.starts_with("reportdeck"))
}

#[cfg(test)]
mod tests {
    use super::{no_level, normalized};

    #[test]
    fn an_invalid_log_level_is_found() {
        for filter in ["debug", "OFF", "warn,reportdeck=info", "reportdeck::service", ""] {
            assert_eq!(no_level(filter), None, "{filter}");
        }
        assert_eq!(no_level("nonsense"), Some("nonsense"));
        assert_eq!(no_level("warn,verbose"), Some("verbose"));
        assert_eq!(no_level("info,[span]=trace"), Some("[span]=trace"));
    }

    #[test]
    fn spaces_and_empty_words_of_a_log_filter_do_not_matter() {
        for (written, read) in [("warn, reportdeck=info", "warn,reportdeck=info"), ("info,", "info"), (" , ", "")] {
            assert_eq!(normalized(written), read);
        }
    }
}
