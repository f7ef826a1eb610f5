//! `completions`: scripts that make shells ask this program for completions, and the answers: commands, options, their
//! values, files, and the profiles of the configuration.

use std::ffi::OsString;
use std::io::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command as ClapCommand, CommandFactory as _};
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::cli::args::Arguments;
use crate::cli::exit::CommandError;
use crate::cli::option_check;
use crate::config::environment::{COMPLETE, Environment};
use crate::config::model::{ConfigFile, EMBEDDED};
use crate::domain::text::is_plain_word;

/// The name by which the scripts call the program.
const PROGRAM: &str = "reportdeck";
/// zsh reads a script in `fpath` at the first completion, which the function in it has to answer.
const ZSH_AUTOLOAD: &str =
    "if [ \"$funcstack[1]\" = _reportdeck ]; then _clap_dynamic_completer_reportdeck \"$@\"; fi\n";

/// Prints the script of a shell.
pub fn run(shell: Shell) -> Result<(), CommandError> {
    let mut text = Vec::new();
    if let Some(shells) = Shells::builtins().completer(&shell.to_string()) {
        shells.write_registration(COMPLETE, PROGRAM, PROGRAM, PROGRAM, &mut text)?;
    }
    if shell == Shell::Zsh {
        text.extend_from_slice(ZSH_AUTOLOAD.as_bytes());
    }
    Ok(std::io::stdout().lock().write_all(&text)?)
}

/// Answers a script: the arguments are those of the script, `--`, and the words of the command line. Returns `None` if
/// no script calls.
pub fn answer(arguments: &[OsString], environment: &Environment) -> Option<Result<(), CommandError>> {
    let shells = Shells::builtins();
    let shell = shells.completer(environment.text(COMPLETE)?)?;
    let mut words: Vec<OsString> = arguments.iter().skip_while(|word| *word != "--").skip(1).cloned().collect();
    if words.is_empty() {
        return None;
    }
    join_values(&mut words);
    let folder = std::env::current_dir().ok();
    let mut text = Vec::new();
    let written = shell.write_complete(&mut command(environment), words, folder.as_deref(), &mut text);
    Some(written.and_then(|()| std::io::stdout().lock().write_all(&text)).map_err(CommandError::from))
}

/// Makes `--option`, `=`, `value`, as bash splits them, an option and its value. The number of words stays, because the
/// script counts them: `--=` is no option, and is skipped.
fn join_values(words: &mut [OsString]) {
    for at in 1..words.len() {
        if words[at] == "=" && words[at - 1].as_encoded_bytes().starts_with(b"--") {
            words.swap(at - 1, at);
            words[at - 1] = "--=".into();
        }
    }
}

/// Returns all commands, with the options that each accepts and the names of the profiles.
fn command(environment: &Environment) -> ClapCommand {
    // `config check` reports the mistakes of an unreadable file.
    let file = ConfigFile::load(environment).unwrap_or_default();
    let profiles: Vec<String> = file.profiles.into_keys().filter(|name| is_plain_word(name)).collect();
    let with_embedded = profiles.iter().cloned().chain([EMBEDDED.to_owned()]).collect();
    let named = |names: Vec<String>| move |argument: Arg| argument.value_parser(PossibleValuesParser::new(names));
    let mut command = Arguments::command().mut_arg("profile", named(with_embedded));
    if !profiles.is_empty() {
        for name in ["login", "logout"] {
            let names = profiles.clone();
            command = command.mut_subcommand(name, |command| command.mut_arg("name", named(names)));
        }
    }
    without_hidden(&option_check::hide_ignored(command)).propagate_version(true)
}

/// Returns a command without hidden options, which the library offers where nothing else fits.
fn without_hidden(command: &ClapCommand) -> ClapCommand {
    let options = command.get_arguments().filter(|option| !option.is_hide_set());
    ClapCommand::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .version(env!("REPORTDECK_VERSION"))
        // A global option would be added to every subcommand again.
        .args(options.map(|option| option.clone().global(false)))
        .subcommands(command.get_subcommands().map(without_hidden))
}
