//! `completions`: what a shell needs to complete our commands and options. Must not need a configuration.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::Arguments;
use super::problem::Problem;

/// Prints the completions.
pub(super) fn run(shell: Shell) -> Result<(), Problem> {
    // Into memory first: the library panics where its output is closed.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "reportdeck", &mut text);
    Ok(std::io::stdout().lock().write_all(&text)?)
}
