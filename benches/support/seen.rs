//! A program in a pseudo-terminal whose output is timestamped as it arrives, and when which screen was visible.
//!
//! A thread reads and timestamps the output, and replies to the program's terminal queries. The output is interpreted
//! afterwards, so that this work does not distort the times.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // a bench may panic

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The terminal size of all figures.
pub const SIZE: (u16, u16) = (160, 48);
/// A screen without changes for this long is settled. Shorter than any pause that a program makes on purpose.
pub const QUIET: Duration = Duration::from_millis(40);
/// A frame is complete after this long without output. Some programs write a frame in pieces; data they load arrives
/// later.
const FRAME_GAP: Duration = Duration::from_millis(1);
/// Time limit of every wait.
const PATIENCE: Duration = Duration::from_mins(1);

/// Terminal queries and the replies of a plain terminal with a dark background; longer queries first.
const ANSWERS: [(&[u8], &[u8]); 9] = [
    (b"\x1b]10;?", b"\x1b]10;rgb:d8d8/d8d8/d8d8\x1b\\"),
    (b"\x1b]11;?", b"\x1b]11;rgb:1818/1818/1818\x1b\\"),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b[?u", b"\x1b[?0u"),
    (b"\x1b[6n", b"\x1b[1;1R"),
    (b"\x1b[>q", b"\x1bP>|bench(1)\x1b\\"),
    (b"\x1b[16t", b"\x1b[6;20;10t"),
    (b"\x1b[14t", b"\x1b[4;960;1600t"),
    (b"\x1b[c", b"\x1b[?62;22c"),
];

type Writer = Arc<Mutex<Box<dyn Write + Send>>>;

/// A program and its terminal.
pub struct Seen {
    writer: Writer,
    child: Box<dyn Child + Send + Sync>,
    chunks: Receiver<(Instant, Vec<u8>)>,
    parser: vt100::Parser,
    started: Instant,
    /// When the last output arrived that ended a wait.
    last: Instant,
    _master: Box<dyn MasterPty + Send>,
}

/// Processor time in nanoseconds and number of wake-ups of each thread.
pub struct Work(HashMap<OsString, (u64, u64)>);

impl Work {
    /// Returns the difference: milliseconds of processor time, and wake-ups. Threads that have ended since are
    /// excluded; worker threads end only when they have been idle for long.
    pub fn since(&self, before: &Self) -> (f64, u64) {
        let done = self.0.iter().map(|(thread, (time, wakes))| {
            let (earlier, woken) = before.0.get(thread).copied().unwrap_or_default();
            (time - earlier, wakes - woken)
        });
        let (time, wakes) = done.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (time as f64 / 1e6, wakes)
    }
}

/// The screen changes after a key.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change {
    /// Time until the screen first changed, possibly by part of a frame.
    pub first: Duration,
    /// Time until that frame was complete.
    pub whole: Duration,
    /// Time until the last change before the screen settled.
    pub settled: Duration,
    /// Number of bytes written.
    pub bytes: usize,
}

impl Seen {
    /// Starts a program.
    pub fn start(command: CommandBuilder) -> Self {
        let size = PtySize { rows: SIZE.1, cols: SIZE.0, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer: Writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let (sender, chunks) = channel();
        let answering = Arc::clone(&writer);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            while let Ok(count) = reader.read(&mut buffer) {
                let stamp = Instant::now();
                let bytes = &buffer[..count];
                for (question, answer) in ANSWERS {
                    if bytes.windows(question.len()).any(|window| window == question) {
                        let _ = answering.lock().unwrap().write_all(answer);
                    }
                }
                if count == 0 || sender.send((stamp, bytes.to_vec())).is_err() {
                    break;
                }
            }
        });
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        let number = |number| NonZeroU16::new(number).unwrap();
        let parser = vt100::Parser::new(number(SIZE.1), number(SIZE.0), 0);
        Self { writer, child, chunks, parser, started, last: started, _master: pair.master }
    }

    /// Reads until the screen satisfies a condition; returns the time since the start.
    pub fn since_start(&mut self, holds: impl Fn(&str) -> bool) -> Duration {
        let started = self.started;
        self.until(started, holds).0
    }

    /// Types, and reads until the screen satisfies a condition; returns the time and the number of bytes.
    pub fn answer(&mut self, keys: &str, holds: impl Fn(&str) -> bool) -> (Duration, usize) {
        let began = self.type_keys(keys);
        self.until(began, holds)
    }

    /// Types, and reads until the screen has settled.
    pub fn press(&mut self, keys: &str) -> Change {
        let began = self.type_keys(keys);
        let mut change = Change::default();
        let mut before = self.shown();
        let mut quiet_from = began;
        let mut frame_end: Option<Instant> = None;
        // A key without any effect gets a little more time.
        let mut patience = Duration::from_millis(400);
        while let Ok((stamp, bytes)) = self.chunks.recv_timeout(patience.saturating_sub(quiet_from.elapsed())) {
            self.parser.process(&bytes);
            change.bytes += bytes.len();
            let now = self.shown();
            if frame_end.map_or(now != before, |end| stamp - end < FRAME_GAP) {
                frame_end = Some(stamp);
                change.whole = stamp - began;
            }
            if now != before {
                before = now;
                change.settled = stamp - began;
                if change.first.is_zero() {
                    change.first = change.settled;
                }
                // Output that changes nothing does not count: some programs write while idle.
                (quiet_from, patience) = (Instant::now(), QUIET);
            }
        }
        change
    }

    /// Reads until nothing has changed for this long, with a limit, since some programs show a clock.
    pub fn rest(&mut self, quiet: Duration) {
        let (began, mut quiet_from, mut before) = (Instant::now(), Instant::now(), self.shown());
        while began.elapsed() < 10 * quiet {
            let left = quiet.saturating_sub(quiet_from.elapsed());
            let Ok((_, bytes)) = self.chunks.recv_timeout(left) else { return };
            self.parser.process(&bytes);
            let now = self.shown();
            if now != before {
                (before, quiet_from) = (now, Instant::now());
            }
        }
    }

    /// Reads for exactly this long; returns the number of bytes.
    pub fn watch(&mut self, time: Duration) -> usize {
        let until = Instant::now() + time;
        let mut count = 0;
        while let Ok((_, bytes)) = self.chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.parser.process(&bytes);
            count += bytes.len();
        }
        count
    }

    /// Types the keys that quit the program; returns the time until its process has ended.
    pub fn quit(&mut self, keys: &str) -> Duration {
        let began = self.type_keys(keys);
        while self.child.try_wait().unwrap().is_none() {
            if began.elapsed() > PATIENCE {
                self.child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        began.elapsed()
    }

    /// Returns the screen.
    pub fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// Returns memory in KiB: resident, peak, and the resident part that is not backed by files.
    pub fn memory(&self) -> (u64, u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process())).unwrap();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        (field("VmRSS:"), field("VmHWM:"), field("RssAnon:"))
    }

    /// Returns the work of every thread so far.
    pub fn work(&self) -> Work {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process())).unwrap();
        let done = |task: std::fs::DirEntry| {
            let read = |name: &str| std::fs::read_to_string(task.path().join(name)).unwrap_or_default();
            let number = |text: &str| text.trim().parse::<u64>().unwrap_or_default();
            let status = read("status");
            let wakes = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            let time = read("schedstat").split_whitespace().next().map_or(0, number);
            (task.file_name(), (time, wakes.map_or(0, number)))
        };
        Work(tasks.flatten().map(done).collect())
    }

    fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    fn type_keys(&mut self, keys: &str) -> Instant {
        // Earlier output belongs to no key.
        while let Ok((_, bytes)) = self.chunks.try_recv() {
            self.parser.process(&bytes);
        }
        let began = Instant::now();
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(keys.as_bytes()).and_then(|()| writer.flush()).unwrap();
        began
    }

    fn until(&mut self, began: Instant, holds: impl Fn(&str) -> bool) -> (Duration, usize) {
        // The condition may hold already, by the last output read.
        let (mut stamp, mut count) = (began.max(self.last), 0);
        while !holds(&self.screen()) {
            let left = PATIENCE.saturating_sub(began.elapsed());
            let Ok((at, bytes)) = self.chunks.recv_timeout(left) else {
                panic!("the screen never matched:\n{}", self.screen());
            };
            self.parser.process(&bytes);
            (self.last, stamp, count) = (at, at, count + bytes.len());
        }
        (stamp - began, count)
    }

    /// Returns the visible screen with colours, because a cursor is often only a colour.
    fn shown(&self) -> String {
        self.parser.screen().contents_formatted()
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
