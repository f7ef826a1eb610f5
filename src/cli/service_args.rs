//! The options of `serve` and the commands of `store` and `keys`; their doc comments are the texts of `--help`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use strum::IntoEnumIterator as _;

use crate::cli::value_parsers::{not_stdin, one_of, time_ahead};
use crate::domain::desk::{Handle, Role};

#[derive(Debug, Args)]
pub(super) struct ServeOptions {
    /// Address to listen on; by default that of the configuration, or 127.0.0.1:8750
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    pub(super) listen: Option<SocketAddr>,
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Create a key and show it once
    Create {
        /// The key's name
        name: String,
        /// The person the key belongs to, by a short name such as anna, who is on the team from now on, or again; a key
        /// without a person belongs to a robot
        #[arg(long, value_name = "HANDLE")]
        person: Option<Handle>,
        /// The key's role: viewer reads, triage (by default for a person) also re-runs and updates the desk, admin (by
        /// default for a robot) does everything; --read-only means viewer
        #[arg(long, value_parser = one_of(Role::iter(), Role::name))]
        role: Option<Role>,
        /// Expiry, for example 90d; by default the key does not expire
        #[arg(long, value_name = "TIME", value_parser = time_ahead)]
        expires: Option<Timestamp>,
    },
    /// List all keys with their roles and times, including revoked ones
    List,
    /// Revoke a key, effective immediately
    Revoke {
        /// The key's name
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        name: String,
    },
    /// List the people of the desk with the roles of their keys, including those who have left
    People,
    /// Rename a person of the desk, or mark one as left, which revokes all keys of that person
    #[command(group(clap::ArgGroup::new("what").required(true).multiple(true)))]
    Person {
        /// The short name
        handle: Handle,
        /// The full name
        #[arg(long, group = "what")]
        name: Option<String>,
        /// Mark the person as no longer on the team
        #[arg(long, group = "what", conflicts_with = "back")]
        left: bool,
        /// Mark the person as on the team again; new keys are needed
        #[arg(long, group = "what")]
        back: bool,
    },
}

/// The engine that a store is copied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TargetEngine {
    /// From the data directory into the database
    Postgres,
    /// From the database into the data directory
    Sqlite,
}

#[derive(Debug, Subcommand)]
pub(super) enum StoreCommand {
    /// Write the data directory's database to a file, even while `serve` is running
    Backup {
        /// The file; it will be readable only by you
        #[arg(value_parser = real_file())]
        file: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Replace the data directory's database with a backup; `serve` must not be running
    Restore {
        /// The backup
        #[arg(value_parser = real_file())]
        file: PathBuf,
        /// Restore even if there are reports or keys; the previous database is kept next to it
        #[arg(long)]
        force: bool,
    },
    /// Import the reports of another data directory or a backup, with results and privacy, without keys
    ///
    /// Reports get new ids and keep the states and notes of their desk. A report whose URL its project already has is
    /// skipped. Either all reports are imported or none.
    Import {
        /// A data directory, or a file that `store backup` wrote
        #[arg(value_parser = real_file())]
        from: PathBuf,
    },
    /// Copy everything into an empty store of the other engine and compare the two; no service may be running
    ///
    /// The data directory is that of --data, environment or configuration; the database that of `REPORTDECK_DATABASE_URL` or
    /// the configuration.
    Copy {
        /// Destination
        #[arg(long, value_name = "ENGINE")]
        to: TargetEngine,
    },
}

/// Parses a file path. Rejects `-`, because a database is not a stream.
fn real_file() -> impl TypedValueParser<Value = PathBuf> {
    not_stdin("a database cannot be read from stdin or written to stdout: name a file").map(PathBuf::from)
}

/// Parses an address with its port.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let wrong = "must be an address with a port up to 65535, for example 127.0.0.1:8750 or [::1]:8750";
    text.parse().map_err(|_| wrong.to_owned())
}
