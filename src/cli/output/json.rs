//! JSON: an array, one object, or one object per line. After a failure an array is not closed.
//!
//! Control characters are escaped; parsing yields exactly the original values.

use std::io::{self, Write as _};

use super::printer::{Out, RecordPrinter};
use super::record::Record;
use crate::domain::text::escape_json;

/// An array, written incrementally.
pub struct List {
    out: Out,
    records: usize,
}

impl List {
    pub fn new(out: Out) -> Self {
        Self { out, records: 0 }
    }
}

impl RecordPrinter for List {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let before = if self.records == 0 { "[\n" } else { ",\n" };
        self.records += 1;
        write!(self.out, "{before}{}", escape_json(&record.json.to_string()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.write_all(if self.records == 0 { b"[]\n" } else { b"\n]\n" })?;
        self.out.flush()
    }
}

/// One object, indented.
pub struct One(Out);

impl One {
    pub fn new(out: Out) -> Self {
        Self(out)
    }
}

impl RecordPrinter for One {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&record.json)?;
        writeln!(self.0, "{}", escape_json(&text))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// One object per line.
pub struct Lines(Out);

impl Lines {
    pub fn new(out: Out) -> Self {
        Self(out)
    }
}

impl RecordPrinter for Lines {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        writeln!(self.0, "{}", escape_json(&record.json.to_string()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
