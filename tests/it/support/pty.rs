//! A program in a real pseudo-terminal, and the screen that a terminal emulator shows of it.

use std::io::{Read, Write};
use std::num::NonZeroU16;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

use super::own_process::send_signal;
use super::waiting::{PATIENCE, wait_until};

/// The rate at which the terminal accepts output, in bytes per second; clones share it.
#[derive(Clone)]
pub struct OutputRate(Arc<AtomicUsize>);

impl OutputRate {
    /// Unlimited.
    const UNLIMITED: usize = usize::MAX;

    /// Sets the rate in bytes per second; 0 blocks output.
    pub fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::SeqCst);
    }

    /// Removes the limit.
    pub fn remove_limit(&self) {
        self.set(Self::UNLIMITED);
    }

    /// Returns the number of bytes to accept now, after the pause of a slow line.
    fn share(&self, most: usize) -> usize {
        loop {
            match self.0.load(Ordering::SeqCst) {
                Self::UNLIMITED => return most,
                0 => std::thread::sleep(Duration::from_millis(5)),
                bytes => {
                    std::thread::sleep(Duration::from_millis(50));
                    return (bytes / 20).clamp(1, most);
                }
            }
        }
    }
}

/// A program in a terminal.
pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    bytes: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    #[cfg(target_os = "linux")]
    tty: PathBuf,
    /// Output since the last awaited byte sequence.
    came: Vec<u8>,
    /// All output since the start.
    written: Vec<u8>,
    /// The rate limit of the terminal.
    pub output_rate: OutputRate,
}

impl Pty {
    /// Starts a command in a terminal of this size.
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, bytes) = channel();
        let output_rate = OutputRate(Arc::new(AtomicUsize::new(OutputRate::UNLIMITED)));
        let line = output_rate.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 16_384];
            loop {
                let share = line.share(buffer.len());
                let Ok(count) = reader.read(&mut buffer[..share]) else { break };
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let parser = vt100::Parser::new(number(rows), number(columns), 0);
        #[cfg(target_os = "linux")]
        let tty = pair.master.tty_name().unwrap();
        Self {
            writer: pair.master.take_writer().unwrap(),
            master: pair.master,
            child,
            bytes,
            parser,
            #[cfg(target_os = "linux")]
            tty,
            came: Vec::new(),
            written: Vec::new(),
            output_rate,
        }
    }

    /// Types these keys.
    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Reads until the screen shows a text.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(text, |screen| screen.contents().contains(text));
    }

    /// Reads until the screen satisfies a condition.
    #[track_caller]
    pub fn wait_until(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !holds(self.parser.screen()) {
            self.read_some(until, what);
        }
    }

    /// Reads until the program has written these bytes since the last awaited ones.
    #[track_caller]
    pub fn wait_for_bytes(&mut self, wanted: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.wrote(wanted) {
            self.read_some(until, wanted);
        }
        self.came.clear();
    }

    /// Whether the program has written these bytes since the last awaited ones.
    pub fn wrote(&self, wanted: &str) -> bool {
        self.came.windows(wanted.len()).any(|bytes| bytes == wanted.as_bytes())
    }

    /// Returns the background of the screen's first cell.
    pub fn background(&self) -> vt100::Color {
        self.parser.screen().cell(0, 0).unwrap().bgcolor()
    }

    /// Reads until the screen has this background.
    #[track_caller]
    pub fn wait_for_background(&mut self, color: vt100::Color) {
        self.wait_until("the background", |screen| screen.cell(0, 0).unwrap().bgcolor() == color);
    }

    #[track_caller]
    fn read_some(&mut self, until: Instant, what: &str) {
        let left = until.saturating_duration_since(Instant::now());
        match self.bytes.recv_timeout(left) {
            Ok(bytes) => {
                self.came.extend(&bytes);
                self.written.extend(&bytes);
                self.parser.process(&bytes);
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                panic!("`{}` never appeared:\n{}", what.escape_debug(), self.screen())
            }
        }
    }

    /// Reads until there is no output for this long; returns the number of bytes.
    pub fn read_until_quiet(&mut self, quiet: Duration) -> usize {
        let mut count = 0;
        loop {
            match self.bytes.recv_timeout(quiet) {
                Ok(bytes) => {
                    count += bytes.len();
                    self.written.extend(&bytes);
                    self.parser.process(&bytes);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return count,
            }
        }
    }

    /// Waits for the program to exit and reads its last output.
    pub fn wait(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < until, "the program does not exit:\n{}", self.screen());
            self.read_until_quiet(Duration::from_millis(10));
        };
        // Ends as soon as no process holds the terminal, however slow the line is.
        self.read_until_quiet(PATIENCE);
        status
    }

    /// Waits for the program to exit without reading its output.
    pub fn wait_for_end(&mut self) {
        wait_until("the program exits", || self.child.try_wait().unwrap().is_some());
    }

    /// All output read so far.
    pub fn written(&self) -> &[u8] {
        &self.written
    }

    /// The current screen.
    pub fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// A cell of the current screen.
    pub fn cell(&self, column: u16, row: u16) -> &vt100::Cell {
        self.parser.screen().cell(row, column).unwrap()
    }

    /// The process id of the program.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Sends a signal to the program alone.
    pub fn signal(&self, name: &str) {
        send_signal(self.process(), name);
    }

    /// Terminal modes that the program left changed; empty if it restored the terminal.
    #[cfg(target_os = "linux")]
    pub fn left_behind(&self) -> Vec<&'static str> {
        let screen = self.parser.screen();
        let modes = std::process::Command::new("stty").arg("-F").arg(&self.tty).arg("-a").output().unwrap();
        let modes = String::from_utf8(modes.stdout).unwrap();
        let mode = |name: &str| modes.split([' ', ';', '\n']).any(|word| word == name);
        let wrong = [
            (screen.alternate_screen(), "the alternate screen"),
            (screen.hide_cursor(), "a hidden cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None, "the mouse"),
            (!mode("echo"), "no echo"),
            (!mode("icanon"), "raw mode"),
        ];
        wrong.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect()
    }

    /// Changes the size of the terminal.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
        self.parser.screen_mut().set_size(number(rows), number(columns));
    }
}

/// The emulator needs at least one cell, even if the program sees none.
fn number(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN)
}

/// Returns the processor time that a process has used, in clock ticks.
pub fn processor_time(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    // After the name in parentheses, utime is the 12th field and stime the 13th.
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
