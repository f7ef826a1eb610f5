//! The options and commands, as `--help` shows them. Must not do anything.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A terminal dashboard for web page reports.
///
/// Without a command the dashboard opens. It works with the service of --base-url or a profile, or else with its own
/// embedded service, which needs no account.
#[derive(Debug, Parser)]
#[command(name = "reportdeck", version, propagate_version = true)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: Global,
    /// Open the dashboard on a scratch service with a sample site; all of it is removed on quit
    #[arg(long)]
    pub(super) sample: bool,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Options that stand before or after every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(super) struct Global {
    /// Work with this profile of the configuration
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// Work with the service at this address; its key is read from `REPORTDECK_API_KEY`
    #[arg(long, global = true, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Change nothing at the service
    #[arg(long, global = true)]
    pub(super) read_only: bool,
    /// Keep the embedded service's data here
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// How to print: a table on a terminal and jsonl elsewhere, unless said otherwise
    #[arg(long, global = true, value_name = "FORMAT", value_enum)]
    pub(super) format: Option<Format>,
}

/// How things are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns, for people
    Table,
    /// One JSON document
    Json,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a heading
    Csv,
    /// A table for a text document
    Markdown,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the embedded service on its own, for a team
    Serve(Serve),
    /// Make, list and revoke the API keys of the embedded service
    #[command(subcommand)]
    Keys(Keys),
}

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8750")]
    pub(super) listen: SocketAddr,
}

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Make a key; it is shown this once
    Create {
        /// What to call it
        name: String,
    },
}
