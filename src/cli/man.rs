//! `man`: the man page on stdout, or the pages of all commands as files. Must not need a configuration.

use std::io::Write as _;
use std::path::Path;

use clap::CommandFactory as _;

use super::args::Arguments;
use super::problem::Problem;

/// Prints the page, or writes all pages into a directory.
pub(super) fn run(all: Option<&Path>) -> Result<(), Problem> {
    match all {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command()).render(&mut page)?;
            Ok(std::io::stdout().lock().write_all(&page)?)
        }
        Some(folder) => {
            let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command(), folder));
            written.map_err(|error| {
                let message = format!("the man pages cannot be written to {}: {error}", folder.display());
                Problem::local(message, "Choose another directory")
            })
        }
    }
}

/// All commands but `help`, which nobody looks up.
fn command() -> clap::Command {
    Arguments::command().disable_help_subcommand(true)
}
