//! What every format can do: print records one after the other.

use std::io::{self, Write};

use super::record::Record;

/// Where printed bytes go.
pub type Out = Box<dyn Write + Send>;

/// How many records a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Any number: JSON is an array.
    Many,
    /// Exactly one: JSON is one object, and people see all of it.
    One,
}

/// Prints records one after the other.
pub trait RecordPrinter: Send {
    /// Prints one, or keeps it until the end where the format must know all of them.
    fn record(&mut self, record: &Record) -> io::Result<()>;
    /// Hands on what was printed so far.
    fn flush(&mut self) -> io::Result<()>;
    /// Prints what closes the output: everything that was to be printed is there.
    fn finish(&mut self) -> io::Result<()>;
    /// Prints what was kept and closes nothing, after a failure: a JSON array stays open, so that a parser notices, and
    /// no heading stands without rows.
    fn leave_open(&mut self) -> io::Result<()> {
        self.flush()
    }
}
