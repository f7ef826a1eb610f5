//! Errors of commands, their messages, and the exit codes, whose meanings are in `manual::EXIT_CODES`.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::error::ErrorKind;
use serde_json::{Map, Value, json};

use crate::api::error::REFRESH_ADVICE;
use crate::cli::args::Format;
use crate::config::credentials::CredentialError;
use crate::config::error::ConfigError;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::numbers::counted;
use crate::domain::text::{clean, escape_json, with_advice};

/// An item of a bulk command that failed.
#[derive(Debug, Clone)]
pub(super) struct FailedItem {
    /// The id, name or URL as given.
    pub(super) item: String,
    pub(super) failure: Failure,
}

/// Why a command failed.
#[derive(Debug)]
pub(super) enum CommandError {
    /// Invalid options or configuration.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        advice: String,
    },
    /// A single operation failed.
    Failed {
        /// Why.
        failure: Box<Failure>,
        /// The id, name or URL it was about, if any.
        item: Option<String>,
    },
    /// A bulk command failed for some items. Each failure has already been printed.
    Several {
        /// The failures, in order.
        failures: Vec<FailedItem>,
        /// The ids, names or URLs that were not sent because the command was interrupted.
        unsent: Vec<String>,
        /// The number of items.
        of: usize,
    },
    /// A list lacks rows that the service has.
    Incomplete {
        /// Why, as clauses.
        reasons: Vec<String>,
        /// Whether it changed while it was read.
        has_changed: bool,
        /// How many rows were printed.
        printed: usize,
    },
    /// Pages are below the threshold of an audit.
    Threshold {
        /// The URLs, in the order of their audits.
        pages: Vec<String>,
        /// The number of audited pages.
        of: usize,
        /// Why other pages were not audited, or the output is incomplete.
        besides: Option<Box<CommandError>>,
    },
    /// The message is already on stdout; only the JSON line and the exit code remain.
    Reported(Box<CommandError>),
    /// The reader of stdout is gone. Nothing is printed.
    Closed,
}

impl CommandError {
    /// Creates a usage error.
    pub(super) fn usage(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), advice: advice.into() }
    }

    /// Creates an error of something on this machine.
    pub(super) fn local(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Failure::new(FailureKind::Local, message, advice).into()
    }

    /// Creates an error of something on this machine that says what to do itself.
    pub(super) fn of_error(error: impl std::fmt::Display) -> Self {
        Self::local(error.to_string(), "")
    }

    /// Creates the error of an operation on one item.
    pub(super) fn of_item(item: impl Into<String>, failure: Failure) -> Self {
        Self::Failed { failure: Box::new(failure), item: Some(item.into()) }
    }

    /// Returns the result of a bulk command with these failures and unsent items.
    pub(super) fn of_many(mut failures: Vec<FailedItem>, unsent: Vec<String>, of: usize) -> Result<(), Self> {
        match (failures.len(), unsent.len(), of) {
            (0, 0, _) => Ok(()),
            (1, 0, 1) => {
                let FailedItem { item, failure } = failures.remove(0);
                Err(Self::of_item(item, failure))
            }
            _ => Err(Self::Several { failures, unsent, of }),
        }
    }

    /// Returns message and advice.
    pub(super) fn texts(&self) -> (String, String) {
        match self {
            Self::Usage { message, advice } => (message.clone(), advice.clone()),
            Self::Failed { failure, .. } => (failure.message.clone(), failure.advice.clone()),
            Self::Several { failures, unsent, of } => (several(failures.len(), unsent.len(), *of), String::new()),
            Self::Incomplete { reasons, has_changed, .. } => {
                let advice = if *has_changed {
                    "Run it again"
                } else {
                    "Narrow the list with --search or other options to reach the rest"
                };
                (format!("the list is incomplete: {}", reasons.join("; ")), advice.to_owned())
            }
            Self::Threshold { pages, of, .. } => {
                (format!("{} of {} below the threshold", pages.len(), counted(*of as u64, "page")), String::new())
            }
            Self::Reported(problem) => problem.texts(),
            Self::Closed => (String::new(), String::new()),
        }
    }

    fn code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            Self::Failed { failure, .. } => code_of(failure.kind),
            // Nothing was sent at all.
            Self::Several { unsent, of, .. } if unsent.len() == *of => 1,
            Self::Several { failures, of, .. } => {
                let code = |failed: &FailedItem| code_of(failed.failure.kind);
                let first = failures.first().map_or(1, code);
                let alike = failures.len() == *of && failures.iter().all(|failed| code(failed) == first);
                if alike { first } else { 7 }
            }
            Self::Incomplete { printed: 0, .. } => 1,
            Self::Incomplete { .. } => 7,
            Self::Threshold { .. } => 8,
            Self::Reported(problem) => problem.code(),
            Self::Closed => 0,
        }
    }

    /// Returns the last line of stderr, for programs.
    fn json(&self) -> Value {
        let (kind, failure) = match self {
            Self::Usage { .. } => ("usage", None),
            Self::Failed { failure, .. } => (failure.kind.name(), Some(failure.as_ref())),
            Self::Several { failures, .. } => {
                let first = failures.first().filter(|_| self.code() != 7).map(|first| &first.failure);
                (first.map_or("several", |first| first.kind.name()), first)
            }
            Self::Incomplete { .. } => ("incomplete", None),
            Self::Threshold { .. } => ("threshold", None),
            Self::Reported(problem) => return problem.json(),
            Self::Closed => ("closed", None),
        };
        let (message, _) = self.texts();
        let fields: Map<String, Value> = failure
            .iter()
            .flat_map(|failure| &failure.fields)
            .map(|error| (error.field.clone(), json!(error.texts)))
            .collect();
        let status = failure.and_then(|failure| failure.status);
        let mut error = json!({ "kind": kind, "message": message, "status": status, "fields": fields });
        let (failed, unsent) = self.items();
        for (name, items) in [("failed", failed), ("not_sent", unsent)] {
            if !items.is_empty() {
                error[name] = json!(items);
            }
        }
        json!({ "error": error })
    }

    /// Returns the ids, names or URLs that failed, and those that were not sent.
    fn items(&self) -> (Vec<&str>, Vec<&str>) {
        match self {
            Self::Failed { item, .. } => (item.iter().map(String::as_str).collect(), Vec::new()),
            Self::Several { failures, unsent, .. } => (
                failures.iter().map(|failed| failed.item.as_str()).collect(),
                unsent.iter().map(String::as_str).collect(),
            ),
            Self::Threshold { pages, besides, .. } => {
                let (mut failed, unsent) = besides.as_deref().map(Self::items).unwrap_or_default();
                failed.extend(pages.iter().map(String::as_str));
                (failed, unsent)
            }
            Self::Reported(problem) => problem.items(),
            Self::Usage { .. } | Self::Incomplete { .. } | Self::Closed => (Vec::new(), Vec::new()),
        }
    }
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        Self::Failed { failure: Box::new(failure), item: None }
    }
}

impl From<ConfigError> for CommandError {
    fn from(error: ConfigError) -> Self {
        Self::usage(error.sentence(), error.advice)
    }
}

impl From<CredentialError> for CommandError {
    fn from(error: CredentialError) -> Self {
        match error {
            CredentialError::Refused(error) => error.into(),
            CredentialError::File(failure) => failure.into(),
        }
    }
}

/// Converts a failed write to stdout.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::local(format!("the output cannot be written: {error}"), "Check its destination")
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

/// Formats counts: `2 of 12 failed, 3 not sent`.
fn several(failed: usize, unsent: usize, of: usize) -> String {
    match (failed, unsent) {
        (_, 0) => format!("{failed} of {of} failed"),
        (0, _) => format!("{unsent} of {of} not sent"),
        (_, _) => format!("{failed} of {of} failed, {unsent} not sent"),
    }
}

/// Prints an error on stderr and returns the exit code.
pub(super) fn report(problem: &CommandError, format: Option<Format>) -> ExitCode {
    print_error(problem);
    if wants_json(format) && !matches!(problem, CommandError::Closed) {
        print_json(&problem.json());
    }
    ExitCode::from(problem.code())
}

/// Prints an error for people, unless it is on stdout already or nobody reads the output.
pub(super) fn print_error(problem: &CommandError) {
    match problem {
        CommandError::Failed { failure, .. } => return notify_failure("", failure),
        CommandError::Reported(_) | CommandError::Closed => return,
        CommandError::Threshold { besides, .. } => besides.iter().for_each(|besides| print_error(besides)),
        CommandError::Usage { .. } | CommandError::Several { .. } | CommandError::Incomplete { .. } => {}
    }
    let (message, advice) = problem.texts();
    print_note(&format!("error: {}", with_advice(&message, &advice)));
}

/// Prints a failure: the message, then a line for each refused field.
pub(super) fn notify_failure(about: &str, failure: &Failure) {
    // The dashboard can be refreshed.
    if failure.advice == REFRESH_ADVICE {
        print_note(&format!("error: {about}{}. Use a list command to see what exists", failure.message));
    } else {
        print_note(&format!("error: {about}{failure}"));
    }
    for error in &failure.fields {
        // Many services repeat their only field error as the message, which was printed above.
        for text in error.texts.iter().filter(|text| !failure.message.contains(text.trim_end_matches('.'))) {
            print_note(&format!("  {}: {text}", error.field));
        }
    }
}

/// Prints clap's output: help and version on stdout, everything else as a usage error.
pub(super) fn report_usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let printed = error.print();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return printed.map_or_else(|error| report(&error.into(), None), |()| ExitCode::SUCCESS);
    }
    if wants_json(asked_format(arguments)) {
        print_json(&CommandError::Usage { message: usage_message(error), advice: String::new() }.json());
    }
    ExitCode::from(2)
}

/// Returns clap's message in one line, with the missing arguments.
fn usage_message(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ");
    let rest: Vec<&str> = lines.collect();
    if rest.is_empty() { first.to_owned() } else { format!("{first} {}", rest.join(", ")) }
}

/// Returns the `--format` of arguments that could not be parsed.
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

/// Prints a line on stderr without control characters. A closed stderr is ignored.
pub(super) fn print_note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", clean(line));
}

fn print_json(value: &Value) {
    let _ = writeln!(io::stderr().lock(), "{}", escape_json(&value.to_string()));
}
