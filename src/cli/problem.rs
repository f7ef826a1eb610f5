//! How a command can end badly, what is then told, and the exit code. The only place that knows exit codes.
//!
//! | code | meaning |
//! |---|---|
//! | 1 | failed |
//! | 2 | wrong usage: options, configuration |
//! | 3 | not found |
//! | 4 | not authorised |
//! | 5 | invalid: a field or URL was refused |
//! | 6 | unreachable or timed out |
//! | 7 | some of several failed |

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::error::ErrorKind;
use serde_json::{Map, Value, json};

use super::args::Format;
use crate::config::trouble::ConfigError;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::{clean, escape_json};

/// A bad end.
#[derive(Debug)]
pub(super) enum Problem {
    /// Options or configuration that cannot be meant.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        advice: String,
    },
    /// One thing was to be done, and it failed.
    Failed(Box<Failure>),
    /// Several things were to be done; each failure was told already.
    Several {
        /// What failed, in order.
        failures: Vec<Failure>,
        /// How many were not sent, because somebody wished to stop.
        unsent: usize,
        /// How many things were to be done.
        of: usize,
    },
    /// Whoever read our output has gone: nothing to tell.
    Closed,
}

impl Problem {
    /// Wrong usage.
    pub(super) fn usage(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), advice: advice.into() }
    }

    /// Something on this machine failed.
    pub(super) fn local(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Failure::new(FailureKind::Local, message, advice).into()
    }

    /// The end of work on several things of which these failed.
    pub(super) fn of_several(failures: Vec<Failure>, of: usize) -> Result<(), Self> {
        Self::of_many(failures, 0, of)
    }

    /// The same where so many were not sent.
    pub(super) fn of_many(mut failures: Vec<Failure>, unsent: usize, of: usize) -> Result<(), Self> {
        match (failures.len(), unsent, of) {
            (0, 0, _) => Ok(()),
            (1, 0, 1) => Err(failures.remove(0).into()),
            _ => Err(Self::Several { failures, unsent, of }),
        }
    }

    /// What failed and what to do, for a list of findings.
    pub(super) fn texts(&self) -> (String, String) {
        match self {
            Self::Usage { message, advice } => (message.clone(), advice.clone()),
            Self::Failed(failure) => (failure.message.clone(), failure.advice.clone()),
            Self::Several { failures, unsent, of } => (several(failures.len(), *unsent, *of), String::new()),
            Self::Closed => (String::new(), String::new()),
        }
    }

    fn code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            Self::Failed(failure) => code_of(failure.kind),
            // Nothing was done at all.
            Self::Several { unsent, of, .. } if unsent == of => 1,
            Self::Several { failures, of, .. } => {
                let first = failures.first().map_or(1, |failure| code_of(failure.kind));
                let alike = failures.len() == *of && failures.iter().all(|failure| code_of(failure.kind) == first);
                if alike { first } else { 7 }
            }
            Self::Closed => 0,
        }
    }

    /// The last line for programs.
    fn json(&self) -> Value {
        let (kind, message, failure) = match self {
            Self::Usage { message, .. } => ("usage", message.clone(), None),
            Self::Failed(failure) => (failure.kind.word(), failure.message.clone(), Some(failure.as_ref())),
            Self::Several { failures, unsent, of } => {
                let message = several(failures.len(), *unsent, *of);
                let kind = failures.first().filter(|_| self.code() != 7).map_or("several", |first| first.kind.word());
                (kind, message, failures.first().filter(|_| self.code() != 7))
            }
            Self::Closed => ("closed", String::new(), None),
        };
        let fields: Map<String, Value> = failure
            .iter()
            .flat_map(|failure| &failure.fields)
            .map(|error| (error.field.clone(), json!(error.texts)))
            .collect();
        let status = failure.and_then(|failure| failure.status);
        json!({ "error": { "kind": kind, "message": message, "status": status, "fields": fields } })
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

impl From<ConfigError> for Problem {
    fn from(error: ConfigError) -> Self {
        Self::usage(error.sentence(), error.advice)
    }
}

/// Output that cannot be written.
impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::local(format!("the output cannot be written: {error}"), "Check where it goes")
    }
}

fn code_of(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::NotFound => 3,
        FailureKind::Unauthorised | FailureKind::Forbidden => 4,
        FailureKind::Invalid => 5,
        FailureKind::Unreachable | FailureKind::TimedOut => 6,
        FailureKind::WrongAddress
        | FailureKind::RateLimited
        | FailureKind::Service
        | FailureKind::Unreadable
        | FailureKind::TooLarge
        | FailureKind::Local => 1,
    }
}

/// `2 of 12 failed, 3 were not sent`
fn several(failed: usize, unsent: usize, of: usize) -> String {
    match (failed, unsent) {
        (_, 0) => format!("{failed} of {of} failed"),
        (0, _) => format!("{unsent} of {of} were not sent"),
        (_, _) => format!("{failed} of {of} failed, {unsent} were not sent"),
    }
}

/// Tells a problem on stderr and says with which code the program ends.
pub(super) fn tell(problem: &Problem, format: Option<Format>) -> ExitCode {
    match problem {
        Problem::Usage { message, advice } => say(&format!("error: {message}. {advice}")),
        Problem::Failed(failure) => tell_failure("", failure),
        Problem::Several { failures, unsent, of } => {
            say(&format!("error: {}", several(failures.len(), *unsent, *of)));
        }
        Problem::Closed => return ExitCode::from(problem.code()),
    }
    if wants_json(format) {
        say_json(&problem.json());
    }
    ExitCode::from(problem.code())
}

/// One failure as people read it: the sentence first, then a line for each refused field.
pub(super) fn tell_failure(about: &str, failure: &Failure) {
    // The usual advice is to refresh, which only the dashboard can.
    if failure.kind == FailureKind::NotFound && !failure.advice.is_empty() {
        say(&format!("error: {about}{}. A list shows what is there", failure.message));
    } else {
        say(&format!("error: {about}{failure}"));
    }
    for error in &failure.fields {
        for text in &error.texts {
            say(&format!("  {}: {text}", error.field));
        }
    }
}

/// What clap has to say: help and version on stdout, everything else as wrong usage.
pub(super) fn tell_usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    // A closed stdout or stderr cannot be told about.
    let _ = error.print();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return ExitCode::SUCCESS;
    }
    if wants_json(asked_format(arguments)) {
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        say_json(&Problem::Usage { message, advice: String::new() }.json());
    }
    ExitCode::from(2)
}

/// The format among arguments that could not be understood as a whole.
fn asked_format(arguments: &[OsString]) -> Option<Format> {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let after = words.iter().zip(words.iter().skip(1)).find(|(word, _)| *word == "--format").map(|(_, next)| &**next);
    let joined = words.iter().find_map(|word| word.strip_prefix("--format="));
    let word = joined.or(after)?;
    <Format as clap::ValueEnum>::from_str(word, false).ok()
}

fn wants_json(format: Option<Format>) -> bool {
    match format {
        Some(Format::Json | Format::Jsonl) => true,
        Some(Format::Table | Format::Csv | Format::Markdown) => false,
        None => !io::stdout().is_terminal(),
    }
}

/// One line on stderr, harmless on a terminal. When stderr is gone there is nobody to tell.
pub(super) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", clean(line));
}

fn say_json(value: &Value) {
    let _ = writeln!(io::stderr().lock(), "{}", escape_json(&value.to_string()));
}
