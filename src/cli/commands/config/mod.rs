//! `config`: where the file is, what everything comes to, and whether the file is right.
//!
//! Must not write the file nor show a key.

mod check;
mod show;

use std::io::Write as _;

use crate::cli::args::Config;
use crate::cli::context::Setting;
use crate::cli::exit::Problem;
use crate::cli::setup::keymap;
use crate::config::file::FILE;

/// Answers the question.
pub fn run(setting: &Setting<'_>, command: Config) -> Result<(), Problem> {
    match command {
        Config::Path => path(setting),
        Config::Show => show::run(setting),
        Config::Default => Ok(std::io::stdout().lock().write_all(keymap::default_config().as_bytes())?),
        Config::Check => check::run(setting),
    }
}

fn path(setting: &Setting<'_>) -> Result<(), Problem> {
    let usual = || setting.environment.directories().map(|directories| directories.config.join(FILE));
    let path = setting.environment.named_config().or_else(usual);
    let path = path.ok_or_else(|| Problem::usage("there is no home directory", "Name a file in REPORTDECK_CONFIG"))?;
    writeln!(std::io::stdout().lock(), "{}", path.display())?;
    Ok(())
}
