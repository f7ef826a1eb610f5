//! `config`: where the file is, what everything comes to, and whether the file is right.
//!
//! Must not write the file nor show a key.

mod check;
mod show;

use std::io::Write as _;

use super::args::Config;
use super::keymap;
use super::problem::Problem;
use super::setting::Setting;
use crate::config::file::FILE;

/// Answers the question.
pub(super) fn run(setting: &Setting<'_>, command: Config) -> Result<(), Problem> {
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
