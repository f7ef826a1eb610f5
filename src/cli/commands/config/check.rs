//! `config check`: every mistake of the file in line order, the key source of every profile, and the form of the
//! database URL.
//!
//! Without `--format`, mistakes go to stderr as warnings and errors; with it, they are records on stdout.

use std::io::Write as _;

use serde_json::json;

use crate::cli::context::{CommandContext, address, database, parse_address};
use crate::cli::exit::{CommandError, print_note};
use crate::cli::output::column::MISTAKE;
use crate::cli::output::record::Record;
use crate::cli::setup::keymap;
use crate::config::choice::{RemoteService, choose, of_profile, profile_name};
use crate::config::error::ConfigError;
use crate::config::model::{ConfigFile, ExaminedFile};
use crate::domain::text::clean;

/// One mistake.
struct Mistake {
    /// Otherwise a warning.
    is_error: bool,
    mistake: ConfigError,
}

/// Prints all mistakes. If one is an error, the exit code is 2.
pub fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let (file, mistakes) = match ConfigFile::examine(context.environment) {
        Ok(examined) => mistakes_of(context, examined),
        Err(unreadable) => (ConfigFile::default(), vec![unreadable.into()]),
    };
    let errors = mistakes.iter().filter(|mistake| mistake.is_error).count();
    if context.options.format.is_some() {
        context.print_list(MISTAKE, mistakes.iter().map(Mistake::record), "mistakes")?;
    } else {
        for mistake in &mistakes {
            print_note(&format!("{}: {}", mistake.level(), mistake.mistake));
        }
        if errors == 0 {
            writeln!(std::io::stdout().lock(), "{}", conclusion(&file, mistakes.len()))?;
        }
    }
    match mistakes.iter().find(|mistake| mistake.is_error) {
        None => Ok(()),
        Some(first) => {
            let more = if errors > 1 { format!(" (and {} more)", errors - 1) } else { String::new() };
            let ConfigError { advice, .. } = &first.mistake;
            let problem = CommandError::usage(format!("{}{more}", first.mistake.sentence()), advice.clone());
            Err(CommandError::Reported(Box::new(problem)))
        }
    }
}

fn conclusion(file: &ConfigFile, warnings: usize) -> String {
    let path = file.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    match (warnings, file.exists) {
        (0, true) => format!("{path} is valid"),
        (0, false) => format!("{path} does not exist (optional)"),
        (warnings, _) => format!("{path} is valid, with warnings: {warnings}"),
    }
}

/// Returns all errors and warnings in line order.
fn mistakes_of(context: &CommandContext<'_>, examined: ExaminedFile) -> (ConfigFile, Vec<Mistake>) {
    let ExaminedFile { file, errors, broken_profiles } = examined;
    let (_, about_keys) = keymap::in_force(&file);
    let mut mistakes: Vec<Mistake> = errors.into_iter().map(Mistake::from).collect();
    mistakes.extend(file.warnings.iter().cloned().chain(about_keys).map(Mistake::warning));
    let chosen = choose(&context.asked(), context.environment, &file);
    let used = match &chosen {
        Ok(Some(elsewhere)) => elsewhere.name.clone(),
        Ok(None) | Err(_) => String::new(),
    };
    // The profile in use is tried below, so that its command runs only once.
    for (name, profile) in file.profiles.iter().filter(|(name, _)| !broken_profiles.contains(*name)) {
        // Checked even if there is no key.
        for (url, field) in
            profile.base_url.iter().map(|url| (url, "")).chain(profile.desk.iter().map(|url| (url, "desk: ")))
        {
            if let Err(error) = parse_address(&url.value, field, profile.allow_insecure) {
                add(error.at(file.place(url.line)).into(), &mut mistakes);
            }
        }
        if *name != used {
            add_tried(of_profile((name, profile), None, context.environment, &file), &mut mistakes);
        }
    }
    match chosen {
        Ok(None) => {}
        Ok(Some(elsewhere)) => add_tried(Ok(elsewhere), &mut mistakes),
        // The mistakes of a broken profile are reported already.
        Err(_)
            if profile_name(context.options.profile.as_deref(), context.environment, &file)
                .is_some_and(|name| broken_profiles.contains(name)) => {}
        Err(error) => add(error.into(), &mut mistakes),
    }
    if let Err(error) = database(&file, context.environment) {
        add(error.into(), &mut mistakes);
    }
    // Mistakes without a line come last.
    mistakes.sort_by_key(|Mistake { mistake, .. }| {
        mistake.place.as_ref().map_or(usize::MAX, |place| place.line.unwrap_or_default())
    });
    (file, mistakes)
}

/// Adds the mistakes found by trying a profile: its key, its address, and the key's storage.
fn add_tried(found: Result<RemoteService, ConfigError>, mistakes: &mut Vec<Mistake>) {
    match found {
        Err(error) => add(error.into(), mistakes),
        Ok(elsewhere) => {
            if let Err(error) = address(&elsewhere) {
                add(error.into(), mistakes);
            }
            if let Some(note) = elsewhere.note {
                add(Mistake::warning(ConfigError::new(note, "")), mistakes);
            }
        }
    }
}

/// Adds a mistake unless it is known.
fn add(mistake: Mistake, mistakes: &mut Vec<Mistake>) {
    if !mistakes.iter().any(|known| known.mistake.sentence() == mistake.mistake.sentence()) {
        mistakes.push(mistake);
    }
}

impl Mistake {
    fn warning(mistake: ConfigError) -> Self {
        Self { is_error: false, mistake }
    }

    fn level(&self) -> &'static str {
        if self.is_error { "error" } else { "warning" }
    }

    fn record(&self) -> Record {
        let ConfigError { place, message, advice, .. } = &self.mistake;
        let place = place.as_ref();
        Record::new(json!({
            "level": self.level(),
            "file": place.map(|place| clean(&place.file.to_string_lossy()).into_owned()),
            "line": place.and_then(|place| place.line),
            "message": message,
            "advice": advice,
        }))
    }
}

impl From<ConfigError> for Mistake {
    fn from(mistake: ConfigError) -> Self {
        Self { is_error: true, mistake }
    }
}
