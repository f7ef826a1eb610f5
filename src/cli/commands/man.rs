//! `man`: the man page on stdout, or the pages of all commands as files. The printed page has the keys that are in
//! force.

use std::io::Write as _;
use std::path::Path;

use clap::CommandFactory as _;
use roff::{Roff, bold, roman};
use strum::IntoEnumIterator as _;

use crate::cli::args::Arguments;
use crate::cli::exit::CommandError;
use crate::cli::setup::keymap::in_force;
use crate::config::environment::Environment;
use crate::config::model::ConfigFile;
use crate::input::bindings::KeyGroup;
use crate::input::context::KeyScope;
use crate::input::keymap::Keymap;

/// Prints the page, or writes all pages into a directory.
pub fn run(all: Option<&Path>, environment: &Environment) -> Result<(), CommandError> {
    match all {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command()).render(&mut page)?;
            // Without a readable file the default keys count; `config check` reports its mistakes.
            let keymap = ConfigFile::load(environment).map_or_else(|_| Keymap::default(), |file| in_force(&file).0);
            page.extend(keys(&keymap).to_roff().into_bytes());
            Ok(std::io::stdout().lock().write_all(&page)?)
        }
        Some(folder) => write_all(folder).map_err(|error| {
            let message = format!("the man pages cannot be written to {}: {error}", folder.display());
            CommandError::local(message, "Choose another directory")
        }),
    }
}

/// The pages of all commands, with the default keys.
fn write_all(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command(), folder)?;
    let mut page = std::fs::OpenOptions::new().append(true).open(folder.join("reportdeck.1"))?;
    page.write_all(keys(&Keymap::default()).to_roff().as_bytes())
}

/// The section of the keys of the dashboard.
fn keys(keymap: &Keymap) -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["KEYS"]);
    for group in KeyGroup::iter() {
        let name: &str = group.into();
        section.control("SS", [name]);
        let listed = keymap.bound().iter().filter(|bound| bound.binding.group == group && !bound.keys.is_empty());
        for bound in listed.filter(|bound| bound.binding.scope != KeyScope::RowsBesideText) {
            section.control("TP", []);
            section.text([bold(bound.keys_shown())]);
            section.text([roman(format!("{} ({})", bound.binding.help, bound.binding.action.name()))]);
        }
    }
    section
}

/// All commands except `help`.
fn command() -> clap::Command {
    Arguments::command().disable_help_subcommand(true)
}
