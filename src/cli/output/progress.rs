//! One line on stderr that says how far it is, for people only: a pipe or a file never sees it.
//!
//! Must not know what is going on.

use std::io::{self, IsTerminal as _, Write as _};

/// The line, while it is there.
pub struct Progress {
    /// Somebody looks.
    seen: bool,
    /// What stands there now.
    line: String,
}

impl Progress {
    /// A line for work in so many steps; one step needs none.
    pub fn of_steps(steps: usize) -> Self {
        // A terminal that cannot move its cursor back would get a line for each step.
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { seen: steps > 1 && !dumb && io::stderr().is_terminal(), line: String::new() }
    }

    /// Says how far it is.
    pub fn show(&mut self, line: String) {
        if self.seen && self.line != line {
            self.clear();
            // When stderr is gone there is nobody to tell.
            let _ = write!(io::stderr().lock(), "{line}").and_then(|()| io::stderr().flush());
            self.line = line;
        }
    }

    /// Takes the line away, for what else is to be printed.
    pub fn clear(&mut self) {
        if !self.line.is_empty() {
            let _ = write!(io::stderr().lock(), "\r{}\r", " ".repeat(self.line.len()));
            let _ = io::stderr().flush();
            self.line.clear();
        }
    }
}
