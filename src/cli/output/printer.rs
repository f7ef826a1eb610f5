//! The interface of all formats: printing records one by one.

use std::io::{self, Write};

use super::record::Record;

/// The destination of printed bytes.
pub type Out = Box<dyn Write + Send>;

/// How many records a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Any number: JSON is an array.
    Many,
    /// Exactly one: JSON is a single object, and people see all of it.
    One,
}

/// Prints records one by one.
pub trait RecordPrinter: Send {
    /// Prints a record, or buffers it until the end if the format needs to know all of them.
    fn record(&mut self, record: &Record) -> io::Result<()>;
    /// Flushes what was printed so far.
    fn flush(&mut self) -> io::Result<()>;
    /// Ends a complete output, printing what closes it.
    fn finish(&mut self) -> io::Result<()>;
    /// Prints what was buffered without closing the output, after a failure: a JSON array stays open, so that parsers
    /// notice, and no header is printed without rows.
    fn leave_open(&mut self) -> io::Result<()> {
        self.flush()
    }
}
