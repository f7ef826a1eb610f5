//! `config`: where the file is, what everything comes to, and whether the file is right.
//!
//! Must not write the file nor show a key.

use std::io::Write as _;

use serde_json::json;

use super::args::{Config, Format};
use super::format::Shape;
use super::format::record::Record;
use super::keymap;
use super::problem::{Problem, say};
use super::setting::{Setting, Target, address};
use crate::config::choice::{Elsewhere, Source, of_profile};
use crate::config::file::{ConfigFile, FILE};

const SETTINGS: &[&str] = &["setting", "value", "from"];

/// Answers the question.
pub(super) fn run(setting: &Setting<'_>, command: Config) -> Result<(), Problem> {
    match command {
        Config::Path => path(setting),
        Config::Show => show(setting),
        Config::Default => Ok(std::io::stdout().lock().write_all(keymap::default_config().as_bytes())?),
        Config::Check => check(setting),
    }
}

fn path(setting: &Setting<'_>) -> Result<(), Problem> {
    let usual = || setting.environment.directories().map(|directories| directories.config.join(FILE));
    let path = setting.environment.named_config().or_else(usual);
    let path = path.ok_or_else(|| Problem::usage("there is no home directory", "Name a file in REPORTDECK_CONFIG"))?;
    writeln!(std::io::stdout().lock(), "{}", path.display())?;
    Ok(())
}

fn show(setting: &Setting<'_>) -> Result<(), Problem> {
    let target = setting.target()?;
    let read_only = setting.is_read_only(&target).to_string();
    let mut rows = match target {
        Target::Embedded(data) => vec![
            ("service", "embedded".to_owned(), String::new()),
            ("data", data.display().to_string(), by_option(setting.options.data.is_some())),
        ],
        Target::Elsewhere(base, elsewhere) => elsewhere_rows(base.as_str(), &elsewhere),
    };
    rows.push(("read_only", read_only, by_option(setting.options.read_only)));
    if let Some(journal) = setting.journal() {
        rows.push(("journal", journal.display().to_string(), String::new()));
    }
    let mut printer = Format::chosen(setting.options.format).printer(Shape::Many, SETTINGS);
    for (name, value, from) in rows {
        let json = json!({ "setting": name, "value": value, "from": from });
        printer.record(&Record::new(json, vec![name.to_owned(), value, from]))?;
    }
    Ok(printer.finish()?)
}

fn by_option(given: bool) -> String {
    if given { "option".to_owned() } else { String::new() }
}

fn elsewhere_rows(base: &str, elsewhere: &Elsewhere) -> Vec<(&'static str, String, String)> {
    let from = match &elsewhere.said_by {
        Source::Option => "--base-url".to_owned(),
        Source::Variable => "REPORTDECK_BASE_URL".to_owned(),
        Source::Profile(place) => place.to_string(),
    };
    let service = if elsewhere.name.is_empty() { "elsewhere".to_owned() } else { elsewhere.name.clone() };
    vec![
        ("service", service, from.clone()),
        ("base_url", base.to_owned(), from),
        ("api_key", "set, not shown".to_owned(), elsewhere.key_from.clone()),
        ("allow_insecure", elsewhere.allow_insecure.to_string(), String::new()),
    ]
}

/// Every profile is tried, not only the one in use.
fn check(setting: &Setting<'_>) -> Result<(), Problem> {
    if let Err(first) = ConfigFile::load(setting.environment) {
        for error in &first.others {
            say(&format!("error: {error}"));
        }
        return Err(first.into());
    }
    let file = setting.config()?;
    let target = setting.target();
    // The profile in use has been tried by now: its command is not run again.
    let used = match &target {
        Ok(Target::Elsewhere(_, elsewhere)) => elsewhere.name.as_str(),
        Ok(Target::Embedded(_)) | Err(_) => "",
    };
    let wrong = wrong_profiles(setting, file, used);
    if let Some((first, rest)) = wrong.split_first() {
        for problem in rest.iter().rev() {
            if let Problem::Usage { message, advice } = problem {
                say(&format!("error: {message}. {advice}"));
            }
        }
        let Problem::Usage { message, advice } = first else { return Ok(()) };
        return Err(Problem::usage(message.clone(), advice.clone()));
    }
    target?;
    let path = file.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let told = if !file.warnings.is_empty() {
        format!("{path} works, with warnings: {}", file.warnings.len())
    } else if file.exists {
        format!("{path} is right")
    } else {
        format!("{path} is not there, and need not be")
    };
    writeln!(std::io::stdout().lock(), "{told}")?;
    Ok(())
}

fn wrong_profiles(setting: &Setting<'_>, file: &ConfigFile, used: &str) -> Vec<Problem> {
    let others = file.profiles.iter().filter(|(name, _)| *name != used);
    let tried = others.filter_map(|(name, profile)| {
        let found = of_profile(name, profile, setting.environment, file).map_err(Problem::from);
        found.and_then(|elsewhere| address(&elsewhere)).err()
    });
    tried.collect()
}
