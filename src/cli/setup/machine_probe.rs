//! Findings of `doctor` on this machine: configuration, terminal, keyring, and stored files.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use super::service_probe::Finding;
use crate::cli::context::CommandContext;
use crate::config::credentials;
use crate::config::environment::Environment;
use crate::config::model::ConfigFile;
use crate::config::regular_file;
use crate::domain::look::terminal_env::Colours;
use crate::domain::text::clean;
use crate::journal::Journal;
use crate::service::backups::{BackupError, check_database, find_read_only};
use crate::service::{database_of, has_data};

/// What to do about a database that this user cannot open or write.
const ACCESS_ADVICE: &str = "Make it and its files readable and writable for this user";

/// Returns all findings except that of the configuration.
pub fn findings(context: &CommandContext<'_>) -> Vec<Finding> {
    let environment = context.environment;
    let mut findings = vec![terminal(environment), colours(environment), letters(environment)];
    findings.extend(multiplexers_and_ssh(environment));
    findings.push(match credentials::keyring_status(environment) {
        Ok(()) => Finding::ok("keyring", "available"),
        Err(error) => Finding::note("keyring", format!("none: {}", error.message), error.advice),
    });
    findings.push(journal(context));
    // Without a valid configuration, whose errors are findings already, only the option names a directory.
    if context.options.data.is_some() || context.config().is_ok() {
        findings.push(data(context));
    }
    findings
}

/// Returns the finding of a loaded configuration file.
pub fn configuration(file: &ConfigFile) -> Finding {
    let Some(path) = &file.path else {
        return Finding::note("configuration", "no home directory", "Set REPORTDECK_CONFIG to a file");
    };
    // It may name programs to run. Its group may be the user's own.
    let mode = regular_file::mode_granting(0o002, path);
    let path = path.display().to_string();
    if let Some(mode) = mode {
        let found = format!("everybody can write {path} (mode {mode:03o})");
        return Finding::note("configuration", found, format!("chmod 644 {path}"));
    }
    match (file.exists, file.warnings.len()) {
        (false, _) => Finding::ok("configuration", format!("{path} does not exist (optional)")),
        (true, 0) => Finding::ok("configuration", path),
        (true, count) => {
            Finding::note("configuration", format!("{path}, with warnings: {count}"), "They are listed above")
        }
    }
}

/// Returns a finding for each error of the configuration file.
pub fn configuration_errors(environment: &Environment) -> Vec<Finding> {
    let errors = ConfigFile::examine(environment).map_or_else(|unreadable| vec![unreadable], |file| file.errors);
    errors.into_iter().map(|error| Finding::failed("configuration", error.sentence(), error.advice)).collect()
}

fn terminal(environment: &Environment) -> Finding {
    let term = environment.text("TERM");
    let name = term.unwrap_or("TERM is not set");
    if !std::io::stdout().is_terminal() {
        let found = format!("{name}; the output is not a terminal");
        return Finding::note("terminal", found, "The dashboard needs a terminal");
    }
    let size = crossterm::terminal::size().map(|(columns, rows)| format!(", {columns}×{rows}")).unwrap_or_default();
    let found = format!("{name}{size}");
    match term {
        None | Some("dumb") => {
            Finding::note("terminal", found, "Set TERM to the type of the terminal, for example xterm-256color")
        }
        Some(_) => Finding::ok("terminal", found),
    }
}

fn colours(environment: &Environment) -> Finding {
    // The dashboard decides by the same rule.
    let found = match (environment.terminal().colours, environment.text("TERM")) {
        (Colours::None, _) if environment.without_colour() => "none, because NO_COLOR is set".to_owned(),
        (Colours::None, Some(term)) => format!("none, because TERM is {}", clean(term)),
        (Colours::None, None) => "none, because TERM is not set".to_owned(),
        (Colours::Sixteen, _) => "16".to_owned(),
        (Colours::Many, _) => "256".to_owned(),
        (Colours::True, _) => "16 million".to_owned(),
    };
    Finding::ok("colours", found)
}

fn letters(environment: &Environment) -> Finding {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| environment.text(name));
    let shown = locale.unwrap_or("no locale is set; UTF-8 is assumed");
    // The dashboard decides by the same rule.
    if environment.terminal().is_utf8 {
        Finding::ok("letters", shown)
    } else {
        let advice = "Choose a UTF-8 locale; until then frames and symbols are ASCII";
        Finding::note("letters", format!("{shown} is not UTF-8"), advice)
    }
}

/// Returns findings about multiplexers and ssh between program and terminal.
fn multiplexers_and_ssh(environment: &Environment) -> Vec<Finding> {
    let mut findings = Vec::new();
    if environment.text("TMUX").is_some() {
        findings.push(Finding::ok("tmux", "yes; copying needs `set -g set-clipboard on` in tmux.conf"));
    }
    if environment.text("STY").is_some() {
        let found = "yes; copying may not reach the terminal";
        findings.push(Finding::note("screen", found, "Use tmux, or no multiplexer"));
    }
    if environment.text("SSH_CONNECTION").or_else(|| environment.text("SSH_TTY")).is_some() {
        findings.push(Finding::ok("ssh", "yes; copying goes through the terminal (OSC 52)"));
    }
    findings
}

fn journal(context: &CommandContext<'_>) -> Finding {
    let Some(path) = context.journal() else {
        return Finding::note("journal", "no home directory", "Nothing is stored; set HOME");
    };
    let shown = path.display();
    // A link without a target exists, too.
    let checked = if path.is_symlink() || path.exists() { Journal::check(&path).map(Some) } else { Ok(None) };
    let is_earlier = match checked {
        Ok(is_earlier) => is_earlier,
        Err(failure) => return Finding::failed("journal", failure.message, failure.advice),
    };
    if let Err(error) = try_writing(path.parent().unwrap_or(Path::new("."))) {
        let advice = "Make its directory writable or free some space; until then nothing is stored";
        return Finding::failed("journal", format!("{shown} cannot be written: {error}"), advice);
    }
    match is_earlier {
        None => Finding::ok("journal", format!("{shown} does not exist yet")),
        Some(false) => Finding::ok("journal", shown.to_string()),
        Some(true) => Finding::note(
            "journal",
            format!("{shown} is of an earlier version"),
            "The first start of this version upgrades it, and earlier versions store nothing in it then. Copy it first if \
             you may go back",
        ),
    }
}

/// Writes a temporary file in a directory. A missing one would be created inside its nearest existing parent.
fn try_writing(folder: &Path) -> io::Result<()> {
    // A full disk still creates empty files.
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let mut file = tempfile::tempfile_in(there)?;
    file.write_all(&[0; 4096])?;
    file.sync_all()
}

/// Returns a note if other users of this machine can open the database of a data directory.
pub fn open_to_others(data: &Path) -> Option<String> {
    // Nobody else can enter a private directory.
    regular_file::mode_granting(0o011, data)?;
    let database = database_of(data);
    let mode = regular_file::mode_granting(0o066, &database)?;
    Some(format!("other users can open {} (mode {mode:03o})", database.display()))
}

/// Returns the finding of the data directory.
pub fn data(context: &CommandContext<'_>) -> Finding {
    let data = match context.data() {
        Ok(data) => data,
        Err(problem) => {
            let (found, advice) = problem.texts();
            return Finding::note("data", found, advice);
        }
    };
    let shown = data.display();
    let written = try_writing(&data);
    if has_data(&data) {
        let checked = check_database(&data);
        if let Err(BackupError::Damaged { path, found }) = &checked {
            let found = format!("{} is damaged: {found}", path.display());
            return Finding::failed("data", found, "Restore it from a backup");
        }
        // As after a command that root ran in the directory of the service's user.
        if let (Err(BackupError::File { path, error }), Ok(())) = (&checked, &written) {
            let found = format!("{} cannot be opened: {error}", path.display());
            return Finding::failed("data", found, ACCESS_ADVICE);
        }
        if let (Some((file, error)), Ok(())) = (find_read_only(&data), &written) {
            let found = format!("{} cannot be written: {error}", file.display());
            return Finding::failed("data", found, ACCESS_ADVICE);
        }
    }
    match written {
        Ok(()) if data.exists() => match open_to_others(&data) {
            Some(found) => Finding::note("data", found, "chmod 600 the file or chmod 700 its directory"),
            None => Finding::ok("data", format!("{shown}, writable")),
        },
        Ok(()) => Finding::ok("data", format!("{shown} does not exist yet")),
        Err(error) => Finding::note(
            "data",
            format!("{shown} cannot be written: {error}"),
            "Make it writable or free some space, or choose another with --data",
        ),
    }
}
