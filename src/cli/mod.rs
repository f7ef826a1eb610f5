//! The command line: options, commands, output formats.
//!
//! Every command returns `Ok` or a `CommandError`, which becomes the exit code.

mod args;
mod bulk;
mod commands;
mod context;
mod exit;
mod input;
mod manual;
mod option_check;
mod output;
mod service_args;
mod setup;
mod value_parsers;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches as _;

use crate::config::environment::Environment;
use args::{Arguments, Command};
use commands::{
    audit, changes, completions, config, dashboard, desk, doctor, keys, login, man, projects, reports, sample, serve,
    store, worker,
};
use context::CommandContext;
use exit::CommandError;

/// Runs a command, prints its error, and returns the exit code.
pub fn run(arguments: &[OsString], environment: &Environment) -> ExitCode {
    if let Some(answered) = completions::answer(arguments, environment) {
        return answered.map_or_else(|problem| exit::report(&problem, None), |()| ExitCode::SUCCESS);
    }
    // Installs the process-wide TLS provider. A second call fails, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let matches = manual::command().try_get_matches_from(arguments);
    let parsed = matches.and_then(|matches| Ok((Arguments::from_arg_matches(&matches)?, matches)));
    let (parsed, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return exit::report_usage(&error, arguments),
    };
    let format = parsed.global.format;
    match option_check::check(&matches, arguments).and_then(|()| perform(parsed, environment)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => exit::report(&problem, format),
    }
}

fn perform(arguments: Arguments, environment: &Environment) -> Result<(), CommandError> {
    let Arguments { global, sample, command } = arguments;
    if sample && command.is_some() {
        return Err(CommandError::usage(
            "--sample opens the dashboard and cannot be combined with a command",
            "Leave one of them out",
        ));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::local(format!("the program cannot start its threads: {error}"), "Try again"))?;
    let context = CommandContext::new(global, environment);
    #[cfg(unix)]
    fail_writes_beyond_the_file_size_limit(&runtime);
    let ended = runtime.block_on(async {
        match command {
            None if sample => sample::run(&context).await,
            None => dashboard::run(&context).await,
            Some(Command::Reports(command)) => reports::run(&context, command).await,
            Some(Command::Projects(command)) => projects::run(&context, command).await,
            Some(Command::Audit(options)) => audit::run(&context, &options).await,
            Some(Command::Desk(command)) => desk::run(&context, command).await,
            Some(Command::Changes { since }) => changes::run(&context, since).await,
            Some(Command::Config(command)) => config::run(&context, command),
            Some(Command::Login(options)) => login::run(&context, &options).await,
            Some(Command::Logout { name }) => login::forget(&context, name.as_deref()),
            Some(Command::Doctor) => doctor::run(&context).await,
            Some(Command::Completions { shell }) => completions::run(shell),
            Some(Command::Man { all }) => man::run(all.as_deref(), context.environment),
            Some(Command::Serve(options)) => serve::run(&context, &options).await,
            Some(Command::Worker) => worker::run(&context).await,
            Some(Command::Store(command)) => store::run(&context, command).await,
            Some(Command::Keys(command)) => keys::run(&context, command).await,
        }
    });
    // Each command has finished whatever must be finished.
    runtime.shutdown_background();
    ended
}

/// Handles SIGXFSZ, which otherwise kills the process: a write to a file at its size limit (`ulimit -f`) fails instead.
#[cfg(unix)]
fn fail_writes_beyond_the_file_size_limit(runtime: &tokio::runtime::Runtime) {
    use tokio::signal::unix::{SignalKind, signal};
    let _context = runtime.enter();
    // The handler stays when its listener is dropped.
    let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
}
