//! Errors and warnings of a configuration, with file and line.

use std::fmt;
use std::path::PathBuf;

use crate::domain::text::{clean, with_advice};

/// A position in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePosition {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; `None` for the file as a whole.
    pub line: Option<usize>,
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&clean(&self.file.to_string_lossy()))?;
        self.line.map_or(Ok(()), |line| write!(formatter, ":{line}"))
    }
}

/// An error that ends the program with exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The file and line, if the error is about a file.
    pub place: Option<SourcePosition>,
    /// What is wrong, without a final full stop.
    pub message: String,
    /// What to do.
    pub advice: String,
}

impl ConfigError {
    /// Creates an error without a position.
    pub fn new(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { place: None, message: message.into(), advice: advice.into() }
    }

    /// Sets the position.
    #[must_use]
    pub fn at(mut self, place: SourcePosition) -> Self {
        self.place = Some(place);
        self
    }

    /// Formats position and message on one line.
    pub fn sentence(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{place}{}", self.message)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&with_advice(&self.sentence(), &self.advice))
    }
}
