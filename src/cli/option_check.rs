//! The global options of each command. One that would be ignored is refused.

use crate::cli::args::{Command, ConfigCommand, GlobalOptions};
use crate::cli::exit::CommandError;
use crate::config::model::EMBEDDED;

/// A global option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GlobalOption {
    Profile,
    BaseUrl,
    ReadOnly,
    View,
    Overview,
    Data,
    Format,
    Timeout,
}
use GlobalOption::{BaseUrl, Data, Format, Overview, Profile, ReadOnly, Timeout, View};

/// The options of commands that read from a service and print the response.
const OF_SERVICES: &[GlobalOption] = &[Profile, BaseUrl, ReadOnly, Data, Format, Timeout];
/// `--read-only` is accepted by every command that changes nothing.
const OF_NOBODY: &[GlobalOption] = &[ReadOnly];

impl GlobalOption {
    fn name(self) -> &'static str {
        match self {
            Profile => "--profile",
            BaseUrl => "--base-url",
            ReadOnly => "--read-only",
            View => "--view",
            Overview => "--overview",
            Data => "--data",
            Format => "--format",
            Timeout => "--timeout",
        }
    }

    fn is_given(self, options: &GlobalOptions) -> bool {
        match self {
            Profile => options.profile.is_some(),
            BaseUrl => options.base_url.is_some(),
            ReadOnly => options.read_only,
            View => options.view.is_some(),
            Overview => options.overview,
            Data => options.data.is_some(),
            Format => options.format.is_some(),
            Timeout => options.timeout.is_some(),
        }
    }
}

/// A command's name and the global options it accepts.
fn taken(command: Option<&Command>, sample: bool) -> (&'static str, &'static [GlobalOption]) {
    match command {
        None if sample => ("--sample", &[ReadOnly, View, Overview]),
        None => ("the dashboard", &[Profile, BaseUrl, ReadOnly, View, Overview, Data]),
        Some(Command::Reports(_)) => ("reports", OF_SERVICES),
        Some(Command::Projects(_)) => ("projects", OF_SERVICES),
        Some(Command::Doctor) => ("doctor", OF_SERVICES),
        Some(Command::Audit { .. }) => ("audit", &[ReadOnly, Format]),
        Some(Command::Changes { .. }) => ("changes", &[Profile, BaseUrl, ReadOnly, Data, Format]),
        Some(Command::Desk(_)) => ("desk", &[Profile, BaseUrl, ReadOnly, Format, Timeout]),
        Some(Command::Config(ConfigCommand::Path)) => ("config path", OF_NOBODY),
        Some(Command::Config(ConfigCommand::Default)) => ("config default", OF_NOBODY),
        Some(Command::Config(ConfigCommand::Show)) => ("config show", OF_SERVICES),
        Some(Command::Config(ConfigCommand::Check)) => ("config check", &[Profile, BaseUrl, ReadOnly, Data, Format]),
        Some(Command::Login(_)) => ("login", &[Profile, BaseUrl, ReadOnly, Format, Timeout]),
        Some(Command::Logout { .. }) => ("logout", &[Profile, ReadOnly]),
        Some(Command::Completions { .. }) => ("completions", OF_NOBODY),
        Some(Command::Man { .. }) => ("man", OF_NOBODY),
        Some(Command::Serve(_)) => ("serve", &[Data]),
        Some(Command::Worker(_)) => ("worker", OF_NOBODY),
        Some(Command::Store(_)) => ("store", &[Data, Format]),
        Some(Command::Keys(_)) => ("keys", &[ReadOnly, Data, Format]),
    }
}

/// Refuses the first option that the command does not accept.
pub(super) fn check(options: &GlobalOptions, command: Option<&Command>, sample: bool) -> Result<(), CommandError> {
    let (name, taken) = taken(command, sample);
    let all = [Profile, BaseUrl, ReadOnly, View, Overview, Data, Format, Timeout];
    let ignored = all.into_iter().filter(|option| option.is_given(options) && !taken.contains(option));
    // Commands for the embedded service alone accept it as the profile.
    let needless = |option: &GlobalOption| {
        *option == Profile && options.profile.as_deref() == Some(EMBEDDED) && taken.contains(&Data)
    };
    match ignored.into_iter().find(|option| !needless(option)) {
        None => Ok(()),
        Some(option) => {
            let option = option.name();
            Err(CommandError::usage(format!("{name} does not take {option}"), format!("Leave {option} out")))
        }
    }
}
