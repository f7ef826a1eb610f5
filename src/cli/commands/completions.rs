//! `completions`: shell completions of commands, options and the profile names of the current configuration.

use std::io::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command as ClapCommand, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::args::Arguments;
use crate::cli::exit::CommandError;
use crate::cli::option_check;
use crate::config::environment::Environment;
use crate::config::model::ConfigFile;
use crate::config::model::EMBEDDED;

/// Prints the completions.
pub fn run(shell: Shell, environment: &Environment) -> Result<(), CommandError> {
    // `config check` reports the mistakes of an unreadable file.
    let file = ConfigFile::load(environment).unwrap_or_default();
    let profiles: Vec<String> = file.profiles.into_keys().filter(|name| is_plain(name)).collect();
    let with_embedded = profiles.iter().cloned().chain([EMBEDDED.to_owned()]).collect();
    let named = |names: Vec<String>| move |argument: Arg| argument.value_parser(PossibleValuesParser::new(names));
    let mut command = Arguments::command().mut_arg("profile", named(with_embedded));
    if !profiles.is_empty() {
        for name in ["login", "logout"] {
            let names = profiles.clone();
            command = command.mut_subcommand(name, |command| command.mut_arg("name", named(names)));
        }
    }
    let mut command = without_hidden(&option_check::hide_ignored(command)).propagate_version(true);
    // Generated in memory, because the library panics if its output is closed.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "reportdeck", &mut text);
    Ok(std::io::stdout().lock().write_all(&text)?)
}

/// Returns a command without hidden options, which the library would offer.
fn without_hidden(command: &ClapCommand) -> ClapCommand {
    let options = command.get_arguments().filter(|option| !option.is_hide_set());
    ClapCommand::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .version(env!("REPORTDECK_VERSION"))
        // A global option would be added to every subcommand again.
        .args(options.map(|option| option.clone().global(false)))
        .subcommands(command.get_subcommands().map(without_hidden))
}

/// Whether shells read the name as a plain word.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
