//! A limit for work on one thread, measured in processor time.
//!
//! Parsing and checking must end on hostile pages, and the load of the machine must not change a result. A wall-clock
//! limit would also stop large pages under load; processor time advances only while the thread runs. Counting steps is
//! no alternative: html5ever's worst case, comparing each attribute of a tag with all attributes before it, has nothing
//! to count.

use std::marker::PhantomData;
use std::time::Duration;

/// A page that needs more processor time than an audit may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{work} takes more than {} s of processor time", .limit.as_secs_f32())]
pub struct ProcessorTimeExceeded {
    /// The work, as the subject of the sentence.
    pub work: &'static str,
    /// The limit.
    pub limit: Duration,
}

/// A limit of processor time for work on one thread.
#[derive(Debug)]
pub(in crate::audit) struct ProcessorTime {
    work: &'static str,
    limit: Duration,
    started: Duration,
    /// Each thread has its own clock, so a value must not move to another thread.
    not_send: PhantomData<*const ()>,
}

impl ProcessorTime {
    /// Starts to measure work on this thread.
    pub(in crate::audit) fn start(work: &'static str, limit: Duration) -> Self {
        Self { work, limit, started: used_by_this_thread(), not_send: PhantomData }
    }

    /// Fails when the limit is exceeded.
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

/// Elapsed time, because reading the processor time of a thread needs `unsafe` on this platform.
#[cfg(not(unix))]
fn used_by_this_thread() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses up this much processor time.
    fn burn(time: Duration) {
        let started = used_by_this_thread();
        while used_by_this_thread().saturating_sub(started) < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn work_beyond_its_limit_is_abandoned() {
        let time = ProcessorTime::start("the work", Duration::from_millis(1));
        burn(Duration::from_millis(3));
        let unfinished = time.check().unwrap_err();
        assert_eq!(unfinished.to_string(), "the work takes more than 0.001 s of processor time");
    }

    #[cfg(unix)]
    #[test]
    fn the_time_of_other_threads_is_not_counted() {
        let time = ProcessorTime::start("the work", Duration::from_millis(20));
        std::thread::spawn(|| burn(Duration::from_millis(100))).join().unwrap();
        assert_eq!(time.check(), Ok(()));
    }
}
