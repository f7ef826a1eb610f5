//! A progress line on stderr, on terminals only.

use std::io::{self, IsTerminal as _, Write as _};

/// The progress line.
pub struct Progress {
    /// Whether there are several steps, and stderr is a terminal that can replace a line.
    is_shown: bool,
    /// The text on the screen.
    line: String,
}

impl Progress {
    /// Creates a line for this many steps; a single step needs none.
    pub fn of_steps(steps: usize) -> Self {
        // A dumb terminal would get a new line for each step.
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { is_shown: steps > 1 && !dumb && io::stderr().is_terminal(), line: String::new() }
    }

    /// Shows a text in place of the previous one.
    pub fn show(&mut self, line: String) {
        if self.is_shown && self.line != line {
            self.clear();
            // A closed stderr is ignored.
            let _ = write!(io::stderr().lock(), "{line}").and_then(|()| io::stderr().flush());
            self.line = line;
        }
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        if !self.line.is_empty() {
            let _ = write!(io::stderr().lock(), "\r{}\r", " ".repeat(self.line.len()));
            let _ = io::stderr().flush();
            self.line.clear();
        }
    }
}
