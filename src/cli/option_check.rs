//! The global options accepted by each command. An option that would be ignored is refused.

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
const SERVICE_OPTIONS: &[GlobalOption] = &[Profile, BaseUrl, ReadOnly, Data, Format, Timeout];
/// The options of commands without a service. `--read-only` is accepted because they change nothing.
const READ_ONLY_OPTION: &[GlobalOption] = &[ReadOnly];

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

/// Returns a command's name and the global options it accepts.
fn accepted(command: Option<&Command>, sample: bool) -> (&'static str, &'static [GlobalOption]) {
    match command {
        None if sample => ("--sample", &[ReadOnly, View, Overview]),
        None => ("the dashboard", &[Profile, BaseUrl, ReadOnly, View, Overview, Data]),
        Some(Command::Reports(_)) => ("reports", SERVICE_OPTIONS),
        Some(Command::Projects(_)) => ("projects", SERVICE_OPTIONS),
        Some(Command::Doctor) => ("doctor", SERVICE_OPTIONS),
        Some(Command::Audit { .. }) => ("audit", &[ReadOnly, Format]),
        Some(Command::Changes { .. }) => ("changes", &[Profile, BaseUrl, ReadOnly, Data, Format]),
        Some(Command::Desk(_)) => ("desk", &[Profile, BaseUrl, ReadOnly, Format, Timeout]),
        Some(Command::Config(ConfigCommand::Path)) => ("config path", READ_ONLY_OPTION),
        Some(Command::Config(ConfigCommand::Default)) => ("config default", READ_ONLY_OPTION),
        Some(Command::Config(ConfigCommand::Show)) => ("config show", SERVICE_OPTIONS),
        Some(Command::Config(ConfigCommand::Check)) => ("config check", &[Profile, BaseUrl, ReadOnly, Data, Format]),
        Some(Command::Login(_)) => ("login", &[Profile, BaseUrl, ReadOnly, Format, Timeout]),
        Some(Command::Logout { .. }) => ("logout", &[Profile, ReadOnly]),
        Some(Command::Completions { .. }) => ("completions", READ_ONLY_OPTION),
        Some(Command::Man { .. }) => ("man", READ_ONLY_OPTION),
        Some(Command::Serve(_)) => ("serve", &[Data]),
        Some(Command::Worker(_)) => ("worker", READ_ONLY_OPTION),
        Some(Command::Store(_)) => ("store", &[Data, Format]),
        Some(Command::Keys(_)) => ("keys", &[ReadOnly, Data, Format]),
    }
}

/// Refuses the first option that the command does not accept.
pub(super) fn check(options: &GlobalOptions, command: Option<&Command>, sample: bool) -> Result<(), CommandError> {
    let (name, accepted) = accepted(command, sample);
    let all = [Profile, BaseUrl, ReadOnly, View, Overview, Data, Format, Timeout];
    let ignored = all.into_iter().filter(|option| option.is_given(options) && !accepted.contains(option));
    // Commands that only concern the embedded service accept it as the profile.
    let needless = |option: &GlobalOption| {
        *option == Profile && options.profile.as_deref() == Some(EMBEDDED) && accepted.contains(&Data)
    };
    match ignored.into_iter().find(|option| !needless(option)) {
        None => Ok(()),
        Some(option) => {
            let option = option.name();
            Err(CommandError::usage(format!("{name} does not accept {option}"), format!("Leave {option} out")))
        }
    }
}
