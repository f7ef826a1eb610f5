//! `man`: prints the man page with the key bindings in force, or writes the pages of all commands and of the
//! configuration file.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use clap_mangen::Man;
use roff::{Roff, bold, roman};
use strum::IntoEnumIterator as _;

use crate::cli::exit::CommandError;
use crate::cli::manual;
use crate::cli::setup::keymap::{default_config, in_force};
use crate::config::environment::Environment;
use crate::config::model::ConfigFile;
use crate::input::bindings::KeyGroup;
use crate::input::context::KeyScope;
use crate::input::keymap::Keymap;

/// Prints the page, or writes all pages into a directory.
pub fn run(all: Option<&Path>, environment: &Environment) -> Result<(), CommandError> {
    match all {
        None => {
            // Without a readable file the default bindings apply; `config check` reports its mistakes.
            let keymap = ConfigFile::load(environment).map_or_else(|_| Keymap::default(), |file| in_force(&file).0);
            Ok(io::stdout().lock().write_all(&page(command(), "reportdeck", &keymap)?)?)
        }
        Some(folder) => write_all(folder).map_err(|error| {
            let message = format!("the man pages cannot be written to {}: {error}", folder.display());
            CommandError::local(message, "Choose another directory")
        }),
    }
}

/// Returns all commands except `help`, with their full names.
fn command() -> clap::Command {
    let mut command = manual::command().disable_help_subcommand(true);
    command.build();
    command
}

/// Writes the pages of all commands, with the default key bindings, and that of the configuration file.
fn write_all(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    write_pages(folder, command(), "reportdeck")?;
    fs::write(folder.join("reportdeck-config.5"), config_page())
}

fn write_pages(folder: &Path, command: clap::Command, path: &str) -> io::Result<()> {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        write_pages(folder, sub.clone(), &format!("{path} {}", sub.get_name()))?;
    }
    fs::write(folder.join(format!("{}.1", path.replace(' ', "-"))), page(command, path, &Keymap::default())?)
}

/// Renders the page of a command. `path` is the command's full name.
fn page(command: clap::Command, path: &str, keymap: &Keymap) -> io::Result<Vec<u8>> {
    let is_first = path == "reportdeck";
    let has_commands = command.has_subcommands();
    let version = format!("reportdeck {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.after_long_help(None::<&str>).after_help(None::<&str>))
        .title(path.replace(' ', "-"))
        // An empty text would be left out, and the source would take its place.
        .date("\"\"")
        .source(version);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    let mut rest = Roff::new();
    let examples: Vec<&str> = manual::examples(path).collect();
    if !examples.is_empty() {
        rest.control("SH", ["EXAMPLES"]);
        preformatted(&mut rest, examples.into_iter());
    }
    if is_first {
        terms(&mut rest, "EXIT STATUS", &manual::EXIT_CODES);
        terms(&mut rest, "ENVIRONMENT", &manual::environment());
        terms(&mut rest, "FILES", &manual::FILES);
        keys(&mut rest, keymap);
    }
    rest.control("SH", ["SEE ALSO"]);
    rest.text([roman(if is_first {
        "reportdeck-config(5), reportdeck-reports(1), reportdeck-audit(1), reportdeck-serve(1)"
    } else {
        "reportdeck(1) for the exit status, the environment and the files of all commands"
    })]);
    page.extend(rest.to_roff().into_bytes());
    Ok(page)
}

/// Renders the page of the configuration file: the default file, which explains every option.
fn config_page() -> String {
    let mut page = Roff::new();
    page.control("TH", ["reportdeck-config", "5"]);
    page.control("SH", ["NAME"]);
    page.text([roman("reportdeck-config - the configuration file of reportdeck")]);
    page.control("SH", ["DESCRIPTION"]);
    page.text([roman(
        "A TOML file, ~/.config/reportdeck/config.toml or that of REPORTDECK_CONFIG. These are all options:",
    )]);
    preformatted(&mut page, default_config().lines());
    page.control("SH", ["SEE ALSO"]);
    page.text([roman("reportdeck(1), reportdeck-config-check(1)")]);
    page.to_roff()
}

fn preformatted<'a>(page: &mut Roff, lines: impl Iterator<Item = &'a str>) {
    page.control("PP", []);
    page.control("nf", []);
    for line in lines {
        page.text([roman(line)]);
    }
    page.control("fi", []);
}

fn terms(page: &mut Roff, heading: &str, rows: &[(&str, &str)]) {
    page.control("SH", [heading]);
    for (name, what) in rows {
        page.control("TP", []);
        page.text([bold(*name)]);
        page.text([roman(*what)]);
    }
}

/// Adds the section with the dashboard's key bindings.
fn keys(page: &mut Roff, keymap: &Keymap) {
    page.control("SH", ["KEYS"]);
    for group in KeyGroup::iter() {
        let name: &str = group.into();
        page.control("SS", [name]);
        let listed = keymap.bound().iter().filter(|bound| bound.binding.group == group && !bound.keys.is_empty());
        for bound in listed.filter(|bound| bound.binding.scope != KeyScope::RowsBesideText) {
            page.control("TP", []);
            page.text([bold(bound.keys_shown())]);
            page.text([roman(format!("{} ({})", bound.binding.help, bound.binding.action.name()))]);
        }
    }
}
