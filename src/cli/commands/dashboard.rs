//! The dashboard: chooses the service, runs the interface, and shuts the embedded service down afterwards.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::app::jobs::state::DELETE_DELAY;
use crate::app::session::state::ProfileChoice;
use crate::audit;
use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::setup::embedded::EmbeddedSlot;
use crate::cli::setup::keymap;
use crate::cli::setup::profiles::connection_choices;
use crate::config::child_process::KeyVariables;
use crate::config::message_template;
use crate::domain::failure::Failure;
use crate::domain::look::StartScreen;
use crate::runtime::{self, Connect, Launch};
use crate::view::Look;

/// The shutdown timeout of the embedded service.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Opens the dashboard on the service chosen by options, environment and configuration.
pub async fn run(context: &CommandContext<'_>) -> Result<(), CommandError> {
    let slot = EmbeddedSlot::default();
    let ways = connection_choices(context, slot.clone())?;
    let memory = context.journal().map(|file| (file, ways.remembered_as.clone()));
    // The dashboard has already waited for its writes; running audits get only this much time.
    let shutdown = slot.end_within(SHUTDOWN_TIMEOUT);
    let ended = open(context, (ways.connect, (ways.profiles, ways.first)), memory, shutdown).await;
    ended.and(slot.started())
}

/// Runs the dashboard, and `shutdown` afterwards. `memory` is the journal's file and the service's name in it.
pub async fn open(
    context: &CommandContext<'_>,
    (connect, profiles): (Connect, (Vec<ProfileChoice>, Option<String>)),
    memory: Option<(PathBuf, String)>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), CommandError> {
    if !std::io::stdout().is_terminal() {
        let advice = "Run it in a terminal, or use a command such as `reportdeck reports list`";
        return Err(CommandError::local("the dashboard needs a terminal", advice));
    }
    // `dumb` is an editor or a log, which would print escape sequences.
    if context.environment.text("TERM") == Some("dumb") {
        let advice = "Set TERM to the type of the terminal, or use a command such as `reportdeck reports list`";
        return Err(CommandError::local(
            "the dashboard needs a terminal that can move its cursor, but TERM is dumb",
            advice,
        ));
    }
    let file = context.config()?;
    let terminal_env = context.environment.terminal();
    let (journal, journal_name) = memory.unzip();
    let launch = Launch {
        connect,
        profiles,
        untested_days: file.triage.untested_days,
        refresh_minutes: file.triage.refresh_minutes,
        claim: jiff::SignedDuration::from_hours(i64::from(file.triage.claim_hours)),
        read_only: context.options.read_only,
        delete_delay: DELETE_DELAY,
        journal,
        directory: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        journal_name,
        view: context.options.view.clone(),
        start: if context.options.overview { StartScreen::Overview } else { file.look.start },
        keymap: Arc::new(keymap::in_force(file).0),
        explanations: Arc::new(audit::explanations()),
        look: Look::of(&file.look, &terminal_env),
        times: file.look.times,
        zone: TimeZone::system(),
        terminal_env,
        message_template: context
            .environment
            .directories()
            .map(|directories| directories.config.join(message_template::FILE)),
        editor: editor(context),
        key_variables: KeyVariables::of(file),
    };
    // Boxed, because the future is large, as would be those containing it.
    let note = Box::pin(runtime::run(launch, shutdown)).await.map_err(|error| match error.downcast::<Failure>() {
        Ok(failure) => failure.into(),
        Err(error) => CommandError::local(format!("{error:#}"), "Start the dashboard again"),
    })?;
    if let Some(note) = note {
        print_note(&format!("note: {note}"));
    }
    Ok(())
}

/// Returns the editor named by the environment, as command and arguments; `vi` by default.
fn editor(context: &CommandContext<'_>) -> Vec<String> {
    let named = context.environment.text("VISUAL").or_else(|| context.environment.text("EDITOR"));
    let words = split_command(named.unwrap_or_default());
    if words.is_empty() { vec!["vi".to_owned()] } else { words }
}

/// Splits a command line at spaces outside quotes. A backslash is an ordinary character, as in paths on Windows.
fn split_command(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (_, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_the_spaces_of_a_command() {
        for (line, words) in [
            ("", &[][..]),
            ("  vim  -f ", &["vim", "-f"]),
            ("'/opt/my editor/ed' --wait", &["/opt/my editor/ed", "--wait"]),
            ("\"/opt/o'neill/ed\" -c ''", &["/opt/o'neill/ed", "-c", ""]),
            ("C:\\tools\\ed.exe a\"b c\"d", &["C:\\tools\\ed.exe", "ab cd"]),
            ("vim 'unclosed", &["vim", "unclosed"]),
        ] {
            assert_eq!(split_command(line), words, "{line}");
        }
    }
}
