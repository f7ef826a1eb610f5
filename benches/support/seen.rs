//! A program in a pseudo-terminal whose bytes are stamped as they come, and what a person saw of them when.
//!
//! A thread reads, stamps and answers what programs ask of a terminal at their start; what the bytes mean is found out
//! afterwards, so that the time of reading them is nobody's. Must not know which program it is.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // a bench may stop at the first surprise

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The size that every figure is about.
pub const SIZE: (u16, u16) = (160, 48);
/// A screen that did not change for so long is settled. Shorter than any pause a program makes on purpose.
pub const QUIET: Duration = Duration::from_millis(40);
/// A frame is whole when nothing more came for so long. Some programs write one in pieces; what they load comes later.
const FRAME_GAP: Duration = Duration::from_millis(1);
/// Nothing that is waited for takes longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// What a plain terminal with a dark background says to what programs ask; the longer questions first.
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
    /// When the last bytes came that something was waited for with.
    last: Instant,
    _master: Box<dyn MasterPty + Send>,
}

/// What each thread of a program has done: its processor time in nanoseconds, and how often it woke up.
pub struct Work(HashMap<OsString, (u64, u64)>);

impl Work {
    /// What was done since: milliseconds of processor time, and wake-ups. A thread that ended meanwhile is left out; the
    /// ones that wait for work do so when they had none for long.
    pub fn since(&self, before: &Self) -> (f64, u64) {
        let done = self.0.iter().map(|(thread, (time, wakes))| {
            let (earlier, woken) = before.0.get(thread).copied().unwrap_or_default();
            (time - earlier, wakes - woken)
        });
        let (time, wakes) = done.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (time as f64 / 1e6, wakes)
    }
}

/// What followed a key.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change {
    /// Until the screen first looked different, be it by a piece of a frame.
    pub first: Duration,
    /// Until the frame that began then was whole.
    pub whole: Duration,
    /// Until it looked different for the last time before it was quiet.
    pub settled: Duration,
    /// Bytes that came.
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

    /// Reads until the screen shows something that holds; how long after the start it came.
    pub fn since_start(&mut self, holds: impl Fn(&str) -> bool) -> Duration {
        let started = self.started;
        self.until(started, holds).0
    }

    /// Types, and reads until the screen is as it should be: how long it took, and the bytes that came.
    pub fn answer(&mut self, keys: &str, holds: impl Fn(&str) -> bool) -> (Duration, usize) {
        let began = self.type_keys(keys);
        self.until(began, holds)
    }

    /// Types, and reads until the screen is quiet.
    pub fn press(&mut self, keys: &str) -> Change {
        let began = self.type_keys(keys);
        let mut change = Change::default();
        let mut before = self.shown();
        let mut quiet_from = began;
        let mut frame_end: Option<Instant> = None;
        // A program that does nothing at all on a key has a moment more to begin.
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
                // Bytes that change nothing are no unrest: some programs write at rest too.
                (quiet_from, patience) = (Instant::now(), QUIET);
            }
        }
        change
    }

    /// Reads until nothing new was seen for this long; not for ever, since some programs show a clock.
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

    /// Reads for exactly this long; the bytes that came.
    pub fn watch(&mut self, time: Duration) -> usize {
        let until = Instant::now() + time;
        let mut count = 0;
        while let Ok((_, bytes)) = self.chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.parser.process(&bytes);
            count += bytes.len();
        }
        count
    }

    /// Types what ends the program; how long until its process is gone.
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

    /// What the terminal shows.
    pub fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// Resident memory in KiB: now, at most so far, and how much of that of now is its own and of no file.
    pub fn memory(&self) -> (u64, u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process())).unwrap();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        (field("VmRSS:"), field("VmHWM:"), field("RssAnon:"))
    }

    /// What every thread has done so far.
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
        // What came before belongs to no key.
        while let Ok((_, bytes)) = self.chunks.try_recv() {
            self.parser.process(&bytes);
        }
        let began = Instant::now();
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(keys.as_bytes()).and_then(|()| writer.flush()).unwrap();
        began
    }

    fn until(&mut self, began: Instant, holds: impl Fn(&str) -> bool) -> (Duration, usize) {
        // What is there already came with what was read last.
        let (mut stamp, mut count) = (began.max(self.last), 0);
        while !holds(&self.screen()) {
            let left = PATIENCE.saturating_sub(began.elapsed());
            let Ok((at, bytes)) = self.chunks.recv_timeout(left) else {
                panic!("never came:\n{}", self.screen());
            };
            self.parser.process(&bytes);
            (self.last, stamp, count) = (at, at, count + bytes.len());
        }
        (stamp - began, count)
    }

    /// What is seen, colours and all: a cursor is often a colour only.
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
