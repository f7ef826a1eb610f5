//! The global options that each command accepts. Others are hidden from its help and refused, as are those given twice.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::cli::exit::CommandError;
use crate::config::model::EMBEDDED;

/// Options of commands that read from a service and print the response.
const SERVICE: &[&str] = &["profile", "base_url", "read_only", "data", "format", "timeout"];
/// `--read-only` is accepted by every command that changes nothing.
const READ_ONLY: &[&str] = &["read_only"];
/// The option that goes with no command.
const SAMPLE: &str = "sample";

/// The accepted options by command path; an entry includes the subcommands.
const ACCEPTED: &[(&str, &[&str])] = &[
    ("", &["profile", "base_url", "read_only", "view", "overview", "data"]),
    ("reports", SERVICE),
    ("projects", SERVICE),
    ("doctor", SERVICE),
    ("audit", &["read_only", "format"]),
    ("changes", SERVICE),
    ("desk", &["profile", "base_url", "read_only", "format", "timeout"]),
    ("config path", READ_ONLY),
    ("config default", READ_ONLY),
    ("config show", SERVICE),
    ("config check", &["profile", "base_url", "read_only", "data", "format"]),
    ("login", &["profile", "base_url", "read_only", "format", "timeout"]),
    ("logout", &["profile", "read_only"]),
    ("completions", READ_ONLY),
    ("man", READ_ONLY),
    ("serve", &["data"]),
    ("worker", &[]),
    ("store", &["data", "format"]),
    ("keys", &["read_only", "data", "format"]),
];
/// The options that `--sample` accepts.
const ACCEPTED_BY_SAMPLE: &[&str] = &["read_only", "view", "overview"];

/// Returns all options in the table, some of them several times.
fn all() -> impl Iterator<Item = &'static str> {
    ACCEPTED.iter().flat_map(|(_, options)| *options).copied()
}

/// Whether a command, or one of its subcommands, accepts an option.
fn is_accepted(path: &str, option: &str) -> bool {
    ACCEPTED.iter().any(|(command, options)| is_within(path, command) && options.contains(&option))
}

/// Whether a path names a command of this entry, or a group that contains it.
fn is_within(path: &str, entry: &str) -> bool {
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '));
    path == entry || (!entry.is_empty() && !path.is_empty() && (begins(path, entry) || begins(entry, path)))
}

/// Hides the options that a command does not accept from its help, its man page and its subcommands.
pub(super) fn hide_ignored(command: Command) -> Command {
    let globals: Vec<Arg> = command.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    with_options(command, "", &globals)
}

/// Adds the global options here, because clap would otherwise copy them as they are in the parent.
fn with_options(mut command: Command, path: &str, globals: &[Arg]) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |sub| with_options(sub, &joined(path, &name), globals));
    }
    if path.is_empty() {
        return command;
    }
    command.args(globals.iter().map(|option| option.clone().hide(!is_accepted(path, option.get_id().as_str()))))
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path} {name}") }
}

/// Returns how an option is written.
fn flag(option: &str) -> String {
    format!("--{}", option.replace('_', "-"))
}

/// Whether an option is given twice. clap refuses that at one place, and ignores an option before the command if it is
/// also given after it.
fn is_given_twice(option: &str, arguments: &[OsString]) -> bool {
    let flag = flag(option);
    let options = arguments.iter().take_while(|word| *word != "--").map(|word| word.to_string_lossy());
    let is_it = |word: &str| word.strip_prefix(&flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
    options.filter(|word| is_it(word)).count() > 1
}

/// Refuses the first option that the command does not accept, or that is given twice.
pub(super) fn check(matches: &ArgMatches, arguments: &[OsString]) -> Result<(), CommandError> {
    if let Some(twice) = all().find(|option| is_given_twice(option, arguments)) {
        return Err(CommandError::usage(format!("{} is given twice", flag(twice)), "Leave one of them out"));
    }
    let (mut path, mut leaf) = (String::new(), matches);
    while let Some((name, sub)) = leaf.subcommand() {
        path = joined(&path, name);
        leaf = sub;
    }
    let is_given = |option: &str| matches.value_source(option) == Some(ValueSource::CommandLine);
    let is_sample = path.is_empty() && is_given(SAMPLE);
    let accepts =
        |option: &str| if is_sample { ACCEPTED_BY_SAMPLE.contains(&option) } else { is_accepted(&path, option) };
    // Commands for the embedded service alone accept it as the profile.
    let is_needless = |option: &str| {
        let profile = matches.get_one::<String>("profile");
        option == "profile" && profile.is_some_and(|profile| profile == EMBEDDED) && accepts("data")
    };
    match all().find(|option| is_given(option) && !accepts(option) && !is_needless(option)) {
        None => Ok(()),
        Some(option) => {
            let option = flag(option);
            let entry = ACCEPTED.iter().find(|(command, _)| is_within(&path, command));
            let name = match entry {
                _ if is_sample => "--sample",
                Some((name, _)) if !name.is_empty() => name,
                _ => "the dashboard",
            };
            Err(CommandError::usage(format!("{name} does not accept {option}"), format!("Leave {option} out")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    use crate::cli::args::Arguments;

    /// The paths of all commands without subcommands.
    fn leaves(command: &Command, path: &str) -> Vec<String> {
        if !command.has_subcommands() {
            return vec![path.to_owned()];
        }
        let below = |sub: &Command| leaves(sub, &joined(path, sub.get_name()));
        command.get_subcommands().flat_map(below).collect()
    }

    #[test]
    fn every_command_has_an_entry_and_every_entry_a_command() {
        let paths = leaves(&Arguments::command(), "");
        for path in &paths {
            assert!(ACCEPTED.iter().any(|(entry, _)| is_within(path, entry)), "{path} has no entry");
        }
        for (entry, _) in &ACCEPTED[1..] {
            assert!(paths.iter().any(|path| is_within(path, entry)), "{entry} is not a command");
        }
        let command = Arguments::command();
        for option in all() {
            assert!(command.get_arguments().any(|argument| argument.get_id() == option), "{option} is not an option");
        }
        for argument in command.get_arguments().filter(|argument| argument.get_id() != SAMPLE) {
            let option = argument.get_id().as_str();
            assert!(
                all().any(|accepted| accepted == option),
                "ACCEPTED names no command that accepts {option}: add it"
            );
        }
    }

    #[test]
    fn the_help_of_a_command_shows_the_options_that_it_accepts() {
        let mut command = hide_ignored(Arguments::command());
        command.build();
        for path in leaves(&Arguments::command(), "") {
            let leaf = path.split(' ').fold(&command, |found, name| found.find_subcommand(name).unwrap());
            for option in leaf.get_arguments().filter(|option| all().any(|accepted| option.get_id() == accepted)) {
                assert_eq!(option.is_hide_set(), !is_accepted(&path, option.get_id().as_str()), "{path} {option}");
            }
        }
    }
}
