//! `config`: the file's path, the settings in force, and the file's mistakes.

mod check;
mod show;

use std::io::Write as _;

use crate::cli::args::ConfigCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::setup::keymap;
use crate::config::environment::CONFIG;
use crate::config::file::FILE;

/// Runs a `config` command.
pub fn run(context: &CommandContext<'_>, command: ConfigCommand) -> Result<(), CommandError> {
    match command {
        ConfigCommand::Path => path(context),
        ConfigCommand::Show => show::run(context),
        ConfigCommand::Default => Ok(std::io::stdout().lock().write_all(keymap::default_config().as_bytes())?),
        ConfigCommand::Check => check::run(context),
    }
}

fn path(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let usual = || context.environment.directories().map(|directories| directories.config.join(FILE));
    let path = context.environment.path(CONFIG).or_else(usual);
    let path =
        path.ok_or_else(|| CommandError::usage("there is no home directory", "Set REPORTDECK_CONFIG to a file"))?;
    writeln!(std::io::stdout().lock(), "{}", path.display())?;
    Ok(())
}
