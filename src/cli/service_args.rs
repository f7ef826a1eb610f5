//! The options of `serve` and the commands of `store`; their doc comments are the texts of `--help`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};

use crate::service::AuditTimes;

#[derive(Debug, Args)]
pub(super) struct ServeOptions {
    /// Address to listen on; by default that of the configuration, or 127.0.0.1:8750
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    pub(super) listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(super) queue: QueueOptions,
}

/// Hidden options of the audit queue, for tests.
#[derive(Debug, Args)]
pub(super) struct QueueOptions {
    /// How many milliseconds a lost instance keeps its audits before another one takes them over
    #[arg(long, value_name = "MILLISECONDS", hide = true)]
    audit_lease: Option<u64>,
}

impl QueueOptions {
    /// Returns the time limits of audits.
    pub(super) fn times(&self) -> AuditTimes {
        let usual = AuditTimes::default();
        AuditTimes { lease: self.audit_lease.map_or(usual.lease, Duration::from_millis), ..usual }
    }
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
    /// Reports get new ids. A report whose URL its project already has is skipped. Either all reports are imported
    /// or none.
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
    NonEmptyStringValueParser::new().try_map(|path| match path.as_str() {
        "-" => Err("a database cannot be read from stdin or written to stdout: name a file"),
        _ => Ok(PathBuf::from(path)),
    })
}

/// Parses an address with its port.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address with a port, for example 127.0.0.1:8750 or [::1]:8750".to_owned())
}
