//! A limit for work on one thread, measured in processor time.
//!
//! Parsing and judging must end on hostile pages, and a busy machine must not change what an audit says. A limit on the
//! clock does both at once: it stops a hostile page, and under load every large page too. Processor time advances only
//! while the thread runs, so waiting for a processor costs a page nothing. Counting steps would be exact, but the worst
//! case lies where nothing can be counted: html5ever compares each attribute of a tag with all attributes before it.

use std::marker::PhantomData;
use std::time::Duration;

/// A page that needs more processor time than an audit may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{work} takes more than {} s of processor time", .limit.as_secs_f32())]
pub struct ProcessorTimeExceeded {
    /// Which work, as the subject of the sentence.
    pub work: &'static str,
    /// How much processor time it may take.
    pub limit: Duration,
}

/// The processor time that one piece of work may still take on its thread.
#[derive(Debug)]
pub(in crate::audit) struct ProcessorTime {
    work: &'static str,
    limit: Duration,
    started: Duration,
    /// The clock belongs to the thread that reads it: a value moved to another thread would compare two clocks.
    not_send: PhantomData<*const ()>,
}

impl ProcessorTime {
    /// Starts to measure work on this thread.
    pub(in crate::audit) fn start(work: &'static str, limit: Duration) -> Self {
        Self { work, limit, started: used_by_this_thread(), not_send: PhantomData }
    }

    /// An error once the work has used up its processor time.
    pub(in crate::audit) fn check(&self) -> Result<(), ProcessorTimeExceeded> {
        let used = used_by_this_thread().saturating_sub(self.started);
        if used <= self.limit { Ok(()) } else { Err(ProcessorTimeExceeded { work: self.work, limit: self.limit }) }
    }
}

#[cfg(unix)]
fn used_by_this_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // The clock starts at zero with its thread and is never negative.
    Duration::try_from(time).unwrap_or_default()
}

/// Elapsed time: reading the processor time of a thread needs `unsafe` on this platform.
#[cfg(not(unix))]
fn used_by_this_thread() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses that much processor time of this thread.
    fn burn(time: Duration) {
        let started = used_by_this_thread();
        while used_by_this_thread().saturating_sub(started) < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn work_beyond_its_limit_is_unfinished() {
        let time = ProcessorTime::start("the work", Duration::from_millis(1));
        burn(Duration::from_millis(3));
        let unfinished = time.check().unwrap_err();
        assert_eq!(unfinished.to_string(), "the work takes more than 0.001 s of processor time");
    }

    #[cfg(unix)]
    #[test]
    fn time_in_which_only_other_threads_run_is_not_counted() {
        let time = ProcessorTime::start("the work", Duration::from_millis(20));
        std::thread::spawn(|| burn(Duration::from_millis(100))).join().unwrap();
        assert_eq!(time.check(), Ok(()));
    }
}
