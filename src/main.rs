//! Hands the arguments and the environment to the command line and its exit code to the system.

use std::process::ExitCode;

use reportdeck::cli;
use reportdeck::config::environment::Environment;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    cli::run(&arguments, &Environment::of_this_process())
}
