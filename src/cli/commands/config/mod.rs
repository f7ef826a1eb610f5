//! `config`: the file's path, the settings in force, and the file's mistakes.

mod check;
mod show;

use std::io::Write as _;

use crate::cli::args::ConfigCommand;
use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::setup::keymap;
use crate::config::model::ConfigFile;

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
    let path = ConfigFile::path_of(context.environment)
        .ok_or_else(|| CommandError::usage("there is no home directory", "Set REPORTDECK_CONFIG to a file"))?;
    writeln!(std::io::stdout().lock(), "{}", path.display())?;
    Ok(())
}
